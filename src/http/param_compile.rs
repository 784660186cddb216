//! From an `inputSchema` to a [`ParamPlan`]: one pass, without recursion.

use super::names::MCP_PARAM_PREFIX;
use super::param_plan::{ParamPlan, PlanError, PlanErrorKind};
use crate::json::descent::{Descent, Step};
use crate::json::{JsonStr, RawJson};
use ::http::HeaderName;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;
use std::collections::HashSet;

const ANNOTATION: &str = "x-mcp-header";

/// The types that an annotated property may have. `number` is none of them.
const TYPES: [&str; 3] = ["integer", "string", "boolean"];

/// Keywords whose value maps names to schemas: the names are the tool's own.
const MAPS: [&str; 6] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
];

/// Keywords whose value is data and no schema.
const DATA: [&str; 6] = [
    "default",
    "const",
    "enum",
    "examples",
    "dependentRequired",
    "$vocabulary",
];

impl ParamPlan {
    /// Reads an `inputSchema`. A schema without annotations gives an empty plan, as does one that is no object. One pass;
    /// allocates for the names of properties, at most as much as the schema is long.
    ///
    /// # Errors
    /// The first annotation that is bad.
    pub fn compile(schema: RawJson<'_>) -> Result<Self, PlanError> {
        let text = schema.as_bytes();
        // An annotation stands there as it is, or has an escape in it.
        let may_have_one = memchr::memmem::find(text, ANNOTATION.as_bytes()).is_some()
            || memchr::memchr(b'\\', text).is_some();
        match may_have_one {
            true => Compiler::default().run(schema),
            false => Ok(Self::default()),
        }
    }
}

/// A container around the place in the schema.
struct Open {
    level: Level,
    /// It is the value of a property on the path.
    is_property: bool,
}

enum Level {
    /// A schema. `on_path`: `properties` alone lead here.
    Schema { on_path: bool, seen: Seen },
    /// A map of names to schemas.
    Map {
        on_path: bool,
        names: HashSet<Box<str>>,
    },
    /// Something whose elements may be schemas.
    List,
}

/// What a schema says of itself.
#[derive(Default)]
struct Seen {
    has_type: bool,
    is_good_type: bool,
    has_properties: bool,
    annotation: Option<Annotation>,
    is_twice: bool,
}

enum Annotation {
    Name(Box<str>),
    NoText,
}

#[derive(Default)]
struct Compiler {
    plan: ParamPlan,
    open: Vec<Open>,
    path: Vec<Box<str>>,
    headers: HashSet<HeaderName>,
    /// Two members of one name, of which readers may take either. It matters if there are annotations.
    duplicate: Option<PlanError>,
}

impl Compiler {
    fn run(mut self, schema: RawJson<'_>) -> Result<ParamPlan, PlanError> {
        let Some(mut descent) = Descent::new(schema) else {
            return Ok(self.plan);
        };
        let is_object = schema.as_bytes().first() == Some(&b'{');
        self.push(is_object, true, false);
        while let Some(step) = descent.next() {
            match step {
                Step::Leave => self.leave(descent.at())?,
                Step::Element => {
                    self.enter(&mut descent, false, false);
                }
                Step::Member(name) => self.member(name, &mut descent),
            }
        }
        match self.duplicate {
            Some(error) if !self.plan.is_empty() => Err(error),
            _ => Ok(self.plan),
        }
    }

    fn push(&mut self, is_object: bool, on_path: bool, is_property: bool) {
        let level = match is_object {
            true => Level::Schema {
                on_path,
                seen: Seen::default(),
            },
            false => Level::List,
        };
        self.open.push(Open { level, is_property });
    }

    /// Goes into a value that may be a schema or hold some.
    fn enter(&mut self, descent: &mut Descent<'_>, on_path: bool, is_property: bool) -> bool {
        let is_object = descent.is_at_object();
        let is_entered = descent.enter();
        if is_entered {
            self.push(is_object, on_path, is_property);
        }
        is_entered
    }

