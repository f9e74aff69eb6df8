import assert from "node:assert/strict";
import { test } from "node:test";
import { AuctionClient } from "../../Sources/Page/client/auction-client.js";
import { RoomClient } from "../../Sources/Page/room-client.js";
import { textOf } from "../../Sources/Page/strings.js";

const ann = { id: "user_a", nickname: "Ann" };
const snapshot = (seq) => ({
  id: "room_x", state: "auctioning", round: 1, seq, host: ann, item: null, rules: { startingPrice: "100.00", format: "english" }, currentPrice: null,
  currentBid: null, nextMinimum: "100.00", reserveMet: null, endsAt: null, members: { host: 1 }, viewers: 1, me: { role: "bidder" }, allowedActions: [],
});
const bid = (seq) => ({ seq, type: "bid.placed", at: "2026-11-21T09:00:00.000Z", round: 1,
  data: { bidId: `bid_${seq}`, amount: `${seq}.00`, bidder: ann, leading: true, automatic: false, nextMinimum: "1.00", endsAt: null, reserveMet: null } });

/** A server stub whose responses the test releases, by the end of their path; long-polls are kept apart. */
function fixture() {
  const waiting = [];
  const polls = [];
  const told = { changes: 0, live: [], refusals: [], voided: 0 };
  const auction = new AuctionClient({
    baseURL: "https://auction.example", random: () => 0,
    clock: { now: () => Date.parse("2026-11-21T09:00:00Z"), monotonic: () => 0, setTimeout() {}, clearTimeout() {} },
    fetch: (address, { method, body }) => new Promise((resolve, reject) => {
      const path = address.slice("https://auction.example".length);
      const place = path.includes("/events?") ? polls : waiting;
      place.push({ path, method, body: body && JSON.parse(body), reject, resolve: (given, status = 200) => resolve(new Response(JSON.stringify(given.code ? { type: "/problems/of-a-kind", ...given } : given), { status })) });
    }),
  });
  const client = new RoomClient({ client: auction, session: { user: ann }, transport: "poll" },
    "room_x", { change: () => { told.changes += 1; }, live: (state, _, refusal) => { told.live.push(state); told.refusals.push(refusal?.code ?? null); }, gone() { told.isGone = true; }, removed() {}, maximumVoided(cause) { told.voided += 1; told.cause = cause; } });
  const turn = async () => { for (let count = 0; count < 4; count += 1) await new Promise(setImmediate); };
  const answer = async (part, body) => {
    const index = waiting.findIndex((each) => each.path.includes(part));
    assert.ok(index >= 0, `nothing has asked for ${part}: ${waiting.map((each) => each.path)}`);
    waiting.splice(index, 1)[0].resolve(body);
    await turn();
  };
  const page = async (events, next) => {
    polls.shift().resolve({ events, next, more: false });
    await turn();
  };
  return { client, answer, page, polls, waiting, told, turn };
}

async function following(more = {}) {
  const all = fixture();
  const reading = all.client.read();
  await all.turn();
  await all.answer("room_x", { ...snapshot(10), ...more });
  await reading;
  all.client.follow();
  await all.turn();
  return all;
}

test("events that arrive while a response is pending are kept", async () => {
  const { client, answer, page, turn } = await following();
  await page([], 10);
  const reading = client.readRest();
  await turn();
  await page([bid(1), bid(2)], 2);
  assert.equal(client.state.bids.length, 2);
  await answer("/members", { members: [{ user: ann, role: "bidder" }] });
  await answer("/stage", { seats: [], queue: [], handshake: null });
  await answer("/results", { results: [] });
  await answer("/bids", { bids: [] });
  await reading;
  assert.equal(client.state.bids.length, 2);
  assert.equal(client.state.seq, 2);
  assert.equal(client.state.people.size, 1);
  client.stop();
});

test("a response that is overtaken by the one after it does not bring back an earlier stage", async () => {
  const { client, page, waiting, turn } = await following();
  await page(Array.from({ length: 10 }, (_, index) => bid(index + 1)), 10);
  const staged = (seq, step) => ({ seq, type: `stage.${step}`, at: "2026-11-21T09:00:00.000Z", round: 1, data: { id: "stage_1", guest: ann } });
  await page([staged(11, "requested")], 11);
  await page([staged(12, "accepted")], 12);
  const asked = waiting.filter((each) => each.path.endsWith("/stage"));
  const stage = (state) => ({ seats: [], queue: [], handshake: { id: "stage_1", state, guest: ann, role: "bidder" } });
  asked[1].resolve(stage("accepted"));
  await turn();
  asked[0].resolve(stage("requested"));
  await turn();
  assert.equal(client.stage.handshake.state, "accepted");
  client.stop();
});

