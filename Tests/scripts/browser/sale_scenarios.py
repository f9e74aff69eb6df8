"""Scenarios of the page with lots and sales, as those of scenarios.py."""
import calendar
import io
import os
import re
import struct
import time
import zipfile
import zlib
from xml.sax.saxutils import escape

import checks
from browser import DESKTOP, PHONE, Keys, eventually, text_of
from layout import TEXTS, WIDTHS, WORD, WORDY
from scenarios import bid


def host_of(fixture, size=DESKTOP, **more):
    host = fixture.visitor("Hana", size, **more)
    host.open(fixture.link)
    host.see(".live[data-state=live]")
    return host


def queue(fixture, name, price="100", **more):
    rules = {"startingPrice": price, "increment": {"fixed": "10"}, "listingSeconds": 0, "biddingSeconds": 60, **more.pop("rules", {})}
    return fixture.call("POST", "/lots", {"name": name, "rules": rules, **more}, "Hana")


def names(person):
    """The names of the lots to come, in the order in which they stand there."""
    return [text_of(each) for each in person.all(".upcoming .lot-open")]


def stand(person, *expected):
    eventually(lambda: names(person) == list(expected), lambda: f"{person.name} sees {names(person)}, not {list(expected)}")


def catalogue(fixture):
    """Three lots are entered one after the other, put in order by the keyboard, changed and withdrawn; a bidder sees it happen."""
    host = host_of(fixture)
    host.press("Add a lot", ".host button")
    asks = "const event = new Event('beforeunload', {cancelable: true}); dispatchEvent(event); return event.defaultPrevented"
    for name, reference in (("Blue bowl", "A-1"), ("Celadon vase", "A-2"), ("Tea caddy", "")):
        fixture.check(not host.script(asks), "the page is not left without a question although nothing was typed")
        host.fill("Name", name)
        fixture.check(host.script(asks), "a lot that is half typed is lost with the page without a question")
        host.fill("Lot number", reference)
        host.fill("Starting price", "100")
        host.press("Add it, and enter another", "dialog button")
        host.see(".note", name)
        fixture.check(host.script("return document.querySelector('[data-field=\"rules.startingPrice\"]').value") == "", "a price is left for the next lot")
    host.shot("host-lot-form")
    seconds = "return document.querySelector('[data-field=\"rules.biddingSeconds\"]').value"
    host.press("Dutch", "dialog label")
    host.see("dialog label", "Drop")
    fixture.check(not host.sees("dialog label", "Step"), "the drop of a falling price is called a step")
    for format_, expected in (("Vickrey", "60"), ("English", "15")):
        host.press(format_, "dialog label")
        fixture.check(host.script(seconds) == expected, f"{format_} begins with {host.script(seconds)} seconds")
    host.escape()
    stand(host, "Blue bowl", "Celadon vase", "Tea caddy")
    ann, _ = fixture.member("Ann", PHONE)
    ann.press("Lots", "[role=tab]")
    ann.see(".lots-summary", "3 lots to come")
    stand(ann, "Blue bowl", "Celadon vase", "Tea caddy")
    fixture.check(not ann.sees(".lot-handle"), "a bidder is offered to reorder")
    host.script("document.querySelectorAll('.lot-handle')[2].focus()")
    host.keys(Keys.ARROW_UP)
    stand(host, "Blue bowl", "Tea caddy", "Celadon vase")
    eventually(lambda: "Tea caddy is number 2 of 3" in host.script("return document.querySelector('[role=status].unseen').textContent"),
               "a screen reader does not hear of the new place")
    fixture.check("Move Tea caddy" in host.focused(), f"the focus did not stay with the lot: {host.focused()}")
    host.keys(Keys.HOME)
    stand(ann, "Tea caddy", "Blue bowl", "Celadon vase")
    host.order("What to do with Celadon vase", "Make it the next one")
    stand(ann, "Celadon vase", "Tea caddy", "Blue bowl")
    host.order("What to do with Blue bowl", "Change the lot")
    host.fill("Name", "Blue bowl, chipped")
    host.fill("Starting price", "80")
    host.press("Save", "dialog button")
    host.gone("dialog")
    stand(ann, "Celadon vase", "Tea caddy", "Blue bowl, chipped")
    ann.see(".upcoming .lot-facts", "A-1 from ¥80.00")
    host.order("What to do with Tea caddy", "Withdraw the lot")
    host.fill("Reason", "Broken in transit")
    host.press("Withdraw the lot", "dialog button[type=submit]")
    stand(ann, "Celadon vase", "Blue bowl, chipped")
    drag(fixture, host, ann)


