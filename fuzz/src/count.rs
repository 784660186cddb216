//! How many executions there were, and how many of them went all the way.
//!
//! A target that only ever sees rubbish proves nothing. So each target says of each execution whether the library
//! accepted the input.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static EXECUTIONS: AtomicU64 = AtomicU64::new(0);
static ACCEPTED: AtomicU64 = AtomicU64::new(0);
static SIGNATURE: AtomicU64 = AtomicU64::new(0);

/// Called once by each execution. `signature` is what the input was like, as far as the oracle saw: the loop of
/// `mutate`, which has no coverage to go by, keeps inputs with a new one.
pub fn execution(accepted: bool, signature: u64) {
    EXECUTIONS.fetch_add(1, Relaxed);
    ACCEPTED.fetch_add(u64::from(accepted), Relaxed);
    SIGNATURE.store(signature, Relaxed);
}

pub fn executions() -> u64 {
    EXECUTIONS.load(Relaxed)
}

/// The signature of the last execution.
pub fn signature() -> u64 {
    SIGNATURE.load(Relaxed)
}

/// `accepted A of N executions`, which `fuzz/prove` reads.
pub fn report() -> String {
    let accepted = ACCEPTED.load(Relaxed);
    format!("accepted {accepted} of {} executions", executions())
}

/// Has [`report`] printed when the process ends: libFuzzer leaves by `exit`.
pub fn report_at_exit() {
    unsafe extern "C" {
        fn atexit(callback: extern "C" fn()) -> std::ffi::c_int;
    }
    extern "C" fn print() {
        eprintln!("{}", report());
    }
    // SAFETY: `atexit` is C's, with this signature. The callback neither unwinds (printing to stderr that is gone would
    // panic, which `extern "C"` turns into an abort) nor exits.
    unsafe { atexit(print) };
}