const row = (seq) => ({ id: `bid_${seq}`, seq, amount: null, bidder: { id: `user_${seq}`, nickname: "Bo" }, at: "2026-11-21T09:00:00.000Z", leading: true });
/** A hundred bids, the newest of which is `newest`. */
const rows = (newest) => Array.from({ length: 100 }, (_, index) => row(newest - index));

/** Reads a room that was loaded in the state, and answers up to `pages` of its bids; returns how many were asked for. */
async function readingBids(state, pages) {
  const all = await following({ seq: 1_000, state, rules: { startingPrice: "100.00", format: "vickrey" } });
  const reading = all.client.readRest();
  await all.turn();
  await all.answer("/members", { members: [] });
  await all.answer("/stage", { seats: [], queue: [], handshake: null });
  await all.answer("/results", { results: [], nextCursor: null });
  let asked = 0;
  for (; all.waiting.some((each) => each.path.includes("/bids")); asked += 1) {
    await all.answer("/bids", { bids: rows(1_000 - 100 * asked), nextCursor: asked + 1 < pages ? String(901 - 100 * asked) : null });
  }
  await reading;
  return { ...all, asked };
}

test("all bidders of a sealed round are counted, or it is known that there may be more", async () => {
  for (const [state, pages, expected] of [["auctioning", 1, [1, 100, false]], ["auctioning", 3, [3, 300, false]], ["paused", 9, [5, 500, true]], ["closed", 3, [1, 100, false]]]) {
    const { client, asked } = await readingBids(state, pages);
    assert.deepEqual([asked, client.state.bids.length, client.hasMoreBids], expected, state);
    client.stop();
  }
});

test("of a sealed round with more bids than are kept it is known that there may be more", async () => {
  const { client, page } = await readingBids("auctioning", 4);
  const events = (from, count) => Array.from({ length: count }, (_, index) => ({ ...bid(from + index), data: { ...bid(from + index).data, amount: undefined } }));
  await page(events(701, 399), 1_099);
  assert.deepEqual([client.state.bids.length, client.hasMoreBids], [499, false]);
  await page(events(1_100, 2), 1_101);
  assert.deepEqual([client.state.bids.length, client.hasMoreBids], [500, true]);
  client.stop();
});

test("a bid's response newer than the stream is shown at once, and its event still adds the bid", async () => {
  const { client, answer, page, told, turn } = await following();
  await page([], 10);
  const bidding = client.bid({ amount: "120" });
  await turn();
  await answer("/bids", { bid: { id: "bid_11", leading: true }, room: { seq: 11, currentPrice: "120.00" }, receipt: {} });
  await bidding;
  assert.equal(client.room.currentPrice, "120.00");
  assert.ok(told.changes > 0);
  client.stop();
});

test("a command sends the state and the round that the user saw", async () => {
  const { client, waiting, turn } = await following();
  const ordering = client.order("cancel", { reason: "x" });
  await turn();
  assert.deepEqual(waiting.at(-1).body, { expectedState: "auctioning", expectedRound: 1, reason: "x" });
  waiting.at(-1).resolve({ code: "auction.state_changed", detail: "refused" }, 409);
  await assert.rejects(ordering, /refused/);
  client.stop();
});

test("bids and orders name the item that is up", async () => {
  const { client, waiting, turn } = await following({ ...snapshot(10), item: { id: "item_1", name: "Teapot", owner: ann, media: [] } });
  const sent = [client.order("endAuction", {}), client.bid({ amount: "1" })];
  await turn();
  assert.deepEqual(waiting.slice(-2).map(({ body }) => body.expectedItem ?? body.item), ["item_1", "item_1"]);
  for (const call of waiting.slice(-2)) call.resolve({ code: "bid.wrong_item", detail: "Another is up." }, 409);
  for (const one of sent) await assert.rejects(one, { status: 409 });
  client.stop();
});

