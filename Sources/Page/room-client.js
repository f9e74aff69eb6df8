// A room as one reader sees it: what the client follows, the lists that events do not determine, and what the reader asks for.
// Nothing here draws, and nothing here speaks HTTP.
import { Problem, isSealed } from "./client/auction-client.js";
import { LotsClient } from "./lots-client.js";
import { OwnBids } from "./own-bids.js";

/** How many events of the past are read for the chat and the course of the price. */
const historyLength = 300;
/** As many bids as the state of a followed room holds. */
const heldBids = 500;
const resultsPage = 20;
/** The most lots without a buyer that are known. */
const mostUnsold = 1_000;
/** The most banned users that are listed. */
const shownBanned = 1_000;
/** What could not be read is read again after this. */
const retryMs = 1_000;

/** Why a maximum of the user ends if it ends now: "retracted" or "credit"; null for an event that is no reason. */
function causeOf(type, { member }, user) {
  if (type === "bid.retracted") return "retracted";
  if (member?.id !== user) return null;
  return type === "member.creditLimitChanged" ? "credit" : null;
}

/** Whether an event may change the applications that wait: one is made or decided, or its user goes, or gets a role or another account. */
const changesApplications = (type) => type.startsWith("application.")
  || ["member.left", "member.kicked", "member.banned", "member.roleChanged", "member.linked", "stage.seated"].includes(type);

/** Whether an event gives the user a role, and with it perhaps the right to bid. */
function givesRole(type, { member, guest, from, to }, user) {
  if (type === "member.roleChanged") return member?.id === user;
  if (type === "stage.seated") return guest?.id === user;
  return type === "member.linked" && [from?.id, to?.id].includes(user);
}

export class RoomClient {
  stage = null;
  /** Newest first; `resultsCursor` is where older ones begin, or null. */
  results = [];
  resultsCursor = null;
  /** For those who may offer lots again: the ids of the lots that were not sold, or whose sale was voided, and that are not offered again; null if that is not known. */
  unsold = null;
  /** The lots on which the reader has left a bid. */
  ownBids;
  /** How often an event may have changed the applications that wait for the host. */
  applicationChanges = 0;
  /** Whether a bid of the reader was refused because the host has not approved them; what comes of it is in the room's `me`. */
  mustApply = false;
  #app;
  #room;
  #follow = null;
  #read = null;
  #on;
  #lots;
  /** As they were before the events that are being taken. */
  #lotsBefore = null;
  /** Of the stage: how often it was asked for, and which of these it is. */
  #stageReads = 0;
  #stageRead = 0;
  /** The last event that what was read at the beginning contains. */
  #begunAt = 0;
  /** What the last event was that can end the user's maximum: the event of the end follows it and does not name it. */
  #endOfMaximum = "unknown";
  /** Whether bids and results are to be read again, and whether they are being read. */
  #isDue = false;
  #isReading = false;
  /** The sealed round of which not all bids were read. */
  #partlyRead = null;

