// What is offered to the user: items whose sale to another bidder was voided.
import { compareMoney } from "../client/auction-client.js";
import { h, reconcile, setText, show } from "../dom.js";
import { busily, note } from "../feedback.js";
import { t } from "../strings.js";
import { leftText } from "./hero.js";

export function makeOffers(room) {
  const list = h("div.stack");
  const element = h("section.offers", { hidden: true, "aria-label": t("offer.title") }, list);
  /** When the countdown of each offer ends, by its element. */
  const ends = new Map();

  function update(model) {
    const { me, archived } = model;
    const offers = archived ? [] : me?.offers ?? [];
    show(element, offers.length > 0);
    ends.clear();
    reconcile(list, offers, (offer) => offer.id, (offer) => JSON.stringify([offer, whyNot(offer, model)]), (offer) => card(offer, model));
    for (const [index, offer] of offers.entries()) ends.set(list.children[index].querySelector(".offer-clock"), Date.parse(offer.expiresAt));
  }

  function card(offer, model) {
    const { id, item, price, total } = offer;
    const { money } = model;
    const obstacle = whyNot(offer, model);
    const answer = (selector, label, act, text) => h(`button${selector}`, {
      type: "button", "aria-label": `${label}: ${item.name}`, onclick: (event) => busily(event.currentTarget, async () => { await act(id); note(text, "good"); }),
    }, label);
    return h("article.offer", { "aria-label": `${t("offer.title")}: ${item.name}` }, h("h2", t("offer.title")),
      h("p", t("offer.about", { item: item.name, amount: money(price) }), total !== price && ` ${t("price.total", { amount: money(total) })}`),
      h("p", t("offer.until"), " ", h("strong.offer-clock", { role: "timer", "aria-live": "off" })),
      obstacle && h("p.quiet-text", obstacle.words),
      h("div.row.wrap",
        !obstacle && answer("", t("offer.accept", { amount: money(total) }), (offered) => room.acceptOffer(offered), t("offer.accepted", { item: item.name })),
        obstacle?.isBan ? null : answer(".quiet", t("offer.decline"), (offered) => room.declineOffer(offered), t("offer.declined"))));
  }

  /** @param now the server's time in milliseconds */
  function tick(now) {
    for (const [clock, end] of ends) setText(clock, leftText(Math.max(0, end - now), false));
  }

  return { element, update, tick };
}

/** Why the server would refuse to let the user accept, as far as the page knows; null: it would not. */
function whyNot({ price }, { me, money }) {
  if (me.banned) return { words: t("offer.banned"), isBan: true };
  const { creditLimit } = me;
  return creditLimit && compareMoney(price, creditLimit) > 0 ? { words: t("offer.overCredit", { amount: money(creditLimit) }), isBan: false } : null;
}
