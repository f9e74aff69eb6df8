"""The terminal client against the real program: demo, watch over kills of the server, bid with its exit codes."""
import json
import os
import re
import signal
import subprocess
import tempfile
import time

from program import BINARY, NO_LIMITS, Server, auction_room, require_binary, running
from room_setup import guest, open_round
from wire import Connection, check, expect

RULES = {"startingPrice": "100.00", "increment": {"fixed": "10.00"}, "listingSeconds": 0, "biddingSeconds": 3600}
KILLS = 3
MESSAGES = 5


def start(*arguments, environment=None):
    process = subprocess.Popen([BINARY, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **(environment or {})})
    running.add(process)
    return process


def demo_moves():
    begun = time.monotonic()
    demo = start("demo", "--port", "0")
    address = re.search(r"(http://\S+)/#/rooms/(room_\w+)", demo.stdout.readline())
    check(address, "the demo prints where its sale is")
    watch = start("watch", address[2], "--url", address[1], "--json", "--after", "0")
    seqs = []
    for line in watch.stdout:
        event = json.loads(line)
        seqs.append(event["seq"])
        if event["type"] == "bid.placed":
            break
    lasted = time.monotonic() - begun
    check(seqs == list(range(1, len(seqs) + 1)), f"the demo's events are in order: {seqs}")
    check(lasted < 10, f"the first bid of the demo came after {lasted:.1f} s")
    watch.kill()
    demo.terminate()
    check(demo.wait(20) == 0, "the demo ends with a signal")
    print(f"demo: the first bid after {lasted:.1f} s, {len(seqs)} events")


def demo_leaves_nothing(folder):
    """Also when its terminal is closed."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        data = os.path.join(folder, number.name)
        os.mkdir(data)
        demo = start("demo", "--port", "0", environment={"TMPDIR": data})
        check("A sale is on" in demo.stdout.readline(), "the demo starts")
        check(len(os.listdir(data)) == 1, f"the demo's data are in its own folder, not {os.listdir(data)}")
        demo.send_signal(number)
        code = demo.wait(20)
        running.discard(demo)
        check((code, os.listdir(data)) == (0, []), f"the demo after {number.name}: exit {code}, {os.listdir(data)} stays")


def watch_survives(folder):
    """Every event is printed once, in order, whatever happens to the server."""
    store = f"sqlite:{folder}/rooms.db"
    server = Server(store, *NO_LIMITS, "--limit-messages-per-second", "0")
    port = server.port
    connection = Connection(port)
    _, host = guest(connection, "Hana")
    room = expect(connection.call("POST", "/v1/rooms", host, {"name": "Tonight"}), 201)["id"]
    watch = start("watch", room, "--url", f"http://127.0.0.1:{port}", "--json", "--after", "0")
    plain = start("watch", room, "--url", f"http://127.0.0.1:{port}", "--after", "0")
    for kill in range(KILLS + 1):
        for number in range(MESSAGES):
            text = f"message {kill}-{number} é 甲"
            expect(connection.call("POST", f"/v1/rooms/{room}/messages", host, {"text": text}), 201)
        if kill < KILLS:
            server.kill()
            server = Server(store, *NO_LIMITS, "--limit-messages-per-second", "0", "--port", str(port))
            connection = Connection(port)
    # An archived room cannot be read any more: both have to be connected when it is archived.
    until = time.monotonic() + 90
    while expect(connection.call("GET", f"/v1/rooms/{room}", host), 200)["viewers"] < 2:
        check(time.monotonic() < until, "watch does not come back")
        time.sleep(0.1)
    expect(connection.call("DELETE", f"/v1/rooms/{room}", host), 204)
    # The archiving of the room is its last event, after which both end by themselves.
    output, errors = watch.communicate(timeout=60)
    events = [json.loads(line) for line in output.splitlines()]
    count = 2 + (KILLS + 1) * MESSAGES
    check(watch.returncode == 0, f"watch ends with {watch.returncode}: {errors}")
    check([event["seq"] for event in events] == list(range(1, count + 1)), f"each event once: {output}")
    check("connected again" in errors, "watch says when it is connected again")
    lines = plain.communicate(timeout=60)[0].splitlines()
    check([line.split()[0] for line in lines] == [str(seq) for seq in range(1, count + 1)], f"each event a line: {lines}")
    check("Hana: message 0-0 é 甲" in lines[1], lines[1])
    server.terminate()
    print(f"watch: {count} events over {KILLS} kills, each once")


def bids(folder):
    server = Server(f"sqlite:{folder}/bids.db", *NO_LIMITS)
    connection, url = Connection(server.port), f"http://127.0.0.1:{server.port}"
    host, seller, ann = (guest(connection, name) for name in ("Hana", "Sato", "Ann"))
    room = open_round(connection, "Tonight", host, seller, [ann], {"name": "Teapot", "rules": RULES})
    cases = [
        (("100",), 0, "leading with 100.00 CNY", ""), (("105",), 1, "refused: The bid of 105.00 is below the minimum of 110.00 CNY.", ""),
        (("-", "--maximum", "200"), 0, "leading with 110.00 CNY", ""), (("150",), 0, "outbid: the price is 160.00 CNY", ""),
        (("a lot",), 1, "", "a lot is not an amount"), (("1.001",), 1, "", "1.001 has more than 2 fraction digits"),
    ]
    for arguments, code, printed, complained in cases:
        done = auction_room("bid", room, *arguments, "--url", url, "--nickname", "Terminal")
        check(done.returncode == code and done.stdout.startswith(printed) and complained in done.stderr,
              f"bid {arguments}: {done.returncode} {done.stdout!r} {done.stderr!r}")
    token = auction_room("bid", room, "210", "--url", url, "--token", ann[1])
    check(token.stdout == "leading with 210.00 CNY\n", f"a bid with a token: {token}")
    absent = auction_room("bid", "room_none", "1", "--url", url)
    check(absent.returncode == 1 and "no such room" in absent.stderr, f"a room that is not there: {absent}")
    server.terminate()
    begun = time.monotonic()
    silent = auction_room("bid", room, "1", "--url", "http://127.0.0.1:1")
    check(silent.returncode == 1 and "Connection refused" in silent.stderr, f"a server that is not there: {silent}")
    check(time.monotonic() - begun < 15, "a server that is not there is reported within seconds")
    check(auction_room("watch", room, "--url", "https://127.0.0.1").returncode == 64, "https is refused")
    print(f"bid: {len(cases) + 4} cases")


def main():
    require_binary()
    demo_moves()
    with tempfile.TemporaryDirectory(prefix="terminal-") as folder:
        demo_leaves_nothing(folder)
        watch_survives(folder)
        bids(folder)


main()
