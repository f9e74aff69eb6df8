import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Problem } from "../../Sources/Page/client/errors.js";
import { transports } from "../../Sources/Page/client/transports.js";

const turn = () => new Promise(setImmediate);
const bytes = (text) => new TextEncoder().encode(text);
let open = [];
// What still waits would keep the test from ending.
afterEach(() => { for (const connection of open) connection.close(); open = []; });

class FakeSocket {
  static made = [];
  constructor(address, protocol) { this.address = address; this.protocol = protocol; FakeSocket.made.push(this); }
  close() { this.closed = true; }
}

/** A link as the follow makes it, recording what the transport reports. `respond` handles requests, `stream` opens streams. */
function link(name, { respond, stream, token = "t", WebSocket = FakeSocket, now = () => 0 } = {}) {
  const told = { opened: 0, seqs: [], notices: [], lost: [], asked: [], pauses: [], stages: [] };
  const requests = {
    base: "https://auction.example", token: async () => token,
    request: async (method, path, given) => { told.asked.push(`${method} ${path}`); return respond(method, path, given); },
    stream: async (path, headers, signal) => { told.asked.push(path); told.signal = signal; return stream(path, headers, signal); },
  };
  const connection = transports[name]({
    path: "/v1/rooms/room_x", requests, WebSocket, after: () => 7, heard() {}, progress: (stage) => told.stages.push(stage),
    timing: { monotonic: () => now(), setTimeout: (act, ms) => { told.pauses.push(ms); setImmediate(act); }, clearTimeout() {} }, random: () => 0.5,
    open: () => { told.opened += 1; }, events: (events) => told.seqs.push(...events.map((event) => event.seq)),
    notice: (notice) => told.notices.push(notice), lost: ({ kind, error }) => told.lost.push(error ? `${kind} ${error.status ?? error.code ?? error.name}` : kind),
  });
  open.push(connection);
  return { told, connection };
}

/** A response whose bytes the test sends. */
function body(type = "text/event-stream; charset=utf-8") {
  let controller;
  const source = new ReadableStream({ start(given) { controller = given; } });
  return { response: new Response(source, { headers: { "Content-Type": type } }), controller };
}
const event = (seq, type = "weather.changed") => `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ seq, type, data: {} })}\n\n`;

test("server-sent events come by fetch: the token is a header, and events of unknown types arrive", async () => {
  const { response, controller } = body();
  const { told } = link("sse", { stream: async (path, headers) => { assert.equal(headers.Accept, "text/event-stream"); return response; } });
  await turn();
  assert.deepEqual(told.asked, ["/v1/rooms/room_x/events?after=7"], "no ticket");
  assert.equal(told.opened, 0, "headers alone may be all that an intermediary lets through");
  controller.enqueue(bytes(": auction-room\nid: 7\n\n"));
  await turn();
  assert.equal(told.opened, 1);
  controller.enqueue(bytes(`${event(8)}event: notice\ndata: {"notice":"presence","viewers":3}\n\n${event(9)}`));
  await turn();
  assert.deepEqual([told.seqs, told.notices[0].viewers], [[8, 9], 3]);
  controller.close();
  await turn();
  assert.deepEqual([told.lost, told.signal.aborted], [["broken"], true]);
});

test("a stream that breaks off, or has what no event may be, is lost", async () => {
  for (const [piece, expected] of [
    [`id: 8\nevent: x\ndata: {"seq":8\n\n`, "protocol client.protocol"], [`id: 8\nevent: x\ndata: {"seq":9,"type":"x","data":{}}\n\n`, "protocol client.protocol"],
    [`id: 8\nevent: x\ndata: {"seq":8,"type":"y","data":{}}\n\n`, "protocol client.protocol"], [`id: 8\nevent: x\ndata: {"seq":8,"type":"x"}\n\n`, "protocol client.protocol"],
  ]) {
    const { response, controller } = body();
    const { told } = link("sse", { stream: async () => response });
    controller.enqueue(bytes(piece));
    await turn();
    await turn();
    assert.deepEqual([told.lost, told.seqs], [[expected], []], piece);
  }
  const { response, controller } = body();
  const { told } = link("sse", { stream: async () => response });
  controller.enqueue(bytes(event(8)));
  await turn();
  controller.error(new TypeError("network"));
  await turn();
  assert.deepEqual([told.seqs, told.lost], [[8], ["broken Error"]]);
});

test("another media type means that something in between does not pass streams", async () => {
  const { told } = link("sse", { stream: async () => body("text/html").response });
  await turn();
  assert.deepEqual(told.lost, ["unsupported client.protocol"]);
});

test("a refusal carries its problem", async () => {
  const { told } = link("sse", { stream: async () => { throw new Problem({}, 404); } });
  await turn();
  assert.deepEqual(told.lost, ["refused 404"]);
});

test("a connection that was given up reports nothing", async () => {
  const { response, controller } = body();
  const { told, connection } = link("sse", { stream: async (path, headers, signal) => { signal.addEventListener("abort", () => controller.error(signal.reason)); return response; } });
  await turn();
  connection.close();
  await turn();
  assert.deepEqual([told.lost, told.signal.aborted], [[], true]);
});

