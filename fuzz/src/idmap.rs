//! Any sequence of what clients and an upstream can do, on an `IdMap` and on plain lists of what is in flight.

use crate::mutator;
use crate::rng::Rng;
use rpcslice::encode::{Abandoned, Destination, Framing, IdMap, IdMapError, IdMapLimits, Renames};
use rpcslice::{Id, IdBuf, Message};

/// Ids and tokens as clients and the upstream spell them: the text, and which are the same.
const IDS: [(&str, u8); 8] = [
    ("1", 0),
    ("\"1\"", 1),
    ("\"a\"", 2),
    ("\"\\u0061\"", 2),
    ("0", 3),
    ("-0", 3),
    ("123456789012345678901", 4),
    ("2", 5),
];
const CLIENTS: u8 = 3;
const REQUESTS: usize = 6;
const REQUESTS_PER_CLIENT: usize = 3;
const BYTES: usize = 90;
const BYTES_PER_CLIENT: usize = 50;
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// A request in flight, of a client or of the upstream.
#[derive(Clone)]
struct InFlight {
    client: u8,
    id: usize,
    token: Option<usize>,
    is_listen: bool,
    number: u64,
}

impl InFlight {
    fn bytes(&self) -> usize {
        IDS[self.id].0.len() + self.token.map_or(0, |token| IDS[token].0.len())
    }

    fn has_id(&self, id: usize) -> bool {
        IDS[self.id].1 == IDS[id].1
    }
}

#[derive(Default)]
struct Model {
    asked: Vec<InFlight>,
    asking: Vec<InFlight>,
    /// How many numbers have been given, in each direction.
    asked_so_far: u64,
    asking_so_far: u64,
}

/// What an operation gives: who gets the message, and its text.
type Outcome = Result<(Option<u8>, String), IdMapError>;

/// The target.
pub fn run(data: &[u8]) {
    let limits = IdMapLimits::new()
        .with_total(REQUESTS, BYTES)
        .with_client(REQUESTS_PER_CLIENT, BYTES_PER_CLIENT);
    let mut map = IdMap::with_limits(limits);
    let mut model = Model::default();
    let (mut passed, mut signature) = (0, 0u64);
    for step in data.chunks_exact(3).take(400) {
        let &[what, who, which] = step else { continue };
        let is_passed = model.step(&mut map, what, who, which);
        passed += usize::from(is_passed);
        signature = signature.rotate_left(5) ^ u64::from(what % 12) << 1 ^ u64::from(is_passed);
        assert_eq!(map.in_flight(), model.asked.len() + model.asking.len());
    }
    crate::count::execution(passed > 2, signature % 4096);
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut steps: Vec<[u8; 3]> = data
        .chunks_exact(3)
        .map(|step| [step[0], step[1], step[2]])
        .collect();
    for _ in 0..1 + rng.below(4) {
        let new = rng.word().to_le_bytes();
        let new = [new[0], new[1], new[2]];
        let at = rng.below(steps.len() + 1);
        match rng.below(4) {
            0 | 1 => steps.insert(at, new),
            2 if at < steps.len() => drop(steps.remove(at)),
            _ if at < steps.len() => {
                let byte = rng.below(3);
                steps[at][byte] = new[byte];
            }
            _ => steps.push(new),
        }
    }
    steps.concat()
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    mutator::in_place(data, size, max, seed, mutate)
}

