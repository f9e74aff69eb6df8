"""Traps of the real program, made by sending it the signals of a trap: what is left on standard error, and how it ends."""
import ctypes
import json
import os
import pathlib
import signal
import socket
import tempfile
import time

import program
from wire import Connection, CheckFailed, check

SECRET = "nobody-may-read-this"
TGKILL = 234  # on x86-64


def thread_of(process, name):
    """A thread's id by its name, which it takes itself some time after its start."""
    for _ in range(1000):
        for task in pathlib.Path(f"/proc/{process}/task").iterdir():
            if (task / "comm").read_text().strip() == name:
                return int(task.name)
        time.sleep(0.005)
    raise CheckFailed(f"there is no thread {name}")


def until_it_sleeps(process, task):
    """It may still be sending: inside libmicrohttpd and the C library there are no frames to follow."""
    for _ in range(1000):
        if pathlib.Path(f"/proc/{process}/task/{task}/stat").read_text().rpartition(")")[2].split()[0] == "S":
            return
        time.sleep(0.005)
    raise CheckFailed(f"thread {task} does not sleep")


def trapped(folder, number, thread=None):
    """What the program leaves behind when the signal comes while a long-poll is held: standard error, the token and a body's size."""
    log = folder / f"{number}-{thread}.log"
    server = program.Server("memory:", "--threads", "1", log=str(log))
    calls = Connection(server.port)
    token = calls.call("POST", "/v1/guests", None, {"nickname": "Ann"}).json()["token"]
    rooms = ["/v1/rooms/" + calls.call("POST", "/v1/rooms", token, {"name": name}).json()["id"] for name in ("A", "B")]
    held = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    held.sendall(f"GET {rooms[0]}/events?after=latest&wait=60 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    # What is answered after it was sent later: the poll is held by then.
    calls.call("GET", "/healthz")
    body = {"text": SECRET}
    check(calls.call("POST", rooms[1] + "/messages", token, body).status == 201, "the message is not taken")
    if thread is None:
        os.kill(server.process.pid, number)
    else:
        task = thread_of(server.process.pid, thread)
        until_it_sleeps(server.process.pid, task)
        ctypes.CDLL(None).syscall(TGKILL, server.process.pid, task, number)
    code = server.process.wait(timeout=60)
    program.running.discard(server.process)
    check(code == -number, f"{number.name} ended the program with {code}")
    check(held.recv(1000) == b"", "a held request was answered")
    text = log.read_text(errors="replace")
    for private in (SECRET, token, token.split(".")[-1], *(room.split("/")[-1] for room in rooms)):
        shown = [line for line in text.splitlines() if private in line and '"room"' not in line and "room=" not in line]
        check(not shown, f"content is shown: {shown}")
    return text, len(json.dumps(body).encode())


def names_the_request(folder):
    for number, thread in ((signal.SIGILL, None), (signal.SIGTRAP, "http-loop-0"), (signal.SIGSEGV, "sequencer")):
        text, size = trapped(folder, number, thread)
        check(f"auction-room: ended by {number.name} in thread {thread or 'auction-room'}\n" in text, f"no line says what happened: {text}")
        check(f"auction-room: http-loop-0 has last handled POST /v1/rooms/{{id}}/messages, body {size} bytes\n" in text,
              f"the request is not named: {text}")
        if os.environ.get("SWIFT_BACKTRACE"):
            check("*** Program crashed" in text, f"no backtrace: {text}")
            # The others wait in the C library, which the backtracer cannot see through.
            check(thread != "http-loop-0" or "LoopCore.run()" in text, f"the backtrace names no function: {text}")
    print("a trap leaves its backtrace, the route and the size of the request, and nothing of its content", flush=True)


def works_without_a_backtracer(folder):
    os.environ["SWIFT_BACKTRACE"] = "enable=no"
    text, size = trapped(folder, signal.SIGABRT)
    check("ended by SIGABRT" in text and f"body {size} bytes\n" in text and "***" not in text, f"not what was asked for: {text}")
    print("without a backtracer the request is named all the same", flush=True)


if __name__ == "__main__":
    program.require_binary()
    with tempfile.TemporaryDirectory(prefix="trap-") as name:
        names_the_request(pathlib.Path(name))
        works_without_a_backtracer(pathlib.Path(name))
