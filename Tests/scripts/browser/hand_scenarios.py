"""Scenarios of the page about what a host does by hand while a round runs, as those of scenarios.py."""
import time

from browser import PHONE, eventually
from scenarios import bid


def by_hand(fixture):
    """Fair warning, "I'll take 150" and more time, one tap each on the host's phone, and what a bidder sees of them."""
    ann, _ = fixture.member("Ann", PHONE)
    host = fixture.visitor("Hana", PHONE)
    host.open(fixture.link)
    fixture.round(biddingSeconds=60)
    host.see("button", "Going once")
    fixture.check(not host.sees(".host .quick button"), "the host asks before the first bid")
    bid(ann, "¥100.00")

    host.press("Going once")
    ann.see(".hero .warning", "Going once")
    eventually(lambda: host.script("return document.querySelector('[data-action=\"host.warn1\"]').getAttribute('aria-pressed')") == "true",
               lambda: "the host does not see which warning stands")
    host.press("Going twice")
    ann.see(".hero .warning", "Going twice")
    ann.shot("phone-going-twice")
    host.shot("host-phone-going-twice")
    fixture.bid("Bo", "110")
    ann.gone(".hero .warning", "Going")
    fixture.check(fixture.get("")["warning"] == 0, "a bid has not reset the warning")

    host.see(".quick button", "¥130.00")
    time.sleep(0.3)
    host.shot("host-phone-asks")
    host.press("¥130.00")
    ann.see(".bid button", "Bid ¥130.00")
    host.press("Other…")
    host.fill("Amount", "105")
    host.press("Ask", "dialog button")
    host.see(".field-error", "above the current price of ¥110.00")
    host.fill("Amount", "150")
    host.press("Ask", "dialog button")
    host.gone("dialog")
    bid(ann, "¥150.00")
    ann.see(".price", "¥150.00")
    # The ask was for one bid: the step of the rules counts again.
    fixture.check(fixture.get("")["nextMinimum"] == "160.00", "an ask outlives the bid that met it")

    before = fixture.get("")["endsAt"]
    host.press("One more minute")
    eventually(lambda: fixture.get("")["endsAt"] > before, lambda: "one tap has not given the round more time")
    ann.see(".clock", "1:")


HAND_SCENARIOS = [by_hand]
