// A call of the contract: what it takes and answers, its curl command, and a form that sends it.
import { h, replace, setText } from "../dom.js";
import { t } from "../strings.js";
import { exampleOf } from "./contract.js";
import { code, copyButton, line, markdown } from "./elements.js";
import { curlOf, newKey, requestOf } from "./requests.js";
import { schemaView, table } from "./types.js";

export const callAddress = (id) => `/docs#${id}`;

/** Parameters that every call has; they are listed last, and the form leaves them out. */
const common = new Set(["Idempotency-Key", "Accept-Language", "X-Request-Id"]);

/** A call, which is rendered when it is opened. */
export function callView(app, call) {
  const box = h("details.entry.call", { id: call.id },
    h("summary", h(`span.method.${call.method.toLowerCase()}`, call.method), h("code.path", call.path), h("span.call-summary", call.summary)));
  box.addEventListener("toggle", () => {
    if (box.open && box.children.length === 1) box.append(h("div.entry-body", content(app, call)));
  });
  return box;
}

const heading = (text) => h("h3", text);

function content({ contract, guest, linkOf }, call) {
  const parameters = [...call.parameters].sort((a, b) => common.has(a.name) - common.has(b.name));
  const media = Object.entries(call.body?.content ?? {});
  return [
    markdown(call.description, { linkOf, shift: 3 }),
    h("p.facts", h("span.tag", t(`docs.token.${call.token}`)), h("span.tag", call.id), call.actions.map((each) => h("span.tag", each))),
    trial(contract, guest, call, media),
    heading(t("docs.parameters")),
    table(t("docs.parameters"), parameters.map(({ name, in: place, required, schema, description }) => (
      { name, place, isRequired: required, schema: schema ?? {}, description })), linkOf),
    media.length > 0 && [
      heading(t("docs.body")),
      h("p", h("code", media.map(([type]) => type).join(", ")), " ", call.body.required && h("span.bound.needed", t("docs.required"))),
      media[0][1].schema && schemaView(contract, media[0][1].schema, linkOf),
    ],
    heading(t("docs.answers")),
    call.answers.map((answer) => answerView(contract, answer, linkOf)),
  ];
}

function answerView(contract, answer, linkOf) {
  const codes = answer["x-problem-codes"] ?? [];
  const box = h("details.answer", h("summary", statusOf(answer.status), " ", h("span", line(answer.description, linkOf))));
  box.addEventListener("toggle", () => {
    if (!box.open || box.children.length > 1) return;
    box.append(h("div.entry-body",
      codes.length > 0 && h("p.facts", codes.map((each) => h("span.tag", each))),
      Object.entries(answer.content ?? {}).map(([type, media]) => {
        const example = exampleOf(media);
        return [h("p", h("code", type)), media.schema && schemaView(contract, media.schema, linkOf), example !== undefined && code(textOf(example))];
      }),
      answer.headers && h("p.quiet-text", t("docs.headers", { names: Object.keys(answer.headers).join(", ") }))));
  });
  return box;
}

const statusOf = (status) => h(`span.status.${status < "4" ? "good" : "bad"}`, status);

const textOf = (example) => (typeof example === "string" ? example : JSON.stringify(example, null, 2));

/** The curl command, and for what guests can do a form whose values are in it. */
function trial(contract, guest, call, media) {
  const values = { parameters: {}, body: null, type: media[0]?.[0] ?? null, key: newKey() };
  const command = h("code");
  const commandBox = h("pre", command);
  const showCommand = () => setText(command, curlOf(call, requestOf(call, values), location.origin));
  const fields = fieldsOf(guest, call, media, values, showCommand);
  // Readers of the screen hear how it went, and find the rest below it.
  const said = h("p", { role: "status" });
  const answer = h("div.trial-answer");
  const send = h("button.primary", { type: "submit" }, t("docs.try"));
  const form = h("form.trial", { onsubmit: submit }, fields.elements, call.isForGuests
    ? h("div.row.wrap", send, h("span.quiet-text", t("docs.tryHint")))
    : h("p.quiet-text", t("docs.notForGuests")));

  async function submit(event) {
    event.preventDefault();
    if (!call.isForGuests || send.getAttribute("aria-busy") === "true") return;
    send.setAttribute("aria-busy", "true");
    const request = requestOf(call, values);
    replace(said);
    replace(answer);
    try {
      const received = await guest.send(call, request);
      replace(said, h("code", `${request.method} ${request.target}`), " → ", statusOf(String(received.status)));
      replace(answer, answerOf(received));
      // Whatever does not decide leaves the command as it was, with its key: it may have been carried out, and a repeat must not do it twice.
      if (received.isDecided) {
        values.key = newKey();
        fields.refresh();
      }
    } catch {
      replace(said, h("span.field-error", t("app.unreachable")));
    }
    send.removeAttribute("aria-busy");
  }

  fields.refresh();
  return [
    h("div.curl-head", heading("curl"), copyButton(() => command.textContent, commandBox)),
    h("div.scrolling", { tabindex: "0", role: "group", "aria-label": "curl" }, commandBox), form, said, answer,
  ];
}

function answerOf({ headers, text, size }) {
  const shown = headers.filter(([name]) => !/^(?:date|connection|content-length|vary|access-control-.*|cross-origin-.*|x-content-type-options)$/i.test(name));
  return [
    h("pre.headers", shown.map(([name, value]) => `${name}: ${value}`).join("\n")),
    text && code(text, t("docs.answers")),
    size !== null && h("p.quiet-text", t(text ? "docs.cut" : "docs.binary", { n: size })),
  ];
}

/** Fields of the parameters and the body; what the user has not changed follows the ids that the guest has seen. */
function fieldsOf(guest, call, media, values, changed) {
  const rows = call.parameters.filter(({ name }) => !common.has(name)).map((parameter) => {
    const input = h("input", { id: `${call.id}-${parameter.name}`, autocomplete: "off", spellcheck: "false", required: parameter.required && call.isForGuests });
    // What may be left out is left out at first.
    const example = parameter.required ? String(exampleOf(parameter) ?? "") : "";
    return { input, example, label: `${parameter.name}${parameter.required ? "" : ` (${t("docs.optional")})`}`, set: (value) => { values.parameters[parameter.name] = value; } };
  });
  const example = exampleOf(media[0]?.[1]);
  const isText = example !== undefined && media[0][1].schema?.format !== "binary";
  if (isText) {
    const input = h("textarea", { id: `${call.id}-body`, spellcheck: "false", rows: Math.min(16, textOf(example).split("\n").length + 1) });
    rows.push({ input, example, label: t("docs.body"), set: (value) => { values.body = value; } });
  }
  for (const row of rows) {
    row.input.addEventListener("input", () => { row.isChanged = true; row.set(row.input.value); changed(); });
  }
  const file = media.length > 0 && !isText && h("input", {
    id: `${call.id}-body`, type: "file", accept: media.map(([type]) => type).join(","), onchange: () => {
      values.body = file.files[0] ?? null;
      values.type = values.body?.type || media.at(-1)[0];
      changed();
    },
  });
  return {
    elements: [
      rows.map(({ input, label }) => h("div.field", h("label", { for: input.id }, label), input)),
      file && h("div.field", h("label", { for: file.id }, t("docs.file")), file),
    ],
    refresh() {
      for (const row of rows.filter((each) => !each.isChanged)) {
        row.input.value = textOf(guest.fill(row.example));
        row.set(row.input.value);
      }
      changed();
    },
  };
}
