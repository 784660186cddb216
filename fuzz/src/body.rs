//! A body is read as its media type says, and gives the same bytes whatever pieces it comes in.
//!
//! The input is the body; behind it, where they are there, the values of `Content-Type` and `Content-Encoding`.

use crate::mutator::{self, events, fields, json};
use crate::options;
use crate::oracle::Unsure;
use crate::oracle::media::{self, Class};
use crate::rng::Rng;
use bytes::Bytes;
use rpcslice::frame::{
    Body, Content, ContentError, NonMessage, Oversize, Part, Payload, SseDecoder,
};
use rpcslice::mcp::{Incoming, Rules, Version};
use rpcslice::{Limits, Policy};

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The target.
pub fn run(data: &[u8]) {
    let (input, tail) = options::split(data);
    let [body, content_type, content_encoding] = options::parts(input);
    let body = body.expect("always there");
    let mut rng = Rng::of(data);
    let limits = options::limits(body, tail);
    // A body without a type is what most inputs are, and JSON is what most of those are.
    let content_type = content_type.or(Some(b"application/json"));
    let opened = Body::open(content_type, content_encoding, limits);
    let class = class(content_type, content_encoding, &opened);
    let (size, verdict) = match opened {
        Ok(Body::Json(content) | Body::Other(content)) => {
            collected(content, body, limits, &mut rng)
        }
        Ok(Body::EventStream(decoder)) => (same_events(decoder, body, limits, &mut rng), 1),
        Err(error) => {
            assert_eq!(error.http_status(), 415);
            let _ = collected(Content::new(limits), body, limits, &mut rng);
            (0, 2)
        }
    };
    let length = u64::from((body.len() / 16 + 1).ilog2());
    crate::count::execution(
        verdict < 2,
        [class, size.min(15), verdict, length]
            .into_iter()
            .fold(0, |all, n| all << 4 | n),
    );
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    mutator::with_tail(data, rng, edit)
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    mutator::in_place(data, size, max, seed, mutate)
}

fn edit(input: &mut Vec<u8>, rng: &mut Rng) {
    let parts: [_; 3] = options::parts(input);
    let mut parts = parts.map(|part| part.map(<[u8]>::to_vec));
    if rng.once_in(8) {
        // So that there is something to edit.
        parts[1].get_or_insert_with(|| b"application/json".to_vec());
        parts[2].get_or_insert_with(Vec::new);
    }
    let is_events = parts[1].as_ref().is_some_and(|ty| ty.starts_with(b"text/"));
    match (rng.below(8), &mut parts) {
        (0 | 1, [_, Some(ty), _]) => fields::edit_media_type(ty, rng),
        (2, [_, _, Some(coding)]) => fields::edit_coding(coding, rng),
        (3, [Some(body), ..]) => match body.strip_prefix(MARK) {
            Some(rest) if rng.once_in(2) => *body = rest.to_vec(),
            _ => *body = [MARK, body].concat(),
        },
        (4, [Some(body), ..]) if rng.once_in(2) => {
            // Blank, and what is nearly so.
            let kept = rng.below(4).min(body.len());
            body.truncate(kept);
            body.extend_from_slice(rng.pick(&BLANKS).expect("some"));
        }
        (_, [Some(body), ..]) if is_events => events::edit(body, rng),
        (_, [Some(body), ..]) => json::edit(body, rng),
        _ => {}
    }
    *input = options::join_parts(&parts);
}

const BLANKS: [&[u8]; 6] = [b"", b" ", b"\t\r\n", b"\x0C", b"\x0B", b"\xC2\xA0"];

/// Holds what the library made of the header fields to the oracle.
fn class(
    content_type: Option<&[u8]>,
    content_encoding: Option<&[u8]>,
    opened: &Result<Body, ContentError>,
) -> u64 {
    match (media::coding(content_encoding), opened) {
        (Err(Unsure), _) => return 15,
        (Ok(Some(name)), Err(ContentError::Coding(told))) => {
            assert!(*told == name || *told == "an unknown coding");
            let is_known = ["gzip", "deflate", "br", "zstd", "compress"].contains(&&*name);
            assert!(!is_known || *told == name);
            return 14;
        }
        (coding, Err(ContentError::Coding(told))) => panic!("{coding:?} told as {told}"),
        (Ok(Some(name)), _) => panic!("{name} is not decoded"),
        (Ok(None), _) => {}
    }
    let found = match opened {
        Ok(Body::Json(_)) => Some(Class::Json),
        Ok(Body::EventStream(_)) => Some(Class::Events),
        Ok(Body::Other(_)) => Some(Class::Other),
        Err(ContentError::Charset) => Some(Class::BadCharset),
        Err(_) => None,
    };
    let expected = media::class(content_type);
    if expected.is_some() {
        assert_eq!(found, expected, "of the type");
    }
    // However it goes on, it has to begin with that.
    let is = |name: &str| {
        let text = content_type
            .unwrap_or(b"")
            .trim_ascii()
            .to_ascii_lowercase();
        let rest = text.strip_prefix(name.as_bytes());
        rest.is_some_and(|rest| rest.trim_ascii_start().first().is_none_or(|b| *b == b';'))
    };
    match found {
        Some(Class::Json) => assert!(is("application/json")),
        Some(Class::Events) => assert!(is("text/event-stream")),
        Some(Class::BadCharset) => assert!(is("application/json") || is("text/event-stream")),
        Some(Class::Other) | None => {}
    }
    found.map_or(13, |class| class as u64 + u64::from(expected.is_none()) * 4)
}

