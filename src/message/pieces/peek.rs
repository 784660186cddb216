use super::{Kept, PieceScan};
use crate::json::JsonStr;
use crate::message::envelope::Kind;
use crate::message::id::Id;
use crate::vocab::Member;
use core::fmt;

/// What a scan has seen of a message so far.
///
/// **Provisional.** It is what stands in the bytes that have come, each value whole, and no more than that. What comes later may
/// contradict it (a second `method`, a `result` beside it), may spoil the text, or may never come: nothing may be decided by it
/// that [`PieceScan::finish`] can't take back. It is for what is free to be wrong: opening a connection early, choosing a queue,
/// a line in a log.
///
/// ```
/// use rpcslice::Kind;
/// use rpcslice::pieces::PieceScan;
///
/// let mut scan = PieceScan::default();
/// scan.feed(br#"{"method":"ping","#);
/// assert_eq!(scan.peek().kind(), None); // a notification, if no id follows
/// scan.feed(br#""id":1,"jso"#);
/// assert_eq!(scan.peek().kind(), Some(Kind::Request));
/// scan.feed(br#"nrpc":"1.0"}"#);
/// assert!(scan.peek().is_refused());
/// ```
#[derive(Clone, Copy)]
pub struct Peek<'s> {
    scan: &'s PieceScan,
}

impl<'s> Peek<'s> {
    pub(super) const fn of(scan: &'s PieceScan) -> Self {
        Self { scan }
    }

    /// What the message is going to be, if nothing that comes speaks against it. `None` if that can't be said yet, or
    /// something has spoken against it: that a message is a notification shows at its end alone.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        let found = self.scan.found();
        if self.is_refused() {
            return None;
        }
        if self.scan.is_over() {
            return found.judge.kind();
        }
        let has = |member| found.judge.seen.has(member);
        let kinds = (has(Member::Method), has(Member::Result), has(Member::Error));
        match kinds {
            (true, false, false) if has(Member::Id) => Some(Kind::Request),
            (false, true, false) => Some(Kind::Result),
            (false, false, true) if found.has_error => Some(Kind::Error),
            _ => None,
        }
    }

    /// The method, once all of it has come.
    #[must_use]
    pub fn method(&self) -> Kept<JsonStr<'s>> {
        self.scan.found().method.token().map(JsonStr::from_checked)
    }

    /// The id, once all of it has come and unless it is one that no answer can name: of a wrong type, or there twice.
    #[must_use]
    pub fn id(&self) -> Kept<Id<'s>> {
        let found = self.scan.found();
        match found.judge.id_to_echo(found.envelope()).is_none() {
            true => Kept::Absent,
            false => found.id.token().map(Id::from_checked),
        }
    }

    /// `params.name`, once all of it has come, if it is a string.
    #[must_use]
    pub fn name(&self) -> Kept<JsonStr<'s>> {
        self.scan.found().name.token().map(JsonStr::from_checked)
    }

    /// How many bytes have come.
    #[must_use]
    pub const fn bytes_seen(&self) -> usize {
        self.scan.bytes_seen()
    }

    /// Whether the message is going to be refused, whatever comes: a fault was met, of the text or of the message. That
    /// there was none says little, as what is missing shows at the end.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        let judge = &self.scan.found().judge;
        judge.fault.is_some() || self.scan.fault().is_some()
    }
}

/// Kind and bytes; never payload.
impl fmt::Debug for Peek<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peek")
            .field("kind", &self.kind())
            .field("bytes_seen", &self.bytes_seen())
            .field("is_refused", &self.is_refused())
            .finish_non_exhaustive()
    }
}
