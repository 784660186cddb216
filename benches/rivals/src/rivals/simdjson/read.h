// What the two readers share: what they look for, and what they hand back to Rust. `ffi.rs` has the twin of `Found`.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

// Bytes in the message or in the parser's own buffer; good until either is used again. Absent if `start` is null.
struct Text {
    const char *start;
    size_t length;

    Text() : start(nullptr), length(0) {}
    Text(std::string_view view) : start(view.data()), length(view.size()) {}
};

enum class IdKind : uint32_t { None, Text, Number, Digits };

enum class Kind : uint32_t { Request, Notification, Response, Error };

struct Found {
    Text method;
    // A string without its quotes, or a number too large for `number` as it was written.
    Text id;
    int64_t number = 0;
    Text version;
    // `protocolVersion` of params, which counts only in `initialize`.
    Text params_version;
    Text name;
    Text uri;
    // Slices as they were written, by the reader that has such a thing.
    Text params;
    Text meta;
    IdKind id_kind = IdKind::None;
    Kind kind = Kind::Request;
};

// What an object is read for.
enum class Member { Other, Jsonrpc, Id, Method, Params, Result, Error, Meta, Name, Uri, Version };

// `==` would call memcmp for a length that isn't known.
template <size_t SIZE> inline bool is(std::string_view key, const char (&name)[SIZE]) {
    return key.size() == SIZE - 1 && std::memcmp(key.data(), name, SIZE - 1) == 0;
}

inline Member of_envelope(std::string_view key) {
    return is(key, "jsonrpc")  ? Member::Jsonrpc
           : is(key, "id")     ? Member::Id
           : is(key, "method") ? Member::Method
           : is(key, "params") ? Member::Params
           : is(key, "result") ? Member::Result
           : is(key, "error")  ? Member::Error
                               : Member::Other;
}

inline Member of_params(std::string_view key) {
    return is(key, "_meta")             ? Member::Meta
           : is(key, "name")            ? Member::Name
           : is(key, "uri")             ? Member::Uri
           : is(key, "protocolVersion") ? Member::Version
                                        : Member::Other;
}

inline Member of_meta(std::string_view key) {
    return is(key, "io.modelcontextprotocol/protocolVersion") ? Member::Version : Member::Other;
}

// Which members of the envelope were there.
struct Seen {
    bool is_versioned = false;
    bool has_method = false;
    bool has_result = false;
    bool has_error = false;

    // Says what kind of message it is. False if it is none.
    bool classify(Found &found) const {
        if (!is_versioned || has_method == (has_result || has_error) || (has_result && has_error)) {
            return false;
        }
        if (has_method) {
            found.kind = found.id_kind == IdKind::None ? Kind::Notification : Kind::Request;
        } else {
            found.kind = has_result ? Kind::Response : Kind::Error;
        }
        return true;
    }
};
