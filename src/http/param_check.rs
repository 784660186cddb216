//! Arguments and their headers: written, and compared.

use super::mirrored::Values;
use super::param_plan::ParamPlan;
use super::request::UnsendableError;
use super::value::{ValueError, decode, encode_value, integer};
use crate::error::{Error, ErrorKind, Span};
use crate::header::Header;
use crate::json::descent::{Descent, Step};
use crate::json::{JsonKind, RawJson, number};
use crate::mcp::{Era, Rules, fault};
use crate::message::{Kind, Message};
use crate::vocab::Member;
use ::http::{HeaderMap, HeaderValue};
use core::mem;
use smallvec::SmallVec;

/// The arguments that a plan is about, by their number.
type Found<'a> = SmallVec<[Option<RawJson<'a>>; 8]>;

impl ParamPlan {
    /// The `Mcp-Param-*` headers for a call with these arguments: one for each annotated argument that is there and not
    /// `null`. Walks the arguments once.
    ///
    /// # Errors
    /// An argument that can't stand in a header, or is there twice.
    pub fn headers(&self, arguments: Option<RawJson<'_>>) -> Result<HeaderMap, UnsendableError> {
        let mut headers = HeaderMap::new();
        self.insert(arguments, &mut headers)?;
        Ok(headers)
    }

    /// The headers of a call.
    pub(super) fn insert_of(
        &self,
        call: &Message<'_>,
        headers: &mut HeaderMap,
    ) -> Result<(), UnsendableError> {
        if !self.is_empty() && second_arguments(call).is_some() {
            return Err(UnsendableError {
                header: Header::Param(0),
                reason: ValueError::Repeated,
            });
        }
        self.insert(call.member(Member::Arguments), headers)
    }

    fn insert(
        &self,
        arguments: Option<RawJson<'_>>,
        headers: &mut HeaderMap,
    ) -> Result<(), UnsendableError> {
        let unsendable = |number, reason| UnsendableError {
            header: Header::Param(number as u16),
            reason,
        };
        let found = self.find(arguments);
        let found = found.map_err(|twice| unsendable(twice.param, ValueError::Repeated))?;
        for (number, (param, value)) in self.params.iter().zip(found).enumerate() {
            let value = value.map(encode_value).transpose();
            let value = value.map_err(|reason| unsendable(number, reason))?;
            match value.flatten() {
                Some(value) => headers.insert(param.header.clone(), value),
                None => headers.remove(&param.header),
            };
        }
        Ok(())
    }

