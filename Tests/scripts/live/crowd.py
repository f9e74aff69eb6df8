"""Bidders that use any node they reach and record the responses."""
import time
import uuid

import linear
from load import Attempt, ClientThreads
from room_setup import guest, open_room, start_round
from wire import Connection, ConnectionLost, CheckFailed, expect, in_parallel, noting, units

ROOMS_PER_CLIENT = 8
QUIET = 6  # rooms without bids: their countdowns expire while nodes are down


class Bid(Attempt):
    """A bid that is sent again until it has a response."""

    # `node`: the node that responded; `asked`: when the request to that node was sent.
    reason = answered_at = node = asked = None

    def seen(self):
        """The response in the form that `linear.bid` returns; None if the model does not cover it."""
        if self.outcome == "acknowledged":
            return ("taken",)
        if self.outcome == "refused" and self.reason[0] == "bid.already_leading":
            return ("leading",)
        return ("below", self.reason[1]) if self.outcome == "refused" and self.reason[0] == "bid.below_minimum" else None


class Crowd(ClientThreads):
    def __init__(self, cluster, seed, rooms, clients, avoids=None):
        """`avoids`: a node that every second bidder does not use."""
        super().__init__(seed)
        self.cluster = cluster
        self.attempts, self.failures = [], []
        self.retried = self.replayed = 0
        # Counts of 503 responses by code.
        self.unavailable = {}
        connection = Connection(cluster.ports[0])
        self.host, self.auctioneer = guest(connection, "Host"), guest(connection, "Auctioneer")
        self.people = [guest(connection, f"Bidder {number}") for number in range(clients)]
        self.rooms = [self._room(connection, number) for number in range(rooms)]
        connection.close()
        # The first room is hot: all bidders use it, through every node.
        busy = self.rooms[1:max(2, rooms - QUIET)]
        self.places = {person: [self.rooms[0], *self.random.sample(busy, min(ROOMS_PER_CLIENT, len(busy)))]
                       for person in self.people}
        everywhere = range(len(cluster.ports))
        self.nodes = {person: [node for node in everywhere if number % 2 or node != avoids] for number, person in enumerate(self.people)}
        self.minimum = dict.fromkeys(self.rooms, 100)
        in_parallel(len(self.people), lambda number: self._join(self.people[number]))
        self._start()

    def _room(self, connection, number):
        return open_room(connection, f"Room {number}", self.host, self.auctioneer)

    def _join(self, person):
        connection = Connection(self.random.choice(self.cluster.ports))
        for room in self.places[person]:
            expect(connection.call("POST", f"/v1/rooms/{room}/members", person[1], {"role": "bidder"}), 201)
        connection.close()

    def _start(self):
        """Starts each room's round through the next node."""
        for number, room in enumerate(self.rooms):
            connection = Connection(self.cluster.ports[number % len(self.cluster.ports)])
            self._begin(connection, room, 4 + number % 8)
            connection.close()

    def _begin(self, connection, room, seconds):
        rules = {"startingPrice": "1.00", "increment": {"fixed": "0.01"}, "listingSeconds": 0, "biddingSeconds": seconds}
        start_round(connection, room, self.host, self.auctioneer, {"name": "Lot", "rules": rules})

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

    def place_bid_in_hot_room(self, port, number):
        """A bid in the hot room through a certain node; returns its seq."""
        person, room = self.people[number % 2], self.rooms[0]
        attempt = Bid(room, 1, person[0], (number + 1) * 100, uuid.uuid4().hex)
        self.attempts.append(attempt)
        connection = Connection(port)
        attempt.sent = time.monotonic()
        response = connection.call("POST", f"/v1/rooms/{room}/bids", person[1], attempt.body, attempt.key)
        seq = expect(response, 201)["bid"]["seq"]
        attempt.record(response)
        self._learn(attempt, response)
        connection.close()
        return seq

    def counts(self):
        outcomes = [attempt.outcome for attempt in self.attempts]
        return {outcome: outcomes.count(outcome) for outcome in ("acknowledged", "refused", "unknown")}

    def through(self, room):
        """Number of acknowledged bids of a room by node."""
        taken = [attempt.node for attempt in self.attempts if attempt.room == room and attempt.outcome == "acknowledged"]
        return [taken.count(node) for node in range(len(self.cluster.ports))]

    def _run_client(self, person, rng):
        connections, used = {}, {attempt.identity for attempt in self.attempts if attempt.bidder == person[0]}
        with noting(self.failures, connections.values()):
            while not self.ended.is_set():
                room = self.rooms[0] if rng.random() < 0.3 else rng.choice(self.places[person])
                amount = max(1, self.minimum[room] + rng.choice([-1, 0, 0, 1, 2, 3, 5, 8, 13, 50]))
                attempt = Bid(room, 1, person[0], amount, uuid.uuid4().hex)
                if attempt.identity in used:
                    continue
                used.add(attempt.identity)
                attempt.sent = time.monotonic()
                self.attempts.append(attempt)
                response = self._send(attempt, person, rng, connections, 20)
                if response is None:
                    continue
                attempt.record(response)
                self._learn(attempt, response)
                if attempt.outcome == "acknowledged" and rng.random() < 0.1:
                    self._repeat(attempt, person, rng, connections)

    def _send(self, attempt, person, rng, connections, seconds):
        """Sends through any node, again with the same key until there is a response; None after `seconds`."""
        end, again = time.monotonic() + seconds, False
        while time.monotonic() < end:
            node = rng.choice(self.nodes[person])
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
                response = connections[port].call(
                    "POST", f"/v1/rooms/{attempt.room}/bids", person[1], attempt.body, attempt.key)
            except ConnectionLost:
                connections.pop(port).close()
                again = True
                continue
            if response.status != 503:
                if attempt.received is None:
                    attempt.node = node
                return response
            again = True
            self.unavailable[response.code()] = self.unavailable.get(response.code(), 0) + 1
            time.sleep(rng.uniform(0.01, 0.1))
        return None

    def _learn(self, attempt, response):
        body = response.json()
        if attempt.outcome == "acknowledged":
            self.minimum[attempt.room] = max(self.minimum[attempt.room], units(body["room"]["nextMinimum"]))
            return
        attempt.reason = linear.reason(response)
        attempt.answered_at = time.time() * 1000
        if attempt.reason[0] == "bid.below_minimum":
            self.minimum[attempt.room] = max(self.minimum[attempt.room], attempt.reason[1])

    def _repeat(self, attempt, person, rng, connections):
        """The same key through another node."""
        response = self._send(attempt, person, rng, connections, 20)
        if response is None:
            return
        self.replayed += 1
        if response.body != attempt.response or response.headers.get("idempotency-replayed") != "true":
            raise CheckFailed(f"the repeat of {attempt} was answered {response.status} {response.body!r}, first {attempt.response!r}")

    def await_closed(self, seconds):
        """Waits until every round has closed by its countdown."""
        end, connection = time.monotonic() + seconds, Connection(self.cluster.ports[0])
        for room in self.rooms:
            while expect(connection.call("GET", f"/v1/rooms/{room}"), 200)["state"] != "closed":
                if time.monotonic() > end:
                    self.failures.append(f"{room} is still open {seconds} s after the last bid")
                    return
                time.sleep(0.05)
        connection.close()
