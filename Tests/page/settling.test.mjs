import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { guard, makeSettling, settlingMs } from "../../Sources/Page/settling.js";
import { mockTimeouts, tick } from "./support/timers.mjs";

/** A button at a place. */
function button(action, left, top) {
  const classes = new Set();
  return {
    dataset: { action }, classes, classList: { add: (name) => classes.add(name), remove: (name) => classes.delete(name) },
    getBoundingClientRect: () => ({ left, top }),
  };
}

let now, shown, draw;
beforeEach(() => {
  mockTimeouts();
  [now, shown] = [0, []];
  const settling = makeSettling({ querySelectorAll: () => shown }, () => now);
  draw = (...buttons) => {
    settling(() => { shown = buttons; });
    return buttons.map((each) => each.classes.has("settling"));
  };
});
const pass = (ms) => { now += ms; tick(ms); };

test("a button in the place of another takes no press for a moment", () => {
  assert.deepEqual(draw(button("goOn", 0, 0), button("share", 200, 60)), [false, false], "there was nothing before");
  assert.deepEqual(draw(button("stop", 0, 0), button("share", 205, 60)), [true, false]);
  pass(settlingMs);
  assert.equal(shown[0].classes.has("settling"), false);
});

test("a button that was drawn again goes on settling, and one that was moved begins", () => {
  draw(button("goOn", 0, 0), button("share", 200, 60));
  draw(button("stop", 0, 0), button("share", 200, 60));
  pass(settlingMs - 100);
  assert.deepEqual(draw(button("stop", 0, 0), button("share", 100, 60)), [true, true]);
  pass(100);
  assert.deepEqual(shown.map((each) => each.classes.has("settling")), [false, true]);
});

test("a guarded panel keeps presses from what is settling", () => {
  let listen;
  guard({ addEventListener: (type, act, isCapture) => { if (type === "click" && isCapture) listen = act; } });
  const press = (isSettling) => {
    const told = [];
    listen({ target: { closest: () => (isSettling ? {} : null) }, preventDefault: () => told.push("prevent"), stopPropagation: () => told.push("stop") });
    return told;
  };
  assert.deepEqual([press(true), press(false)], [["prevent", "stop"], []]);
});
