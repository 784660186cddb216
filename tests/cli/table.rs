//! The table and its summary.

use crate::{PING, SESSION, run};

#[test]
fn the_example_session() {
    let ran = run(&["check", SESSION], "");
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
    assert!(
        ran.out
            .ends_with("34 frames: 27 good, 7 bad; 1 blank line skipped\n"),
        "{}",
        ran.out
    );
    let lines: Vec<_> = ran.out.lines().collect();
    let header = "     # offset    size  kind         id         method";
    assert!(
        lines[0].starts_with(header) && lines[0].ends_with(" revision"),
        "{}",
        ran.out
    );
    let row = lines
        .iter()
        .find(|line| line.contains("get_weather"))
        .unwrap();
    assert!(row.ends_with(" 2026-07-28"), "{row}");
    assert!(
        row.contains(" request      2          tools/call "),
        "{row}"
    );
    // The table keeps to its width; only the excerpts may be as wide as the terminal.
    for line in lines.iter().filter(|line| !line.contains(['!', '|', ':'])) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

/// What stands at and behind the caret in the excerpt above it.
fn over_caret(out: &str) -> String {
    let lines: Vec<_> = out.lines().collect();
    let caret = lines
        .iter()
        .position(|line| line.trim_end().ends_with('^'))
        .expect(out);
    let column = lines[caret].chars().position(|c| c == '^').unwrap();
    lines[caret - 1].chars().skip(column).collect()
}

#[test]
fn the_caret_stands_under_the_byte() {
    let long = format!(
        "{{\"a\":\"{}\",\"b\":nul,\"c\":\"{}\"}}",
        "x".repeat(5000),
        "y".repeat(5000)
    );
    let cases: &[(&[u8], &str)] = &[
        (b"2026-08-21 INFO started", "-08-21 INFO started"),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[1]}",
            "[1]}",
        ),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m", ""),
        (b"{\"a\":\"\x1b[31m\x00\",}", "␛[31m␀\",}"),
        (b"\t{\"a\":\"\xc3\xa9\xff\"}", "<FF>\"}"),
        ("{\"a\":\"\u{202e}\"x}".as_bytes(), "x}"),
        (long.as_bytes(), ",\"c\":\"yyyyyyyyyyyyyyyyyyyyyyyy…"),
    ];
    for (frame, over) in cases {
        let ran = run(&["check"], frame);
        assert_eq!(over_caret(&ran.out), *over, "{}", ran.out);
        for line in ran.out.lines() {
            assert!(line.chars().count() <= 110, "{line}");
        }
    }
}

#[test]
fn nothing_hostile_reaches_the_terminal() {
    let texts = [
        "\\u001b[2J\\u001b]0;owned\\u0007",
        "\u{202e}evil\u{2066}\u{200b}",
        "\u{9b}31m\u{85}\u{7f}\\n\\r\\t",
        "\\u009b31m\\u2028\\u061c\\u0000",
        "x\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    ];
    let mut input = Vec::new();
    for text in texts {
        for frame in [
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":\"{text}\",\"method\":\"{text}\",\"params\":{{\"name\":\"{text}\"}}}}\n"
            ),
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":\"{text}\",\"error\":{{\"code\":1,\"message\":\"{text}\"}}}}\n"
            ),
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":\"{text}\",\"method\":\"{text}\",\"params\":[]}}\n"
            ),
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{text}\",\"params\":{{\"uri\":\"{text}\",\
                \"_meta\":{{\"io.modelcontextprotocol/protocolVersion\":\"{text}\"}}}}}}\n"
            ),
            format!("{text} \u{1b}[2J\u{1b}]0;owned\u{7}\u{8}\r\u{c}\n"),
        ] {
            input.extend_from_slice(frame.as_bytes());
        }
    }
    input.extend_from_slice(b"\x9b2J\xff\xc2\n\xe2\x80\n");
    for args in [&["check"][..], &["check", "--json"]] {
        let ran = run(args, &input);
        assert_eq!(ran.err, "");
        for line in ran.out.lines() {
            let odd = line.chars().find(|&c| {
                c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
            });
            assert_eq!(odd, None, "{args:?}: {}", line.escape_debug());
        }
        // The table keeps its rows apart from stacks of combining marks, too.
        let stacked = ran.out.contains("\u{301}\u{301}\u{301}\u{301}");
        assert_eq!(stacked, args.contains(&"--json"));
    }
}

#[test]
fn a_flood_of_methods_is_summed_up() {
    let mut input = String::new();
    for at in 0..1000 {
        input.push_str(&format!(
            "{{\"jsonrpc\":\"2.0\",\"method\":\"m{at}{}\"}}\n",
            "x".repeat(500)
        ));
    }
    let ran = run(&["check"], &input);
    assert_eq!(ran.code, 0);
    let summary = ran
        .out
        .lines()
        .skip_while(|line| !line.contains("count"))
        .count();
    assert!(summary < 210, "{summary} lines");
    assert!(ran.out.contains("notification (others)"), "{}", ran.out);
}

#[test]
fn the_last_line_without_newline_is_flagged() {
    let flag = "the last line has no LF";
    assert!(run(&["check"], PING.trim_end()).out.contains(flag));
    assert!(!run(&["check"], PING).out.contains(flag));
    assert!(!run(&["check"], "").out.contains(flag));
}
