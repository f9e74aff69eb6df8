// The usual times of a lot, and an increment that suits its price.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mountFeedback } from "../../Sources/Page/feedback.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { openNewLot } from "../../Sources/Page/views/item-form.js";
import { suitableIncrement } from "../../Sources/Page/views/tempo.js";
import { makeDocument, shown, type } from "./support/page-dom.mjs";
import { mockTimeouts } from "./support/timers.mjs";

test("an increment is a round amount, a tenth of the price at most", () => {
  const cases = { 1: "1", 9: "1", "9.99": "1", 10: "1", 35: "2", 99: "5", 100: "10", 250: "20", 999: "50", 1000: "100", "2500.50": "200", "0.50": "1", "007": "1" };
  for (const [price, increment] of Object.entries(cases)) assert.equal(suitableIncrement(price), increment, price);
  for (const none of ["", "0", "much", "-5", "1,5"]) assert.equal(suitableIncrement(none), null, none);
});

/** The rules that are sent for a lot whose form is filled in by `change`. */
async function sentRules(change) {
  setLanguage("en");
  mockTimeouts();
  const body = makeDocument();
  mountFeedback(body);
  const calls = [];
  openNewLot({ model: () => ({ room: { id: `room_${Math.random()}`, currency: "EUR" } }), async queueLot(body) { calls.push(body.rules); } });
  const control = (name) => body.querySelector(`[data-field="rules.${name}"]`);
  const choose = (value) => {
    const input = body.querySelectorAll("input").find((each) => each.value === value);
    for (const each of body.querySelectorAll("input")) if (each.getAttribute("name") === input.getAttribute("name")) each.checked = each === input;
    input.dispatch("change");
  };
  change({ control, choose });
  shown(body, "dialog button", "Add this lot")[0].click();
  for (let count = 0; count < 5; count += 1) await new Promise(setImmediate);
  return calls[0];
}

test("a tempo sets the times, and a price the increment, until others are typed", async () => {
  const day = await sentRules(({ control, choose }) => { type(control("startingPrice"), "250"); choose("day"); });
  assert.deepEqual(day, {
    startingPrice: "250", increment: { fixed: "20" }, listingSeconds: 3, biddingSeconds: 86_400, countdown: "extend", extendWindowSeconds: 300, extendBySeconds: 300,
  });
  const typed = await sentRules(({ control, choose }) => {
    choose("day");
    choose("hall");
    type(control("increment.fixed"), "7");
    type(control("startingPrice"), "250");
  });
  assert.deepEqual(typed, { startingPrice: "250", increment: { fixed: "7" }, listingSeconds: 3, biddingSeconds: 30 });
});
