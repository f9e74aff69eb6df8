"""AuctionClient as an app's team uses it: what its package builds, following through kills of the server, and whole auctions."""
import hashlib
import http.server
import json
import os
import plistlib
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import room_setup
from program import NO_LIMITS, Server, require_binary
from wire import Connection, ConnectionLost, all_events, expect

SAMPLE = Path("Tests/ClientSample")
ARTICLE = Path("Sources/AuctionClientCore/AuctionClient.docc/AuctionClient.md")
SCRATCH = Path(".cache/client-sample").resolve()
# A clone whose folder has not the name of the package: the sample must build in any.
CLONE = SCRATCH / "clone-of-another-name"
OWN = {"AuctionClient", "AuctionClientCore", "StateMachines", "first", "follow", "play"}
# The app's own versions, and what these need; the server's packages are not resolved.
PINS = {"swift-crypto": "3.12.3", "yams": "5.0.1", "swift-asn1": "1.7.4"}
MODULES = {"AuctionClientCore", "Foundation", "FoundationEssentials", "FoundationNetworking", "Observation", "StateMachines", "Synchronization"}
# Only where `#if canImport` finds them: on Apple's systems.
APPLE = {"Combine", "Dispatch", "Network", "Security"}
PRIVACY = Path("Sources/AuctionClient/PrivacyInfo.xcprivacy")
# What an app needs a reason for, by Apple's list: times of files, of the system's start, free space, keyboards, defaults.
REASONED = (r"creationDate|modificationDate|contentModificationDate|\b(f|l)?stat(at)?\(|getattrlist|systemUptime|mach_absolute_time|volumeAvailableCapacity"
            r"|systemFreeSize|statv?fs|activeInputModes|UserDefaults")
KILLS = 4
RULES = {"startingPrice": "1.00", "increment": {"fixed": "1.00"}, "listingSeconds": 0, "biddingSeconds": 3600}


def fail(text):
    raise SystemExit(f"client library: {text}")


def copy_clone():
    """Copies the clone, and removes what was built of another: the package manager looks for changes in the sample only, and what it keeps crashes."""
    sources, names = hashlib.sha256(), ("Sources/AuctionClient", "Sources/AuctionClientCore", "Sources/StateMachines", SAMPLE / "Sources")
    for source in [Path("Package.swift"), SAMPLE / "Package.swift", *(each for name in names for each in sorted(Path(name).glob("**/*.swift")))]:
        sources.update(f"{source} {source.stat().st_size} ".encode() + source.read_bytes())
    mark = SCRATCH / "sources"
    if not mark.exists() or mark.read_text() != sources.hexdigest():
        shutil.rmtree(SCRATCH, ignore_errors=True)
        CLONE.mkdir(parents=True)
        shutil.copy2("Package.swift", CLONE)
        for part in ("Sources", "Tests"):
            shutil.copytree(part, CLONE / part)
        (CLONE / SAMPLE / "Package.resolved").unlink(missing_ok=True)
        mark.write_text(sources.hexdigest())


def build():
    """Builds the sample where no C library can be found, and says what that took."""
    copy_clone()
    environment = {**os.environ, "PKG_CONFIG_LIBDIR": "/nowhere", "PKG_CONFIG_PATH": ""}
    command = ["swift", "build", "--package-path", str(CLONE / SAMPLE), "--scratch-path", str(SCRATCH)]
    built = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, check=False)
    if built.returncode:
        fail(f"the sample does not build:\n{built.stdout[-4000:]}")
    shown = subprocess.run([*command, "--show-bin-path"], stdout=subprocess.PIPE, text=True, env=environment, check=True)
    return Path(shown.stdout.strip())


def check_built(folder):
    """Nothing but the library, the pure target below it, and the sample's own programs has become an object file or a module."""
    objects = {found.relative_to(folder).parts[0].removesuffix(".build") for found in folder.rglob("*.o")} - {"Modules"}
    modules = {found.stem for found in (folder / "Modules").glob("*.swiftmodule")}
    for name, found in (("object files of", objects), ("modules", modules)):
        if found != OWN:
            fail(f"{name} {sorted(found)} instead of {sorted(OWN)}")
    imports = set()
    for source in Path("Sources").glob("AuctionClient*/**/*.swift"):
        imports |= set(re.findall(r"^\s*(?:@_exported )?(?:public )?import (\w+)", source.read_text(encoding="utf-8"), re.MULTILINE))
    if imports - MODULES - APPLE:
        fail(f"AuctionClient imports {sorted(imports - MODULES - APPLE)}")
    if bundles := [str(found) for found in folder.glob("*.resources")]:
        fail(f"the library has a bundle here: {bundles}")
    pins = json.loads((CLONE / SAMPLE / "Package.resolved").read_text(encoding="utf-8"))["pins"]
    resolved = {pin["identity"]: pin["state"].get("version") for pin in pins}
    if resolved != PINS:
        fail(f"resolved {resolved}, not the app's own {PINS}")
    print(f"built: {', '.join(sorted(objects))}; resolved: none of the server's packages")