    /// Holds the arguments of a `tools/call` to its `Mcp-Param-*` headers, as a server does for the tool that is called
    /// (2026-07-28 `basic/transports/streamable-http#server-behavior-for-custom-headers`): a header for each annotated
    /// argument that is there and not `null`, once, with the same value; none for the others. Texts and booleans are
    /// compared by their characters, numbers by their value (`42.0` is `42`). Headers that no annotation names are ignored.
    ///
    /// There are such headers only for a call that names a modern revision in `_meta`, one that the rules have: any other
    /// message passes.
    ///
    /// Walks params and arguments once. Allocates nothing for up to eight annotations and as many objects around them, but for
    /// decoding Base64.
    ///
    /// # Errors
    /// -32020 for the first annotation that does not agree, at the argument. An argument that is there twice agrees with
    /// nothing, nor does any if `arguments` is; nor a number that can't stand in a header.
    pub fn check(
        &self,
        rules: &Rules,
        message: &Message<'_>,
        headers: &HeaderMap,
    ) -> Result<(), Error> {
        let is_mirrored = rules.served().has(Era::Modern)
            && message.member(Member::ProtocolVersion).is_some()
            && message.kind() == Kind::Request
            && message
                .method()
                .is_some_and(|method| method == "tools/call");
        if self.is_empty() || !is_mirrored {
            return Ok(());
        }
        let refuse = |kind: fn(Header) -> ErrorKind, number: usize, value: Option<RawJson<'_>>| {
            let span = match value {
                Some(value) => span_in(message, value),
                None => message.span(Member::Arguments),
            };
            Err(fault::at(message, kind(Header::Param(number as u16)), span))
        };
        if let Some(second) = second_arguments(message) {
            return refuse(ErrorKind::HeaderMismatch, 0, Some(second));
        }
        let found = match self.find(message.member(Member::Arguments)) {
            Ok(found) => found,
            Err(twice) => return refuse(ErrorKind::HeaderMismatch, twice.param, Some(twice.value)),
        };
        for (number, (param, value)) in self.params.iter().zip(found).enumerate() {
            let value = value.filter(|value| !value.is_null());
            let values = Values::of(headers, &param.header);
            let kind: fn(Header) -> ErrorKind = match (values.only(), value) {
                (Err(_), None) if matches!(values, Values::None) => continue,
                (Err(kind), _) => kind,
                (Ok(_), None) => ErrorKind::HeaderMismatch,
                (Ok(header), Some(value)) => match says(header, value) {
                    Ok(true) => continue,
                    Ok(false) => ErrorKind::HeaderMismatch,
                    Err(_) => ErrorKind::HeaderInvalid,
                },
            };
            return refuse(kind, number, value);
        }
        Ok(())
    }

    /// Looks for the arguments, in one pass down the plan's own paths.
    fn find<'a>(&self, arguments: Option<RawJson<'a>>) -> Result<Found<'a>, Twice<'a>> {
        let mut found: Found<'a> = SmallVec::from_elem(None, self.params.len());
        let object = arguments.filter(|value| value.kind() == JsonKind::Object);
        let Some(mut descent) = object.and_then(Descent::new) else {
            return Ok(found);
        };
        // Of each object entered the node of the plan.
        let mut open: SmallVec<[usize; 8]> = SmallVec::from_slice(&[0]);
        let mut met: SmallVec<[bool; 16]> = SmallVec::from_elem(false, self.nodes.len());
        while let (Some(step), Some(&at)) = (descent.next(), open.last()) {
            let name = match step {
                Step::Leave => {
                    open.pop();
                    continue;
                }
                Step::Element => {
                    descent.take();
                    continue;
                }
                Step::Member(name) => name,
            };
            let child = self.child(at, &name);
            let Some((child, node)) = child.and_then(|child| Some((child, self.nodes.get(child)?)))
            else {
                descent.take();
                continue;
            };
            let is_second = met
                .get_mut(child)
                .is_some_and(|met| mem::replace(met, true));
            if !is_second && node.param.is_none() && descent.is_at_object() {
                descent.enter();
                open.push(child);
                continue;
            }
            let Some(value) = descent.take() else {
                continue;
            };
            if is_second {
                let param = self.first_below(child);
                return Err(Twice { param, value });
            }
            if let Some(place) = node.param.and_then(|param| found.get_mut(param)) {
                *place = Some(value);
            }
        }
        Ok(found)
    }
}

/// An argument, or an object that holds some, is there twice: two readers may take either.
struct Twice<'a> {
    param: usize,
    value: RawJson<'a>,
}

/// The second `arguments` of params, if there is one: which would a reader take?
fn second_arguments<'a>(message: &Message<'a>) -> Option<RawJson<'a>> {
    let members = message.params()?.members();
    let mut arguments = members.filter(|(name, _)| *name == "arguments");
    arguments.nth(1).map(|(_, value)| value)
}

/// Whether a header says what an argument is.
fn says(header: &HeaderValue, value: RawJson<'_>) -> Result<bool, ValueError> {
    let text = decode(header)?;
    Ok(match value.kind() {
        JsonKind::String => value.as_string().is_some_and(|string| string == *text),
        JsonKind::Bool => value.raw() == text,
        JsonKind::Number => {
            // What no client may send (`#schema-extension`), two readers may read as two numbers.
            integer(value.raw())?;
            is_number(&text) && number::is_equal(&text, value.raw())
        }
        JsonKind::Null | JsonKind::Array | JsonKind::Object => false,
    })
}

fn is_number(text: &str) -> bool {
    RawJson::parse(text.as_bytes())
        .is_ok_and(|value| value.kind() == JsonKind::Number && value.raw() == text)
}

/// Where in the frame a value stands that is a slice of it.
fn span_in(message: &Message<'_>, value: RawJson<'_>) -> Span {
    let start = value.raw().as_ptr() as usize - message.frame().as_ptr() as usize;
    Span::new(start, start + value.raw().len())
}
