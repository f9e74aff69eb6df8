"""Scenarios of the web page: whole auctions in a browser, by clicking, typing and reading. `run.py` runs them."""
import time

import checks
from browser import DESKTOP, PHONE, Keys, eventually, text_of
from camera import qr_text

HOSTILE = '<img src=x onerror="window.owned=1">'


def whole_auction(fixture):
    """Host, auctioneer and two bidders, everything through the page, from the list of rooms to the next round."""
    host = fixture.browser.person("host")
    host.see(".room-card", "Evening sale")
    host.shot("rooms")
    host.press("Open a room")
    host.become("Hana")
    host.fill("Name of the room", "Night market")
    chosen = host.script("return document.querySelector('dialog select').selectedOptions[0].label")
    fixture.check(chosen == "US Dollar (USD)", f"an American is offered {chosen}")
    host.select("Currency", "Chinese Yuan (CNY)")
    host.press("Open the room", "dialog button")
    host.see(".room-title", "Night market")
    host.shot("host-waiting")
    link = host.driver.current_url[len(fixture.address):]

    seller = fixture.browser.person("seller", PHONE, path=link)
    seller.shot("phone-stranger")
    seller.press("Join as viewer")
    seller.become("Sato")
    host.press("People", "[role=tab]")
    host.see(".person", "Sato")
    host.tap("[aria-label='What to do about Sato']")
    host.shot("host-menu")
    host.press("Make Auctioneer")
    seller.press("Put an item up")
    seller.fill("Name", "Yixing teapot")
    seller.fill("Starting price", "much")
    seller.press("Put it up", "dialog button")
    complaint = seller.text(".field:has(:focus) .field-error")
    fixture.check(complaint == "“much” is not an amount. Write it like 120.00.", f"the refusal is not at its field: {complaint}")
    seller.shot("phone-item-error")
    for label, value in (("Starting price", "100"), ("Step", "10"), ("Bidding countdown", "60"),
                         ("Description", "Zisha clay, 1980s. A small chip under the lid.")):
        seller.fill(label, value)
    seller.press("Put it up", "dialog button")
    seller.see(".lot-name", "Yixing teapot")

    ann = fixture.browser.person("ann", PHONE, path=link)
    ann.press("Join as bidder")
    ann.become("Ann")
    eventually(lambda: ann.script("return document.activeElement.matches('.bid, .bid *')"), lambda: f"the focus was lost with the button: {ann.focused()}")
    bo = fixture.browser.person("bo", DESKTOP, dark=True, path=link)
    bo.press("Join as bidder")
    bo.become("Bo")
    host.press("Start the auction")
    ann.see(".chip", "Listing")
    ann.shot("phone-listing")
    host.press("Open bidding now")
    ann.shot("phone-open")
    bid(ann, "¥100.00")
    bid(bo, "¥110.00")
    ann.see(".leader", "Bo leads")
    ann.see(".lead-note.outbid", "Bo leads with ¥110.00.")
    fixture.check(ann.driver.title.startswith("You were outbid"), f"the tab says {ann.driver.title}")
    ann.shot("phone-outbid")
    ann.press("Another amount")
    ann.fill("Amount", "5")
    ann.press("Place bid")
    fixture.check("115" not in ann.text(".field-error") and "below the minimum of ¥120.00." in ann.text(".field-error"),
                "a bid that is too low is not refused in words")
    ann.shot("phone-refused")
    ann.fill("Amount", "120,00")
    ann.fill("Maximum", "200")
    ann.press("Place bid")
    ann.gone(".lead-note.outbid")
    ann.see(".lead-note", "Your maximum: ¥200.00")
    bid(bo, "¥130.00", leads=False)
    bo.see(".price", "¥140.00")
    bo.see(".bid-row", "auto")
    bo.shot("desktop-dark-beaten")
    pause(fixture, host, ann, bo)
    ann.press("Chat", "[role=tab]")
    ann.see(".chat-form input").send_keys("Lovely glaze!", Keys.ENTER)
    host.press("Chat", "[role=tab]")
    host.see(".chat-line", "Lovely glaze!")
    host.shot("host-auctioning")
    host.press("Bring the hammer down")
    host.see("dialog", "Sell Yixing teapot to Ann for ¥140.00?")
    host.press("Bring the hammer down", "dialog button")
    ann.see(".banner.won", "Yixing teapot for ¥140.00")
    fixture.check(len(ann.script("return [...document.querySelectorAll('.banner.won .confetti span')]")) == 24, "nobody celebrates")
    ann.scheme("light", {"name": "prefers-reduced-motion", "value": "reduce"})
    fixture.check(not ann.sees(".confetti"), "it is celebrated in motion for who wants none")
    bo.see(".banner", "Sold to Ann")
    ann.shot("phone-won")
    bo.shot("desktop-dark-sold")
    host.shot("host-sold")
    host.press("Prepare another lot")
    ann.see(".room-facts", "Round 2")
    ann.see(".lot-name", "The next lot is on its way")
    bo.see(".result-list", "Yixing teapot")


