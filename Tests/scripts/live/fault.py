"""One fault on the real program: `fault.py TEMPLATE PHASE FAULT CALLS TARGET WHEN`, as in `serving kill sync any 17`.

TEMPLATE holds a log right after a kill -9 under load, and the recorded responses of its clients. A case works on a copy: the
fault is injected, clients record their responses, the program restarts without the fault, and the audit must pass: each
acknowledged command is in the log once, refused ones are not, and a repeat with the same key gets the same bytes or is
executed once.
"""
import functools
import json
import os
import pickle
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import database
from inject import SYNC, WRITE, Hang, Injection, hit_at, in_front
from load import UNKNOWN, World
from program import BINARY, require_binary, running
from recovery_checks import ARGUMENTS, Failure, RecoveryChecks, require_no_findings, start
from wire import Connection, ConnectionLost, CheckFailed, eventually, expect

TIMEOUT = 60
CALLS = {"sync": SYNC, "write": WRITE}
FAULTS = {"kill": "signal=KILL", "EIO": "error=EIO", "ENOSPC": "error=ENOSPC"}
# Files whose calls are affected; all files if empty.
TARGETS = {"any": (), "log": ("rooms.db", "rooms.db-wal", "rooms.db-journal"), "database": ("rooms.db",), "directory": ("",)}
# For a disk that hangs, how the file's path ends.
HANGING = {"any": "", "log": "rooms.db-wal", "database": "rooms.db"}
IO_ERROR = 74
# A failed log ends the program within a second; the rest is for strace, and for the cases beside this one.
END_SECONDS = 5
STOP_SECONDS = 2
until = functools.partial(eventually, seconds=TIMEOUT, pause=0.005, error=Failure)


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
        self.recovery_checks = RecoveryChecks(scratch, random.Random(" ".join(words)))
        paths = [os.path.normpath(os.path.join(self.folder, name)) for name in TARGETS[self.target]]
        self.hang = Hang(os.path.join(scratch, "hang"), self.calls, HANGING[self.target]) if self.fault == "hang" else None
        self.injected = None if self.hang else (CALLS[self.calls], FAULTS[self.fault], self.when, paths)
        self.ready = []

    def run(self):
        if self.phase in ("starting", "beginning"):
            self.start()
        else:
            self.serve()
        self.check_recovery()
        return self.recovery_checks.counts

    # While it serves, or stops.

    def serve(self):
        if self.phase == "serving":
            # The end after a failure waits for neither.
            server = start(self.folder, "--stop-seconds", "30", "--limit-request-seconds", "60")
        else:
            server = start(self.folder, "--stop-seconds", str(STOP_SECONDS), wrapper=self.hang.wrapper if self.hang else ())
        self.world.may_fail = self.fault != "kill" or self.phase == "stopping"
        if self.hang:
            self.world.end_seconds = STOP_SECONDS + END_SECONDS
        self.world.run_load(server, 1, lambda: self.end(server))
        require_no_findings(self.world.failures, "under load")
        if self.fault == "EIO":
            self.require_no_acknowledgement()

    def end(self, server):
        if self.phase == "stopping":
            time.sleep(0.2)
        # A client that never completes its request.
        slow = socket.create_connection(("127.0.0.1", server.port))
        if self.phase == "serving":
            slow.sendall(b"GET /v1 HTTP/1.1\r\nHost: ")
        if self.hang:
            injection = self.hang
            injection.begin()
        else:
            injection = Injection(server.process, self.trace, *self.injected)
        watch = threading.Thread(target=self.watch, args=(server.port,), daemon=True)
        watch.start()
        try:
            signalled = time.monotonic()
            if self.phase == "stopping":
                server.process.send_signal(signal.SIGTERM)
            if self.fault == "ENOSPC" and self.phase == "serving":
                self.full(server, injection)
            else:
                until(lambda: server.process.poll() is not None, f"the program ends by {self.fault}; hit at {injection.hit_at()}")
                if self.phase == "stopping" and time.monotonic() - signalled > STOP_SECONDS + END_SECONDS:
                    raise Failure(f"the program ended {time.monotonic() - signalled:.1f} s after SIGTERM: {self.log_tail()}")
                self.require_end(server.process.returncode, injection.hit_at(), time.time())
        finally:
            slow.close()
            server.kill()
            injection.end()
            watch.join()

    def watch(self, port):
        """Records the status of `/readyz` until the server is gone."""
        connection = Connection(port, timeout=5)
        try:
            while True:
                asked = time.time()
                self.ready.append((asked, connection.call("GET", "/readyz").status))
                time.sleep(0.02)
        except ConnectionLost:
            connection.close()

    def full(self, server, injection):
        """A disk that is full for one or several calls: commands fail, the program continues."""
        until(lambda: injection.hit_at() is not None, "the disk is full")
        # Not by detaching strace: a call that it is handling would fail in a way that no disk does.
        time.sleep(0.5)
        cleared = time.monotonic()
        until(lambda: self.world.last_acknowledged > cleared, "bids are taken again once there is room")
        until(lambda: self.ready[-1][1] == 200, "/readyz is well once there is room")
        if server.process.poll() is not None:
            raise Failure(f"a full disk ended the program with {server.process.returncode}: {self.log_tail()}")

    def require_end(self, code, hit, ended):
        if self.fault == "kill":
            wanted = (-signal.SIGKILL,)
        else:
            # A stop whose last checkpoint fails loses nothing: the next start repeats it.
            wanted = (0, IO_ERROR) if self.phase == "stopping" else (IO_ERROR,)
            if hit is None:
                raise Failure("no call was made to fail")
        if code not in wanted:
            raise Failure(f"the program ended with {code}, not {wanted}: {self.log_tail()}")
        reason = "held up the stop" if self.fault == "hang" else r"rooms\.db.*(I/O error|Input/output error)"
        if code == IO_ERROR and not re.search(reason, self.log_tail()):
            raise Failure(f"the program does not say what failed: {self.log_tail()}")
        if self.phase == "serving" and code == IO_ERROR and ended - hit > END_SECONDS:
            raise Failure(f"the program ended {ended - hit:.1f} s after the disk failed, with a client that had sent half a head")

    def log_tail(self):
        with open(os.path.join(self.folder, "server.log"), errors="replace") as log:
            return log.read()[-2000:]

    def require_no_acknowledgement(self):
        """After a disk failure nothing is acknowledged and `/readyz` does not return 200."""
        if self.phase == "stopping":
            return
        hit, clocks = hit_at(self.trace), time.time() - time.monotonic()
        # A failure in the committer's thread counts at once; another thread's once it has been reported to the committer.
        late = hit + (0 if self.hit_thread() == "committer" else 0.25)
        findings = [f"acknowledged after the disk failed: {attempt}" for attempt in self.world.attempts
                    if attempt.outcome == "acknowledged" and attempt.sent + clocks > late]
        findings += [f"/readyz answered 200 {asked - hit:.2f} s after the disk failed" for asked, status in self.ready
                     if status == 200 and asked > hit + 0.5]
        events = self.recovery_checks.read_events(self.folder)
        placed = {}
        for room, raw in events.items():
            for event in map(json.loads, raw):
                if event["type"] == "bid.placed":
                    placed[room, event["round"], event["data"]["bidder"]["id"], event["data"]["amount"]] = event["seq"]
        unknown = {}
        for attempt in self.world.attempts:
            seq = placed.get((attempt.room, attempt.round, attempt.bidder, attempt.text))
            if attempt.problem_code == UNKNOWN and seq:
                unknown[attempt.room] = min(seq, unknown.get(attempt.room, seq))
        for attempt in self.world.attempts:
            if attempt.outcome == "acknowledged" and json.loads(attempt.response)["bid"]["seq"] > unknown.get(attempt.room, 1 << 60):
                findings.append(f"acknowledged behind a bid whose outcome is unknown: {attempt}")
        require_no_findings(findings, "after the disk failed")

    def hit_thread(self):
        with open(self.trace, errors="replace") as trace:
            found = re.search(r"<([^>]*)> .*\(INJECTED\)$", trace.read(), re.M)
        return found[1] if found else None

    # A fault while the program starts.

    def start(self):
        """Starts on the log of a crash, or in an empty folder."""
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
            code = process.wait(TIMEOUT)
        finally:
            process.kill()
            running.discard(process)
        if self.fault == "kill":
            require_no_findings([] if code == -signal.SIGKILL and not line else [f"got ready ({line!r}): the call was never made"], "at the start")
        elif line and self.target == "directory":
            raise Failure("it got ready although the names of its files are not durable")
        elif not line and (code != IO_ERROR or "rooms.db" not in self.log_tail() or len(self.log_tail().splitlines()) != 1):
            raise Failure(f"a start that fails ends with {code} and says {self.log_tail()!r}")

    # Afterwards.

    def check_recovery(self):
        if self.world is None:
            return self.first_use()
        before = self.recovery_checks.read_events(self.folder)
        server = start(self.folder)
        self.world.may_fail = False
        self.recovery_checks.check_after_restart(server, self.world, before)
        self.recovery_checks.repeat_keyed(server, self.world)
        self.recovery_checks.conclude(server, self.world, self.folder)

    def first_use(self):
        """After a failed first start the next one works, and its tokens survive a restart."""
        server = start(self.folder)
        world = World(server, 1, 1, 2)
        server.kill()
        server = start(self.folder)
        connection = Connection(server.port)
        expect(connection.call("PATCH", f"/v1/rooms/{world.rooms[0]}/members/{world.bidders[0][0]}", world.host[1], {"muted": True}), 200)
        connection.close()
        require_no_findings([text for text in [server.terminate()] if text != (0, "")], "after the first use")


def main():
    require_binary()
    template, words = sys.argv[1], sys.argv[2:]
    scratch = tempfile.mkdtemp(prefix="auction-fault.")
    try:
        counts = Case(template, words, scratch).run()
    except (Failure, CheckFailed, ConnectionLost) as failure:
        sys.exit(f"{' '.join(words)}: {failure} (files in {scratch})")
    shutil.rmtree(scratch)
    print(json.dumps(counts))


main()
