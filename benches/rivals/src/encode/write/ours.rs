//! rpcslice's ways.

use std::sync::LazyLock;

use rpcslice::RawJson;
use rpcslice::encode::{EncodeError, Framing, Object, ReplyTo, ServerProfile, Writer, serialize};
use rpcslice::mcp::{Method, Rules, Version};

use super::theirs::{CallResult, Empty, Progress};
use super::{Case, NOTE, PROGRESS, SERVER, TOKEN, TOTAL, What};
use crate::encode::way::{Buffers, Way};

pub const OBJECT: Way<Case> = Way {
    name: "rpcslice Writer, Object",
    note: "the section built with Object in a String that is reused, then Writer",
    run: |case, buffers| object(&LEGACY, case, buffers),
    is_floor: false,
};

pub const READY: Way<Case> = Way {
    name: "rpcslice Writer, ready RawJson",
    note: "the section is there already: builds and escapes nothing",
    run: |case, buffers| {
        let Buffers { out, id, .. } = buffers;
        write(&LEGACY, out, id, case, case.ready).is_ok()
    },
    is_floor: false,
};

pub const SERIALIZE: Way<Case> = Way {
    name: "rpcslice Writer, serialize",
    note: "encode::serialize of a struct into a String that is reused, then Writer",
    run: serialized,
    is_floor: false,
};

pub const MODERN: Way<Case> = Way {
    name: "rpcslice Writer, Object, 2026-07-28",
    note: "as the first, with resultType and a ServerProfile: a longer message",
    run: |case, buffers| object(&OF_2026, case, buffers),
    is_floor: false,
};

/// Made once, as a connection has it.
static LEGACY: LazyLock<Writer<'static>> =
    LazyLock::new(|| Writer::new(Rules::server(), Version::V2025_11_25).framing(Framing::Line));

static PROFILE: LazyLock<ServerProfile> =
    LazyLock::new(|| ServerProfile::new().named(SERVER.0, SERVER.1));

static OF_2026: LazyLock<Writer<'static>> = LazyLock::new(|| {
    Writer::new(Rules::server(), Version::V2026_07_28)
        .server(&PROFILE)
        .framing(Framing::Line)
});

fn object(writer: &Writer<'_>, case: &Case, buffers: &mut Buffers) -> bool {
    let Buffers { out, text, id, .. } = buffers;
    let section = Object::build(text, |section| match &case.what {
        What::Text(text) => {
            section.array("content", |blocks| {
                blocks.object(|block| {
                    block.text("type", "text").text("text", text);
                });
            });
            section.bool("isError", false);
        }
        What::Empty => {}
        What::Progress => {
            section
                .text("progressToken", TOKEN)
                .unsigned("progress", PROGRESS.into())
                .unsigned("total", TOTAL.into())
                .text("message", NOTE);
        }
    });
    write(writer, out, id, case, section).is_ok()
}

fn serialized(case: &Case, buffers: &mut Buffers) -> bool {
    let Buffers { out, text, id, .. } = buffers;
    let section = match &case.what {
        What::Text(it) => serialize(&CallResult::of(it), text),
        What::Empty => serialize(&Empty {}, text),
        What::Progress => serialize(&Progress::NEW, text),
    };
    section.is_ok_and(|section| write(&LEGACY, out, id, case, section).is_ok())
}

#[inline(always)]
fn write(
    writer: &Writer<'_>,
    out: &mut Vec<u8>,
    id: &rpcslice::IdBuf,
    case: &Case,
    section: RawJson<'_>,
) -> Result<(), EncodeError> {
    let to = ReplyTo::new(id.as_id());
    match case.what {
        What::Text(_) => writer.result(out, to.method(Method::ToolsCall), section),
        What::Empty => writer.result(out, to.method(Method::Ping), section),
        What::Progress => writer.notification(out, "notifications/progress", Some(section)),
    }
}
