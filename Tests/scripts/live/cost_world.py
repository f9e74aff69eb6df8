"""The rooms on which costs are measured: an ordinary one, and rooms filled to their limits."""
import json
import os

from cost_bodies import heavy, item
from room_setup import guest
from web_socket import WebSocket
from wire import Connection, CheckFailed, expect, in_parallel

# A scale of 0.01 is enough to check that the script works.
SCALE = float(os.environ.get("COSTS_SCALE", "1"))
MEMBERS, BIDS, RESULTS, HEAVY_EVENTS = (max(4, int(count * SCALE)) for count in (10_000, 100_000, 1_000, 256))
WORKERS = 16
RULES = {"startingPrice": "1.00", "increment": {"fixed": "0.01"}, "listingSeconds": 0, "biddingSeconds": 86400}


class Person:
    def __init__(self, connection, nickname):
        self.id, self.token = guest(connection, nickname)


class Commands(WebSocket):
    """Sends many commands before it reads their responses."""

    def __init__(self, port, path, token, source=None):
        connection = Connection(port, source=source)
        ticket = expect(connection.call("POST", path + "/tickets", token), 201)["ticket"]
        connection.close()
        super().__init__(port, f"{path}/socket?after=latest&ticket={ticket}", source, timeout=60)
        # Events and notices are skipped.
        self.responses = (json.loads(text) for text in self.texts() if text.startswith(b'{"ack"'))

    def send(self, frames, at_once=32):
        """Sends commands in order and returns the error responses."""
        refused = []
        for start in range(0, len(frames), at_once):
            part = frames[start:start + at_once]
            self.socket.sendall(b"".join(map(self.frame, part)))
            refused += [response for _ in part if "problem" in (response := next(self.responses))]
        return refused


class World:
    def __init__(self, port):
        self.connect(port)
        self.host, self.seller, self.ann, self.bo = (Person(self.connection, name) for name in ("Hana", "Sam", "Ann", "Bo"))
        self.plain = self.room("Plain")
        self.start(self.plain)
        self.amount = 0

    def connect(self, port):
        """Continues with a restarted server."""
        self.port = port
        self.connection = Connection(port, timeout=float(os.environ.get("COSTS_TIMEOUT", "5")))

    def call(self, *arguments, **more):
        return self.connection.call(*arguments, **more)

    def room(self, name):
        """Creates a room whose first round is being prepared."""
        path = "/v1/rooms/" + expect(self.call("POST", "/v1/rooms", self.host.token, {"name": name}), 201)["id"]
        for person in (self.seller, self.ann, self.bo):
            expect(self.call("POST", path + "/members", person.token, {"role": "bidder"}), 201)
        expect(self.call("PATCH", f"{path}/members/{self.seller.id}", self.host.token, {"role": "auctioneer"}), 200)
        return path

    def upload(self, path, isHeavy=False, **rules):
        body = heavy(item({**RULES, **rules}, isHeavy))
        return expect(self.call("POST", path + "/items", self.seller.token, body), 201)["id"]

    def start(self, path, **rules):
        """Opens a round for an ordinary item."""
        self.upload(path, **rules)
        expect(self.call("POST", path + "/auction/start", self.host.token), 200)

    def bid(self, path=None, *, key=None):
        """Sends an ordinary, accepted bid; Ann and Bo alternate."""
        self.amount += 1
        bidder = (self.ann, self.bo)[self.amount % 2]
        body = {"amount": f"{self.amount // 100 + 1}.{self.amount % 100:02}"}
        expect(self.call("POST", (path or self.plain) + "/bids", bidder.token, body, key), 201)

    def crowded(self):
        """A room with the maximum number of members."""
        path = self.room("Crowded")

        def join(worker):
            connection = Connection(self.port, timeout=60)
            for number in range(worker, MEMBERS, WORKERS):
                person = Person(connection, f"Member {number}")
                expect(connection.call("POST", path + "/members", person.token, {"role": "bidder"}), 201)
        in_parallel(WORKERS, join)
        self.start(path)
        return path

    def contested(self):
        """A room in which one bidder's maximum beat thousands of bids; each added two bids to the history."""
        path = self.room("Contested")
        self.start(path)
        expect(self.call("POST", path + "/bids", self.ann.token, {"amount": "1.00", "maximum": "9000000.00"}), 201)
        commands = Commands(self.port, path, self.bo.token)
        frames = [b'{"id":"b","type":"placeBid","amount":"%d.%02d"}' % divmod(200 + 2 * number, 100)
                  for number in range(BIDS // 2)]
        refused = commands.send(frames)
        if refused:
            raise CheckFailed(f"{len(refused)} bids were refused: {refused[0]}")
        commands.close()
        return path

    def old(self, isHeavy):
        """A room with many finished rounds."""
        path = self.room("Old")
        for number in range(RESULTS):
            self.upload(path, isHeavy)
            for step in ("start", "end", "start"):
                expect(self.call("POST", f"{path}/auction/{step}", self.host.token), 200)
        return path

    def wordy(self):
        """A room whose latest events have the maximum size."""
        path = self.room("Wordy")
        for _ in range(HEAVY_EVENTS):
            self.upload(path, True)
        return path
