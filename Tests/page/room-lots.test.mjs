import assert from "node:assert/strict";
import { test } from "node:test";
import { premiumOn } from "../../Sources/Page/client/auction-client.js";
import * as fold from "../../Sources/Page/client/room-state.js";

const ann = { id: "user_a", nickname: "Ann" };
const at = "2026-11-21T09:00:00.000Z";
const item = (name) => ({ id: `item_${name}`, name, description: "", media: [], owner: ann });
const lot = (name, state = "queued") => ({ id: `lot_${name}`, reference: null, state, round: null, item: item(name), rules: { startingPrice: "1.00" }, result: null });
const sale = { mode: "automatic", pauseSeconds: 5, startsAt: null, premium: null, running: true, nextLotAt: null, lots: 4, queued: 3 };
const snapshot = (more = {}) => ({
  id: "room_x", state: "auctioning", round: 1, seq: 10, host: ann, item: item("a"), rules: { startingPrice: "1.00", format: "english" },
  currentPrice: null, currentBid: null, nextMinimum: "1.00", members: {}, sale, ...more,
});
let seq = 10;
const happened = (type, data) => ({ seq: ++seq, type, at, round: 1, data });
const moved = (name, before) => happened("lot.moved", { lotId: `lot_${name}`, before: before && `lot_${before}`, by: ann });
const uploaded = (name) => happened("item.uploaded", { lotId: name && `lot_${name}`, item: { ...item(name ?? "hand"), rules: { startingPrice: "1.00" } } });
const after = (state, ...events) => events.reduce(fold.applyEvent, state);
const queued = (state) => state.lots.queued.map((each) => each.item.name).join("");

/** A room whose queue was read: b, c and d behind the current a, and perhaps others. */
function read({ cursor = null, more } = {}) {
  seq = 10;
  const state = fold.withSnapshot({ ...fold.initialState(), seq: 10 }, snapshot(more));
  return fold.withLots(state, { page: { lots: ["b", "c", "d"].map((name) => lot(name)), nextCursor: cursor, seq: 10 }, current: { lots: [lot("a", "current")], seq: 10 } });
}

test("lots are moved, queued, changed and withdrawn by events", () => {
  assert.equal(queued(after(read(), moved("d", "b"))), "dbc");
  assert.equal(queued(after(read(), moved("b", null))), "cdb");
  const state = after(read(), happened("lot.queued", { lotId: "lot_e", item: { ...item("e"), rules: { startingPrice: "7.00" } }, reference: "A-5", number: 5 }));
  assert.equal(queued(state), "bcde");
  assert.deepEqual([state.lots.queued[3].reference, state.lots.queued[3].number, state.lots.queued[3].rules, state.room.sale.lots, state.room.sale.queued], ["A-5", 5, { startingPrice: "7.00" }, 5, 4]);
  const changed = after(state, happened("lot.changed", { lotId: "lot_b", item: { ...item("x"), rules: {} }, by: ann }),
    happened("lot.changed", { lotId: "lot_e", item: { ...item("e"), rules: {} }, by: ann }), happened("lot.withdrawn", { lotId: "lot_c", by: ann }));
  assert.equal(queued(changed), "xde");
  assert.deepEqual([changed.lots.queued[2].number, changed.lots.queued[2].reference], [5, null]);
  assert.equal(after(changed, moved("e", "b"), uploaded("e")).lots.current.number, 5);
  assert.equal(changed.room.sale.queued, 3);
});

