// What the two readers hand back to Rust. `mod.rs` has the twin of every type here.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// Bytes in the message or in the parser's own buffer; good until either is used again. Absent if `start` is null.
struct Text {
    const char *start;
    size_t length;
};

inline Text text(std::string_view view) { return Text{view.data(), view.size()}; }

enum class IdKind : uint32_t { None, Text, Number, Digits };

enum class Kind : uint32_t { Request, Notification, Response, Error };

struct Found {
    Text method;
    // A string without its quotes, or a number too large for `number` as it was written.
    Text id;
    int64_t number;
    Text version;
    // `protocolVersion` of params, which counts only in `initialize`.
    Text params_version;
    Text name;
    Text uri;
    // Slices as they were written, by the reader that has such a thing.
    Text params;
    Text meta;
    Text outcome;
    IdKind id_kind;
    Kind kind;
};

constexpr std::string_view VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

// Says what kind of message it is. False if it is none.
inline bool classify(Found &found, bool has_method, bool has_result, bool has_error) {
    if (has_method == (has_result || has_error) || (has_result && has_error)) {
        return false;
    }
    if (has_method) {
        found.kind = found.id_kind == IdKind::None ? Kind::Notification : Kind::Request;
    } else {
        found.kind = has_result ? Kind::Response : Kind::Error;
    }
    return true;
}
