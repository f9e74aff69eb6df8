"""People who bid through a proxy and do what the README says when an answer gets lost: the same again with the same key."""
import random
import threading
import time
import uuid

from fold import units
from load import REFUSALS, TROUBLE, UNKNOWN, Attempt
from people import guest, open_round
from wire import Connection, ConnectionLost, Surprise

PATIENCE = 20  # seconds in which a bid with a key must have been answered
RULES = {"startingPrice": "1.00", "increment": {"fixed": "0.01"}, "listingSeconds": 0, "biddingSeconds": 3600}


class Bidders:
    """`count` of them in so many rooms whose rounds are open. `port`: the proxy's."""

    def __init__(self, port, rooms, count, seed):
        self.port, self.random = port, random.Random(seed)
        self.attempts, self.surprises = [], []
        # Keyed bids that were sent more than once, and what was answered before the answer that counts.
        self.repeated, self.before = 0, {}
        # When a room took its last bid, by the monotonic clock.
        self.taken = {}
        self.ended = threading.Event()
        connection = Connection(port)
        self.host, self.seller, *self.people = [
            guest(connection, f"Person {number}") for number in range(count + 2)]
        self.rooms = [
            open_round(connection, f"Room {number}", self.host, self.seller, self.people, {"name": "Lot", "rules": RULES}) for number in range(rooms)]
        self.minimum = dict.fromkeys(self.rooms, 100)
        connection.close()

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

    def count(self, outcome, keyed=None):
        return sum(attempt.outcome == outcome and keyed in (None, attempt.key is not None) for attempt in self.attempts)

    def _live(self, person, chance):
        connection, mine, used = Connection(self.port), [], set()
        try:
            while not self.ended.is_set():
                room = chance.choice(self.rooms)
                amount = self.minimum[room] + chance.choice([-1, 0, 0, 1, 2, 3, 5, 8])
                # One in five has no key: whether it was taken may stay unknown to its sender.
                attempt = Attempt(room, 1, person[0], amount, uuid.uuid4().hex if chance.random() < 0.8 else None)
                if amount < 1 or attempt.identity in used:
                    continue
                used.add(attempt.identity)
                mine.append(attempt)
                attempt.sent = time.monotonic()
                answer = self._send(connection, attempt, person[1])
                if answer is not None:
                    attempt.took(answer)
                    self._learn(attempt, answer)
        except Surprise as surprise:
            self.surprises.append(str(surprise))
        finally:
            connection.close()
            self.attempts += mine

    def _send(self, connection, attempt, token):
        """The answer that counts; None if there is none and may be none."""
        end, pause, sent = time.monotonic() + PATIENCE, 0.02, 0
        while True:
            sent += 1
            self.repeated += sent == 2
            try:
                answer = connection.call("POST", f"/v1/rooms/{attempt.room}/bids", token, attempt.body, attempt.key)
                if answer.status != 503 or attempt.key is None:
                    return answer
                said = answer.code()
                if said not in TROUBLE and said != UNKNOWN:
                    raise Surprise(f"a 503 with the code {said}: {answer.body!r}")
            except ConnectionLost:
                said = "connection lost"
                if attempt.key is None:
                    return None
            self.before[said] = self.before.get(said, 0) + 1
            if time.monotonic() > end:
                raise Surprise(f"a bid with a key had no answer for {PATIENCE} s, at last {said}")
            time.sleep(pause)
            pause = min(2 * pause, 0.5)

    def _learn(self, attempt, answer):
        body = answer.json()
        if attempt.outcome == "acknowledged":
            self.taken[attempt.room] = attempt.received
            self.minimum[attempt.room] = max(self.minimum[attempt.room], units(body["room"]["nextMinimum"]))
        elif attempt.said == "bid.below_minimum":
            self.minimum[attempt.room] = max(self.minimum[attempt.room], units(body["permission"]["required"]))
        elif attempt.said not in REFUSALS:
            # No key, and no word on what became of it.
            time.sleep(0.02)
