//! Ids of many clients to ids of one upstream, and back.

mod limits;
mod outcome;
mod rename;
mod table;

pub use limits::IdMapLimits;
pub use outcome::{Abandoned, Destination, IdMapError};
pub use rename::Renames;

use crate::json::RawJson;
use crate::mcp::Method;
use crate::message::{Id, IdBuf, Kind, Message};
use crate::vocab::Member;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use rename::Subscription;
use table::{Entry, Table};

/// What a proxy needs to share one upstream among many clients, and no more: every request gets an id of its own upstream, its
/// response goes back to the client that asked, under the very bytes of the id that it had chosen.
///
/// With the id go the other ids that name a request: `requestId` of `notifications/cancelled`, progress tokens
/// (`_meta.progressToken` of a request, `progressToken` of `notifications/progress`), and
/// `_meta["io.modelcontextprotocol/subscriptionId"]`. All of them in both directions, for requests of clients and, before
/// 2026-07-28, for those that the upstream sends to a client.
///
/// Nothing of one client reaches another: an id from a client finds that client's requests alone, an answer to the upstream
/// comes from the client that was asked or from nobody, and no id is given twice, so that what comes late finds nobody.
///
/// `C` is what the caller knows a client by; small and cheap to clone. Each message is given to one method of the map, and then
/// edited by the [`Renames`] that it gives. New ids are integers from 1 on. O(log n) a message; allocates for what it
/// remembers, which is ids and no payload.
///
/// Each element of a batch (2025-03-26) is a message of its own here. The handshake of the older revisions is the proxy's: it
/// holds one with the upstream itself, answers `initialize` of each client with what came of it, under the revision that the
/// two have agreed on, and passes neither `initialize` nor `notifications/initialized` on; what a client declares in its own
/// handshake, the upstream does not hear. From 2026-07-28 on every request speaks for itself, and all of them pass.
///
/// # Bounds
/// So many requests in flight, and so many bytes of their ids and tokens, in each direction and for each client, and so many
/// bytes of one id ([`IdMapLimits`]). At the bound a request is refused, by [`IdMapError::ClientFull`] or [`IdMapError::Full`], nothing is
/// remembered of it, and all that is in flight goes on; what to tell the client is the caller's to decide. A request counts until
/// its response has come, or its cancellation, or its client is [removed](Self::remove_client). Its progress token goes with it;
/// so progress of a task of 2025-11-25, which may go on behind the result that names the task, is nobody's here.
///
/// ```
/// use rpcslice::encode::{Destination, Framing, IdMap, IdMapError};
/// use rpcslice::Message;
///
/// let mut map = IdMap::new();
/// // Two clients, each with an id "1" of its own.
/// let mut sent = Vec::new();
/// for client in ["a", "b"] {
///     let request = Message::parse(br#"{"jsonrpc":"2.0","id":"1","method":"tools/list"}"#)?;
///     let renames = map.client_message(&client, &request)?;
///     let mut out = Vec::new();
///     renames.apply(request.edit())?.write(&mut out, Framing::Body)?;
///     sent.push(String::from_utf8(out)?);
/// }
/// assert_eq!(sent[1], r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
///
/// let response = Message::parse(br#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#)?;
/// let (to, renames) = map.upstream_message(&response)?;
/// assert_eq!(to, Destination::Client("b"));
/// let mut out = Vec::new();
/// renames.apply(response.edit())?.write(&mut out, Framing::Body)?;
/// assert_eq!(String::from_utf8(out)?, r#"{"jsonrpc":"2.0","id":"1","result":{"tools":[]}}"#);
/// // Once answered, it is nobody's.
/// assert_eq!(map.upstream_message(&response), Err(IdMapError::Nobody));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct IdMap<C> {
    /// What clients ask the upstream.
    asked: Table<C, ()>,
    /// What the upstream asks, and whom.
    asking: Table<(), C>,
    /// How much of that waits for each client.
    waiting: BTreeMap<C, Waiting>,
    limits: IdMapLimits,
}

/// Of the requests that one client has been asked: how many, and the bytes of their ids and tokens.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    requests: usize,
    bytes: usize,
}

