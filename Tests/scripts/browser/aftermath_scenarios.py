"""Scenarios of the page about bids of the hall, sales that fall through, and members who are not welcome, as those of scenarios.py."""
import checks
from browser import DESKTOP, PHONE, eventually, text_of
from sale_scenarios import host_of, queue


def floor_bid(fixture):
    """The host enters bids of paddle 217 against a bidder on a phone: the floor leads and wins, and only the host reads the paddle."""
    host = host_of(fixture, PHONE)
    host.press("Who may bid")
    host.press("The host enters them", "dialog label")
    host.press("Save", "dialog button")
    host.gone("dialog")
    ann, _ = fixture.member("Ann", PHONE)
    cy = fixture.visitor("Cy", PHONE, language="zh-CN")
    cy.open(fixture.link)
    fixture.round(biddingSeconds=120)
    enter(host, "100")
    ann.see(".leader", "The floor leads")
    cy.see(".leader", "现场 领先")
    fixture.bid("Bo", "110")
    enter(host, "130")
    ann.press("Bids", "[role=tab]")
    ann.see(".bid-row", "Floor")
    ann.shot("phone-floor-leads")
    host.press("Floor bid…")
    host.fill("Amount", "131")
    host.press("Enter the bid", "dialog button")
    host.see("dialog .field-error", "below the minimum of ¥140.00")
    checks.inspect(host, "a floor bid that is too low", "host-phone-floor-bid")
    host.escape()
    host.press("Bring the hammer down")
    host.see("dialog", "Sell Blue bowl to the floor for ¥130.00?")
    host.press("Bring the hammer down", "dialog button")
    ann.see(".banner", "Sold to the floor")
    cy.see(".banner", "现场 拍得")
    for person, buyer in ((host, "¥130.00 Floor 217"), (ann, "¥130.00 Floor"), (cy, "现场")):
        found = text_of(person.see(".result-end", buyer))
        fixture.check(person is host or "217" not in found, f"{person.name} reads the paddle: {found}")
    host.press("Who pays what")
    host.see("dialog .table", "Floor 1 ¥130.00")
    checks.inspect(host, "what the floor bought", "host-phone-floor-sold")
    host.escape()


def enter(host, amount):
    host.press("Floor bid…")
    host.see("dialog h2", "Floor bid: Blue bowl")
    host.fill("Amount", amount)
    host.fill("Paddle", "217")
    host.press("Enter the bid", "dialog button")
    host.gone("dialog")


def fallen_through(fixture):
    """A sale is voided and the next bidder buys the lot; another is voided and declined, and its lot is offered to all again."""
    for name in ("Blue bowl", "Celadon vase"):
        queue(fixture, name)
    fixture.call("PUT", "/sale", {"mode": "manual", "premium": {"percent": "10"}}, "Hana")
    host = host_of(fixture)
    ann, _ = fixture.member("Ann", PHONE)
    cy = fixture.visitor("Cy", PHONE, language="zh-CN")
    cy.open(fixture.link)
    for name, rival in (("Blue bowl", "Ann"), ("Celadon vase", "Cy")):
        while fixture.get("")["state"] != "auctioning":
            fixture.order("start")
        fixture.bid(rival, "100")
        fixture.bid("Bo", "120")
        fixture.order("end")
        host.see(".result-list", name)
    for name in ("Blue bowl", "Celadon vase"):
        host.tap(f".result-list [aria-label='Void the sale: {name}']")
        host.see("dialog h2", f"Void the sale: {name}")
        host.fill("Why? Everybody reads it", "Not paid.")
        host.press("Void the sale", "dialog button[type=submit]")
        host.gone("dialog")
    ann.press("Lots", "[role=tab]")
    ann.see(".result-list", "Voided: Not paid.")
    host.press("Inbox", "[role=tab]")
    host.see(".inbox-row", "Voided: Celadon vase")
    checks.inspect(host, "sales that fell through", "host-inbox-voided")
    for name in ("Blue bowl", "Celadon vase"):
        host.tap(f".inbox [aria-label='Offer to the next bidder: {name}']")
        host.gone(f".inbox [aria-label='Offer to the next bidder: {name}']")
    bought(fixture, host, ann)
    declined(fixture, host, cy)


