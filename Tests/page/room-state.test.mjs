import assert from "node:assert/strict";
import { test } from "node:test";
import * as fold from "../../Sources/Page/client/room-state.js";

const ann = { id: "user_a", nickname: "Ann" };
const bo = { id: "user_b", nickname: "Bo" };
const at = (second) => `2026-11-21T09:00:${String(second).padStart(2, "0")}.000Z`;
const snapshot = (more = {}) => ({
  id: "room_x", state: "auctioning", round: 1, seq: 10, host: ann, item: { name: "Teapot", owner: ann }, rules: { startingPrice: "100.00", format: "english" },
  currentPrice: null, currentBid: null, nextMinimum: "100.00", reserveMet: null, endsAt: at(30), nextDropAt: null, members: { host: 1, bidder: 2 }, ...more,
});
const bid = (seq, amount, bidder, more = {}) => ({
  seq, type: "bid.placed", at: at(seq), round: 1,
  data: { bidId: `bid_${seq}`, amount, bidder, leading: true, automatic: false, nextMinimum: `${Number(amount) + 10}.00`, endsAt: at(seq + 15), reserveMet: null, ...more },
});
const after = (state, ...events) => events.reduce(fold.applyEvent, state);
const room = (more) => fold.withSnapshot({ ...fold.initialState(), seq: 10 }, snapshot(more));

test("a bid updates price, leader, next minimum and deadline", () => {
  const state = after(room(), bid(11, "100.00", ann), bid(12, "110.00", bo));
  assert.equal(state.room.currentPrice, "110.00");
  assert.equal(state.room.currentBid.bidder.nickname, "Bo");
  assert.equal(state.room.nextMinimum, "120.00");
  assert.equal(state.room.endsAt, at(27));
  assert.equal(state.bids.length, 2);
});

test("a floor bid leads as any other, and its author is who entered it", () => {
  const floor = { id: "user_floor", nickname: "Floor" };
  const state = after(room(), bid(11, "100.00", bo), bid(12, "110.00", floor, { floor: true, by: { ...ann, nickname: "Anna" } }));
  assert.deepEqual([state.room.currentBid.bidder, state.bids[1].floor, state.bids[0].floor], [floor, true, undefined]);
  assert.equal(state.room.host.nickname, "Anna", "the name that the token had");
});

test("a warning stands until the next bid, retraction or transition", () => {
  const warning = (seq, level) => ({ seq, type: "warning.given", at: at(seq), round: 1, data: { level, by: ann } });
  const warned = after(room({ warning: 0 }), bid(11, "100.00", bo), warning(12, 1), warning(13, 2));
  assert.deepEqual([warned.room.warning, warned.room.endsAt, warned.room.nextMinimum], [2, at(26), "110.00"]);
  const ends = [
    bid(14, "110.00", ann), { seq: 14, type: "bid.retracted", at: at(14), round: 1, data: { bidId: "bid_11", bidder: bo, by: ann, removed: ["bid_11"], price: null, leader: null, nextMinimum: "100.00", reserveMet: null } },
    { seq: 14, type: "state.changed", at: at(14), round: 1, data: { from: "auctioning", to: "paused", cause: "pause", by: ann } },
  ];
  for (const end of ends) assert.equal(after(warned, end).room.warning, 0, end.type);
  const raised = { seq: 14, type: "bid.maximumRaised", at: at(14), round: 1, data: { bidId: "bid_11", bidder: bo } };
  assert.equal(after(warned, raised).room.warning, 2, "that is no bid");
});

test("an ask is the next minimum until the next bid, and another increment stays", () => {
  const event = (seq, type, data) => ({ seq, type, at: at(seq), round: 1, data: { ...data, by: ann } });
  const asked = after(room({ rules: { increment: { fixed: "10.00" } } }), bid(11, "100.00", bo), event(12, "ask.changed", { nextMinimum: "130.00" }));
  assert.deepEqual([asked.room.nextMinimum, asked.room.currentPrice, asked.room.rules.increment], ["130.00", "100.00", { fixed: "10.00" }]);
  assert.equal(after(asked, bid(13, "130.00", ann)).room.nextMinimum, "140.00");
  const changed = after(asked, event(13, "increment.changed", { increment: { percent: 5 }, nextMinimum: "105.00" }));
  assert.deepEqual([changed.room.nextMinimum, changed.room.rules.increment], ["105.00", { percent: 5 }]);
});

