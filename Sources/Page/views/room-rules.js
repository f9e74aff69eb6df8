// Who may bid in the room: the permission rules that hosts switch most.
import { dialog, h } from "../dom.js";
import { choice, form } from "../forms.js";
import { t } from "../strings.js";

/** By the text of each question, the rule that it switches, and the answer that switches it on. */
const questions = [
  { key: "rules.floor", rule: "bid.floor_off", isOn: "off" },
  { key: "rules.approval", rule: "bid.not_approved", isOn: "on" },
];

const answers = ["off", "on"];

export async function openRoomRules(room) {
  const { rules } = await room.permissionRules();
  const asked = questions.map(({ key, rule, isOn }) => {
    const isEnabled = rules.find(({ id }) => id === rule)?.enabled;
    const before = isEnabled === (isOn === "on") ? "on" : "off";
    const options = answers.map((value) => ({ value, label: t(`${key}.${value}`), hint: t(`${key}.${value}Hint`) }));
    return { rule, isOn, before, choice: choice(t(key), key, options, before) };
  });
  const box = dialog(t("rules.title"), form("form.stack", [
    ...asked.map(({ choice: { element } }) => element),
    h("p.quiet-text", t("rules.hint")),
    h("div.form-foot", h("button.primary", { type: "submit" }, t("app.save"))),
  ], async () => {
    for (const { rule, isOn, before, choice: { value } } of asked) {
      if (value !== before) await room.switchRule(rule, value === isOn);
    }
    box.close();
  }), { closeLabel: t("app.close") });
  box.classList.add("narrow");
}
