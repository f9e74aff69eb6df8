import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { transports } from "../../Sources/Page/client/transports.js";

const turn = () => new Promise(setImmediate);
let open = [];

class FakeEventSource {
  static made = [];
  heard = new Map();
  constructor(address) { this.address = address; FakeEventSource.made.push(this); }
  addEventListener(type, act) { this.heard.set(type, act); }
  close() { this.closed = true; }
}

class FakeSocket {
  static made = [];
  constructor(address, protocol) { this.address = String(address); this.protocol = protocol; FakeSocket.made.push(this); }
  close() { this.closed = true; }
}

globalThis.EventSource = FakeEventSource;
globalThis.WebSocket = FakeSocket;
globalThis.location = new URL("https://auction.example/#/rooms/room_x");

/** A link as the stream creates it, recording the notifications that it receives. */
function link(name, request, hasToken = true) {
  const told = { opened: 0, events: [], notices: [], lost: [] };
  const asking = Object.assign(request, { hasToken: () => hasToken });
  const connection = transports[name]({
    room: "room_x", request: asking, after: () => 7, open: () => { told.opened += 1; },
    events: (events, isContiguous) => told.events.push(...events.map((event) => [event.seq, isContiguous])),
    notice: (notice) => told.notices.push(notice), lost: (problem) => told.lost.push(problem),
  });
  open.push(connection);
  return { told, connection };
}

// A watchdog that still runs would keep the test from ending.
afterEach(() => { for (const connection of open) connection.close(); open = []; });

test("server-sent events use a ticket and the cursor, with a listener per type", async () => {
  const asked = [];
  const { told } = link("sse", async (method, path) => { asked.push(`${method} ${path}`); return { ticket: "t 1" }; });
  await turn();
  const source = FakeEventSource.made.at(-1);
  assert.deepEqual(asked, ["POST /v1/rooms/room_x/tickets"]);
  assert.equal(source.address, "/v1/rooms/room_x/events?after=7&ticket=t+1");
  source.onopen();
  source.heard.get("bid.placed")({ data: '{"seq":8,"type":"bid.placed"}' });
  source.heard.get("notice")({ data: '{"notice":"presence","viewers":3}' });
  assert.deepEqual([told.opened, told.events, told.notices[0].viewers], [1, [[8, false]], 3]);
  source.onerror();
  source.onerror();
  assert.deepEqual(told.lost, [null], "lost is said once");
  assert.ok(source.closed, "it does not reconnect by itself with a ticket that has been used");
});

test("without a token no ticket is needed", async () => {
  link("sse", async () => assert.fail("nothing is asked"), false);
  await turn();
  assert.equal(FakeEventSource.made.at(-1).address, "/v1/rooms/room_x/events?after=7");
});

test("a refused ticket means that the transport is unsupported", async () => {
  const refusal = { status: 404 };
  const { told } = link("sse", async () => { throw refusal; });
  await turn();
  assert.deepEqual(told.lost, [refusal]);
});

test("a connection abandoned before its ticket arrives is never opened", async () => {
  const count = FakeSocket.made.length;
  let give;
  const { connection } = link("socket", () => new Promise((resolve) => { give = resolve; }));
  connection.close();
  give({ ticket: "late" });
  await turn();
  assert.equal(FakeSocket.made.length, count);
});

test("a WebSocket uses the room's subprotocol, and its close code decides about reconnecting", async () => {
  const { told } = link("socket", async () => ({ ticket: "t" }));
  await turn();
  const socket = FakeSocket.made.at(-1);
  assert.equal(socket.address, "wss://auction.example/v1/rooms/room_x/socket?after=7&ticket=t");
  assert.equal(socket.protocol, "auction-room.v1");
  socket.onopen();
  socket.onmessage({ data: '{"seq":8,"type":"bid.placed"}' });
  socket.onmessage({ data: '{"notice":"presence","viewers":2}' });
  socket.onmessage({ data: '{"ack":"c1","status":201}' });
  assert.deepEqual([told.events, told.notices.length], [[[8, true]], 1]);
  socket.onclose({ code: 4408, reason: "" });
  assert.deepEqual(told.lost, [null]);
  const banned = link("socket", async () => ({ ticket: "t" })).told;
  await turn();
  FakeSocket.made.at(-1).onclose({ code: 4403, reason: "" });
  assert.equal(banned.lost[0].isFinal, true);
});

test("a frame that is not JSON closes the connection", async () => {
  const { told } = link("socket", async () => ({ ticket: "t" }));
  await turn();
  FakeSocket.made.at(-1).onmessage({ data: "{" });
  assert.deepEqual(told.lost, [null]);
});

test("the first long-poll returns at once, later ones wait, and polling stops when the room is gone", async () => {
  const asked = [];
  const answers = [
    { events: [{ seq: 8 }], more: true, presence: { viewers: 1 } }, { events: [], more: false, presence: { viewers: 1 } },
  ];
  const { told } = link("poll", async (method, path) => {
    asked.push(path.split("?")[1]);
    const answer = answers.shift();
    if (!answer) throw { status: 404 };
    return answer;
  });
  await turn();
  assert.deepEqual(asked, ["after=7&wait=0&limit=200", "after=7&wait=0&limit=200", "after=7&wait=25&limit=200"]);
  assert.deepEqual(told.events, [[8, true]]);
  assert.equal(told.lost[0].isFinal, true);
});
