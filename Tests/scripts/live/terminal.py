"""The terminal client against the real program: demo, watch over kills of the server, bid with its exit codes."""
import json
import os
import pty
import re
import signal
import subprocess
import tempfile
import time

from cutting_proxy import CuttingProxy
from program import BINARY, NO_LIMITS, Server, auction_room, require_binary, running
from room_setup import guest, open_room, open_round, start_round
from wire import Connection, check, eventually, expect

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
    connection = Connection(int(address[1].rsplit(":")[-1]))
    rooms = expect(connection.call("GET", "/v1/rooms"), 200)["rooms"]
    check(len(rooms) == 2, f"the demo has {len(rooms)} rooms")
    sale = expect(connection.call("GET", f"/v1/rooms/{address[2]}/sale"), 200)
    check(sale["premium"] == {"percent": "20"} and sale["running"], f"the demo's sale: {sale}")
    until = time.monotonic() + 20
    while len(lots := expect(connection.call("GET", f"/v1/rooms/{address[2]}/lots"), 200)["lots"]) < 3:
        check(time.monotonic() < until, f"the demo has {len(lots)} lots")
        time.sleep(0.2)
    for lot in lots:
        picture = connection.call("GET", lot["item"]["media"][0])
        check(picture.status == 200 and picture.body.startswith(b"\x89PNG"), f"the picture of {lot['item']['name']}: {picture.status}")
    falling = next(room["id"] for room in rooms if room["id"] != address[2])
    until, shown_rules, reserve_met = time.monotonic() + 100, {}, None
    while not (shown_rules.get("format") == "dutch" and reserve_met is not None):
        check(time.monotonic() < until, f"of the demo's rooms one shows {shown_rules}, and no lot of the other has a reserve price")
        shown_rules = expect(connection.call("GET", f"/v1/rooms/{falling}"), 200)["rules"] or {}
        reserve_met = expect(connection.call("GET", f"/v1/rooms/{address[2]}"), 200)["reserveMet"]
        time.sleep(0.2)
    demo.terminate()
    check(demo.wait(20) == 0, "the demo ends with a signal")
    moving = shown(["demo", "--port", "0", "--seconds", "60"], " bids ")
    check("Evening sale" in moving and "A sale is on: http://" in moving, f"the demo's own terminal shows {moving[-1500:]!r}")
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
    eventually(lambda: expect(connection.call("GET", f"/v1/rooms/{room}", host), 200)["viewers"] >= 2, "watch comes back", 90)
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


def shown(arguments, sign, environment=None):
    """What the program shows on a terminal until `sign` is there."""
    parent, child = pty.openpty()
    process = subprocess.Popen([BINARY, *arguments], stdin=subprocess.DEVNULL, stdout=child, env={**os.environ, **(environment or {})})
    running.add(process)
    os.close(child)
    until, text = time.monotonic() + 30, ""
    while sign not in text:
        check(time.monotonic() < until, f"the terminal shows no {sign!r}: {text[-2000:]!r}")
        text += os.read(parent, 65536).decode(errors="replace")
    process.kill()
    process.wait()
    running.discard(process)
    os.close(parent)
    return text


def watch_on_terminal(folder):
    """In words and colours, with what can be done."""
    server = Server(f"sqlite:{folder}/shown.db", *NO_LIMITS)
    connection, url = Connection(server.port), f"http://127.0.0.1:{server.port}"
    host, seller, ann = (guest(connection, name) for name in ("Hana", "Sato", "Ann"))
    room = open_round(connection, "Tonight", host, seller, [ann], {"name": "Teapot", "rules": RULES})
    expect(connection.call("POST", f"/v1/rooms/{room}/bids", ann[1], {"amount": "100"}), 201)
    text = shown(["watch", room, "--url", url], "Ann bids 100.00 CNY")
    check("\x1b[32m" in text and "bid.placed" not in text, f"the terminal shows {text[-2000:]!r}")
    check(f" bid {room} - --url {url} --nickname You" in text and f"{url}/#/rooms/{room}" in text, f"no hint: {text[-600:]!r}")
    plain = shown(["watch", room, "--url", url], "Ann bids 100.00 CNY", {"NO_COLOR": "1"})
    check("\x1b[3" not in plain and "\x1b[1m" not in plain, f"colours in spite of NO_COLOR: {plain[-600:]!r}")
    lines = start("watch", room, "--url", url, "--after", "0")
    printed = [lines.stdout.readline() for _ in range(8)]
    check(not any(re.match(r"\d+ \w+\.\w+", line) for line in printed), f"names of events instead of words: {printed}")
    lines.kill()
    server.terminate()
    print("watch: words, colours and hints on a terminal")


