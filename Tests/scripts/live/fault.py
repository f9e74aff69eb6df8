"""One fault on the real program: `fault.py TEMPLATE PHASE FAULT CALLS TARGET WHEN`, as in `serving kill sync any 17`.

TEMPLATE holds a log right after a kill -9 under load, and what the people of that log know. A case works on a copy of it:
the fault happens, everybody who was answered writes down what they were promised, the program comes back without the
fault, and everything must be so: what was acknowledged is there once, what was refused is not, repeats with the same key
get the same bytes or are decided anew, never twice.
"""
import json
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import database
from inject import SYNC, WRITE, Injection, hit_at, in_front
from load import UNKNOWN, World
from program import BINARY, require_binary, running
from promises import ARGUMENTS, Failure, Promises, none, start
from wire import Connection, ConnectionLost, Surprise, expect

PATIENCE = 60
CALLS = {"sync": SYNC, "write": WRITE}
FAULTS = {"kill": "signal=KILL", "EIO": "error=EIO", "ENOSPC": "error=ENOSPC"}
# Which files' calls are meant; every file's if nothing is named.
TARGETS = {"any": (), "log": ("rooms.db", "rooms.db-wal", "rooms.db-journal"), "database": ("rooms.db",), "directory": ("",)}
IO_ERROR = 74


