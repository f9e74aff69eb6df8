// What calls back a user who looks elsewhere: a sound, a vibration and, while the page is hidden, a notification. Only if switched on here.
// Browsers of Android let only a service worker notify, and the page's policy of trusted types allows none: there it is said in the page
// once that is seen again.

const stored = "auction-room.attention";
/** The tones of each kind of news: frequencies in hertz, one after the other. */
const tones = { offer: [523, 659, 523], outbid: [660, 440], next: [523, 523], soon: [523, 523], won: [523, 659, 784], warning: [392, 392] };
const toneSeconds = 0.16;
/** What is told of what was missed; a lot that was next may long be over. */
const ranks = { outbid: 1, won: 2, offer: 3 };
const refusedPlace = "auction-room.no-notifications";
const vibrations = { offer: [200, 80, 200, 80, 200], outbid: [200, 80, 200], next: [120], soon: [120], won: [80, 60, 80, 60, 300], warning: [80, 120, 80] };

export class Attention {
  #storage;
  #audio = null;
  #lock = null;
  #wantsLock = false;
  #isOn;
  #isRefused = false;
  #missed = null;
  #onMissed;

  /** @param storage as `safeStorage` makes it @param onMissed takes title and text of what no notification has told, when the page is seen again */
  constructor(storage, onMissed = () => {}) {
    this.#storage = storage;
    this.#onMissed = onMissed;
    this.#isOn = storage.get(stored) === "on";
    this.#isRefused = storage.get(refusedPlace) !== null;
    // Browsers play nothing before the first press on a page.
    if (this.#isOn) addEventListener("pointerdown", () => this.#sound(), { once: true });
    // The system takes the lock away from a page that is not seen.
    document.addEventListener("visibilitychange", () => { if (this.#wantsLock) this.keepAwake(true); });
    document.addEventListener("visibilitychange", () => this.#catchUp());
  }

  get isOn() { return this.#isOn; }
  get canNotify() { return !this.#isRefused && globalThis.Notification?.permission === "granted"; }

  /** Switches it on, with a sample of it, or off. Call it from a press. */
  async toggle() {
    this.#isOn = !this.#isOn;
    this.#storage.set(stored, this.#isOn ? "on" : "off");
    if (!this.#isOn) return;
    this.#play("next");
    if (globalThis.Notification?.permission !== "default") return;
    // Without permission it shows nothing, and throws where pages cannot notify: then the question would be in vain.
    if (this.#notify("", "", "next")) await Notification.requestPermission();
  }

  /** @param kind "outbid", "next", "soon", "warning", "won" or "offer" */
  call(kind, title, text) {
    if (!this.#isOn) return;
    this.#play(kind);
    if (!document.hidden || (this.canNotify && this.#notify(title, text, kind))) return;
    if (ranks[kind] >= (this.#missed?.rank ?? 1)) this.#missed = { rank: ranks[kind], title, text };
  }

  #catchUp() {
    if (document.hidden || !this.#missed) return;
    const { title, text } = this.#missed;
    this.#missed = null;
    this.#onMissed(title, text);
  }

  /** @returns whether pages can notify here */
  #notify(title, text, kind) {
    try {
      new Notification(title, { body: text, tag: kind }).onclick = () => window.focus();
    } catch {
      this.#isRefused = true;
      this.#storage.set(refusedPlace, "yes");
    }
    return !this.#isRefused;
  }

  #sound() {
    const Context = globalThis.AudioContext;
    if (Context) this.#audio ??= new Context();
    // Refused as long as nothing on the page was pressed.
    this.#audio?.resume().catch(() => {});
    return this.#audio;
  }

  #play(kind) {
    navigator.vibrate?.(vibrations[kind]);
    const audio = this.#sound();
    if (audio?.state !== "running" && audio?.state !== "suspended") return;
    for (const [index, frequency] of tones[kind].entries()) {
      const begin = audio.currentTime + index * toneSeconds;
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.2, begin);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + toneSeconds * 1.5);
      tone.connect(volume).connect(audio.destination);
      tone.start(begin);
      tone.stop(begin + toneSeconds * 1.5);
    }
  }

  /** Keeps the screen on, or no longer. */
  async keepAwake(isWanted) {
    this.#wantsLock = isWanted;
    if (!isWanted) {
      const lock = this.#lock;
      this.#lock = null;
      await lock?.release().catch(() => {});
      return;
    }
    if (this.#lock?.released === false || document.hidden || !navigator.wakeLock) return;
    const lock = await navigator.wakeLock.request("screen").catch(() => null);
    if (this.#wantsLock) this.#lock = lock; else await lock?.release().catch(() => {});
  }
}

/** What of a room news is made of. @param model as the views have it */
export function momentOf({ room, phase, userID, state, lots, favourites, ownBids, me }) {
  const { result } = state;
  const next = lots.queued?.[0] ?? null;
  const runs = Boolean(room.item || room.sale?.running);
  return {
    round: room.round, item: room.item?.id ?? null, isOpen: ["auctioning", "paused"].includes(phase),
    leads: room.currentBid?.bidder.id === userID, hasLeader: Boolean(room.currentBid),
    warning: me?.role === "bidder" ? room.warning ?? 0 : 0,
    offers: (me?.offers ?? []).map(({ id }) => id),
    isWon: phase === "closed" && result?.round === room.round && result.kind === "sold" && !result.voided && result.winner.id === userID,
    next: next && runs && (next.item.owner.id === userID || favourites.has(next.id)) ? next.id : null,
    // Who is not here needs a while to come back: two lots ahead.
    soon: runs ? (lots.queued ?? []).slice(0, 2).map(({ id }) => id).filter((id) => ownBids.of(id)?.myBid.state === "standing") : [],
  };
}

/** The kinds of news between two moments of a room; none where there was no moment before. */
export function newsBetween(before, now) {
  if (!before) return [];
  const isSame = before.round === now.round && before.item === now.item;
  return [
    isSame && now.isOpen && before.leads && !now.leads && now.hasLeader && "outbid",
    isSame && now.warning > before.warning && "warning",
    now.offers.some((id) => !before.offers.includes(id)) && "offer",
    now.next && now.next !== before.next && "next",
    now.soon.some((id) => !before.soon.includes(id)) && "soon",
    isSame && now.isWon && !before.isWon && "won",
  ].filter(Boolean);
}

/** What news since a moment is about: the items that are offered or come up, and for all others the one that is up, or the room. */
export function subjectOf(kind, before, model) {
  const { room, me, lots } = model;
  const isNew = (name) => ({ id }) => momentOf(model)[name].includes(id) && !before[name].includes(id);
  const items = kind === "offer" ? me.offers.filter(isNew("offers")) : kind === "next" ? lots.queued.slice(0, 1) : kind === "soon" ? lots.queued.filter(isNew("soon")) : [room];
  return items.map(({ item }) => item?.name ?? room.name).join(", ");
}
