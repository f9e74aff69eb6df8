// The guest of the page in several tabs, which share what is stored, and with a server that refuses a token.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AuctionClient, Problem, Unreachable } from "../../Sources/Page/client/auction-client.js";
import { Session, makeRenewal } from "../../Sources/Page/session.js";
import { mockTimeouts, tick } from "./support/timers.mjs";

const day = 24 * 3600 * 1000;
const guest = (token, days = 7, user = { id: "user_a", nickname: "Ann" }) => ({ user, token, expiresAt: new Date(days * day).toISOString() });
const bo = { id: "user_b", nickname: "Bo" };
const place = "auction-room.guest";

/** What tabs share. `tab(now)` opens one; it says `changes`, and which sessions its client was `given`. */
function browser(stored) {
  const kept = new Map(stored ? [[place, JSON.stringify(stored)]] : []);
  const storage = { get: (name) => kept.get(name) ?? null, set: (name, value) => kept.set(name, value), remove: (name) => kept.delete(name) };
  const tab = (now = () => 0) => {
    const told = { changes: 0, others: 0, given: [], signedOut: 0 };
    const session = new Session(storage, now);
    Object.assign(session, {
      onChange: () => { told.changes += 1; }, onOther: () => { told.others += 1; }, onAdopt: (adopted) => told.given.push(adopted?.token ?? null), onSignedOut: () => { told.signedOut += 1; },
    });
    return { session, told };
  };
  return { tab, storage, stored: () => JSON.parse(kept.get(place) ?? "null")?.token ?? null };
}

const refusal = (rejected, isFromServer = true) => ({ rejected, problem: { isFromServer } });

test("a tab whose token is refused goes on with the one that another tab has stored", () => {
  const { tab, stored } = browser(guest("old", 2));
  const [a, b] = [tab(), tab()];
  a.session.keep(guest("new"));
  assert.equal(b.session.tokenAfter(refusal("old")), "new");
  assert.deepEqual([stored(), b.session.current.token, b.told], ["new", "new", { changes: 0, others: 0, given: ["new"], signedOut: 0 }]);
  assert.equal(b.session.tokenAfter(refusal("new")), null);
  assert.deepEqual([stored(), b.session.current, b.told], [null, null, { changes: 1, others: 0, given: ["new", null], signedOut: 1 }]);
});

test("a request that was refused for one guest is not repeated as the guest that another tab has become", async () => {
  const { tab, stored } = browser(guest("old"));
  const [a, b] = [tab(), tab()];
  await a.session.become("Bo", { signIn: async () => guest("bo's", 7, bo) });
  assert.equal(b.session.tokenAfter(refusal("old")), null);
  await new Promise((resolve) => { setTimeout(resolve, 1); });
  assert.deepEqual([stored(), b.session.user.nickname, b.told.given, b.told.signedOut], ["bo's", "Bo", [null, "bo's"], 0]);
});

test("a tab takes over what another has stored, and draws again only for another guest or nickname", async () => {
  const { tab, storage } = browser(guest("old", 2));
  const [a, b] = [tab(), tab()];
  a.session.keep(guest("new"));
  b.session.lookAgain();
  b.session.lookAgain();
  assert.deepEqual(b.told, { changes: 0, others: 0, given: ["new"], signedOut: 0 });
  await a.session.become("Bo", { signIn: async () => guest("bo's", 7, bo) });
  b.session.lookAgain();
  assert.deepEqual([b.told.changes, b.session.user.nickname], [1, "Bo"]);
  storage.remove(place);
  b.session.lookAgain();
  assert.equal(b.session.user.nickname, "Bo", "a token that is not stored any more is still good");
});

test("only a guest that another tab has become is another one, also after the one before was signed out", async () => {
  const become = (session, token, user) => session.become(user.nickname, { signIn: async () => guest(token, 7, user) });
  const { tab } = browser();
  const [a, b] = [tab(), tab()];
  await become(a.session, "ann's", { id: "user_a", nickname: "Ann" });
  b.session.lookAgain();
  assert.deepEqual([a.told.others, b.told.others], [0, 1], "a question for a nickname is over: there is a guest");
  a.session.keep(guest("renamed", 7, { id: "user_a", nickname: "Anna" }));
  b.session.lookAgain();
  assert.deepEqual([b.told.others, b.session.user.nickname], [1, "Anna"]);
  assert.equal(b.session.tokenAfter(refusal("renamed")), null);
  a.session.keep(guest("again"));
  b.session.lookAgain();
  assert.deepEqual([b.told.others, b.session.current.token], [1, "again"]);
  await become(a.session, "bo's", bo);
  b.session.tokenAfter(refusal("again"));
  await new Promise((resolve) => { setTimeout(resolve, 1); });
  assert.deepEqual([a.told.others, b.told.others, b.session.user.nickname], [0, 2, "Bo"]);
});

