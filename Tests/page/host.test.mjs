// What the host does with the link to the room, and while a round runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { isLoopback, makeHost } from "../../Sources/Page/views/host.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown } from "./support/page-dom.mjs";

test("an address of the same machine is known as such", () => {
  assert.deepEqual(["localhost", "room.localhost", "127.0.0.1", "127.1.2.3", "[::1]", "0.0.0.0", "[::]", "[::ffff:7f00:1]", "[::ffff:0:0]", "localhost."].filter((name) => !isLoopback(name)), []);
  assert.deepEqual(["192.168.1.20", "auction.example", "localhost.example", "127.example", "[fe80::1]", "[::ffff:c0a8:114]", "10.0.0.1", "[::2]"].filter(isLoopback), []);
});

/** The controls of a host while a round runs; `asked` has the orders, `now` what differs of the room. */
function running(language, allowed) {
  const body = mountedBody();
  setLanguage(language);
  const asked = [];
  const room = (now) => ({ id: "room_x", state: "auctioning", round: 1, item: { id: "item_1", name: "Bowl", owner: { id: "user_o" } }, rules: { format: "english" }, ...now });
  let shownNow = {};
  const model = () => ({ room: room(shownNow), sale: null, phase: "auctioning", me: { role: "host" }, userID: "user_h", can: (action) => allowed.includes(action), results: [], lots: { queued: [] }, state: { bids: [] }, archived: false });
  const view = makeHost({ model, order: async (name, more) => { asked.push([name, more]); } });
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