def bid(person, amount, leads=True):
    """One tap, once the price has been on the button for a moment."""
    person.see(".bid button", f"Bid {amount}")
    time.sleep(0.3)
    person.press(f"Bid {amount}")
    if leads:
        person.see(".lead-note:not(.outbid)")


def pause(fixture, host, ann, bo):
    bo.press("Another amount")
    bo.fill("Amount", "175")
    host.press("Pause")
    bo.see(".action-note", "Bidding is paused")
    ann.see(".chip", "Paused")
    frozen = ann.text(".clock")
    ann.shot("phone-paused")
    ann.driver.refresh()
    ann.see(".chip", "Paused")
    bar = "return Number(/scaleX\\((.*)\\)/.exec(document.querySelector('.bar-fill').style.transform)?.[1])"
    eventually(lambda: 0.5 < (ann.script(bar) or 0) <= 1, lambda: f"the bar of the time that is left is {ann.script(bar)} after a reload in a pause")
    eventually(lambda: ann.text(".clock") == frozen, lambda: f"paused at {frozen}, after a reload {ann.text('.clock')}")
    host.press("Resume")
    ann.see(".chip", "Bidding open")
    bo.see(".other-form")
    typed = bo.script("return [document.activeElement.dataset.field, document.activeElement.value]")
    fixture.check(typed == ["amount", "175"], f"a pause has taken what was being typed: {typed}")


def reload(fixture):
    """A page that is loaded anew in the middle knows everything again."""
    ann, link = fixture.member("Ann", PHONE)
    fixture.round(biddingSeconds=60)
    bid(ann, "¥100.00")
    fixture.bid("Bo", "150")
    ann.see(".price", "¥150.00")
    ann.driver.refresh()
    ann.see(".price", "¥150.00")
    ann.see(".leader", "Bo leads")
    fixture.check(len(ann.all(".bid-row")) == 2, "the bids are not there after a reload")
    ann.see("button", "Bid ¥160.00")
    ann.press("Chat", "[role=tab]")
    ann.see(".chat-system", "Bidding is open.")


def cut(fixture):
    """The network goes and comes back: nothing is missing, nothing is twice, and a bid made meanwhile counts once."""
    ann, _ = fixture.member("Ann", PHONE)
    fixture.round(biddingSeconds=120)
    bid(ann, "¥100.00")
    fixture.bid("Bo", "110")
    ann.see(".leader", "Bo leads")
    with ann.offline():
        ann.see(".live", "Reconnecting")
        ann.shot("phone-offline")
        fixture.bid("Cy", "120")
        ann.press("Another amount")
        ann.fill("Amount", "300")
        ann.press("Place bid")
        time.sleep(0.5)
    ann.see(".lead-note", "¥300.00", timeout=20)
    ann.see(".live", "Connected", timeout=20)
    eventually(lambda: [text_of(each).split("¥")[1] for each in ann.all(".bid-row")] == ["300.00", "120.00", "110.00", "100.00"],
               lambda: f"the bids after the cut: {[text_of(each) for each in ann.all('.bid-row')]}")
    amounts = [each["amount"] for each in fixture.get("/bids?limit=100")["bids"]]
    fixture.check(amounts.count("300.00") == 1, f"the bid made offline stands {amounts.count('300.00')} times")
    fixture.restart()
    fixture.bid("Bo", "310")
    ann.see(".price", "¥310.00", timeout=20)
    with ann.offline():
        ann.press("Bid ¥320.00")
        ann.see(".note.bad", "your bid may have been placed or not", timeout=20)
    ann.see(".note", "Connected again: your bid is not among the bids", timeout=20)
    fixture.check(fixture.get("")["currentPrice"] == "310.00", "a bid of which the page says that it is not there is")


