// Users who must not go on, service tokens, and what was done with them.
import { dialog, h } from "../dom.js";
import { busily } from "../feedback.js";
import { field, form } from "../forms.js";
import { t } from "../strings.js";
import { confirmDialog } from "../views/confirm.js";
import { askReason, paged, timeText } from "./rooms.js";
import { showOnce } from "./webhooks.js";

const scopes = ["admin", "users:sign-in", "users:manage", "rooms:read", "rooms:write", "feed:read", "webhooks:manage"];
const auditSize = 100;

export async function usersView(operator) {
  const id = h("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 64, required: true, placeholder: "user_…" });
  const act = (name) => h("button", { type: "submit", value: name }, t(`operator.${name}`));
  return form("form.stack", [
    h("p", t("operator.usersHint")), field(t("operator.user"), id, { name: "userId" }), h("div.row.wrap", act("ban"), act("unban"), act("revoke")),
  ], async (_, button) => {
    const path = `/v1/admin/users/${encodeURIComponent(id.value.trim())}/${button.value}`;
    const label = t(`operator.${button.value}`);
    askReason(label, label, (reason) => operator.call("POST", path, button.value === "revoke" ? null : { reason }), operator);
  });
}

export async function tokensView(operator) {
  const list = await paged([t("operator.name"), t("operator.scopes"), t("operator.created"), t("operator.used"), ""], async () => {
    const { tokens } = await operator.call("GET", "/v1/admin/tokens");
    return { next: null, lines: tokens.map((token) => row(operator, token)) };
  }, t("operator.noTokens"));
  return h("div.stack", list, h("div.row", h("button.primary", { type: "button", onclick: () => create(operator) }, t("operator.addToken"))));
}

function row(operator, token) {
  const revoke = async () => {
    if (!await confirmDialog(t("operator.revokeTokenConfirm", { name: token.name }), { title: t("operator.revokeToken"), go: t("operator.revokeToken"), isDangerous: true })) return;
    await operator.call("DELETE", `/v1/admin/tokens/${token.id}`);
    operator.again();
  };
  return [token.name, token.scopes.join(", "), timeText(token.createdAt), timeText(token.lastUsedAt),
    h("button.quiet.small", { type: "button", "aria-label": `${t("operator.revokeToken")}: ${token.name}`, onclick: (event) => busily(event.currentTarget, revoke) }, t("operator.revokeToken"))];
}

function create(operator) {
  const name = h("input", { type: "text", maxlength: 100, required: true, autofocus: true });
  const boxes = scopes.map((scope) => h("input", { type: "checkbox", value: scope }));
  const box = dialog(t("operator.addToken"), form("form.stack", [
    field(t("operator.name"), name, { name: "name" }),
    h("fieldset.stack.tight", h("legend", t("operator.scopes")), boxes.map((input) => h("label.row", input, h("span", input.value)))),
    h("button.primary", { type: "submit" }, t("operator.addToken")),
  ], async () => {
    const token = await operator.call("POST", "/v1/admin/tokens", { name: name.value.trim(), scopes: boxes.filter((each) => each.checked).map((each) => each.value) });
    box.close();
    showOnce(t("operator.token"), token.token);
    operator.again();
  }), { closeLabel: t("app.close") });
}

export const auditView = (operator) => paged(
  [t("operator.time"), t("operator.token"), t("operator.action"), t("operator.target"), t("operator.reason")],
  async (cursor) => {
    const { entries, nextCursor } = await operator.call("GET", `/v1/admin/audit?${new URLSearchParams({ limit: auditSize, ...(cursor && { cursor }) })}`);
    return { next: nextCursor, lines: entries.map(({ at, token, action, target, reason }) => [timeText(at), token.name, action, target ?? "–", reason ?? "–"]) };
  }, t("operator.noAudit"));
