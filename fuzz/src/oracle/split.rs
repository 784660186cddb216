//! Where lines end, a byte at a time over a stream that is there as a whole.

/// A line as every way of cutting has to give it.
#[derive(Clone, PartialEq, Eq)]
pub struct Line {
    pub offset: u64,
    pub terminated: bool,
    pub blanks_before: u64,
    /// The bytes before the LF; or how many they are, and how many are allowed.
    pub body: Result<Vec<u8>, (u64, usize)>,
}

impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let end = if self.terminated { "LF" } else { "end" };
        write!(f, "[{}, {} blank before, ", self.offset, self.blanks_before)?;
        match &self.body {
            Ok(body) => write!(f, "\"{}\" {end}]", body.escape_ascii()),
            Err((len, limit)) => write!(f, "{len} bytes of {limit} {end}]"),
        }
    }
}

/// The lines of a stream, and how many blank ones there are. The input ends at the end of each part, and then goes on.
pub fn lines(parts: &[&[u8]], limit: usize, lenient: bool) -> (Vec<Line>, u64) {
    let mut lines = Vec::new();
    let (mut offset, mut blanks, mut blanks_before) = (0u64, 0u64, 0u64);
    for part in parts {
        let mut i = 0;
        while i < part.len() {
            let is_start_of_stream = offset == 0;
            if (is_start_of_stream || lenient) && part[i..].starts_with(b"\xEF\xBB\xBF") {
                i += 3;
                offset += 3;
            }
            let start = i;
            while i < part.len() && part[i] != b'\n' {
                i += 1;
            }
            let body = &part[start..i];
            let terminated = i < part.len();
            i += usize::from(terminated);
            if !terminated && body.is_empty() {
                continue;
            }
            let is_blank = body.iter().all(|b| matches!(b, b' ' | b'\t' | b'\r'));
            if is_blank && body.len() <= limit {
                blanks += 1;
                blanks_before += 1;
            } else {
                lines.push(Line {
                    offset,
                    terminated,
                    blanks_before: std::mem::take(&mut blanks_before),
                    body: match body.len() <= limit {
                        true => Ok(body.to_vec()),
                        false => Err((body.len() as u64, limit)),
                    },
                });
            }
            offset += body.len() as u64 + u64::from(terminated);
        }
    }
    (lines, blanks)
}