test("a room that was read past its deadline is open again after a bid that came in time", () => {
  const read = room({ state: "closing", endsAt: at(10), currentBid: { id: "bid_9", amount: "90.00", bidder: ann } });
  assert.equal(fold.phaseOf(read.room, Date.parse(at(10))), "closing");
  const { room: open } = after(read, bid(11, "100.00", bo, { endsAt: at(25) }));
  assert.deepEqual([open.state, open.endsAt], ["auctioning", at(25)]);
  assert.deepEqual([at(12), at(25)].map((now) => fold.phaseOf(open, Date.parse(now))), ["auctioning", "closing"]);
});

test("a host and a member have the nickname of their latest event", () => {
  const seat = { seq: 13, type: "stage.ended", at: at(13), round: 1, data: { stageId: "stg_1", guest: bo, by: bo, reason: "leftRoom" } };
  const message = (seq, author) => ({ seq, type: "message.sent", at: at(seq), round: 1, data: { messageId: `m${seq}`, author, text: "Hello." } });
  const start = fold.withMembers(room(), [{ user: ann, role: "host" }, { user: bo, role: "bidder" }]);
  const anna = { ...ann, nickname: "Anna" }, bob = { ...bo, nickname: "Bob" };
  const state = after(start, message(11, anna), bid(12, "100.00", bob), seat, bid(14, "110.00", bo, { automatic: true }));
  assert.deepEqual(state.room.host, anna);
  assert.deepEqual(state.people.get(bo.id), { user: bob, role: "bidder" });
  assert.deepEqual(state.people.get(ann.id), { user: anna, role: "host" });
  const person = (seq, type, data) => ({ seq, type, at: at(seq), round: 1, data });
  const earlier = after(state, person(15, "bid.maximumVoided", { bidId: "bid_1", bidder: bo }),
    person(16, "stage.seated", { stageId: "stg_2", seat: 1, guest: bo, role: "auctioneer" }),
    person(17, "stage.left", { seat: 1, member: bo, restoredRole: "bidder" }));
  assert.deepEqual(earlier.people.get(bo.id), { user: bob, role: "bidder" }, "those events have the person of an earlier one");
  assert.deepEqual(after(state, message(15, { id: "user_c", nickname: "Cy" })).people, state.people);
  assert.deepEqual(after(state, { seq: 15, type: "message.sent", at: at(15), round: 1, data: { author: 7 } }).room.host, anna);
});

test("the sale of a sealed round shows the winner's bid at the price that they pay; an open one keeps the bid that led", () => {
  const sold = { seq: 12, type: "item.sold", at: at(12), round: 1, data: { winner: bo, price: "80.00" } };
  assert.deepEqual(after(room(), { ...sold, seq: 11 }).room.currentBid, { id: null, amount: "80.00", bidder: bo, at: null });
  assert.equal(after(room(), bid(11, "80.00", bo), sold).room.currentBid.id, "bid_11");
});

test("who is banned is known from the members and from events, until the ban is lifted", () => {
  const ban = (seq, member, banned) => ({ seq, type: "member.banned", at: at(seq), round: 1, data: { member, banned, by: ann } });
  const known = fold.withMembers(room(), [{ user: ann, role: "host" }, { user: bo, role: "bidder", banned: true }]);
  assert.deepEqual([...known.banned], [bo.id]);
  const both = after(known, ban(11, ann, true));
  assert.deepEqual([...both.banned], [bo.id, ann.id]);
  assert.deepEqual([...after(both, ban(12, bo, false)).banned], [ann.id]);
});

test("who has left or was removed is known until they come back, the latest last", () => {
  const member = (seq, type, user, more) => ({ seq, type, at: at(seq), round: 1, data: { member: user, ...more } });
  const cy = { id: "user_c", nickname: "Cy" };
  const start = fold.withMembers(room(), [{ user: ann, role: "host" }, { user: bo, role: "bidder" }]);
  const both = after(start, member(11, "member.left", bo), member(12, "member.kicked", cy, { by: ann }));
  assert.deepEqual([...both.left.values()], [bo, cy]);
  assert.deepEqual([...after(both, member(13, "member.joined", bo, { role: "viewer" })).left.keys()], [cy.id]);
  const many = Array.from({ length: 60 }, (_, index) => member(13 + index, "member.left", { id: `user_${index}`, nickname: "X" }));
  assert.deepEqual([...after(both, ...many).left.keys()], many.slice(10).map(({ data }) => data.member.id));
});

