use crate::encode::{Edit, EncodeError};
use crate::json::RawJson;
use crate::mcp::Method;
use crate::message::{Id, IdBuf, Message};
use crate::vocab::Member;
use core::fmt;

/// What becomes of the ids in a message that is passed on. [`apply`](Self::apply) makes it a part of the [`Edit`] by which the
/// message is passed on.
#[derive(Clone, Default, PartialEq, Eq)]
#[must_use = "the message has to be edited so"]
pub struct Renames {
    pub(super) id: Option<IdBuf>,
    /// `params.requestId` of `notifications/cancelled`.
    pub(super) request_id: Option<IdBuf>,
    /// `params.progressToken` of `notifications/progress`.
    pub(super) progress_token: Option<IdBuf>,
    /// `_meta.progressToken` of a request.
    pub(super) token: Option<IdBuf>,
    pub(super) subscription: Subscription,
    /// The method of the request that the message is about, but for a request itself.
    pub(super) about: Option<Method>,
}

/// `_meta["io.modelcontextprotocol/subscriptionId"]`.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) enum Subscription {
    /// It is not there.
    #[default]
    Absent,
    Known(IdBuf),
    /// It names none of the receiver's, and goes.
    Unknown,
}

impl Subscription {
    /// What the one that a message names is called on the other side, if there is one.
    pub(super) fn of(message: &Message<'_>, find: impl Fn(Id<'_>) -> Option<IdBuf>) -> Self {
        match message.member(Member::SubscriptionId) {
            None => Self::Absent,
            Some(named) => Id::of(named)
                .and_then(find)
                .map_or(Self::Unknown, Self::Known),
        }
    }
}

impl Renames {
    /// The id that the message has from now on, if it has one.
    #[must_use]
    pub const fn id(&self) -> Option<&IdBuf> {
        self.id.as_ref()
    }

    /// `params.requestId` of a cancellation from now on.
    #[must_use]
    pub const fn request_id(&self) -> Option<&IdBuf> {
        self.request_id.as_ref()
    }

    /// The method of the request that a response answers, or that a notification cancels or tells of, if the table knows it:
    /// what [`Rules::check_response`](crate::mcp::Rules::check_response) asks for.
    #[must_use]
    pub const fn about(&self) -> Option<Method> {
        self.about
    }

    /// Adds the new ids to what is changed in the message.
    ///
    /// # Errors
    /// None in practice: ids fit where ids were.
    pub fn apply<'a>(&'a self, mut edit: Edit<'a>) -> Result<Edit<'a>, EncodeError> {
        let value = |id: &'a IdBuf| RawJson::from_checked(id.raw());
        if let Some(id) = &self.id {
            edit = edit.id(id.as_id());
        }
        for (member, id) in [
            (Member::RequestId, &self.request_id),
            (Member::ParamsProgressToken, &self.progress_token),
        ] {
            if let Some(id) = id {
                edit = edit.member_raw(member.name(), value(id))?;
            }
        }
        if let Some(token) = &self.token {
            edit = edit.meta_raw(Member::ProgressToken.name(), value(token))?;
        }
        match &self.subscription {
            Subscription::Absent => Ok(edit),
            Subscription::Known(id) => edit.meta_raw(Member::SubscriptionId.name(), value(id)),
            Subscription::Unknown => Ok(edit.remove_meta(Member::SubscriptionId.name())),
        }
    }
}

/// The new id, and which others there are.
impl fmt::Debug for Renames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renames")
            .field("id", &self.id)
            .field("request_id", &self.request_id)
            .field("progress_token", &self.progress_token)
            .field("token", &self.token)
            .finish_non_exhaustive()
    }
}