test("a lot that was passed is offered again, and its reference goes with the new one", () => {
  const passed = after(read(), happened("lot.changed", { lotId: "lot_a", item: { ...item("a"), rules: {} }, reference: "A-1", number: 1, by: ann }),
    happened("item.passed", { lotId: "lot_a" }));
  assert.equal(passed.lots.current.reference, "A-1");
  const state = after(passed, happened("lot.queued", { lotId: "lot_e", item: { ...item("a"), rules: {} }, reference: "A-1", number: 5, offeredBefore: "lot_a" }));
  assert.deepEqual([state.lots.current.reference, state.lots.current.offeredAgain], [null, "lot_e"]);
  const added = state.lots.queued.at(-1);
  assert.deepEqual([added.id, added.reference, added.offeredBefore, added.offeredAgain], ["lot_e", "A-1", "lot_a", null]);
  const changed = after(state, happened("lot.changed", { lotId: "lot_e", item: { ...item("x"), rules: {} }, reference: "A-1", number: 5, by: ann }));
  assert.deepEqual([changed.lots.queued.at(-1).offeredBefore, changed.room.sale.lots], ["lot_a", 5]);
});

test("bids that were left are counted by events, and an own one stays with its lot", () => {
  const bids = (name, absenteeBids) => happened("lot.bidsChanged", { lotId: `lot_${name}`, absenteeBids });
  const counts = ({ lots: { queued, current } }) => [...queued, current].map((each) => each.absenteeBids ?? 0);
  const own = { bidId: "bid_1", maximum: "9.00", state: "standing" };
  const left = fold.withOwnBid(after(read(), bids("b", 1), bids("d", 2), bids("b", 3), bids("z", 7)), { lotID: "lot_b", myBid: own });
  assert.deepEqual([counts(left), left.lots.queued.map((each) => each.myBid?.maximum)], [[3, 0, 2, 0], ["9.00", undefined, undefined]]);
  const changed = after(left, happened("lot.changed", { lotId: "lot_b", item: { ...item("x"), rules: { startingPrice: "2.00" } }, by: ann }), moved("b", null));
  assert.deepEqual([queued(changed), counts(changed), changed.lots.queued[2].myBid], ["cdx", [0, 2, 3, 0], own]);
  const next = after(changed, moved("b", "c"), uploaded("b"));
  assert.deepEqual([next.lots.current.absenteeBids, next.lots.current.myBid], [3, own]);
  const back = after(next, bids("b", 4), uploaded("c"));
  assert.deepEqual([back.lots.queued[0].id, back.lots.queued[0].absenteeBids, back.lots.queued[0].myBid], ["lot_b", 4, own], "the prepared lot waits again");
  assert.equal(fold.withOwnBid(back, { lotID: "lot_b", myBid: null }).lots.queued[0].myBid, null);
  const added = after(back, happened("lot.queued", { lotId: "lot_e", item: { ...item("e"), rules: {} } })).lots.queued.at(-1);
  assert.deepEqual([added.absenteeBids, added.myBid], [0, null]);
  assert.deepEqual(fold.withOwnBid(fold.initialState(), { lotID: "lot_b", myBid: own }).lots.queued, null, "lots that were not read");
  assert.equal(fold.asksForRoom(bids("b", 1), "user_a", ann, "host"), false, "whose bid it is stays secret");
  assert.equal(fold.asksForRoom(bids("b", 1), undefined, ann, undefined), false);
});

test("a lot whose sale is voided is shown as that, and sold again when the next bidder takes it", () => {
  const voided = after(read(), happened("item.sold", { lotId: "lot_a", winner: ann, price: "5.00" }), happened("item.voided", { round: 1, lotId: "lot_a", winner: ann, price: "5.00", reason: "Not paid.", by: ann }));
  assert.equal(voided.lots.current.state, "voided");
  assert.deepEqual([voided.result.kind, voided.result.voided.reason], ["sold", "Not paid."]);
  const resold = after(voided, happened("offer.accepted", { round: 1, lotId: "lot_a", winner: { id: "user_b", nickname: "Bo" }, price: "4.00" }));
  assert.deepEqual([resold.lots.current.state, resold.result.winner.nickname, resold.result.price], ["sold", "Bo", "4.00"]);
  const other = after(voided, happened("item.voided", { round: 7, lotId: "lot_x", winner: ann, price: "5.00", reason: "Other.", by: ann }));
  assert.equal(other.result.voided.reason, "Not paid.", "another round's");
});