test("a refused bid is thrown as the problem that the form shows", async () => {
  const { client, waiting, turn } = await following();
  const bidding = client.bid({ amount: "1" });
  await turn();
  assert.deepEqual(waiting.at(-1).body, { amount: "1", round: 1 });
  waiting.at(-1).resolve({ code: "bid.below_minimum", detail: "Too low.", permission: { rule: "bid.below_minimum", category: "amount" } }, 422);
  await assert.rejects(bidding, { status: 422, category: "amount" });
  client.stop();
});

const closed = (seq) => ({ seq, type: "state.changed", at: "2026-11-21T09:00:00.000Z", round: 1, data: { from: "auctioning", to: "closed", cause: "countdown" } });
const result = { round: 1, result: "passed" };
/** The events that the room contained when it was read. */
const history = Array.from({ length: 10 }, (_, index) => (index === 4 ? closed(5) : bid(index + 1)));

async function closing() {
  const all = await following();
  await all.page(history, 10);
  assert.deepEqual(all.waiting, [], "a close of the past is read about");
  all.asked = (part) => all.waiting.filter((each) => each.path.includes(part)).length;
  all.read = async () => {
    await all.answer("/bids", { bids: [] });
    await all.answer("/results", { results: [result], nextCursor: null });
  };
  return all;
}

test("the result of a close is read although the room was read with the close before its event came", async () => {
  const { client, answer, page, read, turn } = await closing();
  const reading = client.read();
  await turn();
  await answer("room_x", { ...snapshot(11), state: "closed" });
  await reading;
  await page([closed(11)], 11);
  await read();
  assert.deepEqual(client.results, [result]);
  client.stop();
});

test("a result that could not be read is read again soon, though nothing else happens", async () => {
  const { client, asked, page, read, waiting, turn } = await closing();
  await page([closed(11)], 11);
  const due = [];
  const known = globalThis.setTimeout;
  globalThis.setTimeout = (work) => due.push(work);
  try {
    for (const each of waiting.splice(0)) each.reject(new TypeError("network"));
    await turn();
  } finally { globalThis.setTimeout = known; }
  assert.deepEqual([client.results, asked("/results"), due.length], [[], 0, 1]);
  due[0]();
  await turn();
  await read();
  assert.deepEqual(client.results, [result]);
  client.stop();
});

test("a result that could not be read is read at the next change, and once", async () => {
  const { client, asked, page, read, waiting, turn } = await closing();
  await page([closed(11)], 11);
  for (const each of waiting.splice(0)) each.reject(new TypeError("network"));
  await turn();
  assert.deepEqual([client.results, asked("/results")], [[], 0]);
  await page([bid(12)], 12);
  await read();
  assert.deepEqual(client.results, [result]);
  await page([bid(13)], 13);
  assert.equal(asked("/results"), 0);
  client.stop();
});

test("a close while the result of the last one is being read is read about too", async () => {
  const { client, asked, answer, page, read } = await closing();
  await page([closed(11)], 11);
  await answer("/bids", { bids: [] });
  await page([closed(12)], 12);
  assert.equal(asked("/results"), 1);
  await answer("/results", { results: [], nextCursor: null });
  await read();
  assert.deepEqual([client.results, asked("/results")], [[result], 0]);
  client.stop();
});

test("a room that is gone is reported, but not when the reader has left the view", async () => {
  const { client, polls, told, turn } = await following();
  polls.shift().resolve({ code: "room.not_found" }, 404);
  await turn();
  assert.equal(told.isGone, true);
  const second = await following();
  second.client.stop();
  second.polls.shift()?.resolve({ code: "room.not_found" }, 404);
  await second.turn();
  assert.equal(second.told.isGone, undefined);
});

const bo = { id: "user_b", nickname: "Bo" };
const limitChanged = (seq) => ({ seq, type: "member.creditLimitChanged", at: "2026-11-21T09:00:00.000Z", round: 1, data: { member: bo, by: ann } });
const members = (creditLimit) => ({ members: [{ user: bo, role: "bidder", muted: false, creditLimit }] });

