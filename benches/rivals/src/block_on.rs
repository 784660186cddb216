//! Runs a future to its end.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Nothing here ever waits, so a poll or two is all there is to it.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}
