//! What is written reads back as what it was, or is refused, and then rightly.
//!
//! The input is a message, of which the members are taken for what is to be written; behind it, where they are there, the
//! method that a response answers, the type of an event and the id of one. Its tail chooses the limits, and with the rest
//! of its bytes for whom and how it is written.
//!
//! | module | what |
//! |---|---|
//! | [`draft`] | what is to be written |
//! | [`setting`] | for whom, and how |
//! | [`written`] | the message that comes of it |
//! | [`answers`] | answers in an array |
//! | [`built`] | values built of pieces |

pub mod answers;
pub mod built;
pub mod draft;
pub mod setting;
pub mod written;

use crate::framed::Fields;
use crate::mutator::{self, calls, drafts, json};
use crate::options;
use crate::rng::Rng;
use draft::Draft;
use rpcslice::mcp::Method;
use setting::Setting;

/// The target.
pub fn run(data: &[u8]) {
    let (input, tail) = options::split(data);
    let [frame, answered, event, id] = options::parts(input);
    let frame = frame.expect("always there");
    let mut rng = Rng::of(data);
    let text = |part: Option<&[u8]>| part.map(|part| String::from_utf8_lossy(part).into_owned());
    let fields = Fields::of(text(event).as_deref(), text(id).as_deref(), &mut rng);
    fields.hold_empty();
    let draft = Draft::of(frame, &mut rng);
    let given = draft.section.as_deref().or(draft.data.as_deref());
    let limits = options::limits(given.unwrap_or("").as_bytes(), tail);
    let object = draft.data.as_deref().or(draft.section.as_deref());
    let object = object.filter(|text| is_readable(text));
    let setting = Setting::chosen(object, fields, limits, &mut rng);
    let named = text(answered).and_then(|name| Method::named(&name));
    let methods: Vec<Method> = Method::all().collect();
    let answered = match (rng.below(4), named) {
        (0, _) => rng.pick(&methods).copied(),
        (_, Some(method)) => Some(method),
        _ => Method::named(&draft.method),
    };
    if !draft.is_readable() {
        return crate::count::execution(false, 0);
    }
    let (is_written, signature) = written::hold(&setting, &draft, answered, &mut rng);
    answers::hold(&setting, &draft, answered, &mut rng);
    built::hold(&String::from_utf8_lossy(frame), &mut rng);
    crate::count::execution(is_written, signature);
}

/// Whether a value can be one at all: deeper than 1,024 containers nobody reads.
fn is_readable(text: &str) -> bool {
    let limits = rpcslice::Limits::new().with_max_depth(usize::MAX);
    rpcslice::json::RawJson::parse_with(text.as_bytes(), &limits).is_ok()
}

impl Draft {
    fn is_readable(&self) -> bool {
        let parts = [&self.section, &self.data];
        parts.into_iter().flatten().all(|text| is_readable(text))
    }
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    mutator::with_tail(data, rng, edit)
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    mutator::in_place(data, size, max, seed, mutate)
}

fn edit(input: &mut Vec<u8>, rng: &mut Rng) {
    let parts: [_; 4] = options::parts(input);
    let mut parts = parts.map(|part| part.map(<[u8]>::to_vec));
    match (rng.below(16), &mut parts) {
        (0, [_, answered, ..]) => *answered = Some(drafts::method(rng)),
        (1 | 2, [_, answered, event, id]) => {
            answered.get_or_insert_with(Vec::new);
            let field = match rng.once_in(2) {
                true => event,
                false => {
                    event.get_or_insert_with(Vec::new);
                    id
                }
            };
            drafts::edit_field(field.get_or_insert_with(Vec::new), rng);
        }
        (3 | 4, [Some(frame), answered, ..]) => {
            let (message, method) = drafts::fresh(rng);
            *frame = message;
            *answered = method;
        }
        (5, [Some(frame), ..]) => *frame = calls::fresh(rng),
        (6, [Some(frame), ..]) => *frame = json::fresh(rng),
        (_, [Some(frame), ..]) => json::edit(frame, rng),
        _ => {}
    }
    *input = options::join_parts(&parts);
}
