//! A recorded exchange held to the rules, message by message in the order in which they travelled: each as its receiver
//! holds it to them, and as its sender should have.

use rpcslice::mcp::{Direction, Exchange, Method, Pending, Rules, Status, Version, Versions};
use rpcslice::{Error, Kind, Message};

/// What broke a rule.
#[derive(Debug)]
pub struct Breach {
    /// The method, or what a response answers.
    pub about: String,
    /// The name of the error's kind, and the member where there is one.
    pub fault: String,
    pub clause: &'static str,
    /// Whether the receiver refuses the message, too; else it binds the sender alone.
    pub is_refused: bool,
}

/// One connection, or one exchange on HTTP.
pub struct Session {
    /// From where the client stands.
    pending: Pending,
    /// The revision of the client's last request; what it has agreed on until then.
    in_force: Option<Version>,
    /// Whether responses have to be to somebody.
    is_paired: bool,
}

impl Session {
    pub fn new() -> Self {
        Self {
            pending: Pending::new(),
            in_force: None,
            is_paired: true,
        }
    }

    /// An exchange of a session that is known to be under this revision. What server requests were answered is not.
    pub fn exchange(in_force: Option<Version>) -> Self {
        Self {
            in_force,
            is_paired: false,
            ..Self::new()
        }
    }

    /// What the handshake has fixed.
    pub fn negotiated(&self) -> Option<Version> {
        self.pending.negotiated()
    }

    /// Holds a frame to the rules, and remembers what it changes.
    pub fn pass(&mut self, frame: &[u8], is_from_client: bool) -> Option<Breach> {
        let message = match Message::parse(frame) {
            Ok(message) => message,
            Err(error) => return Some(breach("?", &error, true)),
        };
        let exchange = match is_from_client {
            true => self.pending.sent(&message),
            false => self.pending.received(&message),
        };
        let method = match exchange {
            Ok(Exchange::Response { method, .. }) => method,
            _ => None,
        };
        let version = self.version(&message, exchange.ok(), is_from_client);
        let about = about(&message, method);
        if let (Err(error), true) = (exchange, self.is_paired) {
            return Some(Breach {
                about,
                fault: error.to_string(),
                clause: "basic/index#requests",
                is_refused: true,
            });
        }
        let versions = version.map_or(LEGACY, |version| Versions::of(&[version]));
        let [receiver, sender] = match is_from_client {
            true => [Rules::server(), Rules::client()],
            false => [Rules::client(), Rules::server()],
        }
        .map(|rules| rules.versions(versions));
        let received = match message.kind() {
            Kind::Request | Kind::Notification => receiver.check(&message),
            Kind::Result | Kind::Error => receiver.check_response(&message, method),
        };
        let sent = sender.check_outgoing_response(&message, method);
        match (received, sent) {
            (Err(error), _) => Some(breach(&about, &error, true)),
            (Ok(()), Err(error)) => Some(breach(&about, &error, false)),
            (Ok(()), Ok(())) => {
                let fault = of_another(&message, version?, is_from_client)?;
                Some(Breach {
                    about,
                    fault: fault.to_owned(),
                    clause: "the messages of either side in the revision's schema",
                    is_refused: false,
                })
            }
        }
    }

    /// The revision that a message is under.
    fn version(
        &mut self,
        message: &Message<'_>,
        exchange: Option<Exchange>,
        is_from_client: bool,
    ) -> Option<Version> {
        let named = message.meta().and_then(|meta| meta.protocol_version());
        // A name that nobody knows makes a message modern, too.
        let named = named.map(|name| Version::find(&name).unwrap_or(Version::LATEST));
        match (message.kind(), exchange) {
            (Kind::Request, _) => {
                let is_handshake = message.method().is_some_and(|name| name == "initialize");
                let known = self.negotiated().or(self.in_force);
                let version = named.or(known.filter(|_| !is_handshake));
                if is_from_client {
                    self.in_force = version;
                }
                version
            }
            (_, Some(Exchange::Response { version, .. })) => {
                if let Some(version) = self.negotiated() {
                    self.in_force = Some(version);
                }
                version.or(self.in_force)
            }
            _ => named.or(self.in_force),
        }
    }
}

const LEGACY: Versions = Versions::of(&[
    Version::V2024_11_05,
    Version::V2025_03_26,
    Version::V2025_06_18,
    Version::V2025_11_25,
]);

/// A method of the table that is not the sender's to use: of another revision, or the other side's. No rule refuses it,
/// for what a receiver does not know passes.
fn of_another(
    message: &Message<'_>,
    version: Version,
    is_from_client: bool,
) -> Option<&'static str> {
    let method = Method::find(&message.method()?)?;
    let Some(rules) = method.rules(version) else {
        return Some("a method of another revision");
    };
    let is_own = match rules.direction() {
        Direction::Both => true,
        Direction::ClientToServer => is_from_client,
        Direction::ServerToClient => !is_from_client,
    };
    match (rules.status(), is_own) {
        (Status::Removed, _) => Some("a method of another revision"),
        (_, false) => Some("a method of the other side"),
        _ => None,
    }
}

fn about(message: &Message<'_>, method: Option<Method>) -> String {
    let name = message.method().and_then(|name| name.as_str());
    let answered = method.map_or("?", Method::name);
    match message.kind() {
        Kind::Request | Kind::Notification => name.unwrap_or("?").to_owned(),
        Kind::Result => format!("result of {answered}"),
        Kind::Error => format!("error to {answered}"),
    }
}

fn breach(about: &str, error: &Error, is_refused: bool) -> Breach {
    let kind = error.kind();
    let member = kind.member().map(|member| format!(" {member}"));
    Breach {
        about: about.to_owned(),
        fault: format!("{}{}", kind.name(), member.unwrap_or_default()),
        clause: kind.clause(),
        is_refused,
    }
}
