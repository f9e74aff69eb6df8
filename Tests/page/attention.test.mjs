// What calls a user back, and what is told who was away.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Attention, momentOf, newsBetween } from "../../Sources/Page/attention.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { quickAmounts } from "../../Sources/Page/views/bid.js";
import { forgetOthers, makeWhileAway, newsOf } from "../../Sources/Page/views/while-away.js";
import { ownBids } from "./support/own-bids.mjs";
import { makeDocument, shown } from "./support/page-dom.mjs";
import { mockTimeouts, tick } from "./support/timers.mjs";

setLanguage("en");
mockTimeouts();
const ann = { id: "ann", nickname: "Ann" };
const bo = { id: "bo", nickname: "Bo" };
const lotOf = (owner, id = "lot_1") => ({ id, item: { owner } });
const model = ({ leader = null, result = null, queued = [], ...more } = {}) => ({
  phase: "auctioning", userID: "ann", lots: { queued }, ownBids: ownBids(), results: [], favourites: new Set(["lot_marked"]), money: (amount) => `¥${amount}`,
  state: { result, bids: [] },
  room: { id: "room_x", round: 3, item: { id: "item_1", name: "Bowl" }, currentPrice: "20.00", currentBid: leader && { bidder: leader } },
  ...more,
});
const news = (before, now) => newsBetween(momentOf(model(before)), momentOf(model(now)));

test("one is called when outbid, when an own lot is next, and when one has won", () => {
  assert.deepEqual(news({ leader: ann }, { leader: bo }), ["outbid"]);
  assert.deepEqual(news({ leader: bo }, { leader: bo }), []);
  assert.deepEqual(news({ leader: ann }, { leader: null }), [], "the round began anew");
  assert.deepEqual(news({ queued: [lotOf(bo)] }, { queued: [lotOf(ann, "lot_2")] }), ["next"]);
  assert.deepEqual(news({ queued: [lotOf(ann)] }, { queued: [lotOf(ann)] }), [], "once");
  assert.deepEqual(news({ queued: [lotOf(bo)] }, { queued: [lotOf(bo, "lot_marked")] }), ["next"]);
  const end = { phase: "closed", result: { round: 3, kind: "sold", winner: ann, price: "20.00" } };
  assert.deepEqual(news({ leader: ann }, { leader: ann, ...end }), ["won"]);
  assert.deepEqual(news({ leader: ann, ...end }, { leader: ann, ...end }), []);
  assert.deepEqual(newsBetween(null, momentOf(model({ leader: ann, ...end }))), [], "who comes later has not been away");
});

test("who has left a bid is called two lots ahead, once", () => {
  const [one, two, three] = ["lot_1", "lot_2", "lot_3"].map((id) => lotOf(bo, id));
  const left = ownBids([{ id: "lot_3", myBid: { state: "standing" } }, { id: "lot_2", myBid: { state: "void" } }]);
  assert.deepEqual(news({ queued: [one, two, three], ownBids: left }, { queued: [two, three], ownBids: left }), ["soon"]);
  assert.deepEqual(news({ queued: [two, three], ownBids: left }, { queued: [three], ownBids: left }), [], "once");
  assert.deepEqual(news({ queued: [one, three], ownBids: ownBids() }, { queued: [one, three], ownBids: left }), ["soon"], "moved there, or left just now");
  assert.deepEqual(news({ queued: [], ownBids: left }, { queued: [two], ownBids: left }), [], "a bid that does not act");
  const before = { room: { ...model().room, item: null } };
  assert.deepEqual(news({ ...before, queued: [], ownBids: left }, { ...before, queued: [three], ownBids: left }), [], "the sale does not run");
});

test("a bidder is called when the hammer is about to fall", () => {
  const warned = (warning, role = "bidder") => ({ me: { role }, room: { ...model({ leader: bo }).room, warning } });
  assert.deepEqual(news(warned(0), warned(1)), ["warning"]);
  assert.deepEqual(news(warned(1), warned(2)), ["warning"]);
  assert.deepEqual([news(warned(2), warned(2)), news(warned(2), warned(0)), news(warned(2), warned(1))], [[], [], []]);
  assert.deepEqual(news(warned(0, "viewer"), warned(1, "viewer")), []);
  assert.deepEqual(news(warned(0), { ...warned(1), room: { ...warned(1).room, round: 4 } }), [], "another lot");
});