def keyboard(fixture):
    """From the address bar to a bid without a mouse."""
    bo, _ = fixture.member("Bo", DESKTOP)
    fixture.round(biddingSeconds=60)
    bo.driver.refresh()
    bo.see("button", "Bid ¥100.00")
    heard = []
    for _ in range(20):
        bo.keys(Keys.TAB)
        heard.append(bo.focused())
        if heard[-1].startswith("Bid "):
            break
    fixture.check(heard[-1] == "Bid ¥100.00", f"the tab key does not reach the bid: {heard}")
    fixture.check(heard[0] == "Skip to the content", f"no way past the header: {heard[0]}")
    time.sleep(0.3)
    bo.keys(Keys.ENTER)
    bo.see(".lead-note", "You are ahead with ¥100.00")
    fixture.check(bo.script("return document.activeElement !== document.body"), "the focus was lost with the button")
    eventually(lambda: "¥100.00" in bo.script("return document.querySelector('[role=status].unseen').textContent"),
               "a screen reader hears nothing of the bid")


def double_press(fixture):
    """Where "Join" was, the bid is: a second press at once bids nothing, and a later one does."""
    fixture.round(biddingSeconds=60)
    ann = fixture.visitor("Ann", PHONE)
    ann.open(fixture.link)
    ann.see("button", "Join as bidder")
    ann.script("""const panel = document.querySelector('.bid');
        new MutationObserver(() => [...panel.querySelectorAll('button')].find((each) => each.innerText.startsWith('Bid '))?.click())
          .observe(panel, {childList: true});""")
    ann.press("Join as bidder")
    ann.see("button", "Bid ¥100.00")
    time.sleep(0.6)
    fixture.check(not fixture.get("/bids?limit=10")["bids"], "the second press of a double click has bid")
    bid(ann, "¥100.00")


def chinese(fixture):
    mei, link = fixture.member("Mei", PHONE, language="zh-CN")
    fixture.round(biddingSeconds=60, reservePrice="500")
    mei.see(".chip", "拍卖中")
    fixture.check(mei.script("return document.documentElement.lang") == "zh-Hans", "the page does not say that it is Chinese")
    mei.shot("phone-zh")
    mei.press("其他金额")
    mei.fill("金额", "5")
    mei.press("提交出价")
    mei.see(".field-error", "低于最低出价")
    mei.fill("金额", "很多")
    mei.press("提交出价")
    mei.see(".field-error", "“很多”不是金额")
    mei.press("聊天", "[role=tab]")
    mei.see(".chat-system", "即将开拍")
    mei.press("English")
    mei.see("[role=tab]", "Chat")
    mei.see(".chip", "Bidding open")


def formats(fixture):
    """Dutch and sealed rounds look and act as what they are."""
    ann, _ = fixture.member("Ann", PHONE)
    fixture.round(format="dutch", startingPrice="1000", floorPrice="500", dutchTickSeconds=2, increment={"fixed": "50"})
    ann.see(".eyebrow", "Asking price")
    ann.see(".price", "¥950.00")
    ann.shot("phone-dutch")
    ann.press("Take it at")
    ann.see(".banner.won")
    fixture.order("start")
    fixture.round(format="vickrey", biddingSeconds=60)
    ann.fill("Amount", "320")
    ann.press("Seal my bid")
    ann.see(".sealed-own", "¥320.00")
    fixture.bid("Bo", "250")
    ann.see(".price", "2 in")
    ann.see(".format-about", "pays only the second-highest bid")
    watcher = fixture.browser.person("watcher", DESKTOP, path=fixture.link)
    watcher.see(".price", "2 in")
    fixture.check("320" not in watcher.script("return document.body.innerText"), "a sealed amount is seen by a stranger")
    ann.shot("phone-sealed")
    fixture.order("end")
    ann.see(".banner.won", "¥250.00")
    ann.see(".bid-row.leads:first-child", "Ann")
    fixture.order("start")
    fixture.round(biddingSeconds=2)
    ann.see(".banner.passed", "Nobody bid", timeout=15)
    ann.shot("phone-passed")


