//! The way to the C++ readers and back. `read.h` has the twin of every type here.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use simdjson_sys::SIMDJSON_PADDING;

/// Text in the copied message or in a parser's own buffer.
#[repr(C)]
pub struct Text<'a> {
    start: *const u8,
    length: usize,
    borrowed: PhantomData<&'a str>,
}

impl<'a> Text<'a> {
    #[inline(always)]
    pub fn as_str(&self) -> Option<&'a str> {
        if self.start.is_null() {
            return None;
        }
        // SAFETY: whatever isn't null came from a `std::string_view` into one of the two buffers, both borrowed for `'a`.
        // simdjson's first stage has checked all of the message for UTF-8, a slice ends beside an ASCII character, and
        // undoing escapes writes whole characters: half a surrogate pair is an error.
        Some(unsafe {
            let bytes = std::slice::from_raw_parts(self.start, self.length);
            std::str::from_utf8_unchecked(bytes)
        })
    }
}

#[repr(u32)]
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "made in C++")]
pub enum IdKind {
    None,
    Text,
    Number,
    Digits,
}

#[repr(u32)]
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "made in C++")]
pub enum Kind {
    Request,
    Notification,
    Response,
    Error,
}

/// What a reader found.
#[repr(C)]
pub struct Found<'a> {
    pub method: Text<'a>,
    /// A string without its quotes, or a number too large for `number` as it was written.
    pub id: Text<'a>,
    pub number: i64,
    pub version: Text<'a>,
    /// `protocolVersion` of params, which counts only in `initialize`.
    pub params_version: Text<'a>,
    pub name: Text<'a>,
    pub uri: Text<'a>,
    pub params: Text<'a>,
    pub meta: Text<'a>,
    pub id_kind: IdKind,
    pub kind: Kind,
}

/// One of the two parsers; which, the functions know.
type Parser = NonNull<c_void>;
type Read = unsafe extern "C" fn(Parser, *const u8, usize, *mut Found<'_>) -> bool;

unsafe extern "C" {
    safe fn rivals_dom_new() -> Option<Parser>;
    fn rivals_dom_free(parser: Parser);
    fn rivals_dom_read(
        parser: Parser,
        bytes: *const u8,
        length: usize,
        into: *mut Found<'_>,
    ) -> bool;
    safe fn rivals_on_demand_new() -> Option<Parser>;
    fn rivals_on_demand_free(parser: Parser);
    fn rivals_on_demand_read(
        parser: Parser,
        bytes: *const u8,
        length: usize,
        into: *mut Found<'_>,
    ) -> bool;
}

/// Both parsers, and the copy that they read.
pub struct Readers {
    copy: Vec<u8>,
    dom: Parser,
    on_demand: Parser,
}

impl Readers {
    pub fn new() -> Self {
        Self {
            copy: Vec::new(),
            dom: rivals_dom_new().expect("memory for a parser"),
            on_demand: rivals_on_demand_new().expect("memory for a parser"),
        }
    }

    #[inline(always)]
    pub fn dom(&mut self, bytes: &[u8]) -> Option<Found<'_>> {
        // SAFETY: the parser is of the function's kind.
        unsafe { self.read(rivals_dom_read, self.dom, bytes) }
    }

    #[inline(always)]
    pub fn on_demand(&mut self, bytes: &[u8]) -> Option<Found<'_>> {
        // SAFETY: the parser is of the function's kind.
        unsafe { self.read(rivals_on_demand_read, self.on_demand, bytes) }
    }

    /// # Safety
    ///
    /// `parser` is one of this reader's, of the kind that `read` takes.
    #[inline(always)]
    unsafe fn read(&mut self, read: Read, parser: Parser, bytes: &[u8]) -> Option<Found<'_>> {
        let length = bytes.len();
        if self.copy.len() < length + SIMDJSON_PADDING {
            self.copy.resize(length + SIMDJSON_PADDING, 0);
        }
        // What is left of the message before may stay behind this one: padding is only ever read, never looked at.
        self.copy[..length].copy_from_slice(bytes);
        let mut found = MaybeUninit::uninit();
        // SAFETY: the caller vouches for the parser, and `&mut self` that nobody else uses it. The copy goes on for the
        // padding that simdjson asks for. `found` is a place for what the function writes if it returns true: all of it.
        // It borrows the copy and the parser, which stay as they are while the borrow of `self` lasts.
        unsafe {
            read(parser, self.copy.as_ptr(), length, found.as_mut_ptr())
                .then(|| found.assume_init())
        }
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        // SAFETY: both came from `new`, each of its kind, and nobody has them any more.
        unsafe {
            rivals_dom_free(self.dom);
            rivals_on_demand_free(self.on_demand);
        }
    }
}
