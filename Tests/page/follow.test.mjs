import assert from "node:assert/strict";
import { test } from "node:test";
import { AuctionClient } from "../../Sources/Page/client/auction-client.js";

const turn = async (count = 6) => { for (; count > 0; count -= 1) await new Promise(setImmediate); };
const ann = { id: "user_a", nickname: "Ann" };
const event = (seq, type = "weather.changed", data = {}) => ({ seq, type, at: "2026-11-21T09:00:00.000Z", round: 1, data });
const frame = (given) => new TextEncoder().encode(`id: ${given.seq}\nevent: ${given.type}\ndata: ${JSON.stringify(given)}\n\n`);

/** A client of a server that the test plays: `streams` are the event streams that were opened, `answers` what reads get. */
function fixture({ seq = 10, answers = {}, ...options } = {}) {
  const streams = [];
  const asked = [];
  const sent = [];
  const timers = [];
  let now = 0;
  let asleep = 0;
  const room = { id: "room_x", seq, state: "auctioning", round: 1, currentBid: null, members: {}, viewers: 1, serverTime: "2026-11-21T09:00:00.000Z" };
  const client = new AuctionClient({
    baseURL: "https://auction.example", random: () => 0.5,
    fetch: async (address, { headers, signal, body: given }) => {
      if (given) sent.push(JSON.parse(given));
      const path = address.slice("https://auction.example".length);
      asked.push(path);
      signal.throwIfAborted();
      const answer = answers[path.split("?")[0]]?.shift();
      const kind = answer?.body?.code ? { type: "/problems/of-a-kind" } : {};
      if (answer) return new Response(JSON.stringify({ ...kind, ...answer.body }), { status: answer.status ?? 200 });
      if (!path.includes("/events")) return new Response(JSON.stringify(room));
      let controller;
      const body = new ReadableStream({ start(given) { controller = given; } });
      const stream = {
        path, headers, isClosed: false,
        send: async (...events) => { for (const each of events) controller.enqueue(frame(each)); await turn(); },
        end: async () => { controller.close(); await turn(); },
      };
      signal.addEventListener("abort", () => { stream.isClosed = true; try { controller.error(signal.reason); } catch { /* It had ended. */ } });
      streams.push(stream);
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    },
    clock: {
      now: () => Date.parse("2026-11-21T09:00:00Z") + now + asleep, monotonic: () => now,
      setTimeout(act, ms) { const timer = { act, at: now + ms }; timers.push(timer); return timer; },
      clearTimeout(timer) { if (timer) timer.act = null; },
    },
    ...options,
  });
  /** Time passes, and what is due happens. */
  const pass = async (ms) => {
    now += ms;
    for (const timer of timers.splice(0)) if (timer.act && timer.at <= now) timer.act(); else if (timer.act) timers.push(timer);
    await turn();
  };
  /** The device sleeps: timers and the monotonic clock stand still. */
  const sleep = (ms) => { asleep += ms; };
  return { client, follow: client.room("room_x").follow({ refresh: false }), streams, asked, sent, pass, sleep, room, answers };
}

/** Runs a loop and keeps what it gets. */
function collect(follow, each = async () => {}) {
  const got = { seqs: [], ended: false, error: null };
  got.done = (async () => {
    try {
      for await (const { event: one, state, isNew } of follow) {
        assert.equal(state.seq, one.seq);
        got.seqs.push(isNew ? one.seq : -one.seq);
        if (await each(one) === "leave") break;
      }
      got.ended = true;
    } catch (error) {
      got.error = error;
    }
  })();
  return got;
}

test("a loop gets each event once with its state, over a connection that breaks", async () => {
  const { follow, streams, asked, pass } = fixture();
  const got = collect(follow);
  await turn();
  assert.deepEqual(asked, ["/v1/rooms/room_x", "/v1/rooms/room_x/events?after=10"]);
  await streams[0].send(event(11, "bid.placed", { bidId: "b", amount: "1.00", bidder: ann, leading: true }), event(12));
  assert.equal(follow.state.room.currentPrice, "1.00");
  await streams[0].end();
  assert.equal(follow.status.state, "reconnecting");
  await pass(400);
  assert.ok(asked.at(-1).endsWith("after=12"));
  await streams[1].send(event(12), event(13));
  assert.deepEqual([got.seqs, follow.cursor, follow.status.state], [[11, 12, 13], 13, "live"]);
  follow.stop();
  await got.done;
  assert.deepEqual([got.ended, streams[1].isClosed], [true, true]);
});

