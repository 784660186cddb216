/// Bounds that hold whatever the bytes are. Small, `Copy`, made once and passed around.
///
/// ```
/// use rpcslice::Limits;
///
/// let limits = Limits::new().with_max_frame_bytes(1 << 20).with_max_depth(64);
/// assert_eq!(limits.max_frame_bytes(), 1 << 20);
/// assert_eq!(limits.max_depth(), 64);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    max_frame_bytes: u32,
    max_depth: u16,
    max_batch_len: u16,
}

impl Limits {
    /// The bytes of one frame that are accepted by default: 16 MiB.
    pub const DEFAULT_MAX_FRAME_BYTES: usize = 16 << 20;
    /// The containers that may be open at once by default: 128.
    pub const DEFAULT_MAX_DEPTH: usize = 128;
    /// The highest value that [`with_max_depth`](Self::with_max_depth) takes.
    pub const HIGHEST_MAX_DEPTH: usize = 1024;

    /// The messages that one batch may have by default: 128.
    pub const DEFAULT_MAX_BATCH_LEN: usize = 128;

    /// 16 MiB a frame, 128 containers deep, 128 messages a batch.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            max_frame_bytes: Self::DEFAULT_MAX_FRAME_BYTES as u32,
            max_depth: Self::DEFAULT_MAX_DEPTH as u16,
            max_batch_len: Self::DEFAULT_MAX_BATCH_LEN as u16,
        }
    }

    /// Sets how many bytes a frame may have. The limit is inclusive; for a line it counts the bytes before the LF.
    ///
    /// Frames are always below 4 GiB: a higher value means 4 GiB - 1.
    #[must_use]
    pub const fn with_max_frame_bytes(mut self, bytes: usize) -> Self {
        self.max_frame_bytes = if bytes > u32::MAX as usize {
            u32::MAX
        } else {
            bytes as u32
        };
        self
    }

    /// Sets how many containers (objects and arrays) may be open at once, the message itself being the first.
    ///
    /// Taken to the range 1 to 1,024: the scanner keeps one bit for each on its stack.
    #[must_use]
    pub const fn with_max_depth(mut self, containers: usize) -> Self {
        self.max_depth = if containers == 0 {
            1
        } else if containers > Self::HIGHEST_MAX_DEPTH {
            Self::HIGHEST_MAX_DEPTH as u16
        } else {
            containers as u16
        };
        self
    }

    /// A frame of any length, and so many containers.
    pub(crate) const fn of_depth(containers: usize) -> Self {
        Self::new()
            .with_max_frame_bytes(usize::MAX)
            .with_max_depth(containers)
    }

    /// Sets how many messages one batch may have (2025-03-26 alone has batches). At most 65,535.
    #[must_use]
    pub const fn with_max_batch_len(mut self, messages: usize) -> Self {
        self.max_batch_len = if messages > u16::MAX as usize {
            u16::MAX
        } else {
            messages as u16
        };
        self
    }

    /// How many messages one batch may have.
    #[must_use]
    pub const fn max_batch_len(&self) -> usize {
        self.max_batch_len as usize
    }

    /// How many bytes a frame may have.
    #[must_use]
    pub const fn max_frame_bytes(&self) -> usize {
        self.max_frame_bytes as usize
    }

    /// How many containers may be open at once.
    #[must_use]
    pub const fn max_depth(&self) -> usize {
        self.max_depth as usize
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}
