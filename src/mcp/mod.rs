//! What MCP adds to JSON-RPC: revisions, methods, codes, and the rules that a receiver and a sender hold messages to.
//!
//! Tables and rules, no scanning: rules look at what the envelope pass has found.

mod capabilities;
mod clause;
pub mod code;
mod meta_key;
mod method;
mod pending;
pub mod requirements;
mod rules;
mod shape;
mod version;
pub mod view;

pub use capabilities::Capabilities;
pub use meta_key::{MetaKey, MetaKeyError};
pub use method::{Direction, Method, MethodRules, Status};
pub use pending::{Exchange, Pending, PendingError};
#[cfg(feature = "http")]
pub(crate) use rules::fault;
pub use rules::{Incoming, Methods, Role, Rules, Transport};
pub use version::{Era, UnknownVersion, Version, Versions};