def watch_in_words(folder):
    """Everything that happens in two rounds, a sale and on the stage is said in words, not by the names of the API."""
    server = Server(f"sqlite:{folder}/words.db", *NO_LIMITS)
    connection, url = Connection(server.port), f"http://127.0.0.1:{server.port}"
    host, seller, ann, bo = (guest(connection, name) for name in ("Hana", "Sato", "Ann", "Bo"))
    room = open_room(connection, "Tonight", host, seller, [ann, bo])
    path = f"/v1/rooms/{room}"

    def does(caller, method, rest, body=None):
        return expect(connection.call(method, path + rest, caller[1], body), 200, 201, 204)

    watch = start("watch", room, "--url", url, "--after", "0")
    lot = does(seller, "POST", "/lots", {"name": "Vase", "reference": "B1", "rules": RULES})["id"]
    does(seller, "POST", "/lots", {"name": "Cup", "rules": RULES})
    does(seller, "PATCH", f"/lots/{lot}", {"name": "Old vase"})
    does(host, "DELETE", f"/lots/{lot}?reason=broken")
    does(host, "PUT", "/sale", {"mode": "automatic"})
    does(host, "POST", "/sale/start")
    does(host, "POST", "/auction/cancel", {"reason": "not yet"})
    does(seller, "POST", "/items", {"name": "Teapot", "rules": {**RULES, "reservePrice": "500.00"}})
    does(host, "POST", "/auction/start")
    does(ann, "POST", "/bids", {"amount": "100"})
    does(host, "POST", "/auction/pause")
    does(host, "POST", "/auction/resume")
    does(ann, "POST", "/bids", {"maximum": "130"})
    does(bo, "POST", "/bids", {"amount": "150"})
    does(host, "POST", "/auction/end")
    does(host, "POST", "/auction/start")
    does(seller, "POST", "/items", {"name": "Bowl", "rules": RULES})
    does(host, "POST", "/auction/start")
    bid = does(ann, "POST", "/bids", {"amount": "100"})["bid"]["id"]
    does(host, "DELETE", f"/bids/{bid}?reason=slip")
    does(host, "POST", "/auction/end")
    request = does(ann, "POST", "/stage/requests", {"role": "bidder"})["id"]
    does(host, "POST", f"/stage/{request}/accept")
    does(ann, "POST", f"/stage/{request}/confirm")
    does(host, "POST", "/stage/seats/1/mute", {"muted": True})
    does(ann, "POST", "/stage/leave")
    does(host, "POST", "/stage/seats/1/close")
    for muted in (True, False):
        does(host, "PATCH", f"/members/{bo[0]}", {"muted": muted})
    does(host, "PATCH", f"/members/{bo[0]}", {"role": "auctioneer", "banned": False})
    does(host, "DELETE", f"/members/{bo[0]}")
    does(host, "DELETE", "")
    lines = [line.split(" ", 1)[1] for line in watch.communicate(timeout=60)[0].splitlines()]
    for line in lines:
        check(not re.search(r"\w_\w|[a-z][A-Z]|[a-z]\.[a-z]", line), f"watch says {line!r}")
    for line in ("not sold: there were no bids", "not sold: the reserve was not met", "Ann joined as a bidder", "Bo is an auctioneer now",
                 "the countdown has another end, after a pause", "lot queued: B1 · Vase", "lot queued: 2 · Cup", "lot withdrawn: broken",
                 "sale stopped by Hana: the round was cancelled", "sale started by Hana", "stage seat muted", "Ann asks for a seat on the stage", "Ann left the stage",
                 "Hana muted Bo", "Hana lets Bo speak again"):
        check(line in lines, f"watch does not say {line!r}: {lines}")
    server.terminate()
    print(f"watch: {len(lines)} events in words")


