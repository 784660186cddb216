// simdjson's DOM: the whole message is checked and becomes a tape with its strings unescaped, and the tape is walked.
//
// Left unchecked: members that are there twice. A byte order mark is let through, and a number that fits no 64 bits makes
// the message unreadable. It lends no slices of params and `_meta`: the tape doesn't know where they stood.

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
    into = text(view);
    return true;
}

bool read_id(const element &value, Found &found) {
    if (value.is_null()) {
        return true;
    }
    if (value.get(found.number) == simdjson::SUCCESS) {
        found.id_kind = IdKind::Number;
        return true;
    }
    found.id_kind = IdKind::Text;
    return read_text(value, found.id);
}

bool read_meta(const element &value, Found &found) {
    object meta;
    if (value.get(meta) != simdjson::SUCCESS) {
        return false;
    }
    for (key_value_pair member : meta) {
        if (member.key == VERSION_KEY && !read_text(member.value, found.version)) {
            return false;
        }
    }
    return true;
}

bool read_params(const element &value, Found &found) {
    object params;
    if (value.get(params) != simdjson::SUCCESS) {
        return false;
    }
    for (key_value_pair member : params) {
        bool is_good = true;
        if (member.key == "_meta") {
            is_good = read_meta(member.value, found);
        } else if (member.key == "name") {
            is_good = read_text(member.value, found.name);
        } else if (member.key == "uri") {
            is_good = read_text(member.value, found.uri);
        } else if (member.key == "protocolVersion") {
            is_good = read_text(member.value, found.params_version);
        }
        if (!is_good) {
            return false;
        }
    }
    return true;
}

} // namespace

extern "C" parser *rivals_dom_new() { return new (std::nothrow) parser; }

extern "C" void rivals_dom_free(parser *parser) { delete parser; }

// `bytes` has to be followed by `SIMDJSON_PADDING` more bytes that may be read.
extern "C" bool rivals_dom_read(parser *parser, const char *bytes, size_t length, Found *into) {
    Found found{};
    object envelope;
    if (parser->parse(bytes, length, false).get(envelope) != simdjson::SUCCESS) {
        return false;
    }
    bool is_versioned = false, has_method = false, has_result = false, has_error = false;
    for (key_value_pair member : envelope) {
        bool is_good = true;
        if (member.key == "jsonrpc") {
            Text version{};
            is_good = read_text(member.value, version);
            is_versioned = std::string_view(version.start, version.length) == "2.0";
        } else if (member.key == "id") {
            is_good = read_id(member.value, found);
        } else if (member.key == "method") {
            has_method = true;
            is_good = read_text(member.value, found.method);
        } else if (member.key == "params") {
            is_good = read_params(member.value, found);
        } else if (member.key == "result") {
            has_result = true;
        } else if (member.key == "error") {
            has_error = true;
        }
        if (!is_good) {
            return false;
        }
    }
    if (!is_versioned || !classify(found, has_method, has_result, has_error)) {
        return false;
    }
    *into = found;
    return true;
}
