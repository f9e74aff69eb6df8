"""The people of one log: they open rooms, bid from many connections, and write down what they were promised."""
import json
import random
import threading
import time

from fold import units
from people import guest, open_round
from wire import Connection, ConnectionLost, Surprise, expect, raw_events

REFUSALS = {"bid.not_auctioning", "bid.wrong_round", "bid.already_leading", "bid.below_minimum"}
# A server in trouble: the command was not taken, and nothing of it may ever show.
TROUBLE = {"service.unavailable", "service.stopping", "server.stopping"}
UNKNOWN = "service.outcome_unknown"


class InTrouble(Exception):
    """The server said that it could not, and was allowed to."""


class Attempt:
    """One bid that was sent. Room, round, bidder and amount together occur once: that is how the log is searched for it."""

    def __init__(self, room, round_, bidder, amount, key):
        self.room, self.round, self.bidder, self.amount, self.key = room, round_, bidder, amount, key
        self.text = f"{amount // 100}.{amount % 100:02}"
        self.body = json.dumps({"amount": self.text, "round": round_}).encode()
        self.outcome = "unknown"  # acknowledged, refused
        self.answer = None
        self.sent = self.received = None
        self.life = None
        # The code of the problem that it was answered with.
        self.said = None

    @property
    def identity(self):
        return (self.room, self.round, self.bidder, self.amount)

    def __str__(self):
        return f"{self.amount / 100:.2f} by {self.bidder} in {self.room}, round {self.round}"

    def took(self, answer):
        """Notes what the server said of it."""
        self.received = time.monotonic()
        self.said = answer.code()
        if answer.status == 201:
            self.outcome, self.answer = "acknowledged", answer.body
        elif self.said in REFUSALS or self.said in TROUBLE:
            self.outcome = "refused"
        elif self.said != UNKNOWN:
            raise Surprise(f"the bid of {self} was answered {answer.status}: {answer.body.decode(errors='replace')}")


class Order:
    """A start or an end by the host that was answered with the room."""

    def __init__(self, room, path, body, key):
        self.room, self.path, self.body, self.key = room, path, body, key
        self.answer = None


