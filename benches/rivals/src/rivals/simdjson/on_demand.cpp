// simdjson On-Demand: finds all quotes, brackets and commas, then reads the members that are asked for and passes over the
// rest by counting brackets.
//
// Checked everywhere: UTF-8, control characters in strings, that strings and the outermost object are closed, and that
// nothing follows it. Left unchecked in all that isn't read (arguments, results, unknown members): numbers, literals,
// escapes, commas, colons and which bracket closes which, and the depth. Also members that are there twice and a byte
// order mark, as in the DOM.
//
// Written the careful way: members in any order, keys that may hold escapes, every error looked at. One pass over the
// members is as fast as looking each up by `find_field_unordered`, or faster, since a member that isn't there costs no
// second search. Only `find_field` in the very order of the message, stopping at the last, is faster still, and then
// neither another order nor the end of the message is read. References all through, for each copy of a field or value
// stalls on the one before.

#include <new>

#include "simdjson.h"

#include "read.h"

namespace ondemand = simdjson::ondemand;

namespace {

// Which of the members that `of` knows it is. Only a key with escapes is copied.
template <typename Of> bool read_key(ondemand::field &field, Of of, Member &member) {
    std::string_view key = field.escaped_key();
    member = of(key);
    if (member != Member::Other || key.find('\\') == std::string_view::npos) {
        return true;
    }
    if (field.unescaped_key().get(key) != simdjson::SUCCESS) {
        return false;
    }
    member = of(key);
    return true;
}

// Calls `read(member, value)` for every member of `object`.
template <typename Of, typename Read> bool read_members(ondemand::object &object, Of of, Read read) {
    for (auto item : object) {
        if (item.error() != simdjson::SUCCESS) {
            return false;
        }
        ondemand::field &&field = std::move(item).value_unsafe();
        Member member;
        if (!read_key(field, of, member) || !read(member, field.value())) {
            return false;
        }
    }
    return true;
}

// The same for an object within another, and sets `slice` to its own bytes.
template <typename Of, typename Read>
bool read_object(ondemand::document &document, ondemand::value &value, Text &slice, Of of, Read read) {
    const char *start = value.raw_json_token().data();
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS || !read_members(object, of, read)) {
        return false;
    }
    // The next token: a comma or the bracket that closes what is around. White space before it isn't ours.
    const char *end;
    if (document.current_location().get(end) != simdjson::SUCCESS) {
        return false;
    }
    while (end[-1] != '}') {
        end--;
    }
    slice = std::string_view(start, size_t(end - start));
    return true;
}

bool read_text(ondemand::value &value, Text &into) {
    std::string_view view;
    if (value.get_string().get(view) != simdjson::SUCCESS) {
        return false;
    }
    into = view;
    return true;
}

bool read_version(ondemand::value &value, Seen &seen) {
    std::string_view view;
    if (value.get_string().get(view) != simdjson::SUCCESS) {
        return false;
    }
    seen.is_versioned = is(view, "2.0");
    return true;
}

bool read_number(ondemand::value &value, Found &found) {
    // Before it is read: afterwards it is behind.
    std::string_view digits = value.raw_json_token();
    if (value.get_int64().get(found.number) == simdjson::SUCCESS) {
        found.id_kind = IdKind::Number;
        return true;
    }
    // Larger than 64 bits or with a fraction: as it stands, if it is a number at all.
    ondemand::number number;
    simdjson::error_code error = value.get_number().get(number);
    if (error != simdjson::SUCCESS && error != simdjson::BIGINT_ERROR) {
        return false;
    }
    // The token reaches to the next one.
    digits = digits.substr(0, digits.find_last_not_of(" \t\r\n") + 1);
    found.id_kind = IdKind::Digits;
    found.id = digits;
    return true;
}

bool read_id(ondemand::value &value, Found &found) {
    ondemand::json_type type;
    if (value.type().get(type) != simdjson::SUCCESS) {
        return false;
    }
    switch (type) {
    case ondemand::json_type::number:
        return read_number(value, found);
    case ondemand::json_type::string:
        found.id_kind = IdKind::Text;
        return read_text(value, found.id);
    default:
        bool is_null;
        return value.is_null().get(is_null) == simdjson::SUCCESS && is_null;
    }
}

bool read_params(ondemand::document &document, ondemand::value &value, Found &found) {
    auto read_meta_member = [&](Member member, ondemand::value &value) {
        return member == Member::Other || read_text(value, found.version);
    };
    auto read_params_member = [&](Member member, ondemand::value &value) {
        switch (member) {
        case Member::Meta:
            return read_object(document, value, found.meta, of_meta, read_meta_member);
        case Member::Name:
            return read_text(value, found.name);
        case Member::Uri:
            return read_text(value, found.uri);
        case Member::Version:
            return read_text(value, found.params_version);
        default:
            return true;
        }
    };
    return read_object(document, value, found.params, of_params, read_params_member);
}

} // namespace

extern "C" ondemand::parser *rivals_on_demand_new() { return new (std::nothrow) ondemand::parser; }

extern "C" void rivals_on_demand_free(ondemand::parser *parser) { delete parser; }

// `bytes` has to be followed by `SIMDJSON_PADDING` more bytes that may be read. `found` is written in any case.
// All in one function (`flatten`), or the place in the message would be kept in memory, which costs an eighth to a fifth on small ones.
extern "C" __attribute__((flatten)) bool rivals_on_demand_read(ondemand::parser *parser, const char *bytes, size_t length, Found *found) {
    new (found) Found;
    Seen seen;
    ondemand::document document;
    ondemand::object envelope;
    auto padded = simdjson::padded_string_view(bytes, length, length + simdjson::SIMDJSON_PADDING);
    if (parser->iterate(padded).get(document) != simdjson::SUCCESS ||
        document.get_object().get(envelope) != simdjson::SUCCESS) {
        return false;
    }
    // Result and error are passed over with the rest, with no slice of them.
    auto read_member = [&](Member member, ondemand::value &value) {
        switch (member) {
        case Member::Jsonrpc:
            return read_version(value, seen);
        case Member::Id:
            return read_id(value, *found);
        case Member::Method:
            seen.has_method = true;
            return read_text(value, found->method);
        case Member::Params:
            return read_params(document, value, *found);
        case Member::Result:
            seen.has_result = true;
            return true;
        case Member::Error:
            seen.has_error = true;
            return true;
        default:
            return true;
        }
    };
    return read_members(envelope, of_envelope, read_member) && document.at_end() && seen.classify(*found);
}
