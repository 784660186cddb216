/// How much an [`IdMap`](super::IdMap) remembers in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdMapLimits {
    pub(super) requests: usize,
    pub(super) bytes: usize,
    pub(super) requests_per_client: usize,
    pub(super) bytes_per_client: usize,
    pub(super) id_bytes: usize,
}

impl IdMapLimits {
    /// 65,536 requests and 16 MiB of ids and tokens; of one client 1,024 and 256 KiB. An id or a token may have 512 bytes.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            requests: 1 << 16,
            bytes: 16 << 20,
            requests_per_client: 1 << 10,
            bytes_per_client: 256 << 10,
            id_bytes: 512,
        }
    }

    /// Sets how many requests may be in flight in all, and how many bytes their ids and tokens may have.
    #[must_use]
    pub const fn with_total(mut self, requests: usize, bytes: usize) -> Self {
        self.requests = requests;
        self.bytes = bytes;
        self
    }

    /// Sets the same for one client.
    #[must_use]
    pub const fn with_client(mut self, requests: usize, bytes: usize) -> Self {
        self.requests_per_client = requests;
        self.bytes_per_client = bytes;
        self
    }

    /// Sets how many bytes one id or token may have, as JSON text. Every message is compared with some of those in flight,
    /// so what a message costs goes by this.
    #[must_use]
    pub const fn with_id_bytes(mut self, bytes: usize) -> Self {
        self.id_bytes = bytes;
        self
    }
}

impl Default for IdMapLimits {
    fn default() -> Self {
        Self::new()
    }
}
