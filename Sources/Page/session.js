// Who the person at this page is: a guest, or a user of a provider, with a token that is kept between visits and renewed before it runs
// out. All tabs share what is stored, so each takes over what another has stored since, and removes or replaces only what it knows.

import { Problem } from "./client/auction-client.js";

const place = "auction-room.guest";
/** The nickname of the last guest, which is still there when the token is not. */
const namePlace = "auction-room.nickname";
/** The guest from before a user signed in, who can be linked. */
const leftPlace = "auction-room.left-guest";
/** Tokens live for days; one that has less than this left is exchanged. */
const renewBeforeMs = 2 * 24 * 3600 * 1000;
/** A server that could not be reached is asked again after this. */
const renewAgainMs = 60_000;

export class Session {
  #storage;
  #now;
  #current = null;
  /** Of the last guest, also after that one was signed out. */
  #userID = null;
  #isLost = false;
  #isLeaving = false;
  /** The guest is another, or has another nickname. */
  onChange = () => {};
  /** Another tab has become another guest, or the first one, and this one goes on as that guest; before `onChange`. */
  onOther = () => {};
  /** Requests are made with this session from now on; null: without one. */
  onAdopt = () => {};
  /** The server refuses the token, and there is no other. */
  onSignedOut = () => {};

  constructor(storage, now = () => Date.now()) {
    this.#storage = storage;
    this.#now = now;
    this.#current = this.#usable();
    this.#userID = this.user?.id ?? null;
    this.#isLost = this.#current === null && storage.get(place) !== null && this.#signedOut() === null;
    if (!this.#isLost) return;
    const nickname = this.#stored()?.user.nickname;
    if (nickname) storage.set(namePlace, nickname);
    // Asked about once, and not at every visit.
    storage.remove(place);
  }

  /** What was stored is damaged or has expired: the guest of the last visit cannot go on. */
  get isLost() { return this.#isLost; }
  /** The nickname of the last guest in this browser; empty without one. */
  get lastNickname() { return this.#storage.get(namePlace) ?? ""; }

  /** As the server gave it: `user`, `token` and `expiresAt`; null without a guest. */
  get current() { return this.#current; }
  get user() { return this.#current?.user ?? null; }
  /** Whether the user has signed in with a provider here. */
  get isSignedIn() { return Boolean(this.#current?.issuer); }
  /** Whether the user is known elsewhere too, by a provider or on another device, and is no guest of this browser alone. */
  get isKnownElsewhere() { return typeof this.#current?.issuer === "string"; }
  /** The session of the guest from before the user signed in, or came from another device; null without one. */
  get leftGuest() { return this.isKnownElsewhere ? this.#valid(read(this.#storage.get(leftPlace))) : null; }

  /** A session of the user who is here, with a new nickname for example; unless they have signed out, or are another one by now. */
  keep(session) {
    const stored = this.#usable();
    if (this.#signedOut() !== null || (stored && stored.user.id !== session.user.id)) return this.#adopt(stored);
    this.#store(session);
    this.#adopt(session);
  }

  /** A new guest, in all tabs. */
  async become(nickname, client) {
    const session = await client.signIn(nickname);
    this.#store(session);
    this.#become(session);
  }

  /**
   * A user whom a provider or another device has told the server, in all tabs. A guest who was here before can be linked.
   * @param signingIn resolves with the session @param issuer of the provider; empty: a provider or not, the other device knows
   */
  async enter(signingIn, issuer) {
    const session = { ...await signingIn, issuer };
    const before = this.#current;
    // One who came from another device may be a guest there.
    const isGuest = issuer === "" ? !this.isKnownElsewhere : !this.isSignedIn;
    if (before && isGuest && before.user.id !== session.user.id) this.#storage.set(leftPlace, JSON.stringify(before));
    this.#store(session);
    this.#become(session);
  }

  /** The guest of before is linked. */
  forgetGuest() { this.#storage.remove(leftPlace); }

  /** The user leaves this browser, in all tabs. */
  signOut() {
    this.#storage.set(place, JSON.stringify({ signedOut: this.#userID ?? "" }));
    this.#storage.remove(leftPlace);
    this.#adopt(null);
  }

  /**
   * The user leaves the service for good, and this browser with it. Their token is refused before the service has answered, which is no
   * reason to ask who they are. @param request makes it, and resolves when the service has erased the user
   */
  async leave(request) {
    const { id } = this.user;
    this.#isLeaving = true;
    try { await request(); } catch (error) {
      if (!this.user) this.onSignedOut();
      throw error;
    } finally { this.#isLeaving = false; }
    this.lookAgain();
    // Another tab may have become another guest meanwhile.
    if (this.#userID !== id) return;
    this.signOut();
    this.#storage.remove(namePlace);
  }

  /** Renews a token that expires soon. The handler of a refusal discards a token that the server refuses. */
  async renewIfDue(renew) {
    this.lookAgain();
    if (!this.#current || Date.parse(this.#current.expiresAt) - this.#now() > renewBeforeMs) return false;
    const { token } = this.#current;
    const renewed = await renew();
    const isStored = this.#stored()?.token === token;
    // Another tab has renewed it too, or is another guest; or the user has signed out.
    if (!isStored && (this.#usable() || this.#signedOut() !== null)) this.#adopt(this.#usable()); else this.#become(renewed);
    if (isStored) this.#store(renewed);
    return true;
  }

  /** Takes over what another tab has stored. */
  lookAgain() {
    const stored = this.#usable();
    if (stored && stored.token !== this.#current?.token) this.#adopt(stored);
    else if (this.user && this.#signedOut() === this.user.id) this.#adopt(null);
  }

  /** What the client's provider of tokens returns: another token of the same guest, or none. */
  tokenAfter({ rejected, problem }) {
    // There is one from the beginning, or none. And what something in between the two says is no refusal of the token.
    if (rejected === null || !problem.isFromServer) return rejected;
    if (this.user) this.#storage.set(namePlace, this.user.nickname);
    if (this.#stored()?.token === rejected) this.#storage.remove(place);
    const stored = this.#usable();
    if (stored && stored.user.id === this.user?.id) { this.#adopt(stored); return stored.token; }
    this.#adopt(null);
    // Later: what one guest has asked for must not be repeated as the guest that another tab has become.
    if (stored) setTimeout(() => this.lookAgain()); else if (!this.#isLeaving) this.onSignedOut();
    return null;
  }

  #adopt(session) {
    this.onAdopt(session);
    if (session && session.user.id !== this.#userID) this.onOther();
    this.#become(session);
  }

  #become(session) {
    const known = this.user;
    this.#current = session;
    this.#userID = this.user?.id ?? this.#userID;
    // A renewed token has the same user, so the view is kept with the text being typed.
    if (known?.id !== this.user?.id || known?.nickname !== this.user?.nickname) this.onChange();
  }

  /** What the server renews or renames says nothing of where the user has signed in. */
  #store(session) {
    const { issuer } = session.user.id === this.user?.id ? { ...this.#current, ...session } : session;
    if (issuer !== undefined) session.issuer = issuer;
    this.#storage.set(place, JSON.stringify(session));
    this.#storage.set(namePlace, session.user.nickname);
  }

  /** What is stored, by this tab or another; null without a session. */
  #stored() { return read(this.#storage.get(place)); }

  /** The id of the user who has signed out in a tab; null if the last to be here has not. */
  #signedOut() {
    try {
      return JSON.parse(this.#storage.get(place) ?? "null")?.signedOut ?? null;
    } catch { return null; }
  }

  /** What is stored and has not expired. */
  #usable() { return this.#valid(this.#stored()); }

  #valid(session) { return session && Date.parse(session.expiresAt) > this.#now() ? session : null; }
}

/** A session that was stored; null for anything else. */
function read(text) {
  try {
    const stored = JSON.parse(text ?? "null");
    return stored?.token && stored.user?.id ? stored : null;
  } catch { return null; /* Something else wrote there; a new session will. */ }
}

/** Renews the token of a session when it is called, and after a failure again by itself, with one timer however often it is called. */
export function makeRenewal(session, renew) {
  let again = null;
  return async function attempt() {
    try {
      await session.renewIfDue(renew);
    } catch (error) {
      // An unreachable server does not sign the user out, nor does an intermediary; a token that was refused is at the next request.
      if (error instanceof Problem && error.isFromServer) return;
      clearTimeout(again);
      again = setTimeout(attempt, renewAgainMs);
    }
  };
}