test("a linked guest's bids, lead, item and win are the user's", () => {
  const cy = { id: "user_c", nickname: "Cy" };
  const link = (seq, from, role, more = {}) => ({
    seq, type: "member.linked", at: at(seq), round: 1, data: { from, to: cy, role, banned: false, muted: false, ...more },
  });
  const sold = { seq: 12, type: "item.sold", at: at(12), round: 1, data: { winner: bo, price: "100.00" } };
  const known = fold.withMembers(room(), [{ user: ann, role: "host" }, { user: bo, role: "bidder", muted: false }]);
  const state = after(known, bid(11, "100.00", bo), sold, link(13, bo, "bidder"));
  assert.deepEqual(state.room.currentBid.bidder, cy);
  assert.deepEqual(state.bids[0].bidder, cy);
  assert.deepEqual(state.result.winner, cy);
  assert.deepEqual([...state.people.keys()], [ann.id, cy.id]);
  assert.equal(state.people.get(cy.id).role, "bidder");
  assert.deepEqual(state.room.host, ann);
  const hosted = after(state, link(14, ann, "host"));
  assert.deepEqual(hosted.room.host, cy);
  assert.deepEqual(hosted.room.item.owner, cy);
  assert.deepEqual([...after(state, link(14, ann, "viewer", { banned: true })).people.keys()], []);
});

test("a user who has left for good has their pseudonym wherever the state shows them, and their messages no text", () => {
  const member = { id: bo.id, nickname: "Former user QXYZ" };
  const message = (seq, author) => ({ seq, type: "message.sent", at: at(seq), round: 1, data: { messageId: `m${seq}`, author, text: "Hello" } });
  const sold = { seq: 13, type: "item.sold", at: at(13), round: 1, data: { winner: bo, price: "100.00" } };
  const known = fold.withMembers(room(), [{ user: ann, role: "host" }, { user: bo, role: "bidder", muted: false }]);
  const before = after(known, bid(11, "100.00", bo), message(12, bo), sold, message(14, ann));
  const state = after(before, { seq: 15, type: "member.erased", at: at(15), round: 1, data: { member } });
  assert.deepEqual(state.room.currentBid.bidder, member);
  assert.deepEqual([state.bids[0].bidder, state.result.winner, state.people.get(bo.id).user], [member, member, member]);
  assert.deepEqual(state.messages.map(({ author, text }) => [author, text]), [[member, "[…]"], [ann, "Hello"]]);
  assert.deepEqual(state.room.host, ann);
  assert.equal(state.room.rules, before.room.rules, "what does not have the user stays the same object");
});

test("a repeated event is applied once", () => {
  const once = after(room(), bid(11, "100.00", ann));
  assert.equal(fold.applyEvent(once, bid(11, "100.00", ann)), once);
});

test("events before the snapshot fill the lists and do not change the room", () => {
  const start = fold.withSnapshot({ ...fold.initialState(), seq: 0 }, snapshot({ currentPrice: "110.00", seq: 10 }));
  const state = after(start, bid(5, "100.00", ann));
  assert.equal(state.room.currentPrice, "110.00");
  assert.equal(state.bids.length, 1);
  assert.equal(state.seq, 5);
  assert.equal(state.roomSeq, 10);
});

test("past bids that come after newer ones were read stand before them", () => {
  const read = [9, 7].map((seq) => ({ id: `bid_${seq}`, seq, at: at(seq), amount: `${seq}.00`, bidder: ann, leading: true, automatic: false }));
  const start = fold.withBids(fold.withSnapshot({ ...fold.initialState(), seq: 0 }, snapshot()), read, 1);
  const state = after(start, bid(5, "5.00", bo), bid(6, "6.00", bo), bid(7, "7.00", ann), bid(8, "8.00", bo), bid(9, "9.00", ann), bid(11, "11.00", bo));
  assert.deepEqual(state.bids.map((each) => each.seq), [5, 6, 7, 8, 9, 11]);
  assert.deepEqual(fold.priceSteps(state).map((step) => step.amount), ["5.00", "6.00", "7.00", "8.00", "9.00", "11.00"]);
});

