// How fast a lot is sold: usual times, and an increment that suits its price.
import { choice } from "../forms.js";
import { t } from "../strings.js";

const daySeconds = 86_400;
/** The rules of each tempo. A bid must not restart a whole day. */
const tempos = {
  quick: { biddingSeconds: 15, countdown: "reset" }, hall: { biddingSeconds: 30, countdown: "reset" }, antiques: { biddingSeconds: 60, countdown: "reset" },
  day: { biddingSeconds: daySeconds, countdown: "extend", extendWindowSeconds: 300, extendBySeconds: 300 },
};

/** @param use takes the rules of a tempo that was chosen @returns `element`, and `show(seconds)` for what was typed instead */
export function makeTempo(seconds, use) {
  const nameOf = (typed) => Object.keys(tempos).find((name) => String(tempos[name].biddingSeconds) === String(typed).trim());
  const options = Object.keys(tempos).map((value) => ({
    value, label: t(`tempo.${value}`), hint: value === "day" ? t("tempo.dayHint") : t("rule.seconds", { n: tempos[value].biddingSeconds }),
  }));
  const { element } = choice(t("tempo.title"), "tempo", options, nameOf(seconds), { onchange: (name) => use(tempos[name]) });
  return {
    element,
    show(typed) { for (const input of element.querySelectorAll("input")) input.checked = input.value === nameOf(typed); },
  };
}

/** 1, 2 or 5 times a power of ten, a tenth of the price at most and one at least; null for what is no price. @param price as `typedAmount` makes it */
export function suitableIncrement(price) {
  if (!/^\d{1,15}(\.\d+)?$/.test(price) || Number(price) <= 0) return null;
  const [whole] = price.split(".");
  // A tenth of "2500" is 250: its first digit and its zeros.
  const digits = whole.replace(/^0+/, "").slice(0, -1);
  if (digits === "") return "1";
  const first = [5, 2, 1].find((each) => each <= Number(digits[0]));
  return `${first}${"0".repeat(digits.length - 1)}`;
}
