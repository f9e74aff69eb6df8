import assert from "node:assert/strict";
import { test } from "node:test";
import { AuctionClient } from "../../Sources/Page/client/auction-client.js";
import { RoomClient } from "../../Sources/Page/room-client.js";

const ann = { id: "user_a", nickname: "Ann" };
const snapshot = (seq) => ({
  id: "room_x", state: "auctioning", round: 1, seq, host: ann, item: null, rules: { startingPrice: "100.00", format: "english" }, currentPrice: null,
  currentBid: null, nextMinimum: "100.00", reserveMet: null, endsAt: null, members: { host: 1 }, viewers: 1, me: { role: "bidder" }, allowedActions: [],
});
const bid = (seq) => ({ seq, type: "bid.placed", at: "2026-11-21T09:00:00.000Z", round: 1,
  data: { bidId: `bid_${seq}`, amount: `${seq}.00`, bidder: ann, leading: true, automatic: false, nextMinimum: "1.00", endsAt: null, reserveMet: null } });

/** A server stub whose responses the test releases, by the end of their path; long-polls are kept apart. */
function scene() {
  const waiting = [];
  const polls = [];
  const told = { changes: 0, live: [] };
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
    "room_x", { change: () => { told.changes += 1; }, live: (state) => told.live.push(state), gone() { told.isGone = true; }, removed() {} });
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

async function following() {
  const all = scene();
  const reading = all.client.read();
  await all.turn();
  await all.answer("room_x", snapshot(10));
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

test("a refused bid is thrown as the problem that the form shows", async () => {
  const { client, waiting, turn } = await following();
  const bidding = client.bid({ amount: "1" });
  await turn();
  assert.deepEqual(waiting.at(-1).body, { amount: "1", round: 1 });
  waiting.at(-1).resolve({ code: "bid.below_minimum", detail: "Too low.", permission: { rule: "bid.below_minimum", category: "amount" } }, 422);
  await assert.rejects(bidding, { status: 422, category: "amount" });
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