impl Model {
    /// One operation on both. Whether the message went on.
    fn step(&mut self, map: &mut IdMap<u8>, what: u8, who: u8, which: u8) -> bool {
        let client = who % CLIENTS;
        let id = usize::from(who / CLIENTS) % IDS.len();
        let token = (which & 1 == 1).then_some(usize::from(which >> 1) % IDS.len());
        let is_listen = which & 0x40 != 0;
        // A number that was given, or nearly; now and then in a form in which none was.
        let number = |so_far: u64| {
            let number = u64::from(which & 0x3F) % (so_far + 2);
            match which >> 6 {
                3 => format!("\"{number}\""),
                2 if which & 0x20 != 0 => format!("-{number}"),
                _ => number.to_string(),
            }
        };
        let theirs = number(self.asked_so_far);
        let ours = number(self.asking_so_far);
        let (got, expected) = match what % 12 {
            0 | 1 => {
                let frame = request(IDS[id].0, token.map(|token| IDS[token].0), is_listen);
                let expected = self.ask(client, id, token, is_listen);
                let expected = expected.map(|number| {
                    let number = number.to_string();
                    let token = token.map(|_| &*number);
                    (None, request(&number, token, is_listen))
                });
                (from_client(map, client, &frame), expected)
            }
            2 => {
                let found = self
                    .asked
                    .iter()
                    .position(|asked| asked.client == client && asked.has_id(id));
                let expected = found.map(|at| self.asked.remove(at).number.to_string());
                let expected = expected.ok_or(IdMapError::Nobody);
                let expected = expected.map(|number| (None, cancelled(&number)));
                (from_client(map, client, &cancelled(IDS[id].0)), expected)
            }
            3 => {
                let asking = self
                    .asking
                    .iter()
                    .find(|asking| asking.client == client && is(&ours, asking));
                let token = asking
                    .and_then(|asking| asking.token)
                    .ok_or(IdMapError::Nobody);
                let expected = token.map(|token| (None, progress(IDS[token].0)));
                (from_client(map, client, &progress(&ours)), expected)
            }
            4 => {
                let found = self
                    .asking
                    .iter()
                    .position(|asking| asking.client == client && is(&ours, asking));
                let expected = found
                    .map(|at| IDS[self.asking.remove(at).id].0)
                    .ok_or(IdMapError::Nobody);
                let expected = expected.map(|id| (None, response(id, None)));
                (from_client(map, client, &response(&ours, None)), expected)
            }
            5 => {
                let found = self.asked.iter().position(|asked| is(&theirs, asked));
                // Its own subscription, another's, or none.
                let named = [
                    None,
                    Some(theirs.clone()),
                    Some("1".to_owned()),
                    Some("null".to_owned()),
                ];
                let named = &named[usize::from(who) % 4];
                let expected = found.ok_or(IdMapError::Nobody).map(|at| {
                    let asked = self.asked[at].clone();
                    let own = |named: &String| {
                        let of = self
                            .asked
                            .iter()
                            .find(|other| is(named, other) && other.client == asked.client);
                        of.map(|of| IDS[of.id].0)
                    };
                    let text = match named {
                        None => response(IDS[asked.id].0, None),
                        Some(named) => response(IDS[asked.id].0, Some(own(named))),
                    };
                    self.asked.remove(at);
                    (Some(asked.client), text)
                });
                let frame = response(&theirs, named.as_ref().map(|named| Some(&**named)));
                (from_upstream(map, &frame), expected)
            }
            6 => {
                let asked = self.asked.iter().find(|asked| is(&theirs, asked));
                let token = asked.and_then(|asked| Some((asked.client, asked.token?)));
                let expected = token.map(|(client, token)| (Some(client), progress(IDS[token].0)));
                (
                    from_upstream(map, &progress(&theirs)),
                    expected.ok_or(IdMapError::Nobody),
                )
            }
            7 => {
                // By its own id, or by the number of a subscription.
                let named = if who & 0x80 == 0 { IDS[id].0 } else { &theirs };
                let id = Id::from_raw(named).expect("an id");
                let own = |asking: &InFlight| Id::from_raw(IDS[asking.id].0) == Some(id);
                let expected = match self.asking.iter().position(own) {
                    Some(at) => {
                        let asking = self.asking.remove(at);
                        Ok((Some(asking.client), cancelled(&asking.number.to_string())))
                    }
                    None => {
                        let listen = |asked: &InFlight| asked.is_listen && is(named, asked);
                        let found = self.asked.iter().position(listen);
                        found.ok_or(IdMapError::Nobody).map(|at| {
                            let asked = self.asked.remove(at);
                            (Some(asked.client), cancelled(IDS[asked.id].0))
                        })
                    }
                };
                (from_upstream(map, &cancelled(named)), expected)
            }
            8 => {
                let asked = self.asked.iter().find(|asked| is(&theirs, asked));
                let expected = asked.map(|asked| (Some(asked.client), told(Some(IDS[asked.id].0))));
                (
                    from_upstream(map, &told(Some(&theirs))),
                    expected.ok_or(IdMapError::Nobody),
                )
            }
            9 => {
                let frame = request(IDS[id].0, token.map(|token| IDS[token].0), false);
                let chosen = parsed(&frame, |message| {
                    map.upstream_message(message).map(|(to, _)| to)
                });
                assert_eq!(chosen, Ok(Destination::Choose));
                let got = parsed(&frame, |message| {
                    let renames = map.upstream_request(&client, message)?;
                    Ok((None, edited(message, &renames)))
                });
                let expected = self.ask_client(client, id, token);
                let expected = expected.map(|number| {
                    let number = number.to_string();
                    let token = token.map(|_| &*number);
                    (None, request(&number, token, false))
                });
                (got, expected)
            }
            10 if which < 16 => {
                self.leave(map, client);
                return true;
            }
            11 if which < 4 => {
                map.clear();
                self.asked.clear();
                self.asking.clear();
                return true;
            }
            _ => {
                // What names no request passes as it is; a subscription of nobody's is not named upstream.
                let found = self
                    .asked
                    .iter()
                    .find(|asked| asked.client == client && asked.has_id(id));
                let number = found.map(|asked| asked.number.to_string());
                assert_eq!(
                    from_client(map, client, &told(Some(IDS[id].0))),
                    Ok((None, told(number.as_deref())))
                );
                let unnamed = r#"{"jsonrpc":"2.0","method":"notifications/message"}"#.to_owned();
                (from_upstream(map, &unnamed), Ok((None, unnamed)))
            }
        };
        assert_eq!(got, expected);
        got.is_ok()
    }