test("a credit limit that the host sets is known at once, and one that is set elsewhere is read", async () => {
  const { client, answer, page, turn, waiting } = await following({ me: { role: "host" } });
  const reading = client.readMembers();
  await turn();
  await answer("/members", members(null));
  await reading;
  const limit = () => client.state.people.get(bo.id).creditLimit;
  const changing = client.changeMember(bo.id, { creditLimit: "500" });
  await turn();
  await answer("/members/user_b", { user: bo, role: "viewer", creditLimit: "500.00" });
  assert.equal((await changing).creditLimit, "500.00");
  assert.deepEqual([limit(), client.state.people.get(bo.id).role], ["500.00", "bidder"], "what events tell is left to them");
  await page(history, 10);
  await page([limitChanged(11)], 11);
  await answer("/members", members("70.00"));
  assert.equal(limit(), "70.00");
  client.stop();
  const { client: other, page: next, waiting: asked } = await following();
  await next(history, 10);
  await next([limitChanged(11)], 11);
  assert.ok(![...waiting, ...asked].some((each) => each.path.includes("/members")), "others are not told, and do not ask");
  other.stop();
});

test("of the reader only what belongs to the round of a bid is told about it", async () => {
  const { client, answer, turn } = await following();
  for (const [round, expected] of [[1, { role: "bidder", maximum: "500.00" }], [2, null]]) {
    const reading = client.readNow(1);
    await turn();
    await answer("/bids", { bids: [], nextCursor: null });
    await answer("room_x", { ...snapshot(11), round, me: { role: "bidder", maximum: "500.00" } });
    assert.deepEqual(await reading, { bids: [], isAll: true, me: expected });
  }
  client.stop();
});

test("who leads without their maximum is told so, but not when others lead by then, or the lot is over", async () => {
  const at = "2026-11-21T09:00:00.000Z";
  const voided = [
    { seq: 1, type: "bid.retracted", at, round: 1, data: { bidId: "bid_1", removed: [], leader: ann, price: "300.00", nextMinimum: "310.00", reserveMet: null } },
    { seq: 2, type: "bid.maximumVoided", at, round: 1, data: { bidId: "bid_2", bidder: ann } },
  ];
  const beaten = { ...bid(3), data: { ...bid(3).data, amount: "310.00", bidder: { id: "user_b", nickname: "Bo" } } };
  const closed = { seq: 3, type: "state.changed", at, round: 1, data: { from: "auctioning", to: "closed" } };
  for (const [later, count] of [[[], 1], [[beaten], 0], [[closed], 0]]) {
    const { client, page, told } = await following({ seq: 0 });
    await page([...voided, ...later], 2 + later.length);
    assert.equal(told.voided, count, later[0]?.type);
    client.stop();
  }
});

test("why a maximum has ended is told by the event before it; a ban tells of it by itself", async () => {
  const at = "2026-11-21T09:00:00.000Z";
  const event = (seq, type, data) => ({ seq, type, at, round: 1, data });
  const own = { ...bid(1), data: { ...bid(1).data, bidder: ann } };
  const voided = event(3, "bid.maximumVoided", { bidId: "bid_1", bidder: ann });
  const other = { id: "user_b", nickname: "Bo" };
  const retracted = event(2, "bid.retracted", { bidId: "bid_9", removed: [], leader: ann, price: "300.00", nextMinimum: "310.00", reserveMet: null });
  for (const [before, cause] of [
    [retracted, "retracted"], [event(2, "member.creditLimitChanged", { member: ann, by: other }), "credit"], [event(2, "member.banned", { member: ann, banned: true, by: other }), undefined],
    [event(2, "member.banned", { member: other, banned: true, by: ann }), "unknown"], [event(2, "member.creditLimitChanged", { member: other, by: ann }), "unknown"],
  ]) {
    const { client, page, told } = await following({ seq: 0 });
    await page([own, before, voided], 3);
    assert.deepEqual([told.voided, told.cause], [cause ? 1 : 0, cause], before.type);
    client.stop();
  }
  // One command of the host may ban and set a limit.
  const both = await following({ seq: 0 });
  await both.page([own, event(2, "member.banned", { member: ann, banned: true, by: other }), event(3, "member.creditLimitChanged", { member: ann, by: other }), { ...voided, seq: 4 }], 4);
  assert.equal(both.told.voided, 0, "the note of the ban stays");
  both.client.stop();
  for (const language of ["en", "zh"]) for (const cause of ["retracted", "credit", "unknown"]) assert.ok(textOf(`voided.${cause}`, language).includes("{amount}"));
});

