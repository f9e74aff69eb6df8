// The client of an auction server, for browsers and Node (18 or newer): no dependencies, no build step. The article "A client in
// JavaScript" introduces it; auction-client.d.ts has every type. The web page of the server is made with it.
import { outcomeOf } from "./bids.js";
import { checkSession } from "./bodies.js";
import { ServerClock } from "./clock.js";
import { Command } from "./commands.js";
import { Requests } from "./http.js";
import { Pages, query } from "./pages.js";
import { Room } from "./room.js";
import { ShownRounds } from "./shown-rounds.js";
import { systemClock } from "./timing.js";
import { TokenSource } from "./tokens.js";

export { countdownText, ServerClock } from "./clock.js";
export { Command } from "./commands.js";
export { AuctionError, Problem, ProtocolError, Unreachable } from "./errors.js";
export { RoomFollow } from "./follow.js";
export { addMoney, amountOf, compareMoney, currencySymbol, formatMoney, fractionDigits, grouped, minorUnits, premiumOn, subtractMoney, typedAmount } from "./money.js";
export { Pages } from "./pages.js";
export { encodePicture, scaledSize } from "./pixels.js";
export { Room } from "./room.js";
export { isDutch, isSealed, phaseOf, priceSteps } from "./room-state.js";

/** The server answers once the name is erased everywhere, in many rooms perhaps. */
const erasureMs = 120_000;

export class AuctionClient {
  /** The server's clock, from the responses; `remaining(endsAt)` is what a countdown shows. */
  clock;
  #tokens;
  /** How often the app has chosen who is calling. */
  #choices = 0;
  #user = null;
  #userID;
  #shared;