test("quick amounts are the next minimum and one, two and five steps, below the price that buys at once", () => {
  const room = { rules: { increment: { fixed: "10" } }, currentPrice: "100.00", nextMinimum: "110.00" };
  assert.deepEqual(quickAmounts(room), ["120.00", "130.00", "160.00"]);
  assert.deepEqual(quickAmounts({ ...room, currentPrice: null, nextMinimum: "100.00" }), ["110.00", "120.00", "150.00"]);
  assert.deepEqual(quickAmounts({ ...room, rules: { ...room.rules, buyNowPrice: "130.00" } }), ["120.00"]);
  assert.deepEqual(quickAmounts({ ...room, nextMinimum: null }), []);
  assert.deepEqual(quickAmounts({ rules: { increment: { percent: 5 } }, currentPrice: null, nextMinimum: "1000" }), ["1050", "1100", "1250"]);
  assert.deepEqual(quickAmounts({ rules: { increment: { percent: 0.01 } }, currentPrice: null, nextMinimum: "1" }), ["2", "3", "6"]);
  const tiers = [{ from: "0", step: "1" }, { from: "100", step: "5" }];
  assert.deepEqual(quickAmounts({ rules: { increment: { tiers } }, currentPrice: null, nextMinimum: "100" }), ["105", "110", "125"]);
});

test("who was away reads what became of the bid, at which price", () => {
  const kept = { round: 3, item: "Bowl", amount: "15.00", leads: true };
  const sold = (winner) => ({ phase: "closed", result: { round: 3, kind: "sold", winner, price: "20.00" } });
  assert.equal(newsOf(kept, model(sold(ann))), "You won Bowl for ¥20.00.");
  assert.equal(newsOf(kept, model(sold(bo))), "Bowl went to Bo for ¥20.00. Your bid was ¥15.00.");
  assert.equal(newsOf(kept, model({ leader: bo })), "You were outbid on Bowl: Bo leads with ¥20.00. Your bid was ¥15.00.");
  assert.equal(newsOf(kept, model({ leader: ann })), null);
  assert.equal(newsOf({ ...kept, leads: false }, model({ leader: bo })), null, "that was known");
  const earlier = [{ round: 2, result: "passed", item: {} }];
  assert.equal(newsOf({ ...kept, round: 2 }, model({ results: earlier })), "Bowl was not sold.");
  assert.equal(newsOf(null, model({ leader: bo })), null);
});

test("who was away reads that a maximum was beaten, where there was one and the price has reached it", () => {
  const kept = { round: 3, item: "Bowl", amount: "14.05", maximum: "18.00", leads: true };
  const end = (price) => model({ phase: "closed", result: { round: 3, kind: "sold", winner: bo, price } });
  const words = () => [newsOf(kept, model({ leader: bo })), newsOf(kept, end("20.00")), newsOf(kept, end("18.00"))];
  assert.deepEqual(words(), ["You were outbid on Bowl: Bo leads with ¥20.00. Your maximum of ¥18.00 was beaten.", "Bowl went to Bo for ¥20.00. Your maximum of ¥18.00 was beaten.",
    "Bowl went to Bo for ¥18.00. Your maximum of ¥18.00 was beaten."]);
  assert.equal(newsOf(kept, end("15.00")), "Bowl went to Bo for ¥15.00. Your bid was ¥14.05.", "the maximum had ended before");
  assert.equal(newsOf({ ...kept, amount: "18.00" }, end("20.00")), "Bowl went to Bo for ¥20.00. Your bid was ¥18.00.", "it was all bid");
  setLanguage("zh");
  assert.equal(newsOf(kept, model({ leader: bo })), "您对 Bowl 的最高价 ¥18.00 已被超过：Bo 领先，价格 ¥20.00。");
  setLanguage("en");
});

test("a maximum is remembered while its bidder leads, also after another does", () => {
  makeDocument();
  const storage = { text: null, get() { return this.text; }, set(_, text) { this.text = text; }, remove() { this.text = null; } };
  const view = makeWhileAway(storage);
  const kept = () => JSON.parse(storage.text).bids.room_x;
  const own = { id: "bid_1", round: 3, bidder: ann, amount: "14.05" };
  const seen = (leader, me) => {
    const now = model({ leader });
    view.update({ ...now, room: { ...now.room, me }, state: { result: null, bids: [own] } });
    return kept().maximum;
  };
  assert.equal(seen(ann, { maximum: "18.00" }), "18.00");
  assert.equal(seen(bo, {}), "18.00", "the server tells it to the one who leads only");
  assert.equal(seen(ann, { maximum: null }), undefined, "it has ended");
  view.stop();
});

