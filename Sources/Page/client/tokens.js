// The token that requests carry: one that is given, or what a provider returns, which is asked again when the server refuses it.

export class TokenSource {
  #provider;
  #token;
  #isKnown;
  #pending = null;

  /**
   * @param token the token to begin with; undefined: the provider is asked before the first request
   * @param provider `({ rejected, problem })` returns the token or null, or a promise of it. `rejected` is the token that the server
   *   has refused, and `problem` how; both are null when it is asked for the first time.
   */
  constructor(token, provider = null) {
    this.#provider = provider;
    this.#token = token ?? null;
    this.#isKnown = token !== undefined || !provider;
  }

  /** The last token that was given or provided, or null. */
  get known() { return this.#token; }

  /** Replaces the token. */
  use(token) {
    this.#token = token ?? null;
    this.#isKnown = true;
    // An answer of the provider that is on its way is for the token before.
    this.#pending = null;
  }

  async current() {
    if (!this.#isKnown) await this.#ask({ rejected: null, problem: null });
    return this.#token;
  }

  /** Resolves to whether there is a token now that is not the rejected one. Requests that fail at the same time ask once. */
  async replace(rejected, problem) {
    if (this.#token === rejected && this.#provider) await this.#ask({ rejected, problem });
    return this.#token !== null && this.#token !== rejected;
  }

  #ask(question) {
    if (this.#pending) return this.#pending;
    const pending = (async () => {
      const token = await this.#provider(question);
      if (this.#pending !== pending) return;
      this.#token = token ?? null;
      this.#isKnown = true;
    })();
    const settle = () => { if (this.#pending === pending) this.#pending = null; };
    this.#pending = pending;
    pending.then(settle, settle);
    return pending;
  }
}
