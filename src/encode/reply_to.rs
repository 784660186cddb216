use crate::mcp::Method;
use crate::message::{Id, Request};

/// What is answered: the id of a request, and its method where it is known. By the method a result is held to what its request
/// asked for, and gets what the revision wants of it.
#[derive(Clone, Copy, Debug)]
pub struct ReplyTo<'a> {
    id: Id<'a>,
    pub(super) method: Option<Method>,
}

impl<'a> ReplyTo<'a> {
    /// The request of this id. As long as its method is not [set](Self::method), nothing is known of it: right for a method of
    /// an extension, but a result of any other gets what the revision wants of it only if it is.
    #[must_use]
    pub const fn new(id: Id<'a>) -> Self {
        Self { id, method: None }
    }

    /// The id.
    #[must_use]
    pub const fn id(&self) -> Id<'a> {
        self.id
    }

    /// Sets the method of the request.
    #[must_use]
    pub const fn method(mut self, method: Method) -> Self {
        self.method = Some(method);
        self
    }
}

impl<'a> From<Request<'a>> for ReplyTo<'a> {
    fn from(request: Request<'a>) -> Self {
        Self::from(&request)
    }
}

impl<'a> From<&Request<'a>> for ReplyTo<'a> {
    fn from(request: &Request<'a>) -> Self {
        Self {
            id: request.id(),
            method: Method::find(&request.method()),
        }
    }
}
