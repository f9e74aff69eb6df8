// Requests of a call: as a curl command, and as sent by the page for a guest of its own. The one module of these pages that sends any.

const identifier = /^([a-z]+)_[0-9a-z]{20,}$/;
const picture = /^\/v1\/media\/([0-9a-f]{64})$/;
/** What is shown of an answer; the rest is only counted. */
const shownCharacters = 60_000;

/** The text of a file of this server. */
export async function read(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param values `parameters` by name, texts; `body`, a text or a file; `type` of the body; `key` for the call if it takes one
 * @returns `method`, `target`, `headers`, `body`; without the token
 */
export function requestOf(call, values) {
  const given = (place) => call.parameters.filter((each) => each.in === place && (values.parameters[each.name] ?? "") !== "");
  let target = call.path;
  for (const { name } of given("path")) target = target.replace(`{${name}}`, encodeURIComponent(values.parameters[name]));
  const query = given("query").map(({ name }) => `${encodeURIComponent(name)}=${encodeURIComponent(values.parameters[name])}`).join("&");
  const headers = given("header").map(({ name }) => [name, values.parameters[name]]);
  if (call.parameters.some(({ name }) => name === "Idempotency-Key")) headers.push(["Idempotency-Key", values.key]);
  const hasBody = call.body !== null && values.body !== "" && values.body !== null;
  if (hasBody) headers.push(["Content-Type", values.type]);
  return { method: call.method, target: query ? `${target}?${query}` : target, headers, body: hasBody ? values.body : null };
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** @returns a command of a POSIX shell, with the token in TOKEN where the call takes one */
export function curlOf(call, request, origin) {
  const lines = [`curl -s${request.method === "GET" ? "" : ` -X ${request.method}`} ${quoted(origin + request.target)}`];
  if (call.token === "required") lines.push('-H "Authorization: Bearer $TOKEN"');
  // Without a token the header is empty, and curl sends none.
  if (call.token === "optional") lines.push('-H "${TOKEN:+Authorization: Bearer $TOKEN}"');
  for (const [name, value] of request.headers) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (typeof request.body === "string") lines.push(`--data-binary ${quoted(request.body)}`);
  else if (request.body !== null) lines.push(`--data-binary ${quoted(`@${request.body.name ?? "file"}`)}`);
  return lines.join(" \\\n  ");
}

/** The value of a JSON text; undefined if it is none. */
function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}

/** The guest for whom the page sends, and the ids that the answers had: they take the place of those in the examples. */
export class Guest {
  #send;
  #token = null;
  #becoming = null;
  #known = new Map();

  /** @param send as `fetch` */
  constructor(send = (target, options) => fetch(target, options)) { this.#send = send; }

  /** The user, as the server describes it; null: there is none yet. */
  user = null;

  /** A value of an example, with the ids that are known instead of those of its kinds. */
  fill(value) {
    if (Array.isArray(value)) return value.map((each) => this.fill(each));
    if (value !== null && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.fill(each)]));
    if (typeof value !== "string") return value;
    const kind = /^[0-9a-f]{64}$/.test(value) ? "picture" : identifier.exec(value)?.[1];
    return this.#known.get(kind) ?? value;
  }

  /**
   * @returns `status`, `headers`, `text`; `size` if the text is none or was cut; `isDecided` unless the request may have been carried out
   * unseen, as after 503 `service.outcome_unknown` or the 502 of a proxy. Throws where there is no answer.
   */
  async send(call, request) {
    if (call.token === "required" && this.#token === null) {
      // Calls that are tried at once are of one guest.
      this.#becoming ??= this.#become().finally(() => { this.#becoming = null; });
      const refusal = await this.#becoming;
      if (refusal) return refusal;
    }
    const token = call.token === "none" ? null : this.#token;
    const answer = await this.#exchange(request, token !== null);
    // After a week the token has expired: the next call is of a new guest, unless there is one by now.
    if (answer.status === 401 && token !== null && token === this.#token) this.#token = this.user = null;
    return answer;
  }

  async #become() {
    const headers = [["Content-Type", "application/json"]];
    const answer = await this.#exchange({ method: "POST", target: "/v1/guests", headers, body: JSON.stringify({ nickname: "Reader" }) }, false);
    return this.#token === null ? answer : null;
  }

  async #exchange({ method, target, headers, body }, isSentWithToken) {
    const all = isSentWithToken ? [["Authorization", `Bearer ${this.#token}`], ...headers] : headers;
    const response = await this.#send(target, { method, headers: all, body, cache: "no-store", credentials: "omit" });
    const type = response.headers.get("Content-Type") ?? "";
    const answer = { status: response.status, headers: [...response.headers], text: "", size: null, isDecided: response.status < 500 };
    if (!/json|text|xml|yaml|javascript/.test(type)) {
      answer.size = (await response.arrayBuffer()).byteLength;
      return answer;
    }
    answer.text = await response.text();
    const value = parsed(answer.text);
    if (value !== undefined) {
      if (response.ok) this.#learn(value);
      answer.text = JSON.stringify(value, null, 2);
    }
    if (answer.text.length > shownCharacters) {
      answer.size = answer.text.length;
      answer.text = answer.text.slice(0, shownCharacters);
    }
    return answer;
  }

  /** Of each kind of id the first in an answer, which is what it is about. */
  #learn(value) {
    if (value?.token && value.user) {
      this.#token = value.token;
      this.user = value.user;
    }
    const seen = new Map();
    const walk = (each) => {
      if (typeof each === "string") {
        const found = picture.exec(each);
        const kind = found ? "picture" : identifier.exec(each)?.[1];
        if (kind && !seen.has(kind)) seen.set(kind, found?.[1] ?? each);
      } else if (each !== null && typeof each === "object") Object.values(each).forEach(walk);
    };
    walk(value);
    for (const [kind, id] of seen) this.#known.set(kind, id);
  }
}
