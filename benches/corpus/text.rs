//! Words, sentences, source code and CJK prose to fill strings with.

use super::Rng;

pub(crate) const WORDS: [&str; 32] = [
    "archive", "branch", "build", "cache", "change", "check", "commit", "entry", "error", "file",
    "folder", "found", "index", "issue", "line", "list", "match", "node", "page", "path",
    "project", "query", "result", "root", "schema", "search", "server", "size", "test", "tool",
    "value", "with",
];

/// `count` words with a blank between.
pub(crate) fn words(rng: &mut Rng, count: usize) -> String {
    let words: Vec<_> = (0..count).map(|_| rng.pick(&WORDS)).collect();
    words.join(" ")
}

/// `count` words with a capital and a full stop; now and then something quoted, as descriptions of tools have it.
pub(crate) fn sentence(rng: &mut Rng, count: usize) -> String {
    let mut text = words(rng, count);
    text[..1].make_ascii_uppercase();
    if rng.percent(12) {
        text.push_str(&format!(" (e.g. \"{}\")", rng.pick(&WORDS)));
    }
    text.push('.');
    text
}

/// At least `length` bytes that look like source code: short lines, indentation, quotes.
pub(crate) fn code(rng: &mut Rng, length: usize) -> String {
    let mut text = String::new();
    let mut depth = 0;
    while text.len() < length {
        let (a, b, c) = (rng.pick(&WORDS), rng.pick(&WORDS), rng.pick(&WORDS));
        let (line, next) = match rng.range(0, 12) {
            0 => (format!("def {a}_{b}(self, {b}, *, {c}=None):"), 2),
            1 => (format!("if self.{a} is None or {b} > {c}:"), depth + 1),
            2 => (format!("for {a} in self.{b}.{c}():"), depth + 1),
            3 => (format!("raise ValueError(\"{a} {b}: %r\" % {c})"), 1),
            4 => (format!("return self._{a}('{b}', {c}=True)"), 1),
            5 => (format!("# {}", words(rng, 8)), depth),
            6 => (String::new(), depth),
            7 => (format!("self._{a}[\"{b}\"] = {c}"), depth),
            8 => (format!("{a} = r'^\\s*{b}=(\\d+)\\n' if {c} else ''"), depth),
            _ => (format!("{a}_{b} = {b}.{c}({a}, len({c}) + 1)"), depth),
        };
        if !line.is_empty() {
            text.extend(std::iter::repeat_n("    ", depth));
        }
        text.push_str(&line);
        text.push('\n');
        depth = next.min(4);
    }
    text
}

/// At least `length` bytes of Chinese, Japanese and Korean with some emoji: two, three and four bytes a character.
pub(crate) fn cjk(rng: &mut Rng, length: usize) -> String {
    const PHRASES: [&str; 10] = [
        "服务器向客户端公开资源、提示和工具",
        "每条消息都是一个独立的对象",
        "上下文窗口已满🔧请稍后再试",
        "サーバーはツールの一覧を返します",
        "ファイルを読み込めませんでした",
        "検索結果は三件です🎉",
        "서버가 도구 목록을 반환합니다",
        "파일을 찾을 수 없습니다 😀",
        "größe und Überschrift naïve café",
        "JSON-RPC 2.0",
    ];
    let mut text = String::new();
    while text.len() < length {
        text.push_str(rng.pick(&PHRASES));
        text.push_str(rng.pick(&["。", "、", "\n", " ", ""]));
    }
    text
}
