//! Which header of a request is at fault: "missing required header, value that differs, value with invalid characters",
//! and a header that is there twice.

use super::{Unsure, tree, value};
use http::HeaderMap;
use rpcslice::{ErrorKind, Header};

/// What a header has to say.
#[derive(Clone, Debug)]
pub enum Said {
    /// This text, as it is.
    Exact(String),
    /// This text, as it is or in the Base64 form.
    Text(String),
    /// A scalar of the body.
    Scalar(String),
    /// The header may not be there.
    Nothing,
}

/// A header that mirrors a part of the body.
#[derive(Clone, Debug)]
pub struct Mirrored {
    pub header: Header,
    pub name: String,
    pub said: Said,
}

/// Which header is at fault, and how: any of these.
pub type Fault = (Header, Vec<ErrorKind>);

/// `Err`: this can't tell.
pub fn first_fault(mirrored: &[Mirrored], headers: &HeaderMap) -> Result<Option<Fault>, Unsure> {
    for one in mirrored {
        let kinds = one.faults(headers)?;
        if !kinds.is_empty() {
            return Ok(Some((one.header, kinds)));
        }
    }
    Ok(None)
}

impl Mirrored {
    fn faults(&self, headers: &HeaderMap) -> Result<Vec<ErrorKind>, Unsure> {
        let values: Vec<_> = headers.get_all(&self.name).iter().collect();
        let header = self.header;
        let found = match (&*values, &self.said) {
            ([], Said::Nothing) => None,
            ([], _) => Some(ErrorKind::HeaderMissing(header)),
            ([_, _, ..], _) => {
                // What is wrong with one of them may be told first.
                let is_good =
                    |value: &&http::HeaderValue| value::trimmed(value.as_bytes()).is_some();
                let mut kinds = vec![ErrorKind::HeaderRepeated(header)];
                if !values.iter().all(is_good) {
                    kinds.push(ErrorKind::HeaderInvalid(header));
                }
                return Ok(kinds);
            }
            ([_], Said::Nothing) => Some(ErrorKind::HeaderMismatch(header)),
            ([value], said) => match says(value.as_bytes(), said)? {
                None => Some(ErrorKind::HeaderInvalid(header)),
                Some(true) => None,
                Some(false) => Some(ErrorKind::HeaderMismatch(header)),
            },
        };
        Ok(Vec::from_iter(found))
    }
}

/// Whether a value says that; `None` if it says nothing at all.
pub fn says(value: &[u8], said: &Said) -> Result<Option<bool>, Unsure> {
    let raw = match said {
        Said::Exact(text) => return Ok(value::trimmed(value).map(|found| found == text)),
        Said::Text(text) => return Ok(value::decode(value).map(|found| found == *text)),
        Said::Scalar(raw) => raw,
        Said::Nothing => return Ok(Some(false)),
    };
    let Some(found) = value::decode(value) else {
        return Ok(None);
    };
    Ok(Some(match raw.as_bytes()[0] {
        b'"' => tree::text(raw).is_ok_and(|text| text == found),
        b't' | b'f' => *raw == found,
        b'[' | b'{' => false,
        // What no header can say.
        _ if value::integer(raw).is_none() => return Ok(None),
        _ => value::is_equal(&found, raw).ok_or(Unsure)?,
    }))
}
