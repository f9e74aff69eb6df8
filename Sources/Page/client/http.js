// All requests to the server: the token, the server's clock, time limits, and the repetition of what may be repeated.
import { checkSuccess, parsed, readText } from "./bodies.js";
import { Doubt } from "./doubt.js";
import { AuctionError, Problem, ProtocolError, Unreachable } from "./errors.js";
import { deadline, jitter, pause, race } from "./timing.js";

/** The longest wait for a response that the server does not hold back on purpose. */
const responseMs = 20_000;
/** A server that asks to wait longer is not waited for. */
const longestDelayMs = 30_000;

export class Requests {
  #options;

  /**
   * @param options `base` (an address without a slash at its end), `tokens` (see tokens.js), `language()`, `fetch`, `timing` (see
   *   timing.js), `clock` (the server's, see clock.js), `random()`, `onRequest(report)`
   */
  constructor(options) {
    this.#options = options;
  }

  get base() { return this.#options.base; }
  get tokens() { return this.#options.tokens; }

  /**
   * The body of the response, or null if it has none.
   * @param given `body` (sent as JSON, or with `type`, a media type, as it is), `key` (of a command, the same in every repetition), `doubt` (see doubt.js; of a command that was sent before),
   *   `accept` (the media type of a body that is no JSON: it comes back as text), `check(body)` (throws a ProtocolError if a success is none of this server), `retries`, `signal`, `isHeld` (the server holds the response
   *   back), `timeoutMs`, `asksForToken` (false: it carries the token that is known, and the provider is not asked), `progress` (see `stream`)
   * @throws Problem if the server refuses, Unreachable if no response arrives, ProtocolError if it is none of this server, AuctionError with
   *   the code `client.tokenProvider`, and the signal's reason
   */
  async request(method, path, given = {}) {
    return (await this.exchange(method, path, given)).body;
  }

  /** Like `request`, with `status`, `headers`, `requestID` and `isReplayed` beside `body`. */
  async exchange(method, path, given = {}) {
    const retries = given.retries ?? 0;
    const doubt = given.doubt ?? (given.key === undefined ? null : new Doubt());
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#once(method, path, { ...given, doubt }, attempt);
      } catch (error) {
        if (!(error instanceof AuctionError)) throw error;
        doubt?.failed(error);
        error.mayHaveExecuted = doubt?.isOpen ?? false;
        const mayRepeat = isTransient(error) || (error.mayHaveExecuted && error.status === 429);
        if (!mayRepeat || attempt >= retries || given.signal?.aborted) throw error;
        const delayMs = Math.max((error.retryAfter ?? 0) * 1000, jitter(attempt, this.#options.random));
        if (delayMs > longestDelayMs) throw error;
        this.#report({ phase: "retry", method, path, attempt, delayMs, error });
        await pause(this.#options.timing, delayMs, given.signal);
      }
    }
  }

  async #once(method, path, given, attempt) {
    const { timing, clock } = this.#options;
    const headers = { Accept: given.accept ? `${given.accept}, application/json` : "application/json" };
    if (given.body !== undefined) headers["Content-Type"] = given.type ?? "application/json";
    if (given.key !== undefined) headers["Idempotency-Key"] = given.key;
    const limit = deadline(timing, given.timeoutMs ?? responseMs, given.signal, () => new Unreachable("No response in time.", { isTimeout: true }));
    try {
      const { response, sentAt, answer } = await this.#authorized(method, path, headers, given, limit.signal, attempt);
      const isReplayed = response.headers.has("Idempotency-Replayed");
      const stamp = answer?.serverTime ?? answer?.receipt?.serverTime;
      // A replayed response carries the time of the first one; a held one has the time at which it was sent.
      if (stamp && !isReplayed) {
        if (given.isHeld) clock.hint(stamp); else clock.sample(stamp, sentAt, timing.now());
      }
      if (!response.ok) throw new Problem(answer, response.status, response.headers);
      const type = response.headers.get("Content-Type") ?? "";
      if (given.accept && !type.toLowerCase().startsWith(given.accept)) throw new ProtocolError(`The response is no ${given.accept}: ${type}`);
      checkSuccess(answer, response.status, method, given);
      return { body: answer, status: response.status, headers: response.headers, requestID: response.headers.get("X-Request-Id"), isReplayed };
    } finally {
      limit.release();
    }
  }

  /** Sends once; after a 401 once more, if the provider has another token. */
  async #authorized(method, path, headers, given, signal, attempt) {
    const asks = given.asksForToken ?? true;
    for (let isSecond = false; ; isSecond = true) {
      given.progress?.("token");
      const token = asks ? await this.token(signal) : this.tokens.known;
      const sentAt = this.#options.timing.now();
      const response = await this.#send(method, path, { ...headers, ...this.#bearer(token) }, { ...given, token }, signal, attempt);
      const text = await this.#guarded(() => readText(response), signal);
      const answer = given.accept && response.ok ? text : parsed(text, response.ok);
      if (response.status !== 401 || !asks || isSecond) return { response, sentAt, answer };
      const problem = new Problem(answer, 401, response.headers);
      given.doubt?.failed(problem);
      if (!await this.#replaced(token, problem, signal, given.progress)) return { response, sentAt, answer };
    }
  }

  /**
   * A response whose body arrives bit by bit; the caller ends it by the signal.
   * @param progress called with "token" before the provider may be asked, "sent", and "answered" when headers have come
   * @throws as `request` does
   */
  async stream(path, headers, signal, progress) {
    for (let isSecond = false; ; isSecond = true) {
      progress?.("token");
      const token = await this.token(signal);
      const response = await this.#send("GET", path, { ...headers, ...this.#bearer(token) }, { progress }, signal, 0);
      if (response.ok) return response;
      const problem = new Problem(parsed(await this.#guarded(() => readText(response), signal), false), response.status, response.headers);
      if (response.status !== 401 || isSecond || !await this.#replaced(token, problem, signal, progress)) throw problem;
    }
  }

  /** The token that requests carry now, or null. @throws AuctionError with the code `client.tokenProvider`, and the signal's reason */
  token(signal) { return provided(this.tokens.current(), signal); }

  #replaced(rejected, problem, signal, progress) {
    progress?.("token");
    return provided(this.tokens.replace(rejected, problem), signal);
  }

  #bearer(token) {
    return { "Accept-Language": this.#options.language(), ...(token === null ? {} : { Authorization: `Bearer ${token}` }) };
  }

  async #send(method, path, headers, given, signal, attempt) {
    // "@other.example/" behind the base would be another server, which must not get the token; nor must the target of a redirection.
    if (!path.startsWith("/")) throw new TypeError(`The path does not begin with a slash: ${path}`);
    const startedAt = this.#options.timing.monotonic();
    const body = given.body === undefined || given.type ? given.body : JSON.stringify(given.body);
    if (signal?.aborted) throw signal.reason;
    given.doubt?.sending(given.token);
    given.progress?.("sent");
    const response = await this.#guarded(() => this.#options.fetch(this.base + path, {
      method, headers, signal, body, cache: "no-store", credentials: "omit", redirect: "error",
    }), signal, { method, path, attempt });
    given.progress?.("answered");
    this.#report({
      phase: "response", method, path, attempt, status: response.status, requestID: response.headers.get("X-Request-Id"),
      durationMs: this.#options.timing.monotonic() - startedAt,
    });
    return response;
  }

  /** Work on the network: what fails is Unreachable, unless this client gave it up itself. */
  async #guarded(work, signal, about = null) {
    try {
      return await work();
    } catch (error) {
      const failure = signal?.aborted ? signal.reason : error instanceof AuctionError ? error : new Unreachable(error?.message, { cause: error });
      if (about) this.#report({ phase: "failed", ...about, error: failure });
      throw failure;
    }
  }

  #report(report) { this.#options.onRequest?.(report); }
}

/**
 * A token of the provider, for as long as the request waits for it. The provider's error may be one of this module, of a request that it
 * made; so it is wrapped, and each of the requests that wait gets an error of its own.
 */
async function provided(asking, signal) {
  try {
    return await race(asking, signal);
  } catch (error) {
    if (signal?.aborted && !(signal.reason instanceof Unreachable)) throw signal.reason;
    const message = signal?.aborted ? "The provider of tokens did not return in time." : "The provider of tokens failed.";
    throw new AuctionError(message, { code: "client.tokenProvider", cause: error });
  }
}

const isTransient = (error) => error instanceof Unreachable || error instanceof ProtocolError || (error instanceof Problem && [502, 503, 504].includes(error.status));
