"""People who bid through whichever node they happen to reach, and write down what they were told."""
import random
import threading
import time
import uuid

import linear
from fold import units
from load import REFUSALS, Attempt
from people import guest
from wire import Connection, ConnectionLost, Surprise, expect

ROOMS_PER_CLIENT = 8
QUIET = 6  # rooms in which nobody bids: they end while nodes die


class Bid(Attempt):
    """One that is sent until it is answered."""

    # `node`: through which it was answered, `asked`: when that one was asked.
    reason = answered_at = node = asked = None

    def seen(self):
        """The answer in the words of `linear.bid`; None for what that model does not speak of."""
        if self.outcome == "acknowledged":
            return ("taken",)
        if self.outcome == "refused" and self.reason[0] == "bid.already_leading":
            return ("leading",)
        return ("below", self.reason[1]) if self.outcome == "refused" and self.reason[0] == "bid.below_minimum" else None


class Crowd:
    def __init__(self, cluster, seed, rooms, clients, avoids=None):
        """`avoids`: a node that every second of them leaves alone."""
        self.cluster, self.random = cluster, random.Random(seed)
        self.attempts, self.surprises = [], []
        self.retried = self.replayed = 0
        # Answers of 503 by their code.
        self.unavailable = {}
        self.ended = threading.Event()
        connection = Connection(cluster.ports[0])
        self.host, self.auctioneer = guest(connection, "Host"), guest(connection, "Auctioneer")
        self.people = [guest(connection, f"Bidder {number}") for number in range(clients)]
        self.rooms = [self._room(connection, number) for number in range(rooms)]
        connection.close()
        # The first room is hot: everybody bids there, through every node.
        busy = self.rooms[1:max(2, rooms - QUIET)]
        self.places = {person: [self.rooms[0], *self.random.sample(busy, min(ROOMS_PER_CLIENT, len(busy)))]
                       for person in self.people}
        everywhere = range(len(cluster.ports))
        self.nodes = {person: [node for node in everywhere if number % 2 or node != avoids] for number, person in enumerate(self.people)}
        self.minimum = dict.fromkeys(self.rooms, 100)
        self._in_parallel([lambda person=person: self._join(person) for person in self.people])
        self._start()

    def _in_parallel(self, jobs):
        def guarded(job):
            try:
                job()
            except (Surprise, ConnectionLost) as failure:
                self.surprises.append(str(failure))
        threads = [threading.Thread(target=guarded, args=(job,)) for job in jobs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _room(self, connection, number):
        room = expect(connection.call("POST", "/v1/rooms", self.host[1], {"name": f"Room {number}"}), 201)["id"]
        path = f"/v1/rooms/{room}"
        expect(connection.call("POST", path + "/members", self.auctioneer[1], {"role": "bidder"}), 201)
        expect(connection.call("PATCH", f"{path}/members/{self.auctioneer[0]}", self.host[1], {"role": "auctioneer"}), 200)
        return room

    def _join(self, person):
        connection = Connection(self.random.choice(self.cluster.ports))
        for room in self.places[person]:
            expect(connection.call("POST", f"/v1/rooms/{room}/members", person[1], {"role": "bidder"}), 201)
        connection.close()

    def _start(self):
        """Each room through another node than the one before it."""
        for number, room in enumerate(self.rooms):
            connection = Connection(self.cluster.ports[number % len(self.cluster.ports)])
            self._begin(connection, room, 4 + number % 8)
            connection.close()

    def _begin(self, connection, room, seconds):
        path = f"/v1/rooms/{room}"
        rules = {"startingPrice": "1.00", "increment": {"fixed": "0.01"}, "listingSeconds": 0, "biddingSeconds": seconds}
        expect(connection.call("POST", path + "/items", self.auctioneer[1], {"name": "Lot", "rules": rules}), 201)
        expect(connection.call("POST", path + "/auction/start", self.host[1]), 200)

    def open(self, port, seconds):
        """One more room whose round runs, all through one node; the first two people may bid there."""
        connection = Connection(port)
        room = self._room(connection, len(self.rooms))
        for person in self.people[:2]:
            expect(connection.call("POST", f"/v1/rooms/{room}/members", person[1], {"role": "bidder"}), 201)
        self._begin(connection, room, seconds)
        connection.close()
        self.rooms.append(room)
        self.minimum[room] = 100
        return room

    def talk(self, port, number):
        """A bid in the hot room through a certain node; returns its seq."""
        person, room = self.people[number % 2], self.rooms[0]
        attempt = Bid(room, 1, person[0], (number + 1) * 100, uuid.uuid4().hex)
        self.attempts.append(attempt)
        connection = Connection(port)
        attempt.sent = time.monotonic()
        answer = connection.call("POST", f"/v1/rooms/{room}/bids", person[1], attempt.body, attempt.key)
        seq = expect(answer, 201)["bid"]["seq"]
        attempt.took(answer)
        self._learn(attempt, answer)
        connection.close()
        return seq

    def begin(self):
        seeds = [self.random.getrandbits(64) for _ in self.people]
        self.threads = [threading.Thread(target=self._live, args=(person, random.Random(seed)))
                        for person, seed in zip(self.people, seeds)]
        for thread in self.threads:
            thread.start()

    def end(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def counts(self):
        outcomes = [attempt.outcome for attempt in self.attempts]
        return {outcome: outcomes.count(outcome) for outcome in ("acknowledged", "refused", "unknown")}

    def through(self, room):
        """How many bids each node took in a room."""
        taken = [attempt.node for attempt in self.attempts if attempt.room == room and attempt.outcome == "acknowledged"]
        return [taken.count(node) for node in range(len(self.cluster.ports))]

    def _live(self, person, chance):
        connections, used = {}, {attempt.identity for attempt in self.attempts if attempt.bidder == person[0]}
        try:
            while not self.ended.is_set():
                room = self.rooms[0] if chance.random() < 0.3 else chance.choice(self.places[person])
                amount = max(1, self.minimum[room] + chance.choice([-1, 0, 0, 1, 2, 3, 5, 8, 13, 50]))
                attempt = Bid(room, 1, person[0], amount, uuid.uuid4().hex)
                if attempt.identity in used:
                    continue
                used.add(attempt.identity)
                attempt.sent = time.monotonic()
                self.attempts.append(attempt)
                answer = self._send(attempt, person, chance, connections, 20)
                if answer is None:
                    continue
                attempt.took(answer)
                self._learn(attempt, answer)
                if attempt.outcome == "acknowledged" and chance.random() < 0.1:
                    self._repeat(attempt, person, chance, connections)
        except Surprise as surprise:
            self.surprises.append(str(surprise))
        finally:
            for connection in connections.values():
                connection.close()

    def _send(self, attempt, person, chance, connections, seconds):
        """Through any node, again with the same key until it is answered; None if that took too long."""
        end, again = time.monotonic() + seconds, False
        while time.monotonic() < end:
            node = chance.choice(self.nodes[person])
            port = self.cluster.ports[node]
            if not port:
                time.sleep(0.005)
                continue
            if port not in connections:
                connections[port] = Connection(port)
            try:
                self.retried += again
                if attempt.received is None:
                    attempt.asked = time.monotonic()
                answer = connections[port].call(
                    "POST", f"/v1/rooms/{attempt.room}/bids", person[1], attempt.body, attempt.key)
            except ConnectionLost:
                connections.pop(port).close()
                again = True
                continue
            if answer.status != 503:
                if attempt.received is None:
                    attempt.node = node
                return answer
            again = True
            self.unavailable[answer.code()] = self.unavailable.get(answer.code(), 0) + 1
            time.sleep(chance.uniform(0.01, 0.1))
        return None

    def _learn(self, attempt, answer):
        body = answer.json()
        if attempt.outcome == "acknowledged":
            self.minimum[attempt.room] = max(self.minimum[attempt.room], units(body["room"]["nextMinimum"]))
            return
        attempt.reason = linear.reason(answer)
        attempt.answered_at = time.time() * 1000
        if attempt.reason[0] == "bid.below_minimum":
            self.minimum[attempt.room] = max(self.minimum[attempt.room], attempt.reason[1])

    def _repeat(self, attempt, person, chance, connections):
        """The same key through another node."""
        answer = self._send(attempt, person, chance, connections, 20)
        if answer is None:
            return
        self.replayed += 1
        if answer.body != attempt.answer or answer.headers.get("idempotency-replayed") != "true":
            raise Surprise(f"the repeat of {attempt} was answered {answer.status} {answer.body!r}, first {attempt.answer!r}")

    def await_ends(self, seconds):
        """Every round ends by itself once nobody bids any more."""
        end, connection = time.monotonic() + seconds, Connection(self.cluster.ports[0])
        for room in self.rooms:
            while expect(connection.call("GET", f"/v1/rooms/{room}"), 200)["state"] != "closed":
                if time.monotonic() > end:
                    self.surprises.append(f"{room} is still open {seconds} s after the last bid")
                    return
                time.sleep(0.05)
        connection.close()