test("leaving the loop ends the connection", async () => {
  const { follow, streams } = fixture();
  const got = collect(follow, async (one) => (one.seq === 12 ? "leave" : ""));
  await turn();
  await streams[0].send(event(11), event(12), event(13));
  await got.done;
  assert.deepEqual([got.seqs, streams[0].isClosed, follow.status.reason], [[11, 12], true, "stopped"]);
  assert.throws(() => follow[Symbol.asyncIterator](), TypeError);
});

test("bids that a retraction has changed are read again, as far back as it goes", async () => {
  const bo = { id: "user_b", nickname: "Bo" };
  const placed = (seq, bidder, amount, leading, automatic = false) => event(seq, "bid.placed", { bidId: `b${seq}`, amount, bidder, leading, automatic });
  const { client, streams, asked, pass, room, answers } = fixture();
  const follow = client.room("room_x").follow();
  const got = collect(follow);
  await turn();
  await streams[0].send(placed(11, ann, "100.00", true), placed(12, bo, "300.00", false), placed(13, ann, "310.00", true, true), placed(14, ann, "700.00", true));
  room.seq = 15;
  answers["/v1/rooms/room_x/bids"] = [
    { body: { bids: [{ id: "b14", seq: 14, amount: "350.00", bidder: ann, leading: true, automatic: false }], nextCursor: "14" } },
    { status: 503, body: { code: "service.overloaded" } },
    { body: { bids: [{ id: "b14", seq: 14, amount: "350.00", bidder: ann, leading: true, automatic: false }], nextCursor: "14" } },
    { body: { bids: [{ id: "b12", seq: 12, amount: "150.00", bidder: bo, leading: true, automatic: false }, { id: "b10", seq: 10, amount: "90.00", bidder: bo, leading: true, automatic: false }], nextCursor: "10" } },
  ];
  await streams[0].send(event(15, "bid.retracted", { bidId: "b11", removed: ["b11", "b13"], leader: ann, price: "350.00", nextMinimum: "360.00", reserveMet: null }));
  await pass(30);
  // What fails is repeated.
  for (let count = 0; count < 20; count += 1) await pass(1_000);
  assert.deepEqual(follow.state.bids.filter((bid) => !bid.retracted).map((bid) => [bid.id, bid.amount, bid.leading]), [["b10", "90.00", true], ["b12", "150.00", true], ["b14", "350.00", true]]);
  const reads = () => asked.filter((path) => path.includes("/bids")).map((path) => path.split("?")[1]);
  assert.equal(reads().at(-1), "round=1&limit=100&cursor=14");
  const count = reads().length;
  await streams[0].send(event(16));
  await pass(2_000);
  assert.equal(reads().length, count, "once is enough");
  follow.stop();
  await got.done;
});

test("bids that were asked for before another retraction are asked for again", async () => {
  const bo = { id: "user_b", nickname: "Bo" };
  const placed = (seq, bidder, amount, leading) => event(seq, "bid.placed", { bidId: `b${seq}`, amount, bidder, leading, automatic: false });
  const listed = (seq, bidder, amount) => ({ id: `b${seq}`, seq, amount, bidder, leading: true, automatic: false });
  let answer = null;
  const { client, streams, pass, room } = fixture({ answers: { "/v1/rooms/room_x/bids": { shift: () => answer() } } });
  const follow = client.room("room_x").follow();
  const got = collect(follow);
  await turn();
  await streams[0].send(placed(11, ann, "100.00", true), placed(12, bo, "300.00", false), placed(13, bo, "350.00", false), placed(14, ann, "700.00", true));
  room.seq = 16;
  const answers = [
    // Between the question and this answer another bid is taken back, of which the event tells all.
    () => {
      streams[0].send(event(16, "bid.retracted", { bidId: "b14", removed: ["b14"], leader: bo, price: "200.00", nextMinimum: "210.00", reserveMet: null }));
      return { body: { bids: [listed(14, ann, "360.00"), listed(13, bo, "180.00"), listed(12, bo, "150.00")], nextCursor: null } };
    },
    () => ({ body: { bids: [listed(13, bo, "200.00"), listed(12, bo, "150.00")], nextCursor: null } }),
  ];
  let reads = 0;
  answer = () => { reads += 1; return (answers.shift() ?? (() => ({ body: { bids: [], nextCursor: null } })))(); };
  await streams[0].send(event(15, "bid.retracted", { bidId: "b11", removed: ["b11"], leader: ann, price: "360.00", nextMinimum: "370.00", reserveMet: null }));
  for (let count = 0; count < 5; count += 1) await pass(500);
  assert.deepEqual(follow.state.bids.filter((bid) => !bid.retracted).map((bid) => [bid.id, bid.amount, bid.leading]), [["b12", "150.00", true], ["b13", "200.00", true]]);
  assert.equal(reads, 2);
  follow.stop();
  await got.done;
});

