"""Scenarios of the page about what a host does by hand while a round runs, as those of scenarios.py."""
import time

import checks
from browser import DESKTOP, PHONE, eventually
from sale_scenarios import queue
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


def leave(person, name, amount):
    person.tap(f"[aria-label='Leave a bid on {name}']")
    person.fill("Your maximum", amount)
    person.press("Leave a bid", "dialog button[type=submit]")


def left_in_the_evening(fixture):
    """A newcomer leaves bids in the evening, is away while the sale runs, and finds the next morning what they won, and what they were outbid on."""
    for name, price in (("Blue bowl", "100"), ("Celadon vase", "200"), ("Tea caddy", "50")):
        queue(fixture, name, price)
    fixture.call("PUT", "/sale", {"mode": "automatic", "pauseSeconds": 0, "premium": {"percent": "10"}}, "Hana")
    host = fixture.visitor("Hana", DESKTOP)
    host.open(fixture.link)
    ann, _ = fixture.member("Ann", PHONE)
    ann.see(".dock", "You can leave bids on the lots now")
    ann.press("Lots", "[role=tab]")
    leave(ann, "Blue bowl", "90")
    ann.see("dialog .field-error", "below the starting price of ¥100.00")
    ann.fill("Your maximum", "150")
    ann.see("dialog .field-hint", "¥165.00 with premium")
    ann.shot("phone-leave-a-bid")
    fixture.findings(checks.all_of(ann), "leaving a bid")
    ann.press("Leave a bid", "dialog button[type=submit]")
    ann.gone("dialog")
    leave(ann, "Celadon vase", "240")
    ann.gone("dialog")
    leave(ann, "Tea caddy", "60")
    ann.gone("dialog")
    ann.see(".own-bids h3", "My bids (3)")
    ann.tap(".own-bids [aria-label='Change the bid on Celadon vase']")
    ann.fill("Your maximum", "250")
    ann.press("Save", "dialog button[type=submit]")
    ann.see(".upcoming .tag.mine", "Up to ¥250.00")
    ann.tap(".own-bids [aria-label='Take back the bid on Tea caddy']")
    ann.press("Take back", "dialog button.danger")
    ann.see(".own-bids h3", "My bids (2)")
    fixture.findings(checks.all_of(ann), "left bids")
    ann.shot("phone-left-bids")
    # The others see how many, and not how high.
    host.see(".upcoming .lot-facts", "Bids in advance: 1")
    fixture.check(not host.sees(".lots", "250"), "the host sees how high a left bid is")

    ann.open("/")
    fixture.call("POST", "/sale/start", {}, "Hana")
    for name, rival, amount in (("Blue bowl", "Bo", "120"), ("Celadon vase", "Cy", "300"), ("Tea caddy", None, None)):
        eventually(lambda: fixture.get("")["state"] == "auctioning" and fixture.get("")["item"]["name"] == name, lambda: f"{name} does not open")
        if name == "Blue bowl":
            host.see(".leader", "Ann leads")
        if rival:
            fixture.bid(rival, amount)
        fixture.order("end")

    ann.open(fixture.link)
    ann.see(".away-news", "You won Blue bowl for ¥130.00 (¥143.00 with premium).")
    ann.see(".away-news", "Celadon vase went to Cy for ¥300.00 (¥330.00 with premium). Your maximum of ¥250.00 was beaten.")
    ann.shot("phone-next-morning")
    fixture.findings(checks.all_of(ann), "the next morning")
    ann.press("Lots", "[role=tab]")
    ann.see(".own-bids [data-standing=won]", "Won for ¥130.00")
    ann.see(".own-bids [data-standing=lost]", "Cy bought it for ¥300.00")
    ann.shot("phone-next-morning-bids")


def approved_bidders(fixture):
    """The host approves bidders: a newcomer applies, is approved with a limit, and bids; another one is declined with a reason."""
    host = fixture.visitor("Hana", DESKTOP)
    host.open(fixture.link)
    host.press("Who may bid")
    host.press("The host approves each", "dialog label")
    host.shot("approve-bidders")
    fixture.findings(checks.all_of(host), "who may bid")
    host.press("Save", "dialog button[type=submit]")
    host.gone("dialog")

    ann = fixture.visitor("Ann", PHONE)
    fixture.people["Dora"] = fixture.guest("Dora")
    dora = fixture.visitor("Dora", PHONE)
    for person in (ann, dora):
        person.open(fixture.link)
        person.press("Join as bidder")
        person.see(".bid", "You have applied; the host decides.")
    ann.shot("phone-applied")
    fixture.findings(checks.all_of(ann), "an applicant")
    host.press("Inbox", "[role=tab]")
    host.see(".inbox-row", "Ann wants to bid")
    host.see(".inbox-row", "Dora wants to bid")
    host.shot("inbox-applications")
    fixture.findings(checks.all_of(host), "applications")
    host.fill("Credit limit", "500")
    host.tap("[aria-label='Approve Ann']")
    host.gone(".inbox-row", "Ann wants to bid")
    host.tap("[aria-label='Decline Dora']")
    host.fill("Reason", "Please register by telephone.")
    host.press("Decline", "dialog button.danger")
    host.gone(".inbox-row", "Dora wants to bid")
    dora.see(".bid", "The host has declined your application: Please register by telephone.")
    dora.shot("phone-declined")
    fixture.findings(checks.all_of(dora), "a declined applicant")
    fixture.check(not ann.sees("body", "Please register by telephone."), "another applicant reads why one was declined")

    fixture.round(biddingSeconds=60)
    bid(ann, "¥100.00")
    ann.see(".price", "¥100.00")
    # Who was a bidder before has to apply as well, and learns that by a bid.
    bo = fixture.visitor("Bo", PHONE)
    bo.open(fixture.link)
    bo.press("Bid ¥110.00")
    bo.see(".bid", "The host has to approve you as a bidder first.")
    bo.press("Apply")
    bo.see(".bid", "You have applied; the host decides.")
    host.tap("[aria-label='Approve Bo']")
    bid(bo, "¥110.00")
    ann.see(".leader", "Bo leads")


HAND_SCENARIOS = [by_hand, left_in_the_evening, approved_bidders]
