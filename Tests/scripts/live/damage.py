"""Truncated and overwritten files: the program reports them, `verify` locates the damage, and intact events can still be read.

The expected events are known independently: from an export before the damage, and from the file pages that hold their bytes.
"""
import functools
import os
import random
import re
import shutil
import sqlite3
import tempfile
import time

import database
from load import World
from program import auction_room, require_binary, scratch_folder
from recovery_checks import Failure, require_no_findings, start
from wire import Connection, ConnectionLost, CheckFailed, all_events

PAGE = 4096
IO_ERROR = 74
run = functools.partial(auction_room, text=False)
SEED = int(os.environ.get("DAMAGE_SEED") or random.SystemRandom().getrandbits(32))


class Log:
    """An intact, closed log, and the events that it served."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder)
        server = start(folder)
        world = World(server, SEED, 4, 16)
        world.run_load(server, 1, lambda: time.sleep(0.8))
        connection = Connection(server.port)
        self.served = {room: all_events(connection, room) for room in world.rooms}
        connection.close()
        server.terminate()
        self.exported = run("export", "--store", self.store).stdout.splitlines()
        with open(self.path, "rb") as file:
            self.bytes = file.read()
        self.places = {line: self.find(line) for line in self.exported}

    path = property(lambda self: os.path.join(self.folder, "rooms.db"))
    store = property(lambda self: f"sqlite:{self.path}")

    def root(self, name):
        """The first page of a table or index, counted from 0."""
        with sqlite3.connect(self.path) as opened:
            ((page,),) = opened.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,))
        return page - 1

    def readable_pages(self):
        """With so many pages the file has all of the schema, and the first page of each table; with less, nothing can be read."""
        schema = "SELECT count(*), max(rootpage) FROM sqlite_schema"
        with sqlite3.connect(self.path) as opened:
            ((entries, last_root),) = opened.execute(schema)
        for pages in range(last_root, len(self.bytes) // PAGE):
            with tempfile.NamedTemporaryFile(dir=self.folder) as cut:
                cut.write(self.bytes[: pages * PAGE])
                cut.flush()
                try:
                    with sqlite3.connect(cut.name) as opened:
                        # Else SQLite reads no file that is shorter than its first page says.
                        opened.execute("PRAGMA writable_schema = ON")
                        if opened.execute(schema).fetchone()[0] == entries:
                            return pages
                except sqlite3.DatabaseError:
                    continue
        raise Failure("the schema is at the end of the file")

    def leaf(self, rng):
        """A page that holds events and nothing else."""
        root = self.root("event")
        pages = {self.bytes.rindex(event) // PAGE for events in self.served.values() for event in events if event in self.bytes}
        return rng.choice(sorted(page for page in pages if page != root and self.bytes[page * PAGE] == 13))

    def on(self, page):
        """The exported lines whose events lie in a page, at least in part."""
        # After a page split, moved rows are still in the old page: an event found in several places may be lost. An event found in
        # none is longer than a page.
        return {line for line, places in self.places.items()
                if not places or any(first <= page <= last for first, last in places)}

    def find(self, line):
        """The first and the last page of each place in the file where an exported line's event stands."""
        event = re.sub(rb'^\{"room":"[^"]*",', b"{", line)
        places, at = [], self.bytes.find(event)
        while at >= 0:
            places.append((at // PAGE, (at + len(event)) // PAGE))
            at = self.bytes.find(event, at + 1)
        return places


class Broken:
    """A damaged copy of a log."""

    def __init__(self, log, scratch, name, content):
        self.log, self.name = log, name
        self.folder = database.copy(log.folder, os.path.join(scratch, name))
        shutil.copy(log.path + ".lock", self.folder)
        if content is None:
            os.remove(f"{self.folder}/rooms.db")
        else:
            with open(f"{self.folder}/rooms.db", "wb") as file:
                file.write(content)
        self.store = f"sqlite:{self.folder}/rooms.db"

    def fail(self, text):
        raise Failure(f"{self.name}: {text}")

    def is_refused(self):
        """Every command fails with one line that names the file."""
        for command in ("serve", "verify", "export"):
            more = ("--port", "0") if command == "serve" else ()
            ended = run(command, "--store", self.store, *more)
            lines = ended.stderr.decode().splitlines()
            if ended.returncode not in (69, IO_ERROR) or ended.stdout or len(lines) != 1 or "rooms.db" not in lines[0]:
                self.fail(f"{command} ends with {ended.returncode}, {ended.stdout!r}, {ended.stderr!r}")

    def verify_says(self, pattern):
        ended = run("verify", "--store", self.store)
        lines = ended.stdout.decode().splitlines()
        if ended.returncode != 1 or not lines or lines[-1].endswith(" 0 findings"):
            self.fail(f"verify ends with {ended.returncode}, {lines[-3:]}, {ended.stderr!r}")
        if not any(re.search(pattern, line) for line in lines[:-1]):
            self.fail(f"verify does not say {pattern!r}: {lines[:8]}")

    def exports_all_but(self, lost):
        """Every intact event is exported, byte for byte and in order; missing ones are reported."""
        ended = run("export", "--store", self.store)
        lines = ended.stdout.splitlines()
        missing = set(self.log.exported) - set(lines)
        if missing - lost:
            self.fail(f"{len(missing - lost)} intact events of {len(self.log.exported)} are not exported: {ended.stderr!r}")
        if lines != [line for line in self.log.exported if line not in missing]:
            self.fail("the export holds something else than the log did")
        complains = ended.returncode == IO_ERROR and b"damaged" in ended.stderr
        if missing and not complains:
            self.fail(f"{len(missing)} events are missing in the export, and it ends with {ended.returncode}: {ended.stderr!r}")

    def serves(self, everything=False):
        """The server serves rooms with their whole history or not at all, or reports why it does not start or why it ended.

        With `everything` it must start, go on, and serve all rooms."""
        try:
            server = start(self.folder)
        except SystemExit as refused:
            if everything or not re.search(r"rooms\.db.*malformed", str(refused)):
                self.fail(f"the server does not say why it does not start: {refused}")
            return
        connection = Connection(server.port)
        try:
            self.compare(connection, everything)
        except ConnectionLost as lost:
            # A countdown that expired meanwhile could not be appended: then it ends, as it does for every failed commit.
            code = server.process.wait(20)
            with open(os.path.join(self.folder, "server.log"), errors="replace") as file:
                if everything or code != IO_ERROR or not re.search(r"rooms\.db.*malformed", file.read()):
                    self.fail(f"the server ended with {code}: {lost}")
        connection.close()
        server.kill()

    def compare(self, connection, everything):
        for room, events in self.log.served.items():
            response = connection.call("GET", f"/v1/rooms/{room}")
            if response.status == 200:
                try:
                    served = all_events(connection, room)
                except CheckFailed as failure:
                    # What is in memory is answered; what was not read yet and cannot be is not made up.
                    if " 500 " in str(failure) and not everything:
                        continue
                    raise
                if served[: len(events)] != events:
                    self.fail(f"the server tells another history of {room}: {len(served)} events, there were {len(events)}")
            elif everything or response.status not in (500, 503):
                self.fail(f"{room} is answered {response.status}")


def check(log, scratch):
    rng, size, cases = random.Random(SEED), len(log.bytes), 0

    def broken(name, content):
        nonlocal cases
        cases += 1
        return Broken(log, scratch, name, content)

    rubbish = rng.randbytes(PAGE)
    for name, content in (("empty", b""), ("gone", None), ("header", rubbish[:100] + log.bytes[100:]), ("other", b"hello" * 999)):
        if name == "gone":
            # `verify` and `export` must not create a missing file, so only `serve` is tried.
            ended = run("serve", "--port", "0", "--store", broken(name, content).store)
            require_no_findings([] if ended.returncode == IO_ERROR and b"rooms.db" in ended.stderr else [f"{ended}"], "with a file that is gone")
        else:
            broken(name, content).is_refused()
    for name, page in (
        ("events", log.leaf(rng)), ("more-events", log.leaf(rng)), ("event-index", log.root("event_index")),
        ("room-index", log.root("room_listed")), ("snapshots", log.root("snapshot")), ("answers", log.root("answer")),
    ):
        for way, bytes_ in (("rubbish", rubbish), ("zeroes", bytes(PAGE))):
            case = broken(f"{name}-{way}", log.bytes[: page * PAGE] + bytes_ + log.bytes[(page + 1) * PAGE:])
            case.verify_says(r"seq \d+ is missing|the events end at|rooms\.db: ")
            case.exports_all_but(log.on(page) if "events" in name else set())
            # A lost snapshot costs time, never data.
            case.serves(everything=name == "snapshots")
    readable = log.readable_pages()
    for name, length in (("a-page", size - PAGE), ("half-a-page", size - PAGE // 2), ("half", size // 2), ("most", readable * PAGE + 17)):
        case = broken(f"cut-by-{name}", log.bytes[:length])
        kept = length // PAGE
        case.verify_says(r"rooms\.db: ")
        case.exports_all_but(set().union(*(log.on(page) for page in range(kept, size // PAGE))))
        case.serves()
    return cases


def main():
    require_binary()
    started = time.monotonic()
    with scratch_folder("damage", f"seed {SEED}, ") as folder:
        log = Log(os.path.join(folder, "sound"))
        cases = check(log, folder)
    print(f"damage: {cases} broken files of a log with {len(log.exported)} events; each was noticed, and what is intact was read; "
          f"{time.monotonic() - started:.0f} s")


main()
