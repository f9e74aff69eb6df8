// One room: reading it, acting in it, following it. Every action has a key of its own, made once and kept over repetitions.
import { outcomeOf } from "./bids.js";
import { Command } from "./commands.js";
import { RoomFollow } from "./follow.js";
import { RoomCommands } from "./operations.js";
import { Pages, query } from "./pages.js";
import { previewOf } from "./pixels.js";

/** The longest wait for the response to a picture: a few megabytes over a slow line. */
const pictureMs = 120_000;
/** The longest wait for that to a preview of the client's own making, for which there is one attempt: lists do without. */
const previewMs = 10_000;

export class Room extends RoomCommands {
  #client;
  #path;

  /** Made by `AuctionClient.room`. `client` is what it shares with its AuctionClient. */
  constructor(client, id) {
    super((kind, method, rest, body, given) => this.#do(kind, method, rest, this.#asSeen(body), given));
    this.#client = client;
    this.id = id;
    this.#path = `/v1/rooms/${encodeURIComponent(id)}`;
  }

  /**
   * Follows the room from now on.
   * @param options `room` (as it was read; left out: it is read first), `history` (how many past events to begin with) or `after` (the
   *   seq after which to begin), `transports`, `refresh` (whether to read the room again after events that may have changed `me` and
   *   `allowedActions`; true), `tuning` (see `defaults` of follow-rules.js)
   */
  follow(options) { return new RoomFollow(this.#client, this.#path, options); }

  // Reading.

  read(given) { return this.#get("", given); }
  stage(given) { return this.#get("/stage", given); }
  /**
   * What is needed to join the room's sound at the RTC service: LiveKit's `room.connect(url, token)`. A new token before each join; while one is
   * joined, a seat that is taken, muted or given up needs none. A Problem with the code `route.not_found` from a service without sound.
   */
  voiceToken(given) { return this.#client.requests.request("POST", `${this.#path}/stage/voice`, given); }
  permissions(given) { return this.#get("/permissions", given); }
  permissionRules(given) { return this.#get("/permission-rules", given); }

  lot(lotID, given) { return this.#get(`/lots/${part(lotID)}`, given); }
  /** The bid that the caller has left on a lot; a Problem with the code `absentee.not_found` if there is none. */
  absenteeBid(lotID, given) { return this.#get(`/lots/${part(lotID)}/bid`, given); }
  sale(given) { return this.#get("/sale", given); }

  /** Whether the caller may do something now, and why not: `explain("placeBid", "120")`. */
  explain(action, amount, given) {
    return this.#get(`/permissions?${query({ action, amount, explain: "true" })}`, given);
  }

  /** The bids of a round (left out: the present one), newest first. */
  bids({ round, limit = 100 } = {}) { return this.#list("/bids", { round, limit }, "bids"); }
  /** @param banned true: the users who are banned, members or not, instead; by the host */
  members({ banned = false, limit = 500 } = {}) { return this.#list("/members", { banned: banned || undefined, limit }, "members"); }
  /** The reports of messages, newest first; by the host. */
  reports({ limit = 50 } = {}) { return this.#list("/reports", { limit }, "reports"); }
  /** The applications of bidders, oldest first; by the host. */
  applications({ state, limit = 100 } = {}) { return this.#list("/applications", { state, limit }, "applications"); }
  /** The lots in the order of their turns; with `state` those in that state, with `bids: "mine"` those on which the caller has left a bid. */
  lots({ state, bids, limit = 100 } = {}) { return this.#list("/lots", { state, bids, limit }, "lots"); }
  results({ limit = 100 } = {}) { return this.#list("/results", { limit }, "results"); }

  /** The events that have happened, from the one after `after`, without waiting for more. */
  history({ after = 0, limit = 200 } = {}) {
    return new Pages(async (cursor) => {
      const page = await this.#get(`/events?${query({ after: cursor ?? after, limit })}`);
      return { ...page, nextCursor: page.more ? page.next : null };
    }, "events");
  }

  /** The finished rounds as the text of a CSV file, oldest first. */
  async resultTable(given) {
    let table = "";
    for (let path = `${this.#path}/results.csv`; path !== undefined;) {
      const { body, headers } = await this.#client.requests.exchange("GET", path, { ...given, accept: "text/csv" });
      // Each part has the names of the columns.
      table += table === "" ? body : body.slice(body.indexOf("\n") + 1);
      path = /^<(\/[^>]+)>; rel="next"$/.exec(headers.get("Link") ?? "")?.[1];
    }
    return table;
  }

  // Bidding.

  /**
   * A bid that is not sent yet, for an app that keeps it until its outcome is known; `AuctionClient.send` sends it.
   * @param bid `amount` or `maximum` or both, as strings ("120" or "120.00"), and `round` and `item` (its id), as the room had them that the user saw: a bid
   *   that is sent again when the next lot is up must not be one on that; nor, in a round that was cancelled and began again, on another item.
   *   Without `item`, of a room that is followed, it is the one that the app saw in the round. With `floor`, by the host or an auctioneer, it is a
   *   bid of the hall or by telephone: `{}`, or `{ paddle: "217" }`, which only the host sees
   * @throws TypeError without a round
   */
  prepareBid({ amount, maximum, round, item, floor }) {
    if (!Number.isSafeInteger(round) || round < 1) throw new TypeError("A bid needs the round that it is meant for, such as state.room.round.");
    return this.#command("placeBid", "POST", "/bids", {
      amount, maximum, round, item: item ?? this.#shownItem(round), floor,
    });
  }

  /** Places a bid; see `outcomeOf` in bids.js for what comes back, and `prepareBid` for what a bid has. */
  async bid(bid, given) {
    const command = this.prepareBid(bid);
    return outcomeOf(command, command.send(this.#client, given));
  }

  // Running the auction. `expected` guards against a room that has changed since it was seen: { expectedState, expectedRound, expectedItem, reason }.
  // Without `expectedRound` an order is sent once only: repeated, it could end or cancel another lot. With the round of a room that is
  // followed, `expectedItem` is what the app saw in it, unless it is given.

  async uploadItem(item, given) {
    const uploaded = await this.#do("uploadItem", "POST", "/items", item, given);
    this.#client.rounds.replace(this.#path, uploaded?.id);
    return uploaded;
  }
  startAuction(expected, given) { return this.#auction("start", expected, given, "startAuction"); }
  endAuction(expected, given) { return this.#auction("end", expected, given, "endAuction"); }
  pause(expected, given) { return this.#auction("pause", expected, given); }
  resume(expected, given) { return this.#auction("resume", expected, given); }
  cancel(expected, given) { return this.#auction("cancel", expected, given); }

  // Lots, and how they are sold.

  /**
   * Queues the lots of a file, or updates those with their references: all rows or none. Of a refusal, `body.rows` names each wrong row.
   * @param file the text of a CSV file, or with the type "application/x-ndjson" of JSON lines; or the lots as an array
   */
  importLots(file, type = "text/csv", given) {
    const isText = typeof file === "string";
    const lines = isText ? file : file.map((lot) => JSON.stringify(lot)).join("\n");
    return this.#do("importLots", "POST", "/lots/import", lines, given, isText ? type : "application/x-ndjson");
  }

  /**
   * The `url` that comes back is for `media` of items and lots. It is that of the bytes, so a repeat needs no key. With `?preview` it is a
   * smaller version for lists, at most 320 pixels a side, which is made and sent where the system has a canvas.
   * @param file a Blob, or bytes: a Buffer, an ArrayBuffer or another view of one
   * @param given also `preview`: one of the caller's own, as `file`; null for none
   */
  async uploadPicture(file, { preview, ...given } = {}) {
    if (preview) checkPicture(preview);
    const picture = await this.#sendPicture(checkPicture(file), "", given);
    const small = preview === undefined ? await previewOf(file) : preview;
    if (small) {
      // Without one of its own making, lists show the picture itself.
      const how = preview ? given : { ...given, retries: 0, timeoutMs: previewMs };
      const sent = this.#sendPicture(small, `?previewOf=${part(picture.url.slice(picture.url.lastIndexOf("/") + 1))}`, how);
      await (preview ? sent : sent.catch(() => {}));
    }
    return picture;
  }

  #sendPicture(file, search, given) {
    // Systems know few types of files by their names; the server looks at the first bytes.
    const type = file.type?.startsWith("image/") ? file.type : "image/x-unknown";
    return this.#client.requests.request("POST", `${this.#path}/media${search}`, { retries: 4, timeoutMs: pictureMs, ...given, body: file, type });
  }

  // The stage.

  /** @param step "accept", "confirm", "decline" or "cancel" */
  answerStage(stageID, step, given) { return this.#do(`${step}Stage`, "POST", `/stage/${part(stageID)}/${part(step)}`, {}, given); }

  // How.

  #get(rest, given) { return this.#client.requests.request("GET", this.#path + rest, given); }

  #list(rest, parameters, name) {
    return new Pages((cursor) => this.#get(`${rest}?${query({ ...parameters, cursor })}`), name);
  }

  #auction(verb, expected = {}, given, kind = verb) {
    return this.#do(kind, "POST", `/auction/${verb}`, this.#asSeen(expected), given);
  }

  /** An order for a round names the item that the app saw in it. */
  #asSeen(body) {
    if (body?.expectedRound === undefined) return body;
    return { ...body, expectedItem: body.expectedItem ?? this.#shownItem(body.expectedRound) };
  }

  /** The item that the app saw in a round, if the room is followed. */
  #shownItem(round) {
    const shown = this.#client.rounds.of(this.#path);
    return shown?.round === round ? shown?.item : undefined;
  }

  /** @param kind the operation's id in the contract */
  #command(kind, method, rest, body, type) {
    return new Command({ kind, method, path: this.#path + rest, body: type ? body : body && stated(body), type, madeAt: this.#client.timing.now() });
  }

  async #do(kind, method, rest, body, given, type) {
    return (await this.#command(kind, method, rest, body, type).send(this.#client, given)).body;
  }
}

/** Without the members that were left out; null stays, since it removes something. */
const stated = (body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
const part = (value) => encodeURIComponent(String(value));

/** @throws TypeError if it is neither a Blob nor bytes */
function checkPicture(file) {
  const isBytes = file instanceof ArrayBuffer || ArrayBuffer.isView(file);
  if (!isBytes && typeof file?.arrayBuffer !== "function") throw new TypeError("A picture is a Blob, or its bytes: a Buffer, an ArrayBuffer or a view of one.");
  return file;
}
