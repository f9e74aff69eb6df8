"""A user leaves the service for good: what is stored afterwards, whatever was killed, and what `verify` says of it."""
import json
import os
import random
import subprocess
import tempfile
import time

import database
from postmaster import PROGRAMS
from postmaster import database as new_database
from program import NO_LIMITS, Server, auction_room, require_binary
from room_setup import RULES, guest, open_room
from wire import Checks, Connection, ConnectionLost, all_events, eventually, expect

# Another node of a shared log waits a minute for the lease of the one that was killed.
KILLS = {"sqlite": int(os.environ.get("ERASURE_KILLS", "5")), "postgres": 1}
BIDS, FEW_BIDS = 300, 60
check = Checks()


def nickname(mark):
    """Has what JSON escapes, what it does not, and no equal anywhere."""
    return f'Zoë "{mark}" \\ 竞拍'


def traces(mark, content):
    """The forms of a nickname in bytes: as it is, as JSON escapes it, and the part without either."""
    plain = nickname(mark)
    forms = (plain.encode(), json.dumps(plain, ensure_ascii=False)[1:-1].encode(), json.dumps(plain)[1:-1].encode(), mark.encode())
    return [form for form in forms if form in content]


class Store:
    """A store of one kind, and how its bytes are searched."""

    def __init__(self, kind, folder, name):
        self.folder = os.path.join(folder, name)
        os.makedirs(self.folder)
        self.url = f"sqlite:{self.folder}/rooms.db" if kind == "sqlite" else new_database(f"erasure_{name}")
        self.kind = kind

    def content(self):
        if self.kind == "sqlite":
            return {name: open(os.path.join(self.folder, name), "rb").read() for name in os.listdir(self.folder)}
        dump = subprocess.run([f"{PROGRAMS}/pg_dump", self.url], stdout=subprocess.PIPE, check=True, timeout=60).stdout
        # A bytea is dumped as hexadecimal digits.
        binary = [bytes.fromhex(part.decode()) for line in dump.split(b"\n") for part in line.split(b"\\\\x")[1:]
                  for part in [part.split(b"\t")[0]]]
        return {"dump": dump, "bytes": b"\n".join(binary)}

    def found(self, mark):
        return {name: traces(mark, content) for name, content in self.content().items() if traces(mark, content)}


def server(store, *arguments):
    return Server(store.url, *NO_LIMITS, "--limit-messages-per-second", "0", "--log-level", "error", *arguments)


def auctions(connection, mark, bids=BIDS):
    """Two rooms of a user who hosts a third one; returns them with the token and the host."""
    leaver = guest(connection, nickname(mark))
    host, seller, rival = (guest(connection, name) for name in ("Host", "Seller", "Rival"))
    rooms = []
    for _ in range(2):
        room = open_room(connection, "Room", host, seller, (leaver, rival))
        path = f"/v1/rooms/{room}"
        for text in (f"I am {mark}.", "Hello"):
            expect(connection.call("POST", path + "/messages", leaver[1], {"text": text}, "key-" + text[-3:]), 201)
        expect(connection.call("POST", path + "/items", seller[1], {"name": "Lot", "rules": RULES}), 201)
        expect(connection.call("POST", path + "/auction/start", host[1]), 200)
        for amount in range(1, bids, 2):
            expect(connection.call("POST", path + "/bids", rival[1], {"amount": f"{amount}.00"}), 201)
            expect(connection.call("POST", path + "/bids", leaver[1], {"amount": f"{amount + 1}.00"}, f"key-{amount}"), 201)
        expect(connection.call("POST", path + "/auction/end", host[1]), 200)
        rooms.append(room)
    expect(connection.call("POST", "/v1/rooms", leaver[1], {"name": "Mine"}), 201)
    return rooms, leaver, host


def verified(store):
    result = auction_room("verify", "--store", store, timeout=120)
    check(result.returncode == 0 and result.stdout.endswith(" 0 findings\n"), f"verify: {result.stdout}{result.stderr}")


def exported(store, mark, leaver, count=BIDS):
    everything = auction_room("export", "--store", store, timeout=120)
    check(everything.returncode == 0 and not traces(mark, everything.stdout.encode()), f"export: {everything.stderr}")
    events = [json.loads(line) for line in everything.stdout.splitlines()]
    bids = [event for event in events if event["type"] == "bid.placed" and event["data"]["bidder"]["id"] == leaver[0]]
    names = {event["data"]["bidder"]["nickname"] for event in bids}
    check(len(bids) == count and len(names) == 1 and next(iter(names)).startswith("Former user "), f"the bids are of {names}")
    check({event["data"]["winner"]["id"] for event in events if event["type"] == "item.sold"} == {leaver[0]}, "another one has won")
    check(any(event["type"] == "member.erased" for event in events), "no event announces it")
    return everything.stdout


