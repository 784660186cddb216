//! JSONTestSuite (Nicolas Seriot), beside the checkout and in the folders named in `RPCSLICE_JSONTESTSUITE` (separated
//! by colons): each text through `RawJson::parse`, and again as a member of `params` through `Message::parse`.
//!
//! No `n_` text becomes well-formed by standing inside a message, and no `i_` text is judged otherwise there; so one
//! verdict holds for both ways.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use rpcslice::Message;
use rpcslice::json::RawJson;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};
use support::files;
use support::report::Report;

#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Accept,
    Refuse,
}
use Verdict::{Accept, Refuse};

/// What RFC 8259 leaves open, as DESIGN.md decides it. Sorted as the suite is.
#[rustfmt::skip]
const IMPLEMENTATION_DEFINED: &[(&str, Verdict, &str)] = &[
    ("i_number_double_huge_neg_exp.json",                   Accept, BIG),
    ("i_number_huge_exp.json",                              Accept, BIG),
    ("i_number_neg_int_huge_exp.json",                      Accept, BIG),
    ("i_number_pos_double_huge_exp.json",                   Accept, BIG),
    ("i_number_real_neg_overflow.json",                     Accept, BIG),
    ("i_number_real_pos_overflow.json",                     Accept, BIG),
    ("i_number_real_underflow.json",                        Accept, BIG),
    ("i_number_too_big_neg_int.json",                       Accept, BIG),
    ("i_number_too_big_pos_int.json",                       Accept, BIG),
    ("i_number_very_big_negative_int.json",                 Accept, BIG),
    ("i_object_key_lone_2nd_surrogate.json",                Accept, LONE),
    ("i_string_1st_surrogate_but_2nd_missing.json",         Accept, LONE),
    ("i_string_1st_valid_surrogate_2nd_invalid.json",       Accept, LONE),
    ("i_string_UTF-16LE_with_BOM.json",                     Refuse, UTF8),
    ("i_string_UTF-8_invalid_sequence.json",                Refuse, UTF8),
    ("i_string_UTF8_surrogate_U+D800.json",                 Refuse, UTF8),
    ("i_string_incomplete_surrogate_and_escape_valid.json", Accept, LONE),
    ("i_string_incomplete_surrogate_pair.json",             Accept, LONE),
    ("i_string_incomplete_surrogates_escape_valid.json",    Accept, LONE),
    ("i_string_invalid_lonely_surrogate.json",              Accept, LONE),
    ("i_string_invalid_surrogate.json",                     Accept, LONE),
    ("i_string_invalid_utf-8.json",                         Refuse, UTF8),
    ("i_string_inverted_surrogates_U+1D11E.json",           Accept, LONE),
    ("i_string_iso_latin_1.json",                           Refuse, UTF8),
    ("i_string_lone_second_surrogate.json",                 Accept, LONE),
    ("i_string_lone_utf8_continuation_byte.json",           Refuse, UTF8),
    ("i_string_not_in_unicode_range.json",                  Refuse, UTF8),
    ("i_string_overlong_sequence_2_bytes.json",             Refuse, UTF8),
    ("i_string_overlong_sequence_6_bytes.json",             Refuse, UTF8),
    ("i_string_overlong_sequence_6_bytes_null.json",        Refuse, UTF8),
    ("i_string_truncated-utf-8.json",                       Refuse, UTF8),
    ("i_string_utf16BE_no_BOM.json",                        Refuse, UTF8),
    ("i_string_utf16LE_no_BOM.json",                        Refuse, UTF8),
    ("i_structure_500_nested_arrays.json",                  Refuse, DEEP),
    ("i_structure_UTF-8_BOM_empty_object.json",             Refuse, BOM),
];
const BIG: &str = "numbers no f64 can hold are well-formed, pass";
const LONE: &str = "a lone surrogate escape passes in slices nobody decodes";
const UTF8: &str = "invalid UTF-8, anywhere, is refused";
const DEEP: &str = "128 containers by default";
const BOM: &str =
    "a byte order mark is skipped at the start of a stream or body, and elsewhere bad JSON";