test("the loop ends when the room is archived", async () => {
  const { follow, streams } = fixture();
  const got = collect(follow);
  await turn();
  await streams[0].send(event(11, "room.archived", { by: ann }));
  await got.done;
  assert.deepEqual([got.seqs, got.ended, follow.status.reason], [[11], true, "archived"]);
});

test("a room that is gone, or hidden, ends the loop with the problem", async () => {
  const first = fixture({ answers: { "/v1/rooms/room_x": [{ status: 404, body: { code: "room.not_found" } }] } });
  const got = collect(first.follow);
  await got.done;
  assert.deepEqual([got.error.code, first.follow.status.reason], ["room.not_found", "notFound"]);
  const later = fixture();
  const got2 = collect(later.follow);
  await turn();
  await later.streams[0].send(event(11));
  later.answers["/v1/rooms/room_x/events"] = [{ status: 403, body: { code: "room.hidden" } }];
  await later.streams[0].end();
  await later.pass(400);
  await got2.done;
  assert.deepEqual([got2.seqs, got2.error.status], [[11], 403]);
});

test("a room that a read does not find any more still delivers the event that says why", async () => {
  const { client, streams, pass, answers } = fixture();
  client.useToken("t", "user_a");
  const follow = client.room("room_x").follow();
  const got = collect(follow);
  await turn();
  answers["/v1/rooms/room_x"] = [{ status: 404, body: { code: "room.not_found" } }];
  await streams[0].send(event(11, "permission.changed"));
  await pass(30);
  assert.deepEqual([answers["/v1/rooms/room_x"].length, follow.status.state], [0, "live"]);
  await streams[0].send(event(12, "room.archived", { by: ann }));
  await got.done;
  assert.deepEqual([got.seqs, got.ended, got.error], [[11, 12], true, null]);
});

test("a room that a read does not find any more, and that says nothing, ends by its connection", async () => {
  const { client, streams, pass, answers } = fixture();
  client.useToken("t", "user_a");
  const got = collect(client.room("room_x").follow());
  await turn();
  const gone = { status: 404, body: { code: "room.not_found" } };
  answers["/v1/rooms/room_x"] = [gone];
  answers["/v1/rooms/room_x/events"] = [gone];
  await streams[0].send(event(11, "permission.changed"));
  await pass(30);
  await pass(5_000);
  await got.done;
  assert.deepEqual([got.seqs, got.error.code], [[11], "room.not_found"]);
});

test("a provider of tokens that takes a minute does not cost the stream", async () => {
  let give;
  const { client, room, streams, pass } = fixture({ tokenProvider: () => new Promise((resolve) => { give = resolve; }) });
  const follow = client.room("room_x").follow({ room });
  const got = collect(follow);
  await turn();
  await pass(60_000);
  give("t");
  await turn();
  assert.deepEqual([streams.length, follow.status.state], [1, "connecting"]);
  await streams[0].send(event(11));
  assert.deepEqual([follow.status.transport, got.seqs], ["sse", [11]]);
  follow.stop();
});

