// What is offered to the user: items whose sale to another bidder was voided.
import { h, replace, setText, show } from "../dom.js";
import { busily, note } from "../feedback.js";
import { t } from "../strings.js";
import { leftText } from "./hero.js";

export function makeOffers(room) {
  const list = h("div.stack");
  const element = h("section.offers", { hidden: true, "aria-label": t("offer.title") }, list);
  let drawn = "";
  /** The countdowns with the instants at which they end. */
  let clocks = [];

  function update({ me, money, archived }) {
    const offers = archived ? [] : me?.offers ?? [];
    show(element, offers.length > 0);
    const version = JSON.stringify(offers);
    if (version === drawn) return;
    drawn = version;
    clocks = [];
    replace(list, offers.map((offer) => card(offer, money)));
  }

  function card({ id, item, price, total, expiresAt }, money) {
    const clock = h("strong.offer-clock");
    clocks.push({ clock, end: Date.parse(expiresAt) });
    const answer = (act, text) => (event) => busily(event.currentTarget, async () => { await act(id); note(text, "good"); });
    return h("article.offer", h("h2", t("offer.title")), h("p", t("offer.about", { item: item.name, amount: money(price) }), total !== price && ` ${t("price.total", { amount: money(total) })}`),
      h("p", t("offer.until"), " ", clock),
      h("div.row.wrap",
        h("button", { type: "button", onclick: answer((offer) => room.acceptOffer(offer), t("offer.accepted", { item: item.name })) }, t("offer.accept", { amount: money(total) })),
        h("button.quiet", { type: "button", onclick: answer((offer) => room.declineOffer(offer), t("offer.declined")) }, t("offer.decline"))));
  }

  /** @param now the server's time in milliseconds */
  function tick(now) {
    for (const { clock, end } of clocks) setText(clock, leftText(Math.max(0, end - now), false));
  }

  return { element, update, tick };
}
