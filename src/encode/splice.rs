use super::error::EncodeError;
use super::framing::Framing;
use super::object_edit::{self, Change, Changes, MetaChanges};
use super::pieces::{Building, Pieces};
use super::places::{New, Place, Places, Section, meta_of, null_params};
use super::script::{Part, Script, Source};
use super::section::is_empty;
use crate::json::{JsonKind, RawJson, offset_in};
use crate::limits::Limits;
use crate::mcp::MetaKey;
use crate::message::{Id, Kind, Message, MessageBuf};
use crate::vocab::Member;
use bytes::{BufMut, Bytes, BytesMut};
use core::fmt;

/// Changes to a message that came in: another id, another method, keys of `_meta` and members of the params or the result set
/// and removed, other params or another result. Every other byte stays what it is, white space, member order, unknown members
/// and all.
///
/// Made by [`Message::edit`] or [`MessageBuf::edit`]; the message itself stays as it is. A member that is not there is put in;
/// what a message of its kind has not is an error, and then nothing is written. What comes out is valid JSON and one message of
/// the same kind, wherever the members stand and however their names are spelt. It is not held to the rules of any
/// revision: a gateway passes on what it was given. In whatever order the changes are made, members and keys are those of the new
/// params or result where there are such; of several changes to one name the last counts.
///
/// Everything that is set is borrowed until the message is written: make texts and ids first, and edit last.
///
/// [`write`](Self::write) copies the message once; [`pieces`](Self::pieces) shares its bytes. Neither looks at params or result
/// again, but for `_meta` where a key of it is replaced or removed, for all of them where a member is, and for line breaks where
/// a line or an event is made of a message. Each name there is compared with each that changes. No allocation but for the
/// caller's buffer, up to four members and four keys that change; the pieces of a message are a list of their own, if they are
/// more than eight.
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
    section: NewSection<'a>,
    /// Members of params or of the result, but for `_meta`.
    members: Changes<'a>,
    meta: MetaChanges<'a>,
}

