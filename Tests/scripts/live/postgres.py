"""One node on PostgreSQL, as an operator runs it, and what it answers while the database comes and goes."""
import functools
import json
import os
import re
import signal
import tempfile
import time
import urllib.parse
import uuid

import postmaster
import program
import pruned_nodes
import removed_pictures
from postmaster import URL, database, psql
from program import NO_LIMITS, Server, auction_room, require_binary
from room_setup import Duel, guest, open_round
from wire import Connection, Checks, all_events, eventually, expect

check = Checks()
run = functools.partial(auction_room, timeout=120)


class Auction(Duel):
    """Records acknowledged bids."""

    def __init__(self, port):
        super().__init__(port)
        self.acknowledged = {}

    def bid(self, key=None):
        """Bids one step higher; returns the response. An acknowledged bid is recorded by its key."""
        self.amount += 1
        return self.repeat(key or uuid.uuid4().hex, self.amount)

    def repeat(self, key, amount):
        response = self.call(amount, key)
        if response.status == 201:
            self.acknowledged[key] = (amount, response.body)
        return response

    def verify(self):
        """Checks that each acknowledged bid is in the log exactly once."""
        placed = [json.loads(event) for event in all_events(self.connection, self.id, self.people[0][1])]
        check([event["seq"] for event in placed] == list(range(1, len(placed) + 1)), "seq has gaps")
        amounts = [event["data"]["amount"] for event in placed if event["type"] == "bid.placed"]
        for amount, _ in self.acknowledged.values():
            check(amounts.count(f"{amount}.00") == 1, f"the acknowledged bid of {amount} is there {amounts.count(f'{amount}.00')} times")
        check(len(amounts) == len(set(amounts)), "a bid is there twice")
        return len(placed)


def ready(server):
    return Connection(server.port).call("GET", "/readyz").status == 200


def survives(server, auction, how):
    """Stops and restarts the database; the program stays up, reports that it is not ready, and recovers."""
    for _ in range(20):
        expect(auction.bid(), 201)
    postmaster.end(how)
    key, codes = uuid.uuid4().hex, set()
    response = auction.bid(key)
    amount = auction.amount
    codes.add((response.status, response.code()))
    check(response.status == 503 and response.code() in ("service.outcome_unknown", "service.unavailable"),
          f"without a database a bid is answered {response.status} {response.code()}")
    eventually(lambda: not ready(server), "the server says that it is not ready")
    check(Connection(server.port).call("GET", "/healthz").status == 200, "the server is not alive")
    check(server.process.poll() is None, "the program ended with its database")
    postmaster.start()
    eventually(lambda: ready(server), "the server is ready again")
    # Repeats the request with the same key until it succeeds.
    def answered():
        again = auction.repeat(key, amount)
        check(again.status in (201, 503), f"the repeat is answered {again.status} {again.code()}")
        return again.status == 201
    eventually(answered, "the repeated bid is answered")
    first = auction.acknowledged[key][1]
    check(auction.repeat(key, amount).body == first, "a repeat is answered with other bytes")
    expect(auction.bid(), 201)
    auction.verify()


def one_node():
    url = database("auctions")
    server = Server(url, *NO_LIMITS, "--log-level", "error")
    auction = Auction(server.port)
    survives(server, auction, postmaster.FAST)
    # Immediate: the database recovers from its log, as after a crash.
    survives(server, auction, postmaster.IMMEDIATE)
    psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'auctions'")
    eventually(lambda: auction.bid().status == 201, "bids are taken again after every session was ended", 5)
    server.kill()
    server = Server(url, *NO_LIMITS, "--log-level", "error")
    auction.connection = Connection(server.port)
    # The tokens are still good: the secret is in the database.
    expect(auction.bid(), 201)
    events = auction.verify()
    code, _ = server.terminate()
    check(code == 0, f"the program ends with {code}")
    return url, auction, events


