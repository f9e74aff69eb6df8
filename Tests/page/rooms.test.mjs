// The list of rooms, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { roomsView } from "../../Sources/Page/views/rooms.js";
import { readInvitation } from "../../Sources/Page/invitation.js";
import { mountedBody } from "./support/mounted.mjs";
import { makeDocument, shown, type } from "./support/page-dom.mjs";
import { mockTimeouts, tick } from "./support/timers.mjs";

const turn = () => new Promise(setImmediate);

test("a card shows the picture, the start and the price of what is or will be sold", async () => {
  setLanguage("en");
  mockTimeouts();
  const body = makeDocument();
  const row = (id, more) => ({
    id, name: id, host: { id: "user_h", nickname: "Hana" }, currency: "EUR", visibility: "public", state: "preparing", round: 1, seq: 9, itemName: null,
    currentPrice: null, endsAt: null, viewers: 1, openedAt: "2026-11-21T08:00:00.000Z", ...more,
  });
  const picture = `/v1/media/${"a".repeat(64)}`;
  const rooms = [
    row("room_a", { offer: { name: "Blue vase", picture, startingPrice: "20.00" }, startsAt: "2026-11-21T20:00:00.000Z" }),
    row("room_b", { itemName: "Jug", currentPrice: "30.00", offer: { name: "Jug", startingPrice: "20.00" } }), row("room_c", {}),
  ];
  const page = (value) => ({ page: async () => value, async *pages() { yield value; } });
  const view = roomsView({
    clock: { now: () => 0 }, session: { user: null }, storage: { get: () => null }, title() {},
    client: { rooms: () => page({ rooms, nextCursor: null }) },
  });
  body.append(view.element);
  await turn();
  const texts = (css) => shown(body, css).map((each) => each.textContent);
  assert.deepEqual(shown(body, ".room-card img").map((each) => [each.getAttribute("src"), each.getAttribute("loading")]), [[`${picture}?preview`, "lazy"]]);
  assert.equal(shown(body, ".room-card .thumb.blank").length, 1);
  // A node of the version before refuses `?preview`.
  const [image] = shown(body, ".room-card img");
  image.dispatch("error");
  assert.deepEqual([image.getAttribute("src"), shown(body, ".room-card .thumb.blank").length], [picture, 1]);
  image.dispatch("error");
  assert.deepEqual([shown(body, ".room-card img").length, shown(body, ".room-card .thumb.blank").length], [0, 2]);
  assert.match(texts(".room-card-item")[0], /^Blue vaseStarts .*21/);
  assert.deepEqual(texts(".room-card-item").slice(1), ["Jug", "No lot is up right now. What is coming is listed inside."]);
  assert.deepEqual(texts(".room-card-price strong"), ["from €20.00", "€30.00"]);
  view.stop();
});

test("the time that is left of a round goes on in the list, also where nothing else happens", async () => {
  setLanguage("en");
  mockTimeouts();
  const body = makeDocument();
  const row = (id, endsAt) => ({
    id, name: id, host: { id: "user_h", nickname: "Hana" }, currency: "EUR", visibility: "public", state: "auctioning", round: 1, seq: 9, itemName: "Vase",
    currentPrice: "20.00", endsAt, viewers: 1, openedAt: "2026-11-21T08:00:00.000Z",
  });
  const own = { ...row("room_a", "2026-11-21T10:00:00.000Z"), total: "22.50" };
  const others = [own, row("room_b", "2026-11-21T09:30:00.000Z"), row("room_c", null)];
  let now = Date.parse("2026-11-21T09:00:00.000Z");
  const page = (value) => ({ page: async () => value, async *pages() { yield value; } });
  const view = roomsView({
    clock: { now: () => now }, session: { user: { id: "user_a", nickname: "Ann" } }, storage: { get: () => null }, title() {},
    client: { rooms: () => page({ rooms: others, nextCursor: null }), myRooms: () => page({ rooms: [{ room: own, role: "bidder" }], nextCursor: null }) },
  });
  body.append(view.element);
  const left = async () => {
    await turn();
    return shown(body, ".room-card-left").map((each) => each.textContent);
  };
  assert.deepEqual(await left(), ["1:00:00", "30:00"]);
  assert.deepEqual(shown(body, ".room-card-total").map((each) => each.textContent), ["€22.50 with premium"]);
  now += 29 * 60_000;
  tick(10_000);
  assert.deepEqual(await left(), ["31:00"], "of the last minute the list says nothing");
  view.stop();
});

