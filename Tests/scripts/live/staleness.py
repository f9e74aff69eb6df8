"""Staleness of a node's reads and its `Age` header: one client writes through another node, many read."""
import math
import threading
import time

from room_setup import guest
from wire import Connection, ConnectionLost, CheckFailed, expect

FRESH = 1.0  # seconds up to which an answer says nothing of its age
LIMIT = 5  # the program's own `--limit-stale-seconds`
SLACK = 0.5  # between the answer and its arrival here, on a machine that is busy


class Writes:
    """Members of one room come and go through one node, a few a second; when each time was acknowledged."""

    def __init__(self, port, room, token):
        self.port, self.room, self.token = port, room, token
        self.acknowledged, self.failure = {}, None
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        connection = Connection(self.port)
        number = 0
        while not self.ended.wait(0.1):
            number += 1
            role = {"role": ("bidder", "viewer")[number % 2]}
            try:
                expect(connection.call("POST", f"/v1/rooms/{self.room}/members", self.token, role), 200, 201)
                at = time.monotonic()
                self.acknowledged[expect(connection.call("GET", f"/v1/rooms/{self.room}"), 200)["seq"]] = at
            except (ConnectionLost, CheckFailed) as failure:
                self.failure = failure
        connection.close()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        if self.failure:
            raise CheckFailed(f"a write through another node failed: {self.failure}")

    def missing_since(self, seq):
        """When the oldest was acknowledged that a reader of `seq` has not seen; None: it has seen all."""
        return min((at for known, at in list(self.acknowledged.items()) if known > seq), default=None)


class Reads:
    """Counts of a node's responses: fresh, with an age, refused as stale."""

    def __init__(self, writes):
        self.writes = writes
        self.fresh = self.aged = self.stale = self.unavailable = 0
        self.oldest = 0

    def record(self, response, asked):
        """`asked`: an answer need not show what was acknowledged after that."""
        now = time.monotonic()
        if response.status == 503:
            if response.code() == "service.stale":
                self.stale += 1
            else:
                self.unavailable += 1
            if "retry-after" not in response.headers or "age" in response.headers:
                raise CheckFailed(f"a read is refused without saying when to come back: {response.headers}")
            return
        seq, age = expect(response, 200)["seq"], response.headers.get("age")
        since = self.writes.missing_since(seq)
        behind = now - since if since is not None and since < asked else 0
        self.oldest = max(self.oldest, behind)
        if age is None:
            self.fresh += 1
        elif FRESH < int(age) <= LIMIT:
            self.aged += 1
        else:
            raise CheckFailed(f"an answer says that its age is {age}")
        if behind > (FRESH if age is None else int(age)) + SLACK:
            raise CheckFailed(f"an answer is behind by {behind:.1f} s and says {age or 'nothing'}")

    def __str__(self):
        return (f"{self.fresh} fresh, {self.aged} with their age, {self.stale} refused as stale, {self.unavailable} otherwise; "
                f"the oldest that was shown was behind by {self.oldest:.1f} s")


def read(port, room, reads, seconds):
    """Reads over and over, for so long."""
    connection, end = Connection(port), time.monotonic() + seconds
    while time.monotonic() < end:
        asked = time.monotonic()
        reads.record(connection.call("GET", f"/v1/rooms/{room}"), asked)
        time.sleep(0.01)
    connection.close()


def paused(server, room, writes, seconds):
    """A node is stopped (SIGSTOP) and goes on; what was asked meanwhile and right after is fresh, says its age, or is refused."""
    reads, asking, responses = Reads(writes), [], []
    read(server.port, room, reads, 0.5)

    def ask():
        connection, asked = Connection(server.port), time.monotonic()
        responses.append((connection.call("GET", f"/v1/rooms/{room}"), asked))
        connection.close()

    server.pause()
    try:
        begun = time.monotonic()
        # They wait in the node's sockets.
        while (left := begun + seconds - time.monotonic()) > 0:
            if left < 0.3 and len(asking) < 20:
                asking.append(threading.Thread(target=ask, daemon=True))
                asking[-1].start()
            time.sleep(0.01)
    finally:
        server.resume()
    for thread in asking:
        thread.join(20)
    if not responses:
        raise CheckFailed("nothing was asked while the node was stopped")
    for response, asked in responses:
        reads.record(response, asked)
    read(server.port, room, reads, 1)
    settled = Reads(writes)
    read(server.port, room, settled, 0.5)
    if settled.aged or settled.stale or settled.unavailable:
        raise CheckFailed(f"1 s after it went on the node still answers {settled}")
    return reads


def check(cluster, node):
    """Returns a line for each pause."""
    seen, other = [], cluster.ports[(node + 1) % len(cluster.ports)]
    connection = Connection(other)
    host, member = guest(connection, "Host"), guest(connection, "Member")
    room = expect(connection.call("POST", "/v1/rooms", host[1], {"name": "Read"}), 201)["id"]
    connection.close()
    with Writes(other, room, member[1]) as writes:
        for seconds in (2.5, math.ceil(LIMIT) + 1.5):
            reads = paused(cluster.servers[node], room, writes, seconds)
            seen.append(f"stopped for {seconds} s: {reads}")
    return seen
