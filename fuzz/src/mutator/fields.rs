//! Edits of header fields.

use super::{raw, replace};
use crate::rng::Rng;
use base64::prelude::{BASE64_STANDARD, Engine};
use std::ops::Range;

const MEDIA_TYPES: [&[u8]; 8] = [
    b"application/json",
    b"text/event-stream",
    b"Application/JSON",
    b"text/plain",
    b"application/problem+json",
    b"application/json+x",
    b"*/*",
    b"",
];
const MEDIA_PIECES: [&[u8]; 20] = [
    b";",
    b"; charset=utf-8",
    b";charset=UTF8",
    b"; Charset=\"utf-8\"",
    b";charset=\"u\\tf-8\"",
    b"; charset=latin1",
    b"; x=\"a;b,c\"",
    b"; q=0",
    b";q=0.0",
    b";q=1.000",
    b"\"",
    b"\\",
    b"=",
    b"/",
    b"+",
    b"+json",
    b" ",
    b"\t",
    b", text/event-stream",
    b"\x0C",
];
const CODINGS: [&[u8]; 10] = [
    b"identity",
    b"gzip",
    b"X-GZip",
    b"br",
    b"zstd",
    b"deflate",
    b"compress",
    b"dcb",
    b"",
    b" ",
];
const NAMES: [&[u8]; 14] = [
    b"MCP-Protocol-Version",
    b"mcp-protocol-version",
    b"Mcp-Method",
    b"Mcp-Name",
    b"Mcp-Name",
    b"Mcp-Param-P0",
    b"MCP-PARAM-p1",
    b"Mcp-Param-P2",
    b"Mcp-Session-Id",
    b"Last-Event-ID",
    b"Accept",
    b"Content-Type",
    b"Content-Encoding",
    b"Content-Length",
];
const VALUES: [&[u8]; 26] = [
    b"2026-07-28",
    b"2025-11-25",
    b"2025-03-26",
    b"DRAFT-2027-v1",
    b"tools/call",
    b"resources/read",
    b"tasks/get",
    b"tools/list",
    b"initialize",
    b"notifications/x",
    b"",
    b"a",
    b"true",
    b"0",
    b"42.0",
    b"-0",
    b"=?base64?",
    b"?=",
    b"=?base64??=",
    b"=?base64?=",
    b"=?base64?YQ==?=",
    b"=?base64?YR==?=",
    b"=?BASE64?YQ==?=",
    b"=?base64?/w==?=",
    b"99999999999999999999999",
    b"text/event-stream;q=0, */*",
];
const VALUE_PIECES: [&[u8]; 9] = [
    b" ",
    b"\t",
    b"a",
    b"=",
    b"?=",
    b"\x7F",
    b"\xC3\xA9",
    b"0",
    b"\"",
];

/// Lines `name: value`.
pub fn edit_lines(lines: &mut Vec<u8>, rng: &mut Rng) {
    let line = line(lines, rng);
    match rng.below(8) {
        0 | 1 => {
            let made = [one_of(&NAMES, rng), b": ", one_of(&VALUES, rng), b"\n"].concat();
            replace(lines, line.start..line.start, &made);
        }
        2 => replace(lines, line, b""),
        3 => {
            let copy = [&lines[line.clone()], b"\n"].concat();
            replace(lines, line.start..line.start, &copy);
        }
        4 | 5 => {
            let colon = lines[line.clone()].iter().position(|&b| b == b':');
            let value = colon.map_or(line.end, |colon| line.start + colon + 1)..line.end;
            let mut edited = lines[value.clone()].to_vec();
            edit_value(&mut edited, rng);
            replace(lines, value, &edited);
        }
        6 => {
            let at = line.start + rng.below(line.len() + 1);
            replace(lines, at..at, one_of(&VALUE_PIECES, rng));
        }
        _ => raw::edit(lines, rng),
    }
}

/// A value that may be encoded.
pub fn edit_value(value: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(value.len() + 1);
    match rng.below(7) {
        0 => *value = one_of(&VALUES, rng).to_vec(),
        1 => *value = format!("=?base64?{}?=", BASE64_STANDARD.encode(&*value)).into_bytes(),
        2 => replace(value, at..at, one_of(&VALUE_PIECES, rng)),
        3 => {
            // White space around it.
            value.insert(0, *rng.pick(b" \t").unwrap_or(&b' '));
            value.push(*rng.pick(b" \t").unwrap_or(&b' '));
        }
        4 => {
            let end = value.len().min(at + 1);
            replace(value, at..end, b"");
        }
        5 => {
            if let Some(b) = value.get_mut(at) {
                *b ^= 0x20;
            }
        }
        _ => raw::edit(value, rng),
    }
}

/// `Content-Type`, or `Accept`.
pub fn edit_media_type(text: &mut Vec<u8>, rng: &mut Rng) {
    let at = match rng.once_in(2) {
        true => text.len(),
        false => rng.below(text.len() + 1),
    };
    match rng.below(6) {
        0 => *text = one_of(&MEDIA_TYPES, rng).to_vec(),
        1..=3 => replace(text, at..at, one_of(&MEDIA_PIECES, rng)),
        4 => {
            if let Some(b) = text.get_mut(at) {
                *b ^= 0x20;
            }
        }
        _ => raw::edit(text, rng),
    }
}

/// `Content-Encoding`.
pub fn edit_coding(text: &mut Vec<u8>, rng: &mut Rng) {
    match rng.below(4) {
        0 => *text = one_of(&CODINGS, rng).to_vec(),
        1 | 2 => {
            text.extend_from_slice(if rng.once_in(2) { b"," } else { b" , " });
            text.extend_from_slice(one_of(&CODINGS, rng));
        }
        _ => raw::edit(text, rng),
    }
}

fn one_of<'a>(table: &[&'a [u8]], rng: &mut Rng) -> &'a [u8] {
    rng.pick(table).copied().unwrap_or_default()
}

/// A line without its LF.
fn line(input: &[u8], rng: &mut Rng) -> Range<usize> {
    let within = rng.below(input.len() + 1);
    let start = input[..within].iter().rposition(|&b| b == b'\n');
    let start = start.map_or(0, |lf| lf + 1);
    let length = input[start..].iter().position(|&b| b == b'\n');
    start..length.map_or(input.len(), |length| start + length)
}