    fn member(&mut self, name: JsonStr<'_>, descent: &mut Descent<'_>) {
        match self.open.last_mut().map(|open| &mut open.level) {
            Some(Level::Schema { on_path, seen }) => {
                let on_path = *on_path;
                if name == "type" {
                    seen.is_twice |= mem::replace(&mut seen.has_type, true);
                    let value = descent.take().and_then(|value| value.as_string());
                    seen.is_good_type =
                        value.is_some_and(|value| TYPES.iter().any(|ty| value == **ty));
                } else if name == ANNOTATION {
                    seen.is_twice |= seen.annotation.is_some();
                    let value = descent.take().and_then(|value| value.as_string());
                    let text = value.and_then(|value| value.decode().ok());
                    seen.annotation = Some(match text {
                        Some(text) => Annotation::Name(text.into()),
                        None => Annotation::NoText,
                    });
                } else if DATA.iter().any(|data| name == **data) {
                    descent.take();
                } else if MAPS.iter().any(|map| name == **map) {
                    let is_properties = name == "properties";
                    let is_second = is_properties && mem::replace(&mut seen.has_properties, true);
                    if is_second && on_path {
                        self.note_duplicate(descent.at());
                    }
                    self.enter_map(descent, on_path && is_properties);
                } else {
                    self.enter(descent, false, false);
                }
            }
            Some(Level::Map { on_path: true, .. }) => self.property(name, descent),
            // Arrays have no members.
            Some(Level::Map { on_path: false, .. } | Level::List) | None => {
                self.enter(descent, false, false);
            }
        }
    }

    fn enter_map(&mut self, descent: &mut Descent<'_>, on_path: bool) {
        if !descent.is_at_object() {
            self.enter(descent, false, false);
        } else if descent.enter() {
            let names = HashSet::new();
            self.open.push(Open {
                level: Level::Map { on_path, names },
                is_property: false,
            });
        }
    }

    /// A property on the path. One whose name is no text is nobody's argument.
    fn property(&mut self, name: JsonStr<'_>, descent: &mut Descent<'_>) {
        let Ok(name) = name.decode() else {
            self.enter(descent, false, false);
            return;
        };
        let name: Box<str> = name.into();
        let is_new = match self.open.last_mut().map(|open| &mut open.level) {
            Some(Level::Map { names, .. }) => names.insert(name.clone()),
            _ => true,
        };
        self.path.push(name);
        if !is_new {
            self.note_duplicate(descent.at());
        }
        if !self.enter(descent, true, true) {
            self.path.pop();
        }
    }

    /// Behind the end of the innermost container.
    fn leave(&mut self, at: usize) -> Result<(), PlanError> {
        let Some(Open { level, is_property }) = self.open.pop() else {
            return Ok(());
        };
        if let Level::Schema { on_path, seen } = level {
            self.end_schema(on_path, seen, at)?;
        }
        if is_property {
            self.path.pop();
        }
        Ok(())
    }

    fn end_schema(&mut self, on_path: bool, seen: Seen, at: usize) -> Result<(), PlanError> {
        let Some(annotation) = seen.annotation else {
            return Ok(());
        };
        if !on_path || self.path.is_empty() {
            return Err(self.error(PlanErrorKind::Place, at));
        }
        if seen.is_twice {
            return Err(self.error(PlanErrorKind::Duplicate, at));
        }
        let Annotation::Name(annotation) = annotation else {
            return Err(self.error(PlanErrorKind::Name, at));
        };
        let header = [MCP_PARAM_PREFIX.as_bytes(), annotation.as_bytes()].concat();
        let header = match HeaderName::from_bytes(&header) {
            Ok(header) if !annotation.is_empty() => header,
            _ => return Err(self.error(PlanErrorKind::Name, at)),
        };
        if !seen.is_good_type {
            return Err(self.error(PlanErrorKind::Type, at));
        }
        if !self.headers.insert(header.clone()) {
            return Err(self.error(PlanErrorKind::Repeated, at));
        }
        if self.headers.len() > ParamPlan::MAX_ANNOTATIONS {
            return Err(self.error(PlanErrorKind::TooMany, at));
        }
        self.plan.add(&self.path, annotation, header);
        Ok(())
    }

    fn note_duplicate(&mut self, at: usize) {
        if self.duplicate.is_none() {
            self.duplicate = Some(self.error(PlanErrorKind::Duplicate, at));
        }
    }

