"""Backups of a running service, and what comes of them.

SQLite: `backup` while people bid, killed at random moments, beside a server that is killed and starts again, refused where it must be,
damaged in every file; `restore` of it, killed too, and a server on the result. PostgreSQL: see backup_postgres.py.

BACKUP_ROOMS (30): rooms of 500 bids that are in the log before. BACKUP_COMPARE=1 measures bids' p99 beside backups and without instead,
of 1,500 such rooms; it needs a quiet machine and a release build.
"""
import os
import pathlib
import random
import select
import shutil
import stat
import statistics
import subprocess
import tempfile
import time

import backup_postgres
from backup_checks import FeedReader, Recorded, Restored, check, keyed, run
from disks import disk
from inject import SYNC, in_front
from program import BINARY, NO_LIMITS, Server, ending, require_binary
from room_setup import Duel
from wire import Connection, CheckFailed, expect, histories, p99

COMPARE = os.environ.get("BACKUP_COMPARE") == "1"
ROOMS = int(os.environ.get("BACKUP_ROOMS", "1500" if COMPARE else "30"))
BENCH = os.path.join(os.path.dirname(BINARY), "auction-bench")
IO_ERROR, UNAVAILABLE = 74, 69
KILLS = 4
PICTURE = pathlib.Path(__file__).parents[2] / "Corpora/picture/photo.jpg"