impl<C: Clone + Ord> IdMap<C> {
    /// For a new connection to an upstream, with the default limits.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_limits(IdMapLimits::new())
    }

    /// For a new connection to an upstream.
    #[must_use]
    pub const fn with_limits(limits: IdMapLimits) -> Self {
        Self {
            asked: Table::new(),
            asking: Table::new(),
            waiting: BTreeMap::new(),
            limits,
        }
    }

    /// How many requests are in flight, in both directions.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.asked.len() + self.asking.len()
    }

    /// A message of a client to the upstream. A request is in flight from here on; one that is cancelled is not any more, and
    /// neither is one of the upstream's that is answered.
    ///
    /// # Errors
    /// What can't be passed on; nothing has changed then.
    pub fn client_message(
        &mut self,
        client: &C,
        message: &Message<'_>,
    ) -> Result<Renames, IdMapError> {
        let mut renames = Renames {
            subscription: Subscription::of(message, |named| {
                self.asked_by(client, named).map(IdBuf::from)
            }),
            ..Renames::default()
        };
        match message.kind() {
            Kind::Request => {
                let (id, token) = self.named(message)?;
                let entry = Entry {
                    asker: client.clone(),
                    id,
                    token,
                    method: method(message),
                    more: (),
                };
                let has_token = entry.token.is_some();
                let (requests, bytes) = (
                    self.limits.requests_per_client,
                    self.limits.bytes_per_client,
                );
                let number = self.asked.insert(entry, (requests, bytes), &self.limits)?;
                let number = IdBuf::from(number);
                renames.token = has_token.then(|| number.clone());
                renames.id = Some(number);
            }
            Kind::Notification => match about(message)? {
                Some(About::Cancelled(id)) => {
                    let number = self.asked_by(client, id);
                    let number = number.ok_or(IdMapError::Nobody)?;
                    let entry = self.asked.remove_number(number);
                    renames.about = entry.and_then(|entry| entry.method);
                    renames.request_id = Some(IdBuf::from(number));
                }
                Some(About::Progress(token)) => {
                    let entry = self.asking.get(token);
                    let entry = entry.filter(|entry| entry.more == *client);
                    let entry = entry.ok_or(IdMapError::Nobody)?;
                    let token = entry.token.clone();
                    renames.about = entry.method;
                    renames.progress_token = Some(token.ok_or(IdMapError::Nobody)?);
                }
                None => {}
            },
            Kind::Result | Kind::Error => {
                let number = message.id().ok_or(IdMapError::Nobody)?;
                let entry = self.asking.get(number);
                if entry.is_none_or(|entry| entry.more != *client) {
                    return Err(IdMapError::Nobody);
                }
                if let Some(entry) = self.answered(self.asking.find(number)) {
                    renames.about = entry.method;
                    renames.id = Some(entry.id);
                }
            }
        }
        Ok(renames)
    }

    /// A message of the upstream: to whom it goes, and under which ids. A request that it answers, or a subscription that it
    /// cancels, is not in flight any more.
    ///
    /// # Errors
    /// What can't be passed on; nothing has changed then.
    pub fn upstream_message(
        &mut self,
        message: &Message<'_>,
    ) -> Result<(Destination<C>, Renames), IdMapError> {
        let mut renames = Renames::default();
        let client = match message.kind() {
            Kind::Request => return Ok((Destination::Choose, renames)),
            Kind::Result | Kind::Error => {
                let Some(number) = message.id() else {
                    return Ok((Destination::Unaddressed, renames));
                };
                let answered = self.asked.remove(number).ok_or(IdMapError::Nobody)?;
                // The subscription is mostly the request itself, which is in flight no more.
                renames.subscription = Subscription::of(message, |named| match named == number {
                    true => Some(answered.id.clone()),
                    false => self.subscription(&answered.asker, named),
                });
                renames.about = answered.method;
                renames.id = Some(answered.id);
                Some(answered.asker)
            }
            Kind::Notification => self.told(message, &mut renames)?,
        };
        let to = client.map_or(Destination::Unaddressed, Destination::Client);
        Ok((to, renames))
    }

    /// A notification of the upstream: whose request it is about.
    fn told(
        &mut self,
        message: &Message<'_>,
        renames: &mut Renames,
    ) -> Result<Option<C>, IdMapError> {
        let mut client = None;
        if let Some(named) = message.member(Member::SubscriptionId) {
            let entry = self.asked.get(read(named)?).ok_or(IdMapError::Nobody)?;
            renames.subscription = Subscription::Known(entry.id.clone());
            renames.about = entry.method;
            client = Some(entry.asker.clone());
        }
        let is_other = |asker: &C| client.as_ref().is_some_and(|client| client != asker);
        match about(message)? {
            Some(About::Progress(token)) => {
                let entry = self.asked.get(token).ok_or(IdMapError::Nobody)?;
                let original = entry.token.clone().ok_or(IdMapError::Nobody)?;
                if is_other(&entry.asker) {
                    return Err(IdMapError::Nobody);
                }
                renames.progress_token = Some(original);
                renames.about = entry.method;
                client = Some(entry.asker.clone());
            }
            // Its own request, or a subscription that it ends (2026-07-28 `basic/patterns/cancellation`), where it has none.
            Some(About::Cancelled(id)) => match self.asking_as(id) {
                Some(number) => {
                    let entry = self.asking.get_number(number);
                    let asked = entry.map(|entry| entry.more.clone());
                    if asked.as_ref().is_some_and(is_other) {
                        return Err(IdMapError::Nobody);
                    }
                    let entry = self.answered(Some(number));
                    renames.about = entry.and_then(|entry| entry.method);
                    renames.request_id = Some(IdBuf::from(number));
                    client = asked;
                }
                None => {
                    let is_listen = Some(Method::SubscriptionsListen);
                    let entry = self.asked.get(id);
                    let entry = entry.filter(|entry| entry.method == is_listen);
                    let entry = entry.ok_or(IdMapError::Nobody)?;
                    if is_other(&entry.asker) {
                        return Err(IdMapError::Nobody);
                    }
                    client = Some(entry.asker.clone());
                    renames.about = entry.method;
                    renames.request_id = self.asked.remove(id).map(|entry| entry.id);
                }
            },
            None => {}
        }
        Ok(client)
    }

    /// A request of the upstream to a client (before 2026-07-28). It is in flight from here on.
    ///
    /// # Errors
    /// What can't be passed on; nothing has changed then. [`IdMapError::BadId`] also for what is no request.
    pub fn upstream_request(
        &mut self,
        client: &C,
        message: &Message<'_>,
    ) -> Result<Renames, IdMapError> {
        if message.kind() != Kind::Request {
            return Err(IdMapError::BadId);
        }
        let mut renames = Renames {
            subscription: self.subscription_of(client, message),
            ..Renames::default()
        };
        let (id, token) = self.named(message)?;
        let bytes = bytes_of(&id, token.as_ref());
        let waiting = self.waiting.get(client).copied().unwrap_or_default();
        let is_full = waiting.requests >= self.limits.requests_per_client
            || waiting.bytes.saturating_add(bytes) > self.limits.bytes_per_client;
        if is_full && self.asking.number(&(), id.as_id()).is_none() {
            return Err(IdMapError::ClientFull);
        }
        let entry = Entry {
            asker: (),
            id,
            token,
            method: method(message),
            more: client.clone(),
        };
        let has_token = entry.token.is_some();
        // The upstream is one, and may have all.
        let number = self
            .asking
            .insert(entry, (usize::MAX, usize::MAX), &self.limits)?;
        let number = IdBuf::from(number);
        let waiting = self.waiting.entry(client.clone()).or_default();
        waiting.requests += 1;
        waiting.bytes += bytes;
        renames.token = has_token.then(|| number.clone());
        renames.id = Some(number);
        Ok(renames)
    }

    /// Forgets a client, and all requests that it has asked or been asked: what comes for it is nobody's from here on. O(n).
    pub fn remove_client(&mut self, client: &C) -> Abandoned {
        let asked: Vec<u64> = self.asked.numbers_of(client).collect();
        let asking = self
            .asking
            .iter()
            .filter(|(_, entry)| entry.more == *client);
        let asking: Vec<u64> = asking.map(|(number, _)| number).collect();
        for number in &asked {
            self.asked.remove_number(*number);
        }
        let asking = asking
            .into_iter()
            .filter_map(|number| self.answered(Some(number)));
        Abandoned {
            asking: asking.map(|entry| entry.id).collect(),
            asked: asked.into_iter().map(IdBuf::from).collect(),
        }
    }

    /// Forgets all requests, as when the upstream has gone. Ids go on, so that what the old one sends late is nobody's.
    pub fn clear(&mut self) {
        self.asked.clear();
        self.asking.clear();
        self.waiting.clear();
    }

    /// Forgets a request of the upstream's.
    fn answered(&mut self, number: Option<u64>) -> Option<Entry<(), C>> {
        let entry = self.asking.remove_number(number?)?;
        if let Some(waiting) = self.waiting.get_mut(&entry.more) {
            waiting.requests -= 1;
            waiting.bytes -= bytes_of(&entry.id, entry.token.as_ref());
            if waiting.requests == 0 {
                self.waiting.remove(&entry.more);
            }
        }
        Some(entry)
    }

    /// The id of a request, and the progress token that it brings along.
    fn named(&self, message: &Message<'_>) -> Result<(IdBuf, Option<IdBuf>), IdMapError> {
        let id = message.id().ok_or(IdMapError::BadId)?;
        let token = message
            .member(Member::ProgressToken)
            .map(read)
            .transpose()?;
        let longest = token
            .map_or(0, |token| token.raw().len())
            .max(id.raw().len());
        match longest <= self.limits.id_bytes {
            true => Ok((IdBuf::from(id), token.map(IdBuf::from))),
            false => Err(IdMapError::IdTooLong),
        }
    }

    /// The number of a client's request, if its id is no longer than those in flight.
    fn asked_by(&self, client: &C, id: Id<'_>) -> Option<u64> {
        (id.raw().len() <= self.limits.id_bytes).then(|| self.asked.number(client, id))?
    }

    /// The number of a request of the upstream's, likewise.
    fn asking_as(&self, id: Id<'_>) -> Option<u64> {
        (id.raw().len() <= self.limits.id_bytes).then(|| self.asking.number(&(), id))?
    }

    /// What the subscription that a message of the upstream names is to this client.
    fn subscription_of(&self, client: &C, message: &Message<'_>) -> Subscription {
        Subscription::of(message, |named| self.subscription(client, named))
    }

    /// What a client calls a request of its own.
    fn subscription(&self, client: &C, named: Id<'_>) -> Option<IdBuf> {
        let entry = self.asked.get(named);
        let entry = entry.filter(|entry| entry.asker == *client);
        entry.map(|entry| entry.id.clone())
    }
}

