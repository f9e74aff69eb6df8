// All requests to the server. Commands carry a key, so that repeating one whose response was lost executes it once.

export class Problem extends Error {
  constructor(body, status, headers) {
    super(body?.detail ?? `HTTP ${status}`);
    this.name = "Problem";
    this.status = status;
    this.code = body?.code ?? "";
    this.detail = body?.detail ?? "";
    this.field = body?.field ?? null;
    this.required = body?.permission?.required ?? body?.required ?? null;
    this.actual = body?.permission?.actual ?? body?.actual ?? null;
    this.category = body?.permission?.category ?? null;
    this.allowedActions = body?.permission?.allowedActions ?? null;
    this.retryAfter = Number(headers?.get("Retry-After")) || null;
  }
}

/** The server was not reached; the request may or may not have been executed. */
export class Unreachable extends Error {
  name = "Unreachable";
}

/** Unlike randomUUID this exists on plain http too, as on a phone that visits a computer in the same network. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param options `token()`, `language()`, `clock`, and `onUnauthorized(problem)` when the token no longer counts
 * @returns request(method, path, {body, key, retries, signal}), the body of the answer or null
 */
export function makeRequest(options, fetching = (...given) => fetch(...given), wait = pause) {
  async function once(method, path, { body, key, signal, isHeld }) {
    const token = options.token();
    const headers = { "Accept-Language": options.language(), Accept: "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    const sentAt = Date.now();
    let response, text;
    try {
      response = await fetching(path, {
        method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store", credentials: "omit",
      });
      text = await response.text();
    } catch (error) {
      if (signal?.aborted && error?.name === "AbortError") throw error;
      throw new Unreachable(error?.message);
    }
    const receivedAt = Date.now();
    let answer = null;
    try { answer = text ? JSON.parse(text) : null; } catch { /* Not from the server: an intermediary responded. */ }
    const stamp = answer?.serverTime ?? answer?.receipt?.serverTime;
    // A replayed response carries the time of the first one; a long-poll's response has the time at which it was sent.
    if (stamp && !response.headers.get("Idempotency-Replayed")) {
      if (isHeld) options.clock?.hint(stamp); else options.clock?.sample(stamp, sentAt, receivedAt);
    }
    if (response.ok) return answer;
    const problem = new Problem(answer, response.status, response.headers);
    if (response.status === 401 && token && token === options.token()) options.onUnauthorized?.(problem);
    throw problem;
  }

  async function request(method, path, given = {}) {
    const isCommand = given.isCommand ?? method === "POST";
    const retries = given.retries ?? (isCommand || method === "PATCH" ? 4 : 0);
    const call = { ...given, key: isCommand ? given.key ?? newKey() : undefined };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(method, path, call);
      } catch (error) {
        const mayRepeat = error instanceof Unreachable || (error instanceof Problem && error.status === 503);
        if (!mayRepeat || attempt >= retries || given.signal?.aborted) throw error;
        options.onRetry?.(attempt);
        await wait(Math.min(4000, (error.retryAfter ?? 0) * 1000 || 400 * 2 ** attempt));
      }
    }
  }
  request.hasToken = () => Boolean(options.token());
  return request;
}
