use super::error::EncodeError;
use super::framing::Framing;
use super::meta_edit::{self, MetaChange};
use super::pieces::Pieces;
use super::script::{Part, Script, Source};
use super::section::is_empty;
use super::text::Copying;
use crate::json::{JsonKind, RawJson};
use crate::limits::Limits;
use crate::mcp::MetaKey;
use crate::message::{Id, Kind, Message, MessageBuf};
use crate::vocab::Member;
use bytes::{BufMut, Bytes, BytesMut};
use core::fmt;
use smallvec::SmallVec;

/// Changes to a message that came in: another id, another method, other keys of `_meta`, other params or another result.
/// Every other byte stays what it is, white space, member order, unknown members and all.
///
/// Made by [`Message::edit`] or [`MessageBuf::edit`]; the message itself stays as it is. A member that is not there is put in;
/// what a message of its kind has not is an error, and then nothing is written. What comes out is valid JSON and one message of
/// the same kind, wherever the members stand and however their names are spelt. It is not held to the rules of any
/// revision: a gateway passes on what it was given.
///
/// [`write`](Self::write) copies the message once; [`pieces`](Self::pieces) shares its bytes. Neither looks at params or result
/// again, but for `_meta`, which is walked once if a key of it changes, and for line breaks, where a line or an event is made
/// of a message. No allocation but for the caller's buffer, up to eight keys.
///
/// ```
/// use rpcslice::{IdBuf, Message};
/// use rpcslice::encode::{EncodeError, Framing};
///
/// let msg = Message::parse(br#"{"method":"tools/call", "params":{"name":"x","n":1.50}, "id":"a","jsonrpc":"2.0"}"#).unwrap();
/// let id = IdBuf::from(17);
/// let mut out = Vec::new();
/// msg.edit()
///     .id(id.as_id())
///     .meta_text("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")?
///     .write(&mut out, Framing::Line)?;
/// assert_eq!(String::from_utf8(out).unwrap(), concat!(
///     r#"{"method":"tools/call", "params":{"_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"},"#,
///     r#""name":"x","n":1.50}, "id":17,"jsonrpc":"2.0"}"#, "\n"));
/// # Ok::<(), EncodeError>(())
/// ```
#[derive(Clone)]
#[must_use = "`write` or `pieces` gives the edited message"]
pub struct Edit<'a> {
    message: Message<'a>,
    /// The message's bytes, if it owns them.
    shared: Option<&'a Bytes>,
    id: Option<Id<'a>>,
    method: Option<&'a str>,
    params: Option<RawJson<'a>>,
    result: Option<RawJson<'a>>,
    meta: SmallVec<[MetaChange<'a>; 8]>,
}

impl<'a> Message<'a> {
    /// Changes to this message; see [`Edit`].
    pub fn edit(&self) -> Edit<'a> {
        Edit::of(*self, None)
    }
}

impl MessageBuf {
    /// Changes to this message, of which [`Edit::pieces`] shares the bytes.
    pub fn edit(&self) -> Edit<'_> {
        Edit::of(self.as_message(), Some(self.bytes()))
    }
}

/// The containers that are open around a value of `_meta`, and around params or a result.
const AROUND_META_VALUE: usize = 3;

impl<'a> Edit<'a> {
    fn of(message: Message<'a>, shared: Option<&'a Bytes>) -> Self {
        Self {
            message,
            shared,
            id: None,
            method: None,
            params: None,
            result: None,
            meta: SmallVec::new(),
        }
    }

    /// Another id. An error response without one gets one; a notification can't.
    pub fn id(mut self, id: Id<'a>) -> Self {
        self.id = Some(id);
        self
    }

    /// Another method, of a request or a notification.
    pub fn method(mut self, method: &'a str) -> Self {
        self.method = Some(method);
        self
    }

    /// Other params, of a request or a notification: an object.
    pub fn params(mut self, params: RawJson<'a>) -> Self {
        self.params = Some(params);
        self
    }

    /// Another result, of a result response: an object.
    pub fn result(mut self, result: RawJson<'a>) -> Self {
        self.result = Some(result);
        self
    }