test("an invitation is read however it was copied: a link, an id with a code, or a whole message", () => {
  const room = "room_3pype17b8wec585enw02ex8qa0";
  const code = "cwjcncaqzx54";
  for (const [text, found] of [
    [`https://auction.example/#/rooms/${room}?invite=${code}`, [room, code]], [`https://auction.example/#/rooms/${room}`, [room, null]], [room, [room, null]], [code, [null, code]],
    [`${room} ${code}`, [room, code]], [`${room}${code}`, [room, code]], [`Invite code: ${code.toUpperCase()} Room id: ${room}`, [room, code]],
    [`See you there, my best regards! https://auction.example/#/rooms/${room}?invite=${code}Invite code`, [room, code]],
    [`https://auction.example/#/rooms/${room} The pass, regardsedges: ${code}.`, [room, code]], ["tomorrow at eight", [null, null]],
    [`https://auction.example/#/rooms/${room}${code}`, [room, code]], [`https://auction.example/#/rooms/${room} call 491701234567`, [room, null]],
    [`https://auction.example/#/rooms/${room}\u200b, ${code}`, [room, code]],
  ]) {
    const read = readInvitation(text);
    assert.deepEqual([read.room, read.code], found, text);
  }
});

test("a room is entered by one field, which asks for more only of a code that came without its room", async () => {
  const room = "room_3pype17b8wec585enw02ex8qa0";
  for (const [language, join, go, asks] of [["en", "Join by invitation", "Go to the room", "put the room's link or id before it"], ["zh", "凭邀请加入", "进入房间", "请在其前面加上"]]) {
    const body = mountedBody();
    setLanguage(language);
    const gone = [];
    const empty = { page: async () => ({ rooms: [], nextCursor: null }), async *pages() { yield { rooms: [], nextCursor: null }; } };
    const view = roomsView({ clock: { now: () => 0 }, session: { user: null }, storage: { get: () => null }, title() {}, go: (route) => gone.push(route), client: { rooms: () => empty } });
    body.append(view.element);
    shown(body, "button", join)[0].click();
    const fields = shown(body, "dialog input");
    assert.equal(fields.length, 1);
    type(fields[0], "cwjcncaqzx54");
    shown(body, "dialog button", go)[0].click();
    await turn();
    assert.equal(shown(body, "dialog .field-error", asks).length, 1);
    type(fields[0], `cwjcncaqzx54 ${room}`);
    shown(body, "dialog button", go)[0].click();
    await turn();
    assert.deepEqual(gone, [`/rooms/${room}?invite=cwjcncaqzx54`]);
    view.stop();
  }
});

test("who comes for the first time reads in one sentence what this is, and sees it in one picture", async () => {
  for (const [language, sentence, picture] of [["en", "open a room, add lots, send the link, and the highest bid wins.", "A vase on a phone"], ["zh", "创建房间、添加拍品、发送链接，价高者得。", "手机上的花瓶"]]) {
    for (const joined of [[], [{ role: "host", room: { id: "room_a", name: "A", host: { nickname: "Hana" }, state: "preparing", currency: "EUR" } }]]) {
      const body = mountedBody();
      setLanguage(language);
      const page = (rooms) => ({ page: async () => ({ rooms, nextCursor: null }), async *pages() { yield { rooms, nextCursor: null }; } });
      const view = roomsView({
        clock: { now: () => 0 }, session: { user: joined.length > 0 ? { id: "user_h" } : null }, storage: { get: () => null }, title() {}, client: { rooms: () => page([]), myRooms: () => page(joined) },
      });
      body.append(view.element);
      await turn();
      assert.equal(shown(body, ".lead", sentence).length, 1);
      const pictures = shown(body, "img.intro");
      assert.equal(pictures.length, joined.length > 0 ? 0 : 1, "who has rooms has seen it");
      for (const each of pictures) assert.ok(each.getAttribute("alt").startsWith(picture));
      view.stop();
    }
  }
});
