// What those hear who do not see which row a control stands in, and where the focus goes after a dialog, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dialog, h, reconcile } from "../../Sources/Page/dom.js";
import { makeBids } from "../../Sources/Page/views/bids.js";
import { makeFloor } from "../../Sources/Page/views/floor.js";
import { makeStage } from "../../Sources/Page/views/stage.js";
import { mountedBody } from "./support/mounted.mjs";
import { shown } from "./support/page-dom.mjs";

const [bo, cy] = [{ id: "user_b", nickname: "Bo" }, { id: "user_c", nickname: "Cy" }];
const money = (amount) => `€${amount}`;
const labels = (body, selector, text) => shown(body, selector, text).map((each) => each.getAttribute("aria-label"));

test("a button that takes a bid back says whose, and which", () => {
  const body = mountedBody();
  const view = makeBids({});
  body.append(view.element);
  const bids = [["bid_1", bo], ["bid_2", cy]].map(([id, bidder], index) => ({ id, round: 1, seq: index, amount: `${index + 1}0.00`, bidder, leading: true, at: "2026-11-21T09:00:00.000Z" }));
  view.update({
    state: { bids, banned: new Set([bo.id, cy.id]), opened: {}, result: null }, room: { id: "room_x", round: 1, rules: { format: "english" }, currentBid: null }, phase: "auctioning",
    money, userID: "user_h", can: () => true, now: 0,
  });
  assert.deepEqual(labels(body, ".bid-row button", ""), ["Retract this bid: Cy · €20.00", "Retract this bid: Bo · €10.00"]);
});

test("a host hears whose request for the stage a button answers", () => {
  const body = mountedBody();
  const request = (id, guest) => ({ id, state: "requested", role: "bidder", guest });
  const view = makeStage({});
  body.append(view.element);
  view.update({ stage: { seats: [{ seat: 1, occupant: null, closed: false, muted: false }], queue: [request("s1", bo), request("s2", cy)], handshake: null }, userID: "user_h", me: { role: "host" }, can: (action) => action === "manageStage" });
  assert.deepEqual(shown(body, ".handshake button").map((each) => each.getAttribute("aria-label") ?? each.textContent), ["Put Bo on stage", "Decline: Bo", "Put Cy on stage", "Decline: Cy"]);
});

test("the dialog of a floor bid says for which item it is", () => {
  const body = mountedBody();
  const model = { room: { currency: "EUR", nextMinimum: "10.00", rules: { format: "english" }, item: { id: "item_1", name: "Vase" } }, money, can: () => true };
  const floor = makeFloor({ model: () => model });
  body.append(floor.element);
  floor.update(model);
  shown(body, "button", "Floor bid…")[0].click();
  assert.equal(shown(document.body, "dialog h2")[0].textContent, "Floor bid: Vase");
});

test("after a dialog the focus is in the row that it was opened from, also where that was drawn anew", () => {
  const body = mountedBody();
  const list = h("ol");
  body.append(list);
  const draw = (rows, names) => reconcile(list, rows, (row) => row, () => names.join(), (row) => h("li", names.map((name) => h("button", { type: "button", "aria-label": `${name} ${row}` }))));
  const pressed = (index) => { const button = list.querySelectorAll("button")[index]; button.focus(); return button; };
  const focused = () => document.activeElement.getAttribute("aria-label");
  /** Opens a dialog from a button, draws the list anew meanwhile, and closes it. */
  const after = (index, names) => {
    draw(["Vase", "Bowl"], ["Void", "Offer"]);
    pressed(index);
    const box = dialog("Question", h("p"), { closeLabel: "Close" });
    document.activeElement = box.querySelector("button");
    draw(["Vase", "Bowl"], names);
    box.close();
    return focused();
  };
  assert.equal(after(3, ["New", "Offer"]), "Offer Bowl", "the button of the same name");
  assert.equal(after(2, ["Offer"]), "Offer Bowl", "what the row has instead");
});
