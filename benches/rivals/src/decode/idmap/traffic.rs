//! Who asks, and what is answered: any client asks, under ids that it counts up from 1; any request in flight is
//! answered. So as many stay in flight as there were.

use std::io::Write;

use serde_json::Value;

use super::proxies::{Client, Proxy};

const CLIENTS: u64 = 1_000;
const IN_FLIGHT: usize = 10_000;

/// A call as in the corpus, and a short result, before and behind the id.
const CALL: [&str; 2] = [
    r#"{"jsonrpc":"2.0","id":"#,
    r#","method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"ExampleClient","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"get_weather","arguments":{"location":"New York","units":"metric","days":3}}}"#,
];
const RESULT: [&str; 2] = [
    r#"{"jsonrpc":"2.0","id":"#,
    r#","result":{"resultType":"complete","content":[{"type":"text","text":"New York: 21 degrees, light rain from the west"}],"isError":false}}"#,
];

/// A request in flight.
#[derive(Clone, Copy)]
struct Asked {
    client: Client,
    id: u64,
    /// The id upstream. All proxies count up from 1.
    number: u64,
}

pub struct Traffic {
    in_flight: Vec<Asked>,
    /// The id that each client used last.
    ids: Vec<u64>,
    number: u64,
    random: u64,
    frame: Vec<u8>,
    pub out: Vec<u8>,
}

impl Traffic {
    /// With all of them in flight.
    pub fn new(proxy: &mut dyn Proxy) -> Self {
        let mut traffic = Self {
            in_flight: Vec::new(),
            ids: vec![0; CLIENTS as usize],
            number: 0,
            random: 0x9e37_79b9_7f4a_7c15,
            frame: Vec::new(),
            out: Vec::new(),
        };
        for _ in 0..IN_FLIGHT {
            if let Some(asked) = traffic.ask(proxy) {
                traffic.in_flight.push(asked);
            }
        }
        traffic
    }

    /// One request there and one response back; whose it was, and to whom it went.
    pub fn trip(&mut self, proxy: &mut dyn Proxy) -> Option<(Client, u64, Client)> {
        let asked = self.ask(proxy)?;
        let place = self.draw(self.in_flight.len() as u64) as usize;
        let answered = std::mem::replace(&mut self.in_flight[place], asked);
        write(&mut self.frame, RESULT, answered.number);
        self.out.clear();
        let to = proxy.restore(&self.frame, &mut self.out)?;
        Some((answered.client, answered.id, to))
    }

    /// The same; whether it went to who had asked, under the right id and otherwise unchanged.
    pub fn trip_and_look(&mut self, proxy: &mut dyn Proxy) -> bool {
        let Some((client, id, to)) = self.trip(proxy) else {
            return false;
        };
        let tree = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap_or_default();
        let mut expected = tree(&self.frame);
        expected["id"] = id.into();
        client == to && tree(&self.out) == expected
    }

    fn ask(&mut self, proxy: &mut dyn Proxy) -> Option<Asked> {
        let client = self.draw(CLIENTS);
        let id = &mut self.ids[client as usize];
        *id += 1;
        self.number += 1;
        let asked = Asked {
            client: client as Client,
            id: *id,
            number: self.number,
        };
        write(&mut self.frame, CALL, asked.id);
        self.out.clear();
        proxy.forward(asked.client, &self.frame, &mut self.out)?;
        Some(asked)
    }

    /// Xorshift: below `bound`.
    fn draw(&mut self, bound: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % bound
    }
}

fn write(frame: &mut Vec<u8>, [before, behind]: [&str; 2], id: u64) {
    frame.clear();
    frame.extend_from_slice(before.as_bytes());
    // A vector takes all that is written to it.
    let _ = write!(frame, "{id}");
    frame.extend_from_slice(behind.as_bytes());
}
