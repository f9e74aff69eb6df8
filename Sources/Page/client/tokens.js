// The token that requests carry: one that is given, or what a provider returns, which is asked again when the server refuses it.
import { systemClock } from "./timing.js";

/** A provider may show a dialog. One that takes longer has failed, and is asked again by the next request. */
const providerMs = 120_000;

export class TokenSource {
  #provider;
  #timing;
  #token;
  #isKnown;
  #pending = null;
  /** Changes with the token; an answer to a question from before is given up. */
  #version = 0;

  /**
   * @param token the token to begin with; undefined: the provider is asked before the first request
   * @param provider `({ rejected, problem })` returns the token or null, or a promise of it. `rejected` is the token that the server
   *   has refused (null: it wants one), and `problem` how; both are null when it is asked for the first time.
   */
  constructor(token, provider = null, timing = systemClock) {
    this.#provider = provider;
    this.#timing = timing;
    this.#token = token ?? null;
    this.#isKnown = token !== undefined || !provider;
  }

  /** The last token that was given or provided, or null. */
  get known() { return this.#token; }

  /** Replaces the token. Requests that wait for the provider go on with it. */
  use(token) {
    this.#token = token ?? null;
    this.#isKnown = true;
    this.#version += 1;
    this.#settle("resolve");
  }

  /** @throws what the provider throws, or that it took too long */
  async current() {
    if (!this.#isKnown) await this.#ask({ rejected: null, problem: null });
    return this.#token;
  }

  /**
   * Resolves to whether there is a token now that is not the rejected one. Requests that fail at the same time ask once.
   * @param rejected null if the server refused a request without a token
   * @throws as `current` does
   */
  async replace(rejected, problem) {
    if (this.#token === rejected && this.#provider) await this.#ask({ rejected, problem });
    return this.#token !== null && this.#token !== rejected;
  }

  #ask(question) {
    if (this.#pending) return this.#pending.promise;
    const pending = {};
    this.#pending = pending;
    pending.promise = new Promise((resolve, reject) => Object.assign(pending, { resolve, reject }));
    // The requests that wait may have given up.
    pending.promise.catch(() => {});
    pending.timer = this.#timing.setTimeout(() => fail(new Error("The provider of tokens did not return.")), providerMs);
    const fail = (error) => { if (this.#pending === pending) this.#settle("reject", error); };
    const version = this.#version;
    // Later, so that requests that the provider makes find the question, and do not ask again.
    Promise.resolve().then(() => this.#provider(question)).then((token) => { if (this.#version === version) this.use(token); }, fail);
    return pending.promise;
  }

  #settle(how, value) {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = null;
    this.#timing.clearTimeout(pending.timer);
    pending[how](value);
  }
}
