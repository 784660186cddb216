use super::envelope::Kind;
use super::{Id, Message, Meta};
use crate::json::{JsonStr, RawJson};
use crate::vocab::Member;
use core::fmt;

/// A message by its kind. Each view has what its kind always has, without an `Option`; it derefs to the [`Message`]
/// for all the rest.
///
/// ```
/// use rpcslice::{Message, View};
///
/// let msg = Message::parse(br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"#)?;
/// match msg.view() {
///     View::Request(r) => println!("{} wants {}", r.id(), r.method().raw()),
///     View::Notification(n) => println!("{}", n.method().raw()),
///     View::Response(r) => println!("{} gets {} bytes", r.id(), r.result().raw().len()),
///     View::Error(e) => assert_eq!((e.id(), e.code()), (None, -32700)),
/// }
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    /// `method` and `id`.
    Request(Request<'a>),
    /// `method` without `id`.
    Notification(Notification<'a>),
    /// `result` and `id`.
    Response(Response<'a>),
    /// `error`.
    Error(ErrorResponse<'a>),
}

impl<'a> View<'a> {
    #[inline]
    pub(super) const fn of(message: Message<'a>) -> Self {
        match message.kind() {
            Kind::Request => Self::Request(Request(message)),
            Kind::Notification => Self::Notification(Notification(message)),
            Kind::Result => Self::Response(Response(message)),
            Kind::Error => Self::Error(ErrorResponse(message)),
        }
    }
}

macro_rules! views {
    ($($(#[$doc:meta])* $view:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $view<'a>(Message<'a>);

        impl<'a> core::ops::Deref for $view<'a> {
            type Target = Message<'a>;

            #[inline]
            fn deref(&self) -> &Message<'a> {
                &self.0
            }
        }

        impl fmt::Debug for $view<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }
    )*};
}

views! {
    /// A request (JSON-RPC 2.0 section 4): its sender waits for an answer with the same id.
    Request;
    /// A notification (JSON-RPC 2.0 section 4.1): never answered.
    Notification;
    /// A good response (JSON-RPC 2.0 section 5).
    Response;
    /// An error response (JSON-RPC 2.0 section 5.1).
    ErrorResponse;
}

/// In place of what a checked message has for certain.
const NO_TEXT: &str = "\"\"";

/// What a checked message of that kind has for certain.
fn certain<'a>(message: &Message<'a>, member: Member) -> &'a str {
    message.raw(member).unwrap_or("null")
}

impl<'a> Request<'a> {
    /// The id to answer with.
    #[must_use]
    pub fn id(&self) -> Id<'a> {
        Id::from_checked(certain(&self.0, Member::Id))
    }

    /// The method.
    #[must_use]
    pub fn method(&self) -> JsonStr<'a> {
        let method = self.0.string(Member::Method);
        method.unwrap_or(JsonStr::from_checked(NO_TEXT))
    }
}

impl<'a> Notification<'a> {
    /// The method.
    #[must_use]
    pub fn method(&self) -> JsonStr<'a> {
        let method = self.0.string(Member::Method);
        method.unwrap_or(JsonStr::from_checked(NO_TEXT))
    }
}

impl<'a> Response<'a> {
    /// The id of the request that this answers.
    #[must_use]
    pub fn id(&self) -> Id<'a> {
        Id::from_checked(certain(&self.0, Member::Id))
    }

    /// The result: an object.
    #[must_use]
    pub fn result(&self) -> RawJson<'a> {
        RawJson::from_checked(certain(&self.0, Member::Result))
    }

    /// `result.resultType` (2026-07-28), if it is a string. Its absence means `complete`.
    #[must_use]
    pub fn result_type(&self) -> Option<JsonStr<'a>> {
        self.0.string(Member::ResultType)
    }

    /// `_meta` of the result, if it is an object.
    #[must_use]
    pub fn meta(&self) -> Option<Meta<'a>> {
        self.0.meta()
    }
}

impl<'a> ErrorResponse<'a> {
    /// The id of the request that failed; `None` where the request could not be read.
    #[must_use]
    pub fn id(&self) -> Option<Id<'a>> {
        self.0.id()
    }

    /// `error.code`.
    #[must_use]
    pub fn code(&self) -> i64 {
        certain(&self.0, Member::ErrorCode).parse().unwrap_or(0)
    }

    /// `error.message`.
    #[must_use]
    pub fn message(&self) -> JsonStr<'a> {
        let message = self.0.string(Member::ErrorMessage);
        message.unwrap_or(JsonStr::from_checked(NO_TEXT))
    }

    /// `error.data`, of any type; of two the last.
    #[must_use]
    pub fn data(&self) -> Option<RawJson<'a>> {
        self.0.member(Member::ErrorData)
    }
}
