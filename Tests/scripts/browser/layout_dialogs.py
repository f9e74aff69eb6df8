"""The walk of layout.py through what opens from other views: dialogs, questions, tables, other formats, and what a few people see."""
import os

from browser import Browser, By, Keys
from layout import LONG, WORD, WORDY, Walk, finish, furnish, layout, narrow, walks_of
from sale_scenarios import png

TABS = {"bids": 0, "lots": 1, "people": 3}


def layout_dialogs(fixture):
    """What a host, a bidder and those who are not let in open one after the other, as in `layout`."""
    fixture.people["Cy"] = fixture.guest(LONG)
    furnish(fixture)
    hosts = walks_of(fixture, "Hana", None)
    invitations(fixture)
    rooms(fixture, hosts)
    import_columns(fixture, hosts)
    two_lots(fixture)
    bidders = walks_of(fixture, "Ann", "bidder")
    bids(fixture, hosts, bidders)
    absence(fixture, bidders)
    stage(fixture, hosts, bidders)
    others = banned(fixture, hosts)
    ends(fixture, hosts, bidders)
    formats(fixture, hosts, bidders)
    finish(fixture, [*hosts, *bidders, *others, *private_room(fixture)])


def entry(walk, css, place, view):
    """The dialog that opens from an entry of the menu that a press opens; counted from the end if the place is negative."""
    walk.press(css)
    walk.person.see("dialog .menu-entry")
    walk.person.script("[...document.querySelectorAll('dialog .menu-entry')].at(arguments[0]).click()", place)
    walk.person.gone("dialog .menu-entry")
    walk.person.see("dialog[open]")
    walk.look(view)
    walk.person.keys(Keys.ESCAPE)
    walk.person.gone("dialog[open]")


def invitations(fixture):
    """The invitation with its code for cameras, which it has where others can open it."""
    with fixture.browser.named():
        named = walks_of(fixture, "Hana", None)
        for walk in named:
            walk.at("[data-action='host.share']", "invite with a code")
    finish(fixture, named)
    for walk in named:
        walk.person.close()


def rooms(fixture, walks):
    """The list with one's own rooms, and what opens from it."""
    for walk in walks:
        walk.person.open("/#/")
        walk.person.see(".own-rooms .room-card")
        walk.look("own rooms")
        walk.at(".page-head .primary", "create a room")
        walk.at(".who", "account, with rooms")
        walk.person.open(fixture.link)
        walk.person.see(".live[data-state=live]")