  /**
   * @param options all are optional in a browser; Node needs `baseURL`:
   *   `baseURL` of the server (the one that this module was loaded from), `token`, or `tokenProvider({ rejected, problem })`, `userID` of the
   *   token's user, `language` of texts for users (a tag or a function), `transports` (["sse", "poll"]; "socket" can be added), `fetch`,
   *   `WebSocket`, `clock` (timing.js has its form), `random`, `onRequest(report)` for logs and figures; reports have no token in them
   */
  constructor(options = {}) {
    const timing = options.clock ?? systemClock;
    const random = options.random ?? Math.random;
    const language = options.language ?? "en";
    this.clock = new ServerClock(() => timing.now());
    this.#tokens = new TokenSource(options.token, options.tokenProvider, timing);
    this.#userID = options.userID;
    this.#shared = {
      timing, random, clock: this.clock, rounds: new ShownRounds(),
      transports: options.transports ?? ["sse", "poll"],
      WebSocket: options.WebSocket ?? globalThis.WebSocket,
      isOnline: () => globalThis.navigator?.onLine !== false,
      userID: () => this.#user?.id ?? this.#userID ?? (this.#tokens.known === null ? null : undefined),
      requests: new Requests({
        base: baseOf(options.baseURL), tokens: this.#tokens, timing, random, clock: this.clock, onRequest: options.onRequest,
        language: typeof language === "function" ? language : () => language,
        fetch: options.fetch ?? ((...given) => globalThis.fetch(...given)),
      }),
    };
  }

  get baseURL() { return this.#shared.requests.base; }

  // Who is calling.

  /**
   * Becomes a new guest, or the user of a provider's ID token: `{ user, token, expiresAt }`, which an app may keep and give to `useSession`
   * later. @param who a nickname, or `{ idToken, nonce, nickname }`, of which only the first is needed
   */
  async signIn(who, given) {
    return typeof who === "string" ? this.#session("/v1/guests", { ...given, body: { nickname: who } })
      : this.#session("/v1/sessions", { ...given, body: who });
  }

  /** A code by which another device becomes the same user: `{ code, expiresAt }`. */
  createPairing(given) { return this.request("POST", "/v1/me/pairing", given); }

  /** Becomes the user of another device, by the code that it shows. */
  async redeemPairing(code, given) { return this.#session("/v1/tokens/pair", { ...given, body: { code } }); }

  /**
   * Makes what a guest has in rooms the caller's, who has signed in with a provider: `{ user, linked, skipped }`, each with all rooms. What is
   * skipped can be linked later, by the same call.
   */
  async linkGuest(guestToken, given) {
    const all = { user: null, linked: [], skipped: [] };
    for (let cursor; cursor !== null;) {
      const { user, linked, skipped, nextCursor } = await this.request("POST", "/v1/me/link", { ...given, body: { guestToken, cursor } });
      Object.assign(all, { user, linked: [...all.linked, ...linked], skipped: [...all.skipped, ...skipped] });
      cursor = nextCursor ?? null;
    }
    return all;
  }

  /** A new token for the same user, before the old one expires; what comes back replaces what an app has kept. */
  async renewToken(given) { return this.#session("/v1/tokens/renew", given); }

  /** The account of the caller: `{ user, tokenExpiresAt, rooms }`. */
  me(given) { return this.request("GET", "/v1/me", given); }

  /**
   * Changes the nickname of a guest, which is part of the token: the session that comes back is used from now on, and replaces what an app
   * has kept. A room shows the new nickname from the next command there. A user who signs out meanwhile stays signed out.
   */
  async setNickname(nickname, given) {
    const choices = this.#choices;
    const session = await this.request("PATCH", "/v1/me", { ...given, body: { nickname }, check: checkSession });
    return this.#choices === choices ? this.useSession(session) : session;
  }

  /** Without the provider of tokens, which may itself be calling. */
  async #session(path, given) { return this.useSession(await this.request("POST", path, { ...given, check: checkSession, asksForToken: false })); }

  /** Goes on as a user who signed in before; null signs out. */
  useSession(session) {
    this.#choices += 1;
    this.#user = session?.user ?? null;
    this.#tokens.use(session?.token ?? null);
    return session;
  }

  /** Replaces the token, by one of an identity provider for example. */
  useToken(token, userID) {
    this.#choices += 1;
    this.#user = null;
    this.#userID = userID;
    this.#tokens.use(token);
  }

  /** The guest who signed in, or null. */
  get user() { return this.#user; }

  // Rooms.

  room(id) { return new Room(this.#shared, id); }

  /** The rooms that the caller may see, newest first. */
  rooms({ state, limit = 20 } = {}) { return this.#list("/v1/rooms", "rooms", { state, limit }); }

  /** The rooms of which the caller is a member, private ones too, with the role there; newest first. */
  myRooms({ limit = 20 } = {}) { return this.#list("/v1/me/rooms", "rooms", { limit }); }

  /** How the caller's bids stand in rounds that are not over, one for each room, newest room first. */
  myBids({ limit = 20 } = {}) { return this.#list("/v1/me/bids", "bids", { limit }); }

  /** What the caller bought, newest first, also in rooms that they have left. */
  myWins({ limit = 20 } = {}) { return this.#list("/v1/me/wins", "wins", { limit }); }

  // Whom the caller does not want to see. Their messages come all the same: an app leaves them out, and does not show their names.

  /** Oldest user id first. */
  blocks({ limit = 1_000 } = {}) { return this.#list("/v1/me/blocks", "blocks", { limit }); }

  /** Blocks a user in all rooms; a repeat changes nothing. */
  block(userID, given) { return this.request("POST", "/v1/me/blocks", { ...given, body: { userId: userID } }); }

  unblock(userID, given) { return this.request("DELETE", `/v1/me/blocks/${encodeURIComponent(userID)}`, given); }

  /** Leaves the service for good; refused while a round needs the caller, whose room is `actual` of the problem. A repeat is refused with 401. */
  leaveForGood(given) { return this.request("DELETE", "/v1/me", { timeoutMs: erasureMs, ...given }); }

  /** @param room `name`, and `currency` and `visibility` where they are not the defaults */
  async openRoom(room, given) {
    return (await this.#command("openRoom", "POST", "/v1/rooms", room).send(this.#shared, given)).body;
  }

  // Anything else.

  /**
   * Sends a command that was prepared or kept (see `Room.prepareBid`), with the key that it has.
   * @returns the outcome of a bid, or the body of the response to any other command
   */
  async send(command, given) {
    const known = command instanceof Command ? command : Command.from(command);
    const sending = known.send(this.#shared, given);
    return known.kind === "placeBid" ? outcomeOf(known, sending) : (await sending).body;
  }

  /** A request that this module has no name for; a path that begins with "/". Options: `body`, `key`, `retries`, `signal`, `timeoutMs`. */
  request(method, path, given) { return this.#shared.requests.request(method, path, given); }

  #list(path, name, parameters) {
    return new Pages((cursor) => this.request("GET", `${path}?${query({ ...parameters, cursor })}`), name);
  }

  #command(kind, method, path, body) { return new Command({ kind, method, path, body, madeAt: this.#shared.timing.now() }); }
}

/** Without the slash at its end, so that paths can follow. */
function baseOf(given) {
  const loadedFrom = import.meta.url.startsWith("http") ? new URL(import.meta.url).origin : undefined;
  const address = given ?? loadedFrom;
  if (address === undefined) throw new TypeError("AuctionClient needs a baseURL here, such as \"https://auction.example\".");
  const url = new URL(address, globalThis.location?.href);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`The baseURL is not one of http or https: ${address}`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}