def until(holds, what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise Failure(f"waited {seconds} s for this: {what}")
        time.sleep(0.005)


class Case:
    def __init__(self, template, words, scratch):
        self.phase, self.fault, self.calls, self.target, self.when = words
        self.folder = os.path.join(scratch, "log")
        self.trace = os.path.join(scratch, "trace")
        if self.phase == "beginning":
            self.world = None
        else:
            database.copy(template, self.folder)
            with open(os.path.join(template, "world"), "rb") as file:
                self.world = pickle.load(file)
            self.world.random = random.Random(" ".join(words))
        self.promises = Promises(scratch, random.Random(" ".join(words)))
        paths = [os.path.normpath(os.path.join(self.folder, name)) for name in TARGETS[self.target]]
        self.injected = (CALLS[self.calls], FAULTS[self.fault], self.when, paths)
        self.ready = []

    def run(self):
        if self.phase in ("starting", "beginning"):
            self.start()
        else:
            self.serve()
        self.come_back()
        return self.promises.counts

    # While it serves, or stops.

    def serve(self):
        server = start(self.folder, "--stop-seconds", "2")
        self.world.may_fail = self.fault != "kill" or self.phase == "stopping"
        self.world.live(server, 1, lambda: self.end(server))
        none(self.world.surprises, "under load")
        if self.fault == "EIO":
            self.require_silence()

    def end(self, server):
        if self.phase == "stopping":
            time.sleep(0.2)
        injection = Injection(server.process, self.trace, *self.injected)
        watch = threading.Thread(target=self.watch, args=(server.port,), daemon=True)
        watch.start()
        try:
            if self.phase == "stopping":
                server.process.send_signal(signal.SIGTERM)
            if self.fault == "ENOSPC" and self.phase == "serving":
                self.full(server, injection)
            else:
                until(lambda: server.process.poll() is not None, f"the program ends by {self.fault}; hit at {injection.hit_at()}")
                self.require_end(server.process.returncode, injection.hit_at())
        finally:
            server.kill()
            injection.end()
            watch.join()

    def watch(self, port):
        """What `/readyz` says until nobody answers any more."""
        connection = Connection(port, timeout=5)
        try:
            while True:
                asked = time.time()
                self.ready.append((asked, connection.call("GET", "/readyz").status))
                time.sleep(0.02)
        except ConnectionLost:
            connection.close()

    def full(self, server, injection):
        """A disk that is full for one call or for some: commands fail, the program goes on."""
        until(lambda: injection.hit_at() is not None, "the disk is full")
        # Not by detaching strace: a call that it has in its hands just then would fail in a way that no disk has.
        time.sleep(0.5)
        cleared = time.monotonic()
        until(lambda: self.world.last_acknowledged > cleared, "bids are taken again once there is room")
        until(lambda: self.ready[-1][1] == 200, "/readyz is well once there is room")
        if server.process.poll() is not None:
            raise Failure(f"a full disk ended the program with {server.process.returncode}: {self.complaint()}")

    def require_end(self, code, hit):
        if self.fault == "kill":
            wanted = (-signal.SIGKILL,)
        else:
            # A stop that fails in its last checkpoint has lost nothing: the next start does it again.
            wanted = (0, IO_ERROR) if self.phase == "stopping" else (IO_ERROR,)
            if hit is None:
                raise Failure("no call was made to fail")
        if code not in wanted:
            raise Failure(f"the program ended with {code}, not {wanted}: {self.complaint()}")
        if code == IO_ERROR and not re.search(r"rooms\.db.*(I/O error|Input/output error)", self.complaint()):
            raise Failure(f"the program does not say what failed: {self.complaint()}")

    def complaint(self):
        with open(os.path.join(self.folder, "server.log"), errors="replace") as log:
            return log.read()[-2000:]

    def require_silence(self):
        """Nothing is acknowledged after a failure of the disk, and nobody is told that all is well."""
        if self.phase == "stopping":
            return
        hit, clocks = hit_at(self.trace), time.time() - time.monotonic()
        # The committer's own failure counts from its instant on; another thread's as soon as it has told it.
        late = hit + (0 if self.hit_thread() == "committer" else 0.25)
        findings = [f"acknowledged after the disk failed: {attempt}" for attempt in self.world.attempts
                    if attempt.outcome == "acknowledged" and attempt.sent + clocks > late]
        findings += [f"/readyz answered 200 {asked - hit:.2f} s after the disk failed" for asked, status in self.ready
                     if status == 200 and asked > hit + 0.5]
        events = self.promises.look(self.folder)
        placed = {}
        for room, raw in events.items():
            for event in map(json.loads, raw):
                if event["type"] == "bid.placed":
                    placed[room, event["data"]["bidder"]["id"], event["data"]["amount"]] = event["seq"]
        unknown = {}
        for attempt in self.world.attempts:
            seq = placed.get((attempt.room, attempt.bidder, attempt.text))
            if attempt.said == UNKNOWN and seq:
                unknown[attempt.room] = min(seq, unknown.get(attempt.room, seq))
        for attempt in self.world.attempts:
            if attempt.outcome == "acknowledged" and json.loads(attempt.answer)["bid"]["seq"] > unknown.get(attempt.room, 1 << 60):
                findings.append(f"acknowledged behind a bid whose outcome is unknown: {attempt}")
        none(findings, "after the disk failed")

    def hit_thread(self):
        with open(self.trace, errors="replace") as trace:
            found = re.search(r"<([^>]*)> .*\(INJECTED\)$", trace.read(), re.M)
        return found[1] if found else None

    # While it starts.

    def start(self):
        """On a log that a crash left, or where there is nothing yet."""
        os.makedirs(self.folder, exist_ok=True)
        log = os.path.join(self.folder, "server.log")
        with open(log, "wb") as errors:
            process = subprocess.Popen(
                [*in_front(self.trace, *self.injected), BINARY, "serve", "--port", "0", "--store",
                 f"sqlite:{self.folder}/rooms.db", *ARGUMENTS],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
        running.add(process)
        try:
            line = process.stdout.readline().decode()
            if line:
                process.kill()
            code = process.wait(PATIENCE)
        finally:
            process.kill()
            running.discard(process)
        if self.fault == "kill":
            none([] if code == -signal.SIGKILL and not line else [f"got ready ({line!r}): the call was never made"], "at the start")
        elif line and self.target == "directory":
            raise Failure("it got ready although the names of its files are not durable")
        elif not line and (code != IO_ERROR or "rooms.db" not in self.complaint() or len(self.complaint().splitlines()) != 1):
            raise Failure(f"a start that fails ends with {code} and says {self.complaint()!r}")

    # Afterwards.

    def come_back(self):
        if self.world is None:
            return self.first_use()
        before = self.promises.look(self.folder)
        server = start(self.folder)
        self.world.may_fail = False
        self.promises.inspect(server, self.world, before)
        self.promises.repeat(server, self.world)
        self.promises.conclude(server, self.world, self.folder)

    def first_use(self):
        """A program that was ended in its very first start is as good as new, and the tokens it gives out last."""
        server = start(self.folder)
        world = World(server, 1, 1, 2)
        server.kill()
        server = start(self.folder)
        connection = Connection(server.port)
        expect(connection.call("PATCH", f"/v1/rooms/{world.rooms[0]}/members/{world.bidders[0][0]}", world.host[1], {"muted": True}), 200)
        connection.close()
        none([text for text in [server.terminate()] if text != (0, "")], "after the first use")


def main():
    require_binary()
    template, words = sys.argv[1], sys.argv[2:]
    scratch = tempfile.mkdtemp(prefix="auction-fault.")
    try:
        counts = Case(template, words, scratch).run()
    except (Failure, Surprise, ConnectionLost) as failure:
        sys.exit(f"{' '.join(words)}: {failure} (files in {scratch})")
    shutil.rmtree(scratch)
    print(json.dumps(counts))


main()
