"""The program as a process: help, refusals to start, graceful stop, and the state after a restart."""
import gzip
import json
import os
import re
import select
import signal
import socket
import sqlite3
import stat
import subprocess
import threading
import time

import database
import identity
import sign_in
from program import BINARY, NO_LIMITS, Server, auction_room, refused, require_binary, running, scratch_folder
from room_setup import Duel
from wire import Connection, ConnectionLost, Checks, eventually, expect

OPTIONS = {
    "host": ("nowhere.invalid", 69), "port": ("70000", 78), "store": ("mysql://x", 78), "threads": ("0", 78),
    "token-secret-file": ("/nowhere/secret", 78), "stop-seconds": ("-1", 78), "drain-seconds": ("3601", 78),
    "store-password-file": ("/nowhere/password", 78), "log-level": ("loud", 78), "limit-body-bytes": ("1", 78),
    "limit-header-bytes": ("x", 78), "limit-json-depth": ("0", 78), "limit-request-seconds": ("0", 78), "limit-connections": ("1e3", 78),
    "limit-bids-per-second": ("-1", 78), "limit-commands-per-second": ("-1", 78), "limit-guests-per-minute": ("many", 78),
    "limit-guests-burst": ("-1", 78), "limit-webhooks": ("101", 78), "limit-rooms-per-user": ("1.5", 78), "limit-pending-commands": ("0", 78),
    "limit-messages-per-second": ("-1", 78), "limit-streams-per-user": ("-1", 78), "limit-room-bytes": ("-1", 78), "media": ("mine", 78),
    "limit-picture-bytes": ("1", 78), "limit-media-bytes": ("-1", 78), "limit-log-bytes": ("-1", 78), "retain-archived-days": ("36501", 78), "limit-media-bytes-per-room": ("-1", 78),
    "limit-media-bytes-per-user": ("-1", 78), "limit-stale-seconds": ("0", 78), "limit-connections-per-address": ("-1", 78),
    "allowed-origins": ("shop.example", 78), "tls-cert": ("/nowhere/certificate", 78), "tls-key": ("/nowhere/private", 78),
    "jwks-file": ("/nowhere/keys", 78), "jwt-secret-file": ("/nowhere/shared", 78), "jwt-issuer": ("https://id.example", 78),
    "jwt-audience": ("auctions", 78), "guests": ("maybe", 78), "revocations-file": ("/nowhere/revoked", 78),
    "oidc": ("https://sso.example", 78), "session-days": ("0", 78), "page-sign-in": ("http://sso.example", 78),
    "jwks-url": ("http://keys.example", 78), "metrics-token-file": ("/nowhere/token", 78), "admin-token-file": ("/nowhere/admin", 78),
    "metrics-token": ("short", 78), "trusted-proxies": ("10.0.0.1/8", 78), "webhooks-allow": ("10.0.0.1/33", 78),
    "voice": ("livekit:ws://voice.example", 78), "voice-key": ("voice key", 78), "voice-secret-file": ("/nowhere/voice", 78),
    "voice-anonymous": ("maybe", 78), "voice-client-url": ("https://cdn.example/livekit.js", 78),
    "log-format": ("xml", 78), "stream-notice-seconds": ("31", 78), "limit-memory": ("63M", 78),
}
FILES = ("token-secret-file", "store-password-file", "metrics-token-file", "admin-token-file", "jwks-file", "jwt-secret-file",
         "revocations-file", "tls-cert", "tls-key")
check = Checks()


def variable(option):
    return "AUCTION_ROOM_" + option.upper().replace("-", "_")


def refuses(code, names, *arguments, environment=None):
    """A start ends at once, with this code and one line that names what is wrong."""
    check.count += 1
    refused(code, names, "serve", *arguments, environment=environment)


def checks_help(folder):
    brief, text = auction_room("serve", "--help").stdout, re.sub(r"\s+", " ", auction_room("serve", "--help-all").stdout)
    listed = set(re.findall(r"--([a-z0-9-]+) <", text))
    check(listed == OPTIONS.keys(), f"--help-all and this test list different options: {listed ^ OPTIONS.keys()}")
    check(len(listed) <= 60, f"there are {len(listed)} options")
    check(len(brief.splitlines()) <= 60 and "--help-all" in brief, f"--help is no overview: {brief}")
    check(set(re.findall(r"--([a-z0-9-]+) <", brief)) < listed, "--help has other options than --help-all")
    for option in OPTIONS:
        check(
            re.search(rf"--{option} <[^>]*> [^<]*\(default: [^;)]+; {variable(option)}\)", text),
            f"--help-all does not give the default and the variable of --{option}")
    for code in ("0 ", "64 ", "69 ", "74 ", "78 "):
        check(code in brief, f"--help does not explain exit code {code}")
    check("serve" in auction_room("--help").stdout, "--help does not list the commands")


