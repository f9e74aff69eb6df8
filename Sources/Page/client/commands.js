// A command: what is asked of the server, with the key that makes it happen at most once however often it is sent.
import { checkBid, checkOpened } from "./bodies.js";
import { Doubt } from "./doubt.js";
import { AuctionError } from "./errors.js";
import { roundOrders } from "./operations.js";

/** What a success must have, by kind. */
const checks = { placeBid: checkBid, openRoom: checkOpened };

/** The server keeps keys for 24 hours; afterwards a repetition would be a second command. */
const lifeMs = 23 * 3600 * 1000;

/**
 * A key that no other command has. Neither randomUUID (on plain http) nor `crypto` at all (in Node 18) can be relied on; a key is no
 * secret, it only has to be one of a kind among those of one user and one day.
 */
export function newKey() {
  const bytes = new Uint8Array(16);
  if (globalThis.crypto?.getRandomValues) globalThis.crypto.getRandomValues(bytes);
  else for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(Math.random() * 256);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Can be kept as JSON and sent again after a restart of the app: `Command.from(JSON.parse(kept))`. */
export class Command {
  /** Whether it was sent before with an unknown result, perhaps by the app before its restart. */
  #isInDoubt = false;

  /**
   * @param type the media type of a `body` that is a text; left out: the body is sent as JSON
   * @param madeAt milliseconds since 1970
   */
  constructor({ kind, method, path, body = null, type, key = newKey(), madeAt }) {
    this.kind = kind;
    this.method = method;
    this.path = path;
    this.body = body;
    if (type !== undefined) this.type = type;
    this.key = key;
    this.madeAt = madeAt;
    Object.freeze(this);
  }

  /** @throws AuctionError with the code `client.command` for anything that is not a kept command */
  static from(kept) {
    const isCommand = kept !== null && typeof kept === "object" && typeof kept.kind === "string"
      && ["POST", "PUT", "PATCH", "DELETE"].includes(kept.method) && typeof kept.path === "string" && kept.path.startsWith("/v1/")
      && (kept.type === undefined || (typeof kept.type === "string" && typeof kept.body === "string"))
      && (kept.kind !== "placeBid" || Number.isSafeInteger(kept.body?.round))
      && typeof kept.key === "string" && /^[\x21-\x7e]{1,255}$/.test(kept.key) && Number.isFinite(kept.madeAt);
    if (!isCommand) throw new AuctionError("This is not a command that was kept.", { code: "client.command" });
    const command = new Command(kept);
    command.#isInDoubt = true;
    return command;
  }

  /** Whether it may have been executed without a response. */
  get isInDoubt() { return this.#isInDoubt; }

  get #isForAnyRound() { return roundOrders.has(this.kind) && !Number.isSafeInteger(this.body?.expectedRound); }

  /**
   * Sends it, again where the response was lost or the server says that it may be; an order that names no round only once.
   * @returns `body`, `status`, `requestID`, `isReplayed`
   * @throws Problem, Unreachable, ProtocolError (with `mayHaveExecuted`), AuctionError with the code `client.commandExpired`,
   *   `client.roundMissing` (of an order that was sent or kept before, without a round), `client.tokenProvider` or
   *   `client.userChanged`, and the signal's reason
   */
  async send(client, { signal, retries = 4 } = {}) {
    if (client.timing.now() - this.madeAt > lifeMs) {
      throw new AuctionError("The command is too old to be sent again: its key may have been forgotten.", { code: "client.commandExpired" });
    }
    const isForAnyRound = this.#isForAnyRound;
    // If the first sending did not arrive, this one would be about whatever lot is up by now.
    if (isForAnyRound && this.#isInDoubt) {
      const what = "The order names no round, so it cannot be sent again: look at the room.";
      throw Object.assign(new AuctionError(what, { code: "client.roundMissing" }), { mayHaveExecuted: this.#isInDoubt });
    }
    const doubt = new Doubt(this.#isInDoubt);
    // Until there is a response: the app may give up waiting.
    this.#isInDoubt = true;
    try {
      return await client.requests.exchange(this.method, this.path, {
        body: this.body ?? undefined, type: this.type, key: this.key, check: checks[this.kind], retries: isForAnyRound ? 0 : retries, signal, doubt,
      });
    } catch (error) {
      this.#isInDoubt = doubt.isOpen;
      throw error;
    }
  }
}
