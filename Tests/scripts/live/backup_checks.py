"""What a restored service must be, whatever it was restored with."""
import functools
import json

from bidders import Bidders
from program import NO_LIMITS, Server, output
from wire import Connection, all_events, check, expect

run = functools.partial(output, timeout=240)


class Recorded(Bidders):
    """Bidders whose attempts can be read while they go on."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.attempts_of = {person[0]: [] for person in self.people}

    def _learn(self, attempt, response):
        super()._learn(attempt, response)
        self.attempts_of[attempt.bidder].append(attempt)


class FeedReader:
    """A reader of all rooms' events, who has read a part before the backup."""
    token = "the-operators-token-of-forty-characters."
    limit = 200

    def __init__(self, folder):
        path = f"{folder}/admin-token"
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.token + "\n")
        self.options = ("--admin-token-file", path)

    def _page(self, connection, after):
        return connection.call("GET", f"/v1/feed?limit={self.limit}&after={after}", self.token)

    def read_before(self, port):
        connection = Connection(port)
        self.position = expect(connection.call("GET", f"/v1/feed?limit={self.limit}", self.token), 200)["next"]
        self.page = expect(self._page(connection, self.position), 200)["events"]
        check(len(self.page) >= self.limit, f"the feed has {len(self.page)} further events")
        connection.close()

    def read_after(self, port):
        connection = Connection(port)
        self.late = expect(self._page(connection, "latest"), 200)["next"]
        connection.close()

    def go_on(self, connection, has_all):
        """At the restored service: the same events under the same cursors, and none for a cursor after what the backup has."""
        check(expect(self._page(connection, self.position), 200)["events"] == self.page, "a cursor from before the backup goes on elsewhere")
        late = self._page(connection, self.late)
        check((late.status, late.code()) == (410, "feed.cursor_gone") or has_all, f"a cursor after the backup is answered {late.status}")


class Restored:
    """A service on a restored log, compared with the one that goes on."""

    def __init__(self, store, bidders, acknowledged, live, log, feed, picture=None):
        server = Server(store, *NO_LIMITS, *feed.options, log=log)
        connection = Connection(server.port)
        self.lost = 0
        kept = {}
        for room in bidders.rooms:
            raw = all_events(connection, room)
            check(live[room][:len(raw)] == raw, f"{room}: the restored history is another one")
            kept[room] = {json.loads(event)["data"]["bidId"] for event in raw if b'"bid.placed"' in event}
            self.lost += len(live[room]) - len(raw)
        for attempt in acknowledged:
            check(json.loads(attempt.response)["bid"]["id"] in kept[attempt.room], f"a bid from before the backup is not in it: {attempt}")
        self.bids = sum(map(len, kept.values()))
        # It goes on, and accepts the tokens and keys from before.
        person, attempt = bidders.people[0], acknowledged[0]
        again = connection.call("POST", f"/v1/rooms/{attempt.room}/bids", dict(bidders.people)[attempt.bidder], attempt.body, attempt.key)
        check(again.body == attempt.response, "a repeated bid has another answer after the restore")
        expect(connection.call("POST", f"/v1/rooms/{bidders.rooms[0]}/bids", person[1], {"amount": "99999.00"}), 201, 403)
        expect(connection.call("POST", f"/v1/rooms/{bidders.rooms[0]}/bids", bidders.people[1][1], {"amount": "99999.50"}), 201)
        feed.go_on(connection, self.lost == 0)
        if picture:
            check(connection.call("GET", picture[0]).body == picture[1], "a picture is lost, or another one")
        connection.close()
        check(server.terminate() == (0, ""), "the server on the restored log does not end well")
        run("verify", "--store", store)


def keyed(bidders):
    """What is acknowledged by now, each with its key."""
    return [attempt for person in bidders.people for attempt in list(bidders.attempts_of[person[0]]) if attempt.outcome == "acknowledged" and attempt.key]