def hostile(fixture):
    """Names and messages are text, whatever they contain."""
    fixture.people["Bo"] = fixture.guest(HOSTILE)
    ann, _ = fixture.member("Ann", DESKTOP)
    fixture.join("Bo", "bidder")
    fixture.round(name=f"<script>window.owned=1</script>{HOSTILE}", description="javascript:alert(1) </div><b>bold",
                biddingSeconds=60, media=["https://127.0.0.1:9/x'onerror='window.owned=1"])
    fixture.bid("Bo", "100")
    fixture.call("POST", "/messages", {"text": HOSTILE}, "Bo")
    ann.see(".lot-name", "<script>window.owned=1</script>")
    ann.see(".leader", HOSTILE)
    ann.see(".bid-row", HOSTILE)
    ann.see(".chat-line", HOSTILE)
    ann.press("People", "[role=tab]")
    ann.see(".person-name", HOSTILE)
    ann.shot("desktop-hostile")
    fixture.check(ann.script("return window.owned === undefined"), "a stranger's text ran as a script")
    fixture.check(ann.script("return document.querySelectorAll('main script, main b, main img[src=x]').length") == 0,
                "a stranger's text became elements")
    fixture.quiet()
    refused = ann.script("try { document.body.innerHTML = '<i>x</i>'; return 'parsed' } catch (e) { return e.name }")
    fixture.check(refused == "TypeError", f"text can become HTML: {refused}")
    fixture.check(any("TrustedHTML" in line for line in ann.complaints()), "the browser did not complain about HTML from text")


def calling(fixture):
    """Quick amounts; a call when outbid, if it is switched on; the screen stays on; and what happened while one was away."""
    ann, _ = fixture.member("Ann", PHONE)
    ann.script(RECORD_CALLS)
    ann.tap(".bell")
    ann.see(".note", "On: you hear and feel it")
    fixture.round(biddingSeconds=300)
    ann.see(".bid button", "Bid ¥100.00")
    fixture.check([text_of(each) for each in ann.all(".quick button")] == ["¥110.00", "¥120.00", "¥150.00"], "the quick amounts")
    eventually(lambda: ann.script("return locks") == 1, "the screen may go dark while one bids")
    time.sleep(0.3)
    ann.tap("[aria-label='Bid ¥120.00']")
    ann.see(".lead-note:not(.outbid)", "¥120.00")
    fixture.check(not ann.sees(".quick button"), "the leader is offered to bid more")
    before = ann.script("return buzzes")
    fixture.bid("Bo", "130")
    ann.see(".lead-note.outbid")
    eventually(lambda: ann.script("return buzzes") == before + 1, "nobody is called who was outbid")
    checks.inspect(ann, "outbid, with quick amounts", "phone-quick")
    bid(ann, "¥140.00")
    ann.open("/#/")
    fixture.bid("Bo", "200")
    ann.open(fixture.link)
    ann.see(".away-news", "You were outbid on Blue bowl: Bo leads with ¥200.00. Your bid was ¥140.00.")
    ann.see(".bell[aria-pressed=true]")
    checks.inspect(ann, "while one was away", "phone-away")
    ann.tap("[aria-label='Close']")
    ann.gone(".away-news")
    bid(ann, "¥210.00")
    ann.open("/#/")
    fixture.order("end")
    ann.open(fixture.link)
    ann.see(".away-news", "You won Blue bowl for ¥210.00.")
    ann.driver.refresh()
    ann.see(".banner.won")
    fixture.check(not ann.sees(".away-news"), "the same news is told again")