def refuses_values(folder):
    for option, (value, code) in OPTIONS.items():
        store = () if option == "store" else ("--store", f"sqlite:{folder}/values.db")
        refuses(code, [value if option == "host" or option in FILES else f"--{option}"],
                f"--{option}={value}", *store)
        refuses(code, [value if option == "host" or option in FILES else variable(option)], *store,
                environment={variable(option): value})
    refuses(78, ["--limit-memory", "limit-picture-bytes"], "--limit-memory=64M", "--limit-picture-bytes=8000000", "--store", "memory:")
    # One more than an HTTP server takes, whose own refusal ends with 69 and does not name the option.
    refuses(78, ["--limit-connections"], "--limit-connections=900001", "--store", "memory:", "--port", "0")
    ended = auction_room("serve", "--no-such-option", "1")
    check(ended.returncode == 64, f"an option that does not exist ends with {ended.returncode}")


def refuses_files(folder):
    plain = os.path.join(folder, "plain")
    with open(plain, "w") as file:
        file.write("too short\n")
    refuses(78, [plain, "32"], "--port", "0", "--store", f"sqlite:{folder}/values.db", "--token-secret-file", plain)
    voice = ("--port", "0", "--store", "memory:", "--voice", "livekit:wss://voice.example")
    refuses(78, [plain, "32"], *voice, "--voice-key", "key", "--voice-secret-file", plain)
    refuses(78, ["--voice-key", "--voice-secret-file"], *voice)
    client = f"https://cdn.example/livekit.js#sha384-{'A' * 64}"
    refuses(78, ["--voice-client-url"], "--port", "0", "--store", "memory:", "--voice-client-url", client)
    refuses(74, [plain], "--port", "0", "--store", f"sqlite:{plain}/rooms.db")
    refuses(74, ["/proc/"], "--port", "0", "--store", "sqlite:/proc/rooms.db", "--token-secret-file", secret(folder))
    with open(os.path.join(folder, "text.db"), "w") as file:
        file.write("This is no database at all, and nothing may be written over it.\n" * 100)
    refuses(74, ["text.db"], "--port", "0", "--store", f"sqlite:{folder}/text.db")
    check(not os.path.exists(f"{folder}/text.db.token-secret"), "a start without a log leaves a token secret behind")
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    for path in ("/dev/null", folder, pipe):
        refuses(74, [path, "no file"], "--port", "0", "--store", f"sqlite:{path}")
        check(not os.path.exists(path + ".lock"), f"a start on {path} leaves a lock file behind")


def origins_of_apps(folder):
    """Pages of apps and browser extensions have schemes of their own; a wrong entry is named as it is, without stray punctuation."""
    ended = auction_room("serve", "--store", "memory:", "--allowed-origins", "shop.example")
    check("such as https://shop.example, or *, with commas between" in ended.stderr and "*,," not in ended.stderr, f"the refusal says {ended.stderr!r}")
    origins = ("capacitor://localhost", "ionic://localhost", "tauri://localhost", "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
               "app://localhost", "vscode-webview://0QX4a", "com.example.auction+ios://app.example:8443")
    server = Server("memory:", "--log-level", "error", "--allowed-origins", ",".join(origins))
    connection = Connection(server.port)
    for origin, allowed in [*((origin, origin) for origin in origins), ("capacitor://elsewhere", None), ("http://localhost", None),
                            ("null", None)]:
        response = connection.call("GET", "/v1/rooms", headers=[f"Origin: {origin}"])
        check(response.headers.get("access-control-allow-origin") == allowed, f"{origin} gets {response.headers}")
    connection.close()
    server.terminate()
    for wrong in ("null", "app://", "1app://localhost", "ap_p://localhost", "app:/localhost", "app://localhost/index.html", "://localhost", "file:///"):
        refuses(78, ["--allowed-origins"], "--store", "memory:", "--allowed-origins", f"https://shop.example,{wrong}")


