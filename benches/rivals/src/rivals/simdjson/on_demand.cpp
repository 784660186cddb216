// simdjson On-Demand: finds all quotes, brackets and commas, then reads the members that are asked for and passes over the
// rest by counting brackets.
//
// Checked everywhere: UTF-8, control characters in strings, that strings and the outermost object are closed, and that
// nothing follows it. Left unchecked in all that isn't read (arguments, results, unknown members): numbers, literals,
// escapes, commas, colons and which bracket closes which, and the depth. Also members that are there twice, as in the DOM.
//
// Written the careful way: members in any order, keys that may hold escapes, every error looked at.

#include <new>

#include "simdjson.h"

#include "read.h"

namespace ondemand = simdjson::ondemand;

namespace {

// The key with its escapes undone. Only one that has some is copied.
bool read_key(ondemand::field &member, std::string_view &key) {
    key = member.escaped_key();
    if (key.find('\\') == std::string_view::npos) {
        return true;
    }
    return member.unescaped_key().get(key) == simdjson::SUCCESS;
}

bool read_text(ondemand::value value, Text &into) {
    std::string_view view;
    if (value.get_string().get(view) != simdjson::SUCCESS) {
        return false;
    }
    into = text(view);
    return true;
}

bool read_number(ondemand::value &value, Found &found) {
    if (value.get_int64().get(found.number) == simdjson::SUCCESS) {
        found.id_kind = IdKind::Number;
        return true;
    }
    // Larger than 64 bits or a fraction: as it stands, if it is a number at all.
    ondemand::number number;
    simdjson::error_code error = value.get_number().get(number);
    if (error != simdjson::SUCCESS && error != simdjson::BIGINT_ERROR) {
        return false;
    }
    std::string_view digits;
    if (value.raw_json().get(digits) != simdjson::SUCCESS) {
        return false;
    }
    found.id_kind = IdKind::Digits;
    found.id = text(digits);
    return true;
}

bool read_id(ondemand::value value, Found &found) {
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
    case ondemand::json_type::null: {
        bool is_null;
        return value.is_null().get(is_null) == simdjson::SUCCESS && is_null;
    }
    default:
        return false;
    }
}

bool read_raw(ondemand::value value, Text &into) {
    std::string_view raw;
    if (value.raw_json().get(raw) != simdjson::SUCCESS) {
        return false;
    }
    into = text(raw);
    return true;
}

// Calls `read(key, value)` for every member, and sets `slice` to the object's own bytes.
template <typename Read>
bool read_object(ondemand::document &document, ondemand::value value, Text &slice, Read read) {
    const char *start = value.raw_json_token().data();
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) {
        return false;
    }
    for (auto item : object) {
        ondemand::field member;
        std::string_view key;
        if (std::move(item).get(member) != simdjson::SUCCESS || !read_key(member, key) ||
            !read(key, member.value())) {
            return false;
        }
    }
    // The next token: a comma or the bracket that closes what is around. White space before it isn't ours.
    const char *end;
    if (document.current_location().get(end) != simdjson::SUCCESS) {
        return false;
    }
    while (end[-1] != '}') {
        end--;
    }
    slice = text(std::string_view(start, size_t(end - start)));
    return true;
}

bool read_params(ondemand::document &document, ondemand::value value, Found &found) {
    auto of_meta = [&](std::string_view key, ondemand::value value) {
        return key != VERSION_KEY || read_text(value, found.version);
    };
    auto of_params = [&](std::string_view key, ondemand::value value) {
        if (key == "_meta") {
            return read_object(document, value, found.meta, of_meta);
        } else if (key == "name") {
            return read_text(value, found.name);
        } else if (key == "uri") {
            return read_text(value, found.uri);
        } else if (key == "protocolVersion") {
            return read_text(value, found.params_version);
        }
        return true;
    };
    return read_object(document, value, found.params, of_params);
}

} // namespace

extern "C" ondemand::parser *rivals_on_demand_new() { return new (std::nothrow) ondemand::parser; }

extern "C" void rivals_on_demand_free(ondemand::parser *parser) { delete parser; }

// `bytes` has to be followed by `SIMDJSON_PADDING` more bytes that may be read.
extern "C" bool rivals_on_demand_read(ondemand::parser *parser, const char *bytes, size_t length, Found *into) {
    Found found{};
    ondemand::document document;
    ondemand::object envelope;
    auto padded = simdjson::padded_string_view(bytes, length, length + simdjson::SIMDJSON_PADDING);
    if (parser->iterate(padded).get(document) != simdjson::SUCCESS ||
        document.get_object().get(envelope) != simdjson::SUCCESS) {
        return false;
    }
    bool is_versioned = false, has_method = false, has_result = false, has_error = false;
    for (auto item : envelope) {
        ondemand::field member;
        std::string_view key;
        if (std::move(item).get(member) != simdjson::SUCCESS || !read_key(member, key)) {
            return false;
        }
        bool is_good = true;
        if (key == "jsonrpc") {
            Text version{};
            is_good = read_text(member.value(), version);
            is_versioned = is_good && std::string_view(version.start, version.length) == "2.0";
        } else if (key == "id") {
            is_good = read_id(member.value(), found);
        } else if (key == "method") {
            has_method = true;
            is_good = read_text(member.value(), found.method);
        } else if (key == "params") {
            is_good = read_params(document, member.value(), found);
        } else if (key == "result") {
            has_result = true;
            is_good = read_raw(member.value(), found.outcome);
        } else if (key == "error") {
            has_error = true;
            is_good = read_raw(member.value(), found.outcome);
        }
        if (!is_good) {
            return false;
        }
    }
    if (!document.at_end() || !is_versioned || !classify(found, has_method, has_result, has_error)) {
        return false;
    }
    *into = found;
    return true;
}