# A headless browser has nothing that vibrates, and no screen.
RECORD_CALLS = """
window.buzzes = 0;
window.locks = 0;
navigator.vibrate = () => { window.buzzes += 1; return true; };
Object.defineProperty(navigator, 'wakeLock', {value: {request: async () => { window.locks += 1; return {released: false, release: async () => { window.locks -= 1; }}; }}});
"""


def private(fixture):
    """A private room opens by its invite code, and its link carries that code where no server sees it."""
    room = fixture.call("POST", "", {"name": "Friends", "visibility": "private"}, "Hana", base="/v1/rooms")
    ann = fixture.visitor("Ann", PHONE)
    ann.open(f"/#/rooms/{room['id']}")
    ann.see("h1", "There is no such room")
    ann.fill("Invite code", "wrong")
    ann.press("Enter")
    ann.see(".field-error", "does not open the room")
    ann.shot("phone-wrong-code")
    ann.open(f"/#/rooms/{room['id']}?invite={room['inviteCode']}")
    ann.see("h1", "You are invited to a private room")
    checks.inspect(ann, "an invitation to a private room")
    ann.press("Join as viewer")
    ann.see(".room-title", "Friends")
    ann.see(".bid .action-note", "You are watching.")
    stranger = fixture.browser.person("stranger", PHONE, language="zh-CN", dark=True, path=f"/#/rooms/{room['id']}?invite={room['inviteCode']}")
    stranger.see("h1", "您受邀进入私密房间")
    checks.inspect(stranger, "an invitation for a stranger", "phone-invited")
    stranger.fill("昵称", "小梅")
    stranger.press("加入竞拍")
    stranger.see(".bid .action-note", "您已是竞拍者")
    fixture.check(not stranger.sees("dialog"), "a question is left that was answered")


def account(fixture):
    """One's own rooms and purchases are found again, a nickname changes without losing them, and giving them up takes a clear yes."""
    room = fixture.call("POST", "", {"name": "Friends", "visibility": "private"}, "Hana", base="/v1/rooms")
    base = f"/v1/rooms/{room['id']}"
    fixture.call("POST", "/members", {"role": "bidder", "inviteCode": room["inviteCode"]}, "Ann", base=base)
    fixture.call("POST", "/lots", {"name": "Radio", "rules": {"startingPrice": "30", "increment": {"fixed": "1"}, "listingSeconds": 0}}, "Hana", base=base)
    fixture.call("POST", "/auction/start", {}, "Hana", base=base)
    fixture.call("POST", "/bids", {"amount": "30"}, "Ann", base=base)
    fixture.call("POST", "/auction/end", {}, "Hana", base=base)
    ann = fixture.visitor("Ann", PHONE)
    ann.see(".own-rooms .room-card", "Friends")
    checks.inspect(ann, "rooms, with one's own", "phone-own-rooms")
    ann.tap(".who")
    ann.shot("phone-account")
    ann.press("What I bought", "dialog button")
    ann.see("dialog .table", "Radio Friends ¥30.00")
    checks.inspect(ann, "what a guest bought")
    ann.press("Friends", "dialog a")
    ann.see(".room-title", "Friends")
    ann.press("Lots", "[role=tab]") if ann.sees("[role=tab]", "Lots") else None
    fixture.check("Radio" in ann.download(fixture.folder, "Friends.csv", "Download as CSV"), "the table has no results")
    ann.tap(".who")
    ann.press("Change nickname", "dialog button")
    ann.fill("Nickname", "Anna")
    ann.press("Save", "dialog button")
    ann.see(".who-name", "Anna")
    ann.see(".room-title", "Friends")
    ann.tap(".who")
    ann.press("Become another guest", "dialog button")
    ann.see("dialog", "stay behind")
    ann.shot("phone-other-guest")
    ann.press("Cancel", "dialog button")
    ann.see(".who-name", "Anna")
    ann.tap(".back")
    ann.press("Join by invitation")
    ann.fill("Link or code", room["inviteCode"])
    ann.press("Go to the room")
    ann.see("dialog .field-error", "put the room's link or id before it")
    ann.script("location.hash = arguments[0]", f"/rooms/{room['id']}")
    ann.see(".room-title", "Friends")
    fixture.check(not ann.all("dialog"), "a dialog stays over another view")


