// Who one is: a nickname, what goes with it, and becoming another guest.
import { formatMoney } from "../client/auction-client.js";
import { dialog, h, table } from "../dom.js";
import { busily, noteError } from "../feedback.js";
import { field, form } from "../forms.js";
import { language, t } from "../strings.js";
import { askText, confirmDialog } from "./confirm.js";

const shownWins = 100;

/**
 * Resolves with the guest, or with null when the dialog was closed.
 * @param options `nickname` to begin with, and `hint`: why it is asked
 */
export function askNickname(app, { nickname = "", hint = null } = {}) {
  return new Promise((resolve) => {
    let guest = null;
    const input = h("input", { type: "text", autocomplete: "nickname", maxlength: 40, required: true, value: nickname, autofocus: true });
    const box = dialog(t("nick.title"), form("form.stack", [
      hint && h("p", hint),
      field(t("nick.label"), input, { name: "nickname", hint: t("nick.hint") }),
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

/** What belongs to the guest. Without one: the question for a nickname. */
export function openAccount(app) {
  const { user } = app.session;
  if (!user) return askNickname(app);
  const entry = (key, run) => h("button.menu-entry", {
    type: "button", onclick: async (event) => { if (await busily(event.currentTarget, run)) box.close(); },
  }, t(key));
  /** The menu closes before another dialog opens. */
  const asking = (key, run) => h("button.menu-entry", { type: "button", onclick: () => { box.close(); run(); } }, t(key));
  const box = dialog(t("nick.you", { name: user.nickname }), h("div.menu",
    asking("nick.rooms", () => app.go("/")),
    entry("nick.wins", () => showWins(app)),
    asking("nick.change", () => rename(app)),
    asking("nick.other", () => becomeOther(app).catch(noteError))), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}

async function showWins(app) {
  // A page ends early where many rooms have to be read for it.
  const wins = await app.client.myWins({ limit: shownWins }).all(shownWins);
  const box = dialog(t("nick.wins"), wins.length === 0 ? h("p.quiet-text", t("own.noneBought")) : table(
    [t("item.name"), t("nick.room"), t("price.final"), t("own.total")],
    wins.map(({ room, item, price, total, currency }) => [item.name,
      h("a", { href: `#/rooms/${room.id}`, onclick: () => box.close() }, room.name),
      ...[price, total].map((amount) => (amount ? formatMoney(amount, currency, language()) : "–"))]), null, "amounts"),
  { closeLabel: t("app.close") });
}

function rename(app) {
  const { nickname } = app.session.user;
  askText({ title: t("nick.change"), label: t("nick.label"), hint: t("nick.changeHint"), name: "nickname", go: t("app.save"), value: nickname },
    async (next) => app.session.keep(await app.client.setNickname(next)));
}

async function becomeOther(app) {
  const name = app.session.user.nickname;
  if (await confirmDialog(t("nick.otherConfirm", { name }), { title: t("nick.other"), go: t("nick.otherGo", { name }), isDangerous: true })) await askNickname(app);
}
