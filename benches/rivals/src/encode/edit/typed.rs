//! The official SDK's message types: every member of every message that it knows, read and written.

use rmcp::model::{
    ClientJsonRpcMessage, ClientResult, GetMeta, JsonRpcMessage, MetaObject, NumberOrString,
    ServerJsonRpcMessage, ServerResult,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Frame, KEY, NEW_ID, TRACEPARENT};
use crate::encode::way::{Buffers, Way};
use crate::load::Side;

pub const RMCP: Way<Frame> = Way {
    name: "rmcp message types",
    note: "from_slice into the type of the peer's role, members set, to_writer; tools lose `execution`, which it has no type for",
    run,
    is_floor: false,
};

fn run(frame: &Frame, buffers: &mut Buffers) -> bool {
    let done = match frame.from {
        Side::Client => change::<ClientJsonRpcMessage>(frame, buffers, |message| match message {
            JsonRpcMessage::Request(request) => {
                request.id = id();
                insert(request.request.get_meta_mut());
            }
            JsonRpcMessage::Notification(it) => insert(it.notification.get_meta_mut()),
            JsonRpcMessage::Response(response) => {
                response.id = id();
                meta_of_client(&mut response.result);
            }
            JsonRpcMessage::Error(error) => error.id = Some(id()),
        }),
        Side::Server => change::<ServerJsonRpcMessage>(frame, buffers, |message| match message {
            JsonRpcMessage::Request(request) => {
                request.id = id();
                insert(request.request.get_meta_mut());
            }
            JsonRpcMessage::Notification(it) => insert(it.notification.get_meta_mut()),
            JsonRpcMessage::Response(response) => {
                response.id = id();
                meta_of_server(&mut response.result);
            }
            JsonRpcMessage::Error(error) => error.id = Some(id()),
        }),
    };
    done.is_some()
}

fn change<Message: DeserializeOwned + Serialize>(
    frame: &Frame,
    buffers: &mut Buffers,
    change: impl FnOnce(&mut Message),
) -> Option<()> {
    let mut message: Message = serde_json::from_slice(&frame.bytes).ok()?;
    change(&mut message);
    serde_json::to_writer(&mut buffers.out, &message).ok()
}

fn id() -> NumberOrString {
    NumberOrString::Number(NEW_ID as i64)
}

fn insert(meta: &mut MetaObject) {
    meta.insert(KEY.to_owned(), TRACEPARENT.into());
}

fn insert_raw(result: &mut Value) {
    result["_meta"][KEY] = TRACEPARENT.into();
}

fn meta_of_client(result: &mut ClientResult) {
    match result {
        ClientResult::ElicitResult(it) => insert(it.meta.get_or_insert_default()),
        ClientResult::CustomResult(it) => insert_raw(&mut it.0),
        _ => {}
    }
}

fn meta_of_server(result: &mut ServerResult) {
    let meta = match result {
        ServerResult::DiscoverResult(it) => &mut it.meta,
        ServerResult::InitializeResult(it) => &mut it.meta,
        ServerResult::CompleteResult(it) => &mut it.meta,
        ServerResult::GetPromptResult(it) => &mut it.meta,
        ServerResult::ListPromptsResult(it) => &mut it.meta,
        ServerResult::ListResourcesResult(it) => &mut it.meta,
        ServerResult::ListResourceTemplatesResult(it) => &mut it.meta,
        ServerResult::ReadResourceResult(it) => &mut it.meta,
        ServerResult::ListToolsResult(it) => &mut it.meta,
        ServerResult::CallToolResult(it) => &mut it.meta,
        ServerResult::ElicitResult(it) => &mut it.meta,
        ServerResult::InputRequiredResult(it) => &mut it.meta,
        ServerResult::GetTaskResult(it) => &mut it.meta,
        ServerResult::CreateTaskResult(it) => &mut it.meta,
        ServerResult::TaskAckResult(it) => &mut it.meta,
        ServerResult::CustomResult(it) => return insert_raw(&mut it.0),
        _ => return,
    };
    insert(meta.get_or_insert_default());
}