/// The texts of `test_transform/` are well-formed but for these: surrogates encoded as bytes.
const TRANSFORM_REFUSED: &[&str] = &[
    "string_1_invalid_codepoint.json",
    "string_2_invalid_codepoints.json",
    "string_3_invalid_codepoints.json",
];

/// Reads a text and gives it back as it stands, without the white space around it.
type Way = fn(&[u8]) -> Result<String, String>;
const WAYS: &[(&str, Way)] = &[("RawJson", alone), ("Message", embedded)];

fn alone(text: &[u8]) -> Result<String, String> {
    match RawJson::parse(text) {
        Ok(value) => Ok(value.raw().to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn embedded(text: &[u8]) -> Result<String, String> {
    let before = br#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":"#;
    let frame = [before, text, b"}}"].concat();
    match Message::parse(&frame) {
        Ok(message) => {
            let value = message.params().and_then(|params| params.get("x"));
            Ok(value.expect("`x` is there").raw().to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

fn main() -> ExitCode {
    let mut report = Report::default();
    for folder in report.folders("jsontestsuite", "RPCSLICE_JSONTESTSUITE") {
        if let Err(error) = run_suite(&mut report, &folder) {
            report.unreadable(&folder, error);
        }
    }
    report.finish()
}

/// As expected, and in all.
type Counts = BTreeMap<&'static str, (u64, u64)>;

fn run_suite(report: &mut Report, folder: &Path) -> io::Result<()> {
    let parsing = files::listed(&folder.join("test_parsing"), ".json")?;
    let transform = files::listed(&folder.join("test_transform"), ".json")?;
    report.source();
    for (way, read) in WAYS {
        let mut counts = Counts::new();
        for file in parsing.iter().chain(&transform) {
            let (name, text) = (files::name(file), fs::read(file)?);
            let Some((class, expected, why)) = expectation(&name) else {
                report.run(&name, way, |check| {
                    check.fault("a verdict in the table", "none")
                });
                continue;
            };
            let count = counts.entry(class).or_default();
            count.1 += 1;
            report.run(&name, &format!("{way} ({why})"), |check| {
                let got = read(&text);
                let right = match (expected, &got) {
                    (Accept, Ok(raw)) => raw.as_bytes() == trimmed(&text),
                    (Refuse, Err(_)) => true,
                    _ => false,
                };
                count.0 += u64::from(right);
                check.holds(right, told(expected), format!("{got:?}"));
            });
        }
        let counts: Vec<_> = counts
            .iter()
            .map(|(class, (right, all))| format!("{class} {right}/{all}"))
            .collect();
        println!("{way}: {}", counts.join(", "));
    }
    Ok(())
}

fn told(verdict: Verdict) -> &'static str {
    match verdict {
        Accept => "the text, byte for byte",
        Refuse => "a refusal",
    }
}

/// The class of a file, the verdict on it, and why.
fn expectation(name: &str) -> Option<(&'static str, Verdict, &'static str)> {
    match name.split_once('_')?.0 {
        "y" => Some(("y", Accept, "well-formed")),
        "n" => Some(("n", Refuse, "not well-formed")),
        "i" => {
            let (_, verdict, why) = IMPLEMENTATION_DEFINED.iter().find(|row| row.0 == name)?;
            Some(("i", *verdict, why))
        }
        "number" | "object" | "string" if TRANSFORM_REFUSED.contains(&name) => {
            Some(("transform", Refuse, UTF8))
        }
        "number" | "object" | "string" => Some(("transform", Accept, "well-formed")),
        _ => None,
    }
}

fn trimmed(text: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| b" \t\r\n".contains(byte);
    let start = text
        .iter()
        .position(|byte| !is_space(byte))
        .unwrap_or(text.len());
    let end = text
        .iter()
        .rposition(|byte| !is_space(byte))
        .map_or(start, |at| at + 1);
    &text[start..end]
}