test("a stream that needs a new token gets one, and without one the loop ends with 401", async () => {
  const expired = { status: 401, body: { code: "token.expired" } };
  const questions = [];
  const tokenProvider = ({ rejected }) => { questions.push(rejected); return ["first", "second", null][questions.length - 1]; };
  const { follow, streams, pass, answers } = fixture({ tokenProvider, answers: { "/v1/rooms/room_x/events": [expired] } });
  const got = collect(follow);
  await turn();
  assert.deepEqual([questions, streams[0].headers.Authorization], [[null, "first"], "Bearer second"]);
  await streams[0].send(event(11));
  answers["/v1/rooms/room_x/events"] = [expired];
  await streams[0].end();
  await pass(400);
  await got.done;
  assert.deepEqual([got.seqs, got.error.code, follow.status.reason], [[11], "token.expired", "unauthorized"]);
});

test("a loop that takes its time is waited for, with a bounded number of events", async () => {
  const { follow, streams, asked } = fixture();
  let release = () => {};
  const got = collect(follow, () => new Promise((resolve) => { release = resolve; }));
  await turn();
  const many = Array.from({ length: 1_200 }, (_, index) => event(11 + index));
  for (let start = 0; start < many.length; start += 100) await streams[0].send(...many.slice(start, start + 100)).catch(() => {});
  assert.deepEqual([follow.status.state, follow.status.reason, streams[0].isClosed], ["paused", "congested", true]);
  const reached = follow.cursor;
  assert.ok(reached >= 1_011 && reached < 1_111, `held ${reached}`);
  while (streams.length < 2) { release(); await turn(2); }
  assert.ok(asked.at(-1).endsWith(`after=${reached}`));
  await streams[1].send(...many.slice(reached - 10));
  while (got.seqs.length < many.length) { release(); await turn(1); }
  assert.deepEqual(got.seqs, many.map((each) => each.seq));
  follow.stop();
});

test("where streams do not get through, long-polls follow", async () => {
  const page = (...events) => ({ body: { events, more: false, next: 0, presence: { viewers: 4 }, serverTime: "2026-11-21T09:00:00.000Z" } });
  const { follow, streams, asked, pass, answers } = fixture();
  const got = collect(follow);
  await turn();
  assert.equal(follow.status.state, "connecting", "the headers have come, and no byte of the body");
  answers["/v1/rooms/room_x/events"] = [page(event(11)), page(event(12))];
  await pass(10_000);
  assert.deepEqual([streams[0].isClosed, follow.status.transport, follow.state.viewers], [true, "poll", 4]);
  assert.deepEqual(asked.slice(-3).map((path) => path.split("?")[1]), ["after=10&wait=0&limit=200", "after=11&wait=25&limit=200", "after=12&wait=25&limit=200"]);
  assert.deepEqual(got.seqs, [11, 12]);
  follow.stop();
});

test("past events come first, and are marked as past", async () => {
  const { client, streams, asked } = fixture();
  const follow = client.room("room_x").follow({ history: 2, refresh: false });
  const got = collect(follow);
  await turn();
  assert.ok(asked.at(-1).endsWith("after=8"));
  await streams[0].send(event(9), event(10), event(11));
  assert.deepEqual(got.seqs, [-9, -10, 11]);
  follow.stop();
});

test("pause and resume, and a network that returns, go on after the last event", async () => {
  const { follow, streams, asked } = fixture();
  const got = collect(follow);
  await turn();
  await streams[0].send(event(11));
  follow.pause();
  await turn();
  assert.deepEqual([streams[0].isClosed, follow.status.state], [true, "paused"]);
  follow.resume();
  await turn();
  assert.ok(asked.at(-1).endsWith("after=11"));
  await streams[1].send(event(12));
  follow.networkReturned();
  await turn();
  await streams[2].send(event(13));
  assert.deepEqual([got.seqs, streams.length], [[11, 12, 13], 3]);
  follow.stop();
});

