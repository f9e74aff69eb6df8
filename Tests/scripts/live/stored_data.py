"""Makes a small log as a version of the program writes it, for `Tests/EventLogTests/Data`. See `Tests/scripts/make-stored-data.sh`.

A room with three rounds (two sold, one passed), a room with a sale of two lots with a picture and reserve prices, and an archived room.
"""
import os
import pathlib
import subprocess
import sys

from program import Server, output, require_binary, verify
from room_setup import guest, open_room, start_round
from wire import Connection, expect

PICTURE = pathlib.Path(__file__).parents[2] / "Corpora/picture/simple.webp"
RULES = {"startingPrice": "100.00", "increment": {"fixed": "10.00"}, "listingSeconds": 0, "biddingSeconds": 3600}


class Maker:
    def __init__(self, port):
        self.connection = Connection(port)
        self.host, self.seller, self.ann, self.bo = (guest(self.connection, name) for name in ("Hana", "Sam", "Ann", "Bo"))

    def call(self, method, path, person, body=None, code=200, **more):
        return expect(self.connection.call(method, path, person[1], body, **more), code)

    def bid(self, path, person, amount, round_, key):
        self.call("POST", path + "/bids", person, {"amount": amount, "round": round_}, 201, headers=[f"Idempotency-Key: {key}"])

    def rounds(self):
        path = "/v1/rooms/" + open_room(self.connection, "Rounds, 拍卖", self.host, self.seller, [self.ann, self.bo])
        for round_, bids in enumerate((["100.00", "110.00", "130.00"], ["100.00"], []), 1):
            if round_ > 1:
                # From closed to preparing.
                self.call("POST", path + "/auction/start", self.host)
            self.call("POST", path + "/items", self.seller, {"name": f"Vase {round_}", "rules": RULES}, 201)
            self.call("POST", path + "/auction/start", self.host)
            for number, amount in enumerate(bids):
                self.bid(path, (self.ann, self.bo)[number % 2], amount, round_, f"bid-{round_}-{number}")
            self.call("POST", path + "/auction/end", self.host)
        self.call("POST", path + "/messages", self.ann, {"text": "Thank you!"}, 201)

    def sale(self):
        path = "/v1/rooms/" + open_room(self.connection, "A sale", self.host, self.seller, [self.ann])
        picture = self.call("POST", path + "/media", self.seller, PICTURE.read_bytes(), 201, headers=["Content-Type: image/webp"])["url"]
        for number in (1, 2):
            self.call("POST", path + "/lots", self.seller,
                      {"name": f"Lot {number}", "reference": f"A{number}", "media": [picture], "rules": {**RULES, "reservePrice": "120.00"}}, 201)
        self.call("POST", path + "/auction/start", self.host)
        self.bid(path, self.ann, "150.00", 1, "lot-1")
        self.call("POST", path + "/auction/end", self.host)

    def archived(self):
        room = open_room(self.connection, "Archived", self.host, self.seller)
        start_round(self.connection, room, self.host, self.seller, {"name": "Nothing", "rules": RULES})
        self.call("POST", f"/v1/rooms/{room}/auction/cancel", self.host, {"reason": "a test"})
        self.call("DELETE", f"/v1/rooms/{room}", self.host, code=204)


def main():
    require_binary()
    folder, url = sys.argv[1], os.environ["AUCTION_TEST_POSTGRES"]
    os.makedirs(folder)
    store = f"sqlite:{folder}/rooms.db"
    server = Server(store)
    maker = Maker(server.port)
    maker.rounds()
    maker.sale()
    maker.archived()
    server.terminate()
    output("copy", "--from", store, "--to", url)
    for name in (store, url):
        if verify(name):
            raise SystemExit(f"{name}: {verify(name)}")
    dump = subprocess.run(["pg_dump", "--inserts", "--no-owner", "--no-privileges", url], capture_output=True, text=True, check=True).stdout
    # Statements only: no comments, settings of the session, or commands of psql.
    lines = [line for line in dump.splitlines() if line and not line.startswith(("--", "SET ", "\\", "SELECT pg_catalog.set_config"))]
    pathlib.Path(f"{folder}/postgres.sql").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in os.listdir(folder):
        # Locks, and what those that only read leave: an empty write-ahead log.
        if name.endswith((".lock", "-shm", "-wal")):
            os.remove(f"{folder}/{name}")
        else:
            os.chmod(f"{folder}/{name}", 0o644)
    print(f"stored data: {', '.join(sorted(os.listdir(folder)))}")


main()