def secret(folder):
    path = os.path.join(folder, "secret")
    with open(path, "w") as file:
        file.write("s" * 64 + "\n")
    return path


def in_use(folder):
    store = f"sqlite:{folder}/used.db"
    server = Server(store, "--log-level", "error")
    port = str(server.port)
    other = f"sqlite:{folder}/other.db"
    refuses(69, [port, "in use"], "--port", port, "--store", other)
    refuses(69, [port, "in use"], "--port", port, "--store", other, "--threads", "2")
    # As if both had been started at once on a new directory: a secret of this one would end the tokens that the other one signs.
    os.remove(f"{folder}/used.db.token-secret")
    refuses(69, ["used.db", str(server.process.pid)], "--port", "0", "--store", store)
    check(not os.path.exists(f"{folder}/used.db.token-secret"), "a start that does not get the log makes a token secret")
    check(auction_room("healthcheck", "--port", port).returncode == 0, "the healthcheck fails on a server that is ready")
    check(auction_room("healthcheck", environment={"AUCTION_ROOM_PORT": port}).returncode == 0, "the healthcheck ignores its variable")
    check(server.terminate() == (0, ""), "SIGTERM does not end an idle server with 0 and without another word")
    ended = auction_room("healthcheck", "--port", port)
    check(ended.returncode == 1 and port in ended.stderr, f"the healthcheck without a server: {ended}")
    check(auction_room("healthcheck", "--port", "x").returncode == 1, "the healthcheck takes a port that is none")


def variables_and_options(folder):
    """A variable counts, and an option beats it."""
    os.environ.update({"AUCTION_ROOM_LIMIT_BODY_BYTES": "2000", "AUCTION_ROOM_LIMIT_JSON_DEPTH": "nonsense"})
    try:
        server = Server("memory:", "--limit-json-depth", "16", "--log-level", "error")
    finally:
        del os.environ["AUCTION_ROOM_LIMIT_BODY_BYTES"], os.environ["AUCTION_ROOM_LIMIT_JSON_DEPTH"]
    connection = Connection(server.port)
    response = connection.call("POST", "/v1/guests", body={"nickname": "x" * 3000})
    check(response.status == 413, f"3,000 bytes under a limit of 2,000 were answered {response.status}")
    connection.close()
    server.process.send_signal(2)
    check(server.process.wait(10) == 0, "SIGINT does not end the server with 0")
    server.kill()


def reports_memory_and_variables(folder):
    """What follows from `limit-memory` is reported as it is in force, and a variable that is no option is named at start."""
    def shown(memory="", **limits):
        limits = {"MEMORY": memory, **limits}
        printed = auction_room("configuration", "--values", environment={f"AUCTION_ROOM_LIMIT_{name}": value for name, value in limits.items()}).stdout
        return {name: int(value) for name, value in (line.split() for line in printed.splitlines())}
    bounds = shown("1G")
    check((bounds["limit-memory"], bounds["limit-loaded-bytes"], bounds["limit-response-bytes"]) == (1 << 30, 1 << 29, 1 << 28), f"{bounds}")
    check(shown()["limit-memory"] >= 64 << 20, "the default is below what can be set")
    bursts = [shown(**limits)["limit-guests-burst"] for limits in (
        {}, {"GUESTS_PER_MINUTE": "60"}, {"GUESTS_PER_MINUTE": "60", "GUESTS_BURST": "90"})]
    check(bursts == [300, 60, 90], f"by default, with the default rate set, and with a burst: {bursts} guests at once")
    log = os.path.join(folder, "unknown")
    os.environ["AUCTION_ROOM_LIMIT_LOADED_BYTES"] = "1000"
    try:
        server = Server("memory:", "--limit-memory", "64M", log=log)
    finally:
        del os.environ["AUCTION_ROOM_LIMIT_LOADED_BYTES"]
    check(Connection(server.port).call("GET", "/v1/rooms").status == 200, "with the least memory a read is refused")
    server.terminate()
    warned = [line for line in read(log).splitlines() if "no option" in line]
    check(len(warned) == 1 and "AUCTION_ROOM_LIMIT_LOADED_BYTES" in warned[0], f"the unknown variable is not named once: {warned}")


