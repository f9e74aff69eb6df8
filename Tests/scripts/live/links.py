"""A node's link to PostgreSQL is cut in every way and healed, under load, and so is its clients' link to it; and a node is paused.

LINKS_CLIENTS (16), LINKS_SEED (new every time): the size of it. LINKS: names of cuts, or "all"; else the quick ones and another.
"""
import os
import random
import socket
import struct
import time
import uuid

import link
import postmaster
import staleness
from cluster import Cluster
from crowd import Bid, Crowd
from subscribers import Subscribers
from link import Link
from program import require_binary, scratch_folder, verify
from verdict import audit
from wire import Connection, CheckFailed, eventually, expect, require_none

CLIENTS = int(os.environ.get("LINKS_CLIENTS", "16"))
SEED = int(os.environ.get("LINKS_SEED") or random.SystemRandom().getrandbits(32))
CUT = 0  # the node whose link it is
# Ways of cutting, for how many seconds, and whether what was connected before is lost when it heals.
CUTS = {
    "silent for a moment": (Link.silence, 1.5, False),
    "reset": (Link.reset, 2.5, False),
    "silent": (Link.silence, 4, False),
    "silent and forgotten": (Link.silence, 8, True),
    "the server hears nothing": (lambda wire: wire.silence(link.REQUESTS_LOST), 6, True),
    "the node hears nothing": (lambda wire: wire.silence(link.REPLIES_LOST), 6, False),
}
# Shorter cuts need not be noticed.
NOTICED = 2.0
# The node waits 4 s for a reply and 3 s for a new connection before it reports that it is not ready.
KNOWS = 7.5
BACK = 4.0
# Longest response time of the other nodes meanwhile, on two cores.
UNHARMED = 2.0


def chosen():
    """Silence takes its time."""
    names = os.environ.get("LINKS", "")
    quick = [name for name in CUTS if CUTS[name][1] < 3]
    return list(CUTS) if names == "all" else names.split(",") if names else quick + [random.Random(SEED).choice([*CUTS][len(quick):])]


class Probe:
    """A client of the cut node that sends acceptable and unacceptable bids."""

    def __init__(self, crowd, wire):
        self.crowd, self.wire = crowd, wire
        self.room = crowd.open(crowd.cluster.ports[CUT], 20)
        self.amount, self.waiting = 100, []
        self.refused = self.unknown = 0

    def bid(self, amount=None):
        """A new bid by the bidder who does not lead."""
        if amount is None:
            self.amount += 1
            amount = self.amount
        attempt = Bid(self.room, 1, self.crowd.people[amount % 2][0], amount, uuid.uuid4().hex)
        self.crowd.attempts.append(attempt)
        return attempt

    def send(self, attempt, node, keyed=True):
        connection, person = Connection(self.crowd.cluster.ports[node]), self.crowd.people[attempt.amount % 2]
        attempt.sent = attempt.sent or time.monotonic()
        response = connection.call(
            "POST", f"/v1/rooms/{self.room}/bids", person[1], attempt.body, attempt.key if keyed else None)
        connection.close()
        if response.status != 503 and attempt.received is None:
            attempt.node = node
            attempt.record(response)
            self.crowd._learn(attempt, response)
        return response

    def finish(self, attempt, node):
        """Repeats the request with the same key until it has a response."""
        for _ in range(100):
            response = self.send(attempt, node)
            if response.status != 503:
                return response
            time.sleep(0.05)
        raise CheckFailed(f"{attempt} is not answered by node {node}")

    def turned_away(self):
        """A node that is cut off must answer 503: it can neither accept nor refuse a bid."""
        for amount in (None, self.crowd.random.randrange(1, 100)):
            attempt = self.bid(amount)
            response = self.send(attempt, CUT)
            if response.status != 503 or "retry-after" not in response.headers:
                raise CheckFailed(f"a node that is cut off answers {attempt} with {response.status} {response.body}")
            self.refused += response.code() == "service.unavailable"
            self.unknown += response.code() == "service.outcome_unknown"
            self.waiting.append(attempt)

    def close(self):
        connection = Connection(self.crowd.cluster.ports[CUT])
        expect(connection.call("POST", f"/v1/rooms/{self.room}/auction/end", self.crowd.host[1]), 200)
        connection.close()

    def settle(self):
        """Repeats the bids that got 503, on any node; each must be executed once."""
        for attempt in self.waiting:
            first = self.finish(attempt, self.crowd.random.randrange(len(self.crowd.cluster.ports)))
            # Bids of one room in their order; the others may be refused in any.
            if first.status != 201 and attempt.amount >= 100:
                raise CheckFailed(f"after the link is back {attempt} is answered {first.status} {first.body}")
        self.waiting.clear()


def turned_away(name, cluster, probe, end):
    """By a node that knows that it is cut off, once at least."""
    while True:
        probe.turned_away()
        if cluster.is_ready(CUT):
            raise CheckFailed(f"{name}: the node says that it is ready while it is cut off")
        if time.monotonic() > end:
            return
        time.sleep(0.2)


