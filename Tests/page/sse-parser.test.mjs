import assert from "node:assert/strict";
import { test } from "node:test";
import { ProtocolError } from "../../Sources/Page/client/errors.js";
import { EventStreamParser } from "../../Sources/Page/client/sse-parser.js";

const bytes = (text) => new TextEncoder().encode(text);
const all = (pieces, limit) => {
  const parser = new EventStreamParser(limit);
  return pieces.flatMap((piece) => parser.feed(typeof piece === "string" ? bytes(piece) : piece));
};
const stream = ": auction-room\nretry: 2000\nid: 12\n\nid: 13\nevent: bid.placed\ndata: {\"a\":\ndata: \"é€😀\"}\n\nevent: notice\ndata:{}\n\n";
const messages = [
  { type: "message", id: "12", data: null }, { type: "bid.placed", id: "13", data: '{"a":\n"é€😀"}' }, { type: "notice", id: null, data: "{}" },
];

test("messages are the same however the bytes are cut", () => {
  assert.deepEqual(all([stream]), messages);
  const whole = bytes(stream);
  for (let cut = 1; cut < whole.length; cut += 1) assert.deepEqual(all([whole.slice(0, cut), whole.slice(cut)]), messages, `cut at ${cut}`);
  assert.deepEqual(all([...whole].map((byte) => Uint8Array.of(byte))), messages);
});

test("lines end in every way that the standard has, also cut in two", () => {
  for (const end of ["\n", "\r", "\r\n"]) {
    const whole = bytes(stream.replaceAll("\n", end));
    assert.deepEqual(all([whole]), messages, JSON.stringify(end));
    assert.deepEqual(all([...whole].map((byte) => Uint8Array.of(byte))), messages, JSON.stringify(end));
  }
});

test("a comment, an unknown field and an event without data are no message; an unfinished one waits", () => {
  assert.deepEqual(all([": ping\n\n", "weather: rain\n\n", "event: x\n\n", "data: half"]), []);
  assert.deepEqual(all(["data\n\n"]), [{ type: "message", id: null, data: "" }]);
  assert.deepEqual(all(["data:  two spaces\n\n"])[0].data, " two spaces");
});

test("an id does not carry over to the next message, and one with a null character is none", () => {
  assert.deepEqual(all(["id: 1\ndata: a\n\ndata: b\n\nid: 2\u0000\ndata: c\n\n"]).map((each) => each.id), ["1", null, null]);
});

test("what has no end is an error, in one line or in many", () => {
  assert.throws(() => all(["data: " + "x".repeat(200)], 100), ProtocolError);
  assert.throws(() => all(Array.from({ length: 200 }, () => "data: x\n"), 100), ProtocolError);
  assert.throws(() => all(Array.from({ length: 200 }, () => "data: x"), 100), ProtocolError);
  assert.equal(all(Array.from({ length: 200 }, () => "data: x\n\n"), 100).length, 200);
});

test("what is not UTF-8 is an error", () => {
  assert.throws(() => all([Uint8Array.of(0x64, 0xff, 0x0a)]), ProtocolError);
});

test("a blank line counts also where a line feed before it came alone", () => {
  assert.deepEqual(all(["data: a\r", "\n", "\n"]).map((each) => each.data), ["a"]);
  assert.deepEqual(all(["data: a\r", "", "\n", "\r", "\n"]).map((each) => each.data), ["a"]);
});