  /** @param on `change()`, `live(state, transport, refusal)`, with the problem that the server gives instead of events or null, `gone()`, `removed(cause)` when the reader was put out of the room: "banned", "kicked" or "linked", `maximumVoided(cause)`, `sale(type, data)`, `bidUnused(name)` when the bid that was left on a lot of that name did not act, `bidVoid(name)` when it is void because the format of the lot changed */
  constructor(app, id, on) {
    this.#app = app;
    this.id = id;
    this.#room = app.client.room(id);
    this.#on = on;
    this.#lots = new LotsClient(this.#room, () => this.#follow);
    this.ownBids = new OwnBids(this.#room, ({ item, myBid }) => {
      if (myBid.state === "unused") this.#on.bidUnused(item.name);
      if (myBid.cause === "formatChanged") this.#on.bidVoid(item.name);
    });
  }

  get state() { return this.#follow?.state ?? this.#read; }
  get room() { return this.state?.room ?? null; }
  get #user() { return this.#app.session.user?.id; }

  // Reading.

  /** Reads the room; the first time it begins to be followed, though not yet with a connection. */
  async read() {
    const room = await this.#room.read();
    if (this.#follow) this.#follow.include({ room }); else this.#begin(room);
    return room;
  }

  readRest() {
    // Who was banned and has left is in no other list, though the host may still take back their bids; later, events tell of bans.
    const banned = this.room.me?.role === "host" ? this.bannedMembers() : [];
    return Promise.all([this.#readRound(), this.readMembers(banned), this.#readStage(), this.#readResults(), this.#readLots(), this.#readUnsold()]);
  }

  async #readLots() {
    if (this.room.sale) await Promise.all([this.#lots.read(), this.#user && this.ownBids.read()]);
  }

  async #readUnsold() {
    if (!this.room.sale || !this.#offersLots) return;
    const lots = await Promise.all(["passed", "voided"].map((state) => this.#room.lots({ state, limit: mostUnsold }).all(mostUnsold)));
    this.unsold = new Set(lots.flat().filter((lot) => lot.offeredAgain === null).map((lot) => lot.id));
  }

  get #offersLots() { return ["host", "auctioneer"].includes(this.room.me?.role); }

  async #readRound() {
    const { round } = this.room;
    // Who has bid is counted until the close; otherwise the newest ones are enough.
    const isCounted = isSealed(this.room) && this.room.state !== "closed";
    const bids = [];
    let cursor = null;
    do {
      const page = await this.#room.bids({ round }).page(cursor);
      bids.push(...page.bids);
      cursor = page.nextCursor ?? null;
    } while (isCounted && cursor !== null && bids.length < heldBids);
    if (isCounted) this.#partlyRead = cursor === null ? null : round;
    this.#follow.include({ bids, round });
  }

  /** Whether a sealed round may have more bids than are known: not all were read, or earlier ones were dropped. */
  get hasMoreBids() {
    const { bids, room } = this.state;
    return this.#partlyRead === room.round || (bids.length >= heldBids && bids[0].round === room.round);
  }

  /** Where a bid is looked for to which no answer came. */
  async readNow(round) {
    const [{ bids, nextCursor }, room] = await Promise.all([this.#room.bids({ round }).page(), this.read()]);
    // A maximum and a sealed amount are those of the room's round.
    return { bids, isAll: !nextCursor, me: room.round === round ? room.me : null };
  }

  /**
   * With what only the host is told of them: events do not name a credit limit, nor what was decided about one who comes in again.
   * @param more a promise of members who are to be known besides
   */
  async readMembers(more = []) {
    const [page, others] = await Promise.all([this.#room.members().page(), more]);
    // Only now: what happened while waiting is in the state by then.
    this.#follow.include({ members: [...page.members, ...others] });
  }

  /** Those who are banned, also if they have left. */
  bannedMembers() { return this.#room.members({ banned: true }).all(shownBanned); }

  async #readResults() {
    const { results, nextCursor } = await this.#room.results({ limit: resultsPage }).page();
    const rounds = new Set(results.map((row) => row.round));
    const older = this.results.filter((row) => !rounds.has(row.round));
    // Without a row in common there may be others between the two.
    if (older.length === this.results.length) this.resultsCursor = nextCursor;
    this.results = older.length < this.results.length ? [...results, ...older] : results;
  }

  async moreResults() {
    const { results, nextCursor } = await this.#room.results({ limit: resultsPage }).page(this.resultsCursor);
    this.resultsCursor = nextCursor;
    this.results = [...this.results, ...results];
    this.#on.change();
  }

  /** The latest reports of messages, for the host. */
  async readReports() {
    const { reports } = await this.#room.reports().page();
    this.#on.change();
    return reports;
  }

  /** The applications that wait for the host, oldest first. */
  async readApplications() {
    const { applications } = await this.#room.applications().page();
    this.#on.change();
    return applications;
  }

  async ticket() { return (await this.#app.client.request("POST", `/v1/rooms/${this.id}/tickets`, { body: {} })).ticket; }

  /** All of them as CSV. */
  resultTable() { return this.#room.resultTable(); }
  allResults() { return this.#room.results({ limit: 1_000 }).all(); }

  async #readStage() {
    const read = ++this.#stageReads;
    const stage = await this.#room.stage();
    // The response to a later request came first.
    if (read < this.#stageRead) return;
    this.#stageRead = read;
    this.stage = stage;
    this.#on.change();
  }

  refreshSoon() { this.#follow?.refreshSoon(); }

  // Following.

  #begin(room) {
    const { transport } = this.#app;
    this.#begunAt = room.seq;
    this.#follow = this.#room.follow({ room, history: historyLength, ...(transport ? { transports: [transport] } : {}) });
    this.#follow.on("change", (state) => {
      this.#lotsBefore = state.lots;
      this.#lots.keep();
      this.#readDue();
      this.#showRead(this.ownBids.keep());
      this.#on.change();
    });
    // Also those that a later reading of the room contained: the lists below did not.
    this.#follow.on("events", (entries) => { for (const { event, state } of entries) if (event.seq > this.#begunAt) this.#take(event, state); });
    this.#follow.on("status", (status) => this.#show(status));
    this.#follow.on("end", (error) => this.#end(error));
  }

  follow() { this.#follow.start(); }

  /**
   * Reloads what an event has made outdated.
   * @param state as the event has left it
   */
  #take({ type, data, round, at }, state) {
    const quietly = (work) => work.then(() => this.#on.change(), () => {});
    this.ownBids.note({ type, data }, this.state.lots.current?.id, this.#user);
    if (changesApplications(type)) this.applicationChanges += 1;
    if (type === "permission.changed" || givesRole(type, data, this.#user)) this.mustApply = false;
    // Bids can be left as soon as there is a lot that waits, which no other event tells a bidder.
    if (type === "lot.queued" && state.room?.sale?.queued === 1 && this.room.me?.role === "bidder") this.refreshSoon();
    if (type.startsWith("stage.") || type === "member.left") quietly(this.#readStage());
    if (type === "state.changed" && data.to === "closed") this.#isDue = true;
    if (this.#offersLots && (type === "item.voided" || type === "lot.withdrawn" || (type === "lot.queued" && data.offeredBefore))) this.#isDue = true;
    if (type === "offer.accepted") this.#isDue = true;
    if (type === "offer.made") this.#changeRows((row) => row.round === data.round, { offer: { id: data.offerId, to: data.to, price: data.price, expiresAt: data.expiresAt } });
    if (type === "offer.declined" || type === "offer.expired") this.#changeRows((row) => row.offer?.id === data.offerId, { offer: null });
    if (type === "item.voided") {
      const { reason, by, winner, price } = data;
      this.#changeRows((row) => row.round === data.round, { premium: null, total: null, voided: { at, reason, by, winner, price } });
    }
    if (type === "member.linked") {
      this.#isDue = true;
      quietly(this.readMembers());
      if (data.from?.id === this.#user) this.#on.removed("linked");
    }
    // What role they have is not in the event.
    if (type === "member.banned" && !data.banned) quietly(this.readMembers());
    if (type === "member.creditLimitChanged" && this.room.me?.role === "host") quietly(this.readMembers());
    if (["sale.started", "sale.stopped", "sale.postponed", "sale.finished"].includes(type)) this.#on.sale(type, data);
    if (type === "lot.withdrawn" && this.#lotsBefore?.queued) {
      const { queued, current } = this.#lotsBefore;
      const own = this.ownBids.of(data.lotId);
      const lot = own ?? [current, ...queued].find((each) => each?.id === data.lotId);
      if (lot) this.#on.sale(type, { ...data, name: lot.item.name, hasBid: own?.myBid.state === "standing" });
    }
    this.#endOfMaximum = causeOf(type, data, this.#user) ?? this.#endOfMaximum;
    // Where events are caught up with, another may lead by now, or the lot be over. What is said of a ban says this too.
    if (type === "bid.maximumVoided" && data.bidder?.id === this.#user && this.#leads(round) && !this.state.banned.has(this.#user)) this.#on.maximumVoided(this.#endOfMaximum);
    const isOut = type === "member.kicked" || (type === "member.banned" && data.banned);
    if (isOut && data.member?.id === this.#user) this.#on.removed(data.banned ? "banned" : "kicked");
  }

  /** Of the results that were read, what an event says: they are not read again for it. */
  #changeRows(isMeant, changes) { this.results = this.results.map((row) => (isMeant(row) ? { ...row, ...changes } : row)); }

  #leads(round) {
    const { room } = this;
    return room.round === round && room.state !== "closed" && room.currentBid?.bidder.id === this.#user;
  }

  /** After the close sealed amounts are no secret any more, and there is a new row in the results. What fails is read again soon. */
  async #readDue() {
    if (!this.#isDue || this.#isReading) return;
    clearTimeout(this.#retry);
    this.#isReading = true;
    this.#isDue = false;
    this.#reads += 1;
    const read = this.#reads;
    const isRead = await Promise.all([this.#readRound(), this.#readResults(), this.#readUnsold()]).then(() => true, () => false);
    // Another has begun meanwhile, which does the rest.
    if (read !== this.#reads) return;
    this.#isReading = false;
    this.#on.change();
    // There may have been another close meanwhile.
    if (isRead) return this.#readDue();
    this.#isDue = true;
    // The next change may be far: in the pause between two lots, or after the last one.
    if (!this.#isStopped) this.#retry = setTimeout(() => this.#readDue(), retryMs);
  }

  /** The server is back: what waits for its next attempt, which may be seconds away, is not waited for. */
  #readAgain() {
    if (this.#isReading) [this.#isReading, this.#isDue] = [false, true];
    this.#readDue();
    this.#lots.readAgain();
    if (this.ownBids.list.length > 0) this.#showRead(this.ownBids.readAgain());
  }

  #showRead(reading) { reading.then((isRead) => { if (isRead !== false) this.#on.change(); }); }

  #reads = 0;
  #retry = null;
  #isStopped = false;

  #wasLive = false;
  #shownState = null;
  /** What the server has said instead of sending events. */
  #refusal = null;
  #show({ state, transport, error, retryInMs }) {
    if (state === "stopped") return;
    const before = this.#refusal?.code ?? null;
    // While it is asked again nothing new is known; a failure says when that is.
    if (error instanceof Problem) this.#refusal = error;
    else if (state === "live" || retryInMs !== null) this.#refusal = null;
    if (state === this.#shownState && before === (this.#refusal?.code ?? null)) return;
    const isNew = state !== this.#shownState;
    this.#shownState = state;
    this.#on.live(state, transport, this.#refusal);
    if (state !== "live" || !isNew) return;
    this.#readAgain();
    // Events tell of the room; of these only that they have changed.
    if (this.#wasLive) Promise.all([this.readMembers(), this.#readStage()]).then(this.#on.change, () => {});
    this.#wasLive = true;
  }

  #end(error) {
    if (this.state.archived) this.#on.live("gone"); else if (error instanceof Problem) this.#on.gone();
  }

  stop() {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    this.#lots.stop();
    this.#follow?.stop();
  }

  sleep() { this.#follow?.networkLost(); }

  wake(silentForMs) { this.#follow?.networkReturned({ ifSilentForMs: silentForMs }); }

  // Doing. Each resolves with the server's answer, or true where it has none.

  async #after(work) {
    const answer = await work;
    this.refreshSoon();
    this.#on.change();
    return answer ?? true;
  }

  enter(role, inviteCode) { return this.#room.join({ role: role || undefined, inviteCode: inviteCode || undefined }); }

  /**
   * The accepted outcome of a bid. A refusal is thrown as the problem that it is.
   * @param body with the `round` and the `item` that the user saw, if they may have ended since
   */
  async bid(body) {
    const outcome = await this.#room.bid({ round: this.room.round, item: this.room.item?.id, ...body });
    if (outcome.kind === "refused") {
      this.mustApply = outcome.problem.code === "bid.not_approved";
      if (this.mustApply) this.#on.change();
      throw outcome.problem;
    }
    if (outcome.kind === "unknown") throw outcome.error;
    if (outcome.room) this.#follow.include({ room: { ...this.room, ...outcome.room, warning: this.#warningAfter(outcome) } });
    return this.#after(outcome);
  }

  /** A bid ends the warning, which its answer does not say; a raised maximum does not, unless it moves the price. */
  #warningAfter({ bid, room }) {
    const isRaised = bid.seq <= this.room.seq && room.currentBid?.id === this.room.currentBid?.id;
    return isRaised ? this.room.warning : 0;
  }

  /** @param order the name of a method of the client's room that takes what is expected, such as "pause" */
  async order(order, body) {
    // A press that was meant for another state must not act on this one; nor, by an `expectedRound` and `expectedItem` in the body, what was confirmed later.
    const expected = { expectedState: this.room.state, expectedRound: this.room.round, expectedItem: this.room.item?.id, ...body };
    const room = await this.#room[order](expected);
    this.#follow.include({ room });
    return this.#after(room);
  }

  archive() { return this.#after(this.#room.archive()); }
  upload(body) { return this.#after(this.#room.uploadItem(body)); }
  adjust(itemID, rules) { return this.#after(this.#room.adjustRules(itemID, rules)); }
  readLot(id) { return this.#room.lot(id); }
  moreLots() { return this.#lots.more(); }
  queueLot(body) { return this.#after(this.#room.queueLot(body)); }
  changeLot(id, changes) { return this.#after(this.#room.changeLot(id, changes)); }
  acceptOffer(id) { return this.#after(this.#room.acceptOffer(id)); }
  declineOffer(id) { return this.#after(this.#room.declineOffer(id)); }
  voidResult(round, body) { return this.#after(this.#room.voidResult(round, body)); }
  reofferLot(id) { return this.#after(this.#room.reofferLot(id)); }
  withdrawLot(id, reason) { return this.#after(this.#room.withdrawLot(id, reason)); }
  async placeAbsenteeBid(lot, maximum) {
    const answer = await this.#room.placeAbsenteeBid(lot.id, maximum);
    this.#putBid(lot, answer);
    return answer;
  }

  async withdrawAbsenteeBid(lot) {
    await this.#room.withdrawAbsenteeBid(lot.id);
    this.#putBid(lot, null);
    return true;
  }

  /** The answer is shown at once; what was read says it in the order of the lots. */
  #putBid(lot, bid) {
    this.ownBids.put(lot, bid);
    this.#on.change();
    this.#showRead(this.ownBids.read());
  }

  importLots(file, type) { return this.#after(this.#room.importLots(file, type)); }
  uploadPicture(file) { return this.#room.uploadPicture(file); }
  configureSale(sale) { return this.#after(this.#room.configureSale(sale)); }
  permissionRules() { return this.#room.permissionRules(); }
  switchRule(id, enabled) { return this.#after(this.#room.configurePermissions(id, { enabled })); }
  startSale() { return this.#after(this.#room.startSale()); }
  stopSale() { return this.#after(this.#room.stopSale()); }
  retract(bid, reason) { return this.#after(this.#room.retractBid(bid, reason)); }
  say(text) { return this.#room.sendMessage(text); }
  removeMessage(message) { return this.#room.removeMessage(message); }
  async report(message, reason) {
    await this.#room.reportMessage(message, reason || undefined);
    return true;
  }
  async changeMember(user, body) {
    const member = await this.#room.changeMember(user, body);
    this.#follow.include({ member });
    return this.#after(member);
  }

  approve(user, creditLimit) { return this.#after(this.#room.approveApplication(user, creditLimit || undefined)); }
  decline(user, reason) { return this.#after(this.#room.declineApplication(user, reason || undefined)); }
  kick(user) { return this.#after(this.#room.kick(user)); }
  leave() { return this.#after(this.#room.leave()); }

  /** @param act what to do with the room of the client, such as `(room) => room.leaveStage()` */
  async onStage(act) {
    const answer = await this.#after(act(this.#room));
    await this.#readStage();
    return answer;
  }
}
