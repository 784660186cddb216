//! What is found without checking, held to what the exact scanner finds.

use super::TrustedScanner;
use crate::Limits;
use crate::json::random::Random;
use crate::json::scan::Scanner;
use crate::json::simd::Blocks;
use crate::json::{JsonKind, RawJson};
use std::path::Path;

/// A member's name (none of an element) and its value, to the byte.
type Part<'a> = (Option<&'a str>, &'a str);

/// The parts of a container by the scanner that checks.
fn exactly<'a>(value: RawJson<'a>) -> Vec<Part<'a>> {
    let text = value.raw();
    let depth = Limits::HIGHEST_MAX_DEPTH;
    let mut scanner: Scanner<'_> = Scanner::new(text.as_bytes(), depth).unwrap();
    let is_object = value.kind() == JsonKind::Object;
    let mut parts = Vec::new();
    scanner.enter().unwrap();
    loop {
        let is_first = parts.is_empty();
        let follows = match (is_object, is_first) {
            (true, true) => scanner.has_member(),
            (true, false) => scanner.has_next_member().unwrap(),
            (false, _) => scanner.next_element(is_first).unwrap(),
        };
        if !follows {
            return parts;
        }
        let name = is_object.then(|| {
            let name = scanner.name().unwrap();
            &text[name.at..name.end]
        });
        let start = scanner.at();
        scanner.value().unwrap();
        parts.push((name, &text[start..scanner.at()]));
    }
}

/// The same by one that doesn't.
fn trusting<'a>(blocks: Option<Blocks>, value: RawJson<'a>) -> Vec<Part<'a>> {
    let mut scanner = TrustedScanner::by(blocks, value);
    let is_object = value.kind() == JsonKind::Object;
    let mut parts = Vec::new();
    scanner.enter();
    loop {
        let is_first = parts.is_empty();
        let follows = match is_object {
            true => scanner.next_member(is_first),
            false => scanner.next_element(is_first),
        };
        if !follows {
            return parts;
        }
        let name = is_object.then(|| scanner.name().unwrap().raw());
        parts.push((name, scanner.value().unwrap().raw()));
    }
}

/// With each instruction set there is, and with none.
fn ways() -> Vec<Option<Blocks>> {
    let all = Blocks::all().into_iter().map(Some);
    all.chain([None]).collect()
}

/// Holds a container, and all that are in it, to the exact scanner. How many there are.
fn hold(value: RawJson<'_>) -> usize {
    let is_object = value.kind() == JsonKind::Object;
    if !is_object && value.kind() != JsonKind::Array {
        return 0;
    }
    let wanted = exactly(value);
    for blocks in ways() {
        assert_eq!(trusting(blocks, value), wanted, "{blocks:?}");
    }
    let members = value.members().map(|(name, value)| {
        // What is known of a name's escapes is true.
        assert_eq!(name.as_str().is_none(), name.raw().contains('\\'));
        (Some(name.raw()), value.raw())
    });
    let elements = value.elements().map(|value| (None, value.raw()));
    assert!(members.chain(elements).eq(wanted.iter().copied()));
    let inner = wanted.iter().map(|(_, raw)| RawJson::from_checked(raw));
    1 + inner.map(hold).sum::<usize>()
}

/// Holds a text, if it is good, and the good texts that are strings in it.
fn hold_text(text: &[u8]) -> usize {
    let Ok(value) = RawJson::parse(text) else {
        return 0;
    };
    let strings = value.members().filter_map(|(_, value)| value.as_string());
    let texts = strings.filter_map(|string| string.decode().ok());
    hold(value) + texts.map(|text| hold_text(text.as_bytes())).sum::<usize>()
}

/// Each file of a folder, and each line of it.
fn hold_folder(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let mut held = 0;
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            held += hold_folder(&path);
            continue;
        }
        let text = std::fs::read(path).unwrap();
        held += hold_text(&text);
        held += text.split(|&b| b == b'\n').map(hold_text).sum::<usize>();
    }
    held
}

#[test]
fn every_good_text_at_hand_falls_into_the_same_parts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(hold_folder(&root.join("tests/vectors")) > 100);
    // Beside the checkout, where they are there.
    for folder in ["vectors", "jsontestsuite", "recordings"] {
        if hold_folder(&root.join("../shared").join(folder)) == 0 {
            eprintln!("{folder}: not there, so not walked");
        }
    }
}

impl Random {
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn space(&mut self, text: &mut String) {
        let spaces = ["", "", "", "", " ", "\n    ", "\t\r\n", "            "];
        text.push_str(self.one(&spaces));
    }

