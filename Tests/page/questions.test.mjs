// What a bidder or a host confirms later than they were asked, in a document without a browser: by then another lot may be up.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makeBid } from "../../Sources/Page/views/bid.js";
import { makeBids } from "../../Sources/Page/views/bids.js";
import { makeHost } from "../../Sources/Page/views/host.js";
import { openRules, openUpload } from "../../Sources/Page/views/item-form.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown, type } from "./support/page-dom.mjs";

const hana = { id: "user_h", nickname: "Hana" };
let body;
beforeEach(() => { body = mountedBody(); });

/**
 * A room in its first round, with `next` to bring the second one, `again` to bring it with the same item, and `replace` to begin the first again
 * with another item; what is asked of it is in `asked`.
 */
function fixture(state, make, allowed = [], more = {}) {
  const rules = { startingPrice: "100.00", buyNowPrice: "500.00", format: "english", increment: { fixed: "10.00" }, ...more.rules };
  const rulesOf = (round) => ({ ...rules, ...(round === 2 ? more.nextRules : {}) });
  const it = (round) => ({
    id: "room_x", currency: "EUR", state, round, host: hana, item: { id: `item_${round}`, name: `Lot ${round}`, owner: hana, media: [] }, rules: rulesOf(round),
    currentPrice: null, currentBid: null, nextMinimum: "100.00", sale: null,
  });
  const asked = [];
  let room = it(1);
  const model = () => ({
    room, phase: state, state: { bids: [], people: new Map() }, lots: { queued: [] }, results: [], sale: null, archived: false, stage: null,
    ...more.model, me: { role: allowed.length > 0 ? "host" : "bidder" }, userID: allowed.length > 0 ? hana.id : "user_a", can: (action) => allowed.includes(action), money: (amount) => `€${amount}`,
  });
  const record = (name) => async (...given) => { asked.push([name, ...given]); };
  const controls = { model, bid: record("bid"), order: record("order"), adjust: record("adjust"), upload: record("upload"), retract: record("retract") };
  const view = make(controls);
  body.append(view.element);
  view.update(model());
  const next = () => { room = it(2); view.update(model()); };
  const replace = () => { room = { ...it(1), item: { ...it(2).item, id: "item_9" } }; view.update(model()); };
  const again = () => { room = { ...it(2), item: it(1).item }; view.update(model()); };
  return { asked, controls, next, again, replace };
}

const press = async (selector, text) => {
  const button = shown(body, selector, text).at(-1);
  assert.ok(button, `there is no ${text}`);
  button.click();
  await turn();
};

test("an item that is bought after the question is bought in the round that was asked about, and not in a later one", async () => {
  const { asked, again } = fixture("auctioning", makeBid);
  await press("button", "Buy now at €500.00");
  again();
  await press("dialog button", "Buy now at €500.00");
  assert.deepEqual(asked, [["bid", { amount: "500.00", round: 1, item: "item_1" }]]);
  await press("button", "Bid €100.00");
  assert.deepEqual(asked[1], ["bid", { amount: "100.00", round: 2, item: "item_1" }]);
});

test("an item that is bought after the question is neither that of the next round nor another in the same round", async () => {
  for (const change of ["next", "replace"]) {
    const started = fixture("auctioning", makeBid);
    await press("button", "Buy now at €500.00");
    started[change]();
    await press("dialog button", "Buy now at €500.00");
    assert.deepEqual(started.asked, [], change);
    assert.ok(body.querySelector(".notes").textContent.includes("Another item is up instead."));
    await press("button", "Bid €100.00");
    assert.deepEqual(started.asked, [["bid", { amount: "100.00", round: change === "next" ? 2 : 1, item: change === "next" ? "item_2" : "item_9" }]]);
    body = mountedBody();
  }
});

test("the key that has opened a question, held down, does not answer it", async () => {
  fixture("auctioning", makeBid);
  await press("button", "Buy now at €500.00");
  const go = shown(body, "dialog button", "Buy now at €500.00")[0];
  const isPrevented = (more) => {
    let count = 0;
    go.dispatch("keydown", { key: "Enter", preventDefault() { count += 1; }, ...more });
    return count > 0;
  };
  assert.deepEqual([isPrevented({ repeat: true }), isPrevented({ repeat: false }), isPrevented({ repeat: true, key: "Tab" })], [true, false, false]);
});

