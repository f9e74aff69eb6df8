"""What nodes on one database share besides rooms: tickets, revocations, idempotency keys, and presence."""
import os
import signal
import tempfile

import postmaster
from identity import open_stream, seconds_to_end, write
from program import NO_LIMITS, Server
from web_socket import WebSocket
from wire import Connection, CheckFailed, eventually, expect

TIMEOUT = 5


class Pair:
    """Two nodes, and a room that was created through the first."""

    def __init__(self, folder):
        self.revoked = write(os.path.join(folder, "revoked"), b"# nobody\n")
        self.url = postmaster.database("sharing")
        self.servers = [self.start("--revocations-file", self.revoked), self.start()]
        self.nodes = [Connection(server.port) for server in self.servers]
        self.host, self.guest = (self.sign_in(name) for name in ("Hana", "Gus"))
        self.room = expect(self.nodes[0].call("POST", "/v1/rooms", self.host["token"], {"name": "Shared"}), 201)["id"]

    def start(self, *arguments):
        return Server(self.url, *NO_LIMITS, "--threads", "1", "--stream-notice-seconds", "1", *arguments, timeout=60)

    def sign_in(self, name):
        return expect(self.nodes[0].call("POST", "/v1/guests", body={"nickname": name}), 201)

    def call(self, node, method, tail, who=None, body=None, key=None):
        return self.nodes[node].call(method, f"/v1/rooms/{self.room}{tail}", who and who["token"], body, key)


def tickets(pair):
    """A ticket is accepted by a node that did not issue it, and only once across all nodes."""
    for number in range(10):
        giver, taker = number % 2, 1 - number % 2
        ticket = expect(pair.call(giver, "POST", "/tickets", pair.guest), 201)["ticket"]
        if number < 5:
            WebSocket(pair.servers[taker].port, f"/v1/rooms/{pair.room}/socket?ticket={ticket}").close()
        else:
            expect(pair.call(taker, "GET", f"/events?ticket={ticket}"), 200)
        again = [pair.call(node, "GET", f"/events?ticket={ticket}").status for node in (0, 1)]
        if again != [401, 401]:
            raise CheckFailed(f"a ticket is taken twice: {again}")
    unused = expect(pair.call(0, "POST", "/tickets", pair.guest), 201)["ticket"]
    kept = postmaster.psql("SELECT encode(key, 'hex'), encode(content, 'escape') FROM ticket", pair.url)
    if not kept or unused in kept or pair.guest["token"][-20:] in kept:
        raise CheckFailed("the database shows a ticket or a token, or keeps none")


def keys(pair):
    """Another node replays the response of a keyed command byte for byte if it changed state; otherwise it executes it anew."""
    expect(pair.call(0, "POST", "/members", pair.guest, {"role": "bidder"}), 201)
    for number in range(10):
        key, body = f"again-{number}", {"role": "viewer" if number % 4 == 0 else "bidder"}
        first = pair.call(number % 2, "POST", "/members", pair.guest, body, key)
        again = pair.call(1 - number % 2, "POST", "/members", pair.guest, body, key)
        changes = number % 4 in (0, 1)
        is_repeat = "idempotency-replayed" in again.headers
        if (first.status, again.status) != (200, 200) or is_repeat != changes or changes and again.body != first.body:
            raise CheckFailed(f"a repeat at another node got {again.status} {again.body!r} after {first.body!r}")


def presence(pair):
    """A stream on one node counts as a viewer on the other, until it ends."""
    streams = [open_stream(server.port, pair.room, pair.host["token"]) for server in pair.servers]

    def viewers():
        return [expect(pair.call(node, "GET", ""), 200)["viewers"] for node in (0, 1)]

    eventually(lambda: viewers() == [2, 2], "two streams are two viewers everywhere", TIMEOUT, pause=0.02)
    streams[0].close()
    eventually(lambda: viewers() == [1, 1], "one stream is one viewer everywhere", TIMEOUT, pause=0.02)
    return streams[1]


def revocations(pair, stream):
    """A revocation in one node's file ends streams on the other within a second, and applies to nodes that start later."""
    write(pair.revoked, f"user {pair.host['user']['id']}\n".encode())
    pair.servers[0].process.send_signal(signal.SIGHUP)
    took = seconds_to_end(stream)
    if took > 1:
        raise CheckFailed(f"a revoked user's stream at the other node lived for {took:.1f} s")
    late = pair.start()
    connection = Connection(late.port)
    code = connection.call("GET", f"/v1/rooms/{pair.room}", pair.host["token"]).code()
    if code != "token.revoked":
        raise CheckFailed(f"at a node that started later a revoked user is answered {code}")
    connection.close()
    late.terminate()
    return took


def check():
    """Returns a one-line summary of the results."""
    with tempfile.TemporaryDirectory(prefix="auction-sharing.") as folder:
        pair = Pair(folder)
        tickets(pair)
        keys(pair)
        took = revocations(pair, presence(pair))
        for server in pair.servers:
            code, output = server.terminate()
            if code or output:
                raise CheckFailed(f"a node ended with {code}, {output!r}")
    return f"tickets, keys and presence are shared, a revocation took {took * 1000:.0f} ms to another node"
