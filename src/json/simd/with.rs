//! Functions for which instructions are there that not every processor has.

/// Puts functions into a module `with`, each compiled with the features. The intrinsics in them are safe then, but for
/// loads and stores. The features stand once: what functions are compiled with is what the processor is asked for.
macro_rules! functions {
    ($features:tt; $($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty $body:block)*) => {
        mod with {
            use super::*;
            super::super::with::ask! { $features }
            $(super::super::with::function! {
                $features $(#[$doc])* fn $name($($arg: $type),*) -> $out $body
            })*
        }
    };
}

macro_rules! function {
    (($($feature:tt)*) $(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty $body:block) => {
        $(#[$doc])*
        #[inline]
        #[target_feature($(enable = $feature),*)]
        pub(super) fn $name($($arg: $type),*) -> $out $body
    };
}

macro_rules! ask {
    (($($feature:tt)*)) => {
        /// Asks the processor.
        #[cfg(feature = "std")]
        pub(super) fn are_there() -> bool {
            $(std::is_x86_feature_detected!($feature))&&*
        }

        /// Without `std`: whether the crate is compiled for processors that have them.
        #[cfg(not(feature = "std"))]
        pub(super) const fn are_there() -> bool {
            cfg!(all($(target_feature = $feature),*))
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

pub(super) use {ask, delegate, function, functions};
