// Webhooks with their deliveries.
import { dialog, h, table } from "../dom.js";
import { busily, note } from "../feedback.js";
import { field, form } from "../forms.js";
import { t } from "../strings.js";
import { confirmDialog } from "../views/confirm.js";
import { copyable } from "../views/share.js";
import { paged, timeText } from "./rooms.js";

const path = "/v1/admin/webhooks";

export async function webhooksView(operator) {
  const list = await paged([t("webhook.url"), t("operator.state"), t("webhook.parked"), t("webhook.types")], async () => {
    const { webhooks } = await operator.call("GET", path);
    return { next: null, lines: webhooks.map((webhook) => row(operator, webhook)) };
  }, t("webhook.none"));
  return h("div.stack", list, h("div.row", h("button.primary", { type: "button", onclick: () => create(operator) }, t("webhook.add"))));
}

const row = (operator, webhook) => [
  h("button.quiet.small", { type: "button", onclick: (event) => busily(event.currentTarget, () => open(operator, webhook)) }, webhook.url),
  webhook.paused ? t("webhook.paused", { reason: webhook.paused.reason }) : webhook.failingSince ? t("webhook.failing", { time: timeText(webhook.failingSince) }) : t("webhook.active"),
  String(webhook.parked), webhook.types.length > 0 ? webhook.types.join(", ") : t("webhook.allTypes"),
];

function create(operator) {
  const url = h("input", { type: "url", maxlength: 2048, required: true, autofocus: true, placeholder: "https://" });
  const types = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  const box = dialog(t("webhook.add"), form("form.stack", [
    field(t("webhook.url"), url, { name: "url" }), field(t("webhook.types"), types, { name: "types", hint: t("webhook.typesHint") }),
    h("button.primary", { type: "submit" }, t("webhook.add")),
  ], async () => {
    const chosen = types.value.split(/[\s,]+/).filter(Boolean);
    const webhook = await operator.call("POST", path, { url: url.value.trim(), ...(chosen.length > 0 && { types: chosen }) });
    box.close();
    showOnce(t("webhook.secret"), webhook.secret);
    operator.again();
  }), { closeLabel: t("app.close") });
}

/** A secret that the server shows once. */
export function showOnce(label, secret) {
  dialog(label, h("div.stack", h("p", t("operator.once")), copyable(label, secret, "secret")), { closeLabel: t("app.close") }).classList.add("narrow");
}

async function open(operator, { id, url, paused }) {
  const first = await operator.call("GET", `${path}/${id}/deliveries`);
  const { deliveries } = first;
  const failed = await failedDeliveries(operator, id, first);
  const call = async (name) => {
    const answer = await operator.call("POST", `${path}/${id}/${name}`);
    box.close();
    if (name === "rotate") showOnce(t("webhook.secret"), answer.secret); else note(t("operator.done"), "good");
    operator.again();
  };
  const entry = (name) => h("button.menu-entry", { type: "button", onclick: (event) => busily(event.currentTarget, () => call(name)) }, t(`webhook.${name}`));
  const remove = async () => {
    box.close();
    if (!await confirmDialog(t("webhook.removeConfirm", { url }), { title: t("webhook.remove"), go: t("webhook.remove"), isDangerous: true })) return;
    await operator.call("DELETE", `${path}/${id}`);
    operator.again();
  };
  const box = dialog(url, h("div.stack",
    h("div.menu", entry(paused ? "resume" : "pause"), entry("test"), failed && entry("resend"), entry("rotate"),
      h("button.menu-entry.danger", { type: "button", onclick: (event) => busily(event.currentTarget, remove) }, t("webhook.remove"))),
    deliveries.length === 0 ? h("p.empty", t("webhook.noDeliveries")) : table(
      [t("operator.time"), t("webhook.event"), t("webhook.status"), t("webhook.answer")],
      deliveries.map((each) => [timeText(each.at), `${each.type} · ${each.seq ?? ""}`, `${each.status ?? "–"} (${each.milliseconds} ms)`, each.error ?? each.answer ?? "–"])),
    failed && h("h3", t("webhook.failed")), failed),
  { closeLabel: t("app.close") });
}

/** Deliveries that have failed for good, as a list of pages; null if there are none. */
async function failedDeliveries(operator, id, first) {
  if (first.failed.length === 0) return null;
  return paged([t("operator.time"), t("webhook.event"), t("webhook.status"), t("webhook.attempts")], async (cursor) => {
    const { failed, nextCursor } = cursor ? await operator.call("GET", `${path}/${id}/deliveries?${new URLSearchParams({ cursor })}`) : first;
    return { next: nextCursor, lines: failed.map((each) => [timeText(each.failedAt), `${each.type} · ${each.seq}`, String(each.status ?? "–"), String(each.attempts)]) };
  });
}
