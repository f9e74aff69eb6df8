"""A walk through the views of the page, by language, theme and width: no two texts intersect, none is cut, no word is broken, every text has
its contrast, and axe-core finds nothing that is serious."""
import re
import time
from urllib.parse import quote

import checks
from browser import Keys, eventually, text_of

WIDTHS = ((320, 568), (390, 844), (768, 1024), (1280, 900))
LANGUAGES = {"en": "en-US", "zh": "zh-CN"}
# Each view is seen in both themes: by one of the two people who look at it.
DARK = "zh"

# Names may end in an ellipsis where a list needs its lines; figures and the page's own words may not.
NAMES = ".who-name, .leader, .bid-who, .person-name, .seat-name, .seat .quiet-text, .room-title, .room-facts, .bar-name"

TEXTS = """
const [names, isLarge] = arguments;
const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
const found = [];
const texts = [];
const inside = (a, b) => ({left: Math.max(a.left, b.left), right: Math.min(a.right, b.right), top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom)});
const isEmpty = (r) => r.right - r.left < 1 || r.bottom - r.top < 1;
const short = (text) => text.trim().replace(/\\s+/g, ' ').slice(0, 40);
// What an element hides, by axis: "hidden" for ever, "auto" until it is scrolled.
const boxes = new Map();
function box(e) {
  if (!boxes.has(e)) { const s = getComputedStyle(e); boxes.set(e, {rect: e.getBoundingClientRect(), x: s.overflowX, y: s.overflowY, position: s.position, clip: s.clipPath}); }
  return boxes.get(e);
}
const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
  const e = node.parentElement;
  if (!node.textContent.trim() || e.closest('.unseen, .skip, .notes, datalist') || !e.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const rects = [...range.getClientRects()].filter((r) => r.width > 1 && r.height > 1);
  let layer = null;
  let isClipped = false;
  const around = [];
  for (let at = e; at; at = at.parentElement) {
    const b = box(at);
    if (b.clip !== 'none') isClipped = true;
    if (b.x !== 'visible' || b.y !== 'visible') around.push(b);
    if (b.position === 'fixed' || b.position === 'sticky') layer ??= at;
    if (b.position === 'fixed' || at === top) break;
  }
  if (isClipped) continue;
  for (const r of rects) {
    // A line's box is higher than its letters.
    const letters = {left: r.left + 1, right: r.right - 1, top: r.top + r.height * 0.22, bottom: r.bottom - r.height * 0.22};
    let seen = letters;
    let isCut = false;
    let scrolls = false;
    for (const {rect, x, y} of around) {
      const next = {...seen};
      if (x !== 'visible') Object.assign(next, {left: Math.max(seen.left, rect.left), right: Math.min(seen.right, rect.right)});
      if (y !== 'visible') Object.assign(next, {top: Math.max(seen.top, rect.top), bottom: Math.min(seen.bottom, rect.bottom)});
      if (!scrolls && x !== 'auto' && x !== 'scroll' && next.right - next.left < seen.right - seen.left - 1) isCut = true;
      if (!scrolls && y !== 'auto' && y !== 'scroll' && next.bottom - next.top < seen.bottom - seen.top - 1) isCut = true;
      if (/auto|scroll/.test(x + y)) scrolls = true;
      seen = next;
    }
    if (!scrolls && (letters.right > document.documentElement.clientWidth + 1 || letters.left < -1)) isCut = true;
    if (isCut && !e.closest(names)) found.push(`cut: "${short(node.textContent)}" (${e.className})`);
    if (!isEmpty(seen)) texts.push({node, e, layer, seen});
  }
  // Twice as large, a word may be wider than a phone. The row of a file has no blanks at which it could be broken.
  if (rects.length > 1 && !isLarge && !e.closest('code')) for (const {0: word, index} of node.textContent.matchAll(/(?<!\\p{Script=Latin})\\p{Script=Latin}{3,14}(?!\\p{Script=Latin})/gu)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const tops = [...range.getClientRects()].filter((r) => r.width > 1).map((r) => r.top);
    if (Math.max(...tops) - Math.min(...tops) > 4) found.push(`broken: "${word}" (${e.className})`);
  }
}
for (const [index, a] of texts.entries()) for (const b of texts.slice(index + 1)) {
  if (a.node === b.node || a.layer !== b.layer || isEmpty(inside(a.seen, b.seen))) continue;
  found.push(`"${short(a.node.textContent)}" (${a.e.className}) and "${short(b.node.textContent)}" (${b.e.className}) intersect`);
}
return [...new Set(found)];
"""