test("events of the past count lots the same when the lots were read before them", () => {
  const turns = (state) => after(state, happened("item.passed", { lotId: "lot_a" }), happened("state.changed", { from: "auctioning", to: "closed" }),
    happened("state.changed", { from: "closed", to: "preparing", lotId: "lot_b" }), uploaded("b"));
  const ahead = fold.withLots(read(), { page: { lots: ["c", "d"].map((name) => lot(name)), nextCursor: null, seq: 20 }, current: { lots: [lot("b", "current")], seq: 20 } });
  assert.deepEqual([turns(read()).room.sale.queued, turns(ahead).room.sale.queued], [2, 2]);
});

test("of a queue that is known in part, what goes behind it leaves it, and what comes from there is read again", () => {
  const known = read({ cursor: "next" });
  assert.equal(queued(after(known, moved("b", "z"))), "cd");
  assert.equal(queued(after(known, moved("b", null))), "cd");
  assert.equal(queued(after(known, moved("y", "z"))), "bcd");
  assert.equal(queued(after(known, happened("lot.queued", { lotId: "lot_e", item: { ...item("e"), rules: {} } }))), "bcd", "its place is behind others");
  assert.equal(after(known, moved("b", "d")).lots.isStale, false);
  assert.equal(after(known, moved("y", "c")).lots.isStale, true);
  assert.equal(after(known, moved("y", "z")).lots.wasMoved, true, "the server would leave it out of the next page");
});

test("the next lot leaves the queue, and a prepared one that is replaced returns to its head", () => {
  const closed = after(read(), happened("state.changed", { from: "auctioning", to: "closed" }), happened("item.sold", { lotId: "lot_a", winner: ann, price: "5.00" }));
  assert.equal(closed.lots.current.state, "sold");
  const next = after(closed, happened("state.changed", { from: "closed", to: "preparing", lotId: "lot_b" }), uploaded("b"));
  assert.equal(queued(next), "cd");
  assert.deepEqual([next.lots.current.id, next.lots.current.state, next.room.sale.queued], ["lot_b", "current", 2]);
  assert.equal(queued(after(next, uploaded(null))), "bcd", "an item of the seller goes first");
  assert.equal(after(next, uploaded(null)).lots.current, null);
  const displaced = after(next, moved("d", "b"), uploaded("d"));
  assert.deepEqual([displaced.lots.current.id, queued(displaced)], ["lot_d", "bc"]);
  assert.equal(after(next, uploaded("b")).room.sale.queued, 2, "a prepared lot that was changed is no other");
});

const page = (names, seq) => ({ page: { lots: [...names].map((name) => lot(name)), nextCursor: null, seq }, current: { lots: [], seq } });

test("what happens while lots are being read is applied to them", () => {
  const state = after(read({ cursor: "next" }), moved("x", "c"), moved("d", "b"));
  assert.equal(state.lots.isStale, true, "x was not known");
  const fresh = fold.withLots(state, page("bcdx", 10));
  assert.deepEqual([queued(fresh), fresh.lots.isStale, queued(after(fresh, moved("c", "d")))], ["dbxc", false, "cdbx"]);
  assert.deepEqual(queued(fold.withLots(state, page("bxcd", 11))), "dbxc");
  assert.equal(queued(fold.withLots(fresh, page("dbxc", 12))), "dbxc");
});