test("a snapshot older than the events does not change what they made, a newer one is used", () => {
  const state = after(room(), bid(11, "100.00", ann), bid(12, "110.00", bo));
  const late = fold.withSnapshot(state, snapshot({ seq: 11, currentPrice: "100.00" }));
  assert.deepEqual([late.room.currentPrice, late.room.seq, late.roomSeq, late.seq], ["110.00", 12, 12, 12]);
  const next = fold.withSnapshot(state, snapshot({ seq: 13, currentPrice: "130.00" }));
  assert.equal(next.room.currentPrice, "130.00");
  assert.equal(after(next, bid(13, "130.00", ann)).bids.length, 3, "the event behind the snapshot still adds its bid");
});

test("what no event tells is taken from a snapshot older than the events, unless a newer one had it", () => {
  const read = (state, seq, action, leading) => fold.withSnapshot(state, snapshot({ seq, allowedActions: [action], me: { role: "bidder", leading } }));
  const state = read(after(room(), bid(11, "100.00", ann), bid(12, "110.00", bo), bid(13, "120.00", ann)), 12, "placeBid", false);
  assert.deepEqual([state.room.allowedActions, state.room.me.leading, state.room.currentPrice], [["placeBid"], false, "120.00"]);
  assert.equal(read(state, 11, "sendMessage", true), state);
});

test("the number of applications, which no event tells, is taken along; that of reports only by a new host", () => {
  const state = after(room(), bid(11, "100.00", ann), bid(12, "110.00", bo), bid(13, "120.00", ann));
  const host = fold.withSnapshot(state, snapshot({ seq: 12, me: { role: "host" }, applications: 2, reports: 1 }));
  assert.deepEqual([host.room.applications, host.room.reports, host.room.currentPrice], [2, 1, "120.00"]);
  const reported = after(host, { seq: 14, type: "message.reported", at: at(14), round: 1, data: { reports: 2 } });
  const again = fold.withSnapshot(reported, snapshot({ seq: 13, me: { role: "host" }, applications: 3, reports: 1 }));
  assert.deepEqual([again.room.applications, again.room.reports], [3, 2], "an event has told of another report");
  const other = fold.withSnapshot(again, snapshot({ seq: 13, me: { role: "viewer" } }));
  assert.equal("applications" in other.room, false, "who is host no more is not shown it");
});

test("a beaten challenger does not lead; the automatic bid behind it does", () => {
  const state = after(room(), bid(11, "100.00", ann), bid(12, "120.00", bo, { leading: false }), bid(13, "130.00", ann, { automatic: true }));
  assert.equal(state.room.currentBid.bidder.nickname, "Ann");
  assert.equal(state.room.currentPrice, "130.00");
  assert.deepEqual(fold.priceSteps(state).map((step) => step.amount), ["100.00", "130.00"]);
});

test("a sealed bid shows only its bidder", () => {
  const sealed = bid(11, "0", ann);
  delete sealed.data.amount;
  const state = after(room({ rules: { startingPrice: "100.00", format: "vickrey" } }), sealed);
  assert.equal(state.room.currentPrice, null);
  assert.equal(state.room.currentBid, null);
  assert.equal(state.room.nextMinimum, "100.00");
  assert.equal(state.bids[0].amount, null);
  assert.deepEqual(fold.priceSteps(state), []);
  const closed = fold.withBids(state, [{ id: "bid_11", amount: "300.00", bidder: ann, seq: 11, at: at(11), leading: true }], 1);
  assert.equal(closed.bids[0].amount, "300.00", "after the close the amount is no secret");
});