test("a device that has slept connects anew, however little of that its monotonic clock has counted", async () => {
  const { follow, streams, pass, sleep } = fixture();
  const got = collect(follow);
  await turn();
  await streams[0].send(event(11));
  await pass(5_000);
  follow.networkReturned({ ifSilentForMs: 20_000 });
  await turn();
  assert.equal(streams.length, 1, "it has just brought something");
  sleep(3_600_000);
  follow.networkReturned({ ifSilentForMs: 20_000 });
  await turn();
  assert.deepEqual([streams.length, streams[0].isClosed], [2, true]);
  await streams[1].send(event(12));
  follow.networkReturned({ ifSilentForMs: 20_000 });
  await turn();
  assert.deepEqual([streams.length, got.seqs], [2, [11, 12]]);
  follow.stop();
});

test("statuses can be looped over, from the present one to the end", async () => {
  const { follow, streams, pass } = fixture();
  const states = [];
  const done = (async () => { for await (const { state, reason } of follow.statuses()) states.push(`${state} ${reason}`); })();
  follow.start();
  await turn();
  await streams[0].send(event(11));
  await streams[0].end();
  await pass(400);
  follow.stop();
  await done;
  assert.deepEqual(states, ["idle null", "connecting started", "connecting started", "live null", "reconnecting broken", "reconnecting retry", "stopped stopped"]);
});

test("what only the server knows is read again after the caller's own events, no more than is useful", async () => {
  const { client, streams, asked, pass, room } = fixture();
  client.useToken("t", "user_a");
  const follow = client.room("room_x").follow({ room: { ...room, currentBid: { bidder: { id: "user_c" } } } });
  const seen = [];
  follow.on("change", (state) => seen.push(state.room.allowedActions));
  follow.start();
  await turn();
  const reads = () => asked.filter((path) => !path.includes("events")).length;
  const bid = (seq, bidder) => event(seq, "bid.placed", { bidId: `b${seq}`, amount: `${seq}.00`, bidder, leading: true });
  await streams[0].send(bid(11, { id: "user_b" }), event(12, "message.sent", { messageId: "m", author: ann, text: "x" }));
  await pass(1_000);
  assert.equal(reads(), 0, "another's bid changes nothing that one may do");
  Object.assign(room, { seq: 14, allowedActions: ["sendMessage"], currentBid: { bidder: ann } });
  await streams[0].send(bid(13, ann), bid(14, ann));
  await pass(30);
  assert.deepEqual([reads(), seen.at(-1)], [1, ["sendMessage"]]);
  await streams[0].send(event(15, "permission.changed"));
  await pass(30);
  assert.equal(reads(), 1);
  await pass(400);
  assert.equal(reads(), 2);
  Object.assign(room, { seq: 16, allowedActions: ["placeBid"], me: { role: "bidder", leading: false } });
  await streams[0].send(bid(16, { id: "user_b" }));
  await pass(400);
  assert.deepEqual([reads(), seen.at(-1), follow.state.room.me.leading], [3, ["placeBid"], false], "outbid, one may bid again");
  follow.stop();
});

/** Follows as a host a room that is on its way to the auction. */
async function hosting() {
  const all = fixture();
  all.client.useToken("t", "user_h");
  const room = { ...all.room, state: "listing", currentBid: { bidder: ann }, allowedActions: ["pause"], me: { role: "host" } };
  const follow = all.client.room("room_x").follow({ room });
  follow.start();
  await turn();
  return { ...all, follow, reads: () => all.asked.filter((path) => !path.includes("/events")).length };
}
const opened = (seq) => event(seq, "state.changed", { from: "listing", to: "auctioning", cause: "countdown" });

test("a response that newer events overtake still brings what the caller may do", async () => {
  const { follow, streams, pass, room, reads } = await hosting();
  // As it was when the response was made: one more bid is faster.
  Object.assign(room, { seq: 12, allowedActions: ["endAuction", "pause"] });
  const bid = (seq, bidder) => event(seq, "bid.placed", { bidId: `b${seq}`, amount: `${seq}.00`, bidder, leading: true });
  await streams[0].send(opened(11), bid(12, { id: "user_b", nickname: "Bo" }), bid(13, { id: "user_c", nickname: "Cy" }));
  await pass(30);
  assert.deepEqual([reads(), follow.state.room.allowedActions, follow.state.room.currentPrice], [1, ["endAuction", "pause"], "13.00"]);
  await pass(10_000);
  assert.equal(reads(), 1, "it has the event that was the reason");
  follow.stop();
});