test("a page that is older than the events that are known is not used, and one that contains an event is not changed by it", () => {
  const state = after(read(), moved("d", "b"));
  const old = fold.withLots(state, page("b", 9));
  assert.deepEqual([queued(old), old.lots.isStale], ["dbc", true]);
  const fresh = fold.withLots(old, page("cb", 13));
  assert.deepEqual([queued(fresh), fresh.lots.isStale], ["cb", false]);
  const contained = { seq: 12, type: "lot.moved", at, round: 1, data: { lotId: "lot_b", before: "lot_c", by: ann } };
  assert.equal(queued(after(fresh, contained)), "cb");
  const unread = after(fold.withSnapshot({ ...fold.initialState(), seq: 10 }, snapshot()), { ...contained, seq: 14 });
  assert.equal(unread.lots.queued, null);
  assert.equal(fold.withLots(unread, page("cb", 12)).lots.isStale, true);
  assert.equal(queued(fold.withLots(unread, page("cb", 13))), "bc");
  const many = after(state, ...Array.from({ length: 100 }, () => moved("b", "c")));
  assert.equal(fold.withLots(many, page("bcd", 10)).lots.isStale, true, "no more than so many events are kept");
});

test("the next page comes behind what is known, each lot once", () => {
  const state = fold.withLots(read({ cursor: "next" }), { page: { lots: [lot("d"), lot("a"), lot("e")], nextCursor: null, seq: 10 }, isMore: true });
  assert.deepEqual([queued(state), state.lots.cursor], ["bcde", null]);
});

test("the sale follows its events, and the countdown between two lots is the sale's", () => {
  const ends = (type) => happened(type, { endsAt: at });
  const closed = after(read(), happened("state.changed", { from: "auctioning", to: "closed" }), ends("countdown.started"));
  assert.equal(closed.room.sale.nextLotAt, at);
  const stopped = after(closed, happened("sale.stopped", { cause: "host", by: ann }));
  assert.deepEqual([stopped.room.sale.running, stopped.room.sale.nextLotAt], [false, null]);
  const configured = after(stopped, happened("sale.configured", { mode: "manual", pauseSeconds: 10, startsAt: null, premium: null, by: ann }));
  assert.equal(configured.room.sale.mode, "manual");
  assert.equal(after(read(), ends("countdown.started")).room.sale.nextLotAt, null, "that of a round is not");
  const first = after(read({ more: { sale: undefined } }), happened("message.sent", { messageId: "m", author: ann, text: "x" }));
  assert.equal(first.room.sale, undefined);
  const planned = after(first, happened("sale.configured", { mode: "automatic", pauseSeconds: 1, startsAt: at, premium: null, attended: true, by: ann }));
  assert.deepEqual([configured.room.sale.attended, planned.room.sale.attended, planned.room.sale.startsAt], [false, true, at]);
  const postponed = after(planned, happened("sale.postponed", { cause: "host_gone" }));
  assert.deepEqual([postponed.room.sale.postponed, postponed.room.sale.startsAt], [true, null]);
  assert.equal(after(postponed, happened("sale.started", { by: ann })).room.sale.postponed, false);
  assert.equal(after(first, happened("sale.starting", { startsAt: at })).room.sale.startsAt, at);
});

test("the total follows the price, rounded half up", () => {
  const state = read({ more: { sale: { ...sale, premium: { percent: "12.5" } } } });
  const bid = happened("bid.placed", { bidId: "bid_1", amount: "10.04", bidder: ann, leading: true, nextMinimum: "11.00", endsAt: null });
  assert.equal(after(state, bid).room.total, "11.30");
  assert.equal(after(read(), bid).room.total, undefined);
  assert.equal(premiumOn("10.01", "12.5"), "1.25");
  assert.equal(premiumOn("0.04", "12.5"), "0.01");
  assert.equal(premiumOn("1000", "0.05"), "1");
  assert.equal(premiumOn("999.999", "100"), "999.999");
});

