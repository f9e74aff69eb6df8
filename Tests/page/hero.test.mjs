// What is announced of price and leader, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mountFeedback } from "../../Sources/Page/feedback.js";
import { named } from "../../Sources/Page/names.js";
import { setLanguage, t } from "../../Sources/Page/strings.js";
import { leftText, makeHero } from "../../Sources/Page/views/hero.js";
import { ownBids } from "./support/own-bids.mjs";
import { makeDocument, shown } from "./support/page-dom.mjs";
import { mockTimeouts, tick } from "./support/timers.mjs";

const ann = { id: "user_a", nickname: "Ann" };
const bo = { id: "user_b", nickname: "Bo" };

function model(round, bidder, price) {
  return {
    room: {
      id: "room_x", round, state: "auctioning", item: { id: `item_${round}`, name: `Lot ${round}` }, rules: { format: "english", startingPrice: "10.00" },
      currentPrice: price, currentBid: { id: `bid_${price}`, bidder }, reserveMet: null, endsAt: null,
    },
    phase: "auctioning", state: { bids: [], result: null }, lots: { queued: [] }, ownBids: ownBids(), me: { role: "bidder" }, userID: ann.id, money: (amount) => `€${amount}`,
  };
}

test("a day or more is written as days and hours", () => {
  for (const [language, texts] of [["en", ["3\u00a0d 11\u00a0h", "1\u00a0d 0\u00a0h", "23:59:59"]], ["zh", ["3\u00a0天 11\u00a0小时", "1\u00a0天 0\u00a0小时", "23:59:59"]]]) {
    setLanguage(language);
    assert.deepEqual([83 * 3600_000 + 3_063_000, 24 * 3600_000, 24 * 3600_000 - 1_000].map((ms) => leftText(ms)), texts);
  }
});

test("who led a lot is told that they were outbid on that one only, also where the next follows at once", () => {
  setLanguage("en");
  for (const [round, isOutbid] of [[1, true], [2, false]]) {
    mockTimeouts();
    const body = makeDocument();
    mountFeedback(body);
    const { update } = makeHero({ matches: true });
    update(model(1, ann, "20.00"));
    update(model(round, bo, "30.00"));
    tick(3_000);
    const said = body.querySelector("p.unseen").textContent;
    assert.equal(said.includes("You were outbid"), isOutbid, said);
    assert.ok(said.includes("Bo leads"), said);
  }
});

test("that the floor leads is said in words, and to whom it was sold", () => {
  const floor = { id: "user_floor", nickname: "Floor" };
  for (const [language, words] of [["en", ["The floor leads", "The floor leads with €20.00.", "Sold to the floor"]], ["zh", ["现场 领先", "现场 以 €20.00 领先。", "现场 拍得"]]]) {
    setLanguage(language);
    mockTimeouts();
    const body = makeDocument();
    mountFeedback(body);
    const hero = makeHero({ matches: true });
    body.append(hero.element);
    hero.update(model(1, floor, "20.00"));
    const found = [shown(body, ".leader")[0].textContent, t("bid.outbidBy", { ...named(floor), amount: "€20.00" })];
    const end = { round: 1, kind: "sold", winner: floor, price: "20.00" };
    hero.update({ ...model(1, floor, "20.00"), phase: "closed", state: { bids: [], result: end }, results: [] });
    assert.deepEqual([...found, shown(body, ".banner-title")[0].textContent], words);
  }
  setLanguage("en");
});

test("who leads by a bid that they left before reads so, until they give another maximum", () => {
  for (const [language, words] of [["en", "Your left bid leads up to €50.00"], ["zh", "您的预先出价领先，最高 €50.00"]]) {
    setLanguage(language);
    mockTimeouts();
    const body = makeDocument();
    mountFeedback(body);
    const hero = makeHero({ matches: true });
    body.append(hero.element);
    const left = { lots: { queued: [], current: { id: "lot_1" } }, ownBids: ownBids([{ id: "lot_1", myBid: { state: "standing", maximum: "50.00" } }]) };
    const leads = (bidder, more) => { hero.update({ ...model(1, bidder, "20.00"), ...left, ...more }); return shown(body, ".leader")[0].textContent; };
    assert.equal(leads(ann, { me: { role: "bidder", maximum: "50.00" } }), words);
    assert.equal(leads(ann, { me: { role: "bidder" } }), words, "before the room was read again");
    assert.notEqual(leads(ann, { me: { role: "bidder", maximum: "60.00" } }), words);
    assert.notEqual(leads(bo), words);
    assert.notEqual(leads(ann, { lots: { queued: [], current: { id: "lot_2" } } }), words, "another lot");
  }
  setLanguage("en");
});

test("a warning is shown large and said once, as long as the round runs", () => {
  for (const [language, texts] of [["en", ["Going once", "Going twice"]], ["zh", ["第一次", "第二次"]]]) {
    setLanguage(language);
    mockTimeouts();
    const body = makeDocument();
    mountFeedback(body);
    const hero = makeHero({ matches: true });
    body.append(hero.element);
    const said = () => { tick(3_000); return body.querySelector("p.unseen").textContent; };
    const warned = (warning, phase = "auctioning") => {
      const now = model(1, bo, "20.00");
      hero.update({ ...now, phase, room: { ...now.room, warning } });
      return shown(body, ".warning").map((each) => each.textContent);
    };
    assert.deepEqual([warned(0), warned(1)], [[], [texts[0]]]);
    assert.ok(said().includes(texts[0]));
    assert.deepEqual([warned(2), warned(2, "closing"), warned(2, "paused"), warned(0)], [[texts[1]], [texts[1]], [], []]);
  }
  setLanguage("en");
});

test("a reserve that is not met is told of from the first bid on", () => {
  for (const [language, notMet, met] of [["en", "Reserve not met", "Reserve met"], ["zh", "未达保留价", "已达保留价"]]) {
    setLanguage(language);
    const body = makeDocument();
    mountFeedback(body);
    const hero = makeHero({ matches: true });
    body.append(hero.element);
    const chips = (bidder, price, reserveMet) => {
      const now = model(1, bidder, price);
      hero.update({ ...now, room: { ...now.room, currentBid: bidder && now.room.currentBid, reserveMet } });
      return shown(body, ".chips .tag").map((each) => each.textContent);
    };
    assert.deepEqual([chips(null, null, false), chips(ann, "20.00", false), chips(ann, "30.00", true), chips(ann, "30.00", null)], [[], [notMet], [met], []]);
  }
  setLanguage("en");
});