def import_columns(fixture, walks):
    """What the page understood of a file, the question about its amounts, and what is wrong with its rows."""
    path = os.path.join(fixture.folder, "long.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"Losnummer;Bezeichnung;Startpreis;{WORD};Beschreibung\r\nA-1;{WORDY};1.101;{WORD};{WORDY}\r\nA-2;;1.102;;{WORD}\r\n{'A' * 70};{WORD};much;;\r\n")
    for walk in walks:
        walk.tab(TABS["lots"])
        walk.press(".lots-actions button", 1)
        walk.person.see("dialog input[type=file]")
        walk.person.driver.find_element(By.CSS_SELECTOR, "dialog input[type=file]").send_keys(path)
        walk.person.see("dialog fieldset legend", "1.101")
        walk.press("dialog button[type=submit]")
        walk.person.see("dialog fieldset .field-error", "1.101")
        walk.look("import, columns")
        walk.press("dialog fieldset input")
        walk.press("dialog button[type=submit]")
        walk.person.see("dialog .table", "A-2")
        walk.look("import, errors")
        walk.person.keys(Keys.ESCAPE)
        walk.person.gone("dialog[open]")


def two_lots(fixture):
    """In a sale that the host leads; the first has pictures."""
    token, media = fixture.people["Hana"]["token"], []
    for colour in ((30, 80, 160), (160, 80, 30)):
        answer = fixture.connection.call("POST", f"/v1/rooms/{fixture.room}/media", token, png(400, 300, colour), headers=["Content-Type: image/png"])
        fixture.check(answer.status == 201, f"the upload of a picture has {answer.status}")
        media.append(answer.json()["url"])
    for name, more in ((WORDY, {"media": media}), (WORD, {})):
        queue(fixture, name, increment={"percent": 5}, biddingSeconds=3_600, **more)
    fixture.call("PUT", "/sale", {"mode": "manual", "premium": {"percent": "12.5"}}, "Hana")


def queue(fixture, name, media=(), **rules):
    rules = {"startingPrice": "1234567890.50", "listingSeconds": 0, **rules}
    fixture.call("POST", "/lots", {"name": name, "description": WORDY, "media": list(media), "condition": WORDY[:40], "rules": rules}, "Hana")


def begin(fixture):
    while fixture.get("")["state"] != "auctioning":
        fixture.order("start")


def bids(fixture, hosts, bidders):
    """What a host asks for before it takes something back, and the pictures of a lot, large."""
    begin(fixture)
    for walk in hosts:
        walk.person.see("[data-action='host.cancel']")
        walk.at("[data-action='host.cancel']", "cancel a lot")
    fixture.bid("Cy", "1234567890.50")
    for walk in hosts:
        walk.person.see(".bids > button")
        walk.at(".bids > button", "retract a bid")
        walk.tab(TABS["people"])
        entry(walk, ".person button", -2, "ban, a question")
        entry(walk, ".person button", -4, "credit limit")
    for walk in bidders:
        walk.at(".lot-zoom", "pictures, large")


def absence(fixture, bidders):
    """What a bidder reads who comes back outbid."""
    fixture.bid("Ann", "1500000000.50")
    for walk in bidders:
        walk.person.see(".lead-note:not(.outbid)")
        walk.person.open("/#/")
        walk.person.see(".own-rooms .room-card")
    fixture.bid("Bo", "2500000000.50")
    for walk in bidders:
        walk.person.open(fixture.link)
        walk.person.see(".away-news", LONG)
        walk.look("while away")


def stage(fixture, hosts, bidders):
    """A guest asks for a seat, and takes it."""
    for walk in bidders:
        walk.tab(TABS["people"])
        walk.at("[data-action=ask]", "ask for a seat")
    for walk in hosts:
        walk.tab(TABS["people"])
        walk.press(".stage summary")
        walk.look("free seats")
    request = fixture.call("POST", "/stage/requests", {"role": "auctioneer"}, "Bo")["id"]
    for walk in hosts:
        walk.person.see(".handshake")
        walk.look("asked for a seat")
    fixture.call("POST", f"/stage/{request}/accept", {}, "Hana")
    fixture.call("POST", f"/stage/{request}/confirm", {}, "Bo")
    for walk in [*hosts, *bidders]:
        walk.person.see(".seat.taken", LONG)
        walk.look("a seat is taken")
    for walk in hosts:
        walk.at(".seat-body", "a seat")


def banned(fixture, hosts):
    """Those who have left or are banned, for the host and for one of them."""
    fixture.people["Mei"] = fixture.guest(LONG)
    fixture.join("Mei", "bidder")
    fixture.bid("Mei", "3000000000.50")
    fixture.call("DELETE", "/members/me", None, "Mei")
    others = walks_of(fixture, "Cy", None)
    fixture.call("PATCH", f"/members/{fixture.people['Cy']['user']['id']}", {"banned": True}, "Hana")
    for walk in others:
        walk.person.see(".bid .action-note")
        walk.look("banned")
    for walk in hosts:
        walk.person.see(".people > .stack")
        walk.look("people who have left")
        walk.at(".people > .row button", "banned users")
        # On a wide screen the bids are no tab.
        walk.person.resize(walk.widths[0])
        walk.tab(TABS["bids"])
        walk.person.see(".bid-row button")
        walk.look("bids of a banned user")
    return others


def ends(fixture, hosts, bidders):
    """Who pays what, and what one has bought."""
    fixture.order("end")
    begin(fixture)
    fixture.bid("Ann", "1234567890.50")
    fixture.order("end")
    for walk in [*hosts, *bidders]:
        walk.person.see(".sale-end")
        walk.look("the end of a sale")
        walk.at(".sale-end button", "who pays what")
    for walk in bidders:
        walk.press(".who")
        walk.person.see("dialog .menu-entry")
        walk.press("dialog .menu-entry", 1)
        walk.person.see("dialog .table")
        walk.look("what one has bought")
        walk.person.keys(Keys.ESCAPE)
        walk.person.gone("dialog[open]")


def formats(fixture, hosts, bidders):
    """Rounds whose price falls, and whose bids are sealed."""
    queue(fixture, WORD, format="dutch", floorPrice="234567890.50", dutchTickSeconds=3_600, increment={"fixed": "100000000"})
    queue(fixture, WORDY, format="vickrey", biddingSeconds=3_600)
    begin(fixture)
    for walk in [*hosts, *bidders]:
        walk.person.see(".hero[data-phase=auctioning] .format-about")
        walk.look("a Dutch round")
    fixture.order("end")
    begin(fixture)
    for walk in bidders:
        walk.person.see(".bid .field-hint")
        walk.look("a sealed round")
    fixture.bid("Ann", "2345678901.50")
    fixture.bid("Bo", "1345678901.50")
    for walk in bidders:
        walk.person.see(".sealed-own")
        walk.look("a sealed bid of one's own")
    for walk in hosts:
        walk.at("[data-action='host.end']", "hammer of a sealed round")
    fixture.order("end")
    for walk in [*hosts, *bidders]:
        walk.person.see(".banner")
        walk.person.resize(walk.widths[0])
        walk.tab(TABS["bids"])
        walk.look("a sealed round that is over")


def private_room(fixture):
    """Who comes by the link of a private room, and whom it does not let in."""
    room = fixture.call("POST", "", {"name": WORDY[:100], "visibility": "private"}, "Hana", base="/v1/rooms")
    fixture.room, fixture.link = room["id"], f"/#/rooms/{room['id']}?invite={room['inviteCode']}"
    walks = []
    for language, tag in (("en", "en-US"), ("zh", "zh-CN")):
        walk = Walk(fixture, fixture.browser.person(f"invited-{language}", language=tag, dark=language == "zh", path=fixture.link))
        walk.person.see(".missing input")
        walk.look("invited")
        walks.append(walk)
    fixture.call("POST", "/members", {"role": "bidder", "inviteCode": room["inviteCode"]}, "Cy")
    others = walks_of(fixture, "Cy", None)
    fixture.call("PATCH", f"/members/{fixture.people['Cy']['user']['id']}", {"banned": True}, "Hana")
    for walk in others:
        walk.person.see(".missing button")
        walk.look("banned from a private room")
    return [*walks, *others]


def large_texts(fixture):
    """The views of `layout` for users who have chosen twice the size of texts."""
    usual = fixture.browser
    fixture.browser = Browser(usual.address, usual.shots, text_size=32)
    try:
        layout(fixture)
    finally:
        fixture.browser.close()
        fixture.browser = usual


LAYOUT_SCENARIOS = [narrow, layout, layout_dialogs, large_texts]
