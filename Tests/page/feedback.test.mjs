import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDocument } from "./support/page-dom.mjs";
import { mockTimeouts, tick } from "./support/timers.mjs";
import { mountFeedback, speak } from "../../Sources/Page/feedback.js";

test("an announcement is taken away after a while, so that the same one can be made again", () => {
  const body = makeDocument();
  mountFeedback(body);
  mockTimeouts();
  const region = body.querySelector("[role=status]");
  speak("Outbid");
  tick(7_000);
  assert.equal(region.textContent, "Outbid");
  // By the clock of the machine it follows at once, and so waits.
  speak("Sold");
  tick(2_500);
  assert.equal(region.textContent, "Sold");
  tick(7_000);
  assert.equal(region.textContent, "Sold", "it has its own time");
  tick(1_000);
  assert.equal(region.textContent, "");
});
