//! Over a whole object or array, from bracket to bracket.

use super::Unsure;
use super::window::Window;
use crate::json::simd::BLOCK;

/// How many containers may be open in one that is gone over: a bit of a word each.
const MOST_OPEN: usize = 64;

impl Window<'_, '_> {
    /// From the token `i`, a bracket that opens, the index of the token behind its end. At most `room` containers may be open in it, itself counted.
    #[inline(never)]
    pub(super) fn skip(&mut self, i: usize, room: usize) -> Result<usize, Unsure> {
        let room = room.min(MOST_OPEN);
        // What is told of a token is told three later.
        let mut word_index = (i + 3) / BLOCK;
        let mut wanted = u64::MAX << ((i + 3) % BLOCK);
        // The lowest bit is that of the innermost container: 1 for an object.
        let mut kinds = 0u64;
        let mut open = 0;
        let mut faults = 0;
        loop {
            let Some(word) = self.tokens.word(word_index) else {
                word_index -= self.refill()? / BLOCK;
                continue;
            };
            let mut brackets = word.bracket & wanted;
            wanted = u64::MAX;
            while brackets != 0 {
                let bit = brackets & brackets.wrapping_neg();
                brackets ^= bit;
                let opens = u64::from(word.open & bit != 0);
                // Both ways without a branch, since no processor can guess which brackets come.
                let inside = kinds << 1 | u64::from(word.brace & bit != 0);
                let around = kinds >> 1;
                let fits = (around & 1) ^ u64::from(word.follows_as_member & bit == 0);
                open = open + 2 * opens as usize - 1;
                kinds = if opens == 1 { inside } else { around };
                if open == 0 {
                    self.faults |= faults;
                    let behind = word_index * BLOCK + bit.trailing_zeros() as usize - 2;
                    return Ok(behind);
                }
                faults |= (1 - opens) & (1 ^ fits);
                if open > room {
                    return Err(Unsure);
                }
            }
            word_index += 1;
        }
    }
}
