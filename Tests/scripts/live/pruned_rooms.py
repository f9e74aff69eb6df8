"""`auction-room prune`: old archived rooms go whole, the rest stays sound, and readers of the feed are not misled."""
import os
import pathlib
import shutil
import sqlite3

from program import NO_LIMITS, Server, auction_room, refused
from room_setup import guest, open_room
from wire import Connection, check, eventually, expect

TOKEN = "prune" * 8
DAY = 86_400_000
CORPUS = pathlib.Path(__file__).parents[2] / "Corpora/picture"


def serve(store, folder, *options):
    return Server(store, *NO_LIMITS, "--admin-token-file", f"{folder}/admin", "--log-level", "error", *options)


def age(path, room, days):
    """Makes the last event of a room older; the room is deleted afterwards, so its hashes need not fit."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("UPDATE event SET at = at - ? WHERE room = (SELECT number FROM room WHERE id = ?)", (days * DAY, room))
    database.close()


def feed(connection, after=None):
    return connection.call("GET", "/v1/feed?limit=1000" + (f"&after={after}" if after else ""), TOKEN)


def without_cursors(events):
    """Cursors name the latest pruning."""
    return [(event["room"], event["event"]) for event in events]


def reads(connection, before, room):
    """Cursors from before the last event of the pruned room are refused, the others go on; without one the feed has what is still there."""
    last = max(number for number, event in enumerate(before) if event["room"] == room)
    for number, event in enumerate(before):
        response = feed(connection, event["cursor"])
        if number < last:
            check(response.status == 410 and response.json()["code"] == "feed.cursor_gone", f"cursor {number}: {response.status}")
        else:
            following = without_cursors(expect(response, 200)["events"])
            check(following == without_cursors(before[number + 1:]), f"what follows cursor {number}")
    left = without_cursors(event for event in before if event["room"] != room)
    check(without_cursors(expect(feed(connection), 200)["events"]) == left, "the feed from the beginning")


def serves_and_prunes(folder, old, stays, left):
    """A server deletes the same room by itself, and goes on serving; after a kill the log is sound."""
    store = f"sqlite:{folder}/served/rooms.db"
    for number, days in enumerate((32, 30)):
        server = serve(store, folder, "--retain-archived-days", str(days))
        connection = Connection(server.port)
        shown = lambda: {event["room"] for event in expect(feed(connection), 200)["events"]}
        if number == 0:
            expect(connection.call("GET", f"/v1/rooms/{stays}", guest(connection, "Early")[1]), 200)
            check(old in shown(), "a room goes too early")
        else:
            eventually(lambda: old not in shown(), "the server does not delete the old room", seconds=60)
            # Counted after the room is gone.
            counted = lambda: "\nauction_rooms_pruned_total 1\n" in connection.call("GET", "/metrics").body.decode()
            eventually(counted, "the metric of pruned rooms", seconds=10)
            expect(connection.call("GET", f"/v1/rooms/{stays}", guest(connection, "Late")[1]), 200)
            server.kill()
            break
        check(server.terminate()[0] == 0, "the server does not stop")
    result = auction_room("verify", "--store", store)
    check((result.returncode, result.stdout) == (0, f"2 rooms, {left} events, 0 findings\n"), f"verify after the server: {result}")


def pictures_go_too(folder):
    """Those that only the deleted room had named are found and removed once no server runs, and can be uploaded again."""
    os.makedirs(folder)
    path = f"{folder}/rooms.db"
    store = f"sqlite:{path}"
    with open(f"{folder}/admin", "w", encoding="ascii") as file:
        file.write(TOKEN)
    server = serve(store, folder)
    connection = Connection(server.port)
    host, seller = (guest(connection, name) for name in ("Host", "Seller"))
    old, stays = (open_room(connection, name, host, seller) for name in ("Old", "Stays"))

    def upload(connection, room, name):
        picture = (CORPUS / name).read_bytes()
        return expect(connection.call("POST", f"/v1/rooms/{room}/media", seller[1], picture, headers=["Content-Type: image/*"]), 201)["url"]

    # Both rooms name the second one, which was uploaded to the one that goes.
    alone, shared, waiting = (upload(connection, old, name) for name in ("photo.jpg", "photo.png", "lossy.webp"))
    for room, address in ((old, alone), (old, shared), (stays, shared)):
        lot = {"name": "Vase", "media": [address], "rules": {"startingPrice": "1.00", "biddingSeconds": 60}}
        expect(connection.call("POST", f"/v1/rooms/{room}/lots", seller[1], lot), 201)
    expect(connection.call("DELETE", f"/v1/rooms/{old}", host[1]), 204)
    expect(connection.call("POST", f"/v1/rooms/{stays}/messages", host[1], {"text": "the newest event"}), 201)
    unnamed = ("pictures", "--store", store, "--unnamed")
    check(auction_room(*unnamed).stdout == "", "a picture that is named, or young, is listed")
    check(server.terminate()[0] == 0, "the server does not stop")
    age(path, old, 31)
    database = sqlite3.connect(f"{path}.media", isolation_level=None)
    database.execute("UPDATE picture SET uploaded_at = uploaded_at - ? WHERE id <> ?", (31 * DAY, waiting.rsplit("/", 1)[1]))
    database.execute("UPDATE upload SET at = at - ? WHERE id <> ?", (31 * DAY, waiting.rsplit("/", 1)[1]))
    database.close()
    check(auction_room("prune", "--store", store, "--archived-before-days", "30").stdout.startswith(old), "the room is not pruned")
    listed = auction_room(*unnamed).stdout.splitlines()
    check(len(listed) == 1 and listed[0].startswith(f"{alone}: "), f"unnamed: {listed}")
    server = serve(store, folder)
    refused(69, (), *unnamed, "--remove")
    check(server.terminate()[0] == 0, "the server does not stop")
    refused(78, (), *unnamed, "--user", host[0])
    removed = auction_room(*unnamed, "--remove").stdout.splitlines()
    check(len(removed) == 2 and f" removed {alone}: " in removed[0] and removed[1] == "1 pictures removed", f"removed: {removed}")
    verified = auction_room("verify", "--store", store)
    check(verified.returncode == 0 and ", 2 pictures stored, 1 named, 0 findings" in verified.stdout, f"verify: {verified}")
    server = serve(store, folder)
    connection = Connection(server.port)
    statuses = [connection.call("GET", address).status for address in (alone, shared, waiting)]
    check(statuses == [404, 200, 200], f"what is left: {statuses}")
    check(upload(connection, stays, "photo.jpg") == alone, "it cannot be uploaded again")
    server.terminate()


def run(folder):
    pictures_go_too(f"{folder}-pictures")
    os.makedirs(folder)
    path = f"{folder}/rooms.db"
    store = f"sqlite:{path}"
    with open(f"{folder}/admin", "w", encoding="ascii") as file:
        file.write(TOKEN)
    prune = ("prune", "--store", store, "--archived-before-days")
    server = serve(store, folder)
    connection = Connection(server.port)
    host, seller = (guest(connection, name) for name in ("Host", "Seller"))
    old, stays, newest = (open_room(connection, name, host, seller) for name in ("Old", "Stays", "Newest"))
    expect(connection.call("DELETE", f"/v1/rooms/{old}", host[1]), 204)
    expect(connection.call("POST", f"/v1/rooms/{newest}/messages", host[1], {"text": "the newest event"}), 201)
    before = expect(feed(connection), 200)["events"]
    refused(69, (), *prune, "30")
    check(server.terminate()[0] == 0, "the server does not stop")
    age(path, old, 31)
    for days in ("0", "36501"):
        refused(78, (), *prune, days)
    check(auction_room(*prune, "32").stdout == "0 rooms, 0 events deleted\n", "a room goes too early")
    count = sum(1 for event in before if event["room"] == old)
    shutil.copytree(folder, f"{folder}/served", ignore=shutil.ignore_patterns("served"))
    for arguments, text in ((("--dry-run",), "would be deleted"), ((), "deleted")):
        result = auction_room(*prune, "30", *arguments)
        check((result.returncode, result.stdout) == (0, f"{old}\n1 rooms, {count} events {text}\n"), f"{arguments}: {result}")
    left = len(before) - count
    serves_and_prunes(folder, old, stays, left)
    result = auction_room("verify", "--store", store)
    check((result.returncode, result.stdout) == (0, f"2 rooms, {left} events, 0 findings\n"), f"verify after it: {result}")
    for target in (f"{folder}/copy", f"{folder}/restored"):
        os.makedirs(target)
    for command in (
        ("export", "--store", store), ("copy", "--from", store, "--to", f"sqlite:{folder}/copy/rooms.db"),
        ("backup", "--store", store, "--to", f"{folder}/backup"),
        ("restore", "--from", f"{folder}/backup", "--store", f"sqlite:{folder}/restored/rooms.db"),
    ):
        result = auction_room(*command)
        check(result.returncode == 0 and old not in result.stdout, f"{command[0]} after it: {result}")
    for place in (store, f"sqlite:{folder}/restored/rooms.db"):
        server = serve(place, folder)
        connection = Connection(server.port)
        missing = connection.call("GET", f"/v1/rooms/{old}", host[1])
        check(missing.status == 404 and missing.json()["code"] == "room.not_found", f"the room that is gone: {missing.status}")
        expect(connection.call("GET", f"/v1/rooms/{stays}", host[1]), 200)
        reads(connection, before, old)
        server.terminate()
