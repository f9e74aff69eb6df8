"""Measures a stream and a delivery behind the proxy: a server, nginx as in docker/, and subscribers that wait for every event.

python3 Tests/Benchmarks/scripts/proxied.py PROGRAM [STREAMS=4000]; half a minute. Prints what docker/SCALING.md says under "Measured".
"""
import os
import pathlib
import resource
import select
import socket
import sys
import tempfile
import threading
import time

PROGRAM, STREAMS = sys.argv[1], int((sys.argv[2:] or ["4000"])[0])
MESSAGES, PAUSE = 40, 0.5
os.environ["AUCTION_ROOM_BIN"] = PROGRAM
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/live"))
from nginx import Proxy  # noqa: E402
from program import NO_LIMITS, Server, require_binary  # noqa: E402
from wire import Connection, expect  # noqa: E402


def numbers(process):
    with open(f"/proc/{process}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()


def children(process):
    with open(f"/proc/{process}/task/{process}/children") as file:
        return list(map(int, file.read().split()))


def memory(process):
    """The proportional set size (PSS) of a process, in kB."""
    with open(f"/proc/{process}/smaps_rollup") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))


def processor(process):
    return sum(map(int, numbers(process)[11:13])) / os.sysconf("SC_CLK_TCK")


def slab():
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Slab:"))


class Readers(threading.Thread):
    """All subscribers, spread over addresses because the proxy limits the connections of each."""

    def __init__(self, port, room):
        super().__init__(daemon=True)
        self.streams, self.poll, self.events = {}, select.epoll(), 0
        for number in range(STREAMS):
            stream = socket.socket()
            stream.bind((f"127.0.1.{number % 100 + 1}", 0))
            stream.connect(("127.0.0.1", port))
            stream.sendall(f"GET {room}/events?after=latest HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n".encode())
            self.streams[stream.fileno()] = stream
            self.poll.register(stream, select.EPOLLIN)

    def run(self):
        while True:
            for descriptor, _ in self.poll.poll():
                self.events += self.streams[descriptor].recv(65536).count(b"\ndata: ")


def main():
    require_binary()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory(prefix="proxied-") as folder:
        server = Server("memory:", *NO_LIMITS, "--limit-messages-per-second", "0", "--limit-streams-per-user", "0",
                        "--limit-connections-per-address", "0", "--threads", "1",
                        "--trusted-proxies", "127.0.0.1", "--log-level", "error", wrapper=("env", "TMPDIR=/dev/shm"))
        proxy = Proxy(f"{folder}/proxy", server.port, is_limited=False)
        workers = children(proxy.process.pid)
        parts = {"the server": [server.process.pid], "nginx": workers}
        connection = Connection(proxy.port)
        token = expect(connection.call("POST", "/v1/guests", None, {"nickname": "Ann"}), 201)["token"]
        room = "/v1/rooms/" + expect(connection.call("POST", "/v1/rooms", token, {"name": "Room"}), 201)["id"]
        before, kernel = {name: sum(map(memory, part)) for name, part in parts.items()}, slab()
        readers = Readers(proxy.port, room)
        time.sleep(3)
        print(", ".join(f"{(sum(map(memory, part)) - before[name]) / STREAMS:.1f} kB in {name}" for name, part in parts.items())
              + f", {(slab() - kernel) / STREAMS / 4:.1f} kB in the kernel for each of four sockets: a stream", flush=True)
        readers.start()
        time.sleep(1)
        begun, used = readers.events, {name: sum(map(processor, part)) for name, part in parts.items()}
        for number in range(MESSAGES):
            expect(connection.call("POST", room + "/messages", token, {"text": "x" * 100 + str(number)}), 201)
            time.sleep(PAUSE)
        time.sleep(1)
        events = readers.events - begun
        print(", ".join(f"{(sum(map(processor, part)) - used[name]) / events * 1e6:.1f} us of {name}" for name, part in parts.items())
              + f": a delivery, of {events}", flush=True)
        proxy.stop()
        server.kill()


main()
