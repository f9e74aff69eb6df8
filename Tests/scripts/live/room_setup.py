"""Creates users and rooms for tests."""
import time

from wire import Connection, expect

RULES = {"startingPrice": "1.00", "increment": {"fixed": "1.00"}, "listingSeconds": 0, "biddingSeconds": 3600}


def guest(connection, nickname):
    """Creates a guest; returns its id and token."""
    response = expect(connection.call("POST", "/v1/guests", body={"nickname": nickname}), 201)
    return response["user"]["id"], response["token"]


def open_room(connection, name, host, auctioneer, bidders=()):
    """Opens a room that all these users join; returns its id."""
    room = expect(connection.call("POST", "/v1/rooms", host[1], {"name": name}), 201)["id"]
    path = f"/v1/rooms/{room}"
    for _, token in [auctioneer, *bidders]:
        expect(connection.call("POST", path + "/members", token, {"role": "bidder"}), 201)
    expect(connection.call("PATCH", f"{path}/members/{auctioneer[0]}", host[1], {"role": "auctioneer"}), 200)
    return room


def start_round(connection, room, host, auctioneer, item):
    """Starts the first round of a room."""
    path = f"/v1/rooms/{room}"
    expect(connection.call("POST", path + "/items", auctioneer[1], item), 201)
    expect(connection.call("POST", path + "/auction/start", host[1]), 200)


def open_round(connection, name, host, auctioneer, bidders, item):
    """Opens a room that all these users join, and starts its first round; returns the room's id."""
    room = open_room(connection, name, host, auctioneer, bidders)
    start_round(connection, room, host, auctioneer, item)
    return room


class Duel:
    """A room of its own with two bidders who outbid each other by one, in turn."""

    def __init__(self, port):
        self.connection = Connection(port)
        self.people = [guest(self.connection, name) for name in ("Host", "Seller", "Ann", "Bo")]
        host, seller, *bidders = self.people
        self.id = open_round(self.connection, "Room", host, seller, bidders, {"name": "Lot", "rules": RULES})
        self.path = f"/v1/rooms/{self.id}"
        self.amount = 0

    def bidder(self, amount):
        return self.people[2 + amount % 2]

    def call(self, amount, key=None, connection=None):
        """Sends the bid of this amount."""
        return (connection or self.connection).call("POST", self.path + "/bids", self.bidder(amount)[1], {"amount": f"{amount}.00"}, key)

    def bid(self):
        self.amount += 1
        return expect(self.call(self.amount), 201)

    def bid_until(self, done, source=None):
        """Milliseconds that each bid took; with `source`, which gives an address for each number, on a new connection of its own."""
        took = []
        while not done():
            self.amount += 1
            began = time.monotonic()
            connection = Connection(self.connection.port, source=source(self.amount)) if source else self.connection
            expect(self.call(self.amount, connection=connection), 201)
            took.append((time.monotonic() - began) * 1000)
            if source:
                connection.close()
            # Limits the bid rate: the room keeps its bids, whose memory would otherwise hide that of an attack.
            time.sleep(0.005)
        return took
