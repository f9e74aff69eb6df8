"""Floods against the real program, each bounded by a limit of its own: what is beyond it is refused, and the memory stays where
it was. Every flood is there twice; what the second one leaves behind would grow for ever."""
import pathlib
import socket
import tempfile

import program
from wire import Connection, ConnectionLost, check, expect

GUESTS, ROOMS, CONNECTIONS = 50, 10, 100
KEYS = 1000  # of one user in one room, which is no option
LIMITS = (
    "--limit-guests-per-minute", str(GUESTS), "--limit-rooms-per-user", str(ROOMS),
    "--limit-connections", str(CONNECTIONS), "--limit-messages-per-second", "0", "--limit-commands-per-second", "0", "--limit-request-seconds", "2")
# Permitted growth: allocators keep pages, and histograms fill.
GROWTH_KB = 8 * 1024


def statuses(connection, count, *call):
    """Counts of the response statuses."""
    seen = {}
    for number in range(count):
        arguments = [part(number) if callable(part) else part for part in call]
        response = connection.call(*arguments)
        seen[response.status] = seen.get(response.status, 0) + 1
        if response.status in (429, 503):
            check("retry-after" in response.headers, f"{response.status} without Retry-After")
    return seen


def of_connections(server, people):
    """Far more connections than the limit: some are accepted, none hangs, and clients still connect afterwards."""
    crowd = []
    for _ in range(CONNECTIONS * 4):
        crowd.append(socket.create_connection(("127.0.0.1", server.port), timeout=5))
    still = 0
    for client in crowd:
        client.settimeout(0.01)
        try:
            still += client.recv(1) != b""
        except TimeoutError:
            still += 1
        except OSError:
            pass
    check(still <= CONNECTIONS + max(64, CONNECTIONS // 16) + 1, f"{still} connections are open, {CONNECTIONS} may be")
    for client in crowd:
        client.close()


def of_heads(server, people):
    """Heads at the limit and beyond it."""
    fits = Connection(server.port)
    seen = statuses(fits, 300, "GET", "/healthz", None, None, None, ["X-Padding: " + "p" * 3500])
    check(seen == {200: 300}, f"heads that fit were answered {seen}")
    for _ in range(100):
        large = Connection(server.port)
        try:
            check(large.call("GET", "/healthz", None, None, None, ["X-Padding: " + "p" * 9000]).status == 431, "no 431")
        except ConnectionLost:
            pass
        large.close()


def of_guests(server, people):
    seen = statuses(Connection(server.port), 600, "POST", "/v1/guests", None, lambda n: {"nickname": f"g{n}"})
    check(set(seen) <= {201, 429} and seen.get(429, 0) >= 600 - 2 * GUESTS, f"guests were answered {seen}")


def of_rooms(server, people):
    """Rooms of one user, without and with idempotency keys."""
    connection = Connection(server.port)
    seen = statuses(connection, 100, "POST", "/v1/rooms", people[0], lambda n: {"name": f"r{n}"})
    check(seen.get(201, 0) <= ROOMS and set(seen) <= {201, 409, 429}, f"rooms were answered {seen}")
    keyed = statuses(connection, 100, "POST", "/v1/rooms", people[0], {"name": "r"}, lambda n: f"room-{n}")
    check(not keyed.get(201), f"keyed rooms beyond the limit were answered {keyed}")


def of_keys(server, people):
    """Beyond the limit of keys a user's own oldest are evicted, and no command is refused."""
    connection = Connection(server.port)
    if not hasattr(of_keys, "room"):
        of_keys.room = expect(connection.call("POST", "/v1/rooms", people[1], {"name": "keys"}), 201)["id"]
        of_keys.number = 0

    def key(_):
        of_keys.number += 1
        return f"key-{of_keys.number}"
    path = f"/v1/rooms/{of_keys.room}/messages"
    seen = statuses(connection, 2 * KEYS, "POST", path, people[1], {"text": "again"}, key)
    check(seen == {201: 2 * KEYS}, f"keyed commands were answered {seen}")
    for number, isKept in ((of_keys.number, True), (of_keys.number - 3 * KEYS // 2, False)):
        response = connection.call("POST", path, people[1], {"text": "again"}, f"key-{number}")
        check(response.status == 201 and ("idempotency-replayed" in response.headers) == isKept, f"key {number} is kept: {not isKept}")


FLOODS = {"connections": of_connections, "heads": of_heads, "guests": of_guests, "rooms": of_rooms, "keys": of_keys}


def run(folder):
    server = program.Server(f"sqlite:{folder}/rooms.db", *LIMITS, log=str(folder / "log"))
    calls = Connection(server.port)
    people = [expect(calls.call("POST", "/v1/guests", None, {"nickname": n}), 201)["token"] for n in ("Ann", "Bo")]
    calls.close()
    for name, flood in FLOODS.items():
        flood(server, people)
        before = server.resident()
        flood(server, people)
        after = server.resident()
        check(after - before <= GROWTH_KB, f"a flood of {name} leaves {after - before} kB behind")
        probe = Connection(server.port)
        check(probe.call("GET", "/readyz").status == 200, f"after a flood of {name} the server is not ready")
        probe.close()
        print(f"a flood of {name} is bounded; {after // 1024} MB", flush=True)
    server.end()


if __name__ == "__main__":
    program.require_binary()
    with tempfile.TemporaryDirectory(prefix="flood-") as name:
        run(pathlib.Path(name))