test("why the server gives no events is passed on, until it does, or is silent", async () => {
  const { client, polls, told, turn, page } = await following();
  const refuse = async (code) => {
    polls.shift().resolve({ code, detail: "for programmers" }, 429);
    await turn();
  };
  const again = async () => {
    client.wake(0);
    await turn();
  };
  await refuse("stream.too_many");
  assert.equal(told.refusals.at(-1), "stream.too_many");
  const count = told.live.length;
  await again();
  assert.deepEqual([told.live.length, told.live.at(-1)], [count, "connecting"], "nothing new is known while it is asked again");
  await refuse("stream.too_many");
  await again();
  await refuse("stream.too_many");
  assert.deepEqual(told.refusals.slice(told.refusals.indexOf("stream.too_many")).filter((code) => code !== "stream.too_many"), [], "it is said once, whatever the attempts are");
  await again();
  polls.shift().reject(new TypeError("Failed to fetch"));
  await turn();
  assert.equal(told.refusals.at(-1), null);
  await again();
  await refuse("service.busy");
  assert.equal(told.refusals.at(-1), "service.busy");
  await again();
  await page([], 10);
  assert.deepEqual([told.live.at(-1), told.refusals.at(-1)], ["live", null]);
  client.stop();
});

test("after a reload the host knows who was banned and has left, whose bids may be taken back", async () => {
  for (const [role, expected] of [["host", ["user_b"]], ["bidder", []]]) {
    const { client, answer, waiting, turn } = await following({ me: { role } });
    const reading = client.readRest();
    await turn();
    for (const [path, body] of [["/bids", { bids: [] }], ["/stage", { seats: [], queue: [] }], ["/results", { results: [] }]]) await answer(path, { ...body, nextCursor: null });
    assert.equal(waiting.some(({ path }) => path.includes("/members?banned=true")), role === "host");
    if (role === "host") await answer("/members?banned=true", { members: [{ user: { id: "user_b", nickname: "Bo" }, role: null, banned: true }], nextCursor: null });
    await answer("/members", { members: [{ user: ann, role }], nextCursor: null });
    await reading;
    assert.deepEqual([[...client.state.banned], [...client.state.people.keys()]], [expected, [ann.id]]);
    client.stop();
  }
});

test("who may offer lots again knows which ones were not sold, and after each event that changes it", async () => {
  const sale = { lots: 3, queued: 0, mode: "manual", running: false };
  const { client, answer, page, turn, waiting } = await following({ sale, me: { role: "host" } });
  await page(history, 10);
  const lots = async (...given) => {
    for (const state of ["passed", "voided"]) await answer(`state=${state}`, { lots: given.filter((lot) => lot.state === state), nextCursor: null });
  };
  const reading = client.readRest();
  await turn();
  await lots({ id: "lot_1", state: "passed", offeredAgain: null }, { id: "lot_2", state: "passed", offeredAgain: "lot_3" });
  for (const [path, body] of [["banned=true", { members: [] }], ["/members", { members: [] }], ["/stage", { seats: [], queue: [], handshake: null }], ["/results", { results: [], nextCursor: null }],
    ["/bids", { bids: [], nextCursor: null }], ["state=current", { seq: 10, lots: [], nextCursor: null }], ["bids=mine", { lots: [], nextCursor: null }]]) await answer(path, body);
  await answer("state=queued", { seq: 10, lots: [], nextCursor: null });
  await reading;
  assert.deepEqual([...client.unsold], ["lot_1"]);
  await page([{ seq: 11, type: "item.voided", at: "2026-11-21T09:00:00.000Z", round: 2, data: { round: 1, lotId: "lot_9", winner: ann, price: "5.00", reason: "Not paid.", by: ann } }], 11);
  await lots({ id: "lot_1", state: "passed", offeredAgain: null }, { id: "lot_9", state: "voided", offeredAgain: null });
  await answer("/results", { results: [], nextCursor: null });
  await answer("/bids", { bids: [], nextCursor: null });
  assert.deepEqual([...client.unsold], ["lot_1", "lot_9"]);
  client.stop();
  assert.ok(!waiting.some(({ path }) => path.includes("state=passed")));
});