test("a pause keeps the remaining time, also after a reload", () => {
  const pause = { seq: 12, type: "state.changed", at: at(16), round: 1, data: { from: "auctioning", to: "paused", cause: "pause", by: ann } };
  assert.equal(after(room(), bid(11, "100.00", ann), pause).frozenMs, 10_000);
  const reloaded = fold.withSnapshot({ ...fold.initialState(), seq: 0 }, snapshot({ state: "paused", endsAt: null, seq: 12 }));
  assert.equal(after(reloaded, bid(11, "100.00", ann), pause).frozenMs, 10_000);
  assert.equal(after(room(), bid(11, "100.00", ann), pause).room.remainingMs, 10_000, "as the server's response has it");
  const late = fold.withSnapshot(fold.initialState(), snapshot({ state: "paused", endsAt: null, remainingMs: 10_000, seq: 12 }));
  assert.equal(late.frozenMs, 10_000, "who comes in the pause sees it too");
  assert.equal(late.clockEndsAt, null, "and no countdown runs");
  const resumed = after(room(), bid(11, "100.00", ann), pause,
    { seq: 13, type: "state.changed", at: at(40), round: 1, data: { from: "paused", to: "auctioning", cause: "resume", by: ann } },
    { seq: 14, type: "countdown.moved", at: at(40), round: 1, data: { endsAt: at(50), extendedBySeconds: 0, cause: "resume" } });
  assert.equal(resumed.frozenMs, null);
  assert.equal(resumed.room.endsAt, at(50));
});

test("a retraction removes the bid and its effects, and restores the leader", () => {
  const state = after(room(), bid(11, "100.00", ann), bid(12, "110.00", bo), bid(13, "120.00", ann, { automatic: true }), {
    seq: 14, type: "bid.retracted", at: at(14), round: 1,
    data: { bidId: "bid_12", bidder: bo, by: ann, reason: "x", removed: ["bid_12", "bid_13"], price: "100.00", leader: ann, nextMinimum: "110.00", reserveMet: null },
  });
  assert.deepEqual(state.bids.map((each) => Boolean(each.retracted)), [false, true, true]);
  assert.equal(state.room.currentPrice, "100.00");
  assert.equal(state.room.currentBid.bidder.nickname, "Ann");
  assert.deepEqual(fold.priceSteps(state).map((step) => step.amount), ["100.00"]);
});

test("bids that competed with a retracted one lead in its place, at the price that the event says of the last", () => {
  const cy = { id: "user_c", nickname: "Cy" };
  const shill = [bid(11, "100.00", ann), bid(12, "300.00", bo, { leading: false }), bid(13, "310.00", ann, { automatic: true })];
  const retraction = (seq, removed, price, leader) => ({
    seq, type: "bid.retracted", at: at(seq), round: 1, data: { bidId: "bid_11", bidder: ann, by: ann, reason: "x", removed, price, leader, nextMinimum: "200.00", reserveMet: null },
  });
  const shown = (state) => state.bids.filter((each) => !each.retracted).map((each) => [each.bidder.nickname, each.amount, each.leading, each.automatic]);
  const hides = (state, event) => fold.hidesAmounts(state.bids, fold.applyEvent(state, event).bids, event);
  const one = [after(room(), ...shill), retraction(14, ["bid_11", "bid_13"], "150.00", bo)];
  assert.deepEqual(shown(fold.applyEvent(...one)), [["Bo", "150.00", true, false]]);
  assert.equal(hides(...one), false, "all is known");
  const chain = [after(room(), ...shill, bid(14, "510.00", cy)), retraction(15, ["bid_11", "bid_13"], "350.00", cy)];
  assert.deepEqual(shown(fold.applyEvent(...chain)), [["Bo", "300.00", true, false], ["Cy", "350.00", true, false]]);
  assert.equal(hides(...chain), true, "at which amount Bo leads is not in the event");
  const latest = [after(room(), bid(10, "90.00", bo), ...shill.slice(0, 1)), retraction(12, ["bid_11"], "90.00", bo)];
  assert.equal(hides(...latest), false);
  assert.equal(hides(chain[0], bid(15, "520.00", bo)), false);
});

