// Texts that are given to others, or to another device: links and codes, with a button that copies them.
import { h } from "../dom.js";
import { note } from "../feedback.js";
import { t } from "../strings.js";

/**
 * Whether a host name, as browsers write it, means the same machine: others who open the address reach their own. That an unspecified
 * address does too is said by no standard, but browsers and systems do it.
 */
export function isLoopback(name) {
  const mapped = /^\[::ffff:([\da-f]{1,4}):[\da-f]{1,4}\]$/i.exec(name);
  if (mapped) return [0, 127].includes(parseInt(mapped[1], 16) >> 8);
  return /^((.*\.)?localhost\.?|(127|0)(\.\d+){3}|\[::1?\])$/i.test(name);
}

/** @returns whether the text is in the clipboard; without HTTPS browsers have none for pages, but copy what is selected */
async function copied(text, box) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    box.focus();
    box.select();
    return document.execCommand("copy");
  }
}

/** A text with its button. @param name by which tests find it */
export function copyable(label, value, name, hint) {
  const box = h("input.copy", { type: "text", readonly: true, value, "data-share": name, "aria-label": label, onfocus: () => box.select() });
  return h("div.field", h("span.label", label), h("div.row.nowrap", box, h("button", {
    type: "button", "aria-label": `${t("host.copy")}: ${label}`, onclick: async () => (await copied(value, box) ? note(t("host.copied"), "good") : note(t("host.copyByHand"))),
  }, t("host.copy"))), hint && h("p.field-hint", hint));
}
