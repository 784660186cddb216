//! `rpcslice` held against slow and simple oracles.
//!
//! | module | what |
//! |---|---|
//! | [`message`], [`lines`], [`sse`], [`body`], [`headers`], [`text`], [`roundtrip`], [`splice`], [`idmap`], [`variants`], [`pieces`] | the targets: one function each that panics where the library and an oracle differ |
//! | [`oracle`] | what should come out, written from `DESIGN.md` and the specifications and not from `src/` |
//! | [`mutator`] | input that is mostly JSON: edits of members, names, numbers and strings, for both ways of running |
//! | [`rules`] | no oracle, but what must hold of every verdict of the rules and of every answer; part of `message` |
//! | [`framed`] | what a message is framed in, and the message out of it again; part of `roundtrip` and `splice` |
//! | [`options`] | how an input chooses limits |
//! | [`count`] | how many executions there were, and how many got to the far end |
//!
//! `fuzz/run` runs the targets, on libFuzzer or on the loop of `src/bin/mutate.rs`.

pub mod body;
pub mod count;
pub mod framed;
pub mod headers;
pub mod idmap;
pub mod lines;
pub mod message;
pub mod mutator;
pub mod options;
pub mod oracle;
pub mod pieces;
pub mod rng;
pub mod roundtrip;
pub mod rules;
pub mod splice;
pub mod sse;
pub mod text;
pub mod variants;

/// A target as both ways of running it need it.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    /// Panics if the library is wrong about these bytes.
    pub run: fn(&[u8]),
    /// Makes the next input out of one.
    pub mutate: fn(&[u8], &mut rng::Rng) -> Vec<u8>,
}

pub const TARGETS: [Target; 11] = [
    Target {
        name: "message",
        run: message::run,
        mutate: message::mutate,
    },
    Target {
        name: "lines",
        run: lines::run,
        mutate: lines::mutate,
    },
    Target {
        name: "sse",
        run: sse::run,
        mutate: sse::mutate,
    },
    Target {
        name: "body",
        run: body::run,
        mutate: body::mutate,
    },
    Target {
        name: "headers",
        run: headers::run,
        mutate: headers::mutate,
    },
    Target {
        name: "text",
        run: text::run,
        mutate: text::mutate,
    },
    Target {
        name: "roundtrip",
        run: roundtrip::run,
        mutate: roundtrip::mutate,
    },
    Target {
        name: "splice",
        run: splice::run,
        mutate: splice::mutate,
    },
    Target {
        name: "idmap",
        run: idmap::run,
        mutate: idmap::mutate,
    },
    Target {
        name: "variants",
        run: variants::run,
        mutate: variants::mutate,
    },
    Target {
        name: "pieces",
        run: pieces::run,
        mutate: pieces::mutate,
    },
];
