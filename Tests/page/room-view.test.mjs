// The view of a room, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../Sources/Page/client/auction-client.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { shown, type } from "./support/page-dom.mjs";
import { fixture, turn } from "./support/room-view-fixture.mjs";

const isLive = (body) => shown(body, ".room-title", "Friends").length === 1 && shown(body, "[data-state=live]").length === 1;
const enter = async (body, code) => {
  type(shown(body, "input")[0], code);
  shown(body, "button", "Enter")[0].click();
  await turn();
};

/** Joins by the code: one without lets only the host in, and tells of a ban. */
const byCode = (server) => server.joins.filter((each) => each.inviteCode);

test("who leaves a private room is not joined again by its link, and the code opens it again", async () => {
  const { body, server, draw, stop } = await fixture();
  assert.ok(isLive(body));
  shown(body, "[role=tab]", "People")[0].click();
  shown(body, "button", "Leave the room")[0].click();
  await turn();
  assert.deepEqual([server.isMember, byCode(server)], [false, []]);
  assert.equal(shown(body, "h1", "There is no such room").length, 1);
  draw();
  await turn();
  assert.deepEqual(byCode(server), [], "nor when the page is drawn again, in another language for example");
  await enter(body, "wrong");
  assert.equal(shown(body, ".field-error", "does not open the room").length, 1);
  await enter(body, "code");
  assert.equal(server.isMember, true);
  assert.ok(isLive(body), "the room is not shown, or does not go on");
  stop();
});

test("who was put out of a private room stays out until they enter the code", async () => {
  const { body, server, stop } = await fixture();
  server.removeMember();
  await turn();
  assert.deepEqual([server.isMember, byCode(server), isLive(body)], [false, [], false]);
  await enter(body, "code");
  assert.ok(isLive(body));
  stop();
});

test("who is banned from a private room is told so: at the ban, after a reload without the code, and in another language; nobody is joined", async () => {
  const at = "2026-11-21T09:00:00.000Z";
  const ban = { seq: 4, type: "member.banned", at, round: 1, data: { member: { id: "user_a", nickname: "Ann" }, banned: true, by: { id: "user_h", nickname: "Hana" } } };
  const before = [1, 2, 3].map((seq) => ({ seq, type: "of.another.kind", at, round: 1, data: {} }));
  for (const invite of [null, "code"]) {
    const { body, server, draw, stop } = await fixture({ invite });
    server.isBanned = true;
    server.removeMember([...before, ban]);
    await turn();
    assert.equal(shown(body, "h1", "The host has banned you").length, 1);
    assert.equal(shown(body, ".note", "The host has banned you").length, 1);
    setLanguage("zh");
    draw();
    await turn();
    assert.equal(shown(body, "h1", "房主已将您封禁").length, 1);
    setLanguage("en");
    draw();
    await turn();
    assert.deepEqual(server.joins, []);
    server.isBanned = false;
    server.isMember = true;
    shown(body, "button", "Try again")[0].click();
    await turn();
    assert.ok(isLive(body), "the host has let them in again, and the room does not go on");
    stop();
  }
});

test("a private room that ends without a reason asks for a ban once, as whoever was not its host", async () => {
  for (const [role, isBanned, heading, joins] of [["bidder", true, "The host has banned you", 1], ["bidder", false, "There is no such room", 1], ["host", false, "There is no such room", 0]]) {
    const { body, server, stop } = await fixture({ room: { me: { role } } });
    server.isBanned = isBanned;
    server.removeMember();
    await turn();
    assert.equal(shown(body, "h1", heading).length, 1, `${role} ${heading}`);
    assert.equal(server.joins.length, joins);
    assert.equal(server.isMember, false);
    stop();
  }
});

test("who was banned while away is told so when their link or code is used", async () => {
  const { body, server, stop } = await fixture({ isMember: false, isBanned: true });
  for (const joins of [1, 2]) {
    shown(body, "button", "Join as bidder")[0].click();
    await turn();
    assert.equal(shown(body, "h1", "The host has banned you").length, 1);
    assert.equal(shown(body, "input").length, 0, "a code is of no use to them");
    assert.equal(server.joins.length, joins);
    shown(body, "button", "Try again")[0].click();
    await turn();
  }
  stop();
  const other = await fixture({ isMember: false, isBanned: true, invite: null });
  assert.deepEqual(other.server.joins, [], "nobody is joined to find out");
  await enter(other.body, "code");
  assert.equal(shown(other.body, "h1", "The host has banned you").length, 1);
  other.stop();
});

