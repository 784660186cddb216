//! Which instructions are used, forced: for the benchmarks and the fuzzing of this crate, and nobody else.

use crate::json::scan;
use crate::json::simd::Blocks;
use crate::json::simd::chosen::asked;
use crate::{Error, Limits, Message, Policy};
use core::sync::atomic::{AtomicU8, Ordering};

/// What a processor may offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Variant {
    /// Tokens by AVX-512 from a certain length on, otherwise as by SSE2.
    Avx512 = 1,
    /// The same by AVX2.
    Avx2 = 2,
    /// The exact scanner, with sixteen bytes of a string at a time.
    Sse2 = 3,
    /// The exact scanner in plain Rust.
    Plain = 4,
}

/// 0 if none is forced.
static FORCED: AtomicU8 = AtomicU8::new(0);

impl Variant {
    /// The best first.
    pub const ALL: [Self; 4] = [Self::Avx512, Self::Avx2, Self::Sse2, Self::Plain];

    /// As processors' manuals have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "AVX-512",
            Self::Avx2 => "AVX2",
            Self::Sse2 => "SSE2",
            Self::Plain => "plain",
        }
    }

    /// Whether this processor has it.
    #[must_use]
    pub fn is_supported(self) -> bool {
        match self {
            Self::Avx512 => asked::has(asked::AVX512),
            Self::Avx2 => asked::has(asked::AVX2),
            Self::Sse2 => cfg!(target_feature = "sse2"),
            Self::Plain => true,
        }
    }

    #[inline(always)]
    pub(crate) fn forced() -> Option<Self> {
        match FORCED.load(Ordering::Relaxed) {
            0 => None,
            forced => Self::ALL
                .into_iter()
                .find(|variant| *variant as u8 == forced),
        }
    }

    /// How tokens are found by it in a text of any length: by [`Variant::Plain`] with the plain twin, by
    /// [`Variant::Sse2`] not at all. `None` if the processor lacks them.
    fn blocks_of_any(self) -> Option<Option<Blocks>> {
        if !self.is_supported() {
            return None;
        }
        Some(match self {
            Self::Avx512 | Self::Avx2 => Some(self.blocks(usize::MAX)?),
            Self::Plain => Some(Blocks::PLAIN),
            Self::Sse2 => None,
        })
    }

    /// How tokens are found by it in a text of so many bytes, if they are.
    pub(crate) fn blocks(self, len: usize) -> Option<Blocks> {
        match self {
            Self::Avx512 => asked::by(asked::AVX512, len),
            Self::Avx2 => asked::by(asked::AVX2, len),
            Self::Sse2 | Self::Plain => None,
        }
    }
}

/// From now on every message of this process is parsed by this variant. False, and nothing has changed, if the processor
/// lacks it.
pub fn force(variant: Variant) -> bool {
    let can = variant.is_supported();
    if can {
        FORCED.store(variant as u8, Ordering::Relaxed);
    }
    can
}

/// Back to what is chosen at run time.
pub fn reset() {
    FORCED.store(0, Ordering::Relaxed);
}

/// Parses by tokens, however short the frame: with these instructions, for [`Variant::Plain`] with their plain twin. For
/// [`Variant::Sse2`] by the exact scanner. `None` if the processor lacks them.
#[must_use]
pub fn parse_by_tokens<'a>(
    variant: Variant,
    frame: &'a [u8],
    limits: &Limits,
    policy: &Policy,
) -> Option<Result<Message<'a>, Error>> {
    let blocks = variant.blocks_of_any()?;
    Some(Message::parse_by(blocks, frame, limits, policy))
}

/// Whether tokens alone accept a JSON text, without the exact scanner behind them. For [`Variant::Sse2`] whether the exact
/// scanner does. `None` if the processor lacks them.
#[must_use]
pub fn is_taken_by_tokens(variant: Variant, text: &[u8], limits: &Limits) -> Option<bool> {
    let blocks = variant.blocks_of_any()?;
    Some(scan::is_good_by(blocks, text, limits))
}

/// The same of a message: whether tokens alone get to its end, whatever is then found wrong with it. For [`Variant::Sse2`]
/// always false.
#[must_use]
pub fn is_read_by_tokens(
    variant: Variant,
    frame: &[u8],
    limits: &Limits,
    policy: &Policy,
) -> Option<bool> {
    let blocks = variant.blocks_of_any()?;
    Some(blocks.is_some_and(|blocks| Message::is_read_by(blocks, frame, limits, policy)))
}

/// Whether both have been read the same: every span, every type.
#[must_use]
pub fn is_same(one: &Message<'_>, other: &Message<'_>) -> bool {
    one.is_same_as(other)
}