test("who was away reads prices with the premium too", () => {
  const kept = { round: 3, item: "Bowl", amount: "15.00", leads: true };
  const room = { ...model().room, sale: { premium: { percent: "20" } }, total: "24.00" };
  const sold = { phase: "closed", result: { round: 3, kind: "sold", winner: ann, price: "20.00" } };
  assert.equal(newsOf(kept, model({ ...sold, room })), "You won Bowl for ¥20.00 (¥24.00 with premium).");
  assert.equal(newsOf(kept, model({ room: { ...room, currentBid: { bidder: bo } } })), "You were outbid on Bowl: Bo leads with ¥20.00 (¥24.00 with premium). Your bid was ¥15.00.");
  const row = { round: 2, result: "sold", winner: bo, price: "30.00", total: "36.00" };
  assert.equal(newsOf({ ...kept, round: 2 }, model({ results: [row], room })), "Bowl went to Bo for ¥30.00 (¥36.00 with premium). Your bid was ¥15.00.");
  assert.equal(newsOf(kept, model({ ...sold, room: { ...room, sale: null, total: "20.00" } })), "You won Bowl for ¥20.00.", "the total without a premium");
  setLanguage("zh");
  assert.equal(newsOf(kept, model({ ...sold, room })), "您拍得 Bowl，价格 ¥20.00（含佣金 ¥24.00）。");
  setLanguage("en");
});

test("who was away when a sealed round ended reads what became of their bid", () => {
  for (const [winner, words] of [[ann, "You won Bowl for ¥12.00."], [bo, "Bowl went to Bo for ¥12.00. Your bid was ¥15.00."]]) {
    const body = makeDocument();
    const kept = new Map();
    const storage = { get: (key) => kept.get(key) ?? null, set: (key, value) => kept.set(key, value), remove: (key) => kept.delete(key) };
    const view = () => { const away = makeWhileAway(storage); body.replaceChildren(away.element); return away; };
    const room = { ...model().room, rules: { format: "vickrey" }, me: { role: "bidder", sealedAmount: "15.00" } };
    const open = model({ room });
    // As events tell it: without an amount.
    open.state.bids = [{ round: 3, bidder: ann, amount: null }];
    view().update(open);
    const stored = [...kept];
    forgetOthers(storage, "ann");
    assert.equal(kept.size, 1);
    for (const user of ["bo", undefined]) {
      forgetOthers(storage, user);
      assert.equal(kept.size, 0, "another guest does not find a sealed amount");
      for (const [key, value] of stored) kept.set(key, value);
    }
    view().update(model({ phase: "closed", result: { round: 3, kind: "sold", winner, price: "12.00" }, room }));
    assert.equal(shown(body, ".away-news", words).length, 1, words);
  }
});

test("the sealed amount of the round before is not taken for a bid on this one", () => {
  makeDocument();
  const kept = new Map();
  const storage = { get: (key) => kept.get(key) ?? null, set: (key, value) => kept.set(key, value), remove: (key) => kept.delete(key) };
  const next = model({ room: { ...model().room, round: 4, rules: { format: "vickrey" }, me: { role: "bidder", sealedAmount: "15.00" } } });
  next.state.bids = [{ round: 3, bidder: ann, amount: null }, { round: 4, bidder: bo, amount: null }];
  makeWhileAway(storage).update(next);
  assert.equal(kept.size, 0);
});

test("a bid is remembered as long as it is open, and told once", () => {
  const body = makeDocument();
  const kept = new Map();
  const storage = { get: (key) => kept.get(key) ?? null, set: (key, value) => kept.set(key, value), remove: (key) => kept.delete(key) };
  const real = Date.now;
  let now = 0;
  Date.now = () => now;
  const view = () => { const away = makeWhileAway(storage); body.replaceChildren(away.element); return away; };
  const leading = model({ leader: ann });
  leading.state.bids = [{ round: 3, bidder: ann, amount: "20.00" }];
  const first = view();
  first.update(leading);
  now = 10_000;
  first.update(leading);
  assert.equal(shown(body, ".away-news").length, 0);
  assert.equal(kept.size, 1);
  const lost = model({ phase: "closed", result: { round: 3, kind: "sold", winner: bo, price: "30.00" } });
  const second = view();
  second.update(lost);
  assert.equal(shown(body, ".away-news", "Bowl went to Bo for ¥30.00").length, 1);
  assert.equal(kept.size, 0);
  view().update(lost);
  assert.equal(shown(body, ".away-news").length, 0);
  Date.now = real;
});

