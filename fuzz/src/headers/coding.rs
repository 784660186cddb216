//! Values for texts, and texts of values.

use crate::oracle::value;
use http::HeaderValue;
use rpcslice::http::{ValueError, decode, encode};

/// Any text goes into a header and comes out of it.
pub fn hold_text(text: &str) {
    let encoded = encode(text);
    let bytes = encoded.as_bytes();
    assert!(bytes.iter().all(|b| (b' '..=b'~').contains(b)));
    assert!(!bytes.starts_with(b" ") && !bytes.ends_with(b" "));
    assert!(HeaderValue::from_bytes(bytes).is_ok());
    assert_eq!(encoded, value::encode(text));
    assert_eq!(decode(&encoded).as_deref(), Ok(text));
    // The Base64 form says the same, whether it is needed or not.
    let form = HeaderValue::try_from(value::base64_form(text)).expect("visible ASCII");
    assert_eq!(decode(&form).as_deref(), Ok(text));
}

/// Any value says what the oracle reads in it, or nothing.
pub fn hold_value(header: &HeaderValue) {
    let found = decode(header);
    let expected = value::decode(header.as_bytes());
    assert_eq!(found.as_deref().ok(), expected.as_deref());
    if let Err(error) = found {
        let is_ascii = value::trimmed(header.as_bytes()).is_some();
        assert_eq!(error == ValueError::Base64, is_ascii);
    }
}