def bids(folder):
    server = Server(f"sqlite:{folder}/bids.db", *NO_LIMITS)
    connection, url = Connection(server.port), f"http://127.0.0.1:{server.port}"
    host, seller, ann = (guest(connection, name) for name in ("Hana", "Sato", "Ann"))
    room = open_round(connection, "Tonight", host, seller, [ann], {"name": "Teapot", "rules": RULES})
    cases = [
        ("Ann", ("100",), 0, "leading with 100.00 CNY", "the token of Ann is kept in .auction-room-guests"),
        ("Ann", ("130",), 1, "refused: You already have the highest bid.", ""),
        ("Bo", ("105",), 1, "refused: The bid of 105.00 is below the minimum of 110.00 CNY.", "the token of Bo is kept"),
        ("Bo", ("-", "--maximum", "200"), 0, "leading with 110.00 CNY", ""), ("Ann", ("150",), 0, "outbid: the price is 160.00 CNY", ""),
        ("Bo", ("a lot",), 1, "", "a lot is not an amount"), ("Bo", ("1.001",), 1, "", "1.001 has more than 2 fraction digits"),
    ]
    kept = os.path.join(folder, ".auction-room-guests")
    for nickname, arguments, code, printed, complained in cases:
        done = auction_room("bid", room, *arguments, "--url", url, "--nickname", nickname, cwd=folder)
        check(("is kept" in done.stderr) == ("is kept" in complained), f"bid {arguments} says again that {nickname} is kept: {done.stderr!r}")
        check(os.stat(kept).st_mode & 0o777 == 0o600, f"others can read {kept}")
        check(done.returncode == code and done.stdout.startswith(printed) and complained in done.stderr,
              f"bid {arguments}: {done.returncode} {done.stdout!r} {done.stderr!r}")
    token = auction_room("bid", room, "210", "--url", url, "--token", ann[1], cwd=folder)
    check(token.stdout == "leading with 210.00 CNY\n", f"a bid with a token: {token}")
    absent = auction_room("bid", "room_none", "1", "--url", url, cwd=folder)
    check(absent.returncode == 1 and "no such room" in absent.stderr, f"a room that is not there: {absent}")
    server.terminate()
    # Another server, to which the tokens mean nothing.
    other = Server("memory:", "--port", str(server.port), *NO_LIMITS)
    again = auction_room("bid", "room_none", "1", "--url", url, "--nickname", "Bo", cwd=folder)
    check("no such room" in again.stderr and "the token of Bo is kept" in again.stderr, f"a token that is not accepted any more: {again}")
    other.terminate()
    begun = time.monotonic()
    silent = auction_room("bid", room, "1", "--url", "http://127.0.0.1:1", cwd=folder)
    check(silent.returncode == 1 and "Connection refused" in silent.stderr, f"a server that is not there: {silent}")
    check(time.monotonic() - begun < 15, "a server that is not there is reported within seconds")
    check(auction_room("watch", room, "--url", "https://127.0.0.1").returncode == 64, "https is refused")
    print(f"bid: {len(cases) + 4} cases")


