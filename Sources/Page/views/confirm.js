// Questions before what cannot be taken back.
import { Problem } from "../client/auction-client.js";
import { dialog, h } from "../dom.js";
import { field, form } from "../forms.js";
import { t } from "../strings.js";

/** Resolves with whether the user confirmed. @param options `more` is an element below the question */
export function confirmDialog(question, { title, go, more = null, isDangerous = false }) {
  return new Promise((resolve) => {
    let answer = false;
    const box = dialog(title ?? go, h("div.stack", h("p", question), more, h("div.row.end",
      h("button.quiet", { type: "button", autofocus: isDangerous, onclick: () => box.close() }, t("app.cancel")),
      h(`button.${isDangerous ? "danger" : "primary"}`, {
        type: "button", autofocus: !isDangerous, onclick: () => { answer = true; box.close(); },
      }, go))), { closeLabel: t("app.close"), onclose: () => resolve(answer) });
    box.classList.add("narrow");
  });
}

/**
 * Remembers the item of now, for what is asked or filled in about it. What it returns throws a Problem with the text `key` if another item, or
 * none, is up by then: also in the same round, which begins again with its number if it is cancelled before its first bid.
 */
export function sameItem(room, key) {
  const { item } = room.model().room;
  return () => {
    if (room.model().room.item?.id !== item?.id) throw new Problem({ detail: t(key) }, 409);
  };
}

/** Asks for one text and does something with it; the server's complaint stands at the field. */
export function askText({ title, label, hint, name, go, keep = t("app.cancel"), value = "", long = false, isDangerous = false, affix }, act) {
  const input = long ? h("textarea", { rows: 2, maxlength: 500, autofocus: true })
    : h("input", { type: "text", autocomplete: "off", autofocus: true });
  input.value = value;
  const box = dialog(title, form("form.stack", [
    field(label, input, { name, hint, affix }),
    h("div.row.end", h("button.quiet", { type: "button", onclick: () => box.close() }, keep),
      h(`button.${isDangerous ? "danger" : "primary"}`, { type: "submit" }, go)),
  ], async () => {
    await act(input.value.trim());
    box.close();
  }), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}