test("a renewal does not bring back a guest that another tab has given up, nor a token that it has replaced", async () => {
  for (const [later, expected] of [[guest("bo's", 9, bo), "bo's"], [guest("newer", 9), "newer"], [null, null]]) {
    const { tab, storage, stored } = browser(guest("old", 1));
    const { session, told } = tab();
    assert.equal(await session.renewIfDue(async () => {
      if (later) storage.set(place, JSON.stringify(later)); else storage.remove(place);
      return guest("renewed");
    }), true);
    assert.deepEqual([stored(), session.current.token, told.given], [expected, expected ?? "renewed", later ? [expected] : []]);
  }
});

test("a renewal that fails is tried again a minute later by one timer, however often the page has asked", async (context) => {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  context.after(() => Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }));
  mockTimeouts();
  const turn = () => new Promise(setImmediate);
  const { session } = browser(guest("old", 1)).tab();
  let [asked, answer] = [0, null];
  const renew = makeRenewal(session, async () => { asked += 1; if (answer instanceof Error) throw answer; return answer; });
  answer = new Unreachable("no network");
  await Promise.all([renew(), renew()]);
  await renew();
  for (const expected of [4, 5]) {
    tick(60_000);
    await turn();
    assert.equal(asked, expected);
  }
  answer = new Problem({ type: "/problems/unauthorized", code: "token.expired" }, 401);
  tick(60_000);
  await turn();
  tick(600_000);
  assert.equal(asked, 6, "the server itself refuses it");
});

test("a token that another tab has renewed is not renewed again", async () => {
  const { tab } = browser(guest("old", 1));
  const [a, b] = [tab(), tab()];
  await a.session.renewIfDue(async () => guest("renewed"));
  assert.equal(await b.session.renewIfDue(() => assert.fail("it is new")), false);
  assert.equal(b.session.current.token, "renewed");
});

test("a nickname that was changed is not stored over another guest", async () => {
  const { tab, stored } = browser(guest("old"));
  const [a, b] = [tab(), tab()];
  await a.session.become("Bo", { signIn: async () => guest("bo's", 7, bo) });
  b.session.keep(guest("renamed", 7, { id: "user_a", nickname: "Anna" }));
  assert.deepEqual([stored(), b.session.user.nickname], ["bo's", "Bo"]);
});

test("only the server's own 401 ends a visit", async () => {
  const { tab, stored } = browser(guest("good"));
  const { session, told } = tab();
  const answers = [new Response("<html>Sign in to the Wi-Fi</html>", { status: 401 }), Response.json({ message: "Unauthorized" }, { status: 401 }),
    Response.json({ type: "/problems/unauthorized", code: "token.expired" }, { status: 401 })];
  const client = new AuctionClient({ baseURL: "https://auction.example", fetch: async () => answers.shift(), tokenProvider: (question) => session.tokenAfter(question) });
  session.onAdopt = (adopted) => client.useSession(adopted);
  client.useSession(session.current);
  await assert.rejects(client.me(), { status: 401, code: "" });
  await assert.rejects(client.me(), { status: 401, code: "" });
  assert.deepEqual([stored(), session.current.token, told.signedOut, client.user.id], ["good", "good", 0, "user_a"]);
  await assert.rejects(client.me(), { code: "token.expired" });
  assert.deepEqual([stored(), session.current, told.signedOut, client.user], [null, null, 1, null]);
});

test("a session that has expired or is damaged is lost, which is said once, and leaves its nickname", () => {
  const expired = browser(guest("old", 7));
  const session = expired.tab(() => 8 * day).session;
  assert.deepEqual([session.isLost, session.user, session.lastNickname], [true, null, "Ann"]);
  const next = expired.tab(() => 8 * day).session;
  assert.deepEqual([next.isLost, next.lastNickname], [false, "Ann"]);
  const damaged = browser();
  damaged.tab().session.keep(guest("good"));
  damaged.storage.set(place, '{"user":');
  assert.deepEqual([damaged.tab().session.isLost, damaged.tab().session.lastNickname], [true, "Ann"]);
  const refused = browser(guest("bad"));
  const tab = refused.tab().session;
  tab.tokenAfter(refusal("bad"));
  assert.deepEqual([tab.isLost, tab.lastNickname], [false, "Ann"]);
  assert.deepEqual([browser().tab().session.isLost, browser().tab().session.lastNickname], [false, ""]);
});

