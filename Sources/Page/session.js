// Who the person at this page is: a guest's token, kept between visits and renewed before it runs out.

const place = "auction-room.guest";
/** Tokens live for days; one that has less than this left is exchanged. */
const renewBeforeMs = 2 * 24 * 3600 * 1000;

/** A browser may forbid storage; then the token lives as long as the page. */
export function safeStorage(storage) {
  const memory = new Map();
  return {
    get(name) { try { return storage().getItem(name); } catch { return memory.get(name) ?? null; } },
    set(name, value) { try { storage().setItem(name, value); } catch { memory.set(name, value); } },
    remove(name) { memory.delete(name); try { storage().removeItem(name); } catch { /* There was nothing to remove it from. */ } },
  };
}

export class Session {
  #storage;
  #now;
  #current = null;
  onChange = () => {};

  constructor(storage, now = () => Date.now()) {
    this.#storage = storage;
    this.#now = now;
    try {
      const kept = JSON.parse(storage.get(place) ?? "null");
      if (kept?.token && Date.parse(kept.expiresAt) > now()) this.#current = kept;
    } catch { /* Something else wrote there; a new guest will. */ }
  }

  /** As the server gave it: `user`, `token` and `expiresAt`; null without a guest. */
  get current() { return this.#current; }
  get user() { return this.#current?.user ?? null; }

  keep(session) {
    const known = this.#current?.user;
    const isSame = known?.id === session.user.id && known.nickname === session.user.nickname;
    this.#current = session;
    this.#storage.set(place, JSON.stringify(session));
    // A renewed token has the same user, so the view is kept with the text being typed.
    if (!isSame) this.onChange();
  }

  forget() {
    this.#current = null;
    this.#storage.remove(place);
    this.onChange();
  }

  async become(nickname, client) {
    this.keep(await client.signIn(nickname));
  }

  /** Renews a token that expires soon. The handler of a refusal discards a token that the server refuses. */
  async renewIfDue(renew) {
    if (!this.#current || Date.parse(this.#current.expiresAt) - this.#now() > renewBeforeMs) return false;
    this.keep(await renew());
    return true;
  }
}
