"""Third-party clients read one room's events, past and live; each must receive the log's sequence."""
import re
import subprocess
from pathlib import Path

from packages import programs_of
from program import NO_LIMITS, Server, require_binary
from wire import Connection, all_events, expect

PACKAGE = "websockets==15.0.1"
HERE = Path(__file__).parent
MESSAGES = 200


def start(*command):
    return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)


def seqs_of_curl(process, count):
    """Reads the ids of events from a stream that curl prints, then ends it."""
    seqs, id_ = [], None
    while len(seqs) < count:
        line = process.stdout.readline()
        if not line:
            raise SystemExit("curl: the stream ended")
        if match := re.fullmatch(r"id: (\d+)\n", line):
            id_ = int(match[1])
        elif line.startswith("data: ") and id_ is not None:
            seqs.append(id_)
            id_ = None
        elif line == "\n":
            id_ = None
    process.kill()
    process.wait()
    return seqs


def seqs(process):
    output, _ = process.communicate(timeout=60)
    if process.returncode:
        raise SystemExit(f"{process.args[:3]} ended with {process.returncode}")
    return [int(line) for line in output.split()]


def main():
    require_binary()
    interpreter = programs_of("websockets", PACKAGE) / "python"
    server = Server("memory:", *NO_LIMITS, "--limit-messages-per-second", "0")
    connection = Connection(server.port)
    token = expect(connection.call("POST", "/v1/guests", body={"nickname": "Hana"}), 201)["token"]
    room = expect(connection.call("POST", "/v1/rooms", token, {"name": "Tonight"}), 201)["id"]
    path = f"/v1/rooms/{room}"

    def send_message(count):
        for number in range(count):
            expect(connection.call("POST", path + "/messages", token, {"text": f"message {number}"}), 201)

    # Half of the messages are history when the clients connect, half are sent while they read.
    send_message(MESSAGES // 2)
    total = MESSAGES + 1
    url = f"127.0.0.1:{server.port}{path}"
    curl = start("curl", "-sN", "-H", "Accept: text/event-stream", f"http://{url}/events")
    subscribers = {
        "python websockets": start(interpreter, HERE / "follow.py", f"ws://{url}/socket?after=0", total),
        "node": start("node", HERE / "follow.mjs", f"http://{url}/events", total),
    }
    send_message(MESSAGES - MESSAGES // 2)
    expected = list(range(1, total + 1))
    found = {"curl": seqs_of_curl(curl, total)} | {name: seqs(process) for name, process in subscribers.items()}
    assert len(all_events(connection, room)) == total
    for name, seen in found.items():
        if seen != expected:
            raise SystemExit(f"{name} saw {seen}")
    connection.close()
    server.end()
    print(f"clients: {', '.join(found)} each saw {total} events, once and in order")


main()