def leaves(kind, folder):
    mark = "Qx7" + os.urandom(6).hex()
    store = Store(kind, folder, f"leaves_{kind}")
    service = server(store)
    connection = Connection(service.port)
    rooms, leaver, host = auctions(connection, mark)
    check(store.found(mark), "the search finds no nickname before either")
    before = time.monotonic()
    expect(connection.call("DELETE", "/v1/me", leaver[1]), 204)
    seconds = time.monotonic() - before
    check(not store.found(mark), f"{kind}: after {seconds:.1f} s the nickname is in {store.found(mark)}")
    check(connection.call("GET", "/v1/me", leaver[1]).status == 401, "the token goes on")
    for room in rooms:
        check(not traces(mark, b"".join(all_events(connection, room, host[1]))), "an event shows the nickname")
    verified(store.url)
    export = exported(store.url, mark, leaver)
    service.end()
    check(not store.found(mark), f"{kind}: after the end the nickname is in {store.found(mark)}")
    copy = Store("sqlite", folder, f"copy_{kind}")
    check(auction_room("copy", "--from", store.url, "--to", copy.url, timeout=120).returncode == 0, "it cannot be copied")
    verified(copy.url)
    check(exported(copy.url, mark, leaver) == export and not copy.found(mark), "the copy is another one")
    if kind == "sqlite":
        other = new_database("erasure_copied")
        check(auction_room("copy", "--from", store.url, "--to", other, timeout=120).returncode == 0, "no copy to PostgreSQL")
        verified(other)
        backup = f"{folder}/backup"
        check(auction_room("backup", "--store", store.url, "--to", backup, timeout=120).returncode == 0, "no backup")
        restored = Store("sqlite", folder, "restored")
        check(auction_room("restore", "--from", backup, "--store", restored.url, timeout=120).returncode == 0, "no restore")
        verified(restored.url)
        check(not restored.found(mark), "the restored log has the nickname")
        tampered(folder, store)
    again = server(copy)
    answer = Connection(again.port).call("GET", "/v1/me", leaver[1])
    check(answer.status == 401, f"the token is accepted on the copy: {answer.status} {answer.body}")
    again.end()
    return seconds


def tampered(folder, store):
    """Changes of rewritten events, with and without a digest that looks right."""
    for number, statement in enumerate((
        "UPDATE event SET public = CAST(replace(CAST(public AS TEXT), '\"amount\":\"2.00\"', '\"amount\":\"9.00\"') AS BLOB) WHERE length(hash) = 64",
        "UPDATE event SET hash = substr(hash, 1, 32) || zeroblob(32) WHERE length(hash) = 64 AND type = 'bid.placed'",
        "UPDATE event SET hash = substr(hash, 1, 32) WHERE length(hash) = 64 AND type = 'bid.placed'",
    )):
        copy = database.copy(store.folder, os.path.join(folder, f"tampered-{number}"))
        log = database.Log(copy)
        log.run(statement)
        log.close()
        result = auction_room("verify", "--store", f"sqlite:{copy}/rooms.db", timeout=120)
        check(result.returncode == 1 and "does not match its hash" in result.stdout, f"{statement}: {result.stdout[-300:]}")


def killed(kind, folder):
    """kill -9 at a random moment of the erasure; the next start finishes it, and a bid of others goes on meanwhile."""
    unfinished = 0
    for number in range(KILLS[kind]):
        mark = "Kx7" + os.urandom(6).hex()
        store = Store(kind, folder, f"killed_{kind}_{number}")
        service = server(store)
        connection = Connection(service.port)
        rooms, leaver, host = auctions(connection, mark, FEW_BIDS)
        delay = random.uniform(0, 0.2)
        pending = subprocess.Popen(
            ["curl", "-s", "-o", os.devnull, "-X", "DELETE", "-H", f"Authorization: Bearer {leaver[1]}", f"http://127.0.0.1:{service.port}/v1/me"])
        time.sleep(delay)
        service.kill()
        pending.wait()
        verified(store.url)
        service = server(store)
        connection = Connection(service.port)
        if connection.call("GET", "/v1/me", leaver[1]).status == 200:
            # It was not recorded.
            expect(connection.call("DELETE", "/v1/me", leaver[1]), 204)
        else:
            unfinished += bool(store.found(mark))
        eventually(lambda: not store.found(mark), f"{kind}, killed after {delay:.2f} s: the nickname goes from {store.found(mark).keys()}", 100, pause=0.5)
        expect(connection.call("POST", f"/v1/rooms/{rooms[0]}/messages", host[1], {"text": "We go on."}), 201)
        service.end()
        check(not store.found(mark), f"{kind}, killed after {delay:.2f} s: in {store.found(mark).keys()} after the end")
        verified(store.url)
        exported(store.url, mark, leaver, FEW_BIDS)
    return unfinished


def main():
    require_binary()
    with tempfile.TemporaryDirectory(prefix="auction-erasure.") as folder:
        said = []
        for kind in ("sqlite", "postgres"):
            seconds = leaves(kind, folder)
            unfinished = killed(kind, folder)
            said.append(f"{kind} {seconds:.1f} s, {unfinished} of {KILLS[kind]} kills in the middle")
    print(f"erasure: a user with {BIDS} bids leaves no byte of the nickname behind ({'; '.join(said)}); {check.count} checks")


main()
