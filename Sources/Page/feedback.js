// Transient notes, and announcements for screen readers.
import { Problem, Unreachable } from "./client/auction-client.js";
import { h } from "./dom.js";
import { crowdWords, problemWords, termWords } from "./problem-words.js";
import { t } from "./strings.js";

const noteMs = 5_000;
/** Shortest interval between announcements: of many bids a second only the latest is announced. */
const speakEveryMs = 2_500;
/** An announcement is taken away after this: who reads the page later would find it at the end, and the same one is said again. */
const spokenMs = 8_000;

/** Buttons that are pressed again while a note is shown. */
const keptClear = ".form-foot, .lots-actions";
const gapPx = 8;

let notes, polite;
let waiting = null;
let emptying = null;
let spokenAt = -Infinity;

export function mountFeedback(parent) {
  notes = h("div.notes", { role: "alert" });
  polite = h("p.unseen", { role: "status", "aria-live": "polite" });
  parent.append(notes, polite);
  // What a note tells of changes the page below it.
  new ResizeObserver(lift).observe(parent);
}

/** Raises notes at the bottom above what they would cover of what has the focus and of `keptClear`. */
function lift() {
  notes.style.setProperty("--lift", "0px");
  if (notes.childNodes.length === 0) return;
  const own = notes.getBoundingClientRect();
  const others = [...document.querySelectorAll(keptClear), document.activeElement].filter((each) => each && each !== document.body && !each.contains(notes))
    .map((each) => each.getBoundingClientRect());
  const covered = others.filter(({ top, bottom, left, right }) => top < own.bottom && own.top < bottom && left < own.right && own.left < right);
  const height = own.bottom - Math.min(...covered.map(({ top }) => top)) + gapPx;
  // Where there is no place above it, it stays.
  if (covered.length > 0 && own.top - height > 0) notes.style.setProperty("--lift", `${Math.ceil(height)}px`);
}

/** Shows a note; kind is "good", "bad" or "plain". @param options `isLost`: it is taken away once connected again; `isKept`: not before */
export function note(text, kind = "plain", more = null, { isLost = false, isKept = false } = {}) {
  // The latest is the one that matters; more would hide the page.
  notes.replaceChildren();
  const element = h(`div.note.${kind}${isLost ? ".lost" : ""}`, h("p", text), more && h("p.note-more", more));
  // What lies below an open dialog can be neither seen nor heard.
  const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (notes.parentElement !== place) place.append(notes);
  notes.append(element);
  lift();
  if (!isKept) setTimeout(() => element.remove(), more ? noteMs * 1.6 : noteMs);
}

/** The server is reached again: what was said of that is over. */
export function connected() {
  for (const element of notes.querySelectorAll(".lost")) element.remove();
}

/** What was required and what was found, where the server says so and the sentence does not already. */
export function requirement(problem) {
  if (!problem.required || problem.detail.includes(problem.required)) return null;
  const required = termWords(problem.required);
  if (required === null) return null;
  const actual = problem.actual ? termWords(problem.actual) : null;
  return actual === null ? t("problem.required", { required }) : t("problem.requiredActual", { required, actual });
}

export function explain(error) {
  if (error?.told) return [error.told, null];
  // A response may have been lost on its way, and the command not.
  if (error?.mayHaveExecuted) return [t("app.unanswered"), null];
  if (error instanceof Problem) return [(crowdWords(error) ?? problemWords(error)) || t("app.unexpected", { detail: error.message }), requirement(error)];
  if (error instanceof Unreachable) return [t(navigator.onLine ? "app.unreachable" : "app.offline"), null];
  console.error(error);
  return [t("app.unexpected", { detail: error?.message ?? String(error) }), null];
}

export function noteError(error) {
  const [text, more] = explain(error);
  note(text, "bad", more, { isLost: error instanceof Unreachable || Boolean(error?.mayHaveExecuted), isKept: Boolean(error?.told) });
}

/** Announces a text to screen readers only; a newer text replaces one that is still waiting. */
export function speak(text) {
  clearTimeout(waiting);
  const say = () => {
    spokenAt = Date.now();
    polite.textContent = text;
    clearTimeout(emptying);
    emptying = setTimeout(() => { polite.textContent = ""; }, spokenMs);
  };
  const rest = spokenAt + speakEveryMs - Date.now();
  if (rest <= 0) say(); else waiting = setTimeout(say, rest);
}

/** A place of a dialog where it says something to screen readers, as `speak` does for the page, of which nothing is heard below a dialog. */
export function makeStatus() {
  const element = h("p.unseen", { role: "status" });
  let emptying = null;
  return {
    element,
    say(text) {
      element.textContent = text;
      clearTimeout(emptying);
      emptying = setTimeout(() => { element.textContent = ""; }, spokenMs);
    },
  };
}

/**
 * Runs what a button does: the button is busy meanwhile and keeps the focus; a refusal is shown in words.
 * @returns what the work returned, or undefined if it failed
 */
export async function busily(button, work, onProblem = noteError) {
  if (button?.getAttribute("aria-busy") === "true") return undefined;
  button?.setAttribute("aria-busy", "true");
  try {
    return await work() ?? true;
  } catch (error) {
    onProblem(error);
    return undefined;
  } finally {
    button?.removeAttribute("aria-busy");
  }
}
