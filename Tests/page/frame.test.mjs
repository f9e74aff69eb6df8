// What surrounds a room, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { h } from "../../Sources/Page/dom.js";
import { mountFeedback } from "../../Sources/Page/feedback.js";
import { makeFrame } from "../../Sources/Page/views/frame.js";
import { makeDocument, shown } from "./support/page-dom.mjs";
import { mockTimeouts, tick } from "./support/timers.mjs";

test("offline is said of the browser only, and else that the server does not answer", () => {
  setLanguage("en");
  for (const [onLine, words] of [[false, "You are offline."], [true, "The server does not answer."]]) {
    mockTimeouts();
    const body = makeDocument();
    mountFeedback(body);
    navigator.onLine = onLine;
    const parts = Object.fromEntries(["lot", "hero", "away", "end", "host", "bid", "tabs", "lots", "bids", "chat", "people"].map((name) => [name, h("div")]));
    const frame = makeFrame(parts, matchMedia(), { isOn: false });
    body.append(...frame.elements);
    frame.setLive("reconnecting");
    assert.equal(shown(body, ".away").length, 0);
    tick(2_000);
    assert.equal(shown(body, ".away", words).length, 1);
    frame.setLive("live");
    assert.equal(shown(body, ".away").length, 0);
  }
});

test("a server that refuses events says why, also before there were any", () => {
  setLanguage("en");
  mockTimeouts();
  const body = makeDocument();
  mountFeedback(body);
  const parts = Object.fromEntries(["lot", "hero", "away", "end", "host", "bid", "tabs", "lots", "bids", "chat", "people"].map((name) => [name, h("div")]));
  const frame = makeFrame(parts, matchMedia(), { isOn: false });
  body.append(...frame.elements);
  frame.setLive("connecting");
  tick(2_000);
  assert.equal(shown(body, ".away").length, 0);
  frame.setLive("connecting", "", "Too many are watching.");
  tick(2_000);
  assert.equal(shown(body, ".away", "Too many are watching.").length, 1);
  const polite = body.querySelector("[role=status].unseen");
  // Announcements keep a distance from each other.
  tick(3_000);
  assert.equal(polite.textContent, "Too many are watching.");
  polite.textContent = "";
  frame.setLive("connecting");
  frame.setLive("connecting", "", "Too many are watching.");
  tick(10_000);
  assert.equal(polite.textContent, "", "it is announced once, however often the server is asked");
  frame.setLive("live");
  assert.equal(shown(body, ".away").length, 0);
});