    fn ask(
        &mut self,
        client: u8,
        id: usize,
        token: Option<usize>,
        is_listen: bool,
    ) -> Result<u64, IdMapError> {
        let own = self.asked.iter().filter(|asked| asked.client == client);
        let number = self.asked_so_far + 1;
        let new = InFlight {
            client,
            id,
            token,
            is_listen,
            number,
        };
        if own.clone().any(|asked| asked.has_id(id)) {
            return Err(IdMapError::InFlight);
        }
        let bytes: usize = own.clone().map(InFlight::bytes).sum();
        if own.count() == REQUESTS_PER_CLIENT || bytes + new.bytes() > BYTES_PER_CLIENT {
            return Err(IdMapError::ClientFull);
        }
        let bytes: usize = self.asked.iter().map(InFlight::bytes).sum();
        if self.asked.len() == REQUESTS || bytes + new.bytes() > BYTES {
            return Err(IdMapError::Full);
        }
        self.asked_so_far = number;
        self.asked.push(new);
        Ok(number)
    }

    fn ask_client(
        &mut self,
        client: u8,
        id: usize,
        token: Option<usize>,
    ) -> Result<u64, IdMapError> {
        let number = self.asking_so_far + 1;
        let new = InFlight {
            client,
            id,
            token,
            is_listen: false,
            number,
        };
        if self.asking.iter().any(|asking| asking.has_id(id)) {
            return Err(IdMapError::InFlight);
        }
        let own = self.asking.iter().filter(|asking| asking.client == client);
        let bytes: usize = own.clone().map(InFlight::bytes).sum();
        if own.count() == REQUESTS_PER_CLIENT || bytes + new.bytes() > BYTES_PER_CLIENT {
            return Err(IdMapError::ClientFull);
        }
        let bytes: usize = self.asking.iter().map(InFlight::bytes).sum();
        if self.asking.len() == REQUESTS || bytes + new.bytes() > BYTES {
            return Err(IdMapError::Full);
        }
        self.asking_so_far = number;
        self.asking.push(new);
        Ok(number)
    }

