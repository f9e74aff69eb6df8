// The form of a lot, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mountFeedback } from "../../Sources/Page/feedback.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { openLot } from "../../Sources/Page/views/item-form.js";
import { makeDocument, shown, type } from "./support/page-dom.mjs";
import { mockTimeouts } from "./support/timers.mjs";

const turn = async () => { for (let count = 0; count < 5; count += 1) await new Promise(setImmediate); };
const [link, own] = ["https://example.org/a.jpg", "/v1/media/abc"];

/** What is sent for a lot with these pictures whose form is filled in by `change`. */
async function sent(change, media = [link, own], more = {}) {
  setLanguage("en");
  mockTimeouts();
  const body = makeDocument();
  mountFeedback(body);
  const calls = [];
  const room = { model: () => ({ room: { currency: "EUR" } }), async changeLot(...given) { calls.push(given); } };
  const rules = { startingPrice: "100.00", increment: { fixed: "1.00" }, listingSeconds: 3, biddingSeconds: 15, format: "english", countdown: "reset", tie: "earliest" };
  openLot(room, { id: "lot_1", reference: null, item: { name: "Bowl", description: "Blue.", media, ...more }, rules });
  change(body);
  shown(body, "dialog button", "Save")[0].click();
  await turn();
  return calls;
}

test("pictures of a lot keep their order when something else is changed", async () => {
  assert.deepEqual(await sent((body) => type(shown(body, "input").find((input) => input.value === "Bowl"), "Vase")), [["lot_1", { name: "Vase" }]]);
  assert.deepEqual(await sent((body) => shown(body, ".picture button")[0].click()), [["lot_1", { media: [link] }]]);
  assert.deepEqual(await sent(() => {}), []);
});

test("an estimate and a condition are sent where they have changed, and null where they are gone", async () => {
  const lot = { estimate: { low: "150.00", high: "250.00" }, condition: "Worn" };
  const fill = (...pairs) => (body) => { for (const [old, value] of pairs) type(shown(body, "input").find((input) => input.value === old), value); };
  assert.deepEqual(await sent(() => {}, [], lot), []);
  assert.deepEqual(await sent(fill(["250.00", "300"]), [], lot), [["lot_1", { estimate: { low: "150.00", high: "300" } }]]);
  assert.deepEqual(await sent(fill(["150.00", ""]), [], lot), [["lot_1", { estimate: { low: "250.00", high: "250.00" } }]], "one bound alone is both");
  assert.deepEqual(await sent(fill(["150.00", ""], ["250.00", ""], ["Worn", " "]), [], lot), [["lot_1", { estimate: null, condition: null }]]);
});

test("links in another order are sent", async () => {
  const [first, second] = [link, "https://example.org/b.jpg"];
  const change = (body) => type(shown(body, "textarea").find((area) => area.value.includes(first)), `${second}\n${first}`);
  assert.deepEqual(await sent(change, [first, second]), [["lot_1", { media: [second, first] }]]);
  assert.deepEqual(await sent(change, [first, own, second]), [["lot_1", { media: [own, second, first] }]]);
});
