//! SplitMix64, in these few lines so that no release of a crate can ever change the corpus.

/// A stream of pseudo-random choices; the same seed gives the same stream for ever.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` up to and without `high`.
    pub(crate) fn range(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low) as u64) as usize
    }

    /// A number in [0, 1) with 53 random bits, so that it prints with up to 17 digits.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True in `percent` of the cases.
    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.range(0, 100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.range(0, from.len())]
    }

    /// `count` lower-case hexadecimal digits.
    pub(crate) fn hex(&mut self, count: usize) -> String {
        (0..count)
            .map(|_| self.pick(b"0123456789abcdef") as char)
            .collect()
    }

    /// `length` characters that look like base64 of something compressed.
    pub(crate) fn base64(&mut self, length: usize) -> String {
        const ALPHABET: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        (0..length).map(|_| self.pick(ALPHABET) as char).collect()
    }
}