impl<C: Clone + Ord> Default for IdMap<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// What a notification is about.
enum About<'a> {
    Cancelled(Id<'a>),
    Progress(Id<'a>),
}

fn method(message: &Message<'_>) -> Option<Method> {
    message.method().and_then(|method| Method::find(&method))
}

fn about<'a>(message: &Message<'a>) -> Result<Option<About<'a>>, IdMapError> {
    match method(message) {
        Some(Method::NotificationsCancelled) => {
            let id = message.member(Member::RequestId);
            // From 2025-11-25 on it may be missing where a task is cancelled: that is nobody's here.
            let id = id.ok_or(IdMapError::Nobody)?;
            Ok(Some(About::Cancelled(read(id)?)))
        }
        Some(Method::NotificationsProgress) => {
            let name = Member::ParamsProgressToken.name();
            let token = message.params().and_then(|params| params.get(name));
            Ok(Some(About::Progress(read(
                token.ok_or(IdMapError::BadId)?,
            )?)))
        }
        _ => Ok(None),
    }
}

fn bytes_of(id: &IdBuf, token: Option<&IdBuf>) -> usize {
    id.raw().len() + token.map_or(0, |token| token.raw().len())
}

fn read(value: RawJson<'_>) -> Result<Id<'_>, IdMapError> {
    Id::of(value).ok_or(IdMapError::BadId)
}
