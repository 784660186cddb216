//! MCP's own shapes as views over the bytes: what gateways and hosts read of lists, calls and results. Nothing is decoded,
//! and what goes on goes on as it came.
//!
//! A member that decides something and is there twice is no member here: two readers would take two.

mod arguments;
mod call_result;
mod input_required;
mod tool_list;

pub use arguments::{ArgumentsError, ToolCall, call_arguments, call_arguments_text};
pub use call_result::{CallResult, ContentBlock, ContentKind};
pub use input_required::{InputRequest, InputRequired};
pub use tool_list::{Tool, ToolList};

use crate::json::{JsonKind, RawJson};

/// The values of some members of an object, in one walk. `None` if it is no object, or has one of them twice.
fn unique<'a, const N: usize>(
    object: RawJson<'a>,
    names: [&str; N],
) -> Option<[Option<RawJson<'a>>; N]> {
    if object.kind() != JsonKind::Object {
        return None;
    }
    let mut found = [None; N];
    for (name, value) in object.members() {
        for (slot, wanted) in found.iter_mut().zip(names) {
            if name == wanted && slot.replace(value).is_some() {
                return None;
            }
        }
    }
    Some(found)
}

/// The value, if it is of this kind.
fn of_kind(value: Option<RawJson<'_>>, kind: JsonKind) -> Option<RawJson<'_>> {
    value.filter(|value| value.kind() == kind)
}
