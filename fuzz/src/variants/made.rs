//! An input made of a base, edits and wrappings, by its number: the same for ever.

use super::{bases, edit, wrap};
use crate::rng::Rng;
use rpcslice::Limits;

/// A text, and the limits that it is held within.
pub fn input(seed: u64, number: u64) -> (Vec<u8>, Limits) {
    let mut rng = Rng::new(Rng::new(seed).word() ^ Rng::new(number).word());
    let mut text = bases::pick(&mut rng).to_vec();
    // What has been edited often is seldom good.
    for _ in 0..rng.below(4) {
        edit::edit(&mut text, &mut rng);
    }
    if rng.once_in(3) {
        let mut heads = wrap::head(&mut rng).to_vec();
        if rng.once_in(4) {
            heads.extend(wrap::head(&mut rng));
        }
        heads.append(&mut text);
        text = wrap::wrapped(&heads);
        if rng.once_in(4) {
            edit::edit(&mut text, &mut rng);
        }
    }
    let mut limits = Limits::new();
    if rng.once_in(16) {
        limits = limits.with_max_depth(1 + rng.below(70));
    }
    (text, limits)
}