test("the key that has placed a bid, held down, places no other", async () => {
  const { asked } = fixture("auctioning", makeBid);
  const one = shown(body, "button", "Bid €100.00")[0];
  /** As a browser does: the key presses the button unless its event was prevented. */
  const enter = (repeat) => {
    let isPrevented = false;
    one.dispatch("keydown", { key: "Enter", repeat, preventDefault() { isPrevented = true; } });
    if (!isPrevented) one.click();
  };
  enter(false);
  await new Promise(setImmediate);
  // It was beaten by a maximum: the button is there as before.
  enter(true);
  assert.deepEqual(asked, [["bid", { amount: "100.00", round: 1, item: "item_1" }]]);
  enter(false);
  assert.equal(asked.length, 2);
});

const sealedBids = (count) => Array.from({ length: count }, (_, index) => ({ id: `bid_${index}`, seq: index, round: 1, bidder: { id: `user_${index}`, nickname: "Bo" } }));

test("a host who closes a sealed round is told how many have bid, or that there may be more", async () => {
  for (const [hasMoreBids, english, chinese] of [[false, "with 3 sealed bids?", "已收 3 份密封出价"], [true, "with 3+ sealed bids?", "已收 3+ 份密封出价"]]) {
    for (const [language, title, expected] of [["en", "Bring the hammer down", english], ["zh", "落槌", chinese]]) {
      setLanguage(language);
      body.replaceChildren();
      fixture("auctioning", makeHost, ["endAuction"], { rules: { format: "vickrey" }, model: { state: { bids: sealedBids(3), people: new Map() }, hasMoreBids } });
      await press("button", title);
      assert.ok(body.querySelector("dialog").textContent.includes(expected), body.querySelector("dialog").textContent);
    }
  }
});

test("what was typed for a lot is not in the form of the next, also where that follows at once", async () => {
  const { next } = fixture("auctioning", makeBid);
  const typed = shown(body, "input")[0];
  typed.focus();
  type(typed, "700");
  next();
  assert.ok(!document.activeElement.matches("button"), "the rest of what is typed would press it");
  assert.deepEqual(shown(body, "input").map((input) => input.value), ["", ""]);
  assert.ok(shown(body, "button", "Bid €100.00")[0].matches(".settling"), "a second press was meant for the lot before");
});

test("what is being typed for a sealed bid presses no button of a lot in another format that follows at once", async () => {
  const { next } = fixture("auctioning", makeBid, [], { rules: { format: "vickrey" }, nextRules: { format: "dutch" } });
  shown(body, "input")[0].focus();
  next();
  assert.ok(!document.activeElement.matches("button"), "Enter would buy the Dutch lot");
  assert.ok(shown(body, "button", "Take it at €100.00")[0].matches(".settling"));
});

test("a host who confirms the hammer, or gives a reason to cancel, means the round that they were asked about", async () => {
  const { asked, again } = fixture("auctioning", makeHost, ["endAuction", "cancel"]);
  await press("button", "Bring the hammer down");
  await press("button", "Cancel this lot");
  again();
  type(shown(body, "dialog input")[0], "broken");
  await press("dialog form button", "Cancel this lot");
  await press("dialog button", "Bring the hammer down");
  assert.deepEqual(asked, [["order", "cancel", { reason: "broken", expectedRound: 1, expectedItem: "item_1" }], ["order", "endAuction", { expectedRound: 1, expectedItem: "item_1" }]]);
});

test("a host who confirms the hammer, or gives a reason to cancel, does not mean the next item, or another in the same round", async () => {
  for (const change of ["next", "replace"]) {
    const started = fixture("auctioning", makeHost, ["endAuction", "cancel"]);
    await press("button", "Bring the hammer down");
    await press("button", "Cancel this lot");
    started[change]();
    await press("dialog form button", "Cancel this lot");
    assert.ok(body.querySelector(".notes").textContent.includes("Another item is up instead. Nothing was done."));
    await press("dialog button", "Bring the hammer down");
    assert.deepEqual(started.asked, [], change);
    body = mountedBody();
  }
});

