"""Scenarios of the page about who is in a room, as those of scenarios.py."""
import json
import time

import checks
from browser import DESKTOP, PHONE, Keys, eventually, text_of


def leaving(fixture):
    """Who leaves a private room or is put out of it stays out, whatever link they came by, and comes back by the code; who is banned is told so."""
    room = fixture.call("POST", "", {"name": "Friends", "visibility": "private"}, "Hana", base="/v1/rooms")
    base, code = f"/v1/rooms/{room['id']}", room["inviteCode"]
    fixture.call("POST", "/members", {"role": "bidder", "inviteCode": code}, "Ann", base=base)
    user = fixture.people["Ann"]["user"]["id"]

    def is_member():
        members = fixture.call("GET", "/members", None, "Hana", base=base)["members"]
        return user in [each["user"]["id"] for each in members]

    ann = fixture.visitor("Ann", PHONE)
    ann.open(f"/#/rooms/{room['id']}?invite={code}")
    for is_kicked in (False, True):
        ann.see(".live[data-state=live]")
        if is_kicked:
            fixture.call("DELETE", f"/members/{user}", None, "Hana", base=base)
        else:
            ann.press("People", "[role=tab]")
            ann.press("Leave the room")
        ann.see("h1", "There is no such room")
        ann.shot(f"phone-{'kicked' if is_kicked else 'left'}")
        ann.press("中文")
        ann.see("h1", "房间不存在")
        ann.press("English")
        ann.see("h1", "There is no such room")
        fixture.check(not is_member(), "the page has joined a room again that its reader is out of")
        ann.fill("Invite code", code)
        ann.press("Enter")
        ann.see(".room-title", "Friends")
        eventually(is_member, "the code did not join")
    ann.see(".live[data-state=live]")
    fixture.call("POST", "/messages", {"text": "Welcome back"}, "Hana", base=base)
    ann.press("Chat", "[role=tab]")
    ann.see(".chat-line", "Welcome back")
    fixture.call("PATCH", f"/members/{user}", {"banned": True}, "Hana", base=base)
    ann.see("h1", "The host has banned you")
    ann.open(f"/#/rooms/{room['id']}")
    ann.driver.refresh()
    ann.see("h1", "The host has banned you")
    ann.shot("phone-banned")


def limits(fixture):
    """A credit limit that was set is there when it is opened again; a row has the nickname of its member's latest command."""
    host = fixture.visitor("Hana", DESKTOP)
    host.open(fixture.link)
    host.press("People", "[role=tab]")

    def open_limit(name):
        host.tap(f"[aria-label='What to do about {name}']")
        host.press("Credit limit", "dialog button")
        return host.see("dialog [data-field=creditLimit]").get_attribute("value")

    fixture.check(open_limit("Bo") == "", "a limit is there that was not set")
    host.fill("Credit limit", "500")
    host.press("Save", "dialog button")
    host.gone("dialog")
    found = open_limit("Bo")
    fixture.check(found == "500.00", f"the limit that was set is {found!r} when it is opened again")
    host.press("Save", "dialog button")
    host.gone("dialog")
    limit = fixture.call("GET", "", None, "Bo")["me"]["creditLimit"]
    fixture.check(limit == "500.00", f"saving an unchanged limit has made it {limit!r}")
    # They come back with the limit that they had, which no event tells.
    fixture.call("DELETE", "/members/me", None, "Bo")
    here, gone = ".people > .people-list .person", ".people > section .person"
    host.gone(here, "Bo")
    host.see(gone, "Bo")
    fixture.join("Bo", "bidder")
    host.see(here, "Bo")
    host.gone(gone, "Bo")
    found = open_limit("Bo")
    fixture.check(found == "500.00", f"the limit of one who has come back is {found!r}")
    host.press("Cancel", "dialog button")
    fixture.people["Bo"] = fixture.call("PATCH", "/v1/me", {"nickname": "Robert"}, "Bo", base="")
    fixture.call("POST", "/messages", {"text": "Hello"}, "Bo")
    host.see(".person-name", "Robert")
    host.gone(".person-name", "Bo")


# Messages are on their way for a second, and the third is refused by something in between.
SLOW_CHAT = """const send = window.fetch;
let count = 0;
window.fetch = async (address, given) => {
  if (given?.method !== 'POST' || !address.endsWith('/messages')) return send(address, given);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  count += 1;
  return count === 3 ? new Response('{}', {status: 418}) : send(address, given);
};"""


def chatting(fixture):
    """Over a slow line messages are entered faster than they are sent: all arrive, in order, and what is typed meanwhile stays."""
    ann, _ = fixture.member("Ann", PHONE)
    ann.press("Chat", "[role=tab]")
    ann.script(SLOW_CHAT)
    typed = "return document.querySelector('.chat-form input').value"
    control = ann.see(".chat-form input")
    for text in ("hi", "there"):
        control.send_keys(text, Keys.ENTER)
        fixture.check(ann.script(typed) == "", f"{text!r} is still in the field")
    control.send_keys("and")
    ann.see(".chat-line", "there")
    fixture.check([text_of(each) for each in ann.all(".chat-text")] == ["hi", "there"], "not both messages, in order")
    fixture.check(ann.script(typed) == "and", f"what was typed meanwhile is {ann.script(typed)!r}")
    control.send_keys(" more", Keys.ENTER)
    ann.see(".note.bad")
    fixture.check(ann.script(typed) == "and more", f"of what was not sent is left {ann.script(typed)!r}")