    /// Sets a key of `_meta` to a text, which is escaped. It takes the place of the value that is there, however its key is
    /// spelt, of all of them if there are several, or comes last. `_meta` and `params` are put in where they are not there.
    ///
    /// # Errors
    /// What is no key of `_meta` (2026-07-28 `basic/index`, "Key name format").
    pub fn meta_text(self, key: &'a str, text: &'a str) -> Result<Self, EncodeError> {
        MetaKey::parse(key)?;
        Ok(self.change(MetaChange::text(key, text)))
    }

    /// Sets a key of `_meta` to a value, as [`meta_text`](Self::meta_text).
    ///
    /// # Errors
    /// What is no key of `_meta`, or nests so deep that no reader would take it.
    pub fn meta_raw(self, key: &'a str, value: RawJson<'a>) -> Result<Self, EncodeError> {
        MetaKey::parse(key)?;
        let deepest = Limits::HIGHEST_MAX_DEPTH - AROUND_META_VALUE;
        let limits = Limits::new()
            .with_max_frame_bytes(usize::MAX)
            .with_max_depth(deepest);
        RawJson::parse_with(value.as_bytes(), &limits).map_err(|_| EncodeError::TooDeep)?;
        Ok(self.change(MetaChange::raw(key, value)))
    }

    /// Removes a key of `_meta`, however it is spelt and however often it is there. No error if it is not.
    pub fn remove_meta(self, key: &'a str) -> Self {
        self.change(MetaChange::removal(key))
    }

    fn change(mut self, change: MetaChange<'a>) -> Self {
        self.meta.retain(|earlier| earlier.key != change.key);
        self.meta.push(change);
        self
    }

    /// Writes the message with its changes. A line or an event has spaces where the message has line breaks between its
    /// tokens.
    ///
    /// # Errors
    /// A change that the message has no place for. Nothing has been written then.
    pub fn write(&self, out: &mut impl BufMut, framing: Framing<'_>) -> Result<(), EncodeError> {
        let mut script = Script::new(Source::Frame(self.message.frame()));
        self.fill(&mut script)?;
        framing.begin(out);
        script.write(self.message.frame(), copying(framing), out);
        framing.end(out);
        Ok(())
    }

    /// The message with its changes as pieces, for vectored writes and for buffers that are chained. Long stretches of a
    /// message that [owns its bytes](MessageBuf) are shared with it and not copied, unless line breaks in them have to go; all
    /// else is written to `scratch`, of which the pieces take what they need.
    ///
    /// What is in `scratch` is dropped. Once the pieces are, too, it can be used again without an allocation.
    ///
    /// # Errors
    /// A change that the message has no place for.
    ///
    /// ```
    /// use bytes::{Buf, BytesMut};
    /// use rpcslice::{IdBuf, MessageBuf};
    /// use rpcslice::encode::{EncodeError, Framing};
    ///
    /// let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"text":"{}"}}}}"#, "x".repeat(1000));
    /// let msg = MessageBuf::parse(text.clone()).unwrap();
    /// let (id, mut scratch) = (IdBuf::from(170), BytesMut::new());
    /// let mut pieces = msg.edit().id(id.as_id()).pieces(&mut scratch, Framing::Line)?;
    /// assert_eq!(pieces.iter().len(), 3);
    /// let slices: Vec<_> = pieces.iter().map(|piece| std::io::IoSlice::new(piece)).collect();
    /// assert_eq!(slices[1].as_ptr_range().end, msg.bytes().as_ptr_range().end);
    /// let joined = pieces.copy_to_bytes(pieces.remaining());
    /// assert_eq!(joined, text.replace("\"id\":1,", "\"id\":170,") + "\n");
    /// # Ok::<(), EncodeError>(())
    /// ```
    pub fn pieces(
        &self,
        scratch: &mut BytesMut,
        framing: Framing<'_>,
    ) -> Result<Pieces, EncodeError> {
        let mut script = Script::new(Source::Frame(self.message.frame()));
        self.fill(&mut script)?;
        Ok(Pieces::of(
            &script,
            (self.message.frame(), self.shared),
            (framing, copying(framing)),
            scratch,
        ))
    }

