"""Bidders behind a proxy that do as the contract says when a response is lost: they repeat the request with the same key."""
import time
import uuid

from load import REFUSALS, TROUBLE, UNKNOWN, Attempt, ClientThreads
from room_setup import guest, open_round
from wire import Connection, ConnectionLost, CheckFailed, noting, units

TIMEOUT = 20  # seconds in which a bid with a key must have been answered
RULES = {"startingPrice": "1.00", "increment": {"fixed": "0.01"}, "listingSeconds": 0, "biddingSeconds": 3600}


class Bidders(ClientThreads):
    """`count` bidders in `rooms` rooms with open rounds. `port`: the proxy's."""

    def __init__(self, port, rooms, count, seed):
        super().__init__(seed)
        self.port = port
        self.attempts, self.failures = [], []
        # Number of keyed bids that were sent more than once, and the failures before their final responses, by code.
        self.repeated, self.before = 0, {}
        # When each room's last bid was acknowledged, by the monotonic clock.
        self.taken = {}
        connection = Connection(port)
        self.host, self.seller, *self.people = [
            guest(connection, f"Person {number}") for number in range(count + 2)]
        self.rooms = [
            open_round(connection, f"Room {number}", self.host, self.seller, self.people, {"name": "Lot", "rules": RULES}) for number in range(rooms)]
        self.minimum = dict.fromkeys(self.rooms, 100)
        connection.close()

    def count(self, outcome, keyed=None):
        return sum(attempt.outcome == outcome and keyed in (None, attempt.key is not None) for attempt in self.attempts)

    def _run_client(self, person, rng):
        connection, used = Connection(self.port), set()
        with noting(self.failures, [connection]):
            while not self.ended.is_set():
                room = rng.choice(self.rooms)
                amount = self.minimum[room] + rng.choice([-1, 0, 0, 1, 2, 3, 5, 8])
                # One in five has no key: its outcome may stay unknown.
                attempt = Attempt(room, 1, person[0], amount, uuid.uuid4().hex if rng.random() < 0.8 else None)
                if amount < 1 or attempt.identity in used:
                    continue
                used.add(attempt.identity)
                self.attempts.append(attempt)
                attempt.sent = time.monotonic()
                response = self._send(connection, attempt, person[1])
                if response is not None:
                    attempt.record(response)
                    self._learn(attempt, response)

    def _send(self, connection, attempt, token):
        """The final response; None if a bid without a key got none."""
        end, pause, sent = time.monotonic() + TIMEOUT, 0.02, 0
        while True:
            sent += 1
            self.repeated += sent == 2
            try:
                response = connection.call("POST", f"/v1/rooms/{attempt.room}/bids", token, attempt.body, attempt.key)
                if response.status != 503 or attempt.key is None:
                    return response
                code = response.code()
                if code not in TROUBLE and code != UNKNOWN:
                    raise CheckFailed(f"a 503 with the code {code}: {response.body!r}")
            except ConnectionLost:
                code = "connection lost"
                if attempt.key is None:
                    return None
            self.before[code] = self.before.get(code, 0) + 1
            if time.monotonic() > end:
                raise CheckFailed(f"a bid with a key had no answer for {TIMEOUT} s, at last {code}")
            time.sleep(pause)
            pause = min(2 * pause, 0.5)

    def _learn(self, attempt, response):
        body = response.json()
        if attempt.outcome == "acknowledged":
            self.taken[attempt.room] = attempt.received
            self.minimum[attempt.room] = max(self.minimum[attempt.room], units(body["room"]["nextMinimum"]))
        elif attempt.problem_code == "bid.below_minimum":
            self.minimum[attempt.room] = max(self.minimum[attempt.room], units(body["permission"]["required"]))
        elif attempt.problem_code not in REFUSALS:
            # No key and an unknown outcome.
            time.sleep(0.02)