def hosting(fixture):
    """Everything a host may do to a round and to people, each when it may be done."""
    ann, _ = fixture.member("Ann", PHONE)
    host = fixture.visitor("Hana", DESKTOP)
    fixture.upload(biddingSeconds=60)
    host.open(fixture.link)
    host.press("Adjust the rules")
    host.fill("Bidding countdown", "90")
    host.shot("host-adjust")
    host.press("Save the rules")
    host.gone("dialog")
    ann.see(".clock", "1:30")
    host.press("Start the auction")
    host.press("Cancel this lot")
    host.press("Cancel this lot", "dialog button[type=submit]")
    host.see(".field-error")
    host.fill("Reason", "The wrong bowl")
    host.press("Cancel this lot", "dialog button[type=submit]")
    ann.see(".chip", "Preparing")
    host.press("Start the auction")
    bid(ann, "¥100.00")
    host.gone("button", "Cancel this lot")
    host.press("Retract the latest bid")
    host.fill("Reason", "A slip")
    host.press("Retract the bid", "dialog button[type=submit]")
    ann.see(".bid-row", "retracted")
    ann.see(".leader", "No bids yet")
    ann.press("Chat", "[role=tab]")
    ann.see(".chat-form input").send_keys("Oops", Keys.ENTER)
    host.press("Chat", "[role=tab]")
    host.tap("[aria-label='Remove this message by Ann']")
    ann.see(".chat-removed")
    host.press("People", "[role=tab]")
    host.order("What to do about Ann", "Mute")
    ann.see(".chat .action-note", "You are muted")
    host.order("What to do about Ann", "Credit limit")
    host.fill("Credit limit", "50")
    host.press("Save", "dialog button")
    host.gone("dialog")
    ann.press("Bid ¥100.00")
    ann.see(".note.bad", "50.00")
    ann.shot("phone-over-credit")
    host.press("Invite people")
    host.shot("host-share")
    fixture.check(not host.sees("dialog", "contains the invite code"), "the link of a public room has no code")
    fixture.check(host.script("return document.querySelector('[data-share=link]').value").endswith(fixture.link), "not the link")
    host.escape()
    host.order("What to do about Ann", "Remove from the room")
    host.press("Remove from the room", "dialog button.danger")
    ann.see("button", "Join as bidder")
    host.press("Bring the hammer down")
    host.press("Bring the hammer down", "dialog button")
    host.press("Archive the room")
    host.see("dialog", "nobody can read its results any more")
    host.see("dialog button", "Download as CSV")
    host.shot("host-archive")
    host.press("Archive for good", "dialog button")
    ann.see(".offline", "archived")
    host.gone("button", "Prepare another lot")


def inviting(fixture):
    """The link is copied also without a clipboard for pages, as without HTTPS, and is shared where the browser can."""
    host = fixture.visitor("Hana", DESKTOP)
    host.open(fixture.link)
    host.press("Invite people")
    host.see("dialog", "This address works on this computer only.")
    fixture.check(not host.sees("dialog .qr"), "a code for an address that others cannot open")
    checks.inspect(host, "the invitation", "host-invitation")
    host.script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    host.tap("dialog [aria-label='Copy: Link to this room']")
    host.see(".note.good", "Copied")
    host.script("document.execCommand = () => false")
    host.tap("dialog [aria-label='Copy: Link to this room']")
    host.see(".note", "Press and hold it")
    host.escape()
    host.press("Chat", "[role=tab]")
    host.see(".chat-form input").send_keys(Keys.CONTROL, "v")
    pasted = "const input = document.querySelector('.chat-form input'); const text = input.value; input.value = ''; return text"
    fixture.check(host.script(pasted) == fixture.address + fixture.link, "the link was not copied")
    host.script("Object.defineProperty(navigator, 'share', {value: async (given) => { window.shared = given.url }})")
    host.press("Invite people")
    host.press("Send the link", "dialog button")
    eventually(lambda: host.script("return window.shared") == fixture.address + fixture.link, "the link was not shared")
    host.escape()
    with fixture.browser.named():
        by_name(fixture)


