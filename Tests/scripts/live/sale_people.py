"""The people of a sale: each sends a command again, with its key and through any node, until it is answered."""
import csv
import io
import random
import threading
import time
import uuid

from load import REFUSALS
from subscribers import Subscriber
from wire import Connection, ConnectionLost, CheckFailed, expect, units

TIMEOUT = 30  # seconds in which a command must have been answered
BEHIND = {"lot.not_queued", "withdraw.not_queued"}


class Client:
    """Sends commands of one person. `person`: id and token."""

    def __init__(self, cluster, person, seed):
        self.cluster, self.person, self.rng = cluster, person, random.Random(seed)
        self.connections, self.repeated = {}, 0

    def call(self, method, path, body=None, headers=()):
        end, key = time.monotonic() + TIMEOUT, None if method == "GET" else uuid.uuid4().hex
        while time.monotonic() < end:
            port = self.rng.choice(self.cluster.ports)
            if port:
                connection = self.connections.setdefault(port, Connection(port))
                try:
                    response = connection.call(method, path, self.person[1], body, key, headers)
                    if response.status != 503:
                        return response
                except ConnectionLost:
                    pass
                self.repeated += 1
            time.sleep(self.rng.uniform(0.01, 0.05))
        raise CheckFailed(f"{method} {path} had no answer for {TIMEOUT} s")

    def close(self):
        for connection in self.connections.values():
            connection.close()


class Follower(Subscriber):
    """Reads the room whenever events have arrived; others wait for what it shows. `seen`: the room, None until it was read."""

    def __init__(self, ports, room, seed):
        super().__init__(ports, 0, room, "long-poll", True, seed)
        self.seen, self.changed = None, threading.Condition()

    def _polled(self, connection):
        room = connection.call("GET", f"/v1/rooms/{self.room}")
        if room.status != 200:
            raise CheckFailed(f"{room.status}: {room.body.decode()}")
        room = room.json()
        with self.changed:
            # Another node may be behind the one that has died.
            if self.seen is None or self.seen["seq"] <= room["seq"]:
                self.seen = room
                self.changed.notify_all()

    def wait(self, holds, seconds):
        """Waits until `holds(room)`; returns whether it does."""
        with self.changed:
            return self.changed.wait_for(lambda: self.seen and holds(self.seen) or self.failure, seconds) and not self.failure


class Worker(threading.Thread):
    """A person who acts until `ended`; `failures` gets what went wrong."""

    def __init__(self, client, room, follower, failures):
        super().__init__(daemon=True)
        self.client, self.path, self.follower, self.failures = client, f"/v1/rooms/{room}", follower, failures
        self.rng, self.ended = client.rng, threading.Event()

    def run(self):
        try:
            while not self.ended.is_set():
                self.act()
        except Exception as failure:
            self.failures.append(f"{type(self).__name__}: {failure!r}")
        finally:
            self.client.close()


def table(lots):
    """Lots as the bytes of a CSV file."""
    rows = [{"name": lot["name"], "reference": lot["reference"], **lot["rules"]} for lot in lots]
    for row in rows:
        step = row.get("increment", {})
        row["increment"] = step["fixed"] if "fixed" in step else f"{step['percent']}%" if step else ""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, sorted({name for row in rows for name in row}))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


