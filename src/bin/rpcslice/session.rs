//! Which rules a message of a stream is held to: what the user said, what it names itself, or what the session agreed on.

use rpcslice::mcp::{Incoming, Role, Rules, Transport, Version, Versions};
use rpcslice::{Error, Limits, Member, Message, Policy};

#[derive(Debug)]
pub(crate) struct Session {
    rules: Rules,
    /// Whether the user said which revisions are served.
    is_told: bool,
    /// What the answer to `initialize` has fixed, or before that what was offered.
    agreed: Option<Version>,
}

impl Session {
    pub(crate) fn new(
        role: Role,
        transport: Transport,
        revisions: &[Version],
        limits: Limits,
        policy: Policy,
    ) -> Session {
        let rules = match role {
            Role::Server => Rules::server(),
            Role::Client => Rules::client(),
            Role::Proxy => Rules::proxy(),
        };
        let versions = match revisions {
            [] => Versions::ALL,
            told => Versions::of(told),
        };
        Session {
            rules: rules
                .transport(transport)
                .versions(versions)
                .limits(limits)
                .policy(policy),
            is_told: !revisions.is_empty(),
            agreed: None,
        }
    }

    /// Holds a message to its rules. What a response answers is not asked: a stream may hold one direction only, or two
    /// in which both sides count their ids from 0.
    pub(crate) fn check(&mut self, message: &Message<'_>) -> Result<(), Error> {
        let named = message.protocol_version();
        let version = named.and_then(|name| Version::find(&name));
        let fixed = message
            .member(Member::ResultProtocolVersion)
            .and_then(|value| Version::find(&value.as_string()?));
        let is_offer = message
            .method()
            .is_some_and(|method| method == "initialize");
        if let Some(version) = fixed.or(version.filter(|_| is_offer)) {
            self.agreed = Some(version);
        }
        // A name that no published revision has can be judged only where it is said what is served.
        let is_unknown = named.is_some() && version.is_none();
        let served = self.rules.served();
        let version = version.or(self.agreed).filter(|&v| served.contains(v));
        if !self.is_told && (version.is_none() || is_unknown) {
            return Ok(());
        }
        let rules = match version {
            Some(version) => self.rules.negotiated(version),
            None => self.rules,
        };
        rules.check(message)
    }

    /// Whether batches are read where the session stands.
    pub(crate) fn has_batches(&self) -> bool {
        let rules = match self.agreed {
            Some(agreed) if self.rules.served().contains(agreed) => self.rules.negotiated(agreed),
            _ => self.rules,
        };
        rules.in_force() == Some(Version::V2025_03_26)
    }

    /// Reads a batch, where there are any; the first fault is that of all.
    pub(crate) fn read_batch(&self, frame: &[u8]) -> Result<(), Error> {
        let rules = self.rules.negotiated(Version::V2025_03_26);
        match rules.read(frame)? {
            Incoming::Message(_) => Ok(()),
            Incoming::Batch(batch) => batch.iter().try_for_each(|element| element.map(drop)),
        }
    }
}