def check_privacy():
    """The manifest says what the sources do: nothing is tracked, and nothing that needs a reason is used."""
    manifest = plistlib.loads(PRIVACY.read_bytes())
    if manifest["NSPrivacyTracking"] or manifest["NSPrivacyTrackingDomains"] or manifest["NSPrivacyAccessedAPITypes"]:
        fail(f"the privacy manifest says {manifest}")
    for kind in manifest["NSPrivacyCollectedDataTypes"]:
        if kind["NSPrivacyCollectedDataTypeTracking"] or not kind["NSPrivacyCollectedDataTypePurposes"]:
            fail(f"the privacy manifest has {kind}")
    for source in [*Path("Sources").glob("AuctionClient*/**/*.swift"), *Path("Sources/StateMachines").glob("**/*.swift")]:
        if found := re.search(REASONED, source.read_text(encoding="utf-8")):
            fail(f"{source} has {found.group()}, which the privacy manifest must give a reason for")


class Follower:
    """The program `follow` and the lines that it has printed."""

    def __init__(self, folder, port, room, log):
        self.lines = []
        self.started = time.monotonic()
        self.errors = open(log, "wb")
        self.process = subprocess.Popen(
            [folder / "follow", f"http://127.0.0.1:{port}", room], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.split())

    def reach(self, seq, seconds=60):
        deadline = time.monotonic() + seconds
        while not (self.lines and int(self.lines[-1][0]) >= seq):
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.errors.flush()
                fail(f"follow has printed {len(self.lines)} of {seq} events\n{Path(self.errors.name).read_text()[-3000:]}")
            time.sleep(0.02)

    def check_idle(self):
        """Waiting for events costs next to nothing. URLSession on Linux can turn it into a busy loop, see URLSessionTransport."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rsplit(") ", 1)[1].split()
        used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        elapsed = time.monotonic() - self.started
        if used > elapsed / 2:
            fail(f"follow used {used:.1f} s of processor time in {elapsed:.1f} s")

    def finish(self):
        """Waits until the program ends by itself, as it does when the room is archived."""
        try:
            code = self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            fail("follow does not end with the room")
        self.reader.join()
        self.errors.close()
        if code:
            fail(f"follow ended with {code}: {Path(self.errors.name).read_text()[-2000:]}")


def bid(connection, room, bidders, amount):
    """Bids in turn; the response may be lost when the server is killed, then the bid is repeated under its key."""
    token = bidders[amount % len(bidders)][1]
    while True:
        try:
            answer = connection.call(
                "POST", f"/v1/rooms/{room}/bids", token, {"amount": f"{amount}.00"}, key=f"bid-{amount}")
            if answer.status == 503:
                # Just started, and still reading its log.
                time.sleep(0.05)
                continue
            return expect(answer, 201)["receipt"]["seq"]
        except (ConnectionLost, OSError):
            connection.close()
            time.sleep(0.05)


def follow(binaries, folder):
    """Bids are placed from one thread all the time, while the server is killed and started again."""
    store = f"sqlite:{folder}/rooms.db"
    server = Server(store, *NO_LIMITS, log=f"{folder}/server.log")
    port = server.port
    connection = Connection(port)
    host, seller, *bidders = (room_setup.guest(connection, name) for name in ("Ann", "Bo", "Cy", "Di"))
    room = room_setup.open_round(connection, "Night market", host, seller, bidders, {"name": "Teapot", "rules": RULES})
    follower = Follower(binaries, port, room, f"{folder}/follow.log")
    follower.reach(1)
    stopped = threading.Event()
    placed, failures = [], []

    def keep_bidding():
        own = Connection(port)
        amount = 1
        try:
            while not stopped.is_set():
                placed.append(bid(own, room, bidders, amount))
                amount += 1
                stopped.wait(0.01)
        except Exception as error:  # Reported by the main thread, which waits for bids.
            failures.append(error)
        own.close()

    bidding = threading.Thread(target=keep_bidding, daemon=True)
    bidding.start()
    for _ in range(KILLS):
        count, deadline = len(placed), time.monotonic() + 30
        while len(placed) < count + 20:
            if failures or time.monotonic() > deadline:
                fail(f"{len(placed)} bids were placed, then no more: {failures}")
            time.sleep(0.01)
        server.kill()
        server = Server(store, *NO_LIMITS, "--port", str(port), log=f"{folder}/server.log")
    follower.reach(placed[-1])
    stopped.set()
    bidding.join(timeout=30)
    connection.close()
    connection = Connection(port)
    expect(connection.call("POST", f"/v1/rooms/{room}/auction/end", host[1]), 200)
    events = all_events(connection, room)
    # An archived room is absent: a follower that is away at that moment finds no room.
    follower.reach(len(events))
    follower.check_idle()
    expect(connection.call("DELETE", f"/v1/rooms/{room}", host[1]), 204)
    follower.finish()
    server.kill()
    expected = [(str(event["seq"]), event["type"]) for event in map(json.loads, events)]
    printed = [(line[0], line[1]) for line in follower.lines]
    if printed[:len(expected)] != expected or [line[1] for line in printed[len(expected):]] != ["room.archived"]:
        wrong = next((pair for pair in zip(printed, expected) if pair[0] != pair[1]), "the number")
        fail(f"printed {len(printed)} events, not the {len(expected)} of the log and the archive: {wrong}")
    print(f"follow: {len(printed)} events, each printed once and in order, through {KILLS} kill -9 and {len(placed)} bids")


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """Redirects everything, as a network's sign-in page does."""
    paths = []

    def do_GET(self):
        self.paths.append(self.path)
        self.send_response(302)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET

    def log_message(self, *_):
        """Nothing."""


