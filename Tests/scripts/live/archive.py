"""`export` and `verify`: everything that was streamed, nothing private, and detection of damage."""
import csv
import io
import json
import os
import re
import subprocess
import tempfile

import database
import pruned_rooms
import removed_pictures
from program import BINARY, NO_LIMITS, Server, auction_room, refused, require_binary
from room_setup import guest
from wire import Connection, Checks, all_events, expect

RULES = {"startingPrice": "1.00", "listingSeconds": 0, "biddingSeconds": 3600}
SECRETS = ("99.99", "88.88", "66.66")
check = Checks()


def auction(connection):
    """A room with everything that has a private part; returns its id."""
    host, seller, ann, bo = (guest(connection, name) for name in ("Host", "Seller", "Ann", "=Bo"))
    room = expect(connection.call("POST", "/v1/rooms", host[1], {"name": "Room", "visibility": "private"}), 201)
    code, path = room["inviteCode"], f"/v1/rooms/{room['id']}"
    for person in (seller, ann, bo):
        expect(connection.call("POST", path + "/members", person[1], {"role": "bidder", "inviteCode": code}), 201)
    expect(connection.call("PATCH", f"{path}/members/{seller[0]}", host[1], {"role": "auctioneer"}), 200)
    expect(connection.call("PATCH", f"{path}/members/{bo[0]}", host[1], {"creditLimit": "66.66"}), 200)
    # The first round stays below its reserve, the second is sold.
    for winner, loser, maximum, reserve in ((ann, bo, "88.88", {"reservePrice": "99.99"}), (bo, ann, "60.00", {})):
        expect(connection.call("POST", path + "/items", seller[1], {"name": "Lot", "rules": RULES | reserve}), 201)
        expect(connection.call("POST", path + "/auction/start", host[1]), 200)
        expect(connection.call("POST", path + "/bids", winner[1], {"maximum": maximum}), 201)
        expect(connection.call("POST", path + "/bids", loser[1], {"amount": "20.00"}), 201)
        expect(connection.call("POST", path + "/messages", loser[1], {"text": "a \"word\", or two\nlines;=1"}), 201)
        expect(connection.call("POST", path + "/auction/end", host[1]), 200)
        expect(connection.call("POST", path + "/auction/start", host[1]), 200)
    return room["id"], code, host[1]


def exports(store, room, code, streamed):
    lines = auction_room("export", "--store", store, "--room", room)
    check(lines.returncode == 0, f"export ends with {lines.returncode}: {lines.stderr}")
    check([line.encode() for line in lines.stdout.splitlines()] == streamed, "the export is not what was streamed")
    everything = auction_room("export", "--store", store)
    mine = [json.loads(line) for line in everything.stdout.splitlines()]
    check({event.pop("room") for event in mine} == {room}, "an event of all rooms does not name its room")
    check(mine == [json.loads(event) for event in streamed], "the export of all rooms is another one")
    table = auction_room("export", "--store", store, "--format", "csv")
    check(table.stdout.startswith("\ufeffroom,"), f"the table begins with {table.stdout[:9]!r}")
    check(auction_room("export", "--store", store, "--format", "csv", "--no-bom").stdout == table.stdout[1:], "the mark is not left out alone")
    check(";=" not in table.stdout and ";\\u003d" in table.stdout, "a cell has a formula behind a separator")
    rows = list(csv.DictReader(io.StringIO(table.stdout[1:], newline="")))
    check([int(row["seq"]) for row in rows] == list(range(1, len(streamed) + 1)), "the table lacks events")
    for row, event in zip(rows, streamed):
        event = json.loads(event)
        row_event = {"seq": int(row["seq"]), "type": row["type"], "at": row["at"], "round": int(row["round"]),
                "data": json.loads(row["data"])}
        check(row_event == event, f"the table says {row_event}, the stream {event}")
    for secret in (*SECRETS, code):
        check(secret not in lines.stdout + everything.stdout + table.stdout, f"the private {secret} is exported")


def sound(store, rooms, events):
    result = auction_room("verify", "--store", store)
    check((result.returncode, result.stdout) == (0, f"{rooms} rooms, {events} events, 0 findings\n"),
          f"a sound log: exit {result.returncode}, {result.stdout!r}, {result.stderr!r}")


def broken(folder, home, number, statement, wanted):
    copy = database.copy(home, os.path.join(folder, f"broken-{number}"))
    log = database.Log(copy)
    log.run(statement)
    log.close()
    result = auction_room("verify", "--store", f"sqlite:{copy}/rooms.db")
    check(result.returncode == 1, f"{statement}: verify ends with {result.returncode}: {result.stdout}{result.stderr}")
    check(wanted in result.stdout, f"{statement}: no word of {wanted!r} in {result.stdout!r}")
    last = result.stdout.splitlines()[-1]
    check(last.startswith("1 rooms, ") and not last.endswith(" 0 findings"), f"{statement}: the summary is {last!r}")


