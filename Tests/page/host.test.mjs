// What the host does with the link to the room, and while a round runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { askAmounts } from "../../Sources/Page/views/asks.js";
import { settlingMs } from "../../Sources/Page/settling.js";
import { makeHost } from "../../Sources/Page/views/host.js";
import { isLoopback } from "../../Sources/Page/views/share.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown, type } from "./support/page-dom.mjs";
import { tick } from "./support/timers.mjs";

test("an address of the same machine is known as such", () => {
  assert.deepEqual(["localhost", "room.localhost", "127.0.0.1", "127.1.2.3", "[::1]", "0.0.0.0", "[::]", "[::ffff:7f00:1]", "[::ffff:0:0]", "localhost."].filter((name) => !isLoopback(name)), []);
  assert.deepEqual(["192.168.1.20", "auction.example", "localhost.example", "127.example", "[fe80::1]", "[::ffff:c0a8:114]", "10.0.0.1", "[::2]"].filter(isLoopback), []);
});

/** The controls of a host while a round runs; `asked` has the orders, `now` what differs of the room. */
function running(language, allowed) {
  const body = mountedBody();
  setLanguage(language);
  const asked = [];
  const room = (now) => ({ id: "room_x", state: "auctioning", round: 1, item: { id: "item_1", name: "Bowl", owner: { id: "user_o" } }, rules: { format: "english", increment: { fixed: "10.00" } }, currency: "EUR", ...now });
  let shownNow = {};
  const model = () => ({ room: room(shownNow), sale: null, phase: "auctioning", me: { role: "host" }, userID: "user_h", can: (action) => allowed.includes(action), money: (amount) => `€${amount}`, results: [], lots: { queued: [] }, state: { bids: [] }, archived: false });
  const view = makeHost({ model, order: async (name, more) => { asked.push([name, more]); },
    bid: async (bid) => { asked.push(["bid", bid]); }, switchRule: async (...rule) => { asked.push(["switchRule", ...rule]); },
    permissionRules: async () => ({ rules: [{ id: "bid.floor_off", enabled: true }] }),
  });
  body.append(view.element);
  const update = (now = {}) => { shownNow = now; view.update(model()); };
  update();
  return { body, asked, update, press: async (text) => { shown(body, "button", text)[0].click(); await turn(); } };
}

test("a warning is one press, and the one that stands is pressed", async () => {
  for (const [language, once, twice] of [["en", "Going once", "Going twice"], ["zh", "第一次", "第二次"]]) {
    const { body, asked, update, press } = running(language, ["warn", "endAuction"]);
    const pressed = () => [once, twice].map((text) => shown(body, "button", text)[0].getAttribute("aria-pressed"));
    assert.deepEqual(pressed(), ["false", "false"]);
    await press(once);
    update({ warning: 1 });
    assert.deepEqual(pressed(), ["true", "false"]);
    await press(twice);
    assert.deepEqual(asked, [["warn", { level: 1 }], ["warn", { level: 2 }]]);
  }
  setLanguage("en");
  assert.deepEqual(shown(running("en", ["endAuction"]).body, "button", "Going once"), [], "who may not warn has no button");
});

test("what the host asks for is half an increment, two and five above the price, and one where something else was asked", () => {
  const rules = { increment: { fixed: "10.00" } };
  assert.deepEqual(askAmounts({ rules, currentPrice: "100.00", nextMinimum: "110.00" }), ["105.00", "120.00", "150.00"]);
  assert.deepEqual(askAmounts({ rules, currentPrice: "100.00", nextMinimum: "120.00" }), ["105.00", "110.00", "150.00"]);
  assert.deepEqual(askAmounts({ rules: { ...rules, buyNowPrice: "130.00" }, currentPrice: "100.00", nextMinimum: "110.00" }), ["105.00", "120.00"]);
  assert.deepEqual(askAmounts({ rules: { ...rules, startingPrice: "100.00" }, currentPrice: null, nextMinimum: "100.00" }), ["105.00", "110.00", "120.00", "150.00"], "before the first bid");
  assert.deepEqual(askAmounts({ rules: { increment: { fixed: "1" } }, currentPrice: "7", nextMinimum: "8" }), ["9", "12"], "half of a smallest unit is one");
  assert.deepEqual(askAmounts({ rules: { increment: { percent: 5 } }, currentPrice: "100.00", nextMinimum: "105.00" }), ["102.50", "110.00", "125.00"]);
});