test("a WebSocket opens with a ticket and the room's subprotocol", async () => {
  const { told } = link("socket", { respond: async () => ({ ticket: "t 1" }) });
  await turn();
  const socket = FakeSocket.made.at(-1);
  assert.deepEqual([told.asked, socket.address, socket.protocol],
    [["POST /v1/rooms/room_x/tickets"], "wss://auction.example/v1/rooms/room_x/socket?after=7&ticket=t+1", "auction-room.v1"]);
  socket.onopen();
  socket.onmessage({ data: '{"seq":8,"type":"bid.placed","data":{}}' });
  socket.onmessage({ data: '{"notice":"presence","viewers":2}' });
  socket.onmessage({ data: '{"ack":"c1","status":201}' });
  assert.deepEqual([told.opened, told.seqs, told.notices.length], [1, [8], 1]);
  socket.onclose({ code: 4408, reason: "" });
  socket.onclose({ code: 4408, reason: "" });
  assert.deepEqual(told.lost, ["broken"], "lost is said once");
});

test("without a token a WebSocket needs no ticket; a ticket that comes too late opens none", async () => {
  link("socket", { token: null, respond: async () => assert.fail("nothing is asked") });
  await turn();
  assert.equal(FakeSocket.made.at(-1).address, "wss://auction.example/v1/rooms/room_x/socket?after=7");
  const count = FakeSocket.made.length;
  let give;
  const { connection } = link("socket", { respond: () => new Promise((resolve) => { give = resolve; }) });
  await turn();
  connection.close();
  give({ ticket: "late" });
  await turn();
  assert.equal(FakeSocket.made.length, count);
});

test("a WebSocket's close code decides whether another would end the same way", async () => {
  for (const [code, hasHeard, expected] of [[4403, true, "refused 403"], [4404, true, "refused 404"], [4401, true, "broken"], [1006, false, "unopened"]]) {
    const { told } = link("socket", { token: null });
    await turn();
    const socket = FakeSocket.made.at(-1);
    if (hasHeard) socket.onmessage({ data: '{"notice":"presence"}' });
    socket.onclose({ code, reason: "" });
    assert.deepEqual(told.lost, [expected], String(code));
  }
  const garbled = link("socket", { token: null }).told;
  await turn();
  FakeSocket.made.at(-1).onmessage({ data: "{" });
  assert.deepEqual([garbled.lost, FakeSocket.made.at(-1).closed], [["protocol client.protocol"], true]);
  const none = link("socket", { WebSocket: null }).told;
  await turn();
  assert.deepEqual(none.lost, ["unsupported"]);
});

test("the first long-poll returns at once, later ones wait, and polling stops when the room is gone", async () => {
  const answers = [
    { events: [{ seq: 8, type: "x", data: {} }], more: true, presence: { viewers: 1 } }, { events: [], more: false, presence: { viewers: 1 } },
  ];
  const limits = [];
  const { told } = link("poll", { respond: async (method, path, { timeoutMs }) => {
    limits.push(timeoutMs);
    const answer = answers.shift();
    if (!answer) throw new Problem({}, 404);
    return answer;
  } });
  await turn();
  assert.deepEqual(told.asked.map((path) => path.split("?")[1]), ["after=7&wait=0&limit=200", "after=7&wait=0&limit=200", "after=7&wait=25&limit=200"]);
  assert.deepEqual([told.seqs, told.notices.length, told.lost, limits], [[8], 2, ["refused 404"], [15_000, 15_000, 40_000]]);
});

test("a long-poll without events in it is no response of this server", async () => {
  const { told } = link("poll", { respond: async () => ({ hello: 1 }) });
  await turn();
  assert.deepEqual(told.lost, ["protocol client.protocol"]);
});

test("a waiting long-poll that is answered at once without an event is not repeated at once", async () => {
  let now = 0;
  let count = 0;
  const { told } = link("poll", { now: () => now, respond: async () => {
    count += 1;
    // Immediate at first, then four that were not held, one that was, and one more that was not.
    if (count === 6) now += 25_000;
    if (count === 8) throw new Problem({}, 404);
    return { events: count === 1 ? [{ seq: 8, type: "x", data: {} }] : [], more: false };
  } });
  await turn();
  for (let turns = 0; turns < 10; turns += 1) await turn();
  assert.deepEqual(told.pauses, [1400, 1800, 2600, 3000, 1400]);
  assert.deepEqual(told.lost, ["refused 404"]);
});

test("a transport reports how far it is before its first bytes", async () => {
  const { told } = link("socket", { respond: async (method, path, { progress }) => { progress("sent"); return { ticket: "t" }; } });
  await turn();
  assert.deepEqual(told.stages, ["sent", "sent"], "the ticket, and the WebSocket");
  const poll = link("poll", { respond: async (method, path, { progress }) => { progress("token"); throw new Problem({}, 404); } }).told;
  await turn();
  assert.deepEqual(poll.stages, ["token"]);
  const page = link("socket", { respond: async () => ({}) }).told;
  await turn();
  assert.deepEqual(page.lost, ["protocol client.protocol"], "a ticket is needed");
});

test("a WebSocket that the browser refuses to make is not supported, so that another transport is tried", async () => {
  const WebSocket = class { constructor() { throw new DOMException("no", "SecurityError"); } };
  const { told } = link("socket", { token: null, WebSocket });
  await turn();
  assert.deepEqual(told.lost, ["unsupported 18"]);
});
