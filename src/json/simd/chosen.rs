//! Which instruction set tokens are found with, if any: asked of the processor once.

use crate::json::tokens::Window;
#[cfg(any(test, feature = "__variants"))]
use crate::json::trusted;

#[cfg(target_arch = "x86_64")]
use super::{BLOCK, avx2::Avx2, avx512::Avx512};

/// An instruction set that classifies blocks of 64 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(any(test, feature = "__variants"))]
    Plain(super::plain::Plain),
}

/// From this length on a text gains by being cut into tokens first. Below, the exact scanner is as fast or faster.
#[cfg(target_arch = "x86_64")]
mod worth {
    pub(super) const AVX512: usize = 768;
    pub(super) const AVX2: usize = 1024;
}

impl Blocks {
    /// The best for a text of so many bytes; none, if the exact scanner is the best.
    #[inline(always)]
    pub(crate) fn chosen(len: usize) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if len >= worth::AVX512 {
            return asked::chosen(len);
        }
        let _ = len;
        None
    }

    /// The best for values of a text of so many bytes that has been checked before; none, if it is shorter than a block.
    #[inline(always)]
    pub(in crate::json) fn best(len: usize) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if len >= BLOCK {
            return asked::chosen(usize::MAX);
        }
        let _ = len;
        None
    }

    /// The plain twin.
    #[cfg(any(test, feature = "__variants"))]
    pub(crate) const PLAIN: Self = Self::Plain(super::plain::Plain);

    /// All that there are here.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self::PLAIN];
        #[cfg(target_arch = "x86_64")]
        all.extend(
            [asked::AVX512, asked::AVX2]
                .into_iter()
                .filter_map(|set| asked::by(set, usize::MAX)),
        );
        all
    }

    /// Finds tokens until there is no more room, or the text ends.
    #[inline(always)]
    pub(in crate::json) fn fill(self, window: &mut Window<'_, '_>) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) => isa.fill(window),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(isa) => isa.fill(window),
            #[cfg(any(test, feature = "__variants"))]
            Self::Plain(isa) => crate::json::tokens::fill(isa, window),
            #[cfg(not(any(target_arch = "x86_64", test, feature = "__variants")))]
            _ => {
                let _ = window;
            }
        }
    }

    /// Goes over a container of a text that has been checked before: see [`trusted`](crate::json::trusted).
    #[inline(always)]
    pub(in crate::json) fn container_end(self, bytes: &[u8], start: usize) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) => isa.container_end(bytes, start),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(isa) => isa.container_end(bytes, start),
            #[cfg(any(test, feature = "__variants"))]
            Self::Plain(isa) => trusted::container_end(isa, bytes, start),
            #[cfg(not(any(target_arch = "x86_64", test, feature = "__variants")))]
            _ => {
                let _ = start;
                bytes.len()
            }
        }
    }

    /// Goes over the rest of a string of such a text.
    #[inline(always)]
    pub(in crate::json) fn string_end(self, bytes: &[u8], start: usize) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) => isa.string_end(bytes, start),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(isa) => isa.string_end(bytes, start),
            #[cfg(any(test, feature = "__variants"))]
            Self::Plain(isa) => trusted::string_end(isa, bytes, start),
            #[cfg(not(any(target_arch = "x86_64", test, feature = "__variants")))]
            _ => {
                let _ = start;
                bytes.len()
            }
        }
    }
}

/// Where there is nothing to ask for.
#[cfg(all(feature = "__variants", not(target_arch = "x86_64")))]
pub(crate) mod asked {
    use super::Blocks;

    pub(crate) const AVX2: u8 = 2;
    pub(crate) const AVX512: u8 = 3;

    pub(crate) fn has(_: u8) -> bool {
        false
    }

    pub(crate) fn by(_: u8, _: usize) -> Option<Blocks> {
        None
    }
}

/// What the processor has said; without `std`, what the crate is compiled for.
#[cfg(target_arch = "x86_64")]
pub(crate) mod asked {
    use super::{Avx2, Avx512, Blocks, worth};
    use core::sync::atomic::{AtomicU8, Ordering};

    const UNASKED: u8 = 0;
    const NONE: u8 = 1;
    pub(crate) const AVX2: u8 = 2;
    pub(crate) const AVX512: u8 = 3;

    /// Several threads may ask at once, and are all told the same.
    ///
    /// Invariant: it is `AVX2` or `AVX512` only if the processor has that.
    static SAID: AtomicU8 = AtomicU8::new(UNASKED);

    #[inline(always)]
    pub(super) fn chosen(len: usize) -> Option<Blocks> {
        match SAID.load(Ordering::Relaxed) {
            // SAFETY: the invariant of `SAID`.
            AVX512 => Some(Blocks::Avx512(unsafe { Avx512::proven() })),
            // SAFETY: the same.
            AVX2 if len >= worth::AVX2 => Some(Blocks::Avx2(unsafe { Avx2::proven() })),
            UNASKED => ask(len),
            _ => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn ask(len: usize) -> Option<Blocks> {
        let said = match (has(AVX512), has(AVX2)) {
            (true, _) => AVX512,
            (_, true) => AVX2,
            _ => NONE,
        };
        SAID.store(said, Ordering::Relaxed);
        chosen(len)
    }

    /// Whether the processor has it.
    pub(crate) fn has(set: u8) -> bool {
        match set {
            AVX512 => Avx512::is_there(),
            AVX2 => Avx2::is_there(),
            _ => false,
        }
    }

    /// As if it were the best.
    #[cfg(any(test, feature = "__variants"))]
    pub(crate) fn by(set: u8, len: usize) -> Option<Blocks> {
        if !has(set) {
            return None;
        }
        match set {
            // SAFETY: the processor has it, as it has just said.
            AVX512 if len >= worth::AVX512 => Some(Blocks::Avx512(unsafe { Avx512::proven() })),
            // SAFETY: the same.
            AVX2 if len >= worth::AVX2 => Some(Blocks::Avx2(unsafe { Avx2::proven() })),
            _ => None,
        }
    }
}