def by_name(fixture):
    """At an address that others can open, a camera reads the link off the smallest phone; and it is copied, though a page without HTTPS has no clipboard."""
    host = fixture.visitor("Hana", (320, 568))
    host.open(fixture.link)
    link = fixture.browser.address + fixture.link
    fixture.check(host.script("return !isSecureContext && navigator.clipboard === undefined"), "this is not as without HTTPS")
    host.press("Invite people")
    host.see("dialog .qr-hint", "pointing a phone's camera at it")
    fixture.check(not host.sees("dialog", "works on this computer only"), "an address that others can open is said to be of this computer")
    for scheme in ("light", "dark"):
        host.scheme(scheme)
        read = qr_text(host, "dialog .qr")
        fixture.check(read == link, f"the code says {read}")
        checks.inspect(host, f"an invitation with a code, {scheme}")
        box = host.script("const {left, right, width, height} = document.querySelector('dialog .qr').getBoundingClientRect(); return [left, right, width, height]")
        fixture.check(0 < box[0] and box[1] < 320 and box[2] == box[3] >= 200, f"the code is at {box}")
        host.shot(f"phone-qr-{scheme}")
    host.tap("dialog [aria-label='Copy: Link to this room']")
    host.see(".note.good", "Copied")
    host.escape()
    host.press("Chat", "[role=tab]")
    host.see(".chat-form input").send_keys(Keys.CONTROL, "v")
    pasted = host.script("return document.querySelector('.chat-form input').value")
    fixture.check(pasted == link, f"copied was {pasted!r}")


def stage(fixture):
    """A guest asks for a seat and the host puts them on stage; they move, are muted, and hand their seat over, by thumb and by keyboard, in both languages."""
    ann, _ = fixture.member("Ann", PHONE)
    host = fixture.visitor("Hana", PHONE)
    host.open(fixture.link)
    ann.press("People", "[role=tab]")
    ann.press("Ask for a seat")
    ann.press("Ask as Auctioneer", "dialog button")
    ann.see(".handshake", "You are next.")
    host.press("People", "[role=tab]")
    host.see(".handshake", "Ann asks for a seat as Auctioneer")
    host.shot("host-phone-stage-asked")
    host.press("Put Ann on stage")
    host.see(".seat.taken", "Ann")
    ann.see(".person", "Auctioneer")
    ann.tap("[aria-label='Move to seat 3']")
    host.see(".seat:nth-child(3).taken", "Ann")

    # By the keyboard alone: the focus stays on the control that was pressed.
    for label, is_muted in (("Mute Ann", True), ("Unmute Ann", False)):
        host.see(f"[aria-label='{label}']:not(.settling)")
        host.script("document.querySelector(arguments[0]).focus()", f"[aria-label='{label}']")
        host.keys(Keys.ENTER)
        eventually(lambda: fixture.get("/stage")["seats"][2]["muted"] == is_muted, f"{label} has done nothing")
    eventually(lambda: host.focused() == "Mute Ann", "the focus is elsewhere after the press")
    host.tap(".seat:nth-child(3) .seat-body")
    host.see("dialog.sheet", "Seat 3: Ann")
    host.shot("host-phone-seat")
    small = host.script("""return [...document.querySelectorAll('.stage button, dialog button')].filter((e) => e.checkVisibility())
        .map((e) => [e.getAttribute('aria-label') ?? e.textContent, e.getBoundingClientRect()]).filter(([, r]) => r.width < 44 || r.height < 44).map(([name]) => name)""")
    fixture.check(not small, f"too small for a thumb: {small}")
    bottom = host.script("return innerHeight - document.querySelector('dialog.sheet').getBoundingClientRect().bottom")
    fixture.check(abs(bottom) < 2, f"the menu of a seat is {bottom} px above the thumb")
    host.tap("[aria-label='Move Ann to seat 1']")
    host.gone("dialog")
    ann.see(".seat:nth-child(1).mine", "Ann")

    for n in range(2, 9):
        fixture.call("POST", f"/stage/seats/{n}/close", {}, "Hana")
    fixture.call("POST", "/stage/requests", {"role": "bidder"}, "Bo")
    ann.see(".stage", "Next: Bo")
    host.tap("[aria-label='Hand over a seat to Bo']")
    host.press("Seat 1: Ann leaves it", "dialog button")
    host.see(".seat:nth-child(1).taken", "Bo")
    ann.see(".person", "Bidder")
    ann.gone(".seat", "Ann")
    host.press("中文")
    host.press("成员", "[role=tab]")
    host.see("[aria-label='将 Bo 静音']")
    host.shot("host-phone-stage-zh")


