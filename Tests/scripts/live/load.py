"""The users of one log: they open rooms, bid over many connections, and record the responses."""
import contextlib
import json
import random
import threading
import time

from room_setup import guest, open_round
from wire import Connection, ConnectionLost, CheckFailed, check, expect, noting, raw_events, units

REFUSALS = {"bid.not_auctioning", "bid.wrong_round", "bid.already_leading", "bid.below_minimum"}
# Codes of failed commands that were not executed and must never show in the log.
TROUBLE = {"service.unavailable", "service.stopping", "server.stopping"}
UNKNOWN = "service.outcome_unknown"


class InTrouble(Exception):
    """The server refused a command because of a failure that the test injected."""


class Attempt:
    """One bid that was sent. Room, round, bidder and amount are unique together and identify it in the log."""

    def __init__(self, room, round_, bidder, amount, key):
        self.room, self.round, self.bidder, self.amount, self.key = room, round_, bidder, amount, key
        self.text = f"{amount // 100}.{amount % 100:02}"
        self.body = json.dumps({"amount": self.text, "round": round_}).encode()
        self.outcome = "unknown"  # acknowledged, refused
        self.response = None
        self.sent = self.received = None
        self.life = None
        # Code of the problem in its response.
        self.problem_code = None

    @property
    def identity(self):
        return (self.room, self.round, self.bidder, self.amount)

    def __str__(self):
        return f"{self.amount / 100:.2f} by {self.bidder} in {self.room}, round {self.round}"

    def record(self, response):
        """Records the response."""
        self.received = time.monotonic()
        self.problem_code = response.code()
        if response.status == 201:
            self.outcome, self.response = "acknowledged", response.body
        elif self.problem_code in REFUSALS or self.problem_code in TROUBLE:
            self.outcome = "refused"
        elif self.problem_code != UNKNOWN:
            raise CheckFailed(f"the bid of {self} was answered {response.status}: {response.body.decode(errors='replace')}")


