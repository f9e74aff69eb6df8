import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDocument } from "./support/page-dom.mjs";
import { mockTimeouts, tick } from "./support/timers.mjs";
import { Problem } from "../../Sources/Page/client/auction-client.js";
import { explain, mountFeedback, note, speak } from "../../Sources/Page/feedback.js";
import { streamWords } from "../../Sources/Page/problem-words.js";
import { setLanguage } from "../../Sources/Page/strings.js";

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

test("the bounds that a hall meets say what a person can do, and speak of no options or paths", () => {
  const problem = (code, status, headers) => new Problem({ type: "/problems/too-many-requests", code, detail: "Use POST /v1/tokens/renew (limit-x)." }, status, new Headers(headers));
  for (const [language, guests, streams, busy] of [
    ["en", /Wi-Fi of a hall\. Try again in 7 s/, /watching from this network/, /server is busy/], ["zh", /会场 Wi-Fi.*7 秒后重试/, /此网络/, /服务器繁忙/],
  ]) {
    setLanguage(language);
    assert.match(explain(problem("guest.rate", 429, { "Retry-After": "7" }))[0], guests);
    assert.doesNotMatch(explain(problem("guest.rate", 429, {}))[0], /watch|观看/, "a private room is not to be watched without a name");
    assert.match(streamWords(problem("stream.too_many", 429)), streams);
    assert.match(streamWords(problem("service.closing", 503)), busy);
    assert.equal(streamWords(problem("", 502)), null, "a proxy without its server has not refused");
  }
  setLanguage("en");
});

test("a note is raised above the button that is pressed again, and above what has the focus", () => {
  const body = makeDocument();
  mountFeedback(body);
  mockTimeouts();
  const box = (element, top, bottom, left = 0, right = 300) => Object.assign(element, { getBoundingClientRect: () => ({ top, bottom, left, right, width: right - left, height: bottom - top }) });
  const make = (name, ...place) => {
    const element = box(document.createElement("div"), ...place);
    element.className = name;
    body.append(element);
    return element;
  };
  const lifts = [];
  box(body.querySelector(".notes"), 600, 650).style.setProperty = (name, value) => lifts.push([name, value]);
  const lift = () => { note("Blue pot is in the queue."); return lifts.splice(0).at(-1); };
  assert.deepEqual(lift(), ["--lift", "0px"]);
  const actions = make("lots-actions", 580, 610);
  assert.deepEqual(lift(), ["--lift", "78px"]);
  box(actions, 560, 600);
  assert.deepEqual(lift(), ["--lift", "0px"], "it ends where the note begins");
  box(actions, 610, 640, 310, 390);
  assert.deepEqual(lift(), ["--lift", "0px"], "it is beside the note");
  const field = make("field", 640, 680);
  assert.deepEqual(lift(), ["--lift", "0px"]);
  field.focus();
  assert.deepEqual(lift(), ["--lift", "18px"]);
  box(field, 0, 700);
  assert.deepEqual(lift(), ["--lift", "0px"], "there is no place above it");
  body.focus();
  box(actions, 580, 610);
  assert.deepEqual(lift(), ["--lift", "78px"]);
});
