// What is typed into a form, in a document without a browser: it is not lost by a slip, and answers the complaint about it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../Sources/Page/client/auction-client.js";
import { askText } from "../../Sources/Page/views/confirm.js";
import { openNewLot } from "../../Sources/Page/views/item-form.js";
import { openImport } from "../../Sources/Page/views/lot-import.js";
import { openSaleForm } from "../../Sources/Page/views/sale.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown, type } from "./support/page-dom.mjs";

const named = (body, name) => shown(body, "dialog input").find((input) => input.dataset.field === name);
const press = async (body, text) => { shown(body, "dialog button", text)[0].click(); await turn(); await turn(); };
const pressBeside = (box) => { box.dispatch("pointerdown"); box.dispatch("click"); };
const sale = { mode: "manual", pauseSeconds: 10, startsAt: null, premium: null, attended: false, running: false };
/** A room of its own, as the rules of the last lot are kept by room. */
let rooms = 0;
const makeRoom = () => {
  const id = `room_${rooms += 1}`;
  return { model: () => ({ room: { id, currency: "EUR" }, sale, now: Date.parse("2026-11-20T12:00:00Z") }), queueLot: async () => {}, configureSale: async () => {} };
};

test("a press beside a dialog closes it, but not while a form in it was changed", () => {
  for (const [open, change] of [
    [openNewLot, (body) => type(named(body, "name"), "Vase")],
    [openSaleForm, (body) => type(named(body, "premium.percent"), "12")],
    [(room) => openSaleForm(room, true), (body) => shown(body, "dialog button", "at 20:00")[0].click()],
  ]) {
    const body = mountedBody();
    open(makeRoom());
    pressBeside(shown(body, "dialog")[0]);
    assert.equal(shown(body, "dialog").length, 0, "nothing would be lost");
    open(makeRoom());
    change(body);
    pressBeside(shown(body, "dialog")[0]);
    assert.equal(shown(body, "dialog").length, 1);
    shown(body, "dialog header button")[0].click();
    assert.equal(shown(body, "dialog").length, 0, "the button of the dialog closes it");
  }
});

test("a picture that is removed or chosen changes the form of its lot", () => {
  const body = mountedBody();
  openNewLot({ ...makeRoom(), uploadPicture: () => new Promise(() => {}) });
  const [input] = shown(body, ".drop-zone input");
  input.closest(".drop-zone").dispatch("drop", { dataTransfer: { files: [] } });
  assert.ok(input.closest("form").dataset.changed !== undefined);
});

test("a complaint goes as soon as its field is filled, also by a preset, and no other does", async () => {
  const body = mountedBody();
  openSaleForm({ ...makeRoom() }, true);
  const complaints = () => shown(body, ".field-error").map((each) => each.textContent);
  for (const fill of [() => type(named(body, "startsAt"), "2026-11-24T20:00"), () => shown(body, "dialog button", "at 20:00")[0].click()]) {
    named(body, "startsAt").value = "";
    await press(body, "Save");
    assert.deepEqual(complaints(), ["Please fill in “Date and time of the start”."]);
    assert.equal(named(body, "startsAt").getAttribute("aria-invalid"), "true");
    type(named(body, "premium.percent"), "12");
    assert.equal(complaints().length, 1, "that is another field");
    fill();
    assert.deepEqual(complaints(), []);
    assert.equal(named(body, "startsAt").getAttribute("aria-invalid"), null);
  }
});

test("what sends a long form stays at its foot", () => {
  for (const [open, go] of [[openNewLot, "Add this lot"], [openSaleForm, "Save"], [openImport, "Import"]]) {
    const body = mountedBody();
    open(makeRoom());
    assert.equal(shown(body, "dialog .form-foot button", go).length, 1);
  }
});

test("a form opened anew suggests a step for its own price, until one is typed in it", async () => {
  const body = mountedBody();
  const room = makeRoom();
  const add = async (price, step, go = "Add this lot") => {
    if (shown(body, "dialog").length === 0) openNewLot(room);
    type(named(body, "name"), "Vase");
    if (step) type(named(body, "rules.increment.fixed"), step);
    type(named(body, "rules.startingPrice"), price);
    const { value } = named(body, "rules.increment.fixed");
    await press(body, go);
    return value;
  };
  assert.deepEqual([await add("120"), await add("2000"), await add("50", "7"), await add("120")], ["10", "200", "7", "10"]);
  assert.deepEqual([await add("120", "3", "enter another"), await add("2000")], ["3", "3"], "in the same form the typed one stays");
});

test("a refusal of the amount is shown at the only field that it can mean, whatever that is called", async () => {
  const body = mountedBody();
  const refusal = new Problem({ code: "ask.below_price", detail: "The next minimum must be above the current price of 110.00.", permission: { category: "amount" } }, 422);
  askText({ title: "Ask", label: "Amount", name: "nextMinimum", go: "Ask" }, async () => { throw refusal; });
  type(named(body, "nextMinimum"), "105");
  await press(body, "Ask");
  assert.match(shown(body, ".field-error")[0]?.textContent ?? "", /above the current price/);
  assert.equal(named(body, "nextMinimum").getAttribute("aria-invalid"), "true");
});