test("of two bids that were left before the opening each leads without the other", () => {
  const left = [bid(11, "300.00", bo, { leading: false, automatic: true, absentee: true }), bid(12, "310.00", ann, { automatic: true, absentee: true })];
  const retraction = (id, leader) => ({
    seq: 14, type: "bid.retracted", at: at(14), round: 1, data: { bidId: id, by: ann, reason: "x", removed: [id], price: leader ? "100.00" : null, leader, nextMinimum: "110.00", reserveMet: null },
  });
  const shown = (state) => state.bids.filter((each) => !each.retracted).map((each) => [each.bidder.nickname, each.amount, each.leading, each.automatic]);
  const of = (...events) => shown(after(room(), ...events));
  assert.deepEqual(of(...left, retraction("bid_12", bo)), [["Bo", "100.00", true, true]]);
  assert.deepEqual(of(...left, retraction("bid_11", ann)), [["Ann", "100.00", true, true]]);
  assert.deepEqual(of(...left, retraction("bid_12", bo), { ...retraction("bid_11", null), seq: 15 }), []);
  const live = after(room(), ...left, bid(13, "600.00", { id: "user_c", nickname: "Cy" }));
  const event = { ...retraction("bid_11", { id: "user_c", nickname: "Cy" }), data: { ...retraction("bid_11", null).data, leader: { id: "user_c", nickname: "Cy" }, price: "600.00" } };
  assert.equal(fold.hidesAmounts(live.bids, fold.applyEvent(live, event).bids, event), true, "at which amount Ann's bid counts is not in the event");
});

test("a voided maximum is applied, and the caller's own is loaded again", () => {
  const voided = { seq: 15, type: "bid.maximumVoided", at: at(15), round: 1, data: { bidId: "bid_11", bidder: ann } };
  assert.ok(fold.asksForRoom(voided, ann.id, ann));
});

test("the next round begins empty; a cancelled one keeps its item", () => {
  const to = (from, round, seq) => ({ seq, type: "state.changed", at: at(20), round, data: { from, to: "preparing", cause: "start", by: ann } });
  const sold = { seq: 11, type: "item.sold", at: at(11), round: 1, data: { winner: bo, price: "110.00" } };
  const closed = after(room({ state: "closed" }), sold);
  assert.equal(closed.result.kind, "sold");
  const next = after(closed, to("closed", 2, 12));
  assert.deepEqual([next.room.item, next.room.currentPrice, next.room.round, next.result], [null, null, 2, null]);
  assert.equal(after(room(), to("auctioning", 1, 11)).room.item.name, "Teapot");
});

test("a cancelled round has none of its prices, and begins again at the starting price", () => {
  const dutch = room({ rules: { startingPrice: "100.00", format: "dutch" }, currentPrice: "100.00", nextDropAt: at(12), remainingMs: 5_000 });
  const cancelled = after(dutch, { seq: 11, type: "price.dropped", at: at(12), round: 1, data: { price: "90.00", nextDropAt: at(14) } },
    { seq: 12, type: "state.changed", at: at(13), round: 1, data: { from: "auctioning", to: "preparing", cause: "cancel", by: ann } });
  const { currentPrice, currentBid, nextMinimum, endsAt, nextDropAt, remainingMs, item } = cancelled.room;
  assert.deepEqual([currentPrice, currentBid, nextMinimum, endsAt, nextDropAt, remainingMs, item.name], [null, null, "100.00", null, null, null, "Teapot"]);
});

test("a round past its deadline is closing, not sold, until the server reports the result", () => {
  const { room: it } = room();
  assert.equal(fold.phaseOf(it, Date.parse(at(29))), "auctioning");
  assert.equal(fold.phaseOf(it, Date.parse(at(30))), "closing");
  assert.equal(fold.phaseOf({ ...it, state: "paused", endsAt: null }, Date.parse(at(59))), "paused");
});

test("the host follows the number of reports, which others are not shown", () => {
  const reported = { seq: 11, type: "message.reported", at: at(11), round: 1, data: { reports: 3 } };
  assert.equal(after(fold.withSnapshot(room(), { ...room().room, reports: 2 }), reported).room.reports, 3);
  assert.equal(after(room(), reported).room.reports, undefined);
});

test("messages are added and removed, and a removed one stays removed", () => {
  const sent = { seq: 11, type: "message.sent", at: at(11), round: 1, data: { messageId: "m1", author: bo, text: "<b>hi</b>" } };
  const removed = { seq: 12, type: "message.removed", at: at(12), round: 1, data: { messageId: "m1", by: ann } };
  assert.equal(after(room(), sent).messages[0].text, "<b>hi</b>");
  assert.equal(after(room(), sent, removed).messages[0].removed, true);
});