def redirects(binaries):
    """A redirect is never followed, so that a token goes to the configured server only; it is tried again."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        follower = subprocess.Popen(
            [binaries / "follow", f"http://127.0.0.1:{elsewhere.server_port}", "room_1"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while len(Elsewhere.paths) < 3 and time.monotonic() < deadline:
            time.sleep(0.02)
        follower.kill()
        follower.wait()
        elsewhere.shutdown()
    if len(Elsewhere.paths) < 3 or set(Elsewhere.paths) != {"/v1/rooms/room_1"}:
        fail(f"a redirect was followed, or not tried again: {Elsewhere.paths}")


def addresses(binaries):
    """What cannot be an address ends the program at once; attempts at an unreachable one are printed."""
    for address in ("localhost:8080", "auctions", "ftp://127.0.0.1", "http://"):
        ended = subprocess.run([binaries / "first", address, "room_1"], capture_output=True, text=True, timeout=5, check=False)
        if ended.returncode != 1 or "is not the address of a server" not in ended.stdout:
            fail(f"first {address} ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    started = subprocess.Popen(
        [binaries / "first", f"http://127.0.0.1:{port}", "room_1"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    # The first attempts follow each other within two seconds; without a line the test's own time limit ends it.
    lines = [started.stdout.readline() for _ in range(3)]
    started.kill()
    started.wait()
    if not all(line.startswith("POST /v1/guests: ") for line in lines):
        fail(f"first says of an unreachable server {lines}")


def play(binaries, folder):
    """The library's own program plays a whole auction in each format."""
    server = Server(f"sqlite:{folder}/play.db", *NO_LIMITS)
    played = subprocess.run(
        [binaries / "play", f"http://127.0.0.1:{server.port}"], capture_output=True, text=True, timeout=120, check=False)
    server.kill()
    if played.returncode:
        fail(f"play ended with {played.returncode}: {played.stderr[-3000:]}")
    print(played.stdout.strip())


def first(binaries, folder):
    """The program of the article, as it is written there: it bids when it may, and again when another bidder leads."""
    program = (SAMPLE / "Sources/first/main.swift").read_text(encoding="utf-8")
    if f"```swift\n{program}```" not in ARTICLE.read_text(encoding="utf-8"):
        fail(f"{ARTICLE} does not have the program of {SAMPLE}/Sources/first")
    server = Server(f"sqlite:{folder}/first.db", *NO_LIMITS)
    connection = Connection(server.port)
    host, seller, bidder = (room_setup.guest(connection, name) for name in ("Ann", "Bo", "Cy"))
    room = room_setup.open_round(connection, "Night market", host, seller, [bidder], {"name": "Teapot", "rules": RULES})
    started = subprocess.Popen(
        [binaries / "first", f"http://127.0.0.1:{server.port}", room], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)

    def wait_for_price(price):
        deadline = time.monotonic() + 30
        while expect(connection.call("GET", f"/v1/rooms/{room}"), 200)["currentPrice"] != price:
            if time.monotonic() > deadline or started.poll() is not None:
                started.kill()
                fail(f"first does not bid {price}: {started.stdout.read()}")
            time.sleep(0.02)

    wait_for_price("1.00")
    expect(connection.call("POST", f"/v1/rooms/{room}/bids", bidder[1], {"amount": "5.00"}), 201)
    wait_for_price("6.00")
    expect(connection.call("POST", f"/v1/rooms/{room}/auction/end", host[1]), 200)
    expect(connection.call("DELETE", f"/v1/rooms/{room}", host[1]), 204)
    output, _ = started.communicate(timeout=30)
    server.kill()
    bids = [line for line in output.splitlines() if line.startswith("leading")]
    if started.returncode or bids != ["leading with 1.00 CNY", "leading with 6.00 CNY"] or "room.archived" not in output:
        fail(f"first ended with {started.returncode} and printed\n{output}")
    print(f"first: the article's program bids {len(bids)} times")


def main():
    require_binary()
    binaries = build()
    check_built(binaries)
    check_privacy()
    with tempfile.TemporaryDirectory() as folder:
        addresses(binaries)
        redirects(binaries)
        follow(binaries, folder)
        play(binaries, folder)
        first(binaries, folder)


main()
