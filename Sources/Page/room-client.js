// A room as one reader follows it: what is read once, what the stream tells, and what the reader asks for. Nothing here draws.
import { Problem } from "./client/http.js";
import * as fold from "./client/room-state.js";
import { Stream } from "./client/follow-machine.js";

/** How many events of the past are read for the chat and the course of the price. */
const historyLength = 300;
/** Asking the server what one may do now, at most so often. */
const refreshEveryMs = 400;

export class RoomClient {
  state = fold.initialState();
  stage = null;
  results = [];
  #app;
  #path;
  #stream = null;
  #refreshTimer = null;
  #refreshedAt = -Infinity;
  #isStopped = false;
  #on;

  /** @param on `change()`, `live(state, transport)`, `gone()`, `removed()` when the reader was put out of the room */
  constructor(app, id, on) {
    this.#app = app;
    this.id = id;
    this.#path = `/v1/rooms/${id}`;
    this.#on = on;
  }

  get room() { return this.state.room; }
  get #user() { return this.#app.session.user?.id; }
  #ask(method, rest = "", given = {}) { return this.#app.request(method, this.#path + rest, given); }

  // Reading.

  async read() {
    const room = await this.#ask("GET");
    this.state = fold.withSnapshot(this.state, room);
    return room;
  }

  readRest() { return Promise.all([this.#readRound(), this.#readMembers(), this.#readStage(), this.#readResults()]); }

  async #readRound() {
    const { round } = this.room;
    const page = await this.#ask("GET", `/bids?round=${round}&limit=100`);
    this.state = fold.withBids(this.state, page.bids, round);
  }

  async #readMembers() {
    const page = await this.#ask("GET", "/members?limit=500");
    // Only now: what happened while waiting is in the state by then.
    this.state = fold.withMembers(this.state, page.members);
  }

  async #readResults() {
    this.results = (await this.#ask("GET", "/results?limit=20")).results;
  }

  async #readStage() {
    this.stage = await this.#ask("GET", "/stage");
    this.#on.change();
  }

  /** Loads the caller's permissions, which events do not fully determine; throttled, with one request in flight. */
  refreshSoon() {
    if (this.#refreshTimer || this.#isStopped || this.state.archived) return;
    this.#refreshTimer = setTimeout(async () => {
      this.#refreshedAt = Date.now();
      try {
        await this.read();
        this.#on.change();
      } catch (error) {
        if (error instanceof Problem && error.status === 404) this.#gone();
      } finally {
        this.#refreshTimer = null;
      }
    }, Math.max(30, this.#refreshedAt + refreshEveryMs - Date.now()));
  }

  // Following.

  follow() {
    const after = Math.max(0, this.room.seq - historyLength);
    this.state = { ...this.state, seq: after };
    this.#stream = new Stream({
      room: this.id, after, request: this.#app.request, transport: this.#app.transport,
      onEvents: (events) => this.#take(events),
      onNotice: (notice) => this.#hear(notice),
      onState: (state, transport) => this.#on.live(state, transport),
      onResume: () => { Promise.all([this.read(), this.#readMembers(), this.#readStage()]).then(this.#on.change, () => {}); },
      onGone: () => this.#gone(),
    });
    this.#stream.start();
  }

  #take(events) {
    let asks = false;
    for (const event of events) {
      const isNews = event.seq > this.state.roomSeq;
      const hadBids = Boolean(this.room.currentBid);
      this.state = fold.applyEvent(this.state, event);
      // An event from the future: the device's clock was set back.
      if (Date.parse(event.at) > this.#app.clock.now() + 5000) this.#app.clock.hint(event.at);
      if (!isNews) continue;
      asks ||= fold.asksForRoom(event, this.#user, hadBids);
      this.#follow(event);
    }
    if (asks) this.refreshSoon();
    this.#on.change();
    // Nothing more happens there, and the server knows the room no longer; who is here may go on looking at it.
    if (this.state.archived) this.#gone();
  }

  /** Reloads what an event has made outdated. */
  #follow({ type, data }) {
    const quietly = (work) => work.then(() => this.#on.change(), () => {});
    if (type.startsWith("stage.") || type === "member.left") quietly(this.#readStage());
    // After the close sealed amounts are no secret any more, and there is a new row in the results.
    if (type === "state.changed" && data.to === "closed") quietly(Promise.all([this.#readRound(), this.#readResults()]));
    if (type === "bid.maximumVoided" && data.bidder.id === this.#user) this.#on.maximumVoided();
    const isOut = type === "member.kicked" || type === "member.banned" && data.banned;
    if (isOut && data.member.id === this.#user) this.#on.removed();
  }

  #hear(notice) {
    if (notice.serverTime) this.#app.clock.hint(notice.serverTime);
    if (typeof notice.viewers === "number") this.state = fold.withViewers(this.state, notice.viewers);
    this.#on.change();
  }

  #gone() {
    this.#stream?.stop();
    this.#stream = null;
    if (this.state.archived) this.#on.live("gone"); else this.#on.gone();
  }

  stop() {
    this.#isStopped = true;
    this.#stream?.stop();
    clearTimeout(this.#refreshTimer);
  }

  sleep() { this.#stream?.interrupt(); }

  wake(silentForMs) {
    this.#stream?.kick(silentForMs);
    if (this.room) this.refreshSoon();
  }

  // Doing. Each resolves with the server's answer, or true where it has none.

  async #after(work) {
    const answer = await work;
    this.refreshSoon();
    this.#on.change();
    return answer ?? true;
  }

  enter(role, code) {
    return this.#ask("POST", "/members", { body: { ...(role ? { role } : {}), ...(code ? { inviteCode: code } : {}) } });
  }

  async bid(body) {
    const answer = await this.#ask("POST", "/bids", { body: { ...body, round: this.room.round } });
    if (answer?.room && answer.room.seq > this.state.roomSeq) {
      this.state = {
        ...this.state, room: { ...this.room, ...answer.room }, roomSeq: answer.room.seq,
        clockEndsAt: answer.room.endsAt ?? this.state.clockEndsAt,
      };
    }
    return this.#after(Promise.resolve(answer));
  }

  async order(verb, body) {
    // A press that was meant for another state must not act on this one.
    const expected = { expectedState: this.room.state, expectedRound: this.room.round };
    const room = await this.#ask("POST", `/auction/${verb}`, { body: { ...expected, ...body } });
    this.state = fold.withSnapshot(this.state, room);
    return this.#after(Promise.resolve(room));
  }

  archive() { return this.#after(this.#ask("DELETE")); }
  upload(body) { return this.#after(this.#ask("POST", "/items", { body })); }
  adjust(rules) { return this.#after(this.#ask("PATCH", `/items/${this.room.item.id}`, { body: { rules } })); }
  retract(bid, reason) { return this.#after(this.#ask("DELETE", `/bids/${bid}?reason=${encodeURIComponent(reason)}`)); }
  say(text) { return this.#ask("POST", "/messages", { body: { text } }); }
  removeMessage(message) { return this.#ask("DELETE", `/messages/${message}`); }
  changeMember(user, body) { return this.#after(this.#ask("PATCH", `/members/${user}`, { body })); }
  kick(user) { return this.#after(this.#ask("DELETE", `/members/${user}`)); }
  leave() { return this.#after(this.#ask("DELETE", "/members/me")); }

  async onStage(rest, body = {}) {
    const answer = await this.#after(this.#ask("POST", `/stage/${rest}`, { body }));
    await this.#readStage();
    return answer;
  }
}
