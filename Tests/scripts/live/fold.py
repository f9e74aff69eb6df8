"""An independent implementation of a room, folded from its public events; shares no code with the server."""
import json
from datetime import datetime

OPEN = ("listing", "auctioning")
TRANSITIONS = {
    ("preparing", "listing"): ("start",),
    ("listing", "auctioning"): ("start", "countdown"),
    ("auctioning", "closed"): ("end", "countdown"),
    ("closed", "preparing"): ("start",),
}


def milliseconds(text):
    return None if text is None else round(datetime.fromisoformat(text).timestamp() * 1000)


def units(text):
    """An amount of a currency with two digits in its minor unit."""
    major, minor = text.split(".")
    assert len(minor) == 2, text
    return int(major) * 100 + int(minor)


class Room:
    """The fold so far. `complaints`: a sentence for each event that breaks a rule."""

    def __init__(self):
        self.seq, self.at, self.round, self.state = 0, 0, 1, "preparing"
        self.ends_at = self.rules = self.leader = self.price = self.item = None
        self.roles, self.host, self.bids = {}, None, 0
        self.complaints = []

    @property
    def bidding(self):
        return self.rules["biddingSeconds"] * 1000

    @property
    def next_minimum(self):
        if self.rules is None:
            return None
        return self.rules["start"] if self.price is None else self.price + self.rules["step"]

    @property
    def least_remaining(self):
        """Milliseconds that an open round has left at least after an outage."""
        return min(self.bidding, 60_000)

    def snapshot(self):
        return {
            "state": self.state, "round": self.round, "endsAt": self.ends_at, "price": self.price, "leader": self.leader,
            "nextMinimum": self.next_minimum,
        }

    def complain(self, text):
        self.complaints.append(f"seq {self.seq}: {text}")

    def require(self, holds, text):
        if not holds:
            self.complain(text)

    def apply(self, event):
        if event["seq"] != self.seq + 1:
            self.complain(f"the next event has seq {event['seq']}: a gap or a repeat")
        self.seq = event["seq"]
        at = milliseconds(event["at"])
        self.require(at >= self.at, "time runs backwards")
        self.at = max(at, self.at)
        handler = getattr(self, "on_" + event["type"].replace(".", "_"), None)
        if handler is None:
            self.complain(f"an event of the unknown type {event['type']}")
        else:
            handler(event["data"], at)
        self.require(event["round"] == self.round, f"is in round {event['round']}, not {self.round}")

    def on_room_opened(self, data, at):
        self.require(self.seq == 1, "the room is opened again")
        self.host = data["host"]["id"]
        self.roles[self.host] = "host"

    def on_member_joined(self, data, at):
        self.roles[data["member"]["id"]] = data["role"]

    def on_member_roleChanged(self, data, at):
        self.require(self.roles.get(data["member"]["id"]) == data["from"], "changes a role that was another one")
        self.roles[data["member"]["id"]] = data["to"]

    def on_item_uploaded(self, data, at):
        self.require(self.state == "preparing", "an item is uploaded outside preparing")
        item = data["item"]
        rules = item["rules"]
        self.item = item["id"]
        self.rules = {
            "start": units(rules["startingPrice"]), "step": units(rules["increment"]["fixed"]),
            "biddingSeconds": rules["biddingSeconds"], "listingSeconds": rules["listingSeconds"],
        }

    def on_state_changed(self, data, at):
        transition = (data["from"], data["to"])
        self.require(data["from"] == self.state, f"leaves {data['from']}, but the room is {self.state}")
        self.require(data["cause"] in TRANSITIONS.get(transition, ()), f"{transition[0]} to {transition[1]} by {data['cause']} is no transition")
        if data["cause"] == "countdown":
            instant = self.rules is not None and self.rules["listingSeconds"] == 0 and self.ends_at is None
            due = self.ends_at is not None and at >= self.ends_at
            self.require(due or (instant and self.state == "listing"), "the countdown expires before its deadline")
        if data["cause"] in ("start", "end"):
            self.require(data["by"]["id"] == self.host, "a user other than the host changed the state")
        self.state, self.ends_at = data["to"], None
        if transition == ("closed", "preparing"):
            self.round += 1
            self.item = self.rules = self.leader = self.price = None
            self.bids = 0

    def on_countdown_started(self, data, at):
        seconds = self.rules["biddingSeconds" if self.state == "auctioning" else "listingSeconds"]
        self.ends_at = milliseconds(data["endsAt"])
        self.require(self.state in OPEN and self.ends_at == at + seconds * 1000, "the countdown is not the item's")

    def on_countdown_moved(self, data, at):
        end = milliseconds(data["endsAt"])
        self.require(data["cause"] == "outage" and self.state == "auctioning", f"moved by {data['cause']} in {self.state}")
        # Decided shortly before the server is ready, which is when the remaining time begins.
        self.require(
            self.ends_at < end and at + self.least_remaining <= end <= at + self.least_remaining + 1000,
            "the deadline after an outage is not ready + min(bidding, 60 s)")
        self.ends_at = end

    def on_bid_placed(self, data, at):
        amount, bidder, end = units(data["amount"]), data["bidder"]["id"], milliseconds(data["endsAt"])
        self.require(self.state == "auctioning", f"a bid while {self.state}")
        self.require(self.ends_at is not None and at < self.ends_at, "a bid after the deadline")
        self.require(self.roles.get(bidder) == "bidder", "a bid by a user who is not a bidder")
        self.require(bidder != self.leader, "a bid by the leader")
        if self.rules is None:
            return self.complain("a bid without an item")
        self.require(amount >= self.next_minimum, "a bid below the minimum")
        self.require(data["leading"] and not data["automatic"], "a plain bid leads and is not automatic")
        self.require(end == max(self.ends_at or 0, at + self.bidding), "the bid does not restart the countdown")
        self.leader, self.price, self.ends_at = bidder, amount, end
        self.bids += 1
        self.require(units(data["nextMinimum"]) == self.next_minimum, "the next minimum is not price + increment")

    def on_item_sold(self, data, at):
        self.require(self.state == "closed" and self.leader is not None, "sold without a winner or before the close")
        self.require(data["winner"]["id"] == self.leader and units(data["price"]) == self.price, "sold to the wrong person or price")

    def on_item_passed(self, data, at):
        self.require(self.state == "closed" and self.leader is None, "passed although there was a bid")

    def on_message_system(self, data, at):
        pass


def fold(events):
    """Folds raw events. Returns the room, the decoded events, and the room's snapshot after each of them, by seq."""
    room, decoded, snapshots = Room(), [], {}
    for raw in events:
        event = json.loads(raw)
        room.apply(event)
        decoded.append(event)
        snapshots[event["seq"]] = room.snapshot()
    return room, decoded, snapshots


def snapshot_of_response(response):
    """The same snapshot from the server's JSON of a room, full or short."""
    bid = response["currentBid"]
    state = "auctioning" if response["state"] == "closing" else response["state"]
    return {
        "state": state, "round": response["round"], "endsAt": milliseconds(response["endsAt"]),
        "price": None if response["currentPrice"] is None else units(response["currentPrice"]),
        "leader": bid["bidder"]["id"] if bid else None,
        "nextMinimum": None if response["nextMinimum"] is None else units(response["nextMinimum"]),
    }
