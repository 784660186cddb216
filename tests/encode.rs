//! Messages out: written, and edited without being written anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

#[path = "encode/edited.rs"]
mod edited;
#[path = "encode/properties.rs"]
mod properties;
#[path = "encode/values.rs"]
mod values;
#[path = "encode/written.rs"]
mod written;

use rpcslice::json::RawJson;

fn raw(text: &str) -> RawJson<'_> {
    RawJson::parse(text.as_bytes()).unwrap()
}
