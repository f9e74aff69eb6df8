"""A web page of another origin: the one of the article on the JavaScript client, as it is written there."""
import http.server
import re
import threading
from pathlib import Path

import checks
from browser import DESKTOP, Unexpected, eventually
from room_fixture import NO_LIMITS, CheckFailed, RoomFixture, Server

ARTICLE = Path(__file__).parents[3] / "Sources/AuctionServer/AuctionServer.docc/JavaScriptClient.md"


class Site:
    """Serves one page at an origin of its own. The page learns the auction server's address once that is known."""

    def __init__(self):
        self.page = b""
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # noqa: N802
                found = self.path.split("?")[0] == "/"
                body = site.page if found else b""
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def show(self, address):
        block = re.search(r"^```html\n(.*?)^```$", ARTICLE.read_text(), re.S | re.M)[1]
        self.page = block.replace("http://127.0.0.1:8080", address).encode()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def elsewhere(fixture):
    """From another origin: the module is imported from the server, signs in, bids, is refused, and follows through a cut network and a
    killed server. A page of an origin that is not allowed gets nothing."""
    site, stranger = Site(), Site()
    arguments = (*NO_LIMITS, "--allowed-origins", site.origin)
    store = f"sqlite:{fixture.folder}/elsewhere.db"
    server = Server(store, *arguments)
    try:
        address = f"http://127.0.0.1:{server.port}"
        site.show(address)
        stranger.show(address)
        there = RoomFixture(fixture.browser, server, fixture.folder)
        there.round(biddingSeconds=600)
        ann = fixture.browser.person("elsewhere", DESKTOP)
        ann.driver.get(f"{site.origin}/?room={there.room}")
        ann.see("#name", "Evening sale")
        ann.see("#status", "live")
        ann.see("#left", ":")

        def bid(amount, outcome):
            ann.script("document.querySelector('#amount').value = arguments[0]", amount)
            ann.press("Bid", "button")
            ann.see("#outcome", outcome)

        bid("5", "bid.below_minimum: required 100.00, was 5.00")
        bid("100", "You lead with 100.00")
        bid("1e3", "money.malformed")
        there.call("POST", "/bids", {"maximum": "400"}, "Bo")
        bid("200", "Outbid: the price is 210.00")
        with ann.offline():
            ann.see("#status", "reconnecting")
            there.bid("Cy", "500")
        ann.see("#price", "¥500.00", timeout=20)
        port = server.port
        server.kill()
        ann.see("#status", "reconnecting")
        server = Server(store, *arguments, "--port", str(port))
        there.connection.close()
        there.bid("Bo", "600")
        ann.see("#price", "¥600.00", timeout=20)
        ann.see("#status", "live", timeout=20)

        last = there.get("")["seq"]
        eventually(lambda: ann.script("return document.querySelector('#events li:last-child').value") == last, "the last event")
        seqs = ann.script("return [...document.querySelectorAll('#events li')].map((line) => line.value)")
        there.check(seqs == list(range(seqs[0], last + 1)), f"events are lost or doubled: {seqs}")
        mine = [each for each in there.get("/bids?limit=100")["bids"] if each["bidder"]["nickname"] == "Ann"]
        there.check([each["amount"] for each in mine] == ["200.00", "100.00"], f"the bids: {mine}")

        there.findings(checks.axe_of(ann), "the page of the article")

        outsider = fixture.browser.person("not allowed", DESKTOP)
        outsider.driver.get(f"{stranger.origin}/?room={there.room}")
        outsider.see("#name", "…")
        eventually(lambda: any("CORS policy" in line for line in outsider.complaints()), "the browser withholds the responses")
        outsider.close()
    except (Unexpected, CheckFailed):
        print(f"elsewhere: {[person.complaints()[:4] for person in fixture.browser.people]}")
        raise
    finally:
        server.kill()
        site.close()
        stranger.close()
