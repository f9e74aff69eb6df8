"""Audits a log against the responses that clients received. Each finding is a sentence; an empty list means success."""
import json

from fold import fold, milliseconds, snapshot_of_response, units


class Audit:
    """Audits the events of all rooms against the commands and responses of a `World`."""

    def __init__(self, world, events):
        self.world, self.events = world, events
        self.findings = []
        self.rooms, self.bids, self.by_id = {}, {}, {}
        self.snapshots = {}
        for room, raw in events.items():
            self._fold(room, raw)
        self._unchanged()
        self._attempts()
        self._orders()

    def find(self, text):
        self.findings.append(text)

    def _fold(self, room, raw):
        folded, decoded, self.snapshots[room] = fold(raw)
        self.rooms[room] = folded
        self.findings += [f"{room}: {complaint}" for complaint in folded.complaints]
        for event in decoded:
            if event["type"] != "bid.placed":
                continue
            data = event["data"]
            identity = (room, event["round"], data["bidder"]["id"], units(data["amount"]))
            self.bids.setdefault(identity, []).append(event)
            if self.by_id.setdefault(data["bidId"], event) is not event:
                self.find(f"{room}: the bid {data['bidId']} is in the log twice")

    def _unchanged(self):
        """Checks that events returned before a restart, or delivered to a subscriber, are a prefix of the history, byte for byte."""
        for room, raw in self.events.items():
            for name, before in (("was returned before a restart", self.world.history[room]),
                                 ("was delivered to a subscriber", self.world.delivered.get(room, []))):
                if raw[: len(before)] == before:
                    continue
                at = next((seq for seq, pair in enumerate(zip(raw, before), 1) if pair[0] != pair[1]), len(raw) + 1)
                self.find(f"{room}: the event with seq {at} is not the one that {name}")

    def _attempts(self):
        sent = set()
        for attempt in self.world.attempts:
            sent.add(attempt.identity)
            found = self.bids.get(attempt.identity, [])
            if attempt.outcome == "acknowledged":
                self._acknowledged(attempt, found)
            elif attempt.outcome == "refused" and found:
                self.find(f"a refused bid is in the log: {attempt}")
            elif len(found) > 1:
                self.find(f"a bid without an answer is in the log {len(found)} times: {attempt}")
        for identity in self.bids.keys() - sent:
            self.find(f"no client sent this bid: {identity}")
        self._order()

    def _acknowledged(self, attempt, found):
        if len(found) != 1:
            return self.find(f"an acknowledged bid is in the log {len(found)} times: {attempt}")
        event, response = found[0], json.loads(attempt.response)
        bid, receipt = response["bid"], response["receipt"]
        promised = (bid["id"], bid["amount"], bid["at"], bid["seq"], receipt["seq"], receipt["endsAt"])
        kept = (event["data"]["bidId"], event["data"]["amount"], event["at"], event["seq"], event["seq"], event["data"]["endsAt"])
        if promised != kept:
            self.find(f"an acknowledged bid changed: promised {promised}, in the log {kept}")
        if snapshot_of_response(response["room"]) != self.snapshots[attempt.room].get(event["seq"]):
            self.find(f"the answer to a bid shows another room than its events do: {attempt}")

    def _order(self):
        """Checks real-time order: a bid sent after another's acknowledgement has a higher seq."""
        rooms = {}
        for attempt in self.world.attempts:
            found = self.bids.get(attempt.identity)
            if attempt.outcome == "acknowledged" and found and attempt.sent is not None:
                rooms.setdefault(attempt.room, []).append((attempt.sent, attempt.received, found[0]["seq"], attempt))
        for bids in rooms.values():
            answered = sorted((received, seq) for _, received, seq, _ in bids)
            highest, position = 0, 0
            for sent, _, seq, attempt in sorted(bids, key=lambda bid: bid[0]):
                while position < len(answered) and answered[position][0] < sent:
                    highest = max(highest, answered[position][1])
                    position += 1
                if seq < highest:
                    self.find(f"out of order: {attempt} was sent after seq {highest} was acknowledged and has seq {seq}")

    def _orders(self):
        for order in self.world.orders:
            if order.response is None:
                continue
            response = json.loads(order.response)
            if snapshot_of_response(response) != self.snapshots[order.room].get(response["seq"]):
                self.find(f"{order.path} was acknowledged with a room at seq {response['seq']} that its events do not make")

    def rooms_as_read(self, responses):
        """Checks GET of every room against the fold at the seq in the response."""
        for room, response in responses.items():
            read, made = snapshot_of_response(response), self.snapshots[room].get(response["seq"])
            if read != made:
                self.find(f"{room} reads {read} at seq {response['seq']}, its events make {made}")

    def outage(self, before, spawned, ready):
        """Checks that deadlines were extended exactly where they would have expired too soon after the outage; returns how many."""
        moved = 0
        for room, raw in before.items():
            was, _, _ = fold(raw)
            if was.state != "auctioning":
                continue
            after = [json.loads(event) for event in self.events[room][len(raw):]]
            first = after[0] if after else None
            if first and first["type"] == "countdown.moved":
                moved += 1
                at = milliseconds(first["at"])
                if not spawned - 1 <= at <= ready + 1:
                    self.find(f"{room}: the deadline was extended at {first['at']}, not while the server started")
            elif was.ends_at < spawned + was.least_remaining:
                self.find(f"{room}: {was.ends_at - ready} ms were left after the outage and the deadline was not extended")
        return moved
