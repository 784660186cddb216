// simdjson's DOM: the whole message is checked and becomes a tape with its strings unescaped, and the tape is walked.
//
// Left unchecked: members that are there twice. A byte order mark is let through. A number that fits no 64 bits makes the
// message unreadable, and so does such an id or one with a fraction, for the tape has no digits. Nor does it know where
// params and `_meta` stood, so there are no slices of them.

#include <new>

#include "simdjson.h"

#include "read.h"

using simdjson::dom::element;
using simdjson::dom::key_value_pair;
using simdjson::dom::object;
using simdjson::dom::parser;

namespace {

bool read_text(const element &value, Text &into) {
    std::string_view view;
    if (value.get(view) != simdjson::SUCCESS) {
        return false;
    }
    into = view;
    return true;
}

bool read_version(const element &value, Seen &seen) {
    std::string_view view;
    if (value.get(view) != simdjson::SUCCESS) {
        return false;
    }
    seen.is_versioned = is(view, "2.0");
    return true;
}

bool read_id(const element &value, Found &found) {
    switch (value.type()) {
    case simdjson::dom::element_type::INT64:
        found.id_kind = IdKind::Number;
        return value.get(found.number) == simdjson::SUCCESS;
    case simdjson::dom::element_type::STRING:
        found.id_kind = IdKind::Text;
        return read_text(value, found.id);
    default:
        return value.is_null();
    }
}

bool read_meta(const element &value, Found &found) {
    object meta;
    if (value.get(meta) != simdjson::SUCCESS) {
        return false;
    }
    for (key_value_pair member : meta) {
        if (of_meta(member.key) == Member::Version && !read_text(member.value, found.version)) {
            return false;
        }
    }
    return true;
}

bool read_params_member(const key_value_pair &member, Found &found) {
    switch (of_params(member.key)) {
    case Member::Meta:
        return read_meta(member.value, found);
    case Member::Name:
        return read_text(member.value, found.name);
    case Member::Uri:
        return read_text(member.value, found.uri);
    case Member::Version:
        return read_text(member.value, found.params_version);
    default:
        return true;
    }
}

bool read_params(const element &value, Found &found) {
    object params;
    if (value.get(params) != simdjson::SUCCESS) {
        return false;
    }
    for (key_value_pair member : params) {
        if (!read_params_member(member, found)) {
            return false;
        }
    }
    return true;
}

bool read_member(const key_value_pair &member, Seen &seen, Found &found) {
    switch (of_envelope(member.key)) {
    case Member::Jsonrpc:
        return read_version(member.value, seen);
    case Member::Id:
        return read_id(member.value, found);
    case Member::Method:
        seen.has_method = true;
        return read_text(member.value, found.method);
    case Member::Params:
        return read_params(member.value, found);
    case Member::Result:
        seen.has_result = true;
        return true;
    case Member::Error:
        seen.has_error = true;
        return true;
    default:
        return true;
    }
}

} // namespace

extern "C" parser *rivals_dom_new() { return new (std::nothrow) parser; }

extern "C" void rivals_dom_free(parser *parser) { delete parser; }

// `bytes` has to be followed by `SIMDJSON_PADDING` more bytes that may be read. `found` is written in any case.
extern "C" bool rivals_dom_read(parser *parser, const char *bytes, size_t length, Found *found) {
    new (found) Found;
    Seen seen;
    object envelope;
    if (parser->parse(bytes, length, false).get(envelope) != simdjson::SUCCESS) {
        return false;
    }
    for (key_value_pair member : envelope) {
        if (!read_member(member, seen, *found)) {
            return false;
        }
    }
    return seen.classify(*found);
}
