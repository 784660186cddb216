//! Which token may follow which, for 64 tokens at a time.
//!
//! A token's neighbours decide almost everything. What container a comma stands in is seen by what stands around it: after a
//! plain value (a string or a scalar) the two tokens before that tell, a colon or none; and the comma's own next member
//! has a colon, or not. So commas are held to each other along a container, and its bracket to the last of them. Only what
//! follows a closing bracket needs to know which container it was in: that is told to whoever goes over the brackets, by
//! [`Word::follows_as_member`].

use crate::json::simd::TokenMarks;

/// What is told of 64 tokens to who goes over their brackets. All three tokens late: the bit of token `i` is bit `i + 3`.
#[derive(Clone, Copy, Default)]
pub(crate) struct Word {
    pub(super) bracket: u64,
    pub(super) open: u64,
    /// Of brackets: the braces.
    pub(super) brace: u64,
    /// Of closing brackets: what follows can only stand in an object. It is a comma before a name, or a brace.
    pub(super) follows_as_member: u64,
}

/// Masks of the 64 tokens before.
#[derive(Clone, Copy)]
pub(super) struct Before {
    string: u64,
    comma: u64,
    colon: u64,
    open: u64,
    close: u64,
    brace: u64,
    scalar: u64,
}

impl Before {
    /// Before the first token a value is wanted, as behind a comma.
    pub(super) const START: Self = Self {
        string: 0,
        comma: 1 << 63,
        colon: 0,
        open: 0,
        close: 0,
        brace: 0,
        scalar: 0,
    };
}

/// What comes back of 64 tokens.
pub(super) struct Told {
    /// Those that can't stand where they do.
    pub(super) faults: u64,
    /// Those that are neither strings nor operators.
    pub(super) scalar: u64,
}

/// Holds 64 tokens to the grammar, of which the `valid` ones are there. What is to be told of them, and which of them can't
/// stand where they do.
///
/// A call of its own, for which no vector registers are used: compilers would put masks there, and get them out again.
#[inline(never)]
pub(super) fn check(marks: &TokenMarks, valid: u64, before: &mut Before, word: &mut Word) -> Told {
    let TokenMarks {
        string,
        comma,
        colon,
        open,
        close,
        ..
    } = *marks;
    let bracket = open | close;
    let brace = marks.brace & bracket;
    let scalar = valid & !(string | comma | colon | bracket);
    let now = Before {
        string,
        comma,
        colon,
        open,
        close,
        brace,
        scalar,
    };
    let then = *before;
    *before = now;
    // What stands so many tokens before each.
    macro_rules! earlier {
        ($n:literal, $of:ident, $mask:expr) => {
            earlier::<$n>(
                {
                    let $of = now;
                    $mask
                },
                {
                    let $of = then;
                    $mask
                },
            )
        };
    }
    let plain = string | scalar;
    let value = plain | open;

    let after_wants_value = earlier!(1, m, m.comma | m.colon);
    let after_object = earlier!(1, m, m.open & m.brace);
    let after_array = earlier!(1, m, m.open & !m.brace);
    let after_ended = earlier!(1, m, m.scalar | m.close);
    let after_string = earlier!(1, m, m.string);
    let after_plain = after_string | earlier!(1, m, m.scalar);
    let after_open = earlier!(1, m, m.open);
    let after_brace = earlier!(1, m, m.brace);
    let two_after_object = earlier!(2, m, m.open & m.brace);
    let two_after_comma = earlier!(2, m, m.comma);
    let two_after_colon = earlier!(2, m, m.colon);
    let two_after_brace_close = earlier!(2, m, m.close & m.brace);
    let three_after_plain = earlier!(3, m, m.string | m.scalar);
    let four_after_colon = earlier!(4, m, m.colon);

    let faults = after_wants_value & !value
        | after_object & !(string | close)
        | after_array & !(value | close)
        | after_ended & !(comma | close)
        | after_string & !(comma | close | colon)
        // A colon stands behind a name, and behind every name.
        | colon & !(after_string & (two_after_object | two_after_comma))
        | two_after_object & after_string & !colon
        // A comma behind a plain member stands before a name, any other behind a plain value before none.
        | two_after_comma & three_after_plain & (colon ^ four_after_colon)
        // A bracket that closes what was opened just now, or behind a plain value.
        | close & after_open & (brace ^ after_brace)
        | close & after_plain & (brace ^ two_after_colon);

    *word = Word {
        bracket: earlier!(3, m, m.open | m.close),
        open: earlier!(3, m, m.open),
        brace: earlier!(3, m, m.brace),
        follows_as_member: two_after_comma & colon | two_after_brace_close,
    };
    Told {
        faults: faults & valid,
        scalar,
    }
}

/// The mask `N` tokens later; what stood before comes in from below.
#[inline(always)]
const fn earlier<const N: u32>(now: u64, then: u64) -> u64 {
    now << N | then >> (64 - N)
}