class Bidder(Worker):
    """Bids on whatever is open. `bids`: by identifier, what was acknowledged."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.bids, self.refused, self.last = {}, 0, (None, 0)

    def act(self):
        room = self.follower.seen
        is_open = room["state"] in ("auctioning", "closing") and not room["item"]["name"].startswith("Unwanted")
        amount = self._amount(room) if is_open else None
        if amount is not None:
            text = f"{amount // 100}.{amount % 100:02}"
            response = self.client.call("POST", self.path + "/bids", {"amount": text, "round": room["round"]})
            if response.status == 201:
                bid = response.json()["bid"]
                self.bids[bid["id"]] = {**bid, "round": room["round"], "bidder": self.client.person[0]}
                self.last = (room["round"], amount)
            elif response.code() in REFUSALS:
                self.refused += 1
            else:
                expect(response, 201)
        self.ended.wait(self.rng.uniform(0.01, 0.12))

    def _amount(self, room):
        format_, own = room["rules"]["format"], self.last[1] if self.last[0] == room["round"] else 0
        if format_ == "english":
            return units(room["nextMinimum"]) + self.rng.choice([-1, 0, 1, 5, 20])
        if format_ == "dutch":
            return units(room["nextMinimum"]) if self.rng.random() < 0.02 else None
        # Sealed: few amounts, so that some are equal.
        return own + 100 * self.rng.randint(1, 9) if self.rng.random() < 0.2 else None


class Editor(Worker):
    """The host moves, changes and withdraws queued lots, one command after the other.

    `order`: every lot in the order that was acknowledged; `lots`: what was acknowledged of each.
    """

    def __init__(self, owners, withdrawals, *arguments):
        super().__init__(*arguments)
        self.owners, self.left = owners, withdrawals
        self.order, self.lots, self.withdrawn = [], {}, set()
        self.counts = dict.fromkeys(("moved", "changed", "withdrawn", "late"), 0)

    def queue(self, owner, lot):
        self._queued(expect(owner.call("POST", self.path + "/lots", lot), 201)["id"], owner, lot)

    def import_lots(self, owner, lots):
        """Imports a file of lots; its repeat changes nothing."""
        path, headers = self.path + "/lots/import", ["Content-Type: text/csv"]
        first, again = (owner.call("POST", path, table(lots), headers) for _ in range(2))
        imported_lots, repeated = expect(first, 200)["lots"], expect(again, 200)
        if repeated["unchanged"] != len(lots) or [lot["id"] for lot in repeated["lots"]] != [lot["id"] for lot in imported_lots]:
            raise CheckFailed(f"a repeated import was answered {again.body!r}, first {first.body!r}")
        for imported, lot in zip(imported_lots, lots):
            self._queued(imported["id"], owner, lot)

    def _queued(self, identity, owner, lot):
        self.order.append(identity)
        self.lots[identity] = {**lot, "owner": owner}

    def act(self):
        lots = expect(self.client.call("GET", self.path + "/lots?state=queued&limit=1000"), 200)["lots"]
        queued = [lot["id"] for lot in lots]
        self.ended.wait(self.rng.uniform(0.05, 0.4))
        if len(queued) < 3:
            return
        # Those at the head too, which may have their turn meanwhile.
        lot = self.rng.choice(queued[:3] if self.rng.random() < 0.3 else queued)
        choice = self.rng.random()
        if choice < 0.6:
            self._move(lot, self.rng.choice([*queued, None]))
        elif choice < 0.9 or not self.left or self._is_last_of_format(lot, queued):
            self._change(lot)
        else:
            self._withdraw(lot)

    def _is_last_of_format(self, lot, queued):
        """Withdrawing it might leave the sale without a lot of that format."""
        return all(other == lot or self.lots[other]["rules"]["format"] != self.lots[lot]["rules"]["format"] for other in queued)

    def _done(self, what, response):
        """Whether the command was accepted; the lot's turn may have come before it."""
        if response.status == 200:
            self.counts[what] += 1
            return True
        if response.code() not in BEHIND:
            expect(response, 200)
        self.counts["late"] += 1
        return False

    def _move(self, lot, before):
        if before != lot and self._done("moved", self.client.call("PATCH", f"{self.path}/lots/{lot}", {"before": before})):
            self.order.remove(lot)
            self.order.insert(len(self.order) if before is None else self.order.index(before), lot)

    def _change(self, lot):
        known = self.lots[lot]
        changes = {"name": f"{known['name'].split(',')[0]}, as changed by {self.rng.getrandbits(32):08x}"}
        client = self.client
        if self.rng.random() < 0.5:
            # Prices are the owner's alone. The floor of a Dutch auction stays below.
            client, changes["rules"] = known["owner"], {"startingPrice": f"{self.rng.randint(2, 3)}.00"}
        if self._done("changed", client.call("PATCH", f"{self.path}/lots/{lot}", changes)):
            known["name"] = changes["name"]
            known["rules"] = {**known["rules"], **changes.get("rules", {})}

    def _withdraw(self, lot):
        if self._done("withdrawn", self.client.call("DELETE", f"{self.path}/lots/{lot}?reason=gone")):
            self.left -= 1
            self.withdrawn.add(lot)
