//! The HTTP headers that an error may be about: those that mirror a request's body
//! (2026-07-28 `basic/transports/streamable-http`), and `Accept`.

use core::fmt;

/// A header that an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Header {
    /// `MCP-Protocol-Version`: the revision that the request names in `_meta`.
    ProtocolVersion,
    /// `Mcp-Method`: the method.
    Method,
    /// `Mcp-Name`: `params.name`, `params.uri` or `params.taskId`, by the method.
    Name,
    /// `Mcp-Param-*`: an argument of the tool, by the number of its annotation in the plan that was checked.
    Param(u16),
    /// `Accept`, which mirrors nothing, but which a client has to send.
    Accept,
}

impl Header {
    /// Any header of an argument. Written in one piece, so that who knows its name can put that in its place.
    pub(crate) const ANY_PARAM: &str = "Mcp-Param-*";
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ProtocolVersion => "MCP-Protocol-Version",
            Self::Method => "Mcp-Method",
            Self::Name => "Mcp-Name",
            Self::Param(_) => Self::ANY_PARAM,
            Self::Accept => "Accept",
        })
    }
}