def checks_metrics_and_logs(folder):
    """The operator's token from a file grants access to the metrics and is never logged; `--log-format json` logs JSON."""
    path, log, token = os.path.join(folder, "metrics-token"), os.path.join(folder, "log"), "an-operators-token"
    with open(path, "w") as file:
        file.write(token + "\n")
    server = Server("memory:", "--log-format", "json", "--log-level", "trace", "--metrics-token-file", path, log=log)
    with open(f"/proc/{server.process.pid}/cmdline") as arguments:
        check(token not in arguments.read(), "the metrics token is among the arguments")
    room = Duel(server.port).id
    connection = Connection(server.port)
    check(connection.call("GET", "/metrics").status == 404, "the metrics are open without their token")
    response = connection.call("GET", "/metrics", token)
    check(response.status == 200 and b'result="accepted"' in response.body, f"no metrics with the token: {response.status}")
    check(room.encode() not in response.body, "a room's id is in the metrics")
    for path in ("/", "/page/strings.js", "/openapi.yaml", "/asyncapi.yaml"):
        plain, small = connection.call("GET", path), connection.call("GET", path, headers=["Accept-Encoding: gzip"])
        check(gzip.decompress(small.body) == plain.body and len(small.body) * 2 < len(plain.body), f"{path} is not compressed well: {len(small.body)} bytes")
    connection.close()
    check(server.terminate()[0] == 0, "the server with a metrics token does not stop")
    with open(log) as lines:
        objects = [json.loads(line) for line in lines]
    check(all({"time", "level", "message"} <= line.keys() for line in objects), "a line of the log lacks its own members")
    for message in ("starting", "ready", "request", "transition", "stopping", "stopped"):
        check(any(line["message"] == message for line in objects), f"the log has no line {message!r}")
    check(token not in json.dumps(objects), "the metrics token is in the log")
    with open(path, "w") as file:
        file.write("short\n")
    refuses(78, [path, "16"], "--store", "memory:", "--metrics-token-file", path)
    refuses(78, ["AUCTION_ROOM_METRICS_TOKEN", "16"], "--store", "memory:", environment={"AUCTION_ROOM_METRICS_TOKEN": "short"})


def identities(folder):
    identity.check_all(folder, check, refuses)
    sign_in.check_all(folder, check, refuses)


def diagrams(folder):
    mermaid, dot = auction_room("diagram").stdout, auction_room("diagram", "--notation", "dot").stdout
    check(mermaid.startswith("stateDiagram-v2"), f"the diagram is no Mermaid: {mermaid[:60]!r}")
    check(dot.startswith("digraph"), f"the diagram is no DOT: {dot[:60]!r}")
    for state in ("preparing", "listing", "auctioning", "closed"):
        check(state in mermaid and state in dot, f"{state} is missing from a diagram")
    check(auction_room("diagram", "--notation", "ascii").returncode == 64, "an unknown notation is not refused")


class Bidding(threading.Thread):
    """Bids in a room of its own until the server hangs up."""

    def __init__(self, port):
        super().__init__()
        self.duel, self.acknowledged, self.refused = Duel(port), [], []

    def run(self):
        for number in range(1, 1_000_000):
            try:
                response = self.duel.call(number)
            except ConnectionLost:
                return
            if response.status == 201:
                self.acknowledged.append(response.json()["bid"]["id"])
            else:
                self.refused.append((response.status, response.code()))
                return


class Polling(threading.Thread):
    def __init__(self, port, room):
        super().__init__()
        self.port, self.room, self.response = port, room, None

    def run(self):
        try:
            path = f"/v1/rooms/{self.room}/events?after=latest&wait=60"
            self.response = Connection(self.port, timeout=30).call("GET", path)
        except ConnectionLost as lost:
            self.response = lost


