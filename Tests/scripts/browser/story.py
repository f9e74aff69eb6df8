"""The whole story, as people play it who have never seen the page: from a server without rooms to who owes what."""
import contextlib
import time

import checks
from browser import DESKTOP, NAME, PHONE, By, eventually, text_of
from camera import photo, qr_text
from room_fixture import NO_LIMITS, Server
from sale_scenarios import names
from scenarios import bid


@contextlib.contextmanager
def empty_server(fixture, host="127.0.0.1"):
    """A server of its own, without any room yet; people who come to the browser meanwhile are its visitors, at this host."""
    usual = fixture.browser.address
    server = Server(f"sqlite:{fixture.folder}/{time.monotonic_ns()}.db", *NO_LIMITS)
    fixture.browser.address = f"http://{host}:{server.port}"
    try:
        yield
        checks.audit(fixture)
        fixture.quiet()
    finally:
        for person in list(fixture.browser.people):
            person.close()
        fixture.browser.address = usual
        server.kill()


def story(fixture):
    """A dealer with three pots and a phone, two bidders by a link, of whom one is away at the end. The server is in their network, without HTTPS."""
    with empty_server(fixture, NAME):
        dealer = fixture.browser.person("dealer", PHONE)
        link = opens(fixture, dealer)
        ann = joins(fixture, "Ann", PHONE, link)
        bo = joins(fixture, "Bo", DESKTOP, link)
        begins(dealer)
        first_lot(fixture, dealer, ann, bo, link)
        second_lot(fixture, ann, bo)
        third_lot(ann, bo)
        totals(fixture, dealer, ann, bo)


def opens(fixture, dealer):
    """The room, its lots, its sale and its link, all on a phone. Returns the link."""
    dealer.see(".empty", "No rooms yet. Open the first one.")
    dealer.press("Open a room")
    dealer.become("Dora")
    dealer.fill("Name of the room", "Dora's pots")
    dealer.select("Currency", "Euro (EUR)")
    dealer.press("Only invited people", "dialog label")
    dealer.press("Open the room", "dialog button")
    dealer.see(".room-title", "Dora's pots")
    dealer.press("Add a lot", ".host button")
    for hue, name, reserve, go in ((220, "Blue pot", "", "Add it, and enter another"), (120, "Green pot", "500", "Add it, and enter another"), (0, "Red pot", "", "Add this lot")):
        dealer.fill("Name", name)
        dealer.fill("Starting price", "100")
        dealer.fill("Reserve (hidden)", reserve)
        taken = photo(dealer, hue)
        fixture.check(5_000_000 < len(taken) < 8_000_000, f"the photo has {len(taken)} bytes")
        dealer.give(fixture.folder, f"{name}.jpg", taken)
        dealer.see("dialog .picture img", timeout=60)
        dealer.press(go, "dialog button")
        if "another" in go:
            clear_of_note(fixture, dealer, f"{name} is in the queue.", "dialog .form-foot")
            dealer.gone("dialog .picture img")
    dealer.gone("dialog")
    clear_of_note(fixture, dealer, "Red pot is in the queue.", ".lots-actions")
    eventually(lambda: names(dealer) == ["Blue pot", "Green pot", "Red pot"], lambda: f"the dealer sees {names(dealer)}")
    dealer.shot("story-lots")
    shrunken(fixture, dealer)
    dealer.press("Start at a set time", ".host button")
    dealer.press(" at 20:00", "dialog button")
    dealer.fill("Pause between lots", "8")
    dealer.fill("Buyer's premium", "12.5")
    dealer.press("Save", "dialog button")
    dealer.gone("dialog")
    dealer.see(".lots-summary", ", 20:00")
    checks.inspect(dealer, "the dealer's phone before the sale")
    dealer.press("Invite people")
    link = dealer.see("dialog [data-share=link]").get_attribute("value")
    fixture.check("?invite=" in link, f"the link of a private room has no invite code: {link}")
    read = qr_text(dealer, "dialog .qr")
    fixture.check(read == link, f"a camera reads {read}, and the link is {link}")
    dealer.shot("story-invite")
    dealer.escape()
    return read[len(fixture.browser.address):]