class World:
    """Everything that is known of one log from outside: its rooms, people, promises, and what was seen of its events."""

    def __init__(self, server, seed, rooms, bidders):
        self.random = random.Random(seed)
        self.attempts, self.orders, self.told = [], [], {}
        self.surprises = []
        # Whether the disk fails on purpose, so that commands may be answered 503.
        self.may_fail = False
        # When the last bid that was acknowledged had been sent.
        self.last_acknowledged = 0
        connection = Connection(server.port)
        self.host, self.auctioneer = guest(connection, "Host"), guest(connection, "Auctioneer")
        self.bidders = [guest(connection, f"Bidder {number}") for number in range(bidders)]
        self.used = {bidder: set() for bidder, _ in self.bidders}
        self.rooms = [
            open_round(connection, f"Room {number}", self.host, self.auctioneer, self.bidders, self.item()) for number in range(rooms)]
        # What the people believe of a room: the round, the next minimum in minor units, and whether bids are taken.
        self.beliefs = {room: [1, 100, True] for room in self.rooms}
        self.history = {room: [] for room in self.rooms}
        connection.close()

    def item(self):
        rules = {
            "startingPrice": "1.00", "increment": {"fixed": self.random.choice(["0.01", "0.50"])},
            "listingSeconds": self.random.choice([0, 0, 1]), "biddingSeconds": self.random.choice([1, 2, 5, 30, 90]),
        }
        return {"name": "Lot", "rules": rules}

    def live(self, server, life, end):
        """Loads the server while `end` runs, which ends it. Returns once everybody has noticed."""
        ended = threading.Event()
        seeds = [self.random.getrandbits(64) for _ in range(len(self.bidders) + 1)]
        threads = [
            threading.Thread(target=self._bid, args=(server.port, life, bidder, random.Random(seed), ended))
            for bidder, seed in zip(self.bidders, seeds)
        ]
        threads.append(threading.Thread(target=self._conduct, args=(server.port, life, random.Random(seeds[-1]), ended)))
        threads += [threading.Thread(target=self._follow, args=(server.port, room, ended)) for room in self.rooms[:2]]
        for thread in threads:
            thread.start()
        try:
            end()
        finally:
            ended.set()
            for thread in threads:
                thread.join()

    def _bid(self, port, life, bidder, chance, ended):
        connection, mine, used = Connection(port), [], self.used[bidder[0]]
        try:
            while not ended.is_set():
                room = chance.choice(self.rooms)
                round_, minimum, is_open = self.beliefs[room]
                if not is_open and chance.random() < 0.95:
                    ended.wait(0.001)
                    continue
                # Mostly enough, sometimes too little; steps that differ keep bidders from crowding on one amount.
                amount = max(1, minimum + chance.choice([-50, 0, 1, 50, 100, 200, 300, 500, 700, 900]))
                key = f"{life}-{bidder[0][-6:]}-{len(mine)}" if chance.random() < 0.3 else None
                attempt = Attempt(room, round_, bidder[0], amount, key)
                if attempt.identity in used:
                    continue
                used.add(attempt.identity)
                attempt.life = life
                mine.append(attempt)
                attempt.sent = time.monotonic()
                answer = connection.call("POST", f"/v1/rooms/{room}/bids", bidder[1], attempt.body, key)
                attempt.took(answer)
                self._learn(attempt, answer)
                if attempt.said in TROUBLE or attempt.said == UNKNOWN:
                    self._note_trouble(answer)
                    ended.wait(0.005)
        except ConnectionLost:
            if not ended.wait(2):
                self.surprises.append(f"a connection of {bidder[0]} ended while the server ran")
        except Surprise as surprise:
            self.surprises.append(str(surprise))
        finally:
            connection.close()
            self.attempts += mine

    def _note_trouble(self, answer):
        if not self.may_fail:
            raise Surprise(f"a healthy server answered {answer.status}: {answer.body.decode(errors='replace')}")

    def _require(self, answer, status):
        """The JSON of an answer that must have this status, unless the server is in trouble and may be."""
        if answer.code() in TROUBLE or answer.code() == UNKNOWN:
            self._note_trouble(answer)
            raise InTrouble
        return expect(answer, status)

    def _learn(self, attempt, answer):
        body, belief = answer.json(), self.beliefs[attempt.room]
        if attempt.outcome == "acknowledged":
            self.last_acknowledged = max(self.last_acknowledged, attempt.sent)
            belief[1] = max(belief[1], units(body["room"]["nextMinimum"]))
        elif attempt.outcome == "refused" and body["code"] == "bid.below_minimum":
            belief[1] = max(belief[1], units(body["permission"]["required"]))
        elif attempt.outcome == "refused" and body["code"] == "bid.not_auctioning":
            belief[2] = False

    def _conduct(self, port, life, chance, ended):
        """The host: ends rounds and begins new ones, so that crashes hit these too."""
        connection, number = Connection(port), 0
        try:
            while not ended.wait(chance.uniform(0, 0.03)):
                number += 1
                try:
                    self._direct(connection, chance, f"{life}-host-{number}")
                except InTrouble:
                    continue
        except ConnectionLost:
            if not ended.wait(2):
                self.surprises.append("the host's connection ended while the server ran")
        except Surprise as surprise:
            self.surprises.append(str(surprise))
        finally:
            connection.close()

    def _direct(self, connection, chance, key):
        """Looks at a room and moves it on, or leaves it."""
        room = chance.choice(self.rooms)
        seen = self._require(connection.call("GET", f"/v1/rooms/{room}"), 200)
        self.beliefs[room] = [seen["round"], units(seen["nextMinimum"] or "1.00"), seen["state"] == "auctioning"]
        if seen["state"] == "preparing" and seen["item"] is None:
            self._require(connection.call("POST", f"/v1/rooms/{room}/items", self.auctioneer[1], self.item()), 201)
            return
        if seen["state"] == "closing" or (seen["state"] == "auctioning" and chance.random() < 0.8):
            return
        word = "end" if seen["state"] == "auctioning" else "start"
        expected = {"expectedState": seen["state"], "expectedRound": seen["round"]}
        order = Order(room, f"/v1/rooms/{room}/auction/{word}", json.dumps(expected).encode(), key)
        self.orders.append(order)
        answer = connection.call("POST", order.path, self.host[1], order.body, order.key)
        if answer.code() != "auction.state_changed":
            self._require(answer, 200)
            order.answer = answer.body

    def _follow(self, port, room, ended):
        """A subscriber: whatever it was told must still be so after the crash."""
        connection = Connection(port)
        told = self.told.setdefault(room, [])
        try:
            while not ended.is_set():
                answer = connection.call("GET", f"/v1/rooms/{room}/events?after={len(told)}&wait=5&limit=256")
                try:
                    self._require(answer, 200)
                except InTrouble:
                    ended.wait(0.02)
                    continue
                told += raw_events(answer.body)
        except ConnectionLost:
            pass
        except Surprise as surprise:
            self.surprises.append(str(surprise))
        finally:
            connection.close()
