//! JSON made by hand: member order, spacing and escaping are what the corpus is about, so no serializer decides them.

/// A value to be written. Keys are never escaped: the corpus names none that needs it.
#[derive(Clone)]
pub(crate) enum Json {
    /// Text that stands as it is: numbers, literals.
    Raw(String),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

/// How the writers in the field lay JSON out.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Style {
    /// No blanks: all the SDKs.
    Compact,
    /// A blank after `,` and `:`, as Python's `json.dumps` does if nobody says otherwise.
    Spaced,
    /// No blanks, and everything beyond ASCII as `\u` escapes.
    Ascii,
    /// Two blanks a level.
    Pretty,
}

/// An object with its members in the order written.
macro_rules! object {
    ($($key:literal: $value:expr),* $(,)?) => {
        $crate::corpus::json::Json::Object(vec![$(($key, $crate::corpus::json::Json::from($value))),*])
    };
}
pub(crate) use object;

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Json {
    fn from(flag: bool) -> Self {
        Self::Raw(flag.to_string())
    }
}

impl From<usize> for Json {
    fn from(number: usize) -> Self {
        Self::Raw(number.to_string())
    }
}

impl From<i64> for Json {
    fn from(number: i64) -> Self {
        Self::Raw(number.to_string())
    }
}

impl From<f64> for Json {
    /// The shortest digits that read back as `number`, with an exponent where JavaScript would write one.
    fn from(number: f64) -> Self {
        let size = number.abs();
        Self::Raw(if number != 0.0 && !(1e-6..1e21).contains(&size) {
            format!("{number:e}")
        } else {
            number.to_string()
        })
    }
}

impl From<Vec<Json>> for Json {
    fn from(elements: Vec<Json>) -> Self {
        Self::Array(elements)
    }
}

impl Json {
    pub(crate) fn null() -> Self {
        Self::Raw("null".to_owned())
    }

    pub(crate) fn with(mut self, key: &'static str, value: impl Into<Json>) -> Self {
        if let Self::Object(members) = &mut self {
            members.push((key, value.into()));
        }
        self
    }

    pub(crate) fn with_if(self, wanted: bool, key: &'static str, value: impl Into<Json>) -> Self {
        if wanted { self.with(key, value) } else { self }
    }

    /// The same members in alphabetical order, at every depth.
    pub(crate) fn sorted(self) -> Self {
        match self {
            Self::Object(members) => {
                let mut members: Vec<_> = members
                    .into_iter()
                    .map(|(key, value)| (key, value.sorted()))
                    .collect();
                members.sort_by_key(|(key, _)| *key);
                Self::Object(members)
            }
            Self::Array(elements) => Self::Array(elements.into_iter().map(Self::sorted).collect()),
            other => other,
        }
    }

    pub(crate) fn write(&self, style: Style) -> String {
        let mut out = String::new();
        self.write_to(&mut out, style, 0);
        out
    }

    fn write_to(&self, out: &mut String, style: Style, depth: usize) {
        match self {
            Self::Raw(text) => out.push_str(text),
            Self::Text(text) => escape(text, out, style),
            Self::Array(elements) if elements.is_empty() => out.push_str("[]"),
            Self::Object(members) if members.is_empty() => out.push_str("{}"),
            Self::Array(elements) => {
                out.push('[');
                for (nth, element) in elements.iter().enumerate() {
                    separate(out, style, nth, depth + 1);
                    element.write_to(out, style, depth + 1);
                }
                close(out, style, depth, ']');
            }
            Self::Object(members) => {
                out.push('{');
                for (nth, (key, value)) in members.iter().enumerate() {
                    separate(out, style, nth, depth + 1);
                    escape(key, out, style);
                    out.push(':');
                    if matches!(style, Style::Spaced | Style::Pretty) {
                        out.push(' ');
                    }
                    value.write_to(out, style, depth + 1);
                }
                close(out, style, depth, '}');
            }
        }
    }
}

fn separate(out: &mut String, style: Style, nth: usize, depth: usize) {
    if nth > 0 {
        out.push(',');
    }
    match style {
        Style::Pretty => indent(out, depth),
        Style::Spaced if nth > 0 => out.push(' '),
        _ => {}
    }
}

fn close(out: &mut String, style: Style, depth: usize, bracket: char) {
    if style == Style::Pretty {
        indent(out, depth);
    }
    out.push(bracket);
}

fn indent(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

fn escape(text: &str, out: &mut String, style: Style) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' || (style == Style::Ascii && !c.is_ascii()) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
