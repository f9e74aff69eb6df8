// The sound of a room, as far as the page plays it: one control beside the bell for those who listen, and the microphone in the dock, under
// the thumb, for those who may speak.
import { h, icon, replace, set, show } from "../dom.js";
import { busily, note } from "../feedback.js";
import { t } from "../strings.js";
import { makeVoiceLoader } from "../voice-client.js";
import { Voice, microphoneFailure } from "../voice.js";

/** Whether the user has switched the sound off, in this browser. */
const place = "auction-room.voice";
const loaders = new Map();

/** One for the page: its policy of Trusted Types can be made once. */
function loaderOf(client) {
  if (!loaders.has(client.url)) loaders.set(client.url, makeVoiceLoader(client));
  return loaders.get(client.url);
}

/**
 * @param settings `voice` of the server's settings: null without sound; its `client` is null if the page cannot play it
 * @param takeToken asks for a token of the room @param redraw draws the room
 * @param load resolves with LiveKit's module
 */
export function makeVoice({ settings, storage, clock, takeToken, redraw, load = settings?.client ? loaderOf(settings.client) : null }) {
  const listen = h("button.quiet.round.tiny.voice-listen", { type: "button", hidden: true, onclick: (event) => busily(event.currentTarget, press) }, icon("sound"));
  const microphone = h("button.big.voice-microphone", { type: "button", hidden: true, "data-action": "voice.microphone", onclick: (event) => busily(event.currentTarget, () => voice.speak(!voice.isSpeaking), (error) => note(t(microphoneFailure(error)), "bad")) });
  const how = h("p.field-hint.voice-how", { hidden: true }, t("voice.elsewhere"));
  if (!settings) return { listen, microphone, how, update() {}, stop() {}, isHeard: () => false };
  const voice = load && new Voice({ load, takeToken, clock, change: redraw });
  let isWanted = storage.get(place) !== "off";
  let isHere = false;
  let maySpeak = false;
  /** Whether the microphone was open when the room was last drawn. */
  let spoke = false;
  /** The failure that the user was notified of: once, however often the page tries. */
  let noted = null;

  function update(model) {
    const { archived, me } = model;
    const wasHere = isHere;
    isHere = !archived && !me?.banned;
    if (!voice) return show(how, isHere);
    if (isHere && !wasHere && isWanted) voice.start();
    if (!isHere && voice.state !== "off") voice.stop();
    maySpeak = hasRight(model) && voice.mayPublish;
    // LiveKit closes it as well, and later.
    if (voice.isSpeaking && !maySpeak) voice.speak(false).catch(() => {});
    if (spoke && !maySpeak && voice.state === "on") note(t("voice.closed"), "bad");
    spoke = voice.isSpeaking && maySpeak;
    draw();
  }

  function draw() {
    const { state, failure, isBlocked, isSpeaking } = voice;
    show(listen, isHere);
    const label = t(state === "off" ? "voice.listen" : state !== "on" ? "voice.joining" : isBlocked ? "voice.hear" : "voice.stop");
    set(listen, "aria-label", label);
    set(listen, "title", label);
    listen.dataset.state = isBlocked ? "blocked" : state;
    show(microphone, isHere && maySpeak);
    set(microphone, "aria-pressed", isSpeaking);
    microphone.classList.toggle("strong", isSpeaking);
    const words = t(isSpeaking ? "voice.close" : "voice.open");
    if (microphone.textContent !== words) replace(microphone, icon(isSpeaking ? "microphone" : "muted"), h("span", words));
    // A visitor without a name has not asked for sound.
    if (failure && failure !== noted && failure !== "voice.needsUser") note(t(failure), "bad");
    noted = state === "on" ? null : failure ?? noted;
  }

  async function press() {
    if (voice.state === "on" && voice.isBlocked) return voice.hear();
    isWanted = voice.state === "off";
    storage.set(place, isWanted ? "on" : "off");
    if (!isWanted) return voice.stop();
    if (voice.failure === "voice.needsUser") note(t("voice.needsUser"));
    noted = null;
    return voice.start();
  }

  return { listen, microphone, how, update, stop: () => voice?.stop(), isHeard: (id) => voice?.speakers.has(id) ?? false };
}

/** Whether the seats let the user speak: the host, and the occupant of a seat that is not muted. */
export function hasRight({ stage, me, userID }) {
  if (me?.role === "host") return true;
  const own = stage?.seats.find((seat) => seat.occupant?.user.id === userID);
  return Boolean(userID && own && !own.muted);
}