def clear_of_note(fixture, person, text, css):
    """A note that has come does not cover what is pressed next."""
    person.see(".note", text)
    person.shot(f"story-note-{css.split()[-1][1:]}")
    boxes = person.script("return ['.notes', arguments[0]].map((css) => document.querySelector(css).getBoundingClientRect()).map(({top, bottom}) => [top, bottom])", css)
    (top, bottom), (other_top, other_bottom) = boxes
    fixture.check(bottom <= other_top or other_bottom <= top, f"{text} covers {css}: {boxes}")


SIZES = """
const done = arguments[0];
const width = (blob) => createImageBitmap(blob).then((image) => image.width);
Promise.all([...document.querySelectorAll('.upcoming img.thumb')].map(async (image) => {
  const whole = await (await fetch(image.src.split('?')[0])).blob();
  return [whole.size, await width(whole), image.naturalWidth];
})).then(done);
"""


def shrunken(fixture, dealer):
    """The photos have arrived as large as a screen, and the list shows their previews."""
    def found():
        sizes = dealer.driver.execute_async_script(SIZES)
        return sizes if len(sizes) == 3 and all(shown > 0 for _, _, shown in sizes) else None
    for size, width, shown in eventually(found, "the pictures of the lots"):
        fixture.check(size < 4_000_000 and width == 2048 and shown <= 320, f"a photo of 6 MB is kept with {size} bytes, {width} px wide, and {shown} in the list")


def joins(fixture, name, size, link):
    """Comes by the link of the invite, and becomes a bidder by one press."""
    person = fixture.browser.person(name.lower(), size, path=link)
    person.see("h1", "You are invited to a private room")
    person.fill("Nickname", name)
    person.press("Join as bidder")
    person.see(".room-title", "Dora's pots")
    person.see(".eyebrow", "Sale starts in")
    person.see(".action-note", "You are a bidder here.")
    person.shot(f"story-{name.lower()}-comes")
    return person


def begins(dealer):
    """It is 20:00: the sale begins by itself."""
    dealer.script("""const {token} = JSON.parse(localStorage.getItem('auction-room.guest'));
        const room = location.hash.match(/room_[0-9a-z]+/)[0];
        return fetch(`/v1/rooms/${room}/sale`, {method: 'PUT', headers: {Authorization: `Bearer ${token}`, 'Content-Type': 'application/json'},
            body: JSON.stringify({mode: 'automatic', pauseSeconds: 8, premium: {percent: '12.5'}, startsAt: new Date(Date.now() + 3000).toISOString()})})""")


def first_lot(fixture, dealer, ann, bo, link):
    """Ann leads and leaves; Bo outbids her, and she reads so when she comes back."""
    ann.see(".chip", "Bidding open", timeout=30)
    ann.see(".lot-name", "Blue pot")
    bid(ann, "€100.00")
    ann.see(".total", "€112.50 with premium")
    ann.shot("story-ann-leads")
    ann.driver.get("about:blank")
    bid(bo, "€110.00")
    bo.see(".banner.won", "Blue pot for €110.00", timeout=40)
    ann.open(link)
    ann.see(".away-news", "Blue pot went to Bo for €110.00")
    ann.see(".away-news", "Your bid was €100.00.")
    checks.inspect(ann, "back after a while", "story-while-away")
    dealer.see(".result-list", "Blue pot")


def second_lot(fixture, ann, bo):
    """A bid below the reserve does not buy. What Ann read of the first lot goes with the bid on this one."""
    bo.see(".lot-name", "Green pot", timeout=30)
    bo.see(".chip", "Bidding open", timeout=30)
    fixture.check(not bo.sees(".tag", "Reserve"), "a reserve is not met by no bid")
    bid(bo, "€100.00")
    ann.gone(".away-news")
    bo.see(".tag", "Reserve not met")
    ann.see(".banner.passed", "The reserve of Green pot was not met.", timeout=40)


def third_lot(ann, bo):
    """A maximum wins against one that comes later."""
    ann.see(".lot-name", "Red pot", timeout=30)
    ann.see(".chip", "Bidding open", timeout=30)
    ann.press("Another amount")
    ann.fill("Maximum", "200")
    ann.press("Place bid")
    ann.see(".lead-note", "Your maximum: €200.00")
    bid(bo, "€110.00", leads=False)
    bo.see(".lead-note.outbid", "Ann leads with €120.00.")
    ann.see(".banner.won", "Red pot for €120.00 · €135.00 with premium", timeout=40)


