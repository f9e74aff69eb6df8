"""People and rooms as every test with a load needs them."""
from wire import expect


def guest(connection, nickname):
    """Somebody's id and token."""
    answer = expect(connection.call("POST", "/v1/guests", body={"nickname": nickname}), 201)
    return answer["user"]["id"], answer["token"]


def open_round(connection, name, host, auctioneer, bidders, item):
    """The id of a room in which all of them are and the round has been started."""
    room = expect(connection.call("POST", "/v1/rooms", host[1], {"name": name}), 201)["id"]
    path = f"/v1/rooms/{room}"
    for _, token in [auctioneer, *bidders]:
        expect(connection.call("POST", path + "/members", token, {"role": "bidder"}), 201)
    expect(connection.call("PATCH", f"{path}/members/{auctioneer[0]}", host[1], {"role": "auctioneer"}), 200)
    expect(connection.call("POST", path + "/items", auctioneer[1], item), 201)
    expect(connection.call("POST", path + "/auction/start", host[1]), 200)
    return room