def tools(folder, url, auction, events):
    result = run("verify", "--store", url)
    check((result.returncode, result.stdout) == (0, f"1 rooms, {events} events, 0 findings\n"), f"verify: {result}")
    exported = run("export", "--store", url, "--room", auction.id)
    check(exported.returncode == 0 and len(exported.stdout.splitlines()) == events, f"export: {exported.returncode}")
    again = run("migrate", "--store", url)
    check(again.returncode == 0, f"migrate fails on a log that is up to date: {again.returncode} {again.stdout}{again.stderr}")
    # Copies the log to SQLite and back.
    back = f"sqlite:{folder}/back/rooms.db"
    copied = run("copy", "--from", url, "--to", back)
    check((copied.returncode, copied.stdout) == (0, f"1 rooms, {events} events copied\n"), f"copy: {copied}")
    check(run("export", "--store", back).stdout == run("export", "--store", url).stdout, "the copy is another log")
    again = database("again")
    versions = [run("migrate", "--store", store).stdout for store in (url, again)]
    check(re.fullmatch(r"the tables have version \d+\n", versions[0]) and versions[0] == versions[1], f"migrate says {versions}")
    check(run("copy", "--from", back, "--to", again).returncode == 0, "the copy back fails")
    check(run("verify", "--store", again).stdout == result.stdout, "the copy back is not sound")
    refused = run("copy", "--from", back, "--to", again)
    check(refused.returncode == 78 and "not empty" in refused.stderr, f"a copy onto a log: {refused}")
    # Clients continue with their tokens, keys and bids.
    server = Server(again, *NO_LIMITS, "--log-level", "error")
    auction.connection = Connection(server.port)
    key, (amount, body) = list(auction.acknowledged.items())[-1]
    check(auction.repeat(key, amount).body == body, "a key is forgotten by a copy")
    expect(auction.bid(), 201)
    auction.verify()
    server.terminate()
    psql("UPDATE event SET public = convert_to(replace(convert_from(public, 'UTF8'), 'Lot', 'Pot'), 'UTF8')", again)
    broken = run("verify", "--store", again)
    check(broken.returncode == 1 and "does not match its hash" in broken.stdout, f"a broken log: {broken}")


def own_rooms(url, auction):
    """Two nodes list what each user has in the room, also a node that opens a database of before there was that index."""
    def account(server, person):
        me = Connection(server.port)
        rooms, bids = (expect(me.call("GET", path, person[1]), 200) for path in ("/v1/me/rooms", "/v1/me/bids"))
        return ([row["role"] for row in rooms["rooms"] if row["room"]["id"] == auction.id],
                [row["standing"] for row in bids["bids"] if row["room"]["id"] == auction.id])

    def lists(servers):
        leader, beaten = auction.bidder(auction.amount), auction.bidder(auction.amount + 1)
        for server in servers:
            check(account(server, leader) == (["bidder"], ["leading"]), f"the leader's lists: {account(server, leader)}")
            check(account(server, beaten) == (["bidder"], ["outbid"]), f"the other bidder's: {account(server, beaten)}")
            check(account(server, auction.people[0]) == (["host"], []), f"the host's: {account(server, auction.people[0])}")

    servers = [Server(url, *NO_LIMITS, "--log-level", "error") for _ in range(2)]
    # The last bid was made in the copy, so in this log it is the other bidder's turn.
    auction.amount += 1
    for server in servers * 2:
        auction.connection = Connection(server.port)
        expect(auction.bid(), 201)
        lists(servers)
    for server in servers:
        server.terminate()
    psql("DELETE FROM participation", url)
    migrated = run("migrate", "--rebuild-user-index", "--store", url)
    check(migrated.returncode == 0, f"the index by user is not made anew: {migrated}")
    check(run("verify", "--store", url).returncode == 0, "the index by user is not what the events make")
    server = Server(url, *NO_LIMITS, "--log-level", "error")
    lists([server])
    server.terminate()
    psql("DELETE FROM participation WHERE role = 'host'", url)
    broken = run("verify", "--store", url)
    check(broken.returncode == 1 and "index by user" in broken.stdout, f"a broken index: {broken}")
    psql("UPDATE room SET users_seq = 0", url)


