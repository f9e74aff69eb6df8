// The seats and the handshakes that lead to them, in a document without a browser: what is pressed is meant for who was seen there.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makeStage } from "../../Sources/Page/views/stage.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown } from "./support/page-dom.mjs";
import { tick } from "./support/timers.mjs";

const bo = { id: "user_b", nickname: "Bo" };
const cy = { id: "user_c", nickname: "Cy" };
const dee = { id: "user_d", nickname: "Dee" };
let body;
beforeEach(() => { body = mountedBody(); });

/**
 * @param user who looks at it; without a user it is the host. `draw` takes who is on the seats, a handshake and those who wait; what is asked
 *   of the room is in `asked`, and `answers` says what it responds.
 */
function fixture(user = null) {
  const asked = [];
  const answers = {};
  let stage = null;
  const model = () => ({
    stage, userID: user?.id ?? "user_h", me: { role: user ? "viewer" : "host" }, can: (action) => action === (user ? "requestStage" : "manageStage"),
  });
  const it = new Proxy({}, { get: (_, name) => (...given) => { asked.push([name, ...given]); return answers[name]; } });
  const view = makeStage({ model, async onStage(act) { await act(it); } });
  body.append(view.element);
  const draw = (occupants, handshake = null, queue = [], more = {}) => {
    const seats = [occupants].flat().map((occupant, index) => ({ seat: index + 1, occupant: occupant && { user: occupant, role: "bidder" }, closed: false, muted: false, ...more }));
    stage = { seats, queue, handshake };
    view.update(model());
  };
  return { asked, answers, draw };
}

const request = (guest) => ({ id: `stage_${guest.nickname}`, state: "requested", role: "bidder", guest });
const labelled = (label) => shown(document.body, "button").filter((each) => each.getAttribute("aria-label") === label);

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
  host.draw(null, null, [request(bo)]);
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

test("a host seats who has asked with one press, in the order in which they asked", async () => {
  const { asked, draw } = fixture();
  draw([bo, null], null, [request(cy), request(dee)]);
  assert.deepEqual(shown(body, ".next .handshake .primary").map((each) => each.textContent), ["Put Cy on stage", "Put Dee on stage"]);
  shown(body, "button", "Put Cy on stage")[0].click();
  await turn();
  labelled("Decline: Dee")[0].click();
  await turn();
  assert.deepEqual(asked, [["seatMember", cy.id, "bidder"], ["answerStage", "stage_Dee", "decline"]]);
});

test("while no seat is free a host hands over one of those that are taken, to the same seat", async () => {
  const { asked, answers, draw } = fixture();
  draw([bo, dee], null, [request(cy)]);
  assert.equal(shown(body, "button", "Put Cy on stage").length, 0);
  labelled("Hand over a seat to Cy")[0].click();
  answers.seatMember = { seats: [{ seat: 1, occupant: { user: cy } }] };
  shown(body, "dialog button", "Seat 2: Dee leaves it")[0].click();
  await turn();
  assert.deepEqual(asked, [["clearSeat", 2], ["seatMember", cy.id, "bidder"], ["moveSeat", 1, 2]]);
  assert.equal(body.querySelectorAll("dialog").length, 0);
});

test("no seat is given up for a request that is gone", async () => {
  const { asked, draw } = fixture();
  draw([bo], null, [request(cy)]);
  shown(body, "button.seat-body")[0].click();
  draw([bo]);
  shown(body, "dialog button", "Hand the seat over to Cy")[0].click();
  await turn();
  assert.deepEqual(asked, []);
  assert.ok(body.querySelector(".notes").textContent.includes("Cy does not ask for a seat any more."));
});

test("a host mutes who speaks with one press, and a press that was meant for another mutes nobody", async () => {
  const { asked, draw } = fixture();
  draw([bo, null]);
  const button = labelled("Mute Bo")[0];
  assert.equal(labelled("Mute Cy").length, 0);
  button.click();
  await turn();
  assert.deepEqual(asked, [["muteSeat", 1, true]]);
  draw([cy, null]);
  button.click();
  await turn();
  assert.equal(asked.length, 1, "the row was drawn anew under the finger");
  assert.ok(labelled("Mute Cy")[0].matches(".settling"), "another person's button takes no press for a moment");
  draw([cy, null], null, [], { muted: true });
  assert.equal(labelled("Unmute Cy").length, 1);
});

test("who is on a seat moves to a free one by a press on it, and the host moves them in the menu of the seat", async () => {
  const guest = fixture(bo);
  guest.draw([bo, null, cy]);
  assert.deepEqual(shown(body, "button.seat-body").map((each) => each.getAttribute("aria-label")), ["Move to seat 2"]);
  assert.equal(labelled("Mute Cy").length, 0, "a guest mutes no others");
  labelled("Move to seat 2")[0].click();
  await turn();
  assert.deepEqual(guest.asked, [["moveSeat", 1, 2]]);
  body.replaceChildren();
  const host = fixture();
  host.draw([bo, null, cy]);
  shown(body, "button.seat-body")[0].click();
  labelled("Move Bo to seat 2")[0].click();
  await turn();
  assert.deepEqual(host.asked, [["moveSeat", 1, 2]]);
});

test("who waits is told their place, and the others who comes next", () => {
  const waiting = ["Cy", "Dee", "Eve", "Flo", "Gus", "Hal"].map((nickname) => request({ id: `user_${nickname}`, nickname }));
  const { draw } = fixture(bo);
  draw(null, null, waiting.slice(0, 2));
  assert.equal(shown(body, ".next-words")[0].textContent, "Next: Cy, Dee");
  draw(null, null, waiting);
  assert.equal(shown(body, ".next-words")[0].textContent, "Next: Cy, Dee, Eve, Flo and 2 more");
  assert.equal(shown(body, ".handshake").length, 0);
  draw(null, null, [waiting[0], request(bo)]);
  assert.equal(shown(body, ".handshake p")[0].textContent, "Before you: 1");
  assert.equal(shown(body, ".handshake button", "Withdraw").length, 1);
  setLanguage("zh");
  draw(null, null, [request(bo), waiting[0]]);
  assert.deepEqual([".next-words", ".handshake p"].map((css) => shown(body, css)[0].textContent), ["接下来：Bo、Cy", "下一位就是您。"]);
});

test("the focus stays on the control of the same seat when the row is drawn anew", () => {
  const { draw } = fixture();
  draw([bo, cy]);
  labelled("Mute Cy")[0].focus();
  draw([bo, cy], null, [request(dee)]);
  assert.equal(document.activeElement.getAttribute("aria-label"), "Mute Cy");
});
