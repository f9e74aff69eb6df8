"""Old archived rooms in PostgreSQL: `auction-room prune` beside nodes that have them in memory, and a node that deletes them by itself."""
from postmaster import database, psql
from program import NO_LIMITS, Server, auction_room, refused
from pruned_rooms import CORPUS, DAY, TOKEN, feed, reads
from room_setup import guest, open_room
from wire import Connection, check, eventually, expect


def age(url, room, days):
    """Makes the last event of a room older; the room is deleted afterwards, so its hashes need not fit."""
    psql(f"UPDATE event SET at = at - {days * DAY} WHERE room = (SELECT number FROM room WHERE id = '{room}')", url)


def repeat(node, room, person):
    """A command with a key: all that is shown of an archived room is what its repeats are answered."""
    return node.call("POST", f"/v1/rooms/{room}/messages", person[1], {"text": "Hello"}, headers=["Idempotency-Key: hello"])


def is_gone(nodes, room, person):
    """Every node says that there is no such room."""
    for node in nodes:
        eventually(lambda: repeat(node, room, person).code() == "room.not_found", "a deleted room is found by a node that had it in memory", seconds=10)


def tools(folder, url, rooms, events, gone):
    """The other commands find a sound log without the room."""
    result = auction_room("verify", "--store", url)
    check((result.returncode, result.stdout) == (0, f"{rooms} rooms, {events} events, 0 findings\n"), f"verify after it: {result}")
    for command in (("export", "--store", url), ("copy", "--from", url, "--to", f"sqlite:{folder}/pruned-{rooms}/rooms.db")):
        result = auction_room(*command)
        check(result.returncode == 0 and gone not in result.stdout, f"{command[0]} after it: {result}")


def pictures_go_too(options):
    """A picture that only the deleted room had named is found, and removed once no node runs."""
    url = database("unnamed")
    server = Server(url, *options)
    node = Connection(server.port)
    host, seller = (guest(node, name) for name in ("Host", "Seller"))
    old, stays = (open_room(node, name, host, seller) for name in ("Old", "Stays"))
    for room, name in ((old, "photo.jpg"), (stays, "photo.png")):
        sent = node.call("POST", f"/v1/rooms/{room}/media", seller[1], (CORPUS / name).read_bytes(), headers=["Content-Type: image/*"])
        address = expect(sent, 201)["url"]
        lot = {"name": "Vase", "media": [address], "rules": {"startingPrice": "1.00", "biddingSeconds": 60}}
        expect(node.call("POST", f"/v1/rooms/{room}/lots", seller[1], lot), 201)
        if room == old:
            gone = address
    expect(node.call("DELETE", f"/v1/rooms/{old}", host[1]), 204)
    expect(node.call("POST", f"/v1/rooms/{stays}/messages", host[1], {"text": "the newest event"}), 201)
    age(url, old, 31)
    psql(f"UPDATE media SET uploaded_at = uploaded_at - {31 * DAY}", url)
    psql(f"UPDATE media_upload SET at = at - {31 * DAY}", url)
    unnamed = ("pictures", "--store", url, "--unnamed")
    check(auction_room(*unnamed).stdout == "", "a picture that is named is listed")
    check(auction_room("prune", "--store", url, "--archived-before-days", "30").stdout.startswith(old), "the room is not pruned")
    listed = auction_room(*unnamed).stdout.splitlines()
    check(len(listed) == 1 and listed[0].startswith(f"{gone}: "), f"unnamed: {listed}")
    refused(69, ("stop all nodes first",), *unnamed, "--remove")
    check(server.terminate()[0] == 0, "the node does not stop")
    removed = auction_room(*unnamed, "--remove").stdout.splitlines()
    check(len(removed) == 2 and f" removed {gone}: " in removed[0] and removed[1] == "1 pictures removed", f"removed: {removed}")
    verified = auction_room("verify", "--store", url)
    check(verified.returncode == 0 and ", 1 pictures stored, 1 named, 0 findings" in verified.stdout, f"verify: {verified}")


def run(folder):
    url, prune = database("pruned"), ("prune", "--archived-before-days", "30", "--store")
    with open(f"{folder}/admin", "w", encoding="ascii") as file:
        file.write(TOKEN)
    for store, words in ((database("unused"), "there is no auction log"), ("postgres://127.0.0.1:1/none", "Connection refused")):
        refused(69, (words,), *prune, store)
    options = (*NO_LIMITS, "--admin-token-file", f"{folder}/admin", "--log-level", "error")
    pictures_go_too(options)
    servers = [Server(url, *options) for _ in range(2)]
    nodes = [Connection(server.port) for server in servers]
    host, seller = (guest(nodes[0], name) for name in ("Host", "Seller"))
    first, second, stays, newest = (open_room(nodes[0], name, host, seller) for name in ("First", "Second", "Stays", "Newest"))
    for room in (first, second):
        expect(repeat(nodes[0], room, host), 201)
        expect(nodes[0].call("DELETE", f"/v1/rooms/{room}", host[1]), 204)
    expect(nodes[0].call("POST", f"/v1/rooms/{newest}/messages", host[1], {"text": "the newest event"}), 201)
    for room in (first, second):
        expect(repeat(nodes[1], room, host), 201)
    before = expect(feed(nodes[1]), 200)["events"]
    check(auction_room(*prune, url).stdout == "0 rooms, 0 events deleted\n", "a room goes too early")
    age(url, first, 31)
    count = sum(1 for event in before if event["room"] == first)
    for arguments, text in ((("--dry-run",), "would be deleted"), ((), "deleted")):
        result = auction_room(*prune, url, *arguments)
        check((result.returncode, result.stdout) == (0, f"{first}\n1 rooms, {count} events {text}\n"), f"{arguments}: {result}")
    is_gone(nodes, first, host)
    reads(nodes[1], before, first)
    tools(folder, url, 3, len(before) - count, first)

    # A node that joins deletes the second room by itself.
    age(url, second, 31)
    servers.append(Server(url, *options, "--retain-archived-days", "30"))
    shown = lambda: {event["room"] for event in expect(feed(nodes[0]), 200)["events"]}
    eventually(lambda: second not in shown(), "the server does not delete the old room", seconds=60)
    nodes.append(Connection(servers[2].port))
    is_gone(nodes, second, host)
    # Counted after the room is gone.
    counted = lambda: "\nauction_rooms_pruned_total 1\n" in nodes[2].call("GET", "/metrics").body.decode()
    eventually(counted, "the metric of pruned rooms", seconds=10)
    for node in nodes:
        expect(node.call("GET", f"/v1/rooms/{stays}", host[1]), 200)
    expect(nodes[1].call("POST", f"/v1/rooms/{stays}/messages", host[1], {"text": "the rest goes on"}), 201)
    tables = " UNION ALL ".join(f"SELECT room FROM {table}" for table in ("event", "answer", "participation", "feed", "feed_room"))
    rest = f"SELECT count(*) FROM ({tables}) AS r WHERE room NOT IN (SELECT number FROM room)"
    eventually(lambda: psql(rest, url) == "0", "rows of deleted rooms stay", seconds=60)
    for server in servers:
        check(server.terminate()[0] == 0, "a node does not stop")
    tools(folder, url, 2, sum(1 for event in before if event["room"] in (stays, newest)) + 1, second)