    fn leave(&mut self, map: &mut IdMap<u8>, client: u8) {
        let is_its = |one: &InFlight| one.client == client;
        let mut left = map.remove_client(&client);
        let mut expected = Abandoned::default();
        let its = |list: &[InFlight]| -> Vec<InFlight> {
            list.iter().filter(|one| is_its(one)).cloned().collect()
        };
        expected.asked = its(&self.asked)
            .iter()
            .map(|one| IdBuf::from(one.number))
            .collect();
        let id = |one: &InFlight| IdBuf::from(Id::from_raw(IDS[one.id].0).expect("an id"));
        expected.asking = its(&self.asking).iter().map(id).collect();
        for list in [
            &mut left.asked,
            &mut left.asking,
            &mut expected.asked,
            &mut expected.asking,
        ] {
            list.sort();
        }
        assert_eq!(left, expected);
        self.asked.retain(|one| !is_its(one));
        self.asking.retain(|one| !is_its(one));
    }
}

/// Whether this is the number of the request, as it was given.
fn is(text: &str, one: &InFlight) -> bool {
    text == one.number.to_string()
}

fn request(id: &str, token: Option<&str>, is_listen: bool) -> String {
    let method = if is_listen {
        "subscriptions/listen"
    } else {
        "m"
    };
    let params = token.map_or_else(String::new, |token| {
        format!(r#","params":{{"a":[1], "_meta" : {{"progressToken" :{token}, "k":[ ]}}}}"#)
    });
    format!(r#"{{"id": {id} ,"jsonrpc":"2.0","method":"{method}"{params}}}"#)
}

/// `subscription` is one that is named, or one that was taken out.
fn response(id: &str, subscription: Option<Option<&str>>) -> String {
    let meta = match subscription {
        None => String::new(),
        Some(None) => r#","_meta":{"k":[ ]}"#.to_owned(),
        Some(Some(named)) => format!(r#","_meta":{{"k":[ ],"{SUBSCRIPTION}":{named}}}"#),
    };
    format!(r#"{{"jsonrpc":"2.0","result":{{"id":0{meta}}},"id":{id}}}"#)
}

fn cancelled(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"reason":"1","requestId":{id}}}}}"#
    )
}

fn progress(token: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progress":1, "progressToken":{token}}}}}"#
    )
}

fn told(subscription: Option<&str>) -> String {
    let named =
        subscription.map_or_else(String::new, |named| format!(r#","{SUBSCRIPTION}":{named}"#));
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{"_meta":{{"k":1{named}}}}}}}"#
    )
}

fn parsed<T>(frame: &str, act: impl FnOnce(&Message<'_>) -> T) -> T {
    act(&Message::parse(frame.as_bytes()).expect("a message of the model's"))
}

fn from_client(map: &mut IdMap<u8>, client: u8, frame: &str) -> Outcome {
    parsed(frame, |message| {
        let renames = map.client_message(&client, message)?;
        Ok((None, edited(message, &renames)))
    })
}

fn from_upstream(map: &mut IdMap<u8>, frame: &str) -> Outcome {
    parsed(frame, |message| {
        let (to, renames) = map.upstream_message(message)?;
        let to = match to {
            Destination::Client(client) => Some(client),
            _ => None,
        };
        Ok((to, edited(message, &renames)))
    })
}

fn edited(message: &Message<'_>, renames: &Renames) -> String {
    let mut out = Vec::new();
    let edit = renames.apply(message.edit()).expect("ids fit");
    edit.write(&mut out, Framing::Body)
        .expect("ids have places");
    String::from_utf8(out).expect("text")
}
