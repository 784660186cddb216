//! serde_json with types and with trees, and the official SDK's message types.

use rmcp::model::{
    CallToolResult, ContentBlock, EmptyResult, JsonRpcMessage, NumberOrString,
    ProgressNotification, ProgressNotificationParam, ProgressToken, ServerJsonRpcMessage,
    ServerNotification, ServerResult,
};
use serde::Serialize;

use super::{Case, ID, NOTE, PROGRESS, TOKEN, TOTAL, What};
use crate::encode::way::{Buffers, Way};

pub const VALUE: Way<Case> = Way {
    name: "serde_json Value",
    note: "json!, to_writer, a line feed",
    run: |case, buffers| {
        let message = super::expected(&case.what);
        line(&message, buffers)
    },
    is_floor: false,
};

pub const TYPED: Way<Case> = Way {
    name: "serde_json typed",
    note: "a struct for the whole message that borrows all texts, to_writer, a line feed; checks nothing",
    run: typed,
    is_floor: false,
};

pub const RMCP: Way<Case> = Way {
    name: "rmcp message types",
    note: "ServerJsonRpcMessage built, which owns its texts, to_writer, a line feed",
    run: rmcp,
    is_floor: false,
};

fn line(message: &impl Serialize, buffers: &mut Buffers) -> bool {
    let is_written = serde_json::to_writer(&mut buffers.out, message).is_ok();
    buffers.out.push(b'\n');
    is_written
}

#[derive(Serialize)]
struct Response<T> {
    jsonrpc: &'static str,
    id: u64,
    result: T,
}

#[derive(Serialize)]
struct Notification<T> {
    jsonrpc: &'static str,
    method: &'static str,
    params: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallResult<'a> {
    content: [Block<'a>; 1],
    is_error: bool,
}

#[derive(Serialize)]
struct Block<'a> {
    r#type: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
pub struct Empty {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    progress_token: &'static str,
    progress: u32,
    total: u32,
    message: &'static str,
}

impl<'a> CallResult<'a> {
    pub fn of(text: &'a str) -> Self {
        Self {
            content: [Block {
                r#type: "text",
                text,
            }],
            is_error: false,
        }
    }
}

impl Progress {
    pub const NEW: Self = Self {
        progress_token: TOKEN,
        progress: PROGRESS,
        total: TOTAL,
        message: NOTE,
    };
}

fn typed(case: &Case, buffers: &mut Buffers) -> bool {
    const JSONRPC: &str = "2.0";
    match &case.what {
        What::Text(text) => {
            let result = CallResult::of(text);
            let message = Response {
                jsonrpc: JSONRPC,
                id: ID,
                result,
            };
            line(&message, buffers)
        }
        What::Empty => {
            let message = Response {
                jsonrpc: JSONRPC,
                id: ID,
                result: Empty {},
            };
            line(&message, buffers)
        }
        What::Progress => {
            let message = Notification {
                jsonrpc: JSONRPC,
                method: "notifications/progress",
                params: Progress::NEW,
            };
            line(&message, buffers)
        }
    }
}

fn rmcp(case: &Case, buffers: &mut Buffers) -> bool {
    let id = NumberOrString::Number(ID as i64);
    let message: ServerJsonRpcMessage = match &case.what {
        What::Text(text) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            // As the SDK does for a peer before 2026-07-28.
            result.result_type = None;
            JsonRpcMessage::response(ServerResult::CallToolResult(result), id)
        }
        What::Empty => JsonRpcMessage::response(ServerResult::EmptyResult(EmptyResult {}), id),
        What::Progress => {
            let token = ProgressToken(NumberOrString::String(TOKEN.into()));
            let params = ProgressNotificationParam::new(token, PROGRESS.into())
                .with_total(TOTAL.into())
                .with_message(NOTE);
            let notification = ProgressNotification::new(params);
            JsonRpcMessage::notification(ServerNotification::ProgressNotification(notification))
        }
    };
    line(&message, buffers)
}