def totals(fixture, dealer, ann, bo):
    """Everyone reads what they owe, and the dealer who pays what, also on the page to be printed."""
    for person, words in ((ann, "You bought 1 and owe €135.00."), (bo, "You bought 1 and owe €123.75.")):
        person.see(".sale-end", "2 sold, 1 passed")
        person.see(".sale-end", words)
        person.shot(f"story-{person.name}-end")
    dealer.see(".sale-end", "2 sold, 1 passed · €258.75 in all, with premium")
    dealer.press("Who pays what", ".sale-end button")
    dealer.see("dialog .table", "Ann")
    eventually(lambda: "€258.75" in text_of(dealer.see("dialog .table tfoot")), "the sum of all is not there")
    checks.inspect(dealer, "the dealer's phone after the sale", "story-dealer-end")
    dealer.escape()
    before = set(dealer.driver.window_handles)
    dealer.press("Results and totals", ".sale-end a")
    opened = eventually(lambda: set(dealer.driver.window_handles) - before, "the page to be printed does not open")
    dealer.driver.switch_to.window(opened.pop())
    eventually(lambda: "135.00" in dealer.driver.find_element(By.TAG_NAME, "body").text, "the totals are not on the page to be printed")
    dealer.driver.close()
    fixture.browser.front = None


GERMAN = ("Los-Nr.;Bezeichnung;Beschreibung;Erhaltungszustand;Schätzpreis;Startpreis;Limit;Einlieferer", "{n};Krug „Größe {n}“, glasiert;\"Höhe {n} cm; Rand \"\"bestoßen\"\"\";gut;"
          "€ 1.{n:03},00 – 2.{n:03},50;1.0{n:02},50;1.1{n:02},00 €;Müller")
ENGLISH = ("Lot no.,Title,Description,Condition,Low estimate,High estimate,Opening price,Reserve,Date", "{n},\"Pot no. {n}, £-marked\",\"Glazed; 5\"\" high\",Good,\"£1,0{n:02}.00\",\"£2,0{n:02}.50\","
           "\"£1,0{n:02}.50\",\"£1,1{n:02}.00\",1/5/26")


def offices(fixture):
    """A list of thirty lots, as a German and an English office save it, is imported as it is."""
    with empty_server(fixture):
        for language, currency, (header, row), encoding, first in (
                ("de-DE", "Euro (EUR)", GERMAN, "cp1252", ("Krug „Größe 1“, glasiert", "from €1,001.50", "Estimate €1,001.00 – €2,001.50")),
                ("en-GB", "British Pound (GBP)", ENGLISH, "utf-8-sig", ("Pot no. 1, £-marked", "from £1,001.50", "Estimate £1,001.00 – £2,001.50"))):
            host = fixture.browser.person(f"office-{language}", DESKTOP, language=language)
            host.press("Open a room")
            host.become("Office")
            host.fill("Name of the room", "Spring sale")
            chosen = host.script("return document.querySelector('dialog select').selectedOptions[0].label")
            fixture.check(chosen == currency, f"an office in {language} is offered {chosen}")
            host.press("Open the room", "dialog button")
            host.press("Import a list")
            lines = [header, *(row.format(n=n) for n in range(1, 31))]
            host.give(fixture.folder, "Liste.csv", "".join(f"{line}\r\n" for line in lines).encode(encoding))
            host.see("dialog", "Rows: 30.")
            unused = "return [...document.querySelectorAll('.column-list select')].filter((each) => !each.value).map((each) => each.labels[0].innerText)"
            fixture.check(host.script(unused) == ["Einlieferer" if language == "de-DE" else "Date"], f"not understood: {host.script(unused)}")
            host.shot(f"story-office-{language}")
            host.press("Import", "dialog button[type=submit]")
            host.see(".note", "Imported: 30 added")
            host.see(".lots-summary", "30 lots to come")
            # How many there are is known before they are read.
            eventually(lambda: len(names(host)) == 30 and names(host)[0] == first[0], lambda: f"the lots: {len(names(host))}, {names(host)[:2]}")
            host.see(".upcoming .lot-facts", f"1 {' · '.join(first[1:])} · ")
            host.press(first[0], ".lot-open")
            host.see("dialog", "1 cm; Rand \"bestoßen\"" if language == "de-DE" else "Glazed; 5\" high")
            host.escape()
            checks.inspect(host, f"thirty lots of an office, {language}")


STORY_SCENARIOS = [story, offices]
