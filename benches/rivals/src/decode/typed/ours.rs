//! Parsed by rpcslice, so that method and id are known, and decoded out of the slice.

use bytes::Bytes;
use rpcslice::decode::SimdScratch;
use rpcslice::{Id, Message, MessageBuf};
use serde::Serialize;
use serde_json::Value;

use super::told;
use crate::decode::shapes::Shape;
use crate::decode::way::{Job, Look, Way};

pub const fn parsed<S: Shape>(name: &'static str) -> Way {
    Way {
        name,
        note: "Message::parse, the method looked at, decoded by serde_json",
        run: run_parsed::<S>,
        is_floor: false,
    }
}

pub const fn simd<S: Shape>(name: &'static str) -> Way {
    Way {
        name,
        note: "Message::parse, the method looked at, decoded by simd-json out of a copy in its scratch",
        run: run_simd::<S>,
        is_floor: false,
    }
}

pub const fn in_place<S: Shape>(name: &'static str) -> Way {
    Way {
        name,
        note: "a copy of the frame to own, MessageBuf::parse, decoded by simd-json in place; the copy is a floor below",
        run: run_in_place::<S>,
        is_floor: false,
    }
}

pub const PARSE: Way = Way {
    name: "floor: Message::parse",
    note: "decodes nothing",
    run: run_parse,
    is_floor: true,
};

pub const COPY: Way = Way {
    name: "floor: a copy of the frame to own",
    note: "for what is decoded in place: parses nothing",
    run: run_copy,
    is_floor: true,
};

fn run_parsed<S: Shape>(job: &Job<'_>, _: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let message = parse(job)?;
    let value: S::Of<'_> = match job.is_result {
        true => message.result_as().ok()?,
        false => message.params_as().ok()?,
    };
    look.at(&(message.id()?, value), tell);
    Some(())
}

fn run_simd<S: Shape>(job: &Job<'_>, scratch: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let message = parse(job)?;
    let section = match job.is_result {
        true => message.result()?,
        false => message.params()?,
    };
    let value: S::Of<'_> = section.decode_simd(scratch).ok()?;
    look.at(&(message.id()?, value), tell);
    Some(())
}

fn run_in_place<S: Shape>(job: &Job<'_>, scratch: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let message = MessageBuf::parse(Bytes::copy_from_slice(job.frame)).ok()?;
    let id = {
        let message = message.as_message();
        is_expected(&message, job).then_some(message.id()?.into())
    };
    let id: rpcslice::IdBuf = id?;
    let mut section = match job.is_result {
        true => message.into_result()?,
        false => message.into_params()?,
    };
    let value: S::Of<'_> = section.decode_simd(scratch).ok()?;
    look.at(&(id.as_id(), value), tell);
    Some(())
}

fn run_parse(job: &Job<'_>, _: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let message = parse(job)?;
    look.at(&message, |_| Value::Null);
    Some(())
}

fn run_copy(job: &Job<'_>, _: &mut SimdScratch, look: &mut Look) -> Option<()> {
    look.at(&Bytes::copy_from_slice(job.frame), |_| Value::Null);
    Some(())
}

fn parse<'a>(job: &Job<'a>) -> Option<Message<'a>> {
    let message = Message::parse(job.frame).ok()?;
    is_expected(&message, job).then_some(message)
}

/// Is it what the type is for?
fn is_expected(message: &Message<'_>, job: &Job<'_>) -> bool {
    match message.method() {
        Some(method) => method == "tools/call",
        None => job.is_result,
    }
}

fn tell<T: Serialize>((id, value): &(Id<'_>, T)) -> Value {
    let id = serde_json::from_str(id.raw()).unwrap_or_default();
    told(id, serde_json::to_value(value).unwrap_or_default())
}