    fn error(&self, kind: PlanErrorKind, at: usize) -> PlanError {
        PlanError {
            kind,
            at,
            property: self.path.join("."),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::PlanErrorKind as K;
    use super::*;
    use alloc::string::{String, ToString};

    fn compiled(schema: &str) -> Result<Vec<(String, String)>, PlanErrorKind> {
        let plan = ParamPlan::compile(RawJson::parse(schema.as_bytes()).unwrap());
        let plan = plan.map_err(|error| error.kind())?;
        let annotations = plan.annotations();
        Ok(annotations
            .map(|(path, name)| (path, name.to_string()))
            .collect())
    }

    /// A property `a` with these members.
    fn of_property(members: &str) -> Result<Vec<(String, String)>, PlanErrorKind> {
        compiled(&format!(
            r#"{{"type":"object","properties":{{"a":{{{members}}}}}}}"#
        ))
    }

    #[test]
    fn an_annotation_on_a_property() {
        let good = |name: &str| Ok(vec![("a".to_owned(), name.to_owned())]);
        for (members, expected) in [
            (r#""type":"string","x-mcp-header":"A""#, good("A")),
            (r#""x-mcp-header":"A","type":"integer""#, good("A")),
            (
                r#""type":"boolean","x-mcp-header":"a-b_c.D~""#,
                good("a-b_c.D~"),
            ),
            (r#""type":"string","x-mcp\u002dheader":"\u0041""#, good("A")),
            (r#""type":"string""#, Ok(vec![])),
            (r#""type":"number","x-mcp-header":"A""#, Err(K::Type)),
            (r#""x-mcp-header":"A""#, Err(K::Type)),
            (
                r#""type":["string","null"],"x-mcp-header":"A""#,
                Err(K::Type),
            ),
            (r#""type":"String","x-mcp-header":"A""#, Err(K::Type)),
            (r#""type":"string","x-mcp-header":"""#, Err(K::Name)),
            (r#""type":"string","x-mcp-header":"a b""#, Err(K::Name)),
            (r#""type":"string","x-mcp-header":"é""#, Err(K::Name)),
            (r#""type":"string","x-mcp-header":"a:b""#, Err(K::Name)),
            (r#""type":"string","x-mcp-header":"a\nb""#, Err(K::Name)),
            (r#""type":"string","x-mcp-header":7"#, Err(K::Name)),
            (r#""type":"string","x-mcp-header":"\ud83d""#, Err(K::Name)),
            (
                r#""type":"string","x-mcp-header":"A","x-mcp-header":"B""#,
                Err(K::Duplicate),
            ),
            (
                r#""type":"number","type":"string","x-mcp-header":"A""#,
                Err(K::Duplicate),
            ),
            (r#""type":"string","X-MCP-Header":"A""#, Ok(vec![])),
            // Data, however it looks.
            (
                r#""default":{"x-mcp-header":"A"},"enum":[{"x-mcp-header":"A"}]"#,
                Ok(vec![]),
            ),
            (
                r#""items":{"type":"string","x-mcp-header":"A"}"#,
                Err(K::Place),
            ),
            (
                r#""prefixItems":[{"type":"string","x-mcp-header":"A"}]"#,
                Err(K::Place),
            ),
            (
                r#""oneOf":[{"type":"string","x-mcp-header":"A"}]"#,
                Err(K::Place),
            ),
            (
                r#""not":{"type":"string","x-mcp-header":"A"}"#,
                Err(K::Place),
            ),
            (
                r#""additionalProperties":{"type":"string","x-mcp-header":"A"}"#,
                Err(K::Place),
            ),
            (
                r#""patternProperties":{"b":{"type":"string","x-mcp-header":"A"}}"#,
                Err(K::Place),
            ),
            (
                r#""if":{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}"#,
                Err(K::Place),
            ),
            (r#""anyOf":[[[{"x-mcp-header":"A"}]]]"#, Err(K::Place)),
            (r#""x-unknown":{"x-mcp-header":"A"}"#, Err(K::Place)),
        ] {
            assert_eq!(of_property(members), expected, "{members}");
        }
    }

    #[test]
    fn annotations_of_a_schema() {
        let header = |name: &str| format!(r#"{{"type":"string","x-mcp-header":"{name}"}}"#);
        let (a, b, small_a) = (header("A"), header("B"), header("a"));
        let both = |x: &str, y: &str| {
            let pair = |path: &str, name: &str| (path.to_owned(), name.to_owned());
            Ok(vec![pair(x, "A"), pair(y, "B")])
        };
        for (schema, expected) in [
            ("{}".to_owned(), Ok(vec![])),
            ("true".to_owned(), Ok(vec![])),
            ("[]".to_owned(), Ok(vec![])),
            (format!(r#"[{a}]"#), Err(K::Place)),
            (
                format!(r#"{{"properties":{{"x":{a},"y":{b}}}}}"#),
                both("x", "y"),
            ),
            (
                format!(r#"{{"properties":{{"x":{{"properties":{{"y":{a}}}}},"y":{b}}}}}"#),
                both("x.y", "y"),
            ),
            (
                format!(r#"{{"properties":{{"x":{a},"y":{small_a}}}}}"#),
                Err(K::Repeated),
            ),
            (
                format!(r#"{{"properties":{{"x":{a},"\u0078":{b}}}}}"#),
                Err(K::Duplicate),
            ),
            (
                format!(r#"{{"properties":{{"x":{a},"x":{{}}}}}}"#),
                Err(K::Duplicate),
            ),
            (
                format!(r#"{{"properties":{{"x":{a}}},"properties":{{"y":{b}}}}}"#),
                Err(K::Duplicate),
            ),
            // Without annotations it is nobody's business.
            (
                r#"{"properties":{"x":{},"x":{"\u0074ype":"string"}}}"#.to_owned(),
                Ok(vec![]),
            ),
            (
                r#"{"x-mcp-header":"A","type":"string"}"#.to_owned(),
                Err(K::Place),
            ),
            (format!(r#"{{"$defs":{{"x":{a}}}}}"#), Err(K::Place)),
            (
                format!(r#"{{"allOf":[{{"properties":{{"x":{a}}}}}]}}"#),
                Err(K::Place),
            ),
            (format!(r#"{{"properties":[{a}]}}"#), Err(K::Place)),
            (format!(r#"{{"properties":{{"x":[{a}]}}}}"#), Err(K::Place)),
            // A property of that name is none.
            (
                r#"{"properties":{"x-mcp-header":{"type":"string"}}}"#.to_owned(),
                Ok(vec![]),
            ),
            (
                format!(r#"{{"properties":{{"x-mcp-header":{a},"type":{b}}}}}"#),
                both("x-mcp-header", "type"),
            ),
            (
                format!(r#"{{"properties":{{"\ud83d":{a}}}}}"#),
                Err(K::Place),
            ),
        ] {
            assert_eq!(compiled(&schema), expected, "{schema}");
        }
    }

    #[test]
    fn an_error_says_where() {
        let schema =
            r#"{"properties":{"o":{"properties":{"b":{"type":"null","x-mcp-header":"B"}}}}}"#;
        let error = ParamPlan::compile(RawJson::parse(schema.as_bytes()).unwrap()).unwrap_err();
        assert_eq!((error.kind(), error.property()), (K::Type, "o.b"));
        assert_eq!(error.at(), schema.find("}}}}}").unwrap() + 1);
        let sentence = "`x-mcp-header` is for `integer`, `string` and `boolean` alone";
        assert_eq!(
            error.to_string(),
            format!("{sentence} (byte {})", error.at())
        );
    }

    #[test]
    fn so_many_annotations_and_no_more() {
        let schema = |count: usize| {
            let property = |n| format!(r#""p{n}":{{"type":"string","x-mcp-header":"H{n}"}}"#);
            let properties: Vec<_> = (0..count).map(property).collect();
            format!(r#"{{"properties":{{{}}}}}"#, properties.join(","))
        };
        let most = ParamPlan::MAX_ANNOTATIONS;
        assert_eq!(compiled(&schema(most)).unwrap().len(), most);
        assert_eq!(compiled(&schema(most + 1)), Err(K::TooMany));
    }

    #[test]
    fn a_deep_schema_needs_no_stack() {
        let deep = format!(
            "{}{{\"type\":\"string\",\"x-mcp-header\":\"A\"}}{}",
            r#"{"properties":{"p":"#.repeat(500),
            "}}".repeat(500)
        );
        let limits = crate::Limits::new().with_max_depth(1024);
        let schema = RawJson::parse_with(deep.as_bytes(), &limits).unwrap();
        let plan = ParamPlan::compile(schema).unwrap();
        assert_eq!(plan.annotations().next().unwrap().0.len(), 999);
    }
}