# What a trigger on the table of events does to every append: each fails as on a full disk, or its session ends in the middle of COMMIT.
TRIGGERS = {
    "full": ("RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'", "TRIGGER broken BEFORE INSERT", ""),
    "lost": ("PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1)", "CONSTRAINT TRIGGER broken AFTER INSERT", "DEFERRABLE INITIALLY DEFERRED"),
}


def breaks(how, url):
    """Breaks the database of a server in one way; `mends` mends it."""
    if how == "hangs":
        postmaster.signal_all(signal.SIGSTOP)
    elif how == "gone":
        postmaster.end(postmaster.IMMEDIATE)
    elif how == "read-only":
        psql(f"ALTER DATABASE {url.rsplit('/')[-1]} SET default_transaction_read_only = on")
        psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{url.rsplit('/')[-1]}'")
    else:
        body, trigger, deferred = TRIGGERS[how]
        psql(f"CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body}; RETURN NEW; END $$", url)
        psql(f"CREATE {trigger} ON event {deferred} FOR EACH ROW EXECUTE FUNCTION broken()", url)


def mends(how, url):
    if how == "hangs":
        postmaster.signal_all(signal.SIGCONT)
    elif how == "gone":
        postmaster.start()
    elif how == "read-only":
        psql(f"ALTER DATABASE {url.rsplit('/')[-1]} RESET default_transaction_read_only")
    else:
        psql("DROP FUNCTION broken() CASCADE", url)


def stops(folder):
    """A stop while the end of a round is due, and the database is away, answers nothing, is full, read-only, or loses every COMMIT: it ends in
    its time, and the next start ends the round."""
    for how in ("gone", "hangs", "full", "read-only", "lost"):
        log = os.path.join(folder, f"stops-{how}.log")
        url = database(f"stops_{how.replace('-', '_')}")
        server = Server(url, "--stop-seconds", "3", log=log)
        connection = Connection(server.port)
        people = [guest(connection, name) for name in ("Host", "Seller", "Ann")]
        item = {"name": "Lot", "rules": {"startingPrice": "1.00", "listingSeconds": 0, "biddingSeconds": 2}}
        room = open_round(connection, "Room", people[0], people[1], people[2:], item)
        ends = expect(connection.call("GET", f"/v1/rooms/{room}"), 200)["remainingMs"] / 1000 + time.monotonic()
        breaks(how, url)
        eventually(lambda: time.monotonic() > ends, "the round's end is due")
        if how != "hangs":
            metrics = b'auction_log_failures_total{kind="append"} 0\n'
            eventually(lambda: metrics not in connection.call("GET", "/metrics").body, f"{how}: the end of the round is not stored")
        asked = time.monotonic()
        try:
            code, _ = server.terminate(timeout=30)
            took = time.monotonic() - asked
        finally:
            mends(how, url)
        said = server.logged()[-1000:]
        check(took < 8, f"{how}: the program ended {took:.1f} s after SIGTERM: {said}")
        check(code == 74 and "held up the stop" in said if how == "hangs" else code in (0, 74), f"{how}: it ended with {code}: {said}")
        server = Server(url, log=log)
        connection = Connection(server.port)
        eventually(lambda: expect(connection.call("GET", f"/v1/rooms/{room}"), 200)["state"] == "closed", "the round ends after the next start")
        server.terminate()