def stops_gracefully(folder):
    """SIGTERM while long-polls are held and bids are running, then a new start on the same log."""
    home = os.path.join(folder, "stop")
    store = f"sqlite:{home}/rooms.db"
    server = Server(store, *NO_LIMITS, "--log-level", "error", "--threads", "2")
    quiet = Duel(server.port)
    bidders = [Bidding(server.port) for _ in range(16)]
    polls = [Polling(server.port, quiet.id) for _ in range(20)]
    for thread in polls + bidders:
        thread.start()
    time.sleep(0.7)
    began = time.monotonic()
    code, output = server.terminate(timeout=15)
    took = time.monotonic() - began
    for thread in polls + bidders:
        thread.join()
    check(code == 0 and output == "", f"SIGTERM under load: exit code {code}, output {output!r}")
    check(took < 5, f"the stop took {took:.1f} s with nothing but held long-polls and bids")
    for poll in polls:
        check(getattr(poll.response, "status", None) == 200, f"a held long-poll was not answered but got {poll.response!r}")
        check(poll.response.json()["events"] == [], "a held long-poll of a quiet room received something")
    kept = bids_in(home, folder)
    promised = {bid for bidder in bidders for bid in bidder.acknowledged}
    check(len(promised) > 100, f"only {len(promised)} bids were running: no load to speak of")
    check(promised <= kept, f"{len(promised - kept)} acknowledged bids are not in the log")
    check(kept <= promised, f"{len(kept - promised)} bids are in the log and were never answered")
    for bidder in bidders:
        check(all(status == 503 for status, _ in bidder.refused), f"refused while stopping: {bidder.refused}")
    restarts(home, store, quiet.id, quiet.bidder(0))
    return len(promised), took


def says_an_address_that_opens(_):
    """The ready line of a server that listens on all addresses has one that a browser can open."""
    hosts = {"127.0.0.1": "127.0.0.1", "0.0.0.0": "127.0.0.1"}
    if socket.has_ipv6 and os.path.exists("/proc/net/if_inet6"):
        hosts.update({"::1": "[::1]", "::": "[::1]", "0:0:0:0:0:0:0:0": "[::1]"})
    for host, opened in hosts.items():
        server = Server("memory:", "--log-level", "error", "--host", host)
        note = " (all addresses)" if host.strip(":0.") == "" else ""
        check(server.ready_line == f"auction-room is ready at http://{opened}:{server.port}{note}\n", f"{host}: {server.ready_line!r}")
        with socket.create_connection((opened.strip("[]"), server.port), 5) as client:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            check(client.recv(64).startswith(b"HTTP/1.1 200 "), f"{opened} of {host} does not answer")
        server.terminate()


def handles_signal_at_start(folder):
    """SIGTERM right after the ready line ends the program, however late the runtime installs its signal handlers."""
    # The first time that each of its threads says what it does with a signal takes a second.
    slow = ("strace", "-f", "-qq", "-o", os.path.join(folder, "strace"), "-e", "trace=rt_sigaction",
            "-e", "inject=rt_sigaction:delay_enter=1000000:when=1")
    server = Server("memory:", "--log-level", "error", wrapper=slow)
    with open(f"/proc/{server.process.pid}/task/{server.process.pid}/children") as children:
        process = int(children.read().split()[0])
    os.kill(process, signal.SIGTERM)
    try:
        code = server.process.wait(10)
    except subprocess.TimeoutExpired:
        code = "nothing, and went on"
        os.kill(process, signal.SIGKILL)
    server.kill()
    check(code == 0, f"SIGTERM right after the start was answered with {code}")


def outlives_its_streams(folder):
    """A server serves while its log cannot be written, and with standard streams that are closed."""
    for log_format in ("text", "json"):
        server = Server("memory:", "--log-format", log_format, "--log-level", "debug", wrapper=("sh", "-c", 'exec "$@" 2>/dev/full', "sh"))
        response = Connection(server.port).call("POST", "/v1/guests", body={"nickname": "Quiet"})
        check(response.status == 201, f"a log in {log_format} on a full disk: {response.status}")
        check(server.terminate()[0] == 0, f"a log in {log_format} on a full disk: the server does not end with 0")
    home = os.path.join(folder, "closed")
    server = Server(f"sqlite:{home}/rooms.db", "--log-format", "json", "--log-level", "debug",
                    wrapper=("sh", "-c", 'exec "$@" <&- 2>&-', "sh"))
    check(Connection(server.port).call("GET", "/readyz").status == 200, "a server without standard error is not ready")
    with open(f"{home}/rooms.db.lock") as lock:
        check(lock.read() == f"{server.process.pid}\n+", "the log is written into a file that has the number of standard error")
    check(server.terminate()[0] == 0, "a server without standard error does not end with 0")


