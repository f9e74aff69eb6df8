"""prepare.py PORT ROOMS FILE: opens ROOMS rooms with a running auction and two bidders each, through the HTTP API.

FILE gets a line per room: the room's id and the tokens of its two bidders.
"""
import http.client
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

WORKERS = 8
RULES = {"startingPrice": "1.00", "increment": {"fixed": "1.00"}, "listingSeconds": 0, "biddingSeconds": 86400}


class Client:
    """One keep-alive connection."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def call(self, method, path, token=None, body=None):
        headers = {"Authorization": "Bearer " + token} if token else {}
        if body is not None:
            body = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"prepare: {method} {path} was answered {answer.status}: {content.decode(errors='replace')}")
        return json.loads(content)

    def guest(self, nickname):
        answer = self.call("POST", "/v1/guests", body={"nickname": nickname})
        return answer["user"]["id"], answer["token"]


def open_room(client, number, host, auctioneer):
    auctioneer_id, auctioneer_token = auctioneer
    _, host_token = host
    room = client.call("POST", "/v1/rooms", host_token, {"name": f"Room {number}"})["id"]
    path = f"/v1/rooms/{room}"
    client.call("POST", path + "/members", auctioneer_token, {"role": "bidder"})
    client.call("PATCH", f"{path}/members/{auctioneer_id}", host_token, {"role": "auctioneer"})
    client.call("POST", path + "/items", auctioneer_token, {"name": f"Lot {number}", "rules": RULES})
    client.call("POST", path + "/auction/start", host_token, {})
    tokens = []
    for name in ("Ann", "Bo"):
        _, token = client.guest(f"{name} {number}")
        client.call("POST", path + "/members", token, {"role": "bidder"})
        tokens.append(token)
    return [room, *tokens]


def wait_until_auctioning(client, rooms):
    deadline = time.monotonic() + 30
    for room, *_ in rooms:
        while (state := client.call("GET", f"/v1/rooms/{room}")["state"]) != "auctioning":
            if time.monotonic() > deadline:
                raise SystemExit(f"prepare: room {room} is still {state} after 30 s")
            time.sleep(0.05)


def main():
    port, count, file = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    first = Client(port)
    host, auctioneer = first.guest("Host"), first.guest("Auctioneer")

    def share(worker):
        client = Client(port)
        return [open_room(client, number, host, auctioneer) for number in range(worker, count, WORKERS)]

    with ThreadPoolExecutor(WORKERS) as pool:
        rooms = [room for part in pool.map(share, range(WORKERS)) for room in part]
    wait_until_auctioning(first, rooms)
    with open(file, "w") as output:
        output.writelines(" ".join(room) + "\n" for room in rooms)


main()
