"""Full and read-only disks, and commands that the log cannot store: what clients and operators observe.

Where mounting is allowed, each disk is a tmpfs. Elsewhere a full disk is simulated by strace (see the fault matrix), and a
read-only one by file permissions, or for root also by strace.
"""
import contextlib
import functools
import os
import random
import shutil
import sqlite3
import subprocess
import threading
import time

from inject import in_front, require_strace
from load import World
from program import BINARY, auction_room, require_binary, scratch_folder
from recovery_checks import Failure, RecoveryChecks, require_no_findings, start
from room_setup import guest, open_round
from wire import Connection, CheckFailed, eventually, expect

SIZE = 48 << 20
UNAVAILABLE, IO_ERROR = 69, 74
until = functools.partial(eventually, pause=0.01, error=Failure)


@contextlib.contextmanager
def disk(folder):
    """Mounts a small tmpfs at `folder`; None where mounting is not allowed."""
    os.makedirs(folder)
    mounted = os.geteuid() == 0 and shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], capture_output=True, check=False).returncode == 0
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill(filler):
    """Fills the disk of this new file to the last byte; the program's own files take what becomes free meanwhile."""
    with open(filler, "wb", buffering=0) as file:
        block = bytes(1 << 16)
        while block:
            try:
                file.write(block)
            except OSError:
                block = block[: len(block) // 2]


# A disk that fills up under load.

def full(folder, recovery_checks):
    server = start(folder)
    world = World(server, 1, 2, 8)
    world.may_fail = True
    world.run_load(server, 1, lambda: fill_and_clear(folder, server, world))
    require_no_findings(world.failures, "while the disk was full")
    if not any(attempt.problem_code == "service.unavailable" for attempt in world.attempts):
        raise Failure("no bid was refused because the disk was full")
    before = recovery_checks.read_events(folder)
    server = start(folder)
    world.may_fail = False
    recovery_checks.check_after_restart(server, world, before)
    recovery_checks.repeat_keyed(server, world)
    recovery_checks.conclude(server, world, folder)


def fill_and_clear(folder, server, world):
    filler, probe = os.path.join(folder, "filler"), Connection(server.port)
    until(lambda: world.last_acknowledged > 0, "bids are taken")
    fill(filler)
    until(lambda: probe.call("GET", "/readyz").status == 503, "a full disk shows in /readyz")
    last = -1
    while last != world.last_acknowledged:
        last = world.last_acknowledged
        time.sleep(0.5)
    os.remove(filler)
    cleared = time.monotonic()
    until(lambda: world.last_acknowledged > cleared, "bids are taken again once there is room")
    until(lambda: probe.call("GET", "/readyz").status == 200, "/readyz is well again")
    probe.close()
    if server.process.poll() is not None:
        raise Failure("a full disk ended the program")
    server.kill()


def stops(folder):
    """A stop while the end of a round finds no space: exit 0 in its time, and the round goes on after the next start."""
    server = start(folder, "--stop-seconds", "19")
    connection = Connection(server.port)
    people = [guest(connection, name) for name in ("Host", "Seller", "Ann")]
    item = {"name": "Lot", "rules": {"startingPrice": "1.00", "listingSeconds": 0, "biddingSeconds": 2}}
    room = open_round(connection, "Room", people[0], people[1], people[2:], item)
    filler = os.path.join(folder, "filler")
    fill(filler)
    # The log of the program is on the same disk.
    until(lambda: b'auction_log_failures_total{kind="append"} 0\n' not in connection.call("GET", "/metrics").body, "the end of the round finds no space")
    asked = time.monotonic()
    code, _ = server.terminate()
    took = time.monotonic() - asked
    if code != 0 or took > 20:
        raise Failure(f"on a full disk with a countdown due the program ended with {code} after {took:.1f} s")
    os.remove(filler)
    server = start(folder)
    connection = Connection(server.port)
    until(lambda: expect(connection.call("GET", f"/v1/rooms/{room}"), 200)["state"] == "closed", "the round ends after the next start")
    server.terminate()


# A disk that is read-only when the program starts.

def refuses_to_serve(folder, wrapper=()):
    ended = subprocess.run(
        [*wrapper, BINARY, "serve", "--port", "0", "--store", f"sqlite:{folder}/rooms.db"],
        capture_output=True, text=True, timeout=30, check=False)
    lines = ended.stderr.splitlines()
    result = f"exit {ended.returncode}, {ended.stdout!r}, {ended.stderr!r}"
    if ended.returncode not in (UNAVAILABLE, IO_ERROR) or ended.stdout or len(lines) != 1 or "rooms.db" not in lines[0]:
        raise Failure(f"on a read-only disk: {result}")
    if "read-only" not in lines[0].lower() and "Permission denied" not in lines[0]:
        raise Failure(f"on a read-only disk the reason is not said: {result}")


def is_readable(folder, events):
    verified = auction_room("verify", "--store", f"sqlite:{folder}/rooms.db")
    if verified.returncode or not verified.stdout.endswith(", 0 findings\n"):
        raise Failure(f"verify on a read-only disk: exit {verified.returncode}, {verified.stdout!r}, {verified.stderr!r}")
    exported = auction_room("export", "--store", f"sqlite:{folder}/rooms.db")
    if exported.returncode or len(exported.stdout.splitlines()) != events:
        raise Failure(f"export on a read-only disk: exit {exported.returncode}, {exported.stderr!r}")


def make_log(folder):
    """Makes a closed log; returns its number of events."""
    server = start(folder)
    World(server, 1, 2, 4)
    server.terminate()
    return len(auction_room("export", "--store", f"sqlite:{folder}/rooms.db").stdout.splitlines())


def read_only(folder):
    """A file system of its own."""
    events = make_log(folder)
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    refuses_to_serve(folder)
    is_readable(folder, events)


def write_protected(folder):
    """The read-only case without mounting."""
    events = make_log(folder)
    if os.geteuid() == 0:
        paths = [f"{folder}/rooms.db", f"{folder}/rooms.db.lock"]
        refuses_to_serve(folder, in_front(f"{folder}/trace", "openat,open", "error=EROFS", "1+", paths))
        return
    for name in os.listdir(folder):
        os.chmod(os.path.join(folder, name), 0o400)
    os.chmod(folder, 0o500)
    try:
        refuses_to_serve(folder)
        is_readable(folder, events)
    finally:
        os.chmod(folder, 0o700)


# A command that the log cannot store, among many that it can.

def poisoned(folder, recovery_checks):
    server = start(folder)
    world = World(server, 2, 3, 8)
    server.terminate()
    database = sqlite3.connect(f"{folder}/rooms.db")
    database.execute(
        "CREATE TRIGGER poison BEFORE INSERT ON event WHEN instr(new.public, CAST('poison' AS BLOB)) "
        "BEGIN SELECT RAISE(ABORT, 'poisoned'); END")
    database.commit()
    database.close()
    server = start(folder, "--limit-messages-per-second", "0")
    world.run_load(server, 1, lambda: send_poison(server, world))
    # Other clients must not get 500 or 503.
    require_no_findings(world.failures, "beside poisoned commands")
    before = recovery_checks.read_events(folder)
    if any(b"poison" in event for raw in before.values() for event in raw):
        raise Failure("a poisoned command is in the log")
    server = start(folder)
    recovery_checks.check_after_restart(server, world, before)
    recovery_checks.repeat_keyed(server, world)
    recovery_checks.conclude(server, world, folder)


def send_poison(server, world):
    """Sends poisoned messages in parallel to rooms with bids."""
    def send(room):
        connection = Connection(server.port)
        for number in range(8):
            response = connection.call("POST", f"/v1/rooms/{room}/messages", world.host[1], {"text": f"poison {number}"}, f"key-{number}")
            if response.status != 500 or response.code() != "service.internal_error":
                problems.append(f"a poisoned command was answered {response.status}: {response.body!r}")
        ready.append(connection.call("GET", "/readyz").status)
        connection.close()

    problems, ready = [], []
    until(lambda: world.last_acknowledged > 0, "bids are taken")
    threads = [threading.Thread(target=send, args=(room,)) for room in world.rooms]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    poisoned_until = time.monotonic()
    until(lambda: world.last_acknowledged > poisoned_until, "bids are taken after poisoned commands")
    require_no_findings(problems, "with poisoned commands")
    require_no_findings([f"/readyz said {status}" for status in ready if status != 200], "with poisoned commands")
    server.kill()


def main():
    require_binary()
    require_strace()
    started = time.monotonic()
    with scratch_folder("disks", errors=(Failure, CheckFailed)) as folder:
        recovery_checks = RecoveryChecks(folder, random.Random(1))
        poisoned_home = os.path.join(folder, "poisoned")
        os.makedirs(poisoned_home)
        poisoned(poisoned_home, recovery_checks)
        with disk(os.path.join(folder, "full")) as home:
            if home:
                full(home, recovery_checks)
        with disk(os.path.join(folder, "full-at-the-stop")) as home:
            if home:
                stops(home)
        with disk(os.path.join(folder, "read-only")) as mounted:
            if mounted:
                read_only(mounted)
            else:
                write_protected(os.path.join(folder, "read-only"))
    how = "a disk filled up, was cleared and went on; a stop on a full disk; a read-only disk" if mounted else "nothing may be mounted here: write-protected files"
    print(f"disks: {how}; poisoned commands cost their senders a 500 and nobody else anything; {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
