// Choosing a nickname.
import { dialog, h } from "../dom.js";
import { field, form } from "../forms.js";
import { t } from "../strings.js";

/** Resolves with the guest, or with null when the dialog was closed. */
export function askNickname(app, isChange = false) {
  return new Promise((resolve) => {
    let guest = null;
    const input = h("input", { type: "text", autocomplete: "nickname", maxlength: 40, required: true, value: "", autofocus: true });
    const hint = isChange && app.session.user ? t("nick.changeHint") : t("nick.hint");
    const box = dialog(t("nick.title"), form("form.stack", [
      field(t("nick.label"), input, { name: "nickname", hint }),
      h("button.primary", { type: "submit" }, t("nick.go")),
    ], async () => {
      // The page is rendered again for the guest; the dialog above it closes by itself.
      await app.session.become(input.value.trim(), app.client);
      guest = app.session.user;
      box.close();
    }), { closeLabel: t("app.close"), onclose: () => resolve(guest) });
    box.classList.add("narrow");
  });
}
