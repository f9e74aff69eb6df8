"""prepare.py PORT ROOMS FILE: opens ROOMS rooms with a running auction and two bidders each, through the HTTP API.

FILE gets a line per room: the room's id and the tokens of its two bidders.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/live"))
from room_setup import RULES, guest, open_round  # noqa: E402
from wire import Connection, eventually, expect, in_parallel  # noqa: E402

WORKERS = 8


def prepare(port, count, file):
    connection = Connection(port)
    host, auctioneer = guest(connection, "Host"), guest(connection, "Auctioneer")

    def share(worker):
        own, rooms = Connection(port, 30), []
        for number in range(worker, count, WORKERS):
            bidders = [guest(own, f"{name} {number}") for name in ("Ann", "Bo")]
            item = {"name": f"Lot {number}", "rules": {**RULES, "biddingSeconds": 86400}}
            rooms.append([open_round(own, f"Room {number}", host, auctioneer, bidders, item), *(token for _, token in bidders)])
        return rooms

    rooms = [room for part in in_parallel(WORKERS, share) for room in part]
    for room, *_ in rooms:
        eventually(lambda: expect(connection.call("GET", f"/v1/rooms/{room}"), 200)["state"] == "auctioning", f"the round of {room} runs", 30)
    pathlib.Path(file).write_text("".join(" ".join(room) + "\n" for room in rooms))


if __name__ == "__main__":
    prepare(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