    /// What is kept, and what comes between. Into a script of the caller's: one is most of a kilobyte to hand around.
    fn fill(&self, script: &mut Script<'a>) -> Result<(), EncodeError> {
        self.has_places()?;
        let frame = self.message.frame();
        let mut places: SmallVec<[Place<'a>; 3]> = SmallVec::new();
        let mut first: SmallVec<[Place<'a>; 2]> = SmallVec::new();
        if let Some(id) = self.id {
            let place = Place::new(&self.message, Member::Id, New::Raw(id.raw()));
            match place.at {
                Some(_) => places.push(place),
                None => first.push(place),
            }
        }
        if let Some(method) = self.method {
            places.push(Place::new(&self.message, Member::Method, New::Text(method)));
        }
        if let Some(new) = self.section()? {
            let mut place = Place::new(&self.message, self.section_member(), new);
            if place.at.is_none() {
                // Under the lenient policy a `null` counts as absent, and stands there all the same.
                place.at = null_params(&self.message);
            }
            match place.at {
                Some(_) => places.push(place),
                None => first.push(place),
            }
        }
        places.sort_unstable_by_key(|place| place.at);
        for place in &first {
            // Behind the brace; the message has other members, so there is always one to follow.
            let brace = frame.len() - frame.trim_start_matches([' ', '\t', '\n', '\r']).len();
            script.keep_to(brace + 1);
            script.push(Part::Name(place.member.name()));
            self.push_new(script, place)?;
            script.push(Part::Literal(","));
        }
        for place in &places {
            let (start, end) = place.at.unwrap_or_default();
            script.keep_to(start);
            self.push_new(script, place)?;
            script.skip_to(end);
        }
        script.keep_to(frame.len());
        Ok(())
    }

    /// A message of its kind has what is to be changed.
    fn has_places(&self) -> Result<(), EncodeError> {
        let kind = self.message.kind();
        let is_asking = matches!(kind, Kind::Request | Kind::Notification);
        for (member, is_changed, has_place) in [
            (Member::Id, self.id.is_some(), kind != Kind::Notification),
            (Member::Method, self.method.is_some(), is_asking),
            (Member::Params, self.params.is_some(), is_asking),
            (Member::Result, self.result.is_some(), kind == Kind::Result),
            (
                Member::ParamsMeta,
                !self.meta.is_empty(),
                kind != Kind::Error,
            ),
        ] {
            if is_changed && !has_place {
                return Err(EncodeError::NoPlace(member));
            }
        }
        Ok(())
    }

    fn section_member(&self) -> Member {
        match self.message.kind() {
            Kind::Result => Member::Result,
            _ => Member::Params,
        }
    }

    /// What becomes of params or result, if anything does.
    fn section(&self) -> Result<Option<New<'a>>, EncodeError> {
        let given = self.params.or(self.result);
        let kind = self.message.kind();
        let sets = self.meta.iter().any(MetaChange::sets);
        if let Some(given) = given {
            // It has to be an object in which nothing that decides stands twice.
            let limits = Limits::new()
                .with_max_frame_bytes(usize::MAX)
                .with_max_depth(Limits::HIGHEST_MAX_DEPTH);
            let section = Message::of_section(Some(given), kind, &limits)?;
            return Ok(Some(self.new_section(given.raw(), &section, false)));
        }
        if self.meta.is_empty() {
            return Ok(None);
        }
        Ok(match self.message.member(self.section_member()) {
            Some(section) => Some(self.new_section(section.raw(), &self.message, true)),
            None if sets => Some(New::Section(Section {
                text: "{}",
                meta: None,
                is_kept: false,
                are_new: true,
            })),
            None => None,
        })
    }

    /// `message` is the one that the text was read in.
    fn new_section(&self, text: &'a str, message: &Message<'a>, is_kept: bool) -> New<'a> {
        let meta = meta_of(message);
        New::Section(Section {
            text,
            meta,
            is_kept,
            are_new: meta.is_some_and(|meta| meta_edit::are_new(message, meta, &self.meta)),
        })
    }

