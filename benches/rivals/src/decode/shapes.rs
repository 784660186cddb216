//! The types that values are decoded into.

use std::borrow::Cow;

use rmcp::model::{CallToolRequestParams, ListToolsResult};
use rpcslice::RawJson;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A type, whatever the lifetime of what it borrows.
pub trait Shape {
    type Of<'a>: Deserialize<'a> + Serialize;
}

macro_rules! shapes {
    ($($shape:ident: $type:ty;)*) => {$(
        pub struct $shape;
        impl Shape for $shape {
            type Of<'a> = $type;
        }
    )*};
}

shapes! {
    // Trees.
    Tree: Value;
    SimdTree: simd_json::OwnedValue;
    // The SDK's own types.
    RmcpCall: CallToolRequestParams;
    RmcpTools: ListToolsResult;
    // The same members, in structs as a user writes them.
    OwnCall: Call<String, Map<String, Value>>;
    OwnTools: Tools<String, Map<String, Value>>;
    // The same, borrowed, with all that is open left as it is.
    LentCall: Call<Text<'a>, RawJson<'a>>;
    LentTools: Tools<Text<'a>, RawJson<'a>>;
    // To the last member, borrowed where it can be.
    WeatherCall: Call<Text<'a>, Weather<'a>, IgnoredMeta>;
    WriteCall: Call<Text<'a>, Write<'a>, IgnoredMeta>;
    Blocks: Content<'a>;
    Numbers: Structured<'a>;
}

/// A string: borrowed, unless it has an escape and the decoder no place to put it.
#[derive(Deserialize, Serialize)]
pub struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// What is not read.
#[derive(Deserialize, Serialize)]
pub struct IgnoredMeta {}

#[derive(Deserialize, Serialize)]
pub struct Call<S, A, M = A> {
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<M>,
    name: S,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<A>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tools<S, O> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<S>,
    tools: Vec<Tool<S, O>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<S>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_scope: Option<S>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Tool<S, O> {
    name: S,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<S>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<S>,
    input_schema: O,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<O>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations<S>>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Annotations<S> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<S>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read_only_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    destructive_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotent_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_world_hint: Option<bool>,
}

#[derive(Deserialize, Serialize)]
pub struct Weather<'a> {
    #[serde(borrow)]
    location: Text<'a>,
    units: Text<'a>,
    days: u32,
}

#[derive(Deserialize, Serialize)]
pub struct Write<'a> {
    #[serde(borrow)]
    path: Text<'a>,
    content: Text<'a>,
}

#[derive(Deserialize, Serialize)]
pub struct Content<'a> {
    #[serde(borrow)]
    content: Vec<Block<'a>>,
}

#[derive(Deserialize, Serialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    text: Option<Text<'a>>,
    data: Option<Text<'a>>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Structured<'a> {
    #[serde(borrow)]
    structured_content: Table<'a>,
}

#[derive(Deserialize, Serialize)]
struct Table<'a> {
    #[serde(borrow)]
    columns: Vec<Text<'a>>,
    rows: Vec<(f64, f64, u32, f64)>,
}
