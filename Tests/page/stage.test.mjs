// The seats and the handshakes that lead to them, in a document without a browser: what is pressed is meant for who was seen there.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { makeStage } from "../../Sources/Page/views/stage.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown } from "./support/page-dom.mjs";
import { tick } from "./support/timers.mjs";

const bo = { id: "user_b", nickname: "Bo" };
const cy = { id: "user_c", nickname: "Cy" };
let body;
beforeEach(() => { body = mountedBody(); });

/** @param user who looks at it; without a user it is the host. `draw` takes seats and a handshake; what is asked of the room is in `asked`. */
function fixture(user = null) {
  const asked = [];
  let stage = null;
  const model = () => ({
    stage, userID: user?.id ?? "user_h", me: { role: user ? "viewer" : "host" }, can: (action) => action === (user ? "requestStage" : "manageStage"),
  });
  const it = new Proxy({}, { get: (_, name) => (...given) => { asked.push([name, ...given]); } });
  const view = makeStage({ model, async onStage(act) { await act(it); } });
  body.append(view.element);
  const draw = (occupant, handshake = null) => {
    stage = { seats: [{ seat: 1, occupant: occupant && { user: occupant, role: "bidder" }, closed: false, muted: false }], queue: [], handshake };
    view.update(model());
  };
  return { asked, draw };
}

test("a handshake is shown also to those who open the page during it", () => {
  const handshake = { id: "stage_1", state: "invited", role: "bidder", guest: bo };
  for (const user of [bo, null]) {
    body.replaceChildren();
    fixture(user).draw(null, handshake);
    assert.equal(shown(body, ".handshake button", user ? "Accept" : "Cancel").length, 1);
  }
});

test("a host with nobody on stage finds the seats folded away", () => {
  const { draw } = fixture();
  draw(null);
  assert.equal(body.querySelectorAll("details .seat").length, 1);
  assert.ok(!body.querySelector("details").open);
  draw(bo);
  assert.equal(body.querySelectorAll("details").length, 0);
  assert.equal(shown(body, ".seat.taken", "Bo").length, 1);
});

test("what takes the place of a step of the handshake takes no press for a moment", () => {
  const step = (state) => ({ id: "stage_1", state, role: "bidder", guest: bo });
  const { draw } = fixture(bo);
  draw(null, step("accepted"));
  assert.ok(!shown(body, "button", "Go on stage")[0].matches(".settling"));
  draw(bo);
  assert.ok(shown(body, "button", "Leave the stage")[0].matches(".settling"), "a second press would leave it");
  tick(1_000);
  assert.ok(!shown(body, "button", "Leave the stage")[0].matches(".settling"));
  body.replaceChildren();
  const host = fixture();
  host.draw(null, step("requested"));
  host.draw(null, step("accepted"));
  assert.ok(shown(body, ".handshake button", "Cancel")[0].matches(".settling"), "a second press would end the handshake");
});

test("a host who clears a seat sends off who they saw there, and nobody who came later", async () => {
  const { asked, draw } = fixture();
  draw(bo);
  shown(body, "button.seat-body")[0].click();
  assert.equal(body.querySelector("dialog h2").textContent, "Seat 1: Bo");
  draw(cy);
  shown(body, "dialog button", "Clear seat 1")[0].click();
  await turn();
  assert.deepEqual(asked, []);
  assert.ok(body.querySelector(".notes").textContent.includes("Who sits there has changed."));
  draw(bo);
  shown(body, "dialog button", "Clear seat 1")[0].click();
  await turn();
  assert.deepEqual(asked, [["clearSeat", 1]]);
});
