//! A thousand clients with equal ids against a plain list of what is in flight.

use rpcslice::Message;
use rpcslice::encode::{Destination, Framing, IdMap, IdMapError};

/// A small generator of our own, so that a run can be repeated.
struct Rng(u64);

impl Rng {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % most
    }
}

/// A request as the model knows it.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    client: usize,
    id: String,
    token: Option<String>,
    /// What the upstream knows it by.
    number: String,
}

const CLIENTS: usize = 1000;
const IDS: [&str; 5] = ["1", "2", "\"1\"", "\"\\u0061\"", "123456789012345678901"];

#[test]
fn a_thousand_clients_with_equal_ids() {
    let mut rng = Rng(42);
    let mut map = IdMap::new();
    let mut model: Vec<Asked> = Vec::new();
    let (mut answered, mut cancelled, mut refused) = (0, 0, 0);
    for step in 0..60_000 {
        let client = rng.below(CLIENTS);
        let id = IDS[rng.below(IDS.len())];
        let found = model
            .iter()
            .position(|asked| asked.client == client && asked.id == id);
        match rng.below(8) {
            0..4 => {
                let token = (rng.below(2) == 0).then(|| format!("\"t{}\"", rng.below(3)));
                let meta = token.as_ref().map_or_else(String::new, |token| {
                    format!(r#","params":{{"_meta":{{"progressToken":{token}}}}}"#)
                });
                let frame = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"{meta}}}"#);
                let request = Message::parse(frame.as_bytes()).unwrap();
                match (map.client_message(&client, &request), found) {
                    (Err(IdMapError::InFlight), Some(_)) => refused += 1,
                    (Ok(renames), None) => {
                        let number = renames.id().unwrap().raw().to_owned();
                        assert!(model.iter().all(|asked| asked.number != number));
                        let mut out = Vec::new();
                        let edit = renames.apply(request.edit()).unwrap();
                        edit.write(&mut out, Framing::Body).unwrap();
                        let sent = Message::parse(&out).unwrap();
                        assert_eq!(sent.id().unwrap().raw(), number);
                        let sent_token = sent.meta().and_then(|meta| meta.progress_token());
                        assert_eq!(
                            sent_token.map(|token| token.raw()),
                            token.as_ref().map(|_| &*number)
                        );
                        model.push(Asked {
                            client,
                            id: id.to_owned(),
                            token,
                            number,
                        });
                    }
                    (got, found) => panic!("step {step}: {got:?}, in flight {found:?}"),
                }
            }
            4 | 5 if !model.is_empty() => {
                // The upstream answers in any order.
                let asked = model.swap_remove(rng.below(model.len()));
                let frame = format!(
                    r#"{{"result":{{"n":{step}}},"id" : {},"jsonrpc":"2.0"}}"#,
                    asked.number
                );
                let response = Message::parse(frame.as_bytes()).unwrap();
                let (to, renames) = map.upstream_message(&response).unwrap();
                assert_eq!(to, Destination::Client(asked.client));
                let mut out = Vec::new();
                let edit = renames.apply(response.edit()).unwrap();
                edit.write(&mut out, Framing::Body).unwrap();
                let expected = format!(
                    r#"{{"result":{{"n":{step}}},"id" : {},"jsonrpc":"2.0"}}"#,
                    asked.id
                );
                assert_eq!(String::from_utf8(out).unwrap(), expected);
                assert_eq!(map.upstream_message(&response), Err(IdMapError::Nobody));
                answered += 1;
            }
            6 => {
                let frame = format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
                );
                let notification = Message::parse(frame.as_bytes()).unwrap();
                match (map.client_message(&client, &notification), found) {
                    (Err(IdMapError::Nobody), None) => refused += 1,
                    (Ok(renames), Some(index)) => {
                        let asked = model.swap_remove(index);
                        let mut out = Vec::new();
                        let edit = renames.apply(notification.edit()).unwrap();
                        edit.write(&mut out, Framing::Body).unwrap();
                        let expected =
                            frame.replace(&format!(":{id}}}"), &format!(":{}}}", asked.number));
                        assert_eq!(String::from_utf8(out).unwrap(), expected);
                        cancelled += 1;
                    }
                    (got, found) => panic!("step {step}: {got:?}, in flight {found:?}"),
                }
            }
            _ => {
                // Progress under any number that was ever given.
                let number = rng.below(30_000).to_string();
                let frame = format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{number},"progress":1}}}}"#
                );
                let notification = Message::parse(frame.as_bytes()).unwrap();
                let asked = model
                    .iter()
                    .find(|asked| asked.number == number && asked.token.is_some());
                match (map.upstream_message(&notification), asked) {
                    (Err(IdMapError::Nobody), None) => refused += 1,
                    (Ok((to, _)), Some(asked)) => assert_eq!(to, Destination::Client(asked.client)),
                    (got, asked) => panic!("step {step}: {got:?}, in flight {asked:?}"),
                }
            }
        }
        assert_eq!(map.in_flight(), model.len());
    }
    println!("{answered} answered, {cancelled} cancelled, {refused} refused");
    assert!(answered > 10_000 && cancelled > 1000 && refused > 1000);
}