def many_tabs(fixture):
    """A browser opens six connections to a host over HTTP/1.1, in all tabs together. Eight tabs with a room are all live, and one can bid."""
    ann, link = fixture.member("Ann", PHONE)
    fixture.round(biddingSeconds=120)
    tabs = [ann, *(fixture.browser.person(f"Ann's tab {number}", PHONE, path=link, beside=ann) for number in range(2, 9))]
    for tab in tabs:
        tab.see(".live[data-state=live]")
    tabs[-1].see(".bid button", "Bid ¥100.00")
    time.sleep(0.3)
    tabs[-1].press("Bid ¥100.00")
    for tab in tabs:
        tab.see(".leader", "You lead")


def same_person(fixture):
    """Who is banned is told so, also after a reload; a token that is of no use asks, with the nickname there; a server that is away is named."""
    fixture.round(biddingSeconds=600)
    ann, _ = fixture.member("Ann", PHONE)
    ann.see("button", "Bid ¥100.00")
    fixture.call("PATCH", f"/members/{fixture.people['Ann']['user']['id']}", {"banned": True}, "Hana")
    ann.see(".bid .action-note", "The host has banned you")
    ann.driver.refresh()
    ann.see(".bid .action-note", "The host has banned you")
    fixture.check(not ann.sees("button", "Join as"), "who is banned is offered to join")
    nickname = "return document.querySelector('dialog [data-field=nickname]')?.value"
    for damage in ({"token": "damaged"}, {"expiresAt": "2020-01-01T00:00:00Z"}):
        bo = fixture.visitor("Bo", PHONE)
        bo.script("localStorage.setItem('auction-room.guest', arguments[0])", json.dumps({**fixture.people["Bo"], **damage}))
        bo.open(fixture.link)
        bo.driver.refresh()
        bo.see("dialog", "Your visit has ended")
        fixture.check(bo.script(nickname) == "Bo", f"the nickname is not there: {bo.script(nickname)}")
        bo.shot("phone-visit-ended")
        bo.press("Continue", "dialog button")
        bo.gone("dialog")
        fixture.check(bo.text(".who-name") == "Bo", "not the same name")
        bo.see("button", "Join as bidder")
    # Also where this runs without any network but loopback, which a browser calls offline.
    bo.script("Object.defineProperty(navigator, 'onLine', {value: true, configurable: true})")
    fixture.server.kill()
    bo.see(".away", "The server does not answer.", timeout=20)
    fixture.restart()
    bo.gone(".away", timeout=20)


def leaving_for_good(fixture):
    """Who leaves for good is asked before, is gone from the room and from this browser, and is not here again by a reload; who hosts a round stays."""
    ann, _ = fixture.member("Ann", PHONE)
    host = fixture.visitor("Hana", PHONE)
    host.open(fixture.link)
    fixture.call("POST", "/messages", {"text": "I was here"}, "Ann")
    ann.tap(".who")
    ann.press("Leave for good…", "dialog button")
    ann.see("dialog", "There is no way back. A pseudonym takes the place of Ann everywhere")
    checks.inspect(ann, "leaving for good", "phone-leave-for-good")
    ann.press("Cancel", "dialog button")
    fixture.check(fixture.call("GET", "/v1/me", None, "Ann", base="")["user"]["nickname"] == "Ann", "who changed their mind has left")
    ann.tap(".who")
    ann.press("Leave for good…", "dialog button")
    ann.press("Leave for good", "dialog button.danger")
    ann.see(".note", "You have left.")
    ann.see(".who-name", "Your name")
    fixture.check(fixture.connection.call("GET", "/v1/me", fixture.people["Ann"]["token"]).status == 401, "the token is good still")
    ann.driver.refresh()
    ann.see(".who-name", "Your name")
    fixture.check(not ann.sees("dialog"), "who has left is asked who they are")
    host.press("People", "[role=tab]")
    host.gone(".person-name", "Ann")
    host.press("Chat", "[role=tab]")
    host.gone(".chat-line", "I was here")

    fixture.round(biddingSeconds=600)
    host.tap(".who")
    host.press("Leave for good…", "dialog button")
    host.press("Leave for good", "dialog button.danger")
    host.see(".note.bad a", "To the room")
    host.press("中文")
    host.tap(".who")
    host.press("注销…", "dialog button")
    host.see("dialog", "永久注销？")
    host.press("永久注销", "dialog button.danger")
    host.see(".note.bad a", "前往该房间")


PEOPLE_SCENARIOS = [leaving, leaving_for_good, limits, chatting, many_tabs, same_person]