test("an ask is one press, and any amount can be typed", async () => {
  for (const [language, label, other, go] of [["en", "Ask €120.00", "Other…", "Ask"], ["zh", "要价 €120.00", "其他…", "要价"]]) {
    const { body, asked, update, press } = running(language, ["changeAsk"]);
    const named = () => shown(body, ".quick button").map((each) => each.getAttribute("aria-label")).filter(Boolean);
    assert.deepEqual(named(), [], "nothing is asked for before a bid");
    update({ currentPrice: "100.00", nextMinimum: "110.00" });
    assert.deepEqual(named().includes(label), true, named().join());
    await press("€120.00");
    await press(other);
    type(shown(body, "dialog input")[0], "133");
    await press(go === "Ask" ? "Ask" : "要价");
    const typed = { nextMinimum: "133", expectedRound: 1, expectedItem: "item_1" };
    assert.deepEqual(asked, [["changeAsk", { nextMinimum: "120.00" }], ["changeAsk", typed]]);
  }
  setLanguage("en");
});

test("a floor bid is one press at the next minimum, and with an amount and a paddle in a form", async () => {
  for (const [language, next, other, go] of [["en", "Floor €110.00", "Floor bid…", "Enter the bid"], ["zh", "现场 €110.00", "现场出价…", "录入出价"]]) {
    const { body, asked, update, press } = running(language, ["placeFloorBid"]);
    assert.deepEqual(shown(body, "button", next), [], "without an amount there is nothing to enter");
    update({ nextMinimum: "110.00" });
    tick(settlingMs);
    await press(next);
    await press(other);
    const [amount, paddle] = shown(body, "dialog input");
    type(amount, "125");
    type(paddle, " 217 ");
    await press(go);
    const typed = { amount: "125", floor: { paddle: "217" }, round: 1, item: "item_1" };
    assert.deepEqual(asked, [["bid", { amount: "110.00", floor: {} }], ["bid", typed]]);
    await press(other);
    type(shown(body, "dialog input")[0], "130");
    await press(go);
    assert.deepEqual(asked.at(-1)[1].floor, {}, "a paddle need not be noted");
  }
  setLanguage("en");
  assert.deepEqual(shown(running("en", ["endAuction"]).body, "button", "Floor bid…"), [], "who may not enter them has no button");
});

test("a press that was meant for one lot enters no floor bid on the next", () => {
  const { body, update } = running("en", ["placeFloorBid"]);
  const isSettling = () => shown(body, "button", "Floor €110.00")[0].matches(".settling");
  update({ nextMinimum: "110.00" });
  tick(settlingMs);
  update({ nextMinimum: "110.00" });
  assert.equal(isSettling(), false);
  update({ nextMinimum: "110.00", round: 2, item: { id: "item_2", name: "Cup", owner: { id: "user_o" } } });
  assert.equal(isSettling(), true);
  tick(settlingMs);
  assert.equal(isSettling(), false);
});

test("the host switches floor bids on, and only what has changed is sent", async () => {
  const { body, asked, press } = running("en", ["configurePermissions"]);
  await press("Who may bid");
  assert.equal(shown(body, "dialog input")[0].checked, true);
  await press("Save");
  assert.deepEqual(asked, []);
  await press("Who may bid");
  const [before, after] = shown(body, "dialog input");
  Object.assign(before, { checked: false });
  Object.assign(after, { checked: true });
  await press("Save");
  assert.deepEqual(asked, [["switchRule", "bid.floor_off", false]]);
});