def refusals(folder):
    for arguments, code in (
        (("verify", "--store", f"sqlite:{folder}/none.db"), 69), (("verify", "--store", "memory:"), 78),
        (("verify", "--store", "mysql:x"), 78), (("export", "--store", f"sqlite:{__file__}"), 74),
        (("copy", "--from", f"sqlite:{folder}/none.db", "--to", f"sqlite:{folder}/copy-of-none.db"), 69),
        (("backup", "--store", f"sqlite:{folder}/none.db", "--to", ""), 78), (("restore", "--from", ""), 78),
    ):
        check.count += 1
        refused(code, (), *arguments)
    check(not os.path.exists(f"{folder}/none.db"), "looking at a log that is not there makes one")


def copies_onto_a_used_log(folder, store):
    """A server on the target has made a secret: with that one the tokens of the source would end."""
    used = f"sqlite:{folder}/used/rooms.db"
    check(Server(used, "--log-level", "error").terminate()[0] == 0, "a server on an empty log does not stop")
    refused(78, ["token secret"], "copy", "--from", store, "--to", used)


def prints_to_a_full_disk(store):
    for arguments, reason in (
        (("export", "--store", store), ": No space left on device"), (("verify", "--store", store), ""), (("rules",), ""), (("diagram",), ""),
    ):
        with open("/dev/full", "w") as full:
            ended = subprocess.run([BINARY, *arguments], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE,
                                   text=True, timeout=60, check=False)
        check((ended.returncode, ended.stderr) == (74, f"auction-room: standard output cannot be written{reason}\n"),
              f"{arguments[0]} to a full disk: {ended}")


def main():
    require_binary()
    with tempfile.TemporaryDirectory(prefix="auction-archive.") as folder:
        home = os.path.join(folder, "data")
        store = f"sqlite:{home}/rooms.db"
        server = Server(store, *NO_LIMITS, "--limit-messages-per-second", "0", "--log-level", "error")
        connection = Connection(server.port)
        room, code, host = auction(connection)
        streamed = all_events(connection, room, host)
        exports(store, room, code, streamed)
        sound(store, 1, len(streamed))
        expect(connection.call("POST", f"/v1/rooms/{room}/messages", host, {"text": "still here"}), 201)
        server.kill()
        sound(store, 1, len(streamed) + 1)
        check(auction_room("export", "--store", store, "--room", "room_x").returncode == 78, "a room that is not there is exported")
        for number, (statement, wanted) in enumerate((
            ("UPDATE event SET public = CAST(replace(CAST(public AS TEXT), 'Lot', 'Pot') AS BLOB) WHERE type = 'item.uploaded'",
             "does not match its hash"),
            ("DELETE FROM event WHERE seq = 9", "seq 9 is missing"),
            # The youngest may be younger than everything that is kept beside the events: then nothing shows that they were there.
            ("DELETE FROM event WHERE position > (SELECT max(position) - 4 FROM event)", "the events end"),
            ("UPDATE room SET seq = 99999", "but there were 99999"),
            ("UPDATE room SET seq = 9223372036854775807", "but there were 9223372036854775807"),
            ("UPDATE room SET seq = -1", "before the first event"),
            ("UPDATE event SET private = NULL WHERE private IS NOT NULL AND seq > 5", "does not match its hash"),
        )):
            broken(folder, home, number, statement, wanted)
        refusals(folder)
        copies_onto_a_used_log(folder, store)
        prints_to_a_full_disk(store)
        pruned_rooms.run(f"{folder}/pruned")
        room, picture = removed_pictures.run(f"sqlite:{folder}/pictures/rooms.db")
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(f"{folder}/pictures/rooms.db.media{suffix}"):
                os.remove(f"{folder}/pictures/rooms.db.media{suffix}")
        for command in (("verify", "--store", f"sqlite:{folder}/pictures/rooms.db"), ("backup", "--store", f"sqlite:{folder}/pictures/rooms.db", "--to", f"{folder}/b"),
                        ("copy", "--from", f"sqlite:{folder}/pictures/rooms.db", "--to", f"sqlite:{folder}/copied/rooms.db")):
            lost = auction_room(*command)
            check(lost.returncode == 1 and re.search(rf"^{room}: lot_\w+: names {picture}, which is not stored$", lost.stdout, re.MULTILINE),
                  f"{command[0]} does not miss a lost picture: {lost}")
    print(f"archive: {check.count} checks; what is exported is what was streamed, every break is found, pictures can be removed and old rooms pruned")


main()