def bought(fixture, host, ann):
    ann.see(".offer", "The sale of Blue bowl was voided. It is yours for ¥100.00, your highest bid. ¥110.00 with premium")
    ann.see(".note", "An item is offered to you: Blue bowl")
    eventually(lambda: ann.text(".offer-clock").startswith("9:"), lambda: f"of ten minutes are left {ann.text('.offer-clock')}")
    checks.inspect(ann, "an offer", "phone-offer")
    ann.press("Buy it for ¥110.00")
    ann.gone(".offer")
    ann.see(".result-end", "¥110.00 with premium")
    ann.press("What you bought and sold")
    ann.see("dialog .table tfoot", "¥110.00")
    ann.escape()
    host.press("Lots", "[role=tab]")
    host.press("Who pays what")
    host.see("dialog .table", "Ann 1 ¥100.00 ¥10.00 ¥110.00")
    host.see("dialog .table tfoot", "1 ¥100.00 ¥10.00 ¥110.00")
    host.escape()


def declined(fixture, host, cy):
    cy.see(".offer", "Celadon vase 的成交已作废")
    cy.shot("phone-zh-offer")
    cy.press("放弃")
    cy.gone(".offer")
    host.press("Inbox", "[role=tab]")
    host.see(".inbox [aria-label='Offer again: Celadon vase']")
    fixture.check(not host.sees(".inbox [aria-label='Offer to the next bidder: Celadon vase']"), "a sale is offered to the next bidder twice")
    host.tap(".inbox [aria-label='Offer again: Celadon vase']")
    host.see(".inbox", "Nothing waits for you.")
    cy.press("拍品", "[role=tab]")
    cy.see(".upcoming", "Celadon vase")


def unwelcome(fixture):
    """A member reports a message and blocks its author; the host reads the report; the author stays unseen after a reload, until unblocked."""
    host = host_of(fixture)
    ann, _ = fixture.member("Ann", PHONE)
    fixture.call("POST", "/messages", {"text": "You fool"}, "Bo")
    fixture.call("POST", "/messages", {"text": "Good evening"}, "Cy")
    ann.press("Chat", "[role=tab]")
    ann.see(".chat-line", "You fool")
    menu = "[aria-label='What to do about this message by Bo']"
    ann.tap(menu)
    ann.press("Report", "dialog button")
    ann.see("dialog h2", "Report a message by Bo")
    ann.fill("What is wrong with it", "An insult.")
    checks.inspect(ann, "a report", "phone-report")
    ann.press("Report", "dialog button[type=submit]")
    ann.see(".note", "Reported to the host.")
    host.press("Inbox", "[role=tab]")
    host.see(".inbox-row", "Reported by Ann")
    host.see(".inbox-row", "Bo You fool")
    host.see(".inbox-row", "Reason: An insult.")
    checks.inspect(host, "a reported message", "host-inbox-report")
    ann.tap(menu)
    ann.press("Block", "dialog button")
    for is_reloaded in (False, True):
        if is_reloaded:
            ann.driver.refresh()
            ann.see(".live[data-state=live]")
            ann.press("Chat", "[role=tab]")
        ann.see(".chat-line", "Good evening")
        ann.gone(".chat-line", "You fool")
    ann.press("People", "[role=tab]")
    ann.see(".person-name", "Blocked user")
    ann.press("Users you block")
    ann.press("Unblock", "dialog button")
    ann.gone("dialog")
    ann.see(".person-name", "Bo")
    ann.press("Chat", "[role=tab]")
    ann.see(".chat-line", "You fool")
    host.tap(".inbox [aria-label='Remove message: Bo']")
    host.see(".inbox-row .tag", "Message removed")
    ann.gone(".chat-line", "You fool")


AFTERMATH_SCENARIOS = [floor_bid, fallen_through, unwelcome]