    fn push_new(&self, script: &mut Script<'a>, place: &Place<'a>) -> Result<(), EncodeError> {
        match place.new {
            New::Raw(raw) => script.push(Part::Raw(raw)),
            New::Text(text) => script.push(Part::Text(text)),
            New::Section(section) => {
                let source = match section.is_kept {
                    true => Source::Part(section.text, place.at.map_or(0, |(start, _)| start)),
                    false => Source::Given(section.text),
                };
                script.inside(source, |script| self.push_section(script, section))?;
            }
        }
        Ok(())
    }

    /// Goes over params or a result, of which `_meta` changes. All places count within the section.
    fn push_section(
        &self,
        script: &mut Script<'a>,
        section: Section<'a>,
    ) -> Result<(), EncodeError> {
        let sets = self.meta.iter().any(MetaChange::sets);
        match section.meta {
            Some(meta) if meta.kind() == JsonKind::Object => {
                let at = meta.raw().as_ptr() as usize - section.text.as_ptr() as usize;
                match section.are_new {
                    true => meta_edit::append_last(script, meta, at, &self.meta),
                    false => meta_edit::apply(script, meta, at, &self.meta),
                }
            }
            Some(_) if sets => return Err(EncodeError::Invalid(self.meta_member())),
            None if sets => {
                script.keep_to(1);
                script.push(Part::Literal("\"_meta\":{"));
                meta_edit::append(script, &self.meta, |_| true, false);
                let rest = section.text.get(1..).unwrap_or("}");
                script.push(Part::Literal(if is_empty(rest) { "}" } else { "}," }));
            }
            _ => {}
        }
        script.keep_to(section.text.len());
        Ok(())
    }

    fn meta_member(&self) -> Member {
        match self.message.kind() {
            Kind::Result => Member::ResultMeta,
            _ => Member::ParamsMeta,
        }
    }
}

/// What comes where a member's value stands, or where it has to be put in.
struct Place<'a> {
    member: Member,
    /// Where the value stands in the frame: its start and end.
    at: Option<(usize, usize)>,
    new: New<'a>,
}

#[derive(Clone, Copy)]
enum New<'a> {
    Raw(&'a str),
    Text(&'a str),
    Section(Section<'a>),
}

/// Params or a result.
#[derive(Clone, Copy)]
struct Section<'a> {
    text: &'a str,
    /// A slice of the text.
    meta: Option<RawJson<'a>>,
    /// Whether they are those of the message, and not the caller's.
    is_kept: bool,
    /// Whether no key of the changes is in `_meta`, as far as that is seen without a walk.
    are_new: bool,
}

impl<'a> Place<'a> {
    fn new(message: &Message<'a>, member: Member, new: New<'a>) -> Self {
        let range = message.span(member).range();
        Self {
            member,
            at: message.has(member).then_some((range.start, range.end)),
            new,
        }
    }
}

/// `_meta`, whatever it is.
fn meta_of<'a>(message: &Message<'a>) -> Option<RawJson<'a>> {
    let of_params = message.member(Member::ParamsMeta);
    of_params.or_else(|| message.member(Member::ResultMeta))
}

/// Where `params` stand that were taken for absent. Walks the message.
#[cold]
fn null_params(message: &Message<'_>) -> Option<(usize, usize)> {
    let frame = message.frame();
    let whole = RawJson::from_checked(frame.trim_matches([' ', '\t', '\n', '\r']));
    let (_, value) = whole.members().find(|(name, _)| *name == "params")?;
    let start = value.raw().as_ptr() as usize - frame.as_ptr() as usize;
    Some((start, start + value.raw().len()))
}

const fn copying(framing: Framing<'_>) -> Copying {
    Copying {
        one_line: framing.is_one_line(),
        no_separators: false,
    }
}

/// The message, and which of its parts change; never payload.
impl fmt::Debug for Edit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edit")
            .field("message", &self.message)
            .field("id", &self.id)
            .field("method", &self.method.map(str::len))
            .field("params", &self.params)
            .field("result", &self.result)
            .field("meta", &self.meta.len())
            .finish()
    }
}
