// Fields with labels, hints, and the server's complaints where they belong.
import { Problem } from "./client/auction-client.js";
import { h, set, setText, show } from "./dom.js";
import { noteError, requirement } from "./feedback.js";
import { plainLabel, problemWords } from "./problem-words.js";

let count = 0;

/** A labelled control. `field` is the name by which the server would complain about it. */
export function field(label, control, { hint, name, affix } = {}) {
  const id = `f${++count}`;
  control.id = id;
  if (name) Object.assign(control.dataset, { field: name, label });
  const error = h("p.field-error", { id: `${id}-e`, hidden: true });
  const note = hint && h("p.field-hint", { id: `${id}-h` }, hint);
  set(control, "aria-describedby", [note && `${id}-h`, `${id}-e`].filter(Boolean).join(" "));
  const input = affix ? h("div.affixed", h("span.affix", { "aria-hidden": "true" }, affix), control) : control;
  return h("div.field", h("label", { for: id }, label), input, note, error);
}

/** One of a few, as radio buttons that look like cards. */
export function choice(legend, name, options, chosen, { field: fieldName, onchange } = {}) {
  const group = `${name}-${++count}`;
  const element = h("fieldset.choice", h("legend", legend), h(`div.choice-row${options.length === 3 ? ".few" : ""}`, options.map(({ value, label, hint }) =>
    h("label.choice-card",
      h("input", { type: "radio", name: group, value, checked: value === chosen, onchange: () => onchange?.(value) }),
      h("span.choice-text", h("span.choice-label", label), hint && h("span.choice-hint", hint))))),
  h("p.field-error", { hidden: true }));
  if (fieldName) Object.assign(element.dataset, { field: fieldName, label: legend });
  return {
    element,
    get value() { return element.querySelector("input:checked")?.value; },
    set value(next) { for (const input of element.querySelectorAll("input")) input.checked = input.value === next; },
  };
}

export function clearErrors(form) {
  for (const error of form.querySelectorAll(".field-error")) { setText(error, ""); show(error, false); }
  for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
}

/** The control a problem's `field` means: the very one, or the nearest around it ("rules.increment.tiers[0].from"). */
export function fieldFor(names, wanted) {
  if (!wanted) return null;
  const clean = wanted.replace(/\[\d+\]/g, "");
  const fits = names.filter((name) => clean === name || clean.startsWith(`${name}.`) || name.endsWith(`.${clean}`));
  return fits.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** What a refusal about the amount means, since it names no field of the body: "amount", or the only control that there is. */
function amountField(names) { return names.length === 1 ? names[0] : "amount"; }

/** Shows a refusal at its field and focuses it; a refusal without a field is shown as a note. */
export function showProblem(form, problem) {
  const controls = [...form.querySelectorAll("[data-field]")].filter((control) => !control.closest("[hidden]"));
  const names = controls.map((control) => control.dataset.field);
  const name = problem instanceof Problem ? fieldFor(names, problem.field ?? (problem.category === "amount" ? amountField(names) : null)) : null;
  const control = name && controls.find((each) => each.dataset.field === name);
  if (!control) return noteError(problem);
  const holder = control.closest(".field") ?? control;
  const error = holder.querySelector(".field-error");
  const named = (path) => controls.find((each) => each.dataset.field === path);
  const label = (path) => (named(path) ? plainLabel(named(path).dataset.label) : null);
  setText(error, [problemWords(problem, label), requirement(problem)].filter(Boolean).join(" "));
  show(error, true);
  for (let box = control.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  set(control, "aria-invalid", "true");
  const target = control.matches("fieldset") ? control.querySelector("input:checked") ?? control.querySelector("input") : control;
  target.focus();
}

/** After each change of a control, also by the page in the user's name: its form has something to lose, and the complaint about it is answered. */
export function changedIn(control) {
  const form = control.closest("form");
  if (form) form.dataset.changed = "";
  const holder = control.closest(".field, .choice");
  if (!holder) return;
  clearErrors(holder);
  holder.removeAttribute("aria-invalid");
}

/** A form that asks the server, and shows a refusal at its field. @param submit takes the form and the button that was pressed */
export function form(selector, children, submit) {
  const element = h(selector, { novalidate: true }, children);
  element.addEventListener("input", (event) => changedIn(event.target));
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.submitter ?? element.querySelector("[type=submit]");
    if (button?.getAttribute("aria-busy") === "true") return;
    clearErrors(element);
    button?.setAttribute("aria-busy", "true");
    try {
      await submit(element, button);
      delete element.dataset.changed;
    } catch (error) { showProblem(element, error); } finally { button?.removeAttribute("aria-busy"); }
  });
  return element;
}
