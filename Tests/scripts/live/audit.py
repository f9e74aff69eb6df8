"""Audits a log against the responses that clients received, with `audit-events`. Each finding is a line; an empty list means success."""
import json
import os
import subprocess
import tempfile

from program import BINARY
from wire import CheckFailed, units

# AUDIT_EVENTS names it; by default it is in the folder of the program.
AUDITOR = os.environ.get("AUDIT_EVENTS") or os.path.join(os.path.dirname(BINARY), "audit-events")
# What is compared of a room in a response.
SHOWN = ("seq", "state", "round", "currentPrice", "currentBid", "nextMinimum", "endsAt")


def run_auditor(events, *more):
    """What `audit-events` finds in the raw events by room and in more of its lines; and the room after each event, by room and seq."""
    if not os.access(AUDITOR, os.X_OK):
        raise SystemExit(f"{AUDITOR} is not an executable: `swift build --product audit-events`")
    lines = [b'{"room":"%s",' % room.encode() + raw[1:] for room, raws in events.items() for raw in raws]
    lines += [json.dumps(line).encode() for line in more]
    with tempfile.NamedTemporaryFile(prefix="auction-states.") as states:
        done = subprocess.run([AUDITOR, "--states", states.name], input=b"\n".join(lines), capture_output=True, check=False)
        findings = done.stdout.decode().splitlines()
        if done.returncode != bool(findings) or done.stderr:
            raise CheckFailed(f"audit-events ended with {done.returncode}: {done.stderr.decode()}")
        made = {room: {} for room in events}
        for line in states:
            state = json.loads(line)
            made[state["room"]][state["seq"]] = state
    return findings, made


def shown(room):
    """What is audited of a room in a response."""
    return {name: room[name] for name in SHOWN}


def sent_bid(attempt):
    """The line of `audit-events` for a bid that was sent."""
    bid = {"room": attempt.room, "round": attempt.round, "bidder": attempt.bidder, "amount": attempt.text, "outcome": attempt.outcome}
    if attempt.outcome == "acknowledged":
        response = json.loads(attempt.response)
        told = {"bid": response["bid"], "receipt": response["receipt"], "room": shown(response["room"])}
        bid |= {"sent": attempt.sent, "received": attempt.received, "response": told}
    return {"bid": bid}


class Audit:
    """Audits the events of all rooms against the commands and responses of a `World`.

    `read`: responses that show rooms; `outage`: the events before a start of the server, and when it was started and ready, in milliseconds.
    """

    def __init__(self, world, events, read=None, outage=None):
        self.world, self.events = world, events
        more = [sent_bid(attempt) for attempt in world.attempts]
        more += [{"room": order.room, "shown": shown(json.loads(order.response))} for order in world.orders if order.response is not None]
        more += [{"room": room, "shown": shown(response)} for room, response in (read or {}).items()]
        if outage:
            before, spawned, ready = outage
            more += [{"room": room, "outage": {"after": len(raw), "spawned": spawned, "ready": ready}} for room, raw in before.items()]
        self.findings, self.snapshots = run_auditor(events, *more)
        self.bids = {}
        for room, raws in events.items():
            for event in map(json.loads, raws):
                if event["type"] == "bid.placed":
                    identity = (room, event["round"], event["data"]["bidder"]["id"], units(event["data"]["amount"]))
                    self.bids.setdefault(identity, []).append(event)
        self._unchanged()

    def find(self, text):
        self.findings.append(text)

    def _unchanged(self):
        """Checks that events returned before a restart, or delivered to a subscriber, are a prefix of the history, byte for byte."""
        for room, raw in self.events.items():
            for name, before in (("was returned before a restart", self.world.history[room]),
                                 ("was delivered to a subscriber", self.world.delivered.get(room, []))):
                if raw[: len(before)] == before:
                    continue
                at = next((seq for seq, pair in enumerate(zip(raw, before), 1) if pair[0] != pair[1]), len(raw) + 1)
                self.find(f"{room}: the event with seq {at} is not the one that {name}")

    def moved(self, before):
        """In how many open rooms the first event after these moves the deadline."""
        first = [self.events[room][len(raw)] for room, raw in before.items()
                 if len(raw) < len(self.events[room]) and self.snapshots[room][len(raw)]["state"] == "auctioning"]
        return sum(json.loads(raw)["type"] == "countdown.moved" for raw in first)
