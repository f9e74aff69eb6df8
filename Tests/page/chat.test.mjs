// Writing in the chat, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mountFeedback } from "../../Sources/Page/feedback.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makeChat } from "../../Sources/Page/views/chat.js";
import { makeDocument, shown, type } from "./support/page-dom.mjs";

const turn = () => new Promise(setImmediate);

/** A chat whose messages the test answers, by `said`. */
function fixture() {
  setLanguage("en");
  const body = makeDocument();
  mountFeedback(body);
  const said = [];
  const chat = makeChat({ say: (text) => new Promise((resolve, reject) => said.push({ text, resolve, reject })) });
  body.append(chat.element);
  const input = chat.element.querySelector("input");
  const send = chat.element.querySelector("[type=submit]");
  const enter = (text) => { type(input, text); send.click(); };
  return { body, chat, said, input, send, enter, texts: () => said.map((each) => each.text) };
}

test("what is entered or typed while a message is being sent is not lost", async () => {
  const { said, input, send, enter, texts } = fixture();
  enter("hi");
  assert.equal(input.value, "");
  enter("there");
  type(input, "and");
  assert.deepEqual([texts(), send.getAttribute("aria-busy")], [["hi"], "true"]);
  said[0].resolve();
  await turn();
  assert.deepEqual([texts(), input.value], [["hi", "there"], "and"]);
  said[1].resolve();
  await turn();
  assert.deepEqual([texts(), input.value, send.getAttribute("aria-busy")], [["hi", "there"], "and", null]);
  enter("again");
  assert.deepEqual(texts(), ["hi", "there", "again"]);
});

test("what could not be sent comes back, before what is being typed", async () => {
  const { body, said, input, enter, texts } = fixture();
  enter("hi");
  enter("there");
  said[0].reject(Object.assign(new Error("x"), { told: "Refused." }));
  await turn();
  assert.deepEqual([texts(), input.value, shown(body, ".note.bad", "Refused.").length], [["hi"], "hi there", 1]);
  enter("hi there");
  type(input, "and");
  said[1].reject(Object.assign(new Error("x"), { told: "Refused." }));
  await turn();
  assert.equal(input.value, "hi there and");
});

test("who has just written as often as one may still has the form, and who is muted has not", () => {
  const { body, chat } = fixture();
  const draw = (me, allowed = [], archived = false) => {
    chat.update({ state: { messages: [] }, me, userID: "user_a", archived, can: (action) => !archived && allowed.includes(action) }, true);
    return [shown(body, "form").length, shown(body, ".action-note").map((each) => each.textContent).join()];
  };
  assert.deepEqual(draw({ role: "bidder", muted: false, banned: false }), [1, ""]);
  assert.deepEqual(draw({ role: "bidder", muted: true, banned: false }), [0, "You are muted."]);
  assert.deepEqual(draw({ role: "host", muted: true, banned: false }, ["sendMessage"]), [1, ""]);
  assert.equal(draw({ role: "bidder", muted: false, banned: true })[0], 0);
  assert.deepEqual(draw({ role: null, muted: false, banned: false }), [0, "Join the room to write."]);
  assert.equal(draw({ role: "bidder", muted: false, banned: false }, ["sendMessage"], true)[0], 0);
});

test("beyond a few messages that wait, the text stays in the field", () => {
  const { body, input, enter } = fixture();
  for (let count = 0; count < 6; count += 1) enter(`message ${count}`);
  assert.equal(input.value, "");
  enter("one more");
  assert.equal(input.value, "one more");
  assert.equal(shown(body, ".note", "still being sent").length, 1);
});

test("the text and the name of who has left for good are gone from a chat that is open", () => {
  const { body, chat } = fixture();
  const draw = (text, nickname) => chat.update({
    state: { messages: [{ id: "m1", seq: 1, at: "2026-11-21T09:00:00.000Z", author: { id: "user_b", nickname }, text, removed: false }] }, me: { role: "viewer" }, userID: "user_a", archived: false, can: () => false,
  }, true);
  draw("I was here", "Bo");
  assert.equal(shown(body, ".chat-line", "I was here").length, 1);
  draw("[…]", "Deleted user");
  assert.equal(shown(body, ".chat-line", "I was here").length, 0);
  assert.deepEqual([shown(body, ".chat-text")[0].textContent, shown(body, ".chat-who")[0].textContent], ["[…]", "Deleted user"]);
});
