"""A room for one scenario of the page's test, and users who act in it over the API to keep scenarios short."""
import json
import os
import socket
import sys
import time

from browser import Unexpected

# Last, not first: a module there may have the name of one that the browser's driver needs.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))
from packages import programs_of  # noqa: E402, F401
from program import NO_LIMITS, Server, require_binary  # noqa: E402, F401
from wire import Connection, CheckFailed, expect  # noqa: E402

# Console messages of refused or interrupted requests, which the page handles: not errors of the page.
HARMLESS = ("Failed to load resource", "WebSocket connection to", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED")


class RoomFixture:
    def __init__(self, browser, server, folder):
        self.browser, self.server, self.folder, self.address = browser, server, folder, browser.address
        self.connection = Connection(server.port)
        for person in list(browser.people):
            person.close()
        self.people = {name: self.guest(name) for name in ("Hana", "Sato", "Ann", "Bo", "Cy", "Mei")}
        self.room = self.call("POST", "", {"name": "Evening sale"}, "Hana", base="/v1/rooms")["id"]
        self.link = f"/#/rooms/{self.room}"
        self.join("Sato", "viewer")
        for name in ("Bo", "Cy"):
            self.join(name, "bidder")
        self.call("PATCH", f"/members/{self.people['Sato']['user']['id']}", {"role": "auctioneer"}, "Hana")

    def guest(self, nickname):
        return expect(self.connection.call("POST", "/v1/guests", body={"nickname": nickname}), 201)

    def call(self, method, path, body, name, base=None):
        base = f"/v1/rooms/{self.room}" if base is None else base
        return expect(self.connection.call(method, base + path, self.people[name]["token"], body), 200, 201, 204)

    def get(self, path):
        return self.call("GET", path, None, "Hana")

    def join(self, name, role):
        self.call("POST", "/members", {"role": role}, name)

    def order(self, verb):
        return self.call("POST", f"/auction/{verb}", {}, "Hana")

    def round(self, **item):
        self.upload(**item)
        self.order("start")

    def upload(self, name="Blue bowl", description="Qing style, 24 cm.", media=(), **rules):
        if rules.get("format", "english") == "english":
            rules.setdefault("increment", {"fixed": "10"})
        self.call("POST", "/items", {"name": name, "description": description, "media": list(media),
                                     "rules": {"startingPrice": "100", "listingSeconds": 0, **rules}}, "Sato")

    def bid(self, name, amount):
        return self.call("POST", "/bids", {"amount": amount}, name)

    def visitor(self, name, size, **more):
        """A user whose browser has a stored session."""
        person = self.browser.person(name, size, **more)
        person.script("localStorage.setItem('auction-room.guest', arguments[0])", json.dumps(self.people[name]))
        person.driver.refresh()
        return person

    def member(self, name, size, **more):
        self.join(name, "bidder")
        person = self.visitor(name, size, **more)
        person.open(self.link)
        person.see(".live[data-state=live]")
        return person, self.link

    def transports(self):
        """The ways in which this server sends events, the page's favourite first."""
        def status(path, accept):
            """Only the first line: a stream has no end to wait for."""
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as probe:
                probe.sendall(f"GET /v1/rooms/{self.room}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                              f"Accept: {accept}\r\n\r\n".encode())
                return int(probe.recv(64).split(b" ")[1])

        has_sse = status("events?after=0", "text/event-stream") == 200
        has_socket = status("socket", "*/*") != 404
        return ["socket"] * has_socket + ["sse"] * has_sse + ["poll"]

    def has_tickets(self):
        response = self.connection.call("POST", f"/v1/rooms/{self.room}/tickets", self.people["Ann"]["token"])
        return response.status != 404

    def restart(self):
        """kill -9 and a new server in the same place."""
        port = self.server.port
        self.server.kill()
        time.sleep(0.7)
        self.server = Server(f"sqlite:{self.folder}/rooms.db", *NO_LIMITS, "--port", str(port), log=f"{self.folder}/server.log")
        self.connection.close()

    def check(self, holds, text):
        if not holds:
            raise CheckFailed(text)

    def findings(self, found, where):
        self.check(not found, f"{where}: {'; '.join(found[:6])}")

    def quiet(self):
        """Checks that the console has no errors of the page."""
        for person in self.browser.people:
            wrong = [line for line in person.complaints() if not any(each in line for each in HARMLESS)]
            if wrong:
                raise Unexpected(f"{person.name}'s console: {wrong[:3]}")
