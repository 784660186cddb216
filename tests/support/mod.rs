//! What the harnesses share. Each is a program of its own (`harness = false`) and uses a part of this.
#![allow(dead_code, unreachable_pub)]

pub mod case;
pub mod chunks;
#[cfg(feature = "http")]
pub mod encode_case;
pub mod event_streams;
pub mod events;
pub mod exchange;
pub mod expect;
pub mod files;
pub mod framing;
#[cfg(feature = "http")]
pub mod header_units;
#[cfg(feature = "http")]
pub mod headers;
#[cfg(feature = "http")]
pub mod http_case;
pub mod input;
pub mod reading;
pub mod recorded;
pub mod report;
#[cfg(feature = "http")]
pub mod served;
pub mod session;
pub mod setting;
pub mod verdict;