def drag(fixture, host, ann):
    handles = host.all(".lot-handle")
    first, second = (each.rect for each in handles)
    host.drag(first, second["y"] - first["y"] + 30)
    stand(ann, "Blue bowl, chipped", "Celadon vase")
    checks.inspect(host, "catalogue, host")
    checks.inspect(ann, "catalogue, phone")
    host.shot("host-catalogue")
    for size, name in ((PHONE, "phone-host-dark"), (DESKTOP, "host-dark")):
        host.resize(size)
        host.scheme("dark")
        checks.inspect(host, name, name)
        host.tap(".lots-actions button")
        host.see("dialog .drop-zone")
        checks.inspect(host, f"{name}, a new lot", f"{name}-form")
        host.escape()
    ann.shot("phone-catalogue")
    ann.press("Celadon vase", ".lot-open")
    ann.see("dialog", "Rules of this lot")
    ann.shot("phone-lot")


def whole_sale(fixture):
    """A sale that runs by itself to its end, with a premium, while a viewer comes late and the host once cuts the pause short."""
    host = host_of(fixture)
    for name in ("Blue bowl", "Celadon vase", "Tea caddy"):
        queue(fixture, name, rules={"biddingSeconds": 7})
    ann, link = fixture.member("Ann", PHONE)
    host.press("Sale settings")
    host.press("One lot after the other", "dialog label")
    host.fill("Pause between lots", "20")
    host.fill("Buyer's premium", "12.5")
    host.shot("host-sale-settings")
    host.press("Save", "dialog button")
    host.gone("dialog")
    ann.press("Lots", "[role=tab]")
    ann.see(".lots-summary", "3 lots to come · 20 s between lots · 12.5 % buyer's premium")
    host.press("Start the sale")
    ann.see(".lot-name", "Blue bowl")
    bid(ann, "¥100.00")
    ann.see(".total", "¥112.50 with premium")
    host.see("button", "Stop after this lot")
    fixture.check(not host.sees("button", "Archive the room"), "a room is offered to be archived while its sale runs")
    ann.see(".banner.won", "Blue bowl for ¥100.00 · ¥112.50 with premium", timeout=20)
    ann.see(".eyebrow", "Next lot in")
    ann.see(".action-note", "Next: Celadon vase")
    ann.shot("phone-between-lots")
    late = fixture.browser.person("late", DESKTOP, path=link)
    late.see(".result-list", "Blue bowl")
    late.see(".eyebrow", "Next lot in")
    late.see(".lots-summary", "The sale is running")
    late.shot("desktop-late")
    host.press("Next lot now")
    late.see(".lot-row.current", "Celadon vase")
    fixture.call("PUT", "/sale", {"mode": "automatic", "pauseSeconds": 2, "premium": {"percent": "12.5"}}, "Hana")
    late.see(".lots-summary", "2 s between lots")
    late.see(".upcoming", "Tea caddy")
    fixture.bid("Bo", "100")
    checks.inspect(late, "a running sale")
    late.see(".result-list", "Celadon vase", timeout=20)
    late.see(".lot-row.current", "Tea caddy", timeout=20)
    late.see(".lots-summary", "All lots have had their turn", timeout=30)
    late.see(".result-list", "Passed")
    finished = [event["type"] for event in fixture.get("/events?after=0&limit=256")["events"] if event["type"].startswith("sale.")]
    fixture.check(finished[-1] == "sale.finished" and finished.count("sale.finished") == 1, f"the sale did not finish: {finished}")
    fixture.check(late.see("a", "Results and totals").get_attribute("href").endswith(f"/v1/rooms/{fixture.room}/results.html"), "not the page to be printed")
    ann.press("What you bought and sold")
    ann.see("dialog .table tfoot", "¥112.50")
    checks.inspect(ann, "what the buyer bought", "phone-own")
    ann.escape()
    ann.see(".sale-end", "2 sold, 1 passed")
    ann.see(".sale-end", "You bought 1 and owe ¥112.50.")
    checks.inspect(ann, "the end of a sale", "phone-sale-end")
    ann.press("Blue bowl", ".result-list .lot-open")
    ann.see("dialog", "Sold to Ann · ¥100.00 · ¥112.50 with premium")
    ann.see("dialog", "Rules of this lot")
    ann.keys(Keys.ESCAPE)
    host.see(".sale-end", "2 sold, 1 passed · ¥225.00 in all, with premium")
    host.shot("host-sale-end")
    host.press("Who pays what", ".sale-end button")
    host.see("dialog .table", "Bo 1 ¥100.00 ¥12.50 ¥112.50")
    host.see("dialog .table tfoot", "2 ¥200.00 ¥25.00 ¥225.00")
    host.see("dialog .table", "Tea caddy")
    host.shot("host-own")
    host.resize(PHONE)
    fits = "return [...document.querySelectorAll('dialog, dialog .table-box')].every((each) => each.scrollWidth <= each.clientWidth)"
    fixture.check(host.script(fits), "who pays what is cut on a phone")
    host.shot("phone-host-own")
    host.resize(DESKTOP)
    written = host.download(fixture.folder, f"{fixture.get('')['name']} Who pays what.csv", "Save this table as CSV", "dialog button")
    fixture.check(written.splitlines() == [
        "Buyer,Lots,Hammer price (CNY),Premium (CNY),Total (CNY)", "Bo,1,100.00,12.50,112.50", "Ann,1,100.00,12.50,112.50", "Sum,2,200.00,25.00,225.00",
    ], f"the table of buyers is not as it was shown: {written}")
    queue(fixture, "Late lot")
    ann.see(".upcoming", "Late lot")
    ann.see(".sale-end", "So far")
    ann.see(".sale-end", "You bought 1 and owe ¥112.50.")
    checks.inspect(ann, "what is owed before the next lot")
    host.see(".sale-end", "So far 2 sold, 1 passed")


