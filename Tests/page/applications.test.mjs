// What the bidder's panel is where the host approves bidders, without a browser.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { makeBid, modeOf } from "../../Sources/Page/views/bid.js";
import { openRoomRules } from "../../Sources/Page/views/room-rules.js";
import { shown } from "./support/page-dom.mjs";
import { mountedBody, turn } from "./support/mounted.mjs";

let body;
beforeEach(() => { body = mountedBody(); });

const model = (me, more = {}) => ({
  room: { round: 1, item: null, state: "preparing", rules: null }, me: { role: "viewer", banned: false, application: null, ...me },
  phase: "preparing", userID: "user_a", archived: false, mustApply: false, lots: {}, ownBids: { of: () => null }, money: (amount) => amount, ...more,
});
const applied = { state: "open", at: "2026-11-21T09:00:00.000Z", reason: null };
const declined = { ...applied, state: "declined", reason: "Register first." };

/** Of what the server allows. */
const can = (...actions) => ({ can: (action) => actions.includes(action) });

test("who has applied waits, who was declined reads why, and who is approved bids", () => {
  assert.deepEqual(["viewer", "bidder"].map((role) => modeOf(model({ role, application: applied }))), ["applied", "applied"]);
  assert.deepEqual(["viewer", "bidder"].map((role) => modeOf(model({ role, application: declined }))), ["declined", "declined"]);
  assert.deepEqual([modeOf(model({})), modeOf(model({ role: "bidder" }))], ["upgrade", "wait"]);
  assert.equal(modeOf(model({ role: null, application: declined })), "join", "who has left may come in as a viewer");
});

test("once the host no longer approves bidders the server tells of no application, and the panel is as for others", () => {
  const joined = [];
  const panel = makeBid({ join: (role) => joined.push(role), model: () => model({}) });
  body.append(panel.element);
  for (const application of [applied, declined]) {
    panel.update(model({ application }));
    assert.equal(shown(body, ".bid button").filter((each) => !each.hidden).length, 0, "there is nothing to do but wait");
    panel.update(model({}));
    shown(body, ".bid button", "Join as bidder")[0].click();
    panel.update(model({ role: "bidder" }));
    assert.equal(shown(body, ".bid p", "You have applied").length, 0);
  }
  assert.deepEqual(joined, ["bidder", "bidder"]);
});

test("a bidder of before applies once a bid of theirs was refused for it", () => {
  assert.equal(modeOf(model({ role: "bidder" }, { mustApply: true })), "apply");
  assert.equal(modeOf(model({ role: "bidder" }, { mustApply: true, ...can("placeBid") })), "wait", "they have been approved since");
  assert.equal(modeOf(model({ role: "bidder", application: applied }, { mustApply: true })), "applied");
  assert.equal(modeOf(model({ role: "auctioneer" }, { mustApply: true })), "wait");
});

test("the panel says it in words, and applies by joining as a bidder", () => {
  const joined = [];
  const panel = makeBid({ join: (role) => joined.push(role), model: () => model({}) });
  body.append(panel.element);
  panel.update(model({ application: applied }));
  assert.equal(shown(body, ".bid p", "You have applied; the host decides.").length, 1);
  panel.update(model({ application: declined }));
  assert.equal(shown(body, ".bid p", "The host has declined your application: Register first.").length, 1);
  panel.update(model({ application: { ...declined, reason: null } }));
  assert.equal(shown(body, ".bid p", "The host has declined your application.").length, 1);
  panel.update(model({ role: "bidder" }, { mustApply: true }));
  shown(body, ".bid button", "Apply")[0].click();
  assert.deepEqual(joined, ["bidder"]);
});

test("the host switches the approval of bidders on", async () => {
  const switched = [];
  await openRoomRules({
    permissionRules: async () => ({ rules: [{ id: "bid.not_approved", enabled: false }, { id: "bid.floor_off", enabled: true }] }),
    switchRule: async (...given) => switched.push(given),
  });
  const [card] = shown(body, "dialog label", "The host approves each");
  for (const input of card.parentElement.querySelectorAll("input")) input.checked = input.value === "on";
  shown(body, "dialog button", "Save")[0].click();
  await turn();
  assert.deepEqual(switched, [["bid.not_approved", true]]);
});
