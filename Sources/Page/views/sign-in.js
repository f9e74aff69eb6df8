// The ways in: by a nickname, by the operator's provider, or by a code of another device; and taking along what a guest has.
import { dialog, h } from "../dom.js";
import { busily, note, noteError } from "../feedback.js";
import { field, form } from "../forms.js";
import { t } from "../strings.js";
import { confirmDialog } from "./confirm.js";

/**
 * Resolves with the user, or with null when the dialog was closed; not at all when the browser goes to the provider.
 * @param options `nickname` to begin with, and `hint`: why it is asked
 */
export function askWho(app, { nickname = "", hint = null } = {}) {
  return new Promise((resolve) => {
    let user = null;
    const { guests } = app.settings;
    const offersProvider = app.provider.isOffered;
    const box = dialog(t(guests ? "nick.title" : "signIn.title"), h("div.stack",
      hint && h("p", hint),
      guests && nicknameForm(app, nickname, () => { user = app.session.user; box.close(); }),
      offersProvider && [guests && h("p.quiet-text", t("signIn.or")), providerButton(app, !guests)],
      !guests && !offersProvider && h("p", t("signIn.none")),
      codeButton(app, () => box.close())),
    { closeLabel: t("app.close"), onclose: () => resolve(user) });
    box.classList.add("narrow");
  });
}

function nicknameForm(app, nickname, done) {
  const input = h("input", { type: "text", autocomplete: "nickname", maxlength: 40, required: true, value: nickname, autofocus: true });
  return form("form.stack", [
    field(t("nick.label"), input, { name: "nickname", hint: t("nick.hint") }),
    h("button.primary", { type: "submit" }, t("nick.go")),
  ], async () => {
    // The page is rendered again for the guest; the dialog above it closes by itself.
    await app.session.become(input.value.trim(), app.client);
    done();
  });
}

const providerButton = (app, isPrimary) => h(`button${isPrimary ? ".primary" : ""}`, {
  type: "button", autofocus: isPrimary, onclick: (event) => busily(event.currentTarget, () => goToProvider(app)),
}, t("signIn.go", { name: app.provider.name }));

const codeButton = (app, close) => h("button.quiet.small", { type: "button", onclick: () => { close(); askCode(app); } }, t("pair.have"));

/** The browser leaves the page, and the guest of now is remembered. */
export async function goToProvider(app) {
  try {
    await app.provider.begin();
    // The button stays busy until the page is gone.
    await new Promise((resolve) => { setTimeout(resolve, 10_000); });
  } catch (error) {
    noteFailure(error);
  }
}

/** Says what went wrong at the provider. */
export function noteFailure(error) {
  if (error.key) note(t(error.key), "bad", error.detail ? t("signIn.says", { text: error.detail }) : null);
  else noteError(error);
}

/** Exchanges what the provider has given; asks for a nickname where it says none. @param given `idToken`, `nonce` and `issuer` */
export async function enterWith(app, given) {
  const { idToken, nonce, issuer } = given;
  try {
    await app.session.enter(app.client.signIn({ idToken, nonce }), issuer);
  } catch (error) {
    if (error.field !== "nickname") throw error;
    await askProviderNickname(app, given);
  }
  await offerLink(app);
}

function askProviderNickname(app, { idToken, nonce, issuer }) {
  return new Promise((resolve) => {
    const input = h("input", { type: "text", autocomplete: "nickname", maxlength: 40, required: true, autofocus: true });
    const box = dialog(t("nick.title"), form("form.stack", [
      field(t("nick.label"), input, { name: "nickname", hint: t("signIn.nameHint") }),
      h("button.primary", { type: "submit" }, t("nick.go")),
    ], async () => {
      await app.session.enter(app.client.signIn({ idToken, nonce, nickname: input.value.trim() }), issuer);
      box.close();
    }), { closeLabel: t("app.close"), onclose: resolve });
    box.classList.add("narrow");
  });
}

/** Offers a user who was a guest here to take along what that guest has. */
export async function offerLink(app) {
  const guest = app.session.leftGuest;
  if (!guest) return;
  const name = guest.user.nickname;
  if (await confirmDialog(t("link.question", { name, user: app.session.user.nickname }), { title: t("link.title", { name }), go: t("link.go") })) await linkGuest(app);
}

/** Makes what the guest of before has the user's. What cannot be now is left for later. */
export async function linkGuest(app) {
  const { linked, skipped } = await app.client.linkGuest(app.session.leftGuest.token);
  if (skipped.length === 0) app.session.forgetGuest();
  const left = skipped.map(({ room, reason }) => t("link.left", { room: room.name, reason: reason.detail })).join(" ");
  note(linked.length === 0 && skipped.length > 0 ? t("link.notYet") : t("link.done", { n: linked.length }), skipped.length > 0 ? "plain" : "good", left || null);
  app.redrawAll();
}

/** Asks for the code that another device shows. @param code that of a link */
export function askCode(app, code = "") {
  const input = h("input.code", { type: "text", autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", maxlength: 64, required: true, autofocus: true, value: code });
  const { user } = app.session;
  const box = dialog(t("pair.redeemTitle"), form("form.stack", [
    h("p", t("pair.redeem")),
    user && h("p.quiet-text", t("pair.instead", { name: user.nickname })),
    field(t("pair.code"), input, { name: "code", hint: t("pair.codeHint") }),
    h("button.primary", { type: "submit" }, t("nick.go")),
  ], async () => {
    await app.session.enter(app.client.redeemPairing(input.value), "");
    box.close();
    note(t("pair.done", { name: app.session.user.nickname }), "good");
  }), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}