LONG = "Maximiliane von und zu Hohenstein-Bergen"
WORDY = "A teapot of Yixing clay with a name that is really much too long for the width of any phone that there is, and its lid"
WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen und andere Orden"


class Walk:
    """The views that one person sees, at all widths."""

    def __init__(self, fixture, person, widths=WIDTHS):
        self.is_large = person.browser.text_size > 16
        self.fixture, self.person, self.widths, self.found = fixture, person, widths, []
        # The rules of axe-core see the same in other languages and between these widths; colours are measured in both themes.
        self.measured = (WIDTHS[0], WIDTHS[-1])
        self.audited = self.measured if person.name.endswith("en") else ()

    def look(self, view):
        for size in self.widths:
            self.person.resize(size)
            # The dock tells its height after a frame.
            self.person.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")
            found = self.person.script(TEXTS, NAMES, self.is_large)
            if size in self.measured:
                found += self.person.script(checks.CONTRAST)
            if size in self.audited:
                found += checks.axe_of(self.person)
            self.found += [f"{view}, {size[0]} px: {each}" for each in found]
            if found:
                print(f"{self.person.name}, {self.found[-1]}", flush=True)
                self.person.shot(f"layout-{self.person.name}-{view}-{size[0]}".replace(" ", "-"))

        # The server closes a connection that waits for so long.
        self.fixture.connection.close()

    def press(self, css, at=0):
        """Presses one of several, wherever it is scrolled to. What has just taken the place of another control takes no press yet."""
        shown = "const each = document.querySelectorAll(arguments[0])[arguments[1]]; if (!each || each.classList.contains('settling')) return false; "
        self.person.see(css)
        eventually(lambda: self.person.script(f"{shown}each.click(); return true", css, at), f"{self.person.name}: {css} takes no press")

    def at(self, css, view):
        """The dialog that a press opens."""
        self.press(css)
        self.person.see("dialog[open]")
        self.look(view)
        self.person.keys(Keys.ESCAPE)
        self.person.gone("dialog[open]")

    def tab(self, index):
        self.person.script("document.querySelectorAll('[role=tab]')[arguments[0]].click()", index)

    def tabs(self, view):
        for index, name in enumerate(("bids", "lots", "chat", "people")):
            self.tab(index)
            self.look(f"{view}, {name}")


def narrow(fixture):
    """The view that most people have: a bidder's, on phones, with a large amount and days to go."""
    walks = walks_of(fixture, "Ann", "bidder", widths=WIDTHS[:2])
    schedule(fixture, lots=2)
    for walk in walks:
        walk.person.see(".clock", "3 d 11 h" if "en" in walk.person.name else "3 天 11 小时")
        walk.tabs("scheduled")
    bidding(fixture)
    for walk in walks:
        walk.person.see(".leader", LONG)
        walk.tabs("bidding")
    stays_in_sight(fixture, walks[0].person)
    finish(fixture, walks)


def stays_in_sight(fixture, person):
    """Price and time are seen wherever the page is scrolled to, and no note covers them."""
    def covered(css):
        return person.script("""const [a, b] = [...arguments].map((css) => document.querySelector(css).getBoundingClientRect());
            return a.top < b.bottom && b.top < a.bottom""", css, ".note")
    person.gone(".price-bar")
    person.script("scrollTo(0, document.documentElement.scrollHeight)")
    bar = text_of(person.see(".price-bar"))
    fixture.check(bar.startswith(person.text(".price") + " ") and re.search(r" (1:00:00|5\d:\d\d)$", bar), f"the bar says {bar}")
    lot = fixture.get("/lots?state=queued&limit=1")["lots"][0]["id"]
    fixture.call("DELETE", f"/lots/{lot}?reason={quote(WORDY)}", None, "Hana")
    person.see(".note", "has been withdrawn")
    person.shot("phone-price-bar")
    fixture.check(not covered(".price-bar"), "a note covers the bar with price and time")
    person.script("scrollTo(0, 0)")
    person.gone(".price-bar")
    fixture.check(not covered(".hero-figures"), "a note covers price and time")