def scheduled(fixture):
    """A start that is set for later counts down for everyone, and is there again after a reload."""
    host = host_of(fixture)
    queue(fixture, "Blue bowl")
    queue(fixture, "Celadon vase")
    host.press("Start at a set time", ".host button")
    host.see("dialog input[type=datetime-local]")
    host.script("document.querySelector('dialog input[type=datetime-local]').value = new Date(Date.now() + 3 * 864e5).toISOString().slice(0, 16)")
    host.press("Save", "dialog button")
    host.gone("dialog")
    host.gone("button", "Start at a set time")
    sale = fixture.get("")["sale"]
    fixture.check(sale["mode"] == "automatic" and sale["startsAt"], f"a start that was set is not there: {sale}")
    starts = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 15))
    fixture.call("PUT", "/sale", {"mode": "automatic", "pauseSeconds": 1, "startsAt": starts}, "Hana")
    ann, _ = fixture.member("Ann", PHONE)
    ann.see(".eyebrow", "Sale starts in")
    checks.inspect(ann, "before a sale")
    ann.press("Lots", "[role=tab]")
    date = ann.download(fixture.folder, "Evening sale.ics", "Add to my calendar")
    fixture.check(f"DTSTART:{re.sub('[-:]', '', starts)}" in date, "the date is not the start of the sale")
    host.see(".lots-summary", "Starts ")
    ann.see(".chip", "Bidding open", timeout=30)
    host.press("Stop after this lot")
    host.see(".note", "Bidding on it goes on")
    host.script("""const panel = document.querySelector('.host');
        const press = () => [...panel.querySelectorAll('button')].find((each) => each.innerText === 'Stop after this lot')?.click();
        window.second = new MutationObserver(press);
        window.second.observe(panel, {childList: true, subtree: true});""")
    host.press("Go on after this lot")
    host.see("button", "Stop after this lot")
    time.sleep(0.6)
    host.script("window.second.disconnect()")
    fixture.check(fixture.get("")["sale"]["running"], "the second press of a double tap has stopped the sale that the first one continued")
    host.press("Sale settings")
    host.press("I start each lot", "dialog label")
    host.press("Save", "dialog button")
    host.gone("dialog")
    host.gone("button", "Stop after this lot")


