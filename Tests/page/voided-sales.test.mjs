// What the page says of a sale that was voided, and of one to the next bidder, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEvent, initialState } from "../../Sources/Page/client/room-state.js";
import { makeBids } from "../../Sources/Page/views/bids.js";
import { makeHero, totalOf } from "../../Sources/Page/views/hero.js";
import { importWords } from "../../Sources/Page/views/lot-import.js";
import { currentFacts } from "../../Sources/Page/views/lots.js";
import { endOf, isVoid } from "../../Sources/Page/views/results.js";
import { mountedBody } from "./support/mounted.mjs";
import { ownBids } from "./support/own-bids.mjs";
import { shown } from "./support/page-dom.mjs";

const [ann, bo, hana] = [["user_a", "Ann"], ["user_b", "Bo"], ["user_h", "Hana"]].map(([id, nickname]) => ({ id, nickname }));
const voided = { at: "2026-11-21T09:00:00.000Z", reason: "Not paid.", by: hana, winner: bo, price: "100.00" };
const sold = { round: 1, kind: "sold", winner: bo, price: "100.00" };
const row = { round: 1, result: "sold", winner: bo, price: "100.00", reason: null, premium: null, total: null, voided, item: { id: "item_1", name: "Vase" } };
const resold = { ...row, winner: ann, price: "90.00", premium: "9.00", total: "99.00" };

/** The end of the round after these events, each a type with its data. */
const after = (...events) => events.reduce((state, [type, data], index) => applyEvent(state, { seq: index + 1, type, at: voided.at, round: 1, data: { round: 1, ...data } }), initialState()).result;

const [sale, void1, resale] = [["item.sold", { winner: bo, price: "100.00" }], ["item.voided", { winner: bo, price: "100.00", reason: "Not paid.", by: hana }],
  ["offer.accepted", { winner: ann, price: "90.00" }]];

test("a sale to the next bidder counts until it is voided as well", () => {
  assert.ok(!isVoid(after(sale)));
  assert.ok(isVoid(after(sale, void1)));
  assert.ok(!isVoid(after(sale, void1, resale)));
  assert.equal(after(sale, void1, resale).winner, ann);
  const again = after(sale, void1, resale, ["item.voided", { winner: ann, price: "90.00", reason: "Nor did she.", by: hana }]);
  assert.deepEqual([isVoid(again), again.voided.reason], [true, "Nor did she."]);
});

test("the end of a round that is read from the results is that of its events", () => {
  const of = (given) => endOf({ room: { round: 1 }, result: null }, [given]);
  assert.deepEqual([of(row), of(resold), of({ ...row, voided: null, total: "100.00" })].map(isVoid), [true, false, false]);
  assert.equal(of(row).voided.reason, "Not paid.");
});

/** The closed round as the views have it. */
const model = (result, results = []) => ({
  room: {
    id: "room_x", round: 1, state: "closed", item: row.item, rules: { format: "english", startingPrice: "10.00" }, currentPrice: "100.00", total: "110.00",
    currentBid: { id: "bid_9", bidder: bo }, reserveMet: null, endsAt: null, sale: { premium: { percent: "10" } },
  },
  results, phase: "closed", state: { bids: [{ id: "bid_9", round: 1, amount: "100.00", bidder: bo, at: voided.at, leading: true }], opened: {}, result }, lots: { queued: [] }, ownBids: ownBids(),
  me: { role: "bidder" }, userID: "user_x", money: (amount) => `€${amount}`, can: () => false, now: Date.parse(voided.at),
});

test("a round whose sale was voided has no hammer price, no total and no leader", () => {
  const body = mountedBody();
  const [hero, bids] = [makeHero({ matches: true }), makeBids({})];
  body.append(hero.element, bids.element);
  const draw = (...given) => { for (const part of [hero, bids]) part.update(model(...given)); };
  const says = () => [...shown(body, ".hero-price .eyebrow"), ...shown(body, ".total"), ...shown(body, ".banner-title"), ...shown(body, ".leads .bid-who")].map((each) => each.textContent);
  draw(sold);
  assert.deepEqual(says(), ["Hammer price", "€110.00 with premium", "Sold to Bo", "Bo"]);
  draw({ ...sold, voided }, [row]);
  assert.deepEqual(says(), ["Highest bid", "Voided"]);
  assert.equal(shown(body, ".banner")[0].textContent, "VoidedVase: Not paid.", "and not twice that it was voided");
  draw({ ...sold, winner: ann, price: "90.00", voided, isResold: true }, [resold]);
  assert.deepEqual(says().slice(0, 3), ["Hammer price", "€99.00 with premium", "Sold to Ann"]);
  assert.equal(totalOf(model({ ...sold, voided, isResold: true }, [{ ...resold, premium: null }]), "90.00"), null);
});

test("the row of the current lot says that its sale was voided", () => {
  const facts = (result) => currentFacts(model(result));
  assert.deepEqual([facts(sold), facts({ ...sold, voided }), facts({ ...sold, price: "90.00", voided, isResold: true })], [["€100.00", "Sold"], ["€100.00", "Voided"], ["€90.00", "Sold"]]);
});

test("an import says how many lots have a sale that was voided", () => {
  assert.equal(importWords({ added: 0, changed: 0, unchanged: 0, sold: 1, passed: 0, voided: 2, withdrawn: 0 }), "Nothing was added or changed: 1 sold already · 2 voided already");
});
