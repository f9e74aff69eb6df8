"""The page that shows the contract and the articles: read, searched, tried and followed."""
import json
import os
import subprocess

import checks
from browser import eventually

# What the page may load in all, compressed.
MOST_BYTES = 300_000

LOADED = """
const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
const isOwn = ({name}) => name.startsWith(arguments[0]);
return {bytes: all.reduce((sum, each) => sum + each.encodedBodySize, 0), foreign: all.filter((each) => !isOwn(each)).map(({name}) => name),
  own: all.filter(isOwn).map(({name}) => name.slice(arguments[0].length))};
"""


def run(command, **variables):
    """What a shell makes of a curl command of the page."""
    return json.loads(subprocess.run(["sh", "-c", command], env={**os.environ, **variables}, stdout=subprocess.PIPE, check=True, timeout=20).stdout)


def opened(person, call):
    """Opens a call by its address, and returns its part of the page as a selector."""
    person.script("location.hash = arguments[0]", call)
    person.see(f"#{call} .curl-head")
    return f"#{call} "


def tried(person, call, status):
    """Presses the button of a call, and returns the answer."""
    part = opened(person, call)
    person.tap(f"{part}button.primary")
    person.see(f"{part}[role=status] .status", str(status))
    return person.script("return document.querySelector(arguments[0])?.textContent", f"{part}.trial-answer .scrolling")


def accessible(fixture, person, what):
    found = checks.all_of(person)
    fixture.check(found == [], f"{what}: {found[:4]}")


def documentation(fixture):
    """From the first page to a call that is found, copied and tried, and to an article; on a phone, in the dark, in Chinese."""
    reader = fixture.browser.person("reader")
    reader.press("API contract", ".foot a")
    reader.see("details.call", "Place a bid")
    accessible(fixture, reader, "/docs")
    reader.shot("docs")

    reader.fill("Search calls", "bid")
    reader.see(".results h2", "Found")
    accessible(fixture, reader, "the results")
    reader.shot("docs-search")
    reader.press("Place a bid", ".results a")
    reader.see("#placeBid .scrolling code", "/bids")
    fixture.check(not reader.sees(".results h2"), "the results stay over what was found")
    reader.shot("docs-call")

    # The commands work as they stand there.
    def command(call):
        return reader.script("return document.querySelector(arguments[0]).textContent", opened(reader, call) + ".scrolling code")
    token = run(command("createGuest"))["token"]
    room = run(command("openRoom"), TOKEN=token)
    fixture.check(room["name"] == "Night market", f"the curl command of openRoom: {room}")

    # As a guest: the next call has the room of the one before.
    fixture.check('"Night market"' in tried(reader, "openRoom", 201), "the answer is not shown")
    mine = tried(reader, "listMyRooms", 200)
    fixture.check(room["id"] not in mine, "the guest of the page is the one of the shell")
    shown = json.loads(tried(reader, "readRoom", 200))
    fixture.check(shown["id"] in mine and shown["host"]["nickname"] == "Reader", f"another room was read: {shown['id']}")
    part = opened(reader, "sendMessage")
    body = reader.see(f"{part}textarea")
    body.clear()
    body.send_keys('{"text": "Good evening"}')
    eventually(lambda: "Good evening" in reader.text(f"{part}.scrolling code"), "the command does not follow the form")
    tried(reader, "sendMessage", 201)
    fixture.check("item.not_auctioneer" in tried(reader, "uploadItem", 403), "a refusal is not shown")
    reader.shot("docs-tried")
    fixture.check(not reader.sees("#linkGuest button.primary"), "a guest may not try linkGuest")
    accessible(fixture, reader, "what was tried")

    reader.press("Getting started", "nav a")
    reader.see("article h1", "Getting started")
    reader.press("A tour with curl", "article a")
    reader.see("article h1", "A tour with curl")
    fixture.check(reader.driver.current_url.endswith("/docs/articles/ATour"), reader.driver.current_url)
    reader.fill("Search calls", "order of checks")
    reader.press("Using the API: Order of checks", ".results a")
    reader.see("article h3:focus", "Order of checks")
    reader.open("/docs/articles/None")
    fixture.check("route.not_found" in reader.script("return document.body.innerText"), "an article that is not there")
    # What a browser makes of the answer is no page of this server.
    reader.driver.back()
    reader.see("article h1", "Using the API")

    phone = fixture.browser.person("phone", (320, 700), language="zh-CN", dark=True, path="/docs")
    phone.see("summary", "目录")
    phone.see("details.call")
    loaded = phone.script(LOADED, fixture.address)
    fixture.check(loaded["foreign"] == [], f"requests to others: {loaded['foreign']}")
    fixture.check(loaded["own"].count("/openapi.yaml") == 1 and loaded["bytes"] <= MOST_BYTES, f"the page loads {loaded}")
    for call in ("placeBid", "importLots", "exportResults", "uploadPicture", "readPermissions"):
        opened(phone, call)
    phone.script("for (const each of document.querySelectorAll('#placeBid .answer, #type-Room, #type-Problem')) each.open = true")
    phone.see("#type-Room table")
    accessible(fixture, phone, "a phone")
    # All that there is, which would take minutes with the other checks.
    phone.script("for (const each of document.querySelectorAll('details')) each.open = true")
    phone.see(".entry:last-child table, .entry:last-child .type-words")
    wide = phone.script(checks.WIDTH)
    fixture.check(wide == [], f"a phone, all open: {wide}")
    phone.shot("docs-phone")
    for article in ("Configuring", "JavaScriptClient"):
        phone.open(f"/docs/articles/{article}")
        phone.see("article h2")
        accessible(fixture, phone, f"{article} on a phone")
    phone.scheme("light")
    phone.shot("docs-article")
