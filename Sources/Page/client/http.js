// All requests to the server: the token, the server's clock, time limits, and the repetition of what may be repeated.
import { AuctionError, Problem, ProtocolError, Unreachable } from "./errors.js";
import { deadline, jitter, pause } from "./timing.js";

/** The longest wait for a response that the server does not hold back on purpose. */
const responseMs = 20_000;
/** A server that asks to wait longer is not waited for. */
const patienceMs = 30_000;
/** A response that is larger is no response of this server. */
const bodyLimit = 16 * 1024 * 1024;

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
   * @param given `body`, `key` (of a command, the same in every repetition), `isInDoubt` (it may have been executed before), `retries`,
   *   `signal`, `isHeld` (the server holds the response back), `timeoutMs`
   * @throws Problem if the server refuses, Unreachable if no response arrives, and the signal's reason
   */
  async request(method, path, given = {}) {
    return (await this.exchange(method, path, given)).body;
  }

  /** Like `request`, with `status`, `requestID` and `isReplayed` beside `body`. */
  async exchange(method, path, given = {}) {
    const retries = given.retries ?? 0;
    // Whether an attempt may have been executed; then only a decision of the server settles it.
    let isAmbiguous = given.isInDoubt ?? false;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#once(method, path, given, attempt);
      } catch (error) {
        if (!(error instanceof AuctionError)) throw error;
        if (leavesDoubt(error)) isAmbiguous = true;
        error.mayHaveExecuted = given.key !== undefined && isAmbiguous && !settles(error);
        const mayRepeat = isTransient(error) || (error.mayHaveExecuted && error.status === 429);
        if (!mayRepeat || attempt >= retries || given.signal?.aborted) throw error;
        const delayMs = Math.max((error.retryAfter ?? 0) * 1000, jitter(attempt, this.#options.random, { ceilingMs: 4000 }));
        if (delayMs > patienceMs) throw error;
        this.#report({ phase: "retry", method, path, attempt, delayMs, error });
        await pause(this.#options.timing, delayMs, given.signal);
      }
    }
  }

  async #once(method, path, given, attempt) {
    const { timing, clock } = this.#options;
    const headers = { Accept: "application/json" };
    if (given.body !== undefined) headers["Content-Type"] = "application/json";
    if (given.key !== undefined) headers["Idempotency-Key"] = given.key;
    const limit = deadline(timing, given.timeoutMs ?? responseMs, given.signal, () => new Unreachable("No response in time.", { isTimeout: true }));
    try {
      const { response, sentAt, answer } = await this.#authorized(method, path, headers, given.body, limit.signal, attempt);
      const isReplayed = response.headers.has("Idempotency-Replayed");
      const stamp = answer?.serverTime ?? answer?.receipt?.serverTime;
      // A replayed response carries the time of the first one; a held one has the time at which it was sent.
      if (stamp && !isReplayed) {
        if (given.isHeld) clock.hint(stamp); else clock.sample(stamp, sentAt, timing.now());
      }
      if (!response.ok) throw new Problem(answer, response.status, response.headers);
      return { body: answer, status: response.status, requestID: response.headers.get("X-Request-Id"), isReplayed };
    } finally {
      limit.release();
    }
  }

  /** Sends once; after a 401 once more, if the provider has another token. */
  async #authorized(method, path, headers, body, signal, attempt) {
    for (let isSecond = false; ; isSecond = true) {
      const token = await this.tokens.current();
      const sentAt = this.#options.timing.now();
      const response = await this.#send(method, path, { ...headers, ...this.#bearer(token) }, body, signal, attempt);
      const answer = parsed(await this.#guarded(() => readText(response), signal), response.ok);
      const mayAsk = response.status === 401 && token !== null && !isSecond;
      if (!mayAsk || !await this.tokens.replace(token, new Problem(answer, 401, response.headers))) return { response, sentAt, answer };
    }
  }

  /**
   * A response whose body arrives bit by bit; the caller ends it by the signal.
   * @throws as `request` does
   */
  async stream(path, headers, signal) {
    for (let isSecond = false; ; isSecond = true) {
      const token = await this.tokens.current();
      const response = await this.#send("GET", path, { ...headers, ...this.#bearer(token) }, undefined, signal, 0);
      if (response.ok) return response;
      const problem = new Problem(parsed(await this.#guarded(() => readText(response), signal), false), response.status, response.headers);
      if (response.status !== 401 || token === null || isSecond || !await this.tokens.replace(token, problem)) throw problem;
    }
  }

  #bearer(token) {
    return { "Accept-Language": this.#options.language(), ...(token === null ? {} : { Authorization: `Bearer ${token}` }) };
  }

  async #send(method, path, headers, body, signal, attempt) {
    // "@other.example/" behind the base would be another server, which must not get the token; nor must the target of a redirection.
    if (!path.startsWith("/")) throw new TypeError(`The path does not begin with a slash: ${path}`);
    const startedAt = this.#options.timing.monotonic();
    const response = await this.#guarded(() => this.#options.fetch(this.base + path, {
      method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store", credentials: "omit", redirect: "error",
    }), signal, { method, path, attempt });
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

/** An intermediary's page about an error is no JSON; where the server succeeded, it must be. */
function parsed(text, isSuccess) {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isSuccess) throw new ProtocolError("The response is not JSON.", { cause: error });
    return null;
  }
}

async function readText(response) {
  if (!response.body?.getReader) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; ;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > bodyLimit) {
      reader.cancel().catch(() => {});
      throw new ProtocolError(`The response has more than ${bodyLimit} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

const gateways = [500, 502, 503, 504];
const isTransient = (error) => error instanceof Unreachable || error instanceof ProtocolError || (error instanceof Problem && [502, 503, 504].includes(error.status));
/** After `service.unavailable` the server has certainly not executed the command; after any other failure of its own it may have. */
const leavesDoubt = (error) => error instanceof Unreachable || error instanceof ProtocolError
  || (error instanceof Problem && gateways.includes(error.status) && error.code !== "service.unavailable" && error.code !== "idempotency.too_many_keys");
/** A repetition gets the first one's response if that was accepted, so a refusal that comes after this check decides both. */
const settles = (error) => error instanceof Problem && [403, 409, 422].includes(error.status) && error.code !== "idempotency.key_reused";