def backup_of(store, target, *wrapper):
    process = subprocess.Popen([*wrapper, BINARY, "backup", "--store", store, "--to", target], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    process.begun = time.time()
    return process


def slow(folder):
    """In front of a backup: every sync takes so long that the copy takes some seconds."""
    return in_front(f"{folder}/trace", SYNC, "delay_enter=300000", "1+")


def copying(process, target):
    """Returns once the backup copies; an earlier one may have left a part."""
    end = time.monotonic() + 60

    def begun():
        try:
            return os.stat(f"{target}.partial/log.db").st_mtime >= process.begun
        except FileNotFoundError:
            return False

    while not begun():
        check(process.poll() is None and time.monotonic() < end, f"the backup does not begin: {process.poll()}")
        time.sleep(0.005)


def modes(folder):
    """Files and directories for their owner only."""
    for path in (folder, *(os.path.join(folder, name) for name in os.listdir(folder))):
        mode = stat.S_IMODE(os.stat(path).st_mode)
        check(mode == (0o700 if os.path.isdir(path) else 0o600), f"{path} has the mode {mode:o}")


def upload(port, bidders):
    """The address of a picture, and its bytes as the service has them."""
    connection = Connection(port)
    address = expect(connection.call("POST", f"/v1/rooms/{bidders.rooms[0]}/media", bidders.seller[1], PICTURE.read_bytes(),
                                     headers=["Content-Type: image/jpeg"]), 201)["url"]
    kept = connection.call("GET", address).body
    connection.close()
    return address, kept


def killed(store, target, rng):
    """Backups that are killed leave no backup; the next one is whole."""
    partial = 0
    for _ in range(KILLS):
        process = backup_of(store, target, *slow(os.path.dirname(target)))
        copying(process, target)
        time.sleep(rng.uniform(0, 2))
        process.kill()
        process.communicate()
        if os.path.exists(target):
            shutil.rmtree(target)
        elif os.path.exists(target + ".partial"):
            partial += 1
            check("not completed" in run("restore", "--from", target + ".partial", "--store", f"sqlite:{target}.none/rooms.db", code=IO_ERROR),
                  "an incomplete backup is not named as such")
    return partial


def damaged(folder, target):
    """Every damage is named, with the file, and nothing is restored."""
    nowhere = f"{folder}/nowhere/rooms.db"
    for number, name in enumerate(sorted(os.listdir(target))):
        for way in ("changed", "shortened", "missing"):
            copy = f"{folder}/damaged-{number}-{way}"
            shutil.copytree(target, copy)
            path = f"{copy}/{name}"
            size = os.path.getsize(path)
            if way == "missing":
                os.remove(path)
            elif way == "shortened":
                os.truncate(path, size // 2)
            else:
                with open(path, "r+b") as file:
                    # In the manifest: a digit of a head's hash.
                    file.seek(size // 2 if name != "manifest.json" else file.read().index(b'"hash":"') + 10)
                    byte = file.read(1)
                    file.seek(-1, 1)
                    file.write(b"0" if byte != b"0" else b"1")
            said = run("restore", "--from", copy, "--store", "sqlite:" + nowhere, code=IO_ERROR)
            check(copy in said and (name in said or name == "manifest.json"), f"{name} {way}: {said}")
            check(not os.path.exists(nowhere), f"{name} {way}: restored all the same")
            shutil.rmtree(copy)
    os.makedirs(f"{folder}/manifest-of-tomorrow")
    with open(f"{folder}/manifest-of-tomorrow/manifest.json", "w", encoding="utf-8") as file:
        file.write('{"format":2}')
    check("has format 2" in run("restore", "--from", f"{folder}/manifest-of-tomorrow", "--store", "sqlite:" + nowhere, code=IO_ERROR),
          "a format of tomorrow is not named")


def restored(folder, target, rng):
    """Restores that are killed are repeated; the result is whole. Returns the store."""
    path = f"{folder}/restored/rooms.db"
    for _ in range(KILLS):
        process = subprocess.Popen([BINARY, "restore", "--from", target, "--store", "sqlite:" + path], stdout=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.02, 0.6))
        process.kill()
        process.wait()
        if os.path.exists(path):
            shutil.rmtree(f"{folder}/restored")
    run("restore", "--from", target, "--store", "sqlite:" + path)
    modes(f"{folder}/restored")
    check(sorted(os.listdir(f"{folder}/restored")) == ["rooms.db", "rooms.db.lock", "rooms.db.media", "rooms.db.token-secret"], "other files are there")
    before = os.stat(path).st_mtime_ns
    check("exists" in run("restore", "--from", target, "--store", "sqlite:" + path, code=UNAVAILABLE), "a log is restored over another one")
    check(os.stat(path).st_mtime_ns == before, "a refused restore wrote to the log")
    return "sqlite:" + path


def failing(folder, store):
    """A backup that cannot be written says so, and leaves nothing."""
    for fault, wanted in (("error=EIO", "Input/output error"), ("error=ENOSPC", "No space left on device")):
        process = backup_of(store, f"{folder}/failing", *in_front(f"{folder}/trace", SYNC, fault, "3+"))
        said = process.communicate(timeout=60)[1].decode()
        check(process.returncode == IO_ERROR and wanted in said, f"{fault}: a backup ended with {process.returncode}: {said}")
    with disk(f"{folder}/small") as small:
        if small:
            said = run("backup", "--store", store, "--to", f"{small}/backup", code=IO_ERROR)
            check("bytes left" in said and not os.listdir(small), f"a backup on a small disk: {said}, {os.listdir(small)}")
    check(not [name for name in os.listdir(folder) if name.startswith("failing")], "a failed backup leaves files")


def beside_start(folder, store, server):
    """A server that is killed during a backup can start while it goes on, and the backup ends well."""
    target = f"{folder}/beside"
    process = backup_of(store, target, *slow(folder))
    copying(process, target)
    server.kill()
    # Without the write-ahead log of its own a server does not start within these seconds.
    server = Server(store, *NO_LIMITS, log=f"{folder}/again.log", timeout=20)
    check(process.poll() is None, "the backup was over before the server started")
    check(select.select([process.stderr], [], [], 5)[0], "the backup does not say at once that a server was started")
    _, said = process.communicate(timeout=240)
    check(b"a server was started, so the copy" in said, f"the backup said {said.decode()}")
    check(process.returncode == 0, f"a backup beside a starting server ended with {process.returncode}: {said.decode()}")
    run("restore", "--from", target, "--store", f"sqlite:{folder}/from-beside/rooms.db")
    return server


def sqlite(folder):
    rng = random.Random()
    store = f"sqlite:{folder}/data/rooms.db"
    subprocess.run([BENCH, "fill", "--path", f"{folder}/data/rooms.db", "--rooms", str(ROOMS), "--bids", "500"], check=True,
                   stdout=subprocess.DEVNULL)
    feed = FeedReader(folder)
    server = Server(store, *NO_LIMITS, *feed.options, log=f"{folder}/log")
    feed.read_before(server.port)
    bidders = Recorded(server.port, 3, 8, rng.getrandbits(32))
    picture = upload(server.port, bidders)
    bidders.begin()
    try:
        target = f"{folder}/backup"
        partial = killed(store, target, rng)
        check("another process" in second(store, target), "two backups write one directory")
        failing(folder, store)
        acknowledged, begun = keyed(bidders), time.monotonic()
        run("backup", "--store", store, "--to", target)
        took = time.monotonic() - begun
        meanwhile = len(keyed(bidders)) - len(acknowledged)
        check("exists already" in run("backup", "--store", store, "--to", target + "/", code=UNAVAILABLE), "a backup is overwritten")
    finally:
        bidders.end()
    check(not bidders.failures, f"bidders: {bidders.failures[:3]}")
    check(meanwhile > 0 and len(acknowledged) > 20, f"{len(acknowledged)} bids before the backup and {meanwhile} during it say nothing")
    modes(target)
    live = histories(server.port, bidders.rooms)
    feed.read_after(server.port)
    damaged(folder, target)
    result = Restored(restored(folder, target, rng), bidders, acknowledged, live, f"{folder}/restored.log", feed, picture)
    server = beside_start(folder, store, server)
    check(server.terminate()[0] == 0, "the server does not end well")
    run("verify", "--store", store)
    print(f"backup: {len(acknowledged)} bids acknowledged before and {meanwhile} during it, all {result.bids} up to its moment restored; {took:.1f} s; "
          f"{partial} of {KILLS} killed backups were incomplete; every damaged file is named", flush=True)


def second(store, target):
    """What a backup says while another one writes the same directory."""
    first = backup_of(store, target, *slow(os.path.dirname(target)))
    copying(first, target)
    said = run("backup", "--store", store, "--to", target, code=UNAVAILABLE)
    first.kill()
    first.communicate()
    return said


def compare(folder):
    """Prints the bids' p99 beside backups of a large log and without, by turns."""
    path, calm, beside = f"{folder}/rooms.db", [], []
    subprocess.run([BENCH, "fill", "--path", path, "--rooms", str(ROOMS), "--bids", "500"], check=True, stdout=subprocess.DEVNULL)
    server = Server("sqlite:" + path, *NO_LIMITS)
    duel = Duel(server.port)
    for _ in range(3):
        end = time.monotonic() + 10
        calm.append(duel.bid_until(lambda: time.monotonic() > end))
        process = backup_of("sqlite:" + path, f"{folder}/backup")
        beside.append(duel.bid_until(lambda: process.poll() is not None))
        check(process.returncode == 0, "the backup failed")
        shutil.rmtree(f"{folder}/backup")
        print(f"{os.path.getsize(path) >> 20} MiB in {time.time() - process.begun:.0f} s; bids' p99 {p99(beside[-1]):.2f} ms beside it, "
              f"{p99(calm[-1]):.2f} ms without; longest {max(beside[-1]):.0f} and {max(calm[-1]):.0f} ms", flush=True)
    server.terminate()
    ratio = statistics.median(map(p99, beside)) / statistics.median(map(p99, calm))
    check(ratio < 2, f"bids' p99 beside a backup is {ratio:.2f} times that without")


def main():
    require_binary()
    for case in (compare,) if COMPARE else (sqlite, backup_postgres.run):
        with tempfile.TemporaryDirectory(prefix="auction-backup.") as folder:
            case(folder)


if __name__ == "__main__":
    with ending("FAILED", CheckFailed):
        main()
