// What of a long list of lots is looked for: words, and those that the user has marked.
import { h, set, show } from "../dom.js";
import { busily, speak } from "../feedback.js";
import { t } from "../strings.js";

/** A list that is no longer is seen at a glance. */
const shortList = 5;
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether a lot has all words in its name, its description, its condition or its number. */
export function fitsWords({ item, reference, number }, words) {
  const text = plain([item.name, item.description, item.condition, reference, number].filter(Boolean).join(" "));
  return plain(words).split(/\s+/).every((word) => text.includes(word));
}

/** @param change called when something else is looked for @param readAll reads the lots that are not known yet */
export function makeFilter(change, readAll) {
  const input = h("input", { type: "search", "aria-label": t("lots.search"), placeholder: t("lots.search"), autocomplete: "off", spellcheck: "false" });
  const marked = h("button.small", { type: "button", "aria-pressed": false, onclick: () => look(!isMarked) }, t("lots.marked"));
  const element = h("div.row.lot-filter", { role: "search", hidden: true }, input, marked);
  let isMarked = false;
  let spoken = null;
  input.addEventListener("input", () => look(isMarked));

  function look(next) {
    isMarked = next;
    set(marked, "aria-pressed", isMarked);
    change();
    if (isOn()) busily(marked, readAll);
  }

  const isOn = () => isMarked || input.value.trim() !== "";
  return {
    element, isOn,
    /** The lots that are looked for, of all that are known. */
    of({ queued, cursor }, favourites) {
      show(element, isOn() || queued.length > shortList || cursor !== null);
      show(marked, isMarked || favourites.size > 0);
      if (!isOn()) { spoken = null; return queued; }
      const fitting = queued.filter((lot) => (!isMarked || favourites.has(lot.id)) && fitsWords(lot, input.value));
      if (fitting.length !== spoken) speak(t("lots.found", { n: fitting.length }));
      spoken = fitting.length;
      return fitting;
    },
  };
}