for (const [language, heading, about, as] of [["en", "You are invited to a private room", "A bidder can bid at once; a viewer only watches, and may become a bidder later.", { bidder: "Join as bidder", viewer: "Join as viewer" }], ["zh", "您受邀进入私密房间", "竞拍者可立即出价；观众仅观看，之后仍可成为竞拍者。", { bidder: "加入竞拍", viewer: "加入观看" }]]) {
  test(`who opens an invite link enters by one press, to bid or to watch (${language})`, async () => {
    setLanguage(language);
    for (const hasGuest of [true, false]) {
      for (const [role, words] of Object.entries(as)) {
        const { body, server, stop } = await fixture({ isMember: false, hasGuest });
        assert.equal(shown(body, "h1", heading).length, 1);
        assert.equal(shown(body, ".missing p", about).length, 1);
        assert.deepEqual(server.joins, [], "nobody is joined before they say as what");
        const fields = shown(body, "input");
        assert.equal(fields.length, hasGuest ? 0 : 1, "who is known is not asked for a nickname");
        for (const field of fields) type(field, " Ann ");
        shown(body, "button", words)[0].click();
        await turn();
        assert.deepEqual(server.joins, [{ role, inviteCode: "code" }]);
        assert.deepEqual(server.nicknames, hasGuest ? [] : ["Ann"]);
        assert.ok(isLive(body));
        assert.ok(document.activeElement.closest(".bid"), "the focus is lost");
        stop();
      }
    }
    setLanguage("en");
  });
}

test("an invite link whose code is wrong says so, and asks for another", async () => {
  for (const hasGuest of [true, false]) {
    const { body, server, stop } = await fixture({ isMember: false, hasGuest, invite: "old" });
    shown(body, "button", "Join as viewer")[0].click();
    await turn();
    assert.equal(shown(body, ".note", "This invite code does not open the room.").length, 1);
    await enter(body, "code");
    assert.ok(isLive(body));
    assert.deepEqual(byCode(server).map(({ inviteCode }) => inviteCode), ["old", "code"]);
    stop();
  }
});

test("a nickname that is refused is refused at its field, and nobody is joined", async () => {
  const { body, server, session, stop } = await fixture({ isMember: false, hasGuest: false });
  session.become = async () => { throw new Problem({ detail: '"nickname" must not be blank.', field: "nickname" }, 400); };
  shown(body, "button", "Join as bidder")[0].click();
  await turn();
  assert.equal(shown(body, ".field-error", "Please fill in").length, 1);
  assert.deepEqual(server.joins, []);
  stop();
});

test("the parts of a room are a list of tabs that has a name", async () => {
  for (const [language, name] of [["en", "Parts of the room"], ["zh", "房间各部分"]]) {
    setLanguage(language);
    const { body, stop } = await fixture();
    assert.deepEqual(shown(body, "[role=tablist]").map((each) => each.getAttribute("aria-label")), [name]);
    stop();
  }
  setLanguage("en");
});

test("the focus that a new guest's view has taken away goes to the bid once they have joined", async () => {
  const { body, stop } = await fixture({ hasGuest: false, room: { me: null } });
  const [join] = shown(body, "button", "Join as bidder");
  join.click();
  await turn();
  assert.ok(!join.isConnected, "the view was drawn again");
  assert.ok(document.activeElement.closest(".bid"), "the focus is lost");
  document.body.focus();
  stop();
});

test("who opens the page long after the hammer reads how the lot ended, though the event is not among those that are read", async () => {
  const ann = { id: "user_a", nickname: "Ann" };
  const hana = { id: "user_h", nickname: "Hana" };
  const closed = {
    state: "closed", round: 2, item: { id: "item_2", name: "Vase", owner: hana, media: [] }, rules: { format: "vickrey", startingPrice: "10.00" }, currentPrice: "40.00",
  };
  const row = (round, more) => ({ round, item: { id: `item_${round}`, name: "Vase" }, result: "sold", winner: ann, price: "40.00", reason: null, ...more });
  const passed = { result: "passed", winner: null, price: null, reason: "reserve_not_met" };
  for (const [results, label, text] of [
    [[row(2), row(1, passed)], "Hammer price", "You wonVase for ¥40.00"], [[row(2, passed), row(1)], "Highest bid", "PassedThe reserve of Vase was not met."],
    [[row(1)], "Highest bid", null],
  ]) {
    const { body, stop } = await fixture({ room: closed, results });
    const [banner = null] = shown(body, ".banner");
    assert.equal(banner?.textContent ?? null, text);
    assert.equal(shown(body, ".hero-price .eyebrow", label).length, 1);
    stop();
  }
});
