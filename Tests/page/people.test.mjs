// The list of people and what the host does about them, in a document without a browser.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { mountFeedback } from "../../Sources/Page/feedback.js";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makePeople } from "../../Sources/Page/views/people.js";
import { makeDocument, shown, type } from "./support/page-dom.mjs";

const bo = { id: "user_b", nickname: "Bo" };
const turn = () => new Promise(setImmediate);
let body;
beforeEach(() => {
  setLanguage("en");
  body = makeDocument();
  mountFeedback(body);
});

/** What the host sees of Bo, whose limit is what `member` says; what is asked of the room is in `changes` and `reads`. */
function fixture(member, read = member, banned = []) {
  const told = { changes: [], reads: 0 };
  let people = new Map([[bo.id, { user: bo, role: "bidder", muted: false, ...member }]]);
  const change = (more) => { people = new Map([[bo.id, { ...people.get(bo.id), ...more }]]); };
  const model = () => ({
    state: { people }, room: { currency: "CNY" }, userID: "user_a", me: { role: "host" }, stage: null, can: (action) => action === (banned.length > 0 ? "ban" : "setCreditLimit"),
  });
  const view = makePeople({
    model, leave() {},
    async changeMember(id, changes) { told.changes.push([id, changes]); change(changes); },
    async bannedMembers() { return banned; },
    async readMembers() { told.reads += 1; change(read); },
  });
  body.append(view.element);
  const update = () => view.update(model());
  update();
  return { told, change, update };
}

async function openLimit() {
  shown(body, "[aria-haspopup=dialog]")[0].click();
  await turn();
  shown(body, "dialog button", "Credit limit")[0].click();
  return shown(body, "dialog input")[0];
}
async function save() {
  shown(body, "dialog button", "Save")[0].click();
  await turn();
}

test("a credit limit that was set is in the field when it is opened again, and stays if it is not changed", async () => {
  const { told } = fixture({ creditLimit: null });
  const input = await openLimit();
  assert.equal(input.value, "");
  type(input, "500");
  await save();
  assert.equal((await openLimit()).value, "500");
  await save();
  assert.deepEqual(told.changes, [[bo.id, { creditLimit: "500" }]]);
  type(await openLimit(), "");
  await save();
  assert.deepEqual([told.changes.at(-1), told.reads], [[bo.id, { creditLimit: null }], 0]);
});

test("the limit of a member who came in later is read before the menu opens", async () => {
  const { told } = fixture({}, { creditLimit: "70.00" });
  assert.equal((await openLimit()).value, "70.00");
  assert.equal(told.reads, 1);
});

test("a member's row has the nickname of now", () => {
  const { change, update } = fixture({ creditLimit: null });
  change({ user: { ...bo, nickname: "Bob" } });
  update();
  assert.equal(shown(body, ".person-name")[0].textContent, "Bob");
});

test("the host sees who is banned, also those who have left, and lifts a ban", async () => {
  const cy = { id: "user_c", nickname: "Cy" };
  const { told } = fixture({}, {}, [{ user: bo, role: "bidder", banned: true }, { user: cy, role: null, banned: true }]);
  shown(body, ".people button", "Banned users")[0].click();
  await turn();
  assert.deepEqual(shown(body, "dialog .person-name").map((each) => each.textContent), ["Bo", "Cy"]);
  shown(body, "dialog li button", "Unban")[1].click();
  await turn();
  assert.deepEqual(told.changes, [[cy.id, { banned: false }]]);
  assert.deepEqual(shown(body, "dialog .person-name").map((each) => each.textContent), ["Bo"]);
  assert.equal(shown(body, "dialog p").length, 0);
  shown(body, "dialog li button", "Unban")[0].click();
  await turn();
  assert.equal(shown(body, "dialog p")[0].textContent, "No user is banned.");
});

test("those who may not ban are not shown who is banned", () => {
  fixture({ creditLimit: null });
  assert.equal(shown(body, ".people button", "Banned users").length, 0);
});

test("a host bans also who has left without a bid, as far as events or messages tell of them", () => {
  const [cy, dee, eve] = ["Cy", "Dee", "Eve"].map((nickname) => ({ id: `user_${nickname}`, nickname }));
  const left = new Map([cy, { ...dee, nickname: "Dee Dee" }].map((user) => [user.id, user]));
  const messages = [eve, bo, dee].map((author) => ({ author })).concat({ key: "state.paused" });
  const model = () => ({
    state: { people: new Map([[bo.id, { user: bo, role: "bidder" }]]), left, messages, banned: new Set() }, room: { currency: "CNY" }, userID: "user_a",
    me: { role: "host" }, stage: null, can: (action) => action === "ban",
  });
  const view = makePeople({ model });
  body.append(view.element);
  view.update(model());
  const labels = shown(body, "button").map((button) => button.getAttribute("aria-label")).filter((label) => label?.startsWith("Ban "));
  assert.deepEqual(labels, ["Ban Dee Dee", "Ban Cy", "Ban Eve"]);
});

test("a host bans a bidder who has left, but none who is here, is banned already, or never bid, nor the floor", async () => {
  const cy = { id: "user_c", nickname: "Cy" };
  const dee = { id: "user_d", nickname: "Dee" };
  for (const [language, ban, question] of [["en", "Ban Cy", "Ban Cy? They can no longer enter."], ["zh", "封禁 Cy", "封禁 Cy？"]]) {
    setLanguage(language);
    body.replaceChildren();
    mountFeedback(body);
    const changes = [];
    const banned = new Set([dee.id]);
    const bids = [cy, bo, { id: "user_floor", nickname: "Floor" }, dee, cy].map((bidder, index) => ({ id: `bid_${index}`, bidder }));
    let may = true;
    const model = () => ({
      state: { people: new Map([[bo.id, { user: bo, role: "bidder" }]]), bids, banned }, room: { currency: "CNY" }, userID: "user_a", me: { role: "host" }, stage: null,
      can: (action) => may && action === "ban",
    });
    const view = makePeople({ model, changeMember: async (id, given) => { changes.push([id, given]); banned.add(id); } });
    body.append(view.element);
    view.update(model());
    const buttons = shown(body, "button").filter((button) => button.getAttribute("aria-label")?.startsWith(ban.replace("Cy", "")));
    assert.deepEqual(buttons.map((button) => button.getAttribute("aria-label")), [ban]);
    buttons[0].click();
    assert.equal(shown(body, "dialog", question).length, 1);
    shown(body, "dialog button.danger")[0].click();
    await turn();
    assert.deepEqual(changes, [[cy.id, { banned: true }]]);
    view.update(model());
    assert.equal(shown(body, "h3").length, 0, "nobody is left to ban");
    banned.clear();
    may = false;
    view.update(model());
    assert.equal(shown(body, "h3").length, 0, "a bidder may not ban");
  }
  setLanguage("en");
});
