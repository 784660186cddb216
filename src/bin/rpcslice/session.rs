//! Which rules a message is held to: what the user said, what it names itself, or what was agreed on before it.

use ::http::HeaderMap;
use rpcslice::mcp::{
    Exchange, Incoming, Method, Pending, Role, Rules, Transport, Version, Versions,
};
use rpcslice::{Error, Limits, Member, Message, Policy, http};

/// What the user has said, for the whole of the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    pub(crate) role: Role,
    pub(crate) transport: Transport,
    /// The revisions served; `None`: not said.
    pub(crate) served: Option<Versions>,
    pub(crate) limits: Limits,
    pub(crate) policy: Policy,
}

/// Which way a message went, where that is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    ToServer,
    ToClient,
}

impl Direction {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::ToServer => "c2s",
            Self::ToClient => "s2c",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Session {
    told: Told,
    /// What a header says, or the answer to `initialize` has fixed, or before that what was offered.
    agreed: Option<Version>,
    /// Of a recorded exchange: what its responses answer.
    exchange: Option<Pending>,
    /// And the headers of its request.
    headers: HeaderMap,
}

/// What is known of the request that a response answers.
type Asked = (Option<Method>, Option<Version>);

impl Session {
    /// Of a whole stream. What a response answers is not asked there: it may hold one direction only, or two in which both
    /// sides count their ids from 0.
    pub(crate) fn new(told: Told) -> Session {
        Session {
            told,
            agreed: None,
            exchange: None,
            headers: HeaderMap::new(),
        }
    }

    /// Of one recorded exchange, with the request's headers and the revision that they name.
    pub(crate) fn of_exchange(told: Told, named: Option<Version>, headers: HeaderMap) -> Session {
        Session {
            told,
            agreed: named,
            exchange: Some(Pending::new()),
            headers,
        }
    }

    pub(crate) fn told(&self) -> &Told {
        &self.told
    }

    /// Holds a message to its rules.
    pub(crate) fn check(
        &mut self,
        message: &Message<'_>,
        way: Option<Direction>,
    ) -> Result<(), Error> {
        let (method, asked) = self.note(message, way);
        let named = message.protocol_version();
        let version = named.and_then(|name| Version::find(&name));
        let fixed = message
            .member(Member::ResultProtocolVersion)
            .and_then(|value| Version::find(&value.as_string()?));
        let is_offer = message
            .method()
            .is_some_and(|method| method == "initialize");
        // One request is all that an exchange is about: what it names holds for the rest, if no header says other.
        let is_all = self.exchange.is_some() && self.agreed.is_none();
        if let Some(version) = fixed.or(version.filter(|_| is_offer || is_all)) {
            self.agreed = Some(version);
        }
        // A name that no published revision has can be judged only where it is said what is served.
        let is_unknown = named.is_some() && version.is_none();
        let rules = self.rules(way);
        let served = rules.served();
        let version = version.or(asked).or(self.agreed);
        let version = version.filter(|&v| served.contains(v));
        if self.told.served.is_none() && (version.is_none() || is_unknown) {
            return Ok(());
        }
        let rules = match version {
            Some(version) => rules.negotiated(version),
            None => rules,
        };
        match (&self.exchange, way) {
            (Some(_), Some(Direction::ToServer)) => http::check(&rules, message, &self.headers),
            _ => rules.check_response(message, method),
        }
    }

    /// Remembers a request of an exchange, and gives for a response what it answers.
    fn note(&mut self, message: &Message<'_>, way: Option<Direction>) -> Asked {
        let noted = match (&mut self.exchange, way) {
            (Some(pending), Some(Direction::ToServer)) => pending.received(message),
            (Some(pending), Some(Direction::ToClient)) => pending.sent(message),
            _ => return (None, None),
        };
        match noted {
            Ok(Exchange::Response { method, version }) => (method, version),
            // Also what is sent again, and what answers another exchange's request: streams hold both.
            _ => (None, None),
        }
    }

    fn rules(&self, way: Option<Direction>) -> Rules {
        let role = match way {
            Some(Direction::ToServer) => Role::Server,
            Some(Direction::ToClient) => Role::Client,
            None => self.told.role,
        };
        let rules = match role {
            Role::Server => Rules::server(),
            Role::Client => Rules::client(),
            Role::Proxy => Rules::proxy(),
        };
        rules
            .transport(self.told.transport)
            .versions(self.told.served.unwrap_or(Versions::ALL))
            .limits(self.told.limits)
            .policy(self.told.policy)
    }

    /// Whether batches are read where the session stands.
    pub(crate) fn has_batches(&self) -> bool {
        let rules = self.rules(None);
        let rules = match self.agreed {
            Some(agreed) if rules.served().contains(agreed) => rules.negotiated(agreed),
            _ => rules,
        };
        match rules.in_force() {
            Some(version) => version == Version::V2025_03_26,
            // The revision with batches has no header yet: an exchange without one may be of it.
            None => self.exchange.is_some() && rules.served().contains(Version::V2025_03_26),
        }
    }

    /// Reads a batch, where there are any; the first fault is that of all.
    pub(crate) fn read_batch(&mut self, frame: &[u8], way: Option<Direction>) -> Result<(), Error> {
        let rules = self.rules(way).negotiated(Version::V2025_03_26);
        let Incoming::Batch(batch) = rules.read(frame)? else {
            return Ok(());
        };
        let mut verdict = Ok(());
        for element in batch.iter() {
            // Every one is noted, also behind a fault: each is answered.
            let checked = element.and_then(|message| {
                let (method, _) = self.note(&message, way);
                rules.check_response(&message, method)
            });
            verdict = verdict.and(checked);
        }
        verdict
    }
}