def refusals():
    password = re.search(r":([0-9a-f]{32})@", URL)[1]
    for arguments, code, words in (
        (("serve", "--port", "0", "--store", "postgres://nobody@127.0.0.1:1/x"), 69, "Connection refused"),
        (("serve", "--port", "0", "--store", URL + "?options=-csynchronous_commit%3Doff"), 69, "synchronous_commit = off"),
        (("serve", "--port", "0", "--store", URL.replace(password, "wrong")), 69, "password authentication failed"),
        (("verify", "--store", database("empty")), 69, "there is no auction log"),
        (("copy", "--from", "memory:", "--to", "memory:"), 78, "memory:"),
        (("copy", "--from", "postgre://u:hunter2@h/d", "--to", "memory:"), 78, "--from must be"),
        *((command + ("--store", store), code, words)
          for command in (("serve", "--port", "0"), ("verify",))
          for store, code, words in (
              ("postgre://u:hunter2@h/d", 78, "--store must be"),
              # libpq refuses the first, and reads of the next ones a part of the password as a port or a host.
              ("postgres://u:hunter2%zz@h/d", 69, "percent-encoded"),
              ("postgres://u:hunter2/x@h/d", 69, "percent-encoded"),
              ("postgres://u:x@hunter2@h/d", 69, "percent-encoded"),
              ("postgres://u:hunter2?x@127.0.0.1:1/d", 69, "Connection refused"))),
    ):
        refused(arguments, code, words, password)
    # The texts in the variable.
    refused(("verify",), 78, "AUCTION_ROOM_STORE must be", password, {"AUCTION_ROOM_STORE": "postgre://u:hunter2@h/d"})


def refused(arguments, code, words, password, environment=None):
    check.count += 1
    said = program.refused(code, [words], *arguments, environment=environment)
    for secret in (password, "hunter2"):
        check(secret not in said, f"a password is in a message: {said}")


def password_files(folder, url):
    """The password may stand in a file instead of the store's text, for every command and whatever is in it."""
    password = "a&b=c?d %41 #+/é"
    psql(f"CREATE ROLE filed LOGIN SUPERUSER PASSWORD '{password}'", url)
    path, without = os.path.join(folder, "password"), re.sub("//[^@]*@", "//filed@", url)
    with open(path, "w") as file:
        file.write(password + "\n")
    os.chmod(path, 0o644)
    check(run("migrate", "--store", without).returncode == 69, "the role needs no password: the test says nothing")
    server = Server(without, "--store-password-file", path, "--log-level", "error")
    with open(f"/proc/{server.process.pid}/cmdline") as arguments:
        check("a&b" not in arguments.read(), "the password is among the arguments")
    check(server.terminate()[0] == 0, "a server with its password from a file does not stop")
    for store in (without, without + "?connect_timeout=2"):
        result = run("verify", "--store", store, environment={"AUCTION_ROOM_STORE_PASSWORD_FILE": path})
        check(result.returncode == 0, f"verify with the password from a file: {result}")
    for text in ("wrong", "", "two\nlines"):
        with open(path, "w") as file:
            file.write(text)
        result = run("migrate", "--store", without, environment={"AUCTION_ROOM_STORE_PASSWORD_FILE": path})
        expected = (69, "password authentication failed") if text == "wrong" else (78, path)
        check(result.returncode == expected[0] and expected[1] in result.stderr, f"the password {text!r}: {result}")
    with open(path, "w") as file:
        file.write("wrong")
    # A password in the store's text wins; an empty one is none.
    quoted = urllib.parse.quote(password, safe="")
    for given, code, words in ((quoted, 0, ""), ("", 69, "password authentication failed")):
        for store in (without.replace("filed@", f"filed:{given}@"), f"{without}?password={given}"):
            result = run("verify", "--store", store, environment={"AUCTION_ROOM_STORE_PASSWORD_FILE": path})
            check(result.returncode == code and words in result.stderr, f"a password in the text {store} and one in a file: {result}")


def main():
    require_binary()
    with tempfile.TemporaryDirectory(prefix="auction-postgres.") as folder:
        url, auction, events = one_node()
        tools(folder, url, auction, events)
        own_rooms(url, auction)
        refusals()
        removed_pictures.run(database("pictures"))
        pruned_nodes.run(folder)
        password_files(folder, url)
        stops(folder)
    print(f"postgres: {check.count} checks; the program outlives its database, and what was acknowledged is there once")


if __name__ == "__main__":
    main()