test("people join, change, and leave", () => {
  const joined = { seq: 11, type: "member.joined", at: at(11), round: 1, data: { member: bo, role: "viewer" } };
  const changed = { seq: 12, type: "member.roleChanged", at: at(12), round: 1, data: { member: bo, from: "viewer", to: "auctioneer", by: ann } };
  const kicked = { seq: 13, type: "member.kicked", at: at(13), round: 1, data: { member: bo, by: ann } };
  assert.equal(after(room(), joined, changed).people.get("user_b").role, "auctioneer");
  assert.equal(after(room(), joined, changed, kicked).people.size, 0);
});

test("a member who is banned is not among the people, whether an event says so or the list of members", () => {
  const banned = { seq: 11, type: "member.banned", at: at(11), round: 1, data: { member: bo, banned: true, by: ann } };
  const members = [{ user: ann, role: "host", banned: false }, { user: bo, role: "bidder", banned: false }];
  assert.deepEqual([...after(fold.withMembers(room(), members), banned).people.keys()], [ann.id]);
  assert.deepEqual([...fold.withMembers(room(), [members[0], { ...members[1], banned: true }]).people.keys()], [ann.id]);
});

test("an event of an unknown type only advances the position", () => {
  const before = room();
  const state = after(before, { seq: 11, type: "weather.changed", at: at(11), round: 1, data: { rain: true } },
    { seq: 12, type: "constructor", at: at(12), round: 1, data: {} });
  assert.equal(state.seq, 12);
  assert.equal(state.room.currentPrice, before.room.currentPrice);
  assert.equal(state.room.seq, 12);
});

test("an event of a known type without its members only advances the position", () => {
  const before = room();
  const state = after(before, { seq: 11, type: "bid.placed", at: at(11), round: 1, data: {} }, { seq: 12, type: "member.joined", at: at(12), round: 1, data: {} });
  assert.deepEqual([state.seq, state.room.seq, state.people.size], [12, 12, 0]);
});

test("the fold does not mutate its input, and the lists are bounded", () => {
  let state = room();
  const first = JSON.stringify(state.bids);
  const start = state;
  for (let seq = 11; seq < 1_200; seq += 1) state = fold.applyEvent(state, { ...bid(11, "100.00", ann), seq, data: { ...bid(11, "100.00", ann).data, bidId: `bid_${seq}` } });
  assert.equal(JSON.stringify(start.bids), first);
  assert.equal(state.bids.length, 500);
});

test("permissions are loaded only when they may have changed", () => {
  const cy = { id: "user_c", nickname: "Cy" };
  assert.equal(fold.asksForRoom(bid(11, "100.00", bo), "user_a", cy), false);
  assert.equal(fold.asksForRoom(bid(11, "100.00", bo), "user_a", undefined), true, "a first bid forbids to cancel");
  assert.equal(fold.asksForRoom(bid(11, "100.00", bo), "user_a", ann), true, "who is outbid may bid again");
  assert.equal(fold.asksForRoom(bid(11, "100.00", ann), "user_a", bo), true);
  assert.equal(fold.asksForRoom({ type: "message.sent", data: {} }, "user_a", bo), false);
  assert.equal(fold.asksForRoom({ type: "something.new", data: {} }, "user_a", bo), true);
  const [made, declined] = ["application.made", "application.declined"].map((type) => ({ type, data: {} }));
  for (const event of [made, declined]) {
    assert.equal(fold.asksForRoom(event, "user_a", bo, "host"), true, "the host is shown how many applications are open");
    assert.equal(fold.asksForRoom(event, "user_a", bo, "viewer", 1), true, "it may be the caller's own that was declined");
    assert.equal(fold.asksForRoom(event, "user_a", bo, "viewer"), false);
  }
  const left = { type: "member.left", data: { member: bo } };
  assert.deepEqual([0, 2].map((waiting) => fold.asksForRoom(left, "user_a", bo, "host", waiting)), [false, true]);
  assert.equal(fold.asksForRoom(bid(11, "100.00", ann), null, bo), false, "a reader without a token has no permissions");
  assert.equal(fold.asksForRoom(bid(11, "100.00", ann), undefined, bo), true, "it may be the caller's, who is not known");
});