test("a room that a late node has read, or that could not be read, is read again", async () => {
  const { follow, streams, pass, room, reads, answers } = await hosting();
  Object.assign(room, { seq: 10, allowedActions: ["pause"] });
  await streams[0].send(opened(11));
  await pass(30);
  assert.deepEqual([reads(), follow.state.room.allowedActions], [1, ["pause"]]);
  answers["/v1/rooms/room_x"] = [{ status: 503, body: { code: "service.stale" } }];
  await pass(400);
  assert.deepEqual([reads(), follow.status.state], [2, "live"]);
  Object.assign(room, { seq: 11, allowedActions: ["endAuction", "pause"] });
  await pass(400);
  assert.equal(reads(), 2, "others may be waiting too");
  await pass(2_600);
  assert.deepEqual([reads(), follow.state.room.allowedActions], [3, ["endAuction", "pause"]]);
  await pass(10_000);
  assert.equal(reads(), 3);
  follow.stop();
});

test("a listener may end it in the middle of what has arrived", async () => {
  const { follow, streams } = fixture();
  const ends = [];
  follow.on("events", () => follow.stop());
  follow.on("end", (error) => ends.push(error));
  follow.start();
  await turn();
  await streams[0].send(event(11), event(13));
  assert.deepEqual([follow.status.reason, ends, follow.cursor], ["stopped", [null], 11]);
});

test("a bid and an order in a followed room name the item that the app saw in their round, until the follow ends", async () => {
  const vase = { id: "item_1", name: "Vase", owner: ann };
  const answers = {};
  const { client, streams, sent } = fixture({ answers });
  const room = client.room("room_x");
  const itemOf = (round, more = {}) => client.room("room_x").prepareBid({ amount: "120", round, ...more }).body.item;
  const read = (item) => ({ body: { id: "room_x", seq: 10, state: "auctioning", round: 1, item, currentBid: null, members: {}, viewers: 1, serverTime: "2026-11-21T09:00:00.000Z" } });
  answers["/v1/rooms/room_x"] = [read(vase)];
  assert.equal(itemOf(1), undefined);
  const follow = room.follow({ refresh: false }).start();
  await turn();
  assert.deepEqual([itemOf(1), itemOf(2), itemOf(1, { item: "item_9" })], ["item_1", undefined, "item_9"]);
  await streams[0].send(event(11, "item.uploaded", { item: { id: "item_2", name: "Bowl", owner: ann, rules: { startingPrice: "1.00" } } }));
  assert.equal(itemOf(1), "item_2");
  answers["/v1/rooms/room_x/auction/end"] = [{ body: {} }, { body: {} }];
  await room.endAuction({ expectedRound: 1 });
  await room.endAuction();
  assert.deepEqual(sent, [{ expectedRound: 1, expectedItem: "item_2" }, {}]);
  answers["/v1/rooms/room_x/items"] = [{ status: 201, body: { id: "item_3", name: "Cup", owner: ann } }];
  await room.uploadItem({ name: "Cup", rules: { startingPrice: "1" } });
  assert.equal(itemOf(1), "item_3", "before its event has come");
  follow.stop();
  await turn();
  assert.equal(itemOf(1), undefined);
});

test("of a loop the item is that of the last event that it took, not of one that waits", async () => {
  const answers = { "/v1/rooms/room_x": [{ body: { id: "room_x", seq: 10, state: "auctioning", round: 1, item: { id: "item_1", owner: ann }, currentBid: null, members: {}, viewers: 1 } }] };
  const { client, streams } = fixture({ answers });
  const loop = client.room("room_x").follow({ refresh: false })[Symbol.asyncIterator]();
  const itemOf = () => client.room("room_x").prepareBid({ amount: "120", round: 1 }).body.item;
  const taken = loop.next();
  await turn();
  await streams[0].send(event(11), event(12, "item.uploaded", { item: { id: "item_2", name: "Bowl", owner: ann, rules: { startingPrice: "1.00" } } }));
  assert.equal((await taken).value.event.seq, 11);
  assert.equal(itemOf(), "item_1");
  await loop.next();
  assert.equal(itemOf(), "item_2");
  await loop.return();
  assert.equal(itemOf(), undefined);
});
