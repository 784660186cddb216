//! Messages out: written, edited, and the answers to frames that were refused.
//!
//! | for | take |
//! |---|---|
//! | a request, a notification, a result, an error | [`Writer`] |
//! | params and results of pieces | [`Object`], [`Array`] |
//! | another id, other `_meta` keys in a message that came in | [`Edit`] |
//! | ids of many clients to one upstream | [`IdMap`] |
//! | the answer to what was refused | [`reply`](reply()) |
//! | the answers to a batch | [`AnswerArray`] |
//! | the fields of an event | [`EventFields`] |

mod batch;
mod error;
mod framing;
mod idmap;
mod object;
mod object_edit;
mod pieces;
mod places;
mod profile;
mod reply;
mod reply_to;
mod script;
mod section;
#[cfg(feature = "serde")]
mod serialize;
mod splice;
mod text;
mod writer;

pub use batch::AnswerArray;
pub use error::EncodeError;
pub use framing::{EventFields, FieldError, Framing, put_comment};
pub use idmap::{Abandoned, Destination, IdMap, IdMapError, IdMapLimits, Renames};
pub use object::{Array, Object};
pub use pieces::Pieces;
pub use profile::{CacheScope, ClientProfile, ServerProfile};
pub use reply::{Details, Reply, reply, reply_with};
pub use reply_to::ReplyTo;
#[cfg(feature = "serde")]
pub use serialize::serialize;
pub use splice::Edit;
pub use writer::Writer;
