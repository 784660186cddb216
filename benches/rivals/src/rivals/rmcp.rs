//! The official SDK's message types, read as its transport reads a line.

use std::hint::black_box;

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ConstString, GetMeta, JsonObject,
    JsonRpcMessage, NumberOrString, ServerJsonRpcMessage, ServerNotification, ServerRequest,
};
use serde_json::Value;

use super::{Rival, Role, Scratch, VERSION_KEY};
use crate::digest::{Digest, mark, mark_number};
use crate::load::{Frame, Side};

pub const RIVAL: Rival = Rival {
    name: "rmcp message types",
    note: "from_utf8, then from_slice into the message type of the peer's role",
    run,
    role: Role::Reader,
};

fn run(frame: &Frame, _: &mut Scratch) -> Option<Digest> {
    std::str::from_utf8(&frame.bytes).ok()?;
    match frame.from {
        Side::Client => from_client(&frame.bytes),
        Side::Server => from_server(&frame.bytes),
    }
}

fn from_client(bytes: &[u8]) -> Option<Digest> {
    let message: ClientJsonRpcMessage = serde_json::from_slice(bytes).ok()?;
    let mut found = Digest::default();
    match &message {
        JsonRpcMessage::Request(request) => {
            found.id = id(&request.id);
            found.method = mark(request.request.method());
            found.version = version(&request.request.get_meta().0.0);
            match &request.request {
                ClientRequest::InitializeRequest(request) if found.version == 0 => {
                    found.version = mark(request.params.protocol_version.as_str());
                }
                ClientRequest::CallToolRequest(request) => found.name = mark(&request.params.name),
                ClientRequest::GetPromptRequest(request) => found.name = mark(&request.params.name),
                ClientRequest::ReadResourceRequest(request) => {
                    found.name = mark(&request.params.uri);
                }
                ClientRequest::SubscribeRequest(request) => found.name = mark(&request.params.uri),
                ClientRequest::UnsubscribeRequest(request) => {
                    found.name = mark(&request.params.uri);
                }
                ClientRequest::CustomRequest(request) => found.name = name(&request.params),
                _ => {}
            }
        }
        JsonRpcMessage::Notification(notification) => {
            found.version = version(&notification.notification.get_meta().0.0);
            found.method = mark(match &notification.notification {
                ClientNotification::CancelledNotification(it) => it.method.as_str(),
                ClientNotification::ProgressNotification(it) => it.method.as_str(),
                ClientNotification::InitializedNotification(it) => it.method.as_str(),
                ClientNotification::RootsListChangedNotification(it) => it.method.as_str(),
                ClientNotification::CustomNotification(it) => {
                    found.name = name(&it.params);
                    &it.method
                }
                _ => return None,
            });
        }
        JsonRpcMessage::Response(response) => found.id = id(&response.id),
        JsonRpcMessage::Error(error) => found.id = error.id.as_ref().map_or(0, id),
    }
    black_box(&message);
    Some(found)
}

fn from_server(bytes: &[u8]) -> Option<Digest> {
    let message: ServerJsonRpcMessage = serde_json::from_slice(bytes).ok()?;
    let mut found = Digest::default();
    match &message {
        JsonRpcMessage::Request(request) => {
            found.id = id(&request.id);
            found.version = version(&request.request.get_meta().0.0);
            found.method = mark(match &request.request {
                ServerRequest::PingRequest(it) => it.method.as_str(),
                ServerRequest::CreateMessageRequest(it) => it.method.as_str(),
                ServerRequest::ListRootsRequest(it) => it.method.as_str(),
                ServerRequest::ElicitRequest(it) => it.method.as_str(),
                ServerRequest::CustomRequest(it) => {
                    found.name = name(&it.params);
                    &it.method
                }
                _ => return None,
            });
        }
        JsonRpcMessage::Notification(notification) => {
            found.version = version(&notification.notification.get_meta().0.0);
            found.method = mark(match &notification.notification {
                ServerNotification::CancelledNotification(it) => it.method.as_str(),
                ServerNotification::ProgressNotification(it) => it.method.as_str(),
                ServerNotification::LoggingMessageNotification(it) => it.method.as_str(),
                ServerNotification::ResourceUpdatedNotification(it) => {
                    found.name = mark(&it.params.uri);
                    it.method.as_str()
                }
                ServerNotification::ResourceListChangedNotification(it) => it.method.as_str(),
                ServerNotification::ToolListChangedNotification(it) => it.method.as_str(),
                ServerNotification::PromptListChangedNotification(it) => it.method.as_str(),
                ServerNotification::SubscriptionsAcknowledgedNotification(it) => it.method.as_str(),
                ServerNotification::TaskStatusNotification(it) => it.method.as_str(),
                ServerNotification::CustomNotification(it) => {
                    found.name = name(&it.params);
                    &it.method
                }
                _ => return None,
            });
        }
        JsonRpcMessage::Response(response) => found.id = id(&response.id),
        JsonRpcMessage::Error(error) => found.id = error.id.as_ref().map_or(0, id),
    }
    black_box(&message);
    Some(found)
}

fn id(id: &NumberOrString) -> u64 {
    match id {
        NumberOrString::Number(number) => mark_number(*number),
        NumberOrString::String(text) => mark(text),
    }
}

fn version(meta: &JsonObject) -> u64 {
    meta.get(VERSION_KEY)
        .and_then(Value::as_str)
        .map_or(0, mark)
}

fn name(params: &Option<Value>) -> u64 {
    let member = |key| params.as_ref().and_then(|params| params.get(key));
    let name = member("name").or_else(|| member("uri"));
    name.and_then(Value::as_str).map_or(0, mark)
}
