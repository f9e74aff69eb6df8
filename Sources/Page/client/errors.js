// Every error of this module. They have AuctionError in common, and each carries what a report to the server's operator needs.

/** An error of the client; `code` says which one without `instanceof`. */
export class AuctionError extends Error {
  constructor(message, { code = "client.error", requestID = null, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "AuctionError";
    this.code = code;
    this.requestID = requestID;
    /** Whether a command may have been executed although it failed; only ever true for commands. */
    this.mayHaveExecuted = false;
  }
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const text = (value) => (typeof value === "string" ? value : null);

/** The server refused the request: a problem document (RFC 9457), or whatever an intermediary sent in its place. */
export class Problem extends AuctionError {
  /**
   * @param body the parsed body; anything but an object counts as empty
   * @param headers those of the response, if there was one
   */
  constructor(body, status, headers = null) {
    const document = isObject(body) ? body : {};
    const permission = isObject(document.permission) ? document.permission : {};
    super(text(document.detail) ?? `HTTP ${status}`, {
      code: text(document.code) ?? "", requestID: headers?.get("X-Request-Id") ?? text(document.requestId),
    });
    this.name = "Problem";
    this.status = status;
    this.detail = text(document.detail) ?? "";
    this.title = text(document.title) ?? "";
    this.type = text(document.type) ?? "";
    this.field = text(document.field);
    this.rule = text(permission.rule);
    this.category = text(permission.category);
    this.required = permission.required ?? document.required ?? null;
    this.actual = permission.actual ?? document.actual ?? null;
    this.allowedActions = Array.isArray(permission.allowedActions) ? permission.allowedActions : null;
    this.retryAfter = retryAfterSeconds(headers?.get("Retry-After"));
    /** The whole document, with members that this module does not know. */
    this.body = document;
  }

  /** Whether this server has refused, and not an intermediary: a proxy, a firewall, a captive portal. */
  get isFromServer() { return this.code !== "" && this.type.startsWith("/problems/"); }
}

/** No response arrived: the server was not reached, or its response was lost. */
export class Unreachable extends AuctionError {
  constructor(message, { cause, isTimeout = false } = {}) {
    super(message || "The server was not reached.", { code: isTimeout ? "client.timeout" : "client.unreachable", cause });
    this.name = "Unreachable";
    this.isTimeout = isTimeout;
  }
}

/** The server, or something in between, sent what the contract does not allow. */
export class ProtocolError extends AuctionError {
  constructor(message, options = {}) {
    super(message, { code: "client.protocol", ...options });
    this.name = "ProtocolError";
  }
}

/** The seconds of a Retry-After header, in either of its forms; null without one. At most a day. */
export function retryAfterSeconds(value, now = Date.now()) {
  if (typeof value !== "string" || value.trim() === "") return null;
  const seconds = /^\d{1,9}$/.test(value.trim()) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), 86_400) : null;
}
