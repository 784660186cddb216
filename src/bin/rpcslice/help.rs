//! What `rpcslice check --help` says.

pub(crate) const LONG_ABOUT: &str = "\
Check a stream of messages: lines, an event stream, or recorded HTTP exchanges (--format).

With `lines` each line that isn't blank is one frame, with `sse` the data of each event, with `http` each body and \
each event in one. Each frame is checked in full: well-formed JSON in valid UTF-8, then the shape of a JSON-RPC 2.0 \
message as MCP has it, then the rules of its revision of MCP. With --revision those are the revisions served. \
Without, a message that names a revision is held to that one, another to what the session agreed on before it, and \
one of which neither is known to JSON-RPC alone. Responses are checked without knowing what they answer. A batch is \
read where 2025-03-26 is the revision; it is one frame, with the first fault of any of its messages. A bad frame \
never stops the stream; the next one is read as if nothing had happened.

With `sse` the events that hold no message and are in order are frames, too, with a word for their kind: `empty` \
(which tells a first event id), `empty-object` ({}, which some servers replay), `endpoint`, `other-event` (its type \
isn't `message`). They count as good. An event that no blank line ended is dropped, as the standard has it; the \
summary says where it stood.

With `http` each line is the record of one exchange, a JSON object:
  {\"request\":{\"method\":\"POST\",\"headers\":[[\"name\",\"value\"],..],\"body_b64\":\"..\"},
   \"response\":{\"status\":200,\"headers\":[..],\"chunks_b64\":[\"..\",..]}}
Bodies are in base64; `response` may be null, further members mean nothing. Request and response are read by their \
Content-Type and Content-Encoding, each message by the rules of who received it over HTTP: by the revision that it \
names itself, or else the request's header MCP-Protocol-Version, or else the request; and a response as the answer \
to what the same record asked. Without that header a batch is read, too: revision 2025-03-26 had none. Nothing is \
carried from one record to the next. What holds no message and is in order has a word for its kind: `empty`, and \
`other-body` (`Accepted` with 202, text beside an error status, what has no Content-Type), as well as those of \
`sse`. A message that is posted has to agree with its headers where its revision says so, Mcp-Param-* aside, \
which needs the tool. One that is posted as another media type than JSON is a bad frame, and so is what has a charset or a \
coding that isn't read here. A line that is no record is one bad frame; a record may be four times as long as a \
frame and 1 MiB more. An event stream may end anywhere: clients go away.

The table has a row per frame: its number, the byte offset of its line (or of its event's block) in the input, its \
length in bytes (without the LF; of an event its data), kind (request, notification, result, error, batch), id as it \
is written, method, routing name (params.name, else params.uri, else params.taskId) and the protocol revision it \
names. For an error response the code and the message stand where a method would, in parentheses; so do an endpoint, \
an event's type, and a status. With `http` the number of the record and the way (c2s: from client to server; s2c: \
back) go before the offset. A bad frame is marked with `!` and followed by the reason, the clause of the \
specification and the text around the fault, with a caret under the byte. What could harm a terminal is shown as a \
stand-in: control characters as pictures, invisible ones as <U+202E>, bytes that aren't UTF-8 as <FF>. The summary \
at the end counts by kind and method.

The input may be larger than memory: what is held is one line, event or record, never more than --max-frame-bytes of \
it (of a record more, see above).";

pub(crate) const AFTER_HELP: &str = "\
JSON:
  --json prints one object per frame and nothing else:
    {\"frame\":1,\"offset\":0,\"len\":40,\"verdict\":\"accept\",\"kind\":\"request\",\"id\":\"1\",\"method\":\"ping\",
     \"name\":null,\"protocol_version\":null,\"error\":null}
  `frame` counts from 1 without blank lines, `id` holds the JSON text of the id, `error` is null or
  {\"code\":..,\"reason\":..,\"offset\":..,\"message\":..} with the offset within the frame, which is an
  event's data. `kind` is also the word for what is no message.
  --format http adds two keys at the end: \"record\":1 and \"direction\":\"c2s\" or \"s2c\", null where the
  record itself is at fault. Where `reason` is media-type, charset or content-coding, `code` is the
  HTTP status, 415, and `offset` 0.

Exit status:
  0  every frame is good (also if there is none)
  1  some frame is bad
  2  wrong usage, or the input can't be read or the output not written
  When the reader of the output goes away (as `head` does), the status tells of what was read until then.

Environment:
  COLUMNS  width of the table, at least 60; without it 80 on a terminal, else 120

Examples:
  rpcslice check session.jsonl
  my-server 2>/dev/null <requests.jsonl | rpcslice check
  curl -sN -H 'Accept: text/event-stream' http://localhost:3000/mcp | rpcslice check --format sse
  rpcslice check --format http recording.jsonl
  rpcslice check --json session.jsonl | jq -c 'select(.verdict == \"reject\")'
  rpcslice check --revision 2026-07-28 --role server requests.jsonl
  rpcslice check --max-frame-bytes 1048576 --max-depth 64 session.jsonl";