def cut(name, crowd, wire, probe):
    """Cuts the link and heals it; returns a line about it."""
    cluster, (act, seconds, forgets) = crowd.cluster, CUTS[name]
    # Its countdown expires while its node is cut off.
    crowd.open(cluster.ports[CUT], 2)
    begun = time.monotonic()
    act(wire)
    knows = 0
    if seconds < NOTICED:
        time.sleep(seconds)
    else:
        knows = eventually(lambda: not cluster.is_ready(CUT), f"{name}: the node says that it is not ready", KNOWS, pause=0.02)
        turned_away(name, cluster, probe, begun + seconds)
    healed = time.monotonic()
    wire.heal(forgets)
    back = eventually(lambda: cluster.is_ready(CUT), f"{name}: the node is ready again", BACK, pause=0.02)
    probe.settle()
    expect(probe.send(probe.bid(), CUT), 201)
    others = [attempt for attempt in list(crowd.attempts)
              if attempt.node not in (None, CUT) and attempt.asked and attempt.received and begun < attempt.asked < healed]
    slowest = max((attempt.received - attempt.asked for attempt in others), default=0)
    taken = sum(attempt.outcome == "acknowledged" for attempt in others)
    if taken < 20 or slowest > UNHARMED:
        raise CheckFailed(f"{name}: the others took {taken} bids meanwhile, the slowest answer took {slowest:.1f} s")
    return f"{name} {healed - begun:.1f} s: known after {knows:.1f} s, back after {back:.1f} s; others took {taken} bids, {slowest * 1000:.0f} ms at most"


def lost_commits(wire, probe):
    """The reply to a COMMIT is lost, or the request; a repeat with the same key resolves the outcome."""
    for number in range(8):
        # The lost message may have been another one of the node.
        if not any(lost_commit(number, wire, probe) for _ in range(10)):
            raise CheckFailed("no COMMIT of a bid can be lost")


def lost_commit(number, wire, probe):
    # After the last loss the node may still be connecting.
    expect(probe.finish(probe.bid(), CUT), 201)
    is_reply = number % 2 == 0
    (wire.lose_reply if is_reply else wire.lose_request)()
    attempt = probe.bid()
    response = probe.send(attempt, CUT)
    if response.status == 201:
        return False
    if response.status == 503 and response.code() == "service.unavailable":
        # Another append of the node was lost, and this one was not sent.
        wire.lose_nothing()
        expect(probe.finish(attempt, CUT), 201)
        return False
    if response.status != 503 or response.code() != "service.outcome_unknown" or "retry-after" not in response.headers:
        raise CheckFailed(f"a COMMIT without an answer: {response.status} {response.body}")
    first = probe.finish(attempt, number // 2 % 3)
    again = probe.finish(attempt, (number // 2 + 1) % 3)
    expect(first, 201)
    if (first.body, "true") != (again.body, again.headers.get("idempotency-replayed")):
        raise CheckFailed(f"a repeat says {again.status} {again.body}, the first {first.body}")
    if ("idempotency-replayed" in first.headers) != is_reply:
        raise CheckFailed(f"a bid whose {'reply' if is_reply else 'request'} was lost is answered {first.headers}")
    return True


def lost_clients(probe):
    """The client's connection breaks right after its request."""
    port = probe.crowd.cluster.ports[CUT]
    for number in range(10):
        attempt, connection = probe.bid(), Connection(port)
        person = probe.crowd.people[attempt.amount % 2]
        attempt.sent = time.monotonic()
        connection.socket = socket.create_connection(("127.0.0.1", port))
        head = (f"POST /v1/rooms/{probe.room}/bids HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {person[1]}\r\nIdempotency-Key: "
                f"{attempt.key}\r\nContent-Type: application/json\r\nContent-Length: {len(attempt.body)}\r\n\r\n")
        connection.socket.sendall(head.encode() + attempt.body)
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        time.sleep(number * 0.002)
        connection.close()
        expect(probe.finish(attempt, 1 + number % 2), 201)


def run(folder):
    url = postmaster.database("links")
    wire = Link(url)
    cluster = Cluster([wire.url, url, url], folder)
    for line in staleness.check(cluster, CUT):
        print("links: a node is " + line, flush=True)
    crowd = Crowd(cluster, SEED, 12, CLIENTS, avoids=CUT)
    probe = Probe(crowd, wire)
    expect(probe.send(probe.bid(), CUT), 201)
    lost_commits(wire, probe)
    lost_clients(probe)
    print(f"links: {wire.lost_replies} COMMITs without an answer, {wire.lost_requests} that never arrived, 10 bids whose client was "
          "cut off: each is there once", flush=True)
    subscribers = Subscribers(cluster.ports, [crowd.rooms[0], probe.room], SEED)
    crowd.begin()
    try:
        for name in chosen():
            print("links: " + cut(name, crowd, wire, probe), flush=True)
    finally:
        wire.heal()
        crowd.end()
    probe.close()
    crowd.await_closed(20)
    findings, events = audit(crowd, cluster, [], subscribers)
    for node in range(len(cluster.ports)):
        cluster.stop(node)
    wire.close()
    findings += verify(url)
    return crowd, probe, subscribers, findings, events


def main():
    require_binary()
    begun = time.monotonic()
    print(f"links: seed {SEED}, {CLIENTS} clients", flush=True)
    with scratch_folder("links", f"seed {SEED}, ") as folder:
        crowd, probe, subscribers, findings, events = run(folder)
        require_none(findings)
    print(f"links: {events} events the same on all nodes; bids: {crowd.counts()}; the cut node turned away {probe.refused + probe.unknown}, "
          f"{probe.unknown} of them with an unknown outcome, and took or refused none from the past; subscribers {subscribers.count()} "
          f"saw the log's sequence; {time.monotonic() - begun:.0f} s")


main()
