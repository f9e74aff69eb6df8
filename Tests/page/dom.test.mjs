import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { oncePerFrame } from "../../Sources/Page/dom.js";
import { mockTimeouts, tick } from "./support/timers.mjs";

let frames;
beforeEach(() => {
  frames = [];
  globalThis.requestAnimationFrame = (callback) => frames.push(callback);
  mockTimeouts();
});
const frame = () => { for (const callback of frames.splice(0)) callback(); };

test("a burst of events is drawn once, in the next frame", () => {
  let draws = 0;
  const drawSoon = oncePerFrame(() => { draws += 1; });
  for (let event = 0; event < 100; event += 1) drawSoon();
  assert.equal(draws, 0);
  frame();
  assert.equal(draws, 1);
  tick(1_000);
  assert.equal(draws, 1, "not again when the time is up");
  drawSoon();
  frame();
  assert.equal(draws, 2, "a later event is drawn in a later frame");
});

test("a page without frames is drawn ten times a second", () => {
  let draws = 0;
  const drawSoon = oncePerFrame(() => { draws += 1; });
  for (let ms = 0; ms < 1_000; ms += 10) {
    drawSoon();
    tick(10);
  }
  assert.equal(draws, 10);
  // It is seen again: the frames that were asked for come together.
  drawSoon();
  frame();
  assert.equal(draws, 11);
});

test("what drawing causes is drawn in the frame after it", () => {
  let draws = 0;
  const drawSoon = oncePerFrame(() => { draws += 1; if (draws === 1) drawSoon(); });
  drawSoon();
  frame();
  assert.equal(draws, 1);
  frame();
  assert.equal(draws, 2);
});