/// What becomes of params or of the result as a whole.
#[derive(Clone, Copy)]
enum NewSection<'a> {
    Kept,
    Params(RawJson<'a>),
    Result(RawJson<'a>),
    NoParams,
}

impl<'a> Message<'a> {
    /// Changes to this message; see [`Edit`]. Its [pieces](Edit::pieces) are copies: those of
    /// [`MessageBuf::edit`] share the message's bytes.
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

/// The containers that are open around a value of `_meta`, and around a member of params or of a result.
const AROUND_META_VALUE: usize = 3;
const AROUND_MEMBER: usize = 2;

/// Some reader takes a value with so many containers around it.
fn fits(value: RawJson<'_>, around: usize) -> Result<(), EncodeError> {
    let limits = Limits::of_depth(Limits::HIGHEST_MAX_DEPTH - around);
    match RawJson::parse_with(value.as_bytes(), &limits) {
        Ok(_) => Ok(()),
        Err(_) => Err(EncodeError::TooDeep),
    }
}

impl<'a> Edit<'a> {
    fn of(message: Message<'a>, shared: Option<&'a Bytes>) -> Self {
        Self {
            message,
            shared,
            id: None,
            method: None,
            section: NewSection::Kept,
            members: Changes::NONE,
            meta: MetaChanges {
                keys: Changes::NONE,
                is_dropped: false,
            },
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
        self.section = NewSection::Params(params);
        self
    }

    /// No params, unless a member of them is set.
    pub fn without_params(mut self) -> Self {
        self.section = NewSection::NoParams;
        self
    }

    /// Another result, of a result response: an object.
    pub fn result(mut self, result: RawJson<'a>) -> Self {
        self.section = NewSection::Result(result);
        self
    }

    /// Sets a member of the params or of the result to a text, which is escaped: a gateway's `name`, for one. It takes the place
    /// of the value that is there, however its name is spelt, of all of them if there are several, or comes last.
    ///
    /// Walks the whole of the params or the result, which the other edits don't.
    ///
    /// # Errors
    /// `_meta`, which has edits of its own.
    pub fn member_text(self, name: &'a str, text: &'a str) -> Result<Self, EncodeError> {
        self.change_member(Change::text(name, text))
    }

    /// Sets a member of the params or of the result to a value, as [`member_text`](Self::member_text).
    ///
    /// # Errors
    /// `_meta`, or a value that nests so deep that no reader would take it.
    pub fn member_raw(self, name: &'a str, value: RawJson<'a>) -> Result<Self, EncodeError> {
        fits(value, AROUND_MEMBER)?;
        self.change_member(Change::raw(name, value))
    }

    /// Removes a member of the params or of the result, however it is spelt and however often it is there. Nothing changes if
    /// it is not, or in an error response.
    ///
    /// # Errors
    /// `_meta`, which has edits of its own.
    pub fn remove_member(self, name: &'a str) -> Result<Self, EncodeError> {
        self.change_member(Change::removal(name))
    }

    fn change_member(mut self, change: Change<'a>) -> Result<Self, EncodeError> {
        match change.is_of("_meta") {
            true => Err(EncodeError::MetaByKey),
            false => {
                self.members.push(change);
                Ok(self)
            }
        }
    }

    /// Sets a key of `_meta` to a text, which is escaped. It takes the place of the value that is there, however its key is
    /// spelt, of all of them if there are several, or comes last. `_meta` and `params` are put in where they are not there.
    ///
    /// # Errors
    /// What is no key of `_meta` (2026-07-28 `basic/index`, "Key name format").
    pub fn meta_text(self, key: &'a str, text: &'a str) -> Result<Self, EncodeError> {
        MetaKey::parse(key)?;
        Ok(self.change_meta(Change::text(key, text)))
    }

    /// Sets a key of `_meta` to a value, as [`meta_text`](Self::meta_text).
    ///
    /// # Errors
    /// What is no key of `_meta`, or nests so deep that no reader would take it.
    pub fn meta_raw(self, key: &'a str, value: RawJson<'a>) -> Result<Self, EncodeError> {
        MetaKey::parse(key)?;
        fits(value, AROUND_META_VALUE)?;
        Ok(self.change_meta(Change::raw(key, value)))
    }

    /// Removes a key of `_meta`, however it is spelt and however often it is there. Nothing
    /// changes if it is not, or in an error response.
    pub fn remove_meta(self, key: &'a str) -> Self {
        self.change_meta(Change::removal(key))
    }

    /// Removes `_meta` itself, with all that is in it; keys that are set afterwards come into a new one.
    pub fn without_meta(mut self) -> Self {
        self.meta.is_dropped = true;
        self.meta.keys = Changes::NONE;
        self
    }

    fn change_meta(mut self, change: Change<'a>) -> Self {
        self.meta.keys.push(change);
        self
    }

    /// Writes the message with its changes. A line or an event has spaces where the message has line breaks between its
    /// tokens.
    ///
    /// # Errors
    /// A change that the message has no place for. Nothing has been written then.
    pub fn write(&self, out: &mut impl BufMut, framing: Framing<'_>) -> Result<(), EncodeError> {
        let places = self.places()?;
        let (frame, copying) = (self.message.frame(), framing.copying());
        framing.begin(out);
        self.play(&places, &mut |part: Part<'_>| {
            part.put(frame, copying, |piece| out.put_slice(piece.as_bytes()));
        });
        framing.end(out);
        Ok(())
    }

    /// The message with its changes as pieces, for vectored writes and for buffers that are chained. Long stretches of a
    /// message that [owns its bytes](MessageBuf) are shared with it and not copied, unless line breaks in them have to go; all
    /// else is written to `scratch`, of which the pieces take what they need.
    ///
    /// Stretches below 128 bytes are copied, and all of a [`Message`] that a `MessageBuf` lends: it does not know whose it is.
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
        let places = self.places()?;
        let mut pieces = Building::new(scratch, (self.message.frame(), self.shared), framing);
        self.play(&places, &mut |part: Part<'_>| {
            pieces.add(&part, framing.copying())
        });
        Ok(pieces.finish())
    }

    /// What changes where. All that can be wrong is found here.
    fn places(&self) -> Result<Places<'a>, EncodeError> {
        self.has_places()?;
        let mut places = Places::default();
        if let Some(id) = self.id {
            places.put(Place::new(&self.message, Member::Id, New::Raw(id.raw())));
        }
        if let Some(method) = self.method {
            places.put(Place::new(&self.message, Member::Method, New::Text(method)));
        }
        if let Some(new) = self.section()? {
            let mut place = Place::new(&self.message, self.section_member(), new);
            if place.at.is_none() {
                // Under the lenient policy a `null` counts as absent, and stands there all the same.
                place.at = null_params(&self.message);
            }
            match (place.at, &place.new) {
                (Some(_), New::Nothing) => {
                    place.at = self.cut_params();
                    places.put(place);
                }
                (None, New::Nothing) => {}
                _ => places.put(place),
            }
        }
        places.there.sort_unstable_by_key(|place| place.at);
        Ok(places)
    }

    /// Gives out the message with its changes, part by part.
    fn play(&self, places: &Places<'a>, give: &mut dyn FnMut(Part<'a>)) {
        let frame = self.message.frame();
        let mut script = Script::new(Source::Part(frame, 0), give);
        for place in &places.absent {
            // Behind the brace; the message has other members, so there is always one to follow.
            script.keep_to(offset_in(frame, self.message.as_raw().raw()) + 1);
            script.push(Part::Name(place.member.name()));
            self.push_new(&mut script, place);
            script.push(Part::Literal(","));
        }
        for place in &places.there {
            let (start, end) = place.at.unwrap_or_default();
            script.keep_to(start);
            self.push_new(&mut script, place);
            script.skip_to(end);
        }
        script.keep_to(frame.len());
    }

    /// A message of its kind has what is to be changed.
    fn has_places(&self) -> Result<(), EncodeError> {
        let kind = self.message.kind();
        let is_asking = matches!(kind, Kind::Request | Kind::Notification);
        let has_new_result = matches!(self.section, NewSection::Result(_));
        let has_new_params = matches!(self.section, NewSection::Params(_) | NewSection::NoParams);
        for (member, is_changed, has_place) in [
            (Member::Id, self.id.is_some(), kind != Kind::Notification),
            (Member::Method, self.method.is_some(), is_asking),
            (Member::Params, has_new_params, is_asking),
            (Member::Params, self.members.set_any(), kind != Kind::Error),
            (Member::Result, has_new_result, kind == Kind::Result),
            (
                Member::ParamsMeta,
                self.meta.keys.set_any(),
                kind != Kind::Error,
            ),
        ] {
            if is_changed && !has_place {
                return Err(EncodeError::NoPlace(member));
            }
        }
        Ok(())
    }

    /// What goes with the params. Walks the message.
    fn cut_params(&self) -> Option<(usize, usize)> {
        let whole = self.message.as_raw();
        let at = offset_in(self.message.frame(), whole.raw());
        let (start, end) = object_edit::cut(whole, "params")?;
        Some((start + at, end + at))
    }

    fn section_member(&self) -> Member {
        match self.message.kind() {
            Kind::Result => Member::Result,
            _ => Member::Params,
        }
    }

    /// What becomes of params or result, if anything does.
    fn section(&self) -> Result<Option<New<'a>>, EncodeError> {
        let sets = self.members.set_any() || self.meta.keys.set_any();
        let changes = !self.members.is_empty() || !self.meta.is_empty();
        let empty = Some(New::Section(Section {
            text: "{}",
            meta: None,
            is_kept: false,
            are_new: true,
        }));
        Ok(match self.section {
            NewSection::Params(given) | NewSection::Result(given) => {
                // It has to be an object in which nothing that decides stands twice.
                let limits = Limits::of_depth(Limits::HIGHEST_MAX_DEPTH);
                let section = Message::of_section(Some(given), self.message.kind(), &limits)?;
                Some(self.new_section(given.raw(), &section, false)?)
            }
            NewSection::NoParams if sets => empty,
            NewSection::NoParams => Some(New::Nothing),
            NewSection::Kept if !changes => None,
            NewSection::Kept => match self.message.member(self.section_member()) {
                Some(section) => Some(self.new_section(section.raw(), &self.message, true)?),
                None if sets => empty,
                None => None,
            },
        })
    }

    /// `message` is the one that the text was read in.
    fn new_section(
        &self,
        text: &'a str,
        message: &Message<'a>,
        is_kept: bool,
    ) -> Result<New<'a>, EncodeError> {
        let meta = meta_of(message);
        let is_object = meta.is_none_or(|meta| meta.kind() == JsonKind::Object);
        if !is_object && self.meta.keys.set_any() && !self.meta.is_dropped {
            return Err(EncodeError::Invalid(self.meta_member()));
        }
        Ok(New::Section(Section {
            text,
            meta,
            is_kept,
            are_new: meta.is_some_and(|meta| self.meta.keys.are_new(message, meta)),
        }))
    }

    fn push_new(&self, script: &mut Script<'a, '_>, place: &Place<'a>) {
        match place.new {
            New::Raw(raw) => script.push(Part::Raw(raw)),
            New::Text(text) => script.push(Part::Text(text)),
            New::Nothing => {}
            New::Section(section) => {
                let source = match section.is_kept {
                    true => Source::Part(section.text, place.at.map_or(0, |(start, _)| start)),
                    false => Source::Given(section.text),
                };
                script.inside(source, |script| self.push_section(script, section));
            }
        }
    }

    /// Goes over params or a result, as far as they change. All places count within the section.
    fn push_section(&self, script: &mut Script<'a, '_>, section: Section<'a>) {
        let whole = RawJson::from_checked(section.text);
        match section.meta {
            // What is known of the section is where `_meta` stands: the rest of it need not be walked.
            Some(value) if self.is_meta_alone() => {
                let at = offset_in(section.text, value.raw());
                script.keep_to(at);
                let is_object = value.kind() == JsonKind::Object;
                match section.are_new && is_object && !self.meta.is_dropped {
                    true => self.meta.keys.append_last(script, value, at),
                    false => object_edit::change_meta(script, value, at, &self.meta),
                }
            }
            None if self.members.is_empty() && self.meta.keys.set_any() => {
                script.keep_to(1);
                let rest = section.text.get(1..).unwrap_or("}");
                object_edit::put_meta(script, &self.meta, !is_empty(rest));
            }
            None if self.members.is_empty() => {}
            found => {
                let section = (whole, found.is_some());
                object_edit::apply_section(script, section, &self.members, &self.meta);
            }
        }
    }

    /// Whether nothing but keys within `_meta` changes.
    fn is_meta_alone(&self) -> bool {
        let is_removed = self.meta.is_dropped && !self.meta.keys.set_any();
        self.members.is_empty() && !is_removed
    }

    fn meta_member(&self) -> Member {
        match self.message.kind() {
            Kind::Result => Member::ResultMeta,
            _ => Member::ParamsMeta,
        }
    }
}

/// The message, and which of its parts change; never payload.
impl fmt::Debug for Edit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edit")
            .field("message", &self.message)
            .field("id", &self.id)
            .field("method", &self.method.map(str::len))
            .field("members", &self.members.len())
            .field("meta", &self.meta.keys.len())
            .finish_non_exhaustive()
    }
}
