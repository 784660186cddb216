use core::fmt;

/// Why bytes are not one JSON text, and at which byte: a kind and one index, nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    kind: SyntaxErrorKind,
    at: u32,
}

impl SyntaxError {
    /// `at` is below 4 GiB, as every text that is scanned.
    #[cold]
    pub(crate) const fn new(kind: SyntaxErrorKind, at: usize) -> Self {
        Self {
            kind,
            at: at as u32,
        }
    }

    /// The same in a larger text, in which this one begins at `start`.
    pub(crate) const fn moved(self, start: usize) -> Self {
        Self::new(self.kind, self.at() + start)
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> SyntaxErrorKind {
        self.kind
    }

    /// The index of the first byte at fault; the length of the text where more was expected.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at as usize
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind.sentence(), self.at)
    }
}

impl core::error::Error for SyntaxError {}

/// What is wrong with a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// The text ends where more is needed.
    UnexpectedEnd,
    /// No value begins here.
    ExpectedValue,
    /// A member name, in double quotes, has to stand here.
    ExpectedName,
    /// A colon has to follow a member name.
    ExpectedColon,
    /// A comma or the closing brace has to follow a member.
    ExpectedCommaOrBrace,
    /// A comma or the closing bracket has to follow an element.
    ExpectedCommaOrBracket,
    /// Something follows the value.
    TrailingBytes,
    /// Neither `true`, `false` nor `null`.
    InvalidLiteral,
    /// Not a number of RFC 8259 section 6.
    InvalidNumber,
    /// Not an escape of RFC 8259 section 7.
    InvalidEscape,
    /// A character below U+0020 stands unescaped in a string.
    ControlCharacter,
    /// The bytes are not UTF-8: overlong, a surrogate, above U+10FFFF, or cut off.
    InvalidUtf8,
    /// More containers are open than allowed.
    TooDeep,
    /// The text has 4 GiB or more, or more bytes than allowed.
    TooLong,
}

impl SyntaxErrorKind {
    /// The kind as a word for logs and metrics, in kebab case.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.row().0
    }

    pub(crate) const fn sentence(self) -> &'static str {
        self.row().1
    }

    const fn row(self) -> (&'static str, &'static str) {
        match self {
            Self::UnexpectedEnd => ("unexpected-end", "the JSON text ends too early"),
            Self::ExpectedValue => ("expected-value", "expected a JSON value"),
            Self::ExpectedName => ("expected-name", "expected a member name in double quotes"),
            Self::ExpectedColon => ("expected-colon", "expected `:` after the member name"),
            Self::ExpectedCommaOrBrace => (
                "expected-comma-or-brace",
                "expected `,` or `}` after the member",
            ),
            Self::ExpectedCommaOrBracket => (
                "expected-comma-or-bracket",
                "expected `,` or `]` after the element",
            ),
            Self::TrailingBytes => (
                "trailing-bytes",
                "expected nothing more after the JSON value",
            ),
            Self::InvalidLiteral => ("invalid-literal", "expected `true`, `false` or `null`"),
            Self::InvalidNumber => ("invalid-number", "expected a digit of a JSON number"),
            Self::InvalidEscape => (
                "invalid-escape",
                "expected one of the escapes of a JSON string",
            ),
            Self::ControlCharacter => (
                "control-character",
                "a control character in a string must be escaped",
            ),
            Self::InvalidUtf8 => ("invalid-utf8", "the bytes are not UTF-8"),
            Self::TooDeep => ("too-deep", "more containers are open than the limit allows"),
            Self::TooLong => ("too-long", "the text is longer than the limit allows"),
        }
    }
}