test("an offer stands in the row of its round until it is answered or its time is over, and nothing is read for it", async () => {
  const { client, page, waiting } = await following();
  await page(history, 10);
  client.results = [{ round: 2, offer: null }, { round: 1, offer: null }];
  const at = "2026-11-21T09:00:00.000Z";
  const [to, expiresAt] = [{ id: "user_c", nickname: "Cy" }, "2026-11-21T09:10:00.000Z"];
  const offers = () => client.results.map(({ offer }) => offer?.to.nickname ?? null);
  let seq = 10;
  const happens = async (type, data) => { seq += 1; await page([{ seq, type, at, round: 3, data: { offerId: "offer_1", to, ...data } }], seq); };
  for (const end of ["offer.declined", "offer.expired"]) {
    await happens("offer.made", { round: 1, price: "90.00", expiresAt });
    assert.deepEqual(offers(), [null, "Cy"]);
    assert.deepEqual(client.results[1].offer, { id: "offer_1", to, price: "90.00", expiresAt });
    await happens(end, {});
    assert.deepEqual(offers(), [null, null]);
  }
  assert.deepEqual(waiting.filter(({ path }) => path.includes("/results")), []);
  client.stop();
});

test("who was refused for want of an approval applies, until an event may have given it", async () => {
  const [at, other] = ["2026-11-21T09:00:00.000Z", { id: "user_b", nickname: "Bo" }];
  const { client, page, turn, waiting } = await following();
  await page(history, 10);
  const refused = async () => {
    const bidding = client.bid({ amount: "100" });
    await turn();
    waiting.splice(waiting.findIndex(({ path }) => path.endsWith("/bids")), 1)[0].resolve({ code: "bid.not_approved", detail: "Not approved.", permission: { rule: "bid.not_approved", category: "role" } }, 403);
    await assert.rejects(bidding, { code: "bid.not_approved" });
    assert.equal(client.mustApply, true);
  };
  let seq = 10;
  const happens = async (type, data) => { seq += 1; await page([{ seq, type, at, round: 1, data }], seq); return client.mustApply; };
  const ends = [
    ["permission.changed", () => ({ rule: "bid.not_approved", enabled: false, by: other })], ["member.roleChanged", (member) => ({ member, from: "bidder", to: "bidder", by: other })],
    ["stage.seated", (guest) => ({ id: "stage_1", guest, role: "bidder", seat: 1 })], ["member.linked", (to) => ({ from: { id: "user_g", nickname: "Guest" }, to, role: "bidder" })],
  ];
  for (const [type, data] of ends) {
    await refused();
    if (type !== "permission.changed") assert.equal(await happens(type, data(other)), true, `${type} of another`);
    assert.equal(await happens(type, data(ann)), false, type);
  }
  client.stop();
});

test("events that may change the applications that wait are counted, and no others", async () => {
  const [at, member] = ["2026-11-21T09:00:00.000Z", { id: "user_b", nickname: "Bo" }];
  const { client, page } = await following({ me: { role: "host" } });
  await page(history, 10);
  let seq = 10;
  const counted = async (type) => {
    const before = client.applicationChanges;
    seq += 1;
    await page([{ seq, type, at, round: 1, data: { member, guest: member, from: member, to: ann, banned: true } }], seq);
    return client.applicationChanges - before;
  };
  const counting = ["application.made", "application.declined", "member.left", "member.kicked", "member.banned", "member.roleChanged", "member.linked", "stage.seated"];
  for (const type of counting) assert.equal(await counted(type), 1, type);
  for (const type of ["member.joined", "member.muted", "member.creditLimitChanged", "stage.requested", "message.sent"]) assert.equal(await counted(type), 0, type);
  client.stop();
});

test("a bidder asks what they may do when the first lot waits, and not for each of an import", async () => {
  const lot = (seq) => ({ seq, type: "lot.queued", at: "2026-11-21T09:00:00.000Z", round: 1, data: { lotId: `lot_${seq}`, number: seq, position: seq, item: { id: `item_${seq}`, name: "Vase", owner: ann, media: [] }, rules: { startingPrice: "1.00", format: "english" } } });
  for (const [role, count] of [["bidder", 1], ["viewer", 0]]) {
    const { client, page } = await following({ me: { role } });
    let asks = 0;
    client.refreshSoon = () => { asks += 1; };
    await page(history, 10);
    await page([lot(11), lot(12), lot(13)], 13);
    await page([lot(14)], 14);
    assert.equal(asks, count, role);
    client.stop();
  }
});