def transports(fixture):
    """However the events come, they come once and in order, and go on after an interruption."""
    offered = fixture.transports()
    for name in offered:
        watcher = fixture.browser.person(f"by {name}", DESKTOP, path=f"/?transport={name}{fixture.link[1:]}")
        watcher.see(f".live[data-state=live][data-transport={name}]")
    fixture.round(biddingSeconds=120)
    watchers = [person for person in fixture.browser.people if person.name.startswith("by ")]
    for step in range(10, 22):
        fixture.bid("Bo" if step % 2 else "Cy", f"{step}0")
    for watcher in watchers:
        watcher.see(".price", "¥210.00")
    fixture.restart()
    fixture.bid("Cy", "500")
    for watcher in watchers:
        watcher.see(".price", "¥500.00", timeout=20)
        found = [text_of(each).split("¥")[1] for each in watcher.all(".bid-row")]
        fixture.check(found == ["500.00"] + [f"{step}0.00" for step in range(21, 9, -1)], f"{watcher.name}: {found}")
    with_ticket, _ = fixture.member("Ann", PHONE)
    best = offered[0] if fixture.has_tickets() else "poll"
    fixture.check(with_ticket.see(".live").get_attribute("data-transport") == best, f"not {best}, the best there is")
    print(f"transports: {', '.join(offered)}; with a token {best}")


def phone(fixture):
    """Nothing is wider than a phone, everything has a name and a size to hit, and every text can be read, day and night."""
    ann, _ = fixture.member("Ann", PHONE)
    fixture.round(name="A teapot with a name that is really much too long for the width of any phone there is",
                startingPrice="12345678.90", biddingSeconds=60, reservePrice="20000000", buyNowPrice="99000000")
    ann.see("button", "Bid ¥12,345,678.90")
    for scheme in ("light", "dark"):
        ann.scheme(scheme)
        for tab in ("Bids", "Chat", "People"):
            ann.press(tab, "[role=tab]")
            checks.inspect(ann, f"{scheme}, {tab}")
        ann.press("Bids", "[role=tab]")
        ann.shot(f"phone-{scheme}")
    fixture.bid("Bo", "12345678.90")
    ann.see(".leader", "Bo leads")
    places = ("return ['.hero', '.price', '.clock', '.lot', '.tab-list', '.dock'].map((css) => { const box ="
              " document.querySelector(css).getBoundingClientRect(); return [css, box.top + (css === '.dock' ? 0 : scrollY)].join(' ') })")
    before = ann.script(places)
    fixture.bid("Cy", "13345678.90")
    ann.see(".leader", "Cy leads")
    time.sleep(0.4)
    fixture.check(ann.script(places) == before, f"a bid moves the page: {before}, then {ann.script(places)}")
    ann.scheme("light", {"name": "prefers-reduced-motion", "value": "reduce"})
    fixture.bid("Bo", "14345678.90")
    ann.see(".leader", "Bo leads")
    moving = ann.script("return document.getAnimations().filter((each) => each.effect.getComputedTiming().duration > 10)"
                        ".map((each) => each.effect.target.className)")
    fixture.check(not moving, f"this moves for somebody who asked for stillness: {moving}")
    ann.resize(DESKTOP)
    checks.inspect(ann, "desktop")
    ann.open("/#/")
    ann.see(".room-card")
    checks.inspect(ann, "rooms")
    ann.scheme("dark")
    checks.inspect(ann, "rooms, dark", "rooms-dark")


SCENARIOS = [whole_auction, reload, cut, keyboard, double_press, chinese, formats, hostile, calling, private, account, hosting, inviting, stage, transports, phone]
