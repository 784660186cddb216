//! Functions for which instructions are there that not every processor has.

/// Puts functions into a module `with`, each compiled with the features. The intrinsics in them are safe then, but for
/// loads and stores.
macro_rules! functions {
    ($features:literal; $($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty $body:block)*) => {
        mod with {
            use super::*;
            $($(#[$doc])*
            #[inline]
            #[target_feature(enable = $features)]
            pub(super) fn $name($($arg: $type),*) -> $out $body)*
        }
    };
}

/// Makes methods of them.
macro_rules! delegate {
    ($($(#[$attribute:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        $($(#[$attribute])*
        #[inline(always)]
        $vis fn $name(self, $($arg: $type),*) -> $out {
            // SAFETY: a function with features may be called where the processor has them. `self` is the proof: `proven`
            // alone makes a value of its type.
            unsafe { with::$name($($arg),*) }
        })*
    };
}

pub(super) use {delegate, functions};
