//! Which arguments have headers, by recursion: "only at positions reached by `properties` keys alone".

use super::tree;
use std::collections::HashSet;
use std::ops::Range;

/// A tool to be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bad;

/// The path of a property, and the name behind `Mcp-Param-`.
pub type Annotation = (Vec<String>, String);

/// What a schema says. `None`: an object in it has two members of a name, of which anybody may take either.
/// [`Bad`]: some annotation is.
pub fn annotations(schema: &str) -> Option<Result<Vec<Annotation>, Bad>> {
    let root = tree::root(schema)?;
    if has_duplicates(schema, &root) {
        return None;
    }
    let mut reading = Reading {
        text: schema,
        found: Vec::new(),
        is_bad: false,
    };
    reading.schema(&root, Some(&[]));
    let names = reading
        .found
        .iter()
        .map(|(_, name)| name.to_ascii_lowercase());
    let distinct: HashSet<_> = names.collect();
    match reading.is_bad || distinct.len() < reading.found.len() {
        true => Some(Err(Bad)),
        false => Some(Ok(reading.found)),
    }
}

pub fn has_duplicates(text: &str, at: &Range<usize>) -> bool {
    if let Some(members) = tree::members(text, at) {
        let names: HashSet<_> = members.iter().map(|member| &member.name).collect();
        return names.len() < members.len()
            || members
                .iter()
                .any(|member| has_duplicates(text, &member.value));
    }
    let elements = tree::elements(text, at).unwrap_or_default();
    elements.iter().any(|element| has_duplicates(text, element))
}

struct Reading<'a> {
    text: &'a str,
    found: Vec<Annotation>,
    is_bad: bool,
}

impl Reading<'_> {
    /// `path`: `properties` alone lead here.
    fn schema(&mut self, at: &Range<usize>, path: Option<&[String]>) {
        for element in tree::elements(self.text, at).unwrap_or_default() {
            self.schema(&element, None);
        }
        let members = tree::members(self.text, at).unwrap_or_default();
        let (mut annotation, mut is_good_type) = (None, false);
        for member in &members {
            let name = String::from_utf16_lossy(&member.name);
            let value = &self.text[member.value.clone()];
            match &*name {
                "x-mcp-header" => annotation = Some(value),
                "type" => {
                    let ty: Result<String, _> = serde_json::from_str(value);
                    let good = ["integer", "string", "boolean"];
                    is_good_type = ty.is_ok_and(|ty| good.contains(&&*ty));
                }
                // Data.
                "default" | "const" | "enum" | "examples" => {}
                "properties" => self.map(&member.value, path),
                "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
                | "dependencies" => self.map(&member.value, None),
                _ => self.schema(&member.value, None),
            }
        }
        let Some(annotation) = annotation else {
            return;
        };
        let name: String = serde_json::from_str(annotation).unwrap_or_default();
        // RFC 9110 section 5.6.2.
        let is_token = !name.is_empty()
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b));
        match path {
            Some(path) if !path.is_empty() && is_token && is_good_type => {
                self.found.push((path.to_vec(), name));
            }
            _ => self.is_bad = true,
        }
    }

    /// Names to schemas: no name in it is a keyword.
    fn map(&mut self, at: &Range<usize>, path: Option<&[String]>) {
        let Some(members) = tree::members(self.text, at) else {
            return self.schema(at, None);
        };
        for member in members {
            let name = String::from_utf16(&member.name).ok();
            let path = path.zip(name).map(|(path, name)| [path, &[name]].concat());
            self.schema(&member.value, path.as_deref());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let deep =
            r#"{"properties":{"a":{"properties":{"type":{"type":"integer","x-mcp-header":"X"}}}}}"#;
        let path = vec!["a".to_owned(), "type".to_owned()];
        assert_eq!(annotations(deep), Some(Ok(vec![(path, "X".to_owned())])));
        for bad in [
            r#"{"type":"string","x-mcp-header":"X"}"#,
            r#"{"items":{"properties":{"a":{"type":"string","x-mcp-header":"X"}}}}"#,
            r#"{"properties":{"a":{"type":"number","x-mcp-header":"X"}}}"#,
            r#"{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}"#,
        ] {
            assert_eq!(annotations(bad), Some(Err(Bad)), "{bad}");
        }
        assert_eq!(
            annotations(r#"{"default":{"x-mcp-header":1}}"#),
            Some(Ok(vec![]))
        );
        assert_eq!(annotations(r#"{"a":1,"\u0061":1}"#), None);
    }
}