def manual_sale(fixture):
    """The host starts each lot; the sellers add theirs and change only these."""
    host = host_of(fixture)
    seller = fixture.visitor("Sato", PHONE, language="zh-CN")
    seller.open(fixture.link)
    seller.press("拍品", "[role=tab]")
    queue(fixture, "Blue bowl")
    seller.press("添加拍品")
    seller.fill("名称", "青瓷瓶")
    seller.fill("起拍价", "100")
    seller.press("添加", "dialog button.primary")
    stand(seller, "Blue bowl", "青瓷瓶")
    seller.see(".tag.mine", "您的")
    fixture.check(len(seller.all(".lot-handle")) == 1, "a seller is offered to move a lot of another")
    checks.inspect(seller, "seller, Chinese", "phone-zh-catalogue")
    host.press("Start the auction")
    host.see(".lot-name", "Blue bowl")
    host.press("Bring the hammer down")
    host.see("dialog", "There is no bid on Blue bowl.")
    host.press("Bring the hammer down", "dialog button")
    host.press("Next lot")
    host.see(".lot-name", "青瓷瓶")
    host.press("Start the auction")
    seller.see(".chip", "拍卖中")
    host.press("Cancel this lot")
    host.fill("Reason", "A break")
    host.press("Cancel this lot", "dialog button[type=submit]")
    host.see(".lot-row.current", "青瓷瓶")


def importing(fixture):
    """A file with errors changes nothing and shows each at its row; put right, it is imported, in each encoding; a repeat adds nothing."""
    host = host_of(fixture)
    good = "reference,name,startingPrice\r\nA-1,Blue bowl,100\r\nA-2,\"Vase, celadon\",80\r\n"
    bad = good + "A-3,,50\r\nA-4,Tea caddy,much\r\n"

    def choose(text, encoding="utf-8"):
        send("file.csv", text.encode(encoding))

    def send(*file):
        host.give(fixture.folder, *file)
        host.press("Import", "dialog button[type=submit]")

    host.press("Import a list")
    host.press("Import", "dialog button[type=submit]")
    host.see("dialog .field-error", "Choose a file first.")
    choose("reference,name,startingPrice\r\nA-1,,100\r\n", "utf-16")
    host.see("dialog .field-error", "correct 1 row first")
    host.give(fixture.folder, "other.csv", bad.encode())
    host.gone("dialog .field-error")
    choose(bad)
    host.see("dialog .table", "A-3,,50")
    rows = [text_of(each) for each in host.all("dialog .table tbody tr")]
    fixture.check(len(rows) == 2 and rows[0].startswith("4 name") and rows[1].startswith("5 ") and "startingPrice" in rows[1], f"the errors: {rows}")
    checks.inspect(host, "errors of an import", "host-import-errors")
    host.resize(PHONE)
    fits = "return [...document.querySelectorAll('dialog, dialog .table-box')].every((each) => each.scrollWidth <= each.clientWidth)"
    fixture.check(host.script(fits), "the errors of an import are cut on a phone")
    checks.inspect(host, "errors of an import, phone", "phone-host-import-errors")
    host.resize(DESKTOP)
    fixture.check(not names(host), "a refused file has left lots behind")
    choose(good)
    host.see(".note", "Imported: 2 added")
    stand(host, "Blue bowl", "Vase, celadon")
    host.press("Import a list")
    choose(good)
    host.see(".note", "Nothing was added or changed: 2 as they were")
    stand(host, "Blue bowl", "Vase, celadon")
    for encoding, name in (("utf-16", "Schüssel"), ("cp1252", "Große Schüssel")):
        host.press("Import a list")
        choose(f"Losnr;Bezeichnung;Startpreis;Datum\r\nA-3;{name};¥ 50,00;1.5.\r\n", encoding)
        host.gone("dialog")
        stand(host, "Blue bowl", "Vase, celadon", name)
    other_encoding(fixture, host)
    workbook(fixture, host)
    host.press("Import a list")
    host.download(fixture.folder, "lots.csv", "Download a table to fill in", "dialog a")
    send("lots.csv")
    host.gone("dialog")
    fixture.check(fixture.get("/lots?limit=10")["lots"][0]["item"]["description"] == "Qing style, 24 cm.", "the table to fill in is not as a file should be")
    host.open("/#/")
    host.see(".own-rooms .room-card", "Blue bowl You are the host from ¥100.00")
    fixture.call("POST", "", {"name": "Morning sale"}, "Hana", base="/v1/rooms")
    host.driver.refresh()
    host.see(".own-rooms .room-card", "Morning sale Preparing No lot is up right now")


