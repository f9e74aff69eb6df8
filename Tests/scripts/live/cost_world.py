"""The rooms on which costs are measured: an ordinary one, and rooms filled to their limits."""
import base64
import json
import os
import socket
import struct
import threading

from cost_bodies import heavy, item
from room_setup import guest
from wire import Connection, ConnectionLost, CheckFailed, expect

# A scale of 0.01 is enough to check that the script works.
SCALE = float(os.environ.get("COSTS_SCALE", "1"))
MEMBERS, BIDS, RESULTS, HEAVY_EVENTS = (max(4, int(count * SCALE)) for count in (10_000, 100_000, 1_000, 256))
WORKERS = 16
RULES = {"startingPrice": "1.00", "increment": {"fixed": "0.01"}, "listingSeconds": 0, "biddingSeconds": 86400}


class Person:
    def __init__(self, connection, nickname):
        self.id, self.token = guest(connection, nickname)


def from_address(port, address):
    """Connects from another address of this machine: all of 127.0.0.0/8 are local."""
    connection = Connection(port)
    connection.socket = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(address, 0))
    connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


class Socket:
    """A WebSocket that sends many commands before it reads their responses."""

    def __init__(self, port, room, token, address="127.0.0.1"):
        connection = from_address(port, address)
        ticket = expect(connection.call("POST", f"/v1/rooms/{room}/tickets", token), 201)["ticket"]
        self.socket, self.rest = connection.socket, b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (f"GET /v1/rooms/{room}/socket?after=latest&ticket={ticket} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
             f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.rest:
            self.rest += self._more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise CheckFailed(f"no WebSocket: {head!r} {self.rest!r}")

    def _more(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise ConnectionLost("closed by the server")
        return piece

    @staticmethod
    def frame(payload, opcode=1, final=True):
        """Encodes a client's frame; its mask is zero, so the payload stays unchanged."""
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", opcode | final << 7, 128 | size)
        elif size < 65536:
            head = struct.pack("!BBH", opcode | final << 7, 128 | 126, size)
        else:
            head = struct.pack("!BBQ", opcode | final << 7, 128 | 127, size)
        return head + bytes(4) + payload

    def read(self):
        """Reads the next frame; returns its opcode and payload."""
        def need(count):
            while len(self.rest) < count:
                self.rest += self._more()
        need(2)
        size, start = self.rest[1] & 127, 2
        if size > 125:
            start = 4 if size == 126 else 10
            need(start)
            size = int.from_bytes(self.rest[2:start], "big")
        need(start + size)
        opcode, payload = self.rest[0] & 15, self.rest[start:start + size]
        self.rest = self.rest[start + size:]
        return opcode, payload

    def acknowledgement(self):
        """The next response to a command; events and notices are skipped."""
        while True:
            opcode, payload = self.read()
            if opcode == 8:
                raise ConnectionLost(f"closed by the server: {payload!r}")
            if opcode == 1 and payload.startswith(b'{"ack"'):
                return json.loads(payload)

    def commands(self, frames, at_once=32):
        """Sends commands in order and returns the error responses."""
        refused = []
        for start in range(0, len(frames), at_once):
            part = frames[start:start + at_once]
            self.socket.sendall(b"".join(self.frame(frame) for frame in part))
            refused += [response for response in (self.acknowledgement() for _ in part) if "problem" in response]
        return refused


def in_parallel(count, work):
    """Calls `work(number, worker)` for every number below `count` from several threads."""
    failures = []

    def run(worker):
        try:
            for number in range(worker, count, WORKERS):
                work(number, worker)
        except Exception as error:  # noqa: BLE001 — reported below
            failures.append(error)
    threads = [threading.Thread(target=run, args=(worker,)) for worker in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


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
        connections = [Connection(self.port, timeout=60) for _ in range(WORKERS)]

        def join(number, worker):
            person = Person(connections[worker], f"Member {number}")
            expect(connections[worker].call("POST", path + "/members", person.token, {"role": "bidder"}), 201)
        in_parallel(MEMBERS, join)
        self.start(path)
        return path

    def contested(self):
        """A room in which one bidder's maximum beat thousands of bids; each added two bids to the history."""
        path = self.room("Contested")
        self.start(path)
        expect(self.call("POST", path + "/bids", self.ann.token, {"amount": "1.00", "maximum": "9000000.00"}), 201)
        socket = Socket(self.port, path.rsplit("/", 1)[1], self.bo.token)
        frames = [b'{"id":"b","type":"placeBid","amount":"%d.%02d"}' % divmod(200 + 2 * number, 100)
                  for number in range(BIDS // 2)]
        refused = socket.commands(frames)
        if refused:
            raise CheckFailed(f"{len(refused)} bids were refused: {refused[0]}")
        socket.socket.close()
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