class ClientThreads:
    """Runs `_run_client` for each of `people`, in a thread and with a random generator of its own, until `ended`."""

    def __init__(self, seed):
        self.random, self.ended = random.Random(seed), threading.Event()

    def begin(self):
        seeds = [self.random.getrandbits(64) for _ in self.people]
        self.threads = [threading.Thread(target=self._run_client, args=(person, random.Random(seed)))
                        for person, seed in zip(self.people, seeds)]
        for thread in self.threads:
            thread.start()

    def end(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()


class Order:
    """A start or end of a round by the host; `response`: body of the acknowledgement, None without one."""

    def __init__(self, room, path, body, key):
        self.room, self.path, self.body, self.key = room, path, body, key
        self.response = None


class World:
    """Everything observable of one log from outside: its rooms, users, responses and events."""

    def __init__(self, server, seed, rooms, bidders):
        self.random = random.Random(seed)
        self.attempts, self.orders, self.delivered = [], [], {}
        self.failures = []
        # Whether a disk failure is injected, so that commands may get 503.
        self.may_fail = False
        # How long a program that ends may run after it has closed a client's connection.
        self.end_seconds = 2
        # When the last acknowledged bid was sent.
        self.last_acknowledged = 0
        connection = Connection(server.port)
        self.host, self.auctioneer = guest(connection, "Host"), guest(connection, "Auctioneer")
        self.bidders = [guest(connection, f"Bidder {number}") for number in range(bidders)]
        self.used = {bidder: set() for bidder, _ in self.bidders}
        self.rooms = [
            open_round(connection, f"Room {number}", self.host, self.auctioneer, self.bidders, self.item()) for number in range(rooms)]
        # The users' view of each room: the round, the next minimum in minor units, and whether bidding is open.
        self.beliefs = {room: [1, 100, True] for room in self.rooms}
        self.history = {room: [] for room in self.rooms}
        connection.close()

    def item(self):
        rules = {
            "startingPrice": "1.00", "increment": {"fixed": self.random.choice(["0.01", "0.50"])},
            "listingSeconds": self.random.choice([0, 0, 1]), "biddingSeconds": self.random.choice([1, 2, 5, 30, 90]),
        }
        return {"name": "Lot", "rules": rules}

    def run_load(self, server, life, end):
        """Loads the server while `end` runs, which stops it. Returns once all threads have finished."""
        ended = threading.Event()
        seeds = [self.random.getrandbits(64) for _ in range(len(self.bidders) + 1)]
        threads = [
            threading.Thread(target=self._bid, args=(server.port, life, bidder, random.Random(seed), ended))
            for bidder, seed in zip(self.bidders, seeds)
        ]
        threads.append(threading.Thread(target=self._run_host, args=(server.port, life, random.Random(seeds[-1]), ended)))
        threads += [threading.Thread(target=self._subscribe, args=(server.port, room, ended)) for room in self.rooms[:2]]
        for thread in threads:
            thread.start()
        try:
            end()
        finally:
            ended.set()
            for thread in threads:
                thread.join()

    @contextlib.contextmanager
    def _connected(self, port, who, ended):
        """For what a thread does: a connection, which may end only with the server."""
        connection = Connection(port)
        with noting(self.failures, [connection]):
            try:
                yield connection
            except ConnectionLost:
                check(ended.wait(self.end_seconds), f"a connection of {who} ended while the server ran")

    def _bid(self, port, life, bidder, rng, ended):
        used = self.used[bidder[0]]
        with self._connected(port, bidder[0], ended) as connection:
            while not ended.is_set():
                room = rng.choice(self.rooms)
                round_, minimum, is_open = self.beliefs[room]
                if not is_open and rng.random() < 0.95:
                    ended.wait(0.001)
                    continue
                # Mostly enough, sometimes too little; steps that differ keep bidders from crowding on one amount.
                amount = max(1, minimum + rng.choice([-50, 0, 1, 50, 100, 200, 300, 500, 700, 900]))
                key = f"{life}-{bidder[0][-6:]}-{len(used)}" if rng.random() < 0.3 else None
                attempt = Attempt(room, round_, bidder[0], amount, key)
                if attempt.identity in used:
                    continue
                used.add(attempt.identity)
                attempt.life = life
                self.attempts.append(attempt)
                attempt.sent = time.monotonic()
                response = connection.call("POST", f"/v1/rooms/{room}/bids", bidder[1], attempt.body, key)
                attempt.record(response)
                self._learn(attempt, response)
                if attempt.problem_code in TROUBLE or attempt.problem_code == UNKNOWN:
                    self._note_trouble(response)
                    ended.wait(0.005)

    def _note_trouble(self, response):
        if not self.may_fail:
            raise CheckFailed(f"a healthy server answered {response.status}: {response.body.decode(errors='replace')}")

    def _require(self, response, status):
        """The JSON of a response with this status; raises InTrouble for an injected failure."""
        if response.code() in TROUBLE or response.code() == UNKNOWN:
            self._note_trouble(response)
            raise InTrouble
        return expect(response, status)

    def _learn(self, attempt, response):
        body, belief = response.json(), self.beliefs[attempt.room]
        if attempt.outcome == "acknowledged":
            self.last_acknowledged = max(self.last_acknowledged, attempt.sent)
            belief[1] = max(belief[1], units(body["room"]["nextMinimum"]))
        elif attempt.outcome == "refused" and body["code"] == "bid.below_minimum":
            belief[1] = max(belief[1], units(body["permission"]["required"]))
        elif attempt.outcome == "refused" and body["code"] == "bid.not_auctioning":
            belief[2] = False

    def _run_host(self, port, life, rng, ended):
        """The host ends rounds and starts new ones, so that crashes hit these commands too."""
        number = 0
        with self._connected(port, "the host", ended) as connection:
            while not ended.wait(rng.uniform(0, 0.03)):
                number += 1
                try:
                    self._advance_room(connection, rng, f"{life}-host-{number}")
                except InTrouble:
                    continue

    def _advance_room(self, connection, rng, key):
        """Reads a room and usually advances its state."""
        room = rng.choice(self.rooms)
        seen = self._require(connection.call("GET", f"/v1/rooms/{room}"), 200)
        self.beliefs[room] = [seen["round"], units(seen["nextMinimum"] or "1.00"), seen["state"] == "auctioning"]
        if seen["state"] == "preparing" and seen["item"] is None:
            self._require(connection.call("POST", f"/v1/rooms/{room}/items", self.auctioneer[1], self.item()), 201)
            return
        if seen["state"] == "closing" or (seen["state"] == "auctioning" and rng.random() < 0.8):
            return
        word = "end" if seen["state"] == "auctioning" else "start"
        expected = {"expectedState": seen["state"], "expectedRound": seen["round"]}
        order = Order(room, f"/v1/rooms/{room}/auction/{word}", json.dumps(expected).encode(), key)
        self.orders.append(order)
        response = connection.call("POST", order.path, self.host[1], order.body, order.key)
        if response.code() != "auction.state_changed":
            self._require(response, 200)
            order.response = response.body

    def _subscribe(self, port, room, ended):
        """A subscriber: the events delivered to it must be unchanged after the crash."""
        delivered = self.delivered.setdefault(room, [])
        with self._connected(port, f"a subscriber of {room}", ended) as connection:
            while not ended.is_set():
                response = connection.call("GET", f"/v1/rooms/{room}/events?after={len(delivered)}&wait=5&limit=256")
                try:
                    self._require(response, 200)
                except InTrouble:
                    ended.wait(0.02)
                    continue
                delivered += raw_events(response.body)
