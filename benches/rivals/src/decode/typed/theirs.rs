//! Whole messages by `serde_json`, from the bytes.

use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, GetMeta, JsonRpcMessage, ServerJsonRpcMessage,
    ServerResult,
};
use rpcslice::decode::SimdScratch;
use serde::{Deserialize, Serialize};
use serde_json::{Value, to_value};

use super::told;
use crate::decode::shapes::Shape;
use crate::decode::way::{Job, Look, Way};

pub const CLIENT: Way = Way {
    name: "rmcp, whole message",
    note: "from_slice into ClientJsonRpcMessage; it finds out what kind of message it is",
    run: client,
    is_floor: false,
};

pub const SERVER: Way = Way {
    name: "rmcp, whole message",
    note: "from_slice into ServerJsonRpcMessage; it finds out what kind of result it is",
    run: server,
    is_floor: false,
};

pub const VALUE: Way = Way {
    name: "serde_json, Value",
    note: "from_slice into a tree of the whole message; the method looked at",
    run: value,
    is_floor: false,
};

pub const fn typed<S: Shape>(name: &'static str) -> Way {
    Way {
        name,
        note: "from_slice into a struct of the whole message whose method is known beforehand; the id an untagged enum",
        run: whole::<S>,
        is_floor: false,
    }
}

fn client(job: &Job<'_>, _: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let message: ClientJsonRpcMessage = serde_json::from_slice(job.frame).ok()?;
    look.at(&message, |message| {
        let JsonRpcMessage::Request(request) = message else {
            return Value::Null;
        };
        let ClientRequest::CallToolRequest(call) = &request.request else {
            return Value::Null;
        };
        let mut params = to_value(&call.params).unwrap_or_default();
        // `_meta` is kept apart from the params.
        let meta = &request.request.get_meta().0.0;
        if params.get("_meta").is_none() && !meta.is_empty() {
            params["_meta"] = Value::Object(meta.clone());
        }
        told(to_value(&request.id).unwrap_or_default(), params)
    });
    Some(())
}

fn server(job: &Job<'_>, _: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let message: ServerJsonRpcMessage = serde_json::from_slice(job.frame).ok()?;
    look.at(&message, |message| {
        let JsonRpcMessage::Response(response) = message else {
            return Value::Null;
        };
        let ServerResult::ListToolsResult(tools) = &response.result else {
            return Value::Null;
        };
        let id = to_value(&response.id).unwrap_or_default();
        told(id, to_value(tools).unwrap_or_default())
    });
    Some(())
}

fn value(job: &Job<'_>, _: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let message: Value = serde_json::from_slice(job.frame).ok()?;
    let section = match message.get("method").and_then(Value::as_str) {
        Some(method) if method != "tools/call" => return None,
        Some(_) => message.get("params")?,
        None => message.get("result")?,
    };
    look.at(&section, |section| {
        told(message["id"].clone(), Value::clone(section))
    });
    Some(())
}

#[derive(Deserialize)]
struct Whole<'a, T> {
    jsonrpc: &'a str,
    id: AnyId,
    method: Option<&'a str>,
    params: Option<T>,
    result: Option<T>,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum AnyId {
    Number(i64),
    Text(String),
}

fn whole<S: Shape>(job: &Job<'_>, _: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let message: Whole<'_, S::Of<'_>> = serde_json::from_slice(job.frame).ok()?;
    if message.jsonrpc != "2.0" || message.method.is_some_and(|it| it != "tools/call") {
        return None;
    }
    look.at(&message, |message| {
        let section = message.params.as_ref().or(message.result.as_ref());
        let id = to_value(&message.id).unwrap_or_default();
        told(id, to_value(section).unwrap_or_default())
    });
    Some(())
}
