// What is offered to a bidder, and the totals without what was voided.
import assert from "node:assert/strict";
import { test } from "node:test";
import { momentOf, newsBetween } from "../../Sources/Page/attention.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makeOffers } from "../../Sources/Page/views/offers.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown } from "./support/page-dom.mjs";

const offer = { id: "offer_1", round: 1, lotId: null, item: { id: "item_1", name: "Vase" }, price: "90.00", total: "99.00", expiresAt: "2026-11-21T09:10:00.000Z" };

test("an offer is shown with its price, its total and its time, and is answered by one press", async () => {
  const body = mountedBody();
  setLanguage("en");
  const asked = [];
  const made = makeOffers({ acceptOffer: async (id) => { asked.push(["accept", id]); }, declineOffer: async (id) => { asked.push(["decline", id]); } });
  body.append(made.element);
  const update = (offers) => made.update({ me: { role: "bidder", offers }, money: (amount) => `€${amount}`, archived: false });
  update([]);
  assert.equal(made.element.hidden, true);
  update([offer]);
  assert.equal(made.element.hidden, false);
  assert.match(body.textContent, /Vase.*€90\.00.*€99\.00/);
  made.tick(Date.parse(offer.expiresAt) - 61_000);
  assert.match(body.textContent, /1:01/);
  shown(body, "button", "Buy it for €99.00")[0].click();
  shown(body, "button", "Decline")[0].click();
  await turn();
  assert.deepEqual(asked, [["accept", "offer_1"], ["decline", "offer_1"]]);
  update([]);
  assert.equal(made.element.hidden, true);
});

test("a bidder is called for a new offer, once", () => {
  const moment = (offers) => momentOf({ room: { round: 2 }, phase: "closed", userID: "user_b", state: { result: null }, lots: { queued: [] }, favourites: new Set(), me: { role: "bidder", offers } });
  assert.deepEqual(newsBetween(moment([]), moment([offer])), ["offer"]);
  assert.deepEqual(newsBetween(moment([offer]), moment([offer])), []);
  assert.deepEqual(newsBetween(moment([offer]), moment([])), []);
});