def other_encoding(fixture, host):
    """Bytes that could be in many encodings are read again in the one that the host chooses."""
    host.press("Import a list")
    host.give(fixture.folder, "big5.csv", "編號,名稱,起拍價,估價\r\nC-1,青瓷,50,80-120\r\n".encode("big5"))
    guess = "return document.querySelector('dialog [data-field=encoding]').selectedOptions[0].label"
    eventually(lambda: host.script(guess) == "Automatic: Western European (Windows-1252)", lambda: f"the guess: {host.script(guess)}")
    host.select("Encoding of the file", "Traditional Chinese (Big5)")
    host.see("dialog .field-hint", "青瓷")
    chosen = "return [...document.querySelectorAll('.column-list select')].map((each) => each.selectedOptions[0].label)"
    found = host.script(chosen)
    fixture.check(found == ["Lot number", "Name", "Starting price", "Estimate"], f"the columns are taken for {found}")
    host.shot("host-import-encoding")
    host.press("Import", "dialog button[type=submit]")
    host.gone("dialog")
    host.see(".upcoming .lot-facts", "C-1 from ¥50.00 · Estimate ¥80.00 – ¥120.00")


def workbook(fixture, host):
    """The page shows what it makes of each column of a workbook before it imports, and takes what the host chooses."""
    host.press("Import a list")
    table = [["Losnr", "Was", "Startpreis", "Einlieferer"], ["B-1", "Krug & Deckel", 35.5, "Meier"], ["B-2", "Teller", "1.200,00", ""]]
    host.give(fixture.folder, "Liste.xlsx", xlsx(table))
    host.see("dialog", "Rows: 2.")
    chosen = "return [...document.querySelectorAll('.column-list select')].map((each) => each.selectedOptions[0].label)"
    found = host.script(chosen)
    fixture.check(found == ["Lot number", "Not used", "Starting price", "Not used"], f"the columns are taken for {found}")
    host.see("dialog .field-hint", "Krug & Deckel · Teller")
    checks.inspect(host, "the columns of a file", "host-import-columns")
    host.resize(PHONE)
    checks.inspect(host, "the columns of a file, phone", "phone-host-import-columns")
    host.resize(DESKTOP)
    host.press("Import", "dialog button[type=submit]")
    host.see("dialog .field-error", "Choose the column for “Name”.")
    host.select("Was", "Starting price")
    host.press("Import", "dialog button[type=submit]")
    host.see("dialog .field-error", "Choose the column for “Name”.")
    host.select("Was", "Name")
    host.select("Einlieferer", "Name")
    host.press("Import", "dialog button[type=submit]")
    host.see("dialog .field-error", "“Name” is chosen for two columns.")
    host.select("Einlieferer", "Not used")
    host.press("Import", "dialog button[type=submit]")
    host.gone("dialog")
    # The server closes a connection that waits for so long.
    fixture.connection.close()
    imported = {lot["reference"]: (lot["item"]["name"], lot["rules"]["startingPrice"]) for lot in fixture.get("/lots?limit=10")["lots"]}
    fixture.check(imported["B-1"] == ("Krug & Deckel", "35.50") and imported["B-2"] == ("Teller", "1200.00"), f"imported: {imported}")