def bid_for_one_item(folder):
    """A bid on its way when the host begins the round again with another item does not count for that one."""
    server = Server(f"sqlite:{folder}/item.db", *NO_LIMITS)
    connection, others = Connection(server.port), Connection(server.port)
    host, seller = guest(connection, "Hana"), guest(connection, "Sato")
    room = open_round(connection, "Tonight", host, seller, [], {"name": "Teapot", "rules": RULES})
    path = f"/v1/rooms/{room}"
    item = expect(connection.call("GET", path), 200)["item"]["id"]

    def begin_again():
        expect(others.call("POST", f"{path}/auction/cancel", host[1], {"reason": "the wrong pot"}), 200)
        expect(others.call("POST", f"{path}/items", seller[1], {"name": "Cup", "rules": RULES}), 200)
        expect(others.call("POST", f"{path}/auction/start", host[1]), 200)

    between = CuttingProxy(server.port, begin_again)
    done = auction_room("bid", room, "-", "--url", f"http://127.0.0.1:{between.port}", "--nickname", "Ann", cwd=folder)
    check([(bid.get("round"), bid.get("item")) for bid in between.bids] == [(1, item)], f"bid sends {between.bids}")
    check(done.returncode == 1 and "meant for another item" in done.stdout, f"a bid for the item before: {done}")
    now = expect(connection.call("GET", path), 200)
    check((now["round"], now["item"]["name"], now["currentBid"]) == (1, "Cup", None), f"the room has {now['currentBid']} in round {now['round']}")
    server.terminate()
    print("bid: names the item that was shown")


def totals(folder):
    """With a premium `bid` and `watch` say what the buyer pays; a sale of before keeps the premium that it closed with."""
    server = Server(f"sqlite:{folder}/totals.db", *NO_LIMITS)
    connection, url = Connection(server.port), f"http://127.0.0.1:{server.port}"
    host, seller = guest(connection, "Hana"), guest(connection, "Sato")
    room = open_room(connection, "Tonight", host, seller)
    expect(connection.call("PUT", f"/v1/rooms/{room}/sale", host[1], {"mode": "manual", "premium": {"percent": "12.5"}}), 200)
    start_round(connection, room, host, seller, {"name": "Teapot", "rules": RULES})
    shown(["watch", room, "--url", url], "at least  100.00 CNY (112.50 CNY with the premium)", {"NO_COLOR": "1"})
    for nickname, arguments, printed in (("Bo", ("-", "--maximum", "200"), "leading with 100.00 CNY (112.50 CNY with the premium)\n"),
                                         ("Ann", ("150",), "outbid: the price is 160.00 CNY (180.00 CNY with the premium)\n")):
        done = auction_room("bid", room, *arguments, "--url", url, "--nickname", nickname, cwd=folder)
        check(done.stdout == printed, f"bid {arguments} with a premium: {done}")
    text = shown(["watch", room, "--url", url], "at least  170.00 CNY (191.25 CNY with the premium)", {"NO_COLOR": "1"})
    check("price     160.00 CNY (180.00 CNY with the premium) by Bo" in text, f"the price on the terminal: {text[-900:]!r}")
    eventually(lambda: expect(connection.call("GET", f"/v1/rooms/{room}"), 200)["viewers"] == 0, "the terminal has gone")
    live = start("watch", room, "--url", url)
    eventually(lambda: expect(connection.call("GET", f"/v1/rooms/{room}"), 200)["viewers"] == 1, "watch follows the room")
    expect(connection.call("POST", f"/v1/rooms/{room}/auction/end", host[1]), 200)
    sold = "sold to Bo for 160.00 CNY (180.00 CNY with the premium)"
    expect(connection.call("PUT", f"/v1/rooms/{room}/sale", host[1], {"mode": "manual", "premium": {"percent": "50"}}), 200)
    late = start("watch", room, "--url", url, "--after", "0")
    for watch in (live, late):
        lines = []
        while not lines or "sold to" not in lines[-1]:
            lines.append(watch.stdout.readline())
            check(lines[-1], f"watch ends without the sale: {lines}")
        check(lines[-1].endswith(f" {sold}\n"), f"the sale is {lines[-1]!r}")
        watch.kill()
    shown(["watch", room, "--url", url], sold, {"NO_COLOR": "1"})
    server.terminate()
    print("totals: in bids, on the screen, in sales")


def main():
    require_binary()
    demo_moves()
    with tempfile.TemporaryDirectory(prefix="terminal-") as folder:
        demo_leaves_nothing(folder)
        watch_survives(folder)
        watch_on_terminal(folder)
        watch_in_words(folder)
        bids(folder)
        bid_for_one_item(folder)
        totals(folder)


main()