    /// With brackets, commas, quotes and runs of backslashes in it, mostly short.
    fn string(&mut self, text: &mut String) {
        let pieces = [
            "a",
            "plain text",
            "\\\"",
            "\\\\",
            "\\\\\\\"",
            "]",
            "}",
            "{[",
            ",",
            ":",
            "é",
            "日本",
            "\\u005d",
            "\\n",
            "0123456789012345678901234567890123456789",
        ];
        let most = if self.below(8) == 0 { 100 } else { 4 };
        text.push('"');
        for _ in 0..self.below(most) {
            text.push_str(self.one(&pieces));
        }
        text.push('"');
    }

    fn value(&mut self, text: &mut String, depth: usize) {
        let scalars = [
            "0",
            "-1",
            "1e400",
            "12345678",
            "-0.25E+10",
            "123456789012345678901234567890",
            "true",
            "false",
            "null",
        ];
        let kinds = if depth == 0 { 2 } else { 4 };
        match self.below(kinds) {
            0 => self.string(text),
            1 => text.push_str(self.one(&scalars)),
            kind => {
                let is_object = kind == 2;
                text.push(if is_object { '{' } else { '[' });
                for i in 0..self.below(6) {
                    if i > 0 {
                        text.push(',');
                    }
                    self.space(text);
                    if is_object {
                        self.string(text);
                        self.space(text);
                        text.push(':');
                        self.space(text);
                    }
                    self.value(text, depth - 1);
                    self.space(text);
                }
                self.space(text);
                text.push(if is_object { '}' } else { ']' });
            }
        }
    }
}

#[test]
fn random_values_fall_into_the_same_parts() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut held = 0;
    for _ in 0..3000 {
        let mut text = String::new();
        random.value(&mut text, 5);
        assert!(RawJson::parse(text.as_bytes()).is_ok(), "{text}");
        held += hold_text(text.as_bytes());
    }
    assert!(held > 3000, "{held}");
}

#[test]
fn ends_are_found_at_every_place_of_a_block_and_of_a_text() {
    for len in 0..200 {
        let fill = "x".repeat(len);
        for text in [
            format!("[[\"{fill}\"],1]"),
            format!("[\"{fill}\",1]"),
            format!("[[\"{fill}\\\"]\"]]"),
            format!("{{\"{fill}\":[],\"{fill}\\\\\":0}}"),
            format!("[{},[]]", "7".repeat(len + 1)),
            format!("[{}[]{}]", "[".repeat(len), "]".repeat(len)),
            format!("[\"{}\",\"]\"]", "\\\\".repeat(len)),
        ] {
            let value = RawJson::from_checked(&text);
            assert!(
                RawJson::parse_with(text.as_bytes(), &Limits::new().with_max_depth(300)).is_ok()
            );
            let wanted = exactly(value);
            for blocks in ways() {
                assert_eq!(trusting(blocks, value), wanted, "{blocks:?} {text}");
            }
        }
    }
}

/// Text that nobody has checked, as nobody may hand it in.
fn noise(random: &mut Random) -> String {
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\"",
        ",",
        ":",
        "\\",
        "1",
        "t",
        "fal",
        "n",
        " ",
        "\n",
        "é",
        "\0",
        "{\"a\":",
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    ];
    let mut text = String::from(random.one(&["{", "[", "\"", "", "1"]));
    for _ in 0..random.below(120) {
        text.push_str(random.one(&pieces));
    }
    text
}

/// No panic and an end, that is all that can be asked for.
#[test]
fn walks_over_noise_end() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    for _ in 0..3_000 {
        let text = noise(&mut random);
        let value = RawJson::from_checked(&text);
        let members = value.members().inspect(|(name, _)| {
            let _ = (name.as_str(), name.decode().is_ok());
        });
        assert!(members.count() <= text.len(), "{text:?}");
        assert!(value.elements().count() <= text.len(), "{text:?}");
        let _ = value.get("a");
        for blocks in ways() {
            let mut scanner = TrustedScanner::by(blocks, value);
            for _ in 0..text.len() {
                scanner.enter();
                let _ = scanner.name();
                let _ = scanner.next_member(random.below(2) == 0);
                let _ = scanner.value();
                let _ = scanner.next_element(random.below(2) == 0);
            }
        }
    }
}

#[cfg(feature = "http")]
#[test]
fn ways_down_into_noise_end() {
    use crate::json::descent::{Descent, Step};
    let mut random = Random(0xA076_1D64_78BD_642F);
    for _ in 0..3_000 {
        let text = noise(&mut random);
        let Some(mut descent) = Descent::new(RawJson::from_checked(&text)) else {
            continue;
        };
        let mut steps = 0;
        while let Some(step) = descent.next() {
            steps += 1;
            assert!(steps <= 3 * text.len(), "{text:?}");
            let is_at_value = !matches!(step, Step::Leave);
            if is_at_value && random.below(2) == 0 {
                descent.enter();
            } else if is_at_value {
                let _ = descent.take();
            }
        }
    }
}
