// The sound of a room: joining it as a listener by LiveKit's client, and the microphone of those who may speak. Nothing here draws.
import { Problem } from "./client/auction-client.js";

/** Pauses before it joins again. */
const pausesMs = [1_000, 2_000, 5_000, 10_000, 30_000];
/** The kept token is renewed this long before it expires, and so long after a renewal that failed. */
const renewBeforeMs = 60_000;
const renewAgainMs = 20_000;
/** The longest timer: the clock of the device may differ from the server's. */
const longestMs = 3600_000;

/**
 * `state`: "off", "joining", "on", or "waiting" between two attempts; `failure`: the key of the text that says why there is no sound, or
 * null; `isBlocked`: the browser plays nothing before a press; `isSpeaking`: the microphone is open; `speakers`: ids of who is heard.
 */
export class Voice {
  state = "off";
  failure = null;
  isBlocked = false;
  isSpeaking = false;
  speakers = new Set();
  #load;
  #takeToken;
  #change;
  #clock;
  #room = null;
  /** The last token: with it the page joins again also while the auction's server is away. */
  #token = null;
  /** Another one for each time that it is switched on or off: what was begun before has no effect. */
  #turn = 0;
  #attempts = 0;
  #timer = null;
  #renewal = null;

  /**
   * @param load resolves with LiveKit's module @param takeToken resolves with the server's answer @param change called after each change
   * @param clock its `now()` is the server's time
   */
  constructor({ load, takeToken, change, clock }) {
    this.#load = load;
    this.#takeToken = takeToken;
    this.#change = change;
    this.#clock = clock;
  }

  /** Whether LiveKit lets the user open a microphone, as far as it has said so. */
  get mayPublish() {
    if (this.state !== "on") return false;
    return this.#room.localParticipant.permissions?.canPublish ?? this.#token?.canPublish ?? false;
  }

  /** Joins, and joins again after each interruption until `stop`. */
  start() {
    if (this.state !== "off") return;
    this.#turn += 1;
    this.#attempts = 0;
    this.#join(this.#turn);
  }

  stop() {
    this.#turn += 1;
    this.#leave();
    this.#token = null;
    for (const timer of [this.#timer, this.#renewal]) clearTimeout(timer);
    this.#set("off", null);
  }

  /** Plays what the browser has not played yet. Call it from a press. */
  async hear() {
    await this.#room?.startAudio();
    this.#readPlayback();
  }

  /** Opens or closes the microphone. Call it from a press. @throws the browser's or LiveKit's error */
  async speak(isOpen) {
    const room = this.#room;
    if (!room || (isOpen && !this.mayPublish)) return;
    await room.localParticipant.setMicrophoneEnabled(isOpen);
    // The right may have gone while the browser asked for permission.
    const isAllowed = room === this.#room && this.mayPublish;
    if (isOpen && !isAllowed) await room.localParticipant.setMicrophoneEnabled(false);
    if (room !== this.#room) return;
    this.isSpeaking = isOpen && isAllowed;
    this.#change();
  }

  async #join(turn) {
    const isOver = () => turn !== this.#turn;
    this.#set("joining", this.failure);
    let room = null;
    try {
      const [client, token] = await Promise.all([this.#load(), this.#freshToken()]);
      if (isOver()) return;
      this.#keep(token, turn);
      room = new client.Room();
      this.#watch(room, turn);
      this.#room = room;
      await room.connect(token.url, token.token);
      if (isOver() || room !== this.#room) return void room.disconnect();
    } catch (error) {
      if (isOver()) return;
      // Its own event may have come first.
      if (room && room !== this.#room) return;
      this.#again(turn, error);
      return;
    }
    this.#attempts = 0;
    this.#set("on", null);
    this.#readPlayback();
  }

  /** A new token; the kept one where the server cannot be reached. */
  async #freshToken() {
    try {
      return await this.#takeToken();
    } catch (error) {
      if (error instanceof Problem || !this.#isValid(this.#token)) throw error;
      return this.#token;
    }
  }

  #isValid(token) { return token !== null && Date.parse(token.expiresAt) > this.#clock.now(); }

  /** Keeps a token, and renews it before it expires. */
  #keep(token, turn, afterMs = Date.parse(token.expiresAt) - this.#clock.now() - renewBeforeMs) {
    this.#token = token;
    clearTimeout(this.#renewal);
    this.#renewal = setTimeout(async () => {
      const next = await this.#takeToken().catch(() => null);
      if (turn !== this.#turn) return;
      if (next) this.#keep(next, turn); else this.#keep(token, turn, renewAgainMs);
    }, Math.min(Math.max(afterMs, renewAgainMs), longestMs));
  }

  #watch(room, turn) {
    const on = (event, act) => room.on(event, (...given) => { if (room === this.#room && turn === this.#turn) act(...given); });
    on("trackSubscribed", (track) => { if (track.kind === "audio") track.attach(); });
    on("trackUnsubscribed", (track) => track.detach());
    on("audioPlaybackChanged", () => this.#readPlayback());
    on("activeSpeakersChanged", (speakers) => { this.speakers = new Set(speakers.map(({ identity }) => identity)); this.#change(); });
    on("participantPermissionsChanged", () => { if (!this.mayPublish && this.isSpeaking) this.speak(false).catch(() => {}); this.#change(); });
    on("localTrackUnpublished", () => { this.isSpeaking = false; this.#change(); });
    on("disconnected", () => this.#again(turn, null));
  }

  #readPlayback() {
    if (!this.#room) return;
    this.isBlocked = this.#room.canPlaybackAudio === false;
    this.#change();
  }

  /** There is no sound now; it joins again, unless the server has said that the user may not. */
  #again(turn, error) {
    this.#leave();
    clearTimeout(this.#renewal);
    const status = error instanceof Problem ? error.status : null;
    if (status === 401 || status === 403 || status === 404) {
      this.#turn += 1;
      this.#token = null;
      this.#set("off", status === 401 ? "voice.needsUser" : "voice.refused");
      return;
    }
    const pause = pausesMs[Math.min(this.#attempts, pausesMs.length - 1)];
    this.#attempts += 1;
    this.#timer = setTimeout(() => { if (turn === this.#turn) this.#join(turn); }, pause);
    this.#set("waiting", "voice.away");
  }

  #leave() {
    const room = this.#room;
    this.#room = null;
    [this.isBlocked, this.isSpeaking, this.speakers] = [false, false, new Set()];
    // It ends the capture of the microphone as well.
    room?.disconnect();
  }

  #set(state, failure) {
    [this.state, this.failure] = [state, failure];
    this.#change();
  }
}

/** Why the microphone did not open, as the key of a text. */
export function microphoneFailure(error) {
  if (error?.name === "NotAllowedError") return "voice.noPermission";
  if (["NotFoundError", "NotReadableError", "OverconstrainedError"].includes(error?.name)) return "voice.noMicrophone";
  // Browsers give pages without TLS no microphone at all.
  return globalThis.isSecureContext === false ? "voice.insecure" : "voice.notYet";
}