def serves_without_standard_output(folder):
    for redirection in (">/dev/full", ">&-"):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        process = subprocess.Popen(["sh", "-c", f'exec "$@" {redirection}', "sh", BINARY, "serve", "--store", "memory:", "--port", port],
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        running.add(process)
        end = time.monotonic() + 20
        while auction_room("healthcheck", "--port", port).returncode != 0 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        check(process.poll() is None, f"a server with {redirection} ends with {process.returncode}")
        process.terminate()
        check(process.wait(20) == 0, f"a server with {redirection} does not end with 0")
        running.discard(process)


def reloads_nothing(folder):
    """`systemctl reload` of a server that has no files to read again."""
    server = Server("memory:", log=os.path.join(folder, "reload-log"))
    server.reload("were read again")
    check(Connection(server.port).call("GET", "/readyz").status == 200, "a server without files does not outlive SIGHUP")
    check(server.terminate()[0] == 0, "a server that got SIGHUP does not end with 0")


def reads_the_admin_token_again(folder):
    """A new token in the file replaces the old one; a file that cannot be used leaves the token as it was."""
    path, tokens = os.path.join(folder, "admin-token"), [f"the-operators-token-number-{number}-of-three" for number in range(3)]

    def put(text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    for text in ("too-short\n", tokens[0] + "\n" + tokens[1] + "\n", "\n"):
        put(text)
        process = subprocess.run([BINARY, "serve", "--port", "0", "--store", "memory:", "--admin-token-file", path], capture_output=True, text=True,
                                 timeout=20, check=False)
        check(process.returncode == 78 and "admin-token" in process.stderr, f"a file {text!r} is taken: {process.returncode}, {process.stderr!r}")
    put(tokens[0] + "\n")
    server = Server("memory:", "--admin-token-file", path, log=os.path.join(folder, "admin-token-log"))
    connection = Connection(server.port)

    def statuses():
        return [connection.call("GET", "/v1/admin/tokens", token).status for token in tokens]

    check(statuses() == [200, 404, 404], f"the tokens are answered {statuses()}")
    put(tokens[1] + "\n")
    server.reload("were read again")
    check(statuses() == [404, 200, 404], f"after another token in the file the tokens are answered {statuses()}")
    put("too-short\n")
    server.reload("stay as they were")
    check(statuses() == [404, 200, 404], f"after a file that cannot be used the tokens are answered {statuses()}")
    connection.close()
    check(server.terminate()[0] == 0, "a server with an admin token does not end with 0")


def reloads_after_its_start(folder):
    """SIGHUP while the log is being opened: the start goes on, and the files are read again once the server has started."""
    home, log = os.path.join(folder, "reload"), os.path.join(folder, "reload-log-at-start")
    store = f"sqlite:{home}/rooms.db"
    killed = Server(store, "--log-level", "error")
    Duel(killed.port)
    killed.kill()
    # A start waits up to 15 s for programs that read what a server that was killed has left in the write-ahead log.
    reader = sqlite3.connect(f"{home}/rooms.db", isolation_level=None)
    reader.execute("BEGIN")
    check(reader.execute("SELECT count(*) FROM event").fetchone()[0] > 0, "there is nothing to read")
    with open(log, "wb") as errors:
        process = subprocess.Popen([BINARY, "serve", "--port", "0", "--store", store], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
    running.add(process)
    eventually(lambda: read(f"{home}/rooms.db.lock").startswith(f"{process.pid}\n"), "the start opens the log")
    process.send_signal(signal.SIGHUP)
    ended, _, _ = select.select([process.stdout], [], [], 0.5)
    check(not ended, f"a start with SIGHUP did not wait for the reader: exit code {process.poll()}, log {read(log)!r}")
    reader.close()
    line = process.stdout.readline().decode()
    check(re.fullmatch(r"auction-room is ready at \S+:\d+\n", line), f"a start with SIGHUP printed {line!r}, log {read(log)!r}")
    port = int(line.strip().rpartition(":")[2])
    eventually(lambda: Connection(port).call("GET", "/readyz").status == 200, "a start with SIGHUP becomes ready")
    eventually(lambda: "were read again" in read(log), "a SIGHUP during the start is carried out")
    process.terminate()
    check(process.wait(20) == 0, "a server that got SIGHUP during its start does not end with 0")
    running.discard(process)


def removes_its_temporary_store(folder):
    """`memory:` is a folder of its own, which is gone after a signal and after a start that failed."""
    data = os.path.join(folder, "temporary")
    os.mkdir(data)
    for number in (signal.SIGTERM, signal.SIGINT):
        server = Server("memory:", "--log-level", "error", wrapper=("env", f"TMPDIR={data}"))
        Duel(server.port)
        stored = [os.path.join(data, name) for name in os.listdir(data)]
        check(len(stored) == 1 and stat.S_IMODE(os.stat(stored[0]).st_mode) == 0o700, f"the temporary store is not one private folder: {stored}")
        check("rooms.db" in os.listdir(stored[0]), f"the temporary store is no SQLite log: {os.listdir(stored[0])}")
        refuses(69, ["use"], "--store", "memory:", "--port", str(server.port), environment={"TMPDIR": data})
        check(len(os.listdir(data)) == 1, f"a start that failed leaves its temporary store: {os.listdir(data)}")
        server.process.send_signal(number)
        code = server.process.wait(10)
        server.kill()
        check((code, os.listdir(data)) == (0, []), f"a temporary store after {number.name}: exit code {code}, {os.listdir(data)} stays")
    refuses(74, [f"{data}/none"], "--store", "memory:", "--port", "0", environment={"TMPDIR": f"{data}/none"})


def read(path):
    with open(path) as file:
        return file.read()


def drains(folder):
    """While draining, /readyz is 503 and requests are served, also on new connections; a second signal ends the wait."""
    server = Server("memory:", "--log-level", "error", "--drain-seconds", "60")
    kept = Connection(server.port)
    check(kept.call("GET", "/readyz").status == 200, "not ready")
    server.process.send_signal(signal.SIGTERM)
    end = time.monotonic() + 10
    while (response := Connection(server.port).call("GET", "/readyz")).status == 200 and time.monotonic() < end:
        time.sleep(0.01)
    check((response.status, response.json()["waitingFor"]) == (503, ["draining"]), f"/readyz of a draining server: {response.body}")
    for connection in (kept, Connection(server.port)):
        response = connection.call("POST", "/v1/guests", body={"nickname": "Late"})
        check(response.status == 201, f"a draining server answers {response.status}")
        check(response.headers.get("connection", "").lower() == "close", "a draining server keeps connections")
    check(auction_room("healthcheck", "--port", str(server.port)).returncode == 1, "a draining server is healthy")
    began = time.monotonic()
    check(server.terminate()[0] == 0, "a draining server does not end with 0")
    check(time.monotonic() - began < 5, "a second signal does not end the wait")
    server = Server("memory:", "--log-level", "error", "--drain-seconds", "1")
    began = time.monotonic()
    check(server.terminate()[0] == 0, "a server that drained does not end with 0")
    check(0.9 < time.monotonic() - began < 6, "the drain does not take its time")


def bids_in(home, folder):
    log = database.Log(database.copy(home, os.path.join(folder, "look")))
    rows = log.run("SELECT json_extract(CAST(public AS TEXT), '$.data.bidId') FROM event WHERE type = 'bid.placed'")
    log.close()
    return {row[0] for row in rows}


def restarts(home, store, room, ann):
    for name in ("rooms.db", "rooms.db.token-secret"):
        mode = stat.S_IMODE(os.stat(os.path.join(home, name)).st_mode)
        check(mode == 0o600, f"{name} has the mode {mode:o}")
    server = Server(store, "--log-level", "error")
    connection = Connection(server.port)
    expect(connection.call("POST", "/v1/tokens/renew", ann[1]), 200)
    response = expect(connection.call("GET", f"/v1/rooms/{room}", ann[1]), 200)
    check(response["me"]["role"] == "bidder", "after a restart a token no longer stands for its user")
    connection.close()
    check(server.terminate()[0] == 0, "the second stop failed")


def main():
    require_binary()
    started = time.monotonic()
    with scratch_folder("serve") as folder:
        for part in (checks_help, refuses_values, refuses_files, in_use, variables_and_options, reports_memory_and_variables, checks_metrics_and_logs, identities, origins_of_apps, diagrams, says_an_address_that_opens, handles_signal_at_start,
                     outlives_its_streams, serves_without_standard_output, reloads_nothing, reads_the_admin_token_again, reloads_after_its_start, drains,
                     removes_its_temporary_store):
            part(folder)
        bids, took = stops_gracefully(folder)
    print(
        f"serve: {check.count} checks; a stop under load with {bids} bids acknowledged before it took {took * 1000:.0f} ms; "
        f"{time.monotonic() - started:.0f} s")


main()
