// The page signs a user in with a provider, and takes nothing that this sign-in has not asked for.
import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { test } from "node:test";
import { ProviderSignIn, readSettings } from "../../Sources/Page/provider-sign-in.js";

const issuer = "https://sso.example";
const known = { issuer, clientId: "page", authorizationEndpoint: `${issuer}/authorize?theme=dark`, tokenEndpoint: `${issuer}/token` };
const tokenOf = (claims) => `h.${Buffer.from(JSON.stringify({ iss: issuer, name: "阿", ...claims })).toString("base64url")}.s`;

/** A tab at an address. `left()` is where it has gone; `tokens` are the requests for tokens; `answer` makes the response of one. */
function tab({ settings = known, address = "https://auction.example/?lang=zh#/rooms/room_x", answer, now = () => 0, crypto = webcrypto } = {}) {
  const kept = new Map();
  const tokens = [];
  let left = null;
  let location = null;
  const environment = {
    crypto, now,
    storage: { get: (name) => kept.get(name) ?? null, set: (name, value) => kept.set(name, value), remove: (name) => kept.delete(name) },
    fetch: async (url, { method, body, redirect, credentials }) => {
      tokens.push({ url, method, redirect, credentials, ...Object.fromEntries(body) });
      return answer(tokens.at(-1));
    },
  };
  const open = (href) => {
    const url = new URL(href);
    location = { origin: url.origin, pathname: url.pathname, search: url.search, hash: url.hash, href, assign: (to) => { left = new URL(to); } };
    return new ProviderSignIn(settings, { ...environment, location, history: { replaceState: (_, __, to) => open(new URL(to, href).href) } });
  };
  return { page: open(address), open, kept, tokens, left: () => left, address: () => location.href };
}

/** Goes to the provider and comes back with what it says; `given` replaces members. */
async function back(it, given = {}) {
  await it.page.begin();
  const asked = it.left().searchParams;
  const answer = { code: "c0de", state: asked.get("state"), ...given };
  return { asked, page: it.open(`https://auction.example/?${new URLSearchParams(Object.entries(answer).filter(([, value]) => value !== null))}`) };
}
const fails = (page, key) => assert.rejects(page.finish(), (error) => { assert.equal(error.key, key); return true; });

test("a user goes to the provider and comes back where they were, with a token that is bound to this sign-in", async () => {
  let nonce = "";
  const it = tab({ answer: () => Response.json({ id_token: tokenOf({ nonce }), access_token: "x" }) });
  const { asked, page } = await back(it, { iss: issuer });
  nonce = asked.get("nonce");
  assert.deepEqual(await page.finish(), { idToken: tokenOf({ nonce }), nonce, issuer });
  assert.equal(it.address(), "https://auction.example/?lang=zh#/rooms/room_x");
  assert.deepEqual(["theme", "response_type", "client_id", "redirect_uri", "scope", "code_challenge_method"].map((name) => asked.get(name)),
    ["dark", "code", "page", "https://auction.example/", "openid profile", "S256"]);
  const [{ code_verifier: verifier, ...sent }] = it.tokens;
  assert.deepEqual(sent, {
    url: `${issuer}/token`, method: "POST", redirect: "error", credentials: "omit", grant_type: "authorization_code", code: "c0de",
    redirect_uri: "https://auction.example/", client_id: "page",
  });
  assert.equal(createHash("sha256").update(verifier).digest("base64url"), asked.get("code_challenge"));
  assert.equal(new Set([verifier, nonce, asked.get("state")]).size, 3);
  assert.equal(it.kept.size, 0, "neither the verifier nor the nonce is kept");
});

test("what this tab has not asked for, or too long ago, is not exchanged", async () => {
  let time = 0;
  for (const [given, wait, key] of [[{ state: "other" }, 0, "signIn.notBegun"], [{}, 31 * 60_000, "signIn.notBegun"], [{ iss: "https://evil.example" }, 0, "signIn.otherIssuer"]]) {
    const it = tab({ now: () => time, answer: () => assert.fail("no code may be sent") });
    const { page } = await back(it, given);
    time += wait;
    await fails(page, key);
    assert.equal(it.kept.size, 0);
    assert.doesNotMatch(it.address(), /code|state/, "a reload does not try again");
  }
  const it = tab({ answer: () => assert.fail("no code may be sent") });
  await fails(it.open("https://auction.example/?code=stolen&state=x"), "signIn.notBegun");
});

test("a code that comes back twice is exchanged once", async () => {
  const it = tab({ answer: () => Response.json({ id_token: tokenOf({ nonce: it.left().searchParams.get("nonce") }) }) });
  const { asked, page } = await back(it);
  await page.finish();
  await fails(it.open(`https://auction.example/?code=c0de&state=${asked.get("state")}`), "signIn.notBegun");
  assert.equal(it.tokens.length, 1);
});

test("a token of another issuer or another sign-in is not used", async () => {
  for (const [claims, key] of [[{ iss: "https://evil.example" }, "signIn.otherIssuer"], [{ nonce: "other" }, "signIn.notBegun"], [{ nonce: undefined }, "signIn.notBegun"]]) {
    const it = tab({ answer: () => Response.json({ id_token: tokenOf({ nonce: it.left().searchParams.get("nonce"), ...claims }) }) });
    await fails((await back(it)).page, key);
  }
  const it = tab({ answer: () => Response.json({ id_token: "no token" }) });
  await fails((await back(it)).page, "signIn.otherIssuer");
});

test("what the provider refuses is said in words, with its own", async () => {
  const refused = [
    [{ code: null, error: "access_denied" }, () => assert.fail(), "signIn.denied", "access_denied"],
    [{ code: null, state: null, error: "access_denied" }, () => assert.fail(), "signIn.denied", "access_denied"],
    [{ code: null, error: "server_error", error_description: "Try later" }, () => assert.fail(), "signIn.refused", "Try later"],
    [{}, () => Response.json({ error: "invalid_grant", error_description: "Too old" }, { status: 400 }), "signIn.refused", "Too old"],
    [{}, () => new Response("<html>", { status: 502 }), "signIn.noAnswer", ""],
    [{}, () => { throw new TypeError("no network"); }, "signIn.noAnswer", ""],
  ];
  for (const [given, answer, key, detail] of refused) {
    const { page } = await back(tab({ answer }), given);
    await assert.rejects(page.finish(), (error) => { assert.deepEqual([error.key, error.detail], [key, detail]); return true; });
  }
});

test("nobody is sent to a provider that the server has not reached, nor without HTTPS", async () => {
  for (const missing of ["authorizationEndpoint", "tokenEndpoint"]) {
    await assert.rejects(tab({ settings: { ...known, [missing]: null } }).page.begin(), { key: "signIn.away" });
  }
  await assert.rejects(tab({ crypto: { getRandomValues: (bytes) => bytes } }).page.begin(), { key: "signIn.insecure" });
  assert.equal(await tab({ address: "https://auction.example/?error=access_denied" }).page.finish(), null, "nothing was begun");
  const { page } = tab({ settings: null, address: "https://auction.example/?code=x" });
  assert.deepEqual([page.isOffered, page.name, await page.finish()], [false, "", null]);
});

test("without settings there are guests, as before", async () => {
  assert.deepEqual(await readSettings({ request: async () => { throw new Error("offline"); } }), { guests: true, signIn: null, voice: null });
  assert.deepEqual(await readSettings({ request: async () => ({ guests: false, signIn: known }) }), { guests: false, signIn: known, voice: null });
  assert.deepEqual((await readSettings({ request: async () => ({ guests: true, signIn: null, voice: { client: null } }) })).voice, { client: null });
});