/// Collects the body in pieces, after others. Gives the number of pieces, and what was in them.
fn collected(mut content: Content, body: &[u8], limits: Limits, rng: &mut Rng) -> (u64, u64) {
    let limit = limits.max_frame_bytes();
    if rng.once_in(2) {
        // Another body was here before, which may have been too long.
        let pieces = pieces(body, rng);
        let _ = pushed(&mut content, &pieces, limit, rng);
        if limit < 100_000 && rng.once_in(2) {
            let too_long = Bytes::from(vec![b' '; limit + 1]);
            assert!(content.push(too_long.clone()).is_err());
            assert!(too_long.is_unique(), "over the limit, and held");
        }
        let _ = content.finish();
    }
    let declared = content.may_have(body.len() as u64);
    let pieces = pieces(body, rng);
    let whole = pushed(&mut content, &pieces, limit, rng);
    let cloned = rng.once_in(4).then(|| content.clone().finish());
    let found = content.finish();
    assert_eq!(declared, whole);
    if let Some(cloned) = cloned {
        assert_eq!(cloned, found);
    }
    assert_eq!(content.finish(), Ok(Bytes::new()), "nothing is left");
    match (&found, whole) {
        (Ok(found), Ok(())) => assert_eq!(found, body.strip_prefix(MARK).unwrap_or(body)),
        (found, whole) => assert_eq!(found.as_ref().map(|_| ()), whole.as_ref().copied()),
    }
    let verdict = match found {
        Ok(found) => payload(&found, limits, rng),
        Err(oversize) => {
            assert_eq!(oversize.error().http_status(), 413);
            3
        }
    };
    (pieces.len() as u64, verdict)
}

/// Cut anywhere, with empty ones between.
fn pieces(body: &[u8], rng: &mut Rng) -> Vec<Bytes> {
    let most = *rng.pick(&[1, 4, 50, usize::MAX - 1]).expect("four");
    let (mut pieces, mut rest) = (Vec::new(), body);
    while !rest.is_empty() || rng.once_in(4) {
        let (piece, after) = rest.split_at(rng.below(most + 1).min(rest.len()));
        pieces.push(Bytes::copy_from_slice(piece));
        rest = after;
    }
    pieces
}

/// Pushes all, in either way, and holds each verdict to the sum of the lengths.
fn pushed(
    content: &mut Content,
    pieces: &[Bytes],
    limit: usize,
    rng: &mut Rng,
) -> Result<(), Oversize> {
    let (mut len, mut verdict) = (0, Ok(()));
    for piece in pieces {
        len += piece.len();
        verdict = match rng.once_in(2) {
            true => content.push(piece.clone()),
            false => content.push_slice(piece),
        };
        match verdict {
            Ok(()) => assert!(len <= limit),
            Err(oversize) => {
                let found = (oversize.part, oversize.len, oversize.limit);
                assert_eq!(found, (Part::Body, len as u64, limit));
                assert!(len > limit);
                let mut pieces = pieces.iter();
                assert!(pieces.all(is_free), "over the limit, and held");
            }
        }
    }
    if let ([only], Ok(())) = (pieces, &verdict) {
        let kept = content.clone().finish().expect("within the limit");
        let end = |bytes: &[u8]| bytes.as_ptr_range().end;
        // One piece is not copied, where `push` had it.
        let is_shared = !only.is_empty() && !only.is_unique();
        assert!(!is_shared || end(&kept) == end(only));
    }
    verdict
}

fn is_free(piece: &Bytes) -> bool {
    piece.is_empty() || piece.is_unique()
}

/// Holds a body to what the rules read in it. Gives 0 for a message.
fn payload(body: &[u8], limits: Limits, rng: &mut Rng) -> u64 {
    let rules = [Rules::client(), Rules::server(), Rules::proxy()];
    let mut rules = rng.pick(&rules).expect("three").limits(limits);
    if rng.once_in(4) {
        rules = rules.negotiated(Version::V2025_03_26);
    }
    if rng.once_in(4) {
        rules = rules.policy(Policy::lenient());
    }
    // RFC 8259 section 2.
    let is_blank = body.iter().all(|b| b" \t\r\n".contains(b));
    let read = rules.read(body);
    match (Payload::of_body(body, &rules), read) {
        (Ok(Payload::Nothing(NonMessage::Empty)), Err(_)) => {
            assert!(is_blank, "nothing, it says");
            1
        }
        (Ok(Payload::Message(found)), Ok(Incoming::Message(read))) => {
            assert_eq!(found.frame(), read.frame());
            0
        }
        (Ok(Payload::Batch(found)), Ok(Incoming::Batch(read))) => {
            assert_eq!(found.len(), read.len());
            0
        }
        (Err(found), Err(read)) => {
            assert_eq!(found, read);
            assert!(!is_blank, "blank is nothing");
            2
        }
        (found, read) => panic!("{found:?}, but read as {read:?}"),
    }
}

/// An event stream in pieces gives what it gives to a decoder of one's own. Gives the number of events.
fn same_events(mut opened: SseDecoder, body: &[u8], limits: Limits, rng: &mut Rng) -> u64 {
    let mut alone = SseDecoder::new(limits);
    let expected = events_of(&mut alone, body);
    let pieces = pieces(body, rng);
    let found = pieces
        .iter()
        .flat_map(|piece| events_of(&mut opened, piece));
    let found: Vec<_> = found.collect();
    assert_eq!(found, expected);
    assert_eq!(opened.end(), alone.end());
    found.len() as u64
}

type Seen = (u64, Vec<u8>, Result<Vec<u8>, Oversize>);

fn events_of(decoder: &mut SseDecoder, piece: &[u8]) -> Vec<Seen> {
    let (mut events, mut seen) = (decoder.feed(piece), Vec::new());
    while let Some(event) = events.next() {
        let data = event.data.map(<[u8]>::to_vec);
        seen.push((event.offset, event.event.to_vec(), data));
    }
    seen
}