test("a host who ends a lot without a sale is asked again if a bid came meanwhile", async () => {
  const bids = [];
  const { asked } = fixture("auctioning", makeHost, ["endAuction"], { model: { state: { bids, people: new Map() } } });
  await press("button", "Bring the hammer down");
  bids.push({ id: "bid_1", round: 1, bidder: { id: "user_b", nickname: "Bo" } });
  await press("dialog button", "Bring the hammer down");
  assert.deepEqual(asked, []);
  assert.ok(body.querySelector("dialog").textContent.includes("Sell Lot 1"), body.querySelector("dialog").textContent);
  await press("dialog button", "Bring the hammer down");
  assert.deepEqual(asked, [["order", "endAuction", { expectedRound: 1, expectedItem: "item_1" }]]);
});

test("a host takes back any bid that a banned bidder placed, and of others the latest", async () => {
  const bid = (id, user, more) => ({ id, round: 1, bidder: { id: `user_${user}`, nickname: user }, amount: "1.00", at: "2026-11-21T09:00:00Z", ...more });
  const bids = [bid("bid_1", "bo"), bid("bid_2", "cy"), bid("bid_3", "bo", { automatic: true }), bid("bid_4", "cy")];
  const { asked } = fixture("auctioning", makeBids, ["retractBid"], { model: { state: { bids, banned: new Set(["user_bo"]), people: new Map(), opened: {} } } });
  assert.equal(shown(body, "button", "Retract this bid").length, 1);
  await press("button", "Retract this bid");
  type(shown(body, "dialog input")[0], "a shill");
  await press("dialog form button", "Retract the bid");
  assert.deepEqual(asked, [["retract", "bid_1", "a shill"]]);
});

test("a host takes back the bid that a banned bidder had left before the opening", async () => {
  const bid = (id, user, more) => ({ id, round: 1, bidder: { id: `user_${user}`, nickname: user }, amount: "1.00", at: "2026-11-21T09:00:00Z", automatic: true, ...more });
  const bids = [bid("bid_1", "cy", { absentee: true }), bid("bid_2", "bo", { absentee: true }), bid("bid_3", "bo")];
  const { asked } = fixture("auctioning", makeBids, ["retractBid"], { model: { state: { bids, banned: new Set(["user_bo"]), people: new Map(), opened: {} } } });
  assert.equal(shown(body, "button", "Retract this bid").length, 1);
  await press("button", "Retract this bid");
  type(shown(body, "dialog input")[0], "a shill");
  await press("dialog form button", "Retract the bid");
  assert.deepEqual(asked, [["retract", "bid_2", "a shill"]]);
});

test("a host who retracts the latest bid sees which one that is, and retracts no other", async () => {
  const bids = [{ id: "bid_1", round: 1, amount: "100.00", bidder: { id: "user_b", nickname: "Bo" } }];
  const { asked } = fixture("auctioning", makeBids, ["retractBid"], { model: { state: { bids, people: new Map(), opened: {} } } });
  await press("button", "Retract the latest bid");
  assert.equal(body.querySelector("dialog h2").textContent, "Retract the latest bid: Bo · €100.00");
  bids.push({ id: "bid_2", round: 1, amount: "110.00", bidder: { id: "user_c", nickname: "Cy" } });
  await press("dialog form button", "Retract the bid");
  assert.deepEqual(asked, [["retract", "bid_1", ""]]);
});

test("rules are saved for the item that the form was opened for", async () => {
  const { asked, controls, next } = fixture("preparing", makeHost, ["adjustRules"]);
  openRules(controls);
  next();
  type(shown(body, "dialog input").find((input) => input.value === "100.00"), "90");
  await press("dialog button", "Save the rules");
  assert.equal(asked.length, 1);
  assert.deepEqual([asked[0][0], asked[0][1], asked[0][2].startingPrice], ["adjust", "item_1", "90"]);
});

test("an item is replaced by a form only if it is the one that was there when the form was opened", async () => {
  const { asked, controls, next } = fixture("preparing", makeHost, ["uploadItem"]);
  openUpload(controls);
  type(shown(body, "dialog input")[0], "Vase");
  next();
  await press("dialog button[type=submit]");
  assert.deepEqual(asked, []);
  assert.ok(body.querySelector(".notes").textContent.includes("Another item is up instead. Nothing was done."));
  body.querySelector("dialog").close();
  openUpload(controls);
  type(shown(body, "dialog input")[0], "Vase");
  await press("dialog button[type=submit]");
  assert.deepEqual([asked.length, asked[0]?.[0], asked[0]?.[1].name], [1, "upload", "Vase"]);
});
