//! Ways of sharing an upstream. Each numbers the requests that it forwards from 1.

use std::collections::HashMap;

use rpcslice::encode::{Destination, Framing, IdMap};
use rpcslice::{Id, IdBuf, Message};
use serde_json::Value;

pub type Client = u32;

pub trait Proxy {
    fn name(&self) -> &'static str;
    /// Writes the request as it goes upstream.
    fn forward(&mut self, client: Client, frame: &[u8], out: &mut Vec<u8>) -> Option<()>;
    /// Writes the response as it goes to a client; which.
    fn restore(&mut self, frame: &[u8], out: &mut Vec<u8>) -> Option<Client>;
    /// A floor remembers nothing, and restores nothing.
    fn is_floor(&self) -> bool {
        false
    }
}

/// A tree of each message, and a `HashMap` of who asked under which id. No bounds; the id as a string of its text.
#[derive(Default)]
pub struct Tree {
    asked: HashMap<u64, (Client, String)>,
    number: u64,
}

impl Proxy for Tree {
    fn name(&self) -> &'static str {
        "serde_json Value, HashMap<u64, (u32, String)>"
    }

    fn forward(&mut self, client: Client, frame: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let mut message: Value = serde_json::from_slice(frame).ok()?;
        self.number += 1;
        let id = std::mem::replace(message.get_mut("id")?, self.number.into());
        self.asked.insert(self.number, (client, id.to_string()));
        serde_json::to_writer(out, &message).ok()
    }

    fn restore(&mut self, frame: &[u8], out: &mut Vec<u8>) -> Option<Client> {
        let mut message: Value = serde_json::from_slice(frame).ok()?;
        let id = message.get_mut("id")?;
        let (client, original) = self.asked.remove(&id.as_u64()?)?;
        *id = serde_json::from_str(&original).ok()?;
        serde_json::to_writer(out, &message).ok()?;
        Some(client)
    }
}

/// Bounded, by client and in all; progress tokens, cancellations and subscriptions; each id of a client once.
#[derive(Default)]
pub struct Ours {
    map: IdMap<Client>,
}

impl Proxy for Ours {
    fn name(&self) -> &'static str {
        "rpcslice, IdMap"
    }

    fn forward(&mut self, client: Client, frame: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let message = Message::parse(frame).ok()?;
        let renames = self.map.client_message(&client, &message).ok()?;
        let edit = renames.apply(message.edit()).ok()?;
        edit.write(out, Framing::Body).ok()
    }

    fn restore(&mut self, frame: &[u8], out: &mut Vec<u8>) -> Option<Client> {
        let message = Message::parse(frame).ok()?;
        let (Destination::Client(client), renames) = self.map.upstream_message(&message).ok()?
        else {
            return None;
        };
        let edit = renames.apply(message.edit()).ok()?;
        edit.write(out, Framing::Body).ok()?;
        Some(client)
    }
}

/// Parsed and edited by rpcslice, remembered in a `HashMap`: the id alone, no bounds, no look for one that is in flight.
#[derive(Default)]
pub struct Bare {
    asked: HashMap<u64, (Client, IdBuf)>,
    number: u64,
}

impl Proxy for Bare {
    fn name(&self) -> &'static str {
        "rpcslice, HashMap<u64, (u32, IdBuf)>"
    }

    fn forward(&mut self, client: Client, frame: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let message = Message::parse(frame).ok()?;
        self.number += 1;
        let original = IdBuf::from(message.id()?);
        self.asked.insert(self.number, (client, original));
        renamed(&message, IdBuf::from(self.number).as_id(), out)
    }

    fn restore(&mut self, frame: &[u8], out: &mut Vec<u8>) -> Option<Client> {
        let message = Message::parse(frame).ok()?;
        let (client, original) = self.asked.remove(&message.id()?.as_u64()?)?;
        renamed(&message, original.as_id(), out)?;
        Some(client)
    }
}

/// Parsed and edited, and nothing remembered.
pub struct Stateless;

impl Proxy for Stateless {
    fn name(&self) -> &'static str {
        "floor: rpcslice, parsed and edited"
    }

    fn forward(&mut self, _: Client, frame: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let message = Message::parse(frame).ok()?;
        renamed(&message, IdBuf::from(1_000_017).as_id(), out)
    }

    fn restore(&mut self, frame: &[u8], out: &mut Vec<u8>) -> Option<Client> {
        self.forward(0, frame, out)?;
        Some(0)
    }

    fn is_floor(&self) -> bool {
        true
    }
}

/// What it costs to make up the two messages.
pub struct Frames;

impl Proxy for Frames {
    fn name(&self) -> &'static str {
        "floor: the two messages made up"
    }

    fn forward(&mut self, _: Client, _: &[u8], _: &mut Vec<u8>) -> Option<()> {
        Some(())
    }

    fn restore(&mut self, _: &[u8], _: &mut Vec<u8>) -> Option<Client> {
        Some(0)
    }

    fn is_floor(&self) -> bool {
        true
    }
}

fn renamed(message: &Message<'_>, id: Id<'_>, out: &mut Vec<u8>) -> Option<()> {
    message.edit().id(id).write(out, Framing::Body).ok()
}
