"""Creates users and rooms for tests."""
from wire import expect


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