test("a user who signs in is kept in all tabs, and the guest from before is there to be linked", async () => {
  const { tab, storage } = browser(guest("old"));
  const [a, b] = [tab(), tab()];
  assert.deepEqual([a.session.isSignedIn, a.session.leftGuest], [false, null]);
  await a.session.enter(Promise.resolve(guest("bo's", 7, bo)), "https://sso.example");
  b.session.lookAgain();
  for (const { session } of [a, b]) assert.deepEqual([session.user.nickname, session.isSignedIn, session.leftGuest.token], ["Bo", true, "old"]);
  // What the server sends names no provider.
  await b.session.renewIfDue(async () => assert.fail("it is new"));
  b.session.keep(guest("renamed", 7, { id: "user_b", nickname: "Bobo" }));
  a.session.lookAgain();
  assert.deepEqual([a.session.isSignedIn, tab().session.isSignedIn, a.session.user.nickname], [true, true, "Bobo"]);
  a.session.forgetGuest();
  assert.equal(b.session.leftGuest, null);
  await a.session.enter(Promise.resolve(guest("again", 7, bo)), "https://sso.example");
  assert.equal(a.session.leftGuest, null, "who was here was no guest");
  await a.session.become("Cy", { signIn: async () => guest("cy's", 7, { id: "user_c", nickname: "Cy" }) });
  assert.equal(a.session.isSignedIn, false);
  assert.equal(storage.get("auction-room.left-guest"), null);
});

test("who came from another device is known there, has not signed in here, and can be linked once they do", async () => {
  const { tab } = browser(guest("old"));
  const { session } = tab();
  await session.enter(Promise.resolve(guest("bo's", 7, bo)), "");
  assert.deepEqual([session.isSignedIn, session.isKnownElsewhere, session.leftGuest.token], [false, true, "old"]);
  await session.enter(Promise.resolve(guest("dee's", 7, { id: "user_d", nickname: "Dee" })), "");
  assert.equal(session.leftGuest.token, "old", "the guest of this browser, and not who was here from another device");
  await session.enter(Promise.resolve(guest("cy's", 7, { id: "user_c", nickname: "Cy" })), "https://sso.example");
  assert.deepEqual([session.isSignedIn, session.leftGuest.token], [true, "dee's"]);
});

test("a user who signs out is signed out in all tabs, is not asked about at the next visit, and can sign in again", async () => {
  const { tab } = browser();
  const [a, b] = [tab(), tab()];
  await a.session.enter(Promise.resolve(guest("bo's", 7, bo)), "https://sso.example");
  b.session.lookAgain();
  a.session.signOut();
  b.session.lookAgain();
  assert.deepEqual([a.session.user, b.session.user, tab().session.user, tab().session.isLost], [null, null, null, false]);
  assert.deepEqual(b.told.given.at(-1), null);
  await b.session.enter(Promise.resolve(guest("bo's again", 7, bo)), "https://sso.example");
  a.session.lookAgain();
  assert.equal(a.session.current.token, "bo's again");
});

test("a user who signs out while the token is renewed or the nickname changes stays signed out", async () => {
  const { tab, stored } = browser(guest("old", 1));
  const [a, b] = [tab(), tab()];
  let answer;
  const renewal = a.session.renewIfDue(() => new Promise((resolve) => { answer = resolve; }));
  a.session.signOut();
  answer(guest("renewed"));
  await renewal;
  assert.deepEqual([a.session.user, a.told.given.at(-1), stored()], [null, null, null]);
  b.session.keep(guest("renamed"));
  assert.deepEqual([b.session.user, b.told.given.at(-1), stored()], [null, null, null]);
});

test("a guest whose token has expired is not offered to be taken along", async () => {
  let now = 0;
  const { tab } = browser(guest("old", 7));
  const { session } = tab(() => now);
  await session.enter(Promise.resolve(guest("bo's", 30, bo)), "https://sso.example");
  assert.equal(session.leftGuest.token, "old");
  now = 7 * day;
  assert.equal(session.leftGuest, null);
});

test("a user who cannot leave for good stays; one whose token is refused meanwhile is asked who they are", async () => {
  const { session, told } = browser(guest("a's")).tab();
  await assert.rejects(session.leave(async () => { throw new Error("a round needs them"); }), /needs them/);
  assert.deepEqual([session.user.nickname, told.signedOut], ["Ann", 0]);
  const leaving = session.leave(() => new Promise((_, reject) => { setTimeout(() => reject(new Error("lost")), 1); }));
  session.tokenAfter(refusal("a's"));
  assert.equal(told.signedOut, 0, "the answer is not there yet");
  await assert.rejects(leaving, /lost/);
  assert.deepEqual([session.user, told.signedOut], [null, 1]);
});

test("who leaves for good takes no one along who has come in another tab", async () => {
  const { tab, stored } = browser(guest("a's"));
  const [a, b] = [tab(), tab()];
  await a.session.leave(() => b.session.become("Bo", { signIn: async () => guest("bo's", 7, bo) }));
  assert.deepEqual([a.session.user.nickname, stored()], ["Bo", "bo's"]);
});