/** The news of a lost lot, just told to Ann. @param bids that the round after it has already; null: there is none yet */
function lost(bids = null) {
  const body = makeDocument();
  mockTimeouts();
  const kept = new Map([["auction-room.bids", JSON.stringify({ user: "ann", bids: { room_x: { round: 3, item: "Bowl", amount: "15.00", leads: true } } })]]);
  const storage = { get: (key) => kept.get(key) ?? null, set: (key, value) => kept.set(key, value), remove: (key) => kept.delete(key) };
  const away = makeWhileAway(storage);
  body.append(away.element);
  /** Bids of a round, of which only the number matters. */
  const bidsOf = (round, count) => Array.from({ length: count }, () => ({ round, bidder: bo, amount: "5.00" }));
  const row = { round: 3, result: "sold", winner: bo, price: "30.00" };
  const end = { phase: "closed", result: { ...row, kind: "sold" } };
  away.update(bids === null ? model(end) : model({ results: [row], room: { ...model().room, round: 4 }, state: { result: null, bids: bidsOf(4, bids) } }));
  const isShown = () => shown(body, ".away-news", "Bowl went to Bo").length === 1;
  assert.ok(isShown());
  const at = (round, count) => away.update(model({ room: { ...model().room, round }, state: { result: null, bids: bidsOf(round, count) } }));
  return { away, isShown, at };
}

test("news of an absence stays until the next lot has a bid, and as long as it takes to read", () => {
  const { isShown, at } = lost();
  at(4, 0);
  tick(60_000);
  assert.ok(isShown(), "the next lot has no bid yet");
  at(4, 1);
  assert.ok(!isShown());
  const soon = lost();
  soon.at(4, 1);
  tick(5_000);
  assert.ok(soon.isShown(), "it was not there long enough to be read");
  tick(1_000);
  assert.ok(!soon.isShown());
  const late = lost(2);
  tick(6_000);
  late.at(4, 2);
  assert.ok(late.isShown(), "these bids were there before the news");
  late.at(4, 3);
  assert.ok(!late.isShown());
});

test("news of an absence closes when the user does something, once it could be read", () => {
  const { away, isShown } = lost();
  away.acted();
  assert.ok(isShown());
  tick(6_000);
  assert.ok(!isShown());
  const other = lost();
  other.away.acted();
  other.away.stop();
  tick(6_000);
  const late = lost();
  tick(6_000);
  assert.ok(late.isShown());
  late.away.acted();
  assert.ok(!late.isShown());
  late.away.acted();
  late.at(4, 3);
  late.at(5, 1);
  assert.ok(!late.isShown(), "what is closed stays closed");
  late.away.stop();
});

/** A browser's notifications, as far as the page uses them. @param throws as on Android, where pages cannot make them */
function notifications(permission, throws) {
  const made = [];
  globalThis.Notification = class {
    static permission = permission;
    static asked = 0;
    static async requestPermission() { this.asked += 1; this.permission = "granted"; }
    constructor(title) {
      if (throws) throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.");
      if (Notification.permission === "granted") made.push(title);
    }
  };
  return made;
}

test("who looks elsewhere is notified, and where pages cannot notify reads it when they look again", async () => {
  const kept = new Map();
  const storage = { get: (name) => kept.get(name) ?? null, set: (name, value) => kept.set(name, value) };
  for (const [permission, throws, expected] of [
    ["default", false, { asked: 1, canNotify: true, made: ["Outbid"], missed: [] }], ["default", true, { asked: 0, canNotify: false, made: [], missed: ["Outbid: Bowl"] }],
    ["granted", true, { asked: 0, canNotify: false, made: [], missed: ["Outbid: Bowl"] }], ["denied", false, { asked: 0, canNotify: false, made: [], missed: ["Outbid: Bowl"] }],
  ]) {
    makeDocument();
    kept.clear();
    const made = notifications(permission, throws);
    const missed = [];
    const attention = new Attention(storage, (title, text) => missed.push(`${title}: ${text}`));
    await attention.toggle();
    attention.call("next", "Next", "seen");
    document.hidden = true;
    attention.call("outbid", "Outbid", "Bowl");
    if (!made.length) attention.call("next", "Next", "long over");
    for (const isHidden of [true, false, false]) {
      document.hidden = isHidden;
      document.dispatch("visibilitychange");
    }
    assert.deepEqual({ asked: Notification.asked, canNotify: attention.canNotify, made, missed }, expected, `${permission} ${throws}`);
    Notification.permission = "granted";
    assert.equal(new Attention(storage).canNotify, !throws, "what cannot notify is known the next time");
  }
  makeDocument();
  const missed = [];
  const attention = new Attention({ ...storage, get: () => "on" }, (title) => missed.push(title));
  document.hidden = true;
  for (const kind of ["won", "outbid", "next"]) attention.call(kind, kind, "Bowl");
  document.hidden = false;
  document.dispatch("visibilitychange");
  assert.deepEqual(missed, ["won"], "what matters most is told");
  delete globalThis.Notification;
});
