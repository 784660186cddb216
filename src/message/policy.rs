/// What parsing may vary where the specifications leave room.
///
/// Both policies demand well-formed JSON in UTF-8, unique deciding members and everything else that keeps two readers
/// from reading differently. The lenient one takes what some real peers send:
///
/// | | strict | lenient |
/// |---|---|---|
/// | id `1.0`, `1e2` | refused | taken if the value is integral; the bytes stay, and ids compare by them |
/// | `params: null` | refused | as if absent |
/// | `error: null` beside a result | refused | as if absent |
/// | optional member of `params` or `result` that is `null`, for [`Rules`](crate::mcp::Rules) | refused | as if absent |
/// | malformed `clientInfo`, for the rules | refused | taken |
/// | byte order mark | skipped once, at the start of a stream | skipped at the start of every line |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    pub(crate) lenient: bool,
}

impl Policy {
    /// What the specifications say, and nothing beyond. The default.
    #[must_use]
    pub const fn strict() -> Self {
        Self { lenient: false }
    }

    /// Takes more; see the table above.
    #[must_use]
    pub const fn lenient() -> Self {
        Self { lenient: true }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::strict()
    }
}