def xlsx(rows):
    """A workbook as office programs write it: texts are shared, the sheet is deflated."""
    strings = list(dict.fromkeys(cell for row in rows for cell in row if isinstance(cell, str) and cell))
    head, relations = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>', "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def cell(column, line, value):
        place = f"{chr(65 + column)}{line}"
        return f'<c r="{place}" t="s"><v>{strings.index(value)}</v></c>' if isinstance(value, str) else f'<c r="{place}"><v>{value}</v></c>'

    def related(*targets):
        return f"{head}<Relationships>" + "".join(
            f'<Relationship Id="rId{index}" Type="{relations}/{kind}" Target="{target}"/>' for index, (kind, target) in enumerate(targets, 1)) + "</Relationships>"

    lines = "".join(f'<row r="{line}">{"".join(cell(at, line, value) for at, value in enumerate(row) if value != "")}</row>' for line, row in enumerate(rows, 1))
    shared = "".join(f"<si><t>{escape(text)}</t></si>" for text in strings)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", related(("officeDocument", "xl/workbook.xml")))
        archive.writestr("xl/workbook.xml", f'{head}<workbook xmlns:r="{relations}"><sheets><sheet name="Lose" sheetId="1" r:id="rId1"/></sheets></workbook>')
        archive.writestr("xl/_rels/workbook.xml.rels", related(("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")))
        archive.writestr("xl/worksheets/sheet1.xml", f"{head}<worksheet><sheetData>{lines}</sheetData></worksheet>")
        archive.writestr("xl/sharedStrings.xml", f"{head}<sst>{shared}</sst>")
    return made.getvalue()