test("a linked guest's lots are the user's; only those who sell read the room again for a lot", () => {
  const cy = { id: "user_c", nickname: "Cy" };
  const linked = after(read(), happened("member.linked", { from: ann, to: cy, role: "host", banned: false, muted: false }));
  assert.deepEqual([linked.lots.queued[0].item.owner, linked.lots.current.item.owner], [cy, cy]);
  const erased = after(linked, { seq: linked.seq + 1, type: "member.erased", at: null, round: 1, data: { member: { ...cy, nickname: "Former user QXYZ" } } });
  assert.deepEqual([erased.lots.queued[0], erased.lots.current].map((lot) => lot.item.owner.nickname), ["Former user QXYZ", "Former user QXYZ"]);
  assert.equal(fold.asksForRoom({ type: "lot.queued", data: {} }, "user_a", ann, "bidder"), false);
  assert.equal(fold.asksForRoom({ type: "lot.queued", data: {} }, "user_a", ann, "host"), true);
  assert.equal(fold.asksForRoom({ type: "sale.started", data: {} }, "user_a", ann, "bidder"), true);
});

test("a prepared lot that is moved elsewhere is read again, and one that goes back to the head is not", () => {
  const back = after(read(), moved("a", "b"));
  assert.equal(back.lots.isStale, false);
  const elsewhere = after(back, moved("a", "d"), uploaded("b"));
  assert.equal(elsewhere.lots.isStale, true);
  assert.equal(elsewhere.room.sale.queued, 3, "one waits again, and one does not any more");
});

test("a round that is over keeps its premium, and a sealed one has a price from its end on", () => {
  const sold = after(read({ more: { sale: { ...sale, premium: { percent: "50" } }, rules: { startingPrice: "1.00", format: "vickrey" } } }),
    happened("state.changed", { from: "auctioning", to: "closed" }), happened("item.sold", { winner: ann, price: "10.00" }));
  assert.deepEqual([sold.room.currentPrice, sold.room.total], ["10.00", "15.00"]);
  const later = after(sold, happened("sale.configured", { mode: "manual", pauseSeconds: 5, startsAt: null, premium: { percent: "10" } }));
  assert.equal(later.room.total, "15.00");
  const without = after(later, happened("sale.configured", { mode: "manual", pauseSeconds: 5, startsAt: null, premium: null }));
  assert.equal(without.room.total, "15.00");
});

const withdrawn = (name) => happened("lot.withdrawn", { lotId: `lot_${name}`, by: ann });
const facts = ({ room }) => [room.item?.id ?? null, room.rules, room.nextMinimum, room.sale.queued];

test("a prepared lot that is withdrawn takes its item along, whether it is known by an event or by the lots that were read", () => {
  const preparing = { state: "preparing", sale: { ...sale, running: false, queued: 0 } };
  const unread = (more) => fold.withSnapshot({ ...fold.initialState(), seq: 10 }, snapshot(more));
  const byEvent = () => after(unread({ ...preparing, item: null, rules: null }), uploaded("a"));
  for (const known of [byEvent, () => read({ more: preparing })]) {
    const state = known();
    assert.equal(state.room.item.id, "item_a");
    assert.deepEqual(facts(after(state, withdrawn("a"))), [null, null, null, 0]);
    assert.equal(after(state, withdrawn("z")).room.item.id, "item_a", "another lot is not it");
  }
  const own = after(read({ more: preparing }), uploaded(null));
  assert.equal(after(own, withdrawn("a")).room.item.id, "item_hand", "nor is an item of the seller");
  const next = after(read({ more: { state: "preparing" } }), withdrawn("a"), uploaded("b"));
  assert.deepEqual(facts(next), ["item_b", { startingPrice: "1.00" }, "1.00", 2], "the next one takes its turn");
});

test("the countdown between two lots ends with the sale", () => {
  for (const [type, data] of [["sale.stopped", { cause: "host", by: ann }], ["sale.finished", {}]]) {
    const closed = after(read(), happened("state.changed", { from: "auctioning", to: "closed" }), happened("countdown.started", { endsAt: at }));
    assert.equal(closed.room.endsAt, at);
    const over = after(closed, happened(type, data));
    assert.deepEqual([over.room.endsAt, over.room.sale.nextLotAt], [null, null], type);
    const during = after(read({ more: { endsAt: at } }), happened(type, data));
    assert.equal(during.room.endsAt, at, `${type}: that of a round runs on`);
  }
});