def layout(fixture):
    """The views of an English sale, in both languages, from a phone of 320 px to a desktop."""
    strangers = [Walk(fixture, fixture.browser.person(f"stranger-{name}", language=tag, dark=name == DARK)) for name, tag in LANGUAGES.items()]
    furnish(fixture)
    for walk in strangers:
        walk.person.driver.refresh()
        walk.person.see(".room-card")
        walk.look("rooms")
        walk.at(".page-head button", "join a room")
        walk.at(".who", "nickname")
        walk.person.open(f"/#/rooms/{fixture.room}")
        walk.person.see(".live[data-state=live]")
        walk.look("stranger")
        walk.person.open("/#/rooms/room_00000000000000000000000000")
        walk.person.see(".missing h1")
        walk.look("no room")
        walk.person.close()
    hosts = walks_of(fixture, "Hana", None)
    for walk in hosts:
        walk.look("empty")
    schedule(fixture, lots=30)
    bidders = walks_of(fixture, "Ann", "bidder")
    for walk in bidders:
        walk.tabs("scheduled")
        walk.at(".who", "account")
    for walk in hosts:
        walk.person.see(".upcoming")
        walk.tabs("host, scheduled")
        walk.person.script("document.querySelectorAll('[role=tab]')[1].click()")
        for index, name in enumerate(("new lot", "import", "sale settings")):
            walk.at(f".lots-actions button:nth-child({index + 1})", name)
        walk.at("[data-action='host.share']", "invite")
        walk.at(".upcoming .lot-row > button:last-child", "menu of a lot")
        walk.person.shot("host-thirty-lots")
        walk.at(".upcoming .lot-open", "lot")
        walk.at(".who", "account")
    bidding(fixture)
    for walk in [*bidders, *hosts]:
        walk.person.see(".leader", LONG)
        walk.tabs("bidding")
    for walk in bidders:
        walk.person.tap(".other summary")
        walk.look("another amount")
    for walk in hosts:
        walk.person.script("document.querySelectorAll('[role=tab]')[3].click()")
        walk.at(".person button", "menu of a member")
        walk.at("[data-action='host.end']", "hammer")
    fixture.order("pause")
    for walk in bidders:
        walk.look("paused")
    fixture.order("resume")
    fixture.order("end")
    for walk in [*bidders, *hosts]:
        walk.person.see(".banner")
        walk.tabs("closed")
    finish(fixture, [*strangers, *bidders, *hosts])


def furnish(fixture):
    """A room with names as long as they may be, of people as well."""
    for name in ("Hana", "Ann", "Bo"):
        fixture.people[name] = fixture.guest(LONG)
    fixture.room = fixture.call("POST", "", {"name": WORDY[:100]}, "Hana", base="/v1/rooms")["id"]
    fixture.link = f"/#/rooms/{fixture.room}"
    for name in ("Bo", "Cy"):
        fixture.join(name, "bidder")
    fixture.call("POST", "/messages", {"text": f"{WORDY} {WORD}"}, "Bo")


def walks_of(fixture, name, role, widths=WIDTHS):
    if fixture.people[name]["user"]["nickname"] != LONG:
        furnish(fixture)
    if role:
        fixture.join(name, role)
    walks = []
    for language, tag in LANGUAGES.items():
        person = fixture.visitor(name, widths[-1], language=tag, dark=language == DARK)
        person.name = f"{name.lower()}-{language}"
        person.open(fixture.link)
        person.see(".live[data-state=live]")
        walks.append(Walk(fixture, person, widths))
    return walks


def schedule(fixture, lots):
    """Lots with long names and large amounts, in a sale that begins in three days and a half."""
    for index in range(lots):
        rules = {"startingPrice": "1234567890.50", "increment": {"percent": 5}, "listingSeconds": 0, "biddingSeconds": 3_600, "reservePrice": "2345678901.50"}
        fixture.call("POST", "/lots", {"name": (WORDY, WORD)[index % 2], "reference": f"Katalog-{index}-1927", "description": WORDY, "rules": rules,
                                       "estimate": {"low": "1300000000.50", "high": "2400000000"}, "condition": WORDY[:40]}, "Hana")
    starts = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 83.9 * 3600))
    fixture.call("PUT", "/sale", {"mode": "automatic", "pauseSeconds": 20, "startsAt": starts, "premium": {"percent": "12.5"}}, "Hana")


def bidding(fixture):
    """The first lot, of which one of the bidders leads."""
    fixture.call("PUT", "/sale", {"mode": "manual", "premium": {"percent": "12.5"}}, "Hana")
    fixture.order("start")
    if fixture.get("")["state"] == "preparing":
        fixture.order("start")
    fixture.bid("Cy", "1234567890.50")
    fixture.call("POST", "/bids", {"amount": "1500000000.50", "maximum": "9000000000"}, "Bo")


def finish(fixture, walks):
    found = [f"{walk.person.name}, {each}" for walk in walks for each in walk.found]
    for each in found if len(found) > 6 else ():
        print(each)
    fixture.findings(found, f"{len(found)} faults of the layout")
