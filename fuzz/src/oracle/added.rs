//! What is put into params and results that are to be sent: what 2026-07-28 demands and a profile says, where the caller
//! has not said it (`PROTOCOL.md` (b), (c); the documentation of `Writer`).

use super::tree::{self, Member};
use std::ops::Range;

/// A name, and the JSON text of its value.
pub type Named = (&'static str, String);

#[derive(Clone, Debug, Default)]
pub struct Added {
    /// Beside the caller's members.
    pub members: Vec<Named>,
    /// In `_meta`, which is put in, too, if there is none.
    pub meta: Vec<Named>,
}

/// What a client says of itself.
#[derive(Clone, Debug)]
pub struct Client {
    pub version: &'static str,
    pub capabilities: String,
    pub info: Option<String>,
}

/// What a server says of itself.
#[derive(Clone, Debug)]
pub struct Server {
    pub info: Option<String>,
    pub ttl_ms: u64,
    pub scope: &'static str,
}

const CACHEABLE: [&str; 6] = [
    "server/discover",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "tools/list",
];

impl Added {
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.meta.is_empty()
    }

    /// To the params of a request.
    pub fn to_params(params: Option<&str>, client: &Client) -> Self {
        let info = client.info.clone();
        Self {
            members: Vec::new(),
            meta: vec![
                (
                    "io.modelcontextprotocol/protocolVersion",
                    quoted(client.version),
                ),
                (
                    "io.modelcontextprotocol/clientCapabilities",
                    client.capabilities.clone(),
                ),
            ]
            .into_iter()
            .chain(info.map(|info| ("io.modelcontextprotocol/clientInfo", info)))
            .collect(),
        }
        .absent_from(params)
    }

    /// To a result that answers a request of this id, and of this method if it is known.
    pub fn to_result(result: &str, server: &Server, id: &str, method: Option<&str>) -> Self {
        let kind = tree::root(result).and_then(|at| {
            let members = tree::members(result, &at)?;
            Some(result[find(&members, "resultType")?.value.clone()].to_owned())
        });
        // What is no text is refused, whatever is added to it.
        let is_complete = kind.is_none_or(|kind| {
            !kind.starts_with('"') || tree::text(&kind).is_ok_and(|kind| kind == "complete")
        });
        let mut added = Self::default();
        added.members.push(("resultType", quoted("complete")));
        if is_complete && method.is_some_and(|method| CACHEABLE.contains(&method)) {
            added.members.push(("ttlMs", server.ttl_ms.to_string()));
            added.members.push(("cacheScope", quoted(server.scope)));
        }
        if let Some(info) = &server.info {
            added
                .meta
                .push(("io.modelcontextprotocol/serverInfo", info.clone()));
        }
        if is_complete && method == Some("subscriptions/listen") {
            added
                .meta
                .push(("io.modelcontextprotocol/subscriptionId", id.to_owned()));
        }
        added.absent_from(Some(result))
    }

    fn absent_from(mut self, section: Option<&str>) -> Self {
        let Some((text, at)) = section.and_then(|text| Some((text, tree::root(text)?))) else {
            return self;
        };
        let Some(members) = tree::members(text, &at) else {
            return Self::default();
        };
        self.members
            .retain(|(name, _)| find(&members, name).is_none());
        if let Some(meta) = find(&members, "_meta") {
            match tree::members(text, &meta.value) {
                Some(members) => self.meta.retain(|(name, _)| find(&members, name).is_none()),
                // There is no place; and it is refused.
                None => self.meta.clear(),
            }
        }
        self
    }

    /// The section by hand: what is added stands in front.
    pub fn put(&self, section: Option<&str>) -> Option<String> {
        if self.is_empty() {
            return section.map(str::to_owned);
        }
        let text = section.unwrap_or("{}");
        let at = tree::root(text)?;
        let members = tree::members(text, &at)?;
        let mut whole = text.to_owned();
        let mut front: Vec<String> = self.members.iter().map(joined).collect();
        let meta: Vec<String> = self.meta.iter().map(joined).collect();
        match find(&members, "_meta") {
            _ if meta.is_empty() => {}
            Some(there) => put_first(&mut whole, &there.value, &meta),
            None => front.push(format!("\"_meta\":{{{}}}", meta.join(","))),
        }
        if !front.is_empty() {
            put_first(&mut whole, &at, &front);
        }
        Some(whole)
    }
}

fn put_first(text: &mut String, object: &Range<usize>, members: &[String]) {
    let is_empty = text[object.start + 1..].trim_start().starts_with('}');
    let comma = if is_empty { "" } else { "," };
    text.insert_str(object.start + 1, &format!("{}{comma}", members.join(",")));
}

fn joined((name, value): &Named) -> String {
    format!("\"{name}\":{value}")
}

/// The member of that name: the first.
pub fn find<'m>(members: &'m [Member], name: &str) -> Option<&'m Member> {
    let mut members = members.iter();
    members.find(|member| name.encode_utf16().eq(member.name.iter().copied()))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_not_added() {
        let server = Server {
            info: Some("{}".to_owned()),
            ttl_ms: 3,
            scope: "public",
        };
        let put = |result: &str, method: &str| {
            Added::to_result(result, &server, "7", Some(method))
                .put(Some(result))
                .unwrap()
        };
        assert_eq!(
            put(r#"{"ttlMs":1}"#, "tools/list"),
            concat!(
                r#"{"resultType":"complete","cacheScope":"public","_meta":{"#,
                r#""io.modelcontextprotocol/serverInfo":{}},"ttlMs":1}"#
            )
        );
        assert_eq!(
            put(r#"{"resultType":"task","_meta":{ "k":1}}"#, "tools/list"),
            r#"{"resultType":"task","_meta":{"io.modelcontextprotocol/serverInfo":{}, "k":1}}"#
        );
        let listens = put(
            r#"{"_meta":{"io.modelcontextprotocol/serverInfo":1}}"#,
            "subscriptions/listen",
        );
        assert!(listens.contains(r#""_meta":{"io.modelcontextprotocol/subscriptionId":7,"#));
    }
}
