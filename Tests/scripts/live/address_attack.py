"""Thousands of connections that send nothing, drip, or poll, of one address and of a thousand: bids on new connections of others
get through.

The server may have LIMIT connections in all, and the attackers have more: whatever is closed they open again after REOPEN seconds.
Each bid is made as a newcomer makes it: a new connection from an address that was not seen before, a bid, its answer, and the
connection's end. Every one has to be accepted. EACH: connections of each kind. ROUNDS, SECONDS: how often and how long bids are made beside the
attackers and without them, in turns. COMPARE=1 fails where the bids' p99 is more than three times that without attackers (medians of
the rounds), which needs a quiet machine."""
import multiprocessing
import os
import pathlib
import resource
import selectors
import socket
import statistics
import sys
import tempfile
import time

import program
from room_setup import Duel
from wire import p99

EACH = int(os.environ.get("EACH", "1000"))
LIMIT = int(os.environ.get("LIMIT", str(2 * EACH)))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
SECONDS = float(os.environ.get("SECONDS", "8"))
COMPARE = os.environ.get("COMPARE", "1") == "1"
REOPEN = float(os.environ.get("REOPEN", "5"))
OPENED_PER_STEP = 40


class Attackers:
    """Connections of one kind, from the addresses that `source` gives, kept open by opening others for those that are closed."""

    def __init__(self, port, source, opening, drip):
        self.port, self.source, self.opening, self.drip = port, source, opening, drip
        self.selector = selectors.DefaultSelector()
        self.opened, self.closed, self.refused = 0, 0, 0
        # When each closed connection is to be reopened.
        self.due = [0.0] * EACH

    def _open(self):
        peer = socket.socket()
        peer.setblocking(False)
        peer.bind((self.source(self.opened), 0))
        peer.connect_ex(("127.0.0.1", self.port))
        self.opened += 1
        self.selector.register(peer, selectors.EVENT_WRITE, False)

    def _close(self, peer):
        self.selector.unregister(peer)
        peer.close()
        self.closed += 1
        self.due.append(time.monotonic() + REOPEN)

    def step(self):
        now = time.monotonic()
        ready = sum(moment <= now for moment in self.due[:OPENED_PER_STEP])
        del self.due[:ready]
        for _ in range(ready):
            self._open()
        for key, events in self.selector.select(0):
            try:
                if events & selectors.EVENT_WRITE and not key.data:
                    if self.opening:
                        key.fileobj.send(self.opening)
                    self.selector.modify(key.fileobj, selectors.EVENT_READ, True)
                elif events & selectors.EVENT_READ:
                    response = key.fileobj.recv(65536)
                    if not response:
                        self._close(key.fileobj)
                    elif not response.startswith(b"HTTP/1.1 200"):
                        # Rejected with a problem response: reconnect later.
                        self.refused += 1
                        self._close(key.fileobj)
                    elif self.opening:
                        key.fileobj.send(self.opening)
            except OSError:
                self._close(key.fileobj)

    def drip_all(self):
        for key in list(self.selector.get_map().values()) if self.drip else []:
            try:
                key.fileobj.send(self.drip)
            except OSError:
                self._close(key.fileobj)


def attack(port, room, ready, report):
    """Runs in a separate process with idle priority, because attackers normally run on other machines."""
    if COMPARE:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    head = f"Host: 127.0.0.1:{port}\r\n"
    poll = f"GET {room}/events?after=latest&wait=60 HTTP/1.1\r\n{head}\r\n".encode()

    def one(_):
        return "127.0.0.2"

    def many(number):
        return f"127.1.{number // 250 % 4}.{number % 250 + 1}"

    kinds = {
        "silent": Attackers(port, one, b"", b""),
        "slow": Attackers(port, one, f"POST /v1/guests HTTP/1.1\r\n{head}X-A: ".encode(), b"a"),
        "polling": Attackers(port, one, poll, b""),
        "of a thousand addresses": Attackers(port, many, poll, b""),
    }
    dripped, announced = time.monotonic(), False
    while not report.poll():
        for attackers in kinds.values():
            attackers.step()
        if time.monotonic() - dripped > 1:
            dripped = time.monotonic()
            for attackers in kinds.values():
                attackers.drip_all()
        if not announced and all(attackers.opened >= EACH for attackers in kinds.values()):
            announced = True
            ready.set()
        time.sleep(0.002)
    report.recv()
    report.send({name: (kind.opened, kind.closed, kind.refused) for name, kind in kinds.items()})


def newcomer(number):
    return f"127.2.{number // 250 % 250}.{number % 250 + 1}"


def for_some_seconds():
    end = time.monotonic() + SECONDS
    return lambda: time.monotonic() > end


def run(folder):
    server = program.Server(
        f"sqlite:{folder}/rooms.db", *program.NO_LIMITS, "--limit-connections", str(LIMIT), log=str(folder / "log"))
    duel = Duel(server.port)
    quiet, beside = [], []
    for _ in range(ROUNDS):
        quiet.append(p99(duel.bid_until(for_some_seconds(), newcomer)))
        ready, (ours, theirs) = multiprocessing.Event(), multiprocessing.Pipe()
        attacker = multiprocessing.Process(target=attack, args=(server.port, duel.path, ready, theirs))
        attacker.start()
        if not ready.wait(60):
            raise SystemExit("the attackers did not come up")
        took = duel.bid_until(for_some_seconds(), newcomer)
        ours.send(True)
        counts = ours.recv()
        attacker.join()
        beside.append(p99(took))
        opened = sum(count[0] for count in counts.values())
        if opened < 4 * EACH:
            raise SystemExit(f"no attack: {counts}")
        print(f"{len(took)} bids on new connections beside {4 * EACH} others ({opened} opened): all accepted, p99 {beside[-1]:.1f} ms,"
              f" {quiet[-1]:.1f} ms without; opened, closed, refused: {counts}")
    ratio = statistics.median(beside) / statistics.median(quiet)
    print(f"bids' p99 {statistics.median(beside):.1f} ms, {ratio:.2f} times that of quiet times")
    if COMPARE and ratio > 3:
        raise SystemExit("bids' p99 more than tripled")
    server.end()


if __name__ == "__main__":
    program.require_binary()
    sys.stdout.reconfigure(line_buffering=True)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(prefix="address-attack-") as name:
        run(pathlib.Path(name))