def pictures(fixture):
    """A picture is chosen, sent, shown to everyone and removed; a large one arrives smaller; no lot is saved without one that was chosen."""
    host = host_of(fixture)
    host.press("Add a lot", ".host button")
    host.fill("Name", "Blue bowl")
    host.fill("Starting price", "100")

    host.give(fixture.folder, "bowl.png", png(40, 30, (30, 80, 160)))
    host.see("dialog .picture img")
    host.give(fixture.folder, "bowl.txt", b"no picture at all")
    host.see("dialog .picture-error", "bowl.txt: This is no picture")
    host.shot("host-pictures")
    host.tap("[aria-label='Remove picture bowl.txt']")
    host.gone("dialog .picture-error")
    host.give(fixture.folder, "photo.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    host.see("dialog .picture-error", "This browser cannot read HEIC photos. On an iPhone")
    host.press("Add this lot", "dialog button")
    host.see("dialog .field-error", "Not sent: photo.heic.")
    fixture.check(not fixture.get("/lots")["lots"], "a lot is saved without a picture that was chosen")
    host.shot("host-picture-unsent")
    host.tap("[aria-label='Remove picture photo.heic']")
    host.give(fixture.folder, "large.png", png(2600, 1000))
    widths = "return [...document.querySelectorAll('dialog .picture img')].map((each) => each.naturalWidth)"
    eventually(lambda: host.script(widths) == [40, 320], lambda: f"the form does not show previews: {host.script(widths)}")
    host.press("Add this lot", "dialog button")
    host.gone("dialog")
    media = fixture.get("/lots")["lots"][0]["item"]["media"]
    fixture.check(len(media) == 2, "not the pictures that were chosen")
    sizes = [len(fixture.connection.call("GET", address).body) for address in (media[1], media[1] + "?preview")]
    fixture.check(sizes[1] <= 65_536 < sizes[0] < 7_000_000, f"a photo of 7.8 MB and its preview have {sizes} bytes")
    width = f"const image = new Image(); image.src = '{media[1]}'; await image.decode(); return image.naturalWidth"
    fixture.check(host.script(f"return (async () => {{ {width} }})()") == 2048, "a photo of 7.8 MB did not arrive with 2,048 pixels")
    ann, _ = fixture.member("Ann", PHONE)
    ann.press("Lots", "[role=tab]")
    loaded = "return [...document.querySelectorAll('img.thumb')].map((e) => [e.naturalWidth, e.width, e.height, e.loading, e.alt])"
    eventually(lambda: ann.script(loaded) == [[40, 48, 48, "lazy", "Picture 1 of Blue bowl"]], lambda: f"the picture: {ann.script(loaded)}")
    ann.shot("phone-picture")
    host.press("Start the auction")
    eventually(lambda: ann.script("return document.querySelector('.lot-stage img')?.naturalWidth") == 40, "the picture of the lot is not shown")
    enlarged(fixture, ann)


def enlarged(fixture, ann):
    """The pictures of a lot, large: swiped, walked by keys and buttons, zoomed; the focus comes back to where it was."""
    width = "return document.querySelector('dialog .lot-large')?.naturalWidth"
    scale = "return new DOMMatrix(getComputedStyle(document.querySelector('dialog .lot-large')).transform).a"
    ann.tap(".lot-zoom")
    ann.see(".viewer-place", "Picture 1 of 2")
    eventually(lambda: ann.script(width) == 40, "the picture is not enlarged")
    ann.shot("phone-picture-large")
    ann.fingers(".viewer-stage", [(80, 0)], [(0, 5)], [(-90, 5)])
    ann.see(".viewer-place", "Picture 2 of 2")
    eventually(lambda: ann.script(width) == 2048, "a swipe does not lead to the next picture")
    ann.fingers(".viewer-stage", [(-20, 0), (20, 0)], [(-40, 0), (40, 0)], [(-60, 0), (60, 0)])
    eventually(lambda: abs(ann.script(scale) - 3) < 0.01, lambda: f"two fingers have made it {ann.script(scale)} times as large")
    ann.fingers(".viewer-stage", [(80, 0)], [(-90, 0)])
    ann.see(".viewer-place", "Picture 2 of 2")
    checks.inspect(ann, "a picture that is zoomed", "phone-picture-zoomed")
    ann.fingers(".viewer-stage", [(10, 10)], times=2)
    eventually(lambda: ann.script(scale) == 1, "a double tap does not show the whole picture")
    ann.tap("[aria-label='Zoom in']")
    eventually(lambda: abs(ann.script(scale) - 1.6) < 0.01, "the button does not zoom")
    ann.keys("0")
    ann.tap("[aria-label='Next picture']")
    ann.see(".viewer-place", "Picture 1 of 2")
    fixture.check(ann.focused() == "Next picture", f"the focus left the button: {ann.focused()}")
    ann.keys(Keys.ARROW_LEFT)
    ann.see(".viewer-place", "Picture 2 of 2")
    ann.escape()
    eventually(lambda: ann.focused() == "Enlarge picture 2 of Blue bowl", lambda: f"after it the focus is on {ann.focused()}")


def png(width, height, colour=None):
    """A picture of one colour, or of noise, which does not get smaller by compression."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + (bytes(colour) * width if colour else os.urandom(3 * width)) for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def long_list(fixture):
    """Of many lots a few are on the page, and more are read when they are asked for."""
    for index in range(1, 131):
        queue(fixture, f"Plate {index}")
    ann, _ = fixture.member("Ann", DESKTOP)
    ann.see(".lots-summary", "130 lots to come")
    eventually(lambda: len(names(ann)) == 50, lambda: f"not 50 lots: {len(names(ann))}")
    last = fixture.get("/lots?limit=200")["lots"][-1]["id"]
    ann.fill_search("Search these lots", "plate 128")
    stand(ann, "Plate 128")
    ann.tap("[aria-label='Mark Plate 128']")
    ann.fill_search("Search these lots", "")
    eventually(lambda: len(names(ann)) == 50, lambda: f"not the lots from before: {len(names(ann))}")
    ann.press("Marked only")
    stand(ann, "Plate 128")
    checks.inspect(ann, "lots that are marked", "desktop-marked")
    ann.driver.refresh()
    ann.see(".live[data-state=live]")
    ann.press("Marked only")
    stand(ann, "Plate 128")
    ann.press("Marked only")
    eventually(lambda: len(names(ann)) > 1, "the marked lots alone again")
    ann.driver.refresh()
    ann.see(".live[data-state=live]")
    eventually(lambda: len(names(ann)) == 50, lambda: f"not 50 lots: {len(names(ann))}")
    ann.press("Show more lots")
    ann.see(".lot-open", "Plate 100")
    fixture.call("PATCH", f"/lots/{last}", {"before": fixture.get("/lots?limit=1")["lots"][0]["id"]}, "Hana")
    eventually(lambda: names(ann)[0] == "Plate 130", lambda: f"the lot from the end is not at the head: {names(ann)[:3]}", timeout=30)
    ann.press("Show more lots")
    eventually(lambda: names(ann) == ["Plate 130"] + [f"Plate {index}" for index in range(1, 130)],
               lambda: f"lots are missing or doubled: {len(names(ann))}, {names(ann)[-3:]}")
    fixture.check(not ann.sees("button", "Show more lots"), "more lots are offered than there are")


def results_page(fixture):
    """The results to be printed: in the reader's time and language, and on a phone without a column that is cut."""
    fixture.call("PUT", "/sale", {"mode": "manual", "premium": {"percent": "12.5"}}, "Hana")
    for name in (f"{WORDY[:80]} {WORD}", "Celadon vase"):
        queue(fixture, name, "1234567.50")
        while fixture.get("")["state"] != "auctioning":
            fixture.order("start")
        if name != "Celadon vase":
            fixture.bid("Bo", "2345678.50")
        fixture.order("end")
    host = host_of(fixture, WIDTHS[0])
    host.cdp("Emulation.setTimezoneOverride", timezoneId="Asia/Tokyo")
    host.open(f"/v1/rooms/{fixture.room}/results.html")
    host.see("h1", "Evening sale")
    ended = fixture.get("/results")["results"][0]["closedAt"]
    tokyo = time.gmtime(calendar.timegm(time.strptime(ended[:19], "%Y-%m-%dT%H:%M:%S")) + 9 * 3600)
    host.see("td", f"{tokyo.tm_mday} {time.strftime('%b %Y, %H:%M:%S', tokyo)}")
    labels = "return [...document.querySelectorAll('.rounds tr:nth-child(1) td')].map((each) => getComputedStyle(each, '::before').content)"
    for language, label in (("en", '"Hammer price: "'), ("zh", '"落槌价:"')):
        for size in WIDTHS:
            host.resize(size)
            found = host.script(TEXTS, "", False) + host.script(checks.WIDTH) + host.script(checks.CONTRAST) + checks.axe_of(host)
            fixture.findings(found, f"the results, {language}, {size[0]} px")
            host.shot(f"results-{language}-{size[0]}")
            fixture.check((host.script(labels)[5] == label) == (size[0] < 900), f"the titles of the columns at {size[0]} px: {host.script(labels)}")
        host.tap("#turn")
    host.see("h2", "Totals by buyer")
    host.tap("#turn")
    host.see("h2", "买家汇总")
    host.driver.refresh()
    host.see("h2", "买家汇总")
    host.script("window.print = () => { window.printed = true; }")
    host.press("打印")
    fixture.check(host.script("return window.printed"), "the button does not print")
    host.cdp("Emulation.setEmulatedMedia", media="print")
    fixture.check(not host.sees("button"), "buttons are printed")
    host.cdp("Emulation.setEmulatedMedia", media="")
    host.open(fixture.link)
    host.see("[role=tab]", "拍品")


SALE_SCENARIOS = [catalogue, whole_sale, scheduled, manual_sale, importing, pictures, long_list, results_page]
