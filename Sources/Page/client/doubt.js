// Whether a command may have been executed: what is known of it after each attempt to send it.
import { AuctionError, Problem } from "./errors.js";

/** With these the server says that it has executed nothing. After any other failure of its own it may have. */
const untouched = new Set([
  "service.internal_error", "service.unavailable", "service.overloaded", "service.too_many_reads", "service.stale", "server.busy",
  "connection.too_many", "idempotency.too_many_keys", "response.too_many_bytes", "media.unavailable", "media.disk_full",
  "media.too_many_uploads", "log.full",
]);
/** Refusals that say nothing about an earlier attempt, or that there was one. */
const undecided = new Set(["idempotency.key_reused", "room.exists", "room.unknown_state", "request.origin_not_allowed"]);

/** Of one sending of a command, with all its repetitions. */
export class Doubt {
  #isOpen;
  /** An attempt was sent, and nothing is known of it. */
  #isUnderway = false;
  /** Of the last attempt. */
  #subject = null;
  /** The user of the attempts, as their tokens say; null before there is one, and after the server has refused that token. */
  #user = null;

  /** @param isOpen whether it was sent before, with an unknown result */
  constructor(isOpen = false) {
    this.#isOpen = isOpen;
  }

  get isOpen() { return this.#isOpen || this.#isUnderway; }

  /**
   * Before an attempt is sent.
   * @throws AuctionError if an earlier attempt may have been executed for another user: keys are kept for each user, so it would be a
   *   second command, and a refusal would say nothing about the first; and if it certainly was not executed, but the token is that of a
   *   user who has not asked for it
   */
  sending(token) {
    const subject = subjectOf(token);
    const user = userOf(token);
    // Without a token nothing was executed for anyone: every command needs one.
    const mayBeSecond = this.isOpen && this.#subject !== null && subject !== this.#subject;
    if (mayBeSecond || (this.#user !== null && user !== null && user !== this.#user)) {
      throw new AuctionError("The token of another user came while the command was repeated.", { code: "client.userChanged" });
    }
    this.#subject = subject;
    this.#user = user ?? this.#user;
    this.#isUnderway = true;
  }

  /** What the attempt came to; without effect if it was not sent. */
  failed(error) {
    if (!this.#isUnderway) return;
    this.#isUnderway = false;
    // The provider is asked for another token for this command: it is meant for the user who signs in then.
    if (error.status === 401 && this.#subject === this.#user) this.#user = null;
    if (leavesDoubt(error)) this.#isOpen = true;
    else if (settles(error)) this.#isOpen = false;
  }
}

/** What an intermediary says is no word of the server, whatever the status. */
const leavesDoubt = (error) => !(error instanceof Problem) || !error.isFromServer || (error.status >= 500 && !untouched.has(error.code));

/**
 * A repetition gets the first one's response if that was accepted, so a refusal that comes after this check decides both. An attempt that
 * arrives only after the refusal, out of an intermediary's queue for example, is decided anew; nothing that a client could do excludes that.
 */
const settles = (problem) => [403, 409, 422].includes(problem.status) && !undecided.has(problem.code);

/** The user of a token, if it says so (a JWT does, as all tokens do that this server takes); else the token itself. */
export const subjectOf = (token) => userOf(token) ?? token;

function userOf(token) {
  try {
    const { iss, sub } = JSON.parse(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")));
    if (typeof sub === "string") return JSON.stringify([iss ?? null, sub]);
  } catch { /* It is no JWT. */ }
  return null;
}
