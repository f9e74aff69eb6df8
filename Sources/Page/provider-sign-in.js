// Signing in with a provider: OpenID Connect's Authorization Code flow with PKCE (RFC 7636), and without a secret. The browser leaves the
// page for the provider, which sends it back with a code; the page exchanges that for an ID token, and the server that for its own token.

/** What a sign-in in progress is kept as, in the storage of its tab. */
const place = "auction-room.sign-in";
/** A user who needs longer than this at the provider begins again. */
const lifetimeMs = 30 * 60_000;
const requestMs = 15_000;

/** `key` names the text for the user; `detail` is what the provider says. */
export class SignInFailure extends Error {
  constructor(key, detail = "") {
    super(key);
    Object.assign(this, { key, detail });
  }
}

export class ProviderSignIn {
  #settings;
  #storage;
  #location;
  #history;
  #fetch;
  #crypto;
  #now;

  /**
   * @param settings `signIn` of the server's settings: `issuer`, `clientId`, and the endpoints, null while the server does not know them;
   *   null: there is no provider
   * @param environment what the browser has: `storage` (of the tab), `location`, `history`, `fetch`, `crypto`, `now`
   */
  constructor(settings, { storage, location, history, fetch, crypto, now = () => Date.now() }) {
    this.#settings = settings;
    this.#storage = storage;
    this.#location = location;
    this.#history = history;
    this.#fetch = fetch;
    this.#crypto = crypto;
    this.#now = now;
  }

  get isOffered() { return this.#settings !== null; }
  get issuer() { return this.#settings?.issuer ?? null; }
  /** As users know it. */
  get name() { return this.#settings ? new URL(this.#settings.issuer).hostname : ""; }

  /** Goes to the provider; the page ends. @throws SignInFailure */
  async begin() {
    const { issuer, clientId, authorizationEndpoint, tokenEndpoint } = this.#settings;
    if (!authorizationEndpoint || !tokenEndpoint) throw new SignInFailure("signIn.away");
    // Browsers hash only for pages by HTTPS, and on this machine.
    if (!this.#crypto.subtle) throw new SignInFailure("signIn.insecure");
    const [state, nonce, verifier] = [this.#random(), this.#random(), this.#random()];
    const { search, hash } = this.#location;
    this.#storage.set(place, JSON.stringify({ state, nonce, verifier, issuer, clientId, tokenEndpoint, search, hash, begunAt: this.#now() }));
    const digest = await this.#crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const address = new URL(authorizationEndpoint);
    const parameters = {
      response_type: "code", client_id: clientId, redirect_uri: this.#redirect, scope: "openid profile", state, nonce,
      code_challenge: base64URL(new Uint8Array(digest)), code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    this.#location.assign(address.href);
  }

  /**
   * What the browser came back with: `{ idToken, nonce, issuer }`; null if it does not come from a provider. Also after a failure, the
   * address is then what it was when the user left.
   * @throws SignInFailure
   */
  async finish() {
    const given = new URLSearchParams(this.#location.search);
    const begun = this.#begun();
    // Some providers leave the state out of what they refuse; then it has to be a refusal of what was begun here.
    const isRefusal = given.has("error") && (given.has("state") || begun !== null);
    if (!isRefusal && !(given.has("code") && given.has("state"))) return null;
    // A code is good for one exchange: it is not to be found in the history, nor to be sent by a reload.
    this.#storage.remove(place);
    this.#history.replaceState(null, "", `${this.#location.pathname}${begun?.search ?? ""}${begun?.hash ?? ""}`);
    if (!begun || (begun.state !== given.get("state") && !(isRefusal && !given.has("state"))) || this.#now() - begun.begunAt > lifetimeMs) throw new SignInFailure("signIn.notBegun");
    // Another provider answers in place of the one that was asked (RFC 9207).
    if (given.has("iss") && given.get("iss") !== begun.issuer) throw new SignInFailure("signIn.otherIssuer");
    if (given.has("error")) {
      const isRefused = given.get("error") === "access_denied";
      throw new SignInFailure(isRefused ? "signIn.denied" : "signIn.refused", given.get("error_description") ?? given.get("error"));
    }
    const idToken = await this.#exchange(given.get("code"), begun);
    const claims = claimsOf(idToken);
    if (claims?.iss !== begun.issuer) throw new SignInFailure("signIn.otherIssuer");
    if (claims.nonce !== begun.nonce) throw new SignInFailure("signIn.notBegun");
    return { idToken, nonce: begun.nonce, issuer: begun.issuer };
  }

  async #exchange(code, { verifier, clientId, tokenEndpoint }) {
    const form = { grant_type: "authorization_code", code, redirect_uri: this.#redirect, client_id: clientId, code_verifier: verifier };
    let body;
    try {
      const response = await this.#fetch(tokenEndpoint, {
        method: "POST", body: new URLSearchParams(form), credentials: "omit", redirect: "error", referrerPolicy: "no-referrer",
        signal: AbortSignal.timeout(requestMs),
      });
      body = await response.json();
    } catch {
      throw new SignInFailure("signIn.noAnswer");
    }
    if (typeof body?.id_token === "string") return body.id_token;
    throw new SignInFailure("signIn.refused", String(body?.error_description ?? body?.error ?? "").slice(0, 200));
  }

  get #redirect() { return `${this.#location.origin}/`; }

  #random() { return base64URL(this.#crypto.getRandomValues(new Uint8Array(32))); }

  #begun() {
    try {
      const begun = JSON.parse(this.#storage.get(place) ?? "null");
      return typeof begun?.state === "string" ? begun : null;
    } catch { return null; }
  }
}

const base64URL = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** The claims of a token, which the server verifies; null if it is none. */
function claimsOf(token) {
  try {
    const bytes = Uint8Array.from(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch { return null; }
}

/** What the server says of how users sign in, and of the sound of rooms; guests only, and no sound, where it says nothing. */
export async function readSettings(client) {
  try {
    const { guests, signIn, voice } = await client.request("GET", "/page/settings.json");
    return { guests: guests === true, signIn: signIn ?? null, voice: voice ?? null };
  } catch {
    return { guests: true, signIn: null, voice: null };
  }
}
