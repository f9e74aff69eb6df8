"""Audits the responses of several nodes against the log and against a linearizable model of each room."""
import json
from types import SimpleNamespace

import linear
from audit import Audit
from wire import histories, milliseconds

# A round closes at most this many ms after its deadline, even if its node has died; on two cores.
LATEST_END = 1000


def audit(crowd, cluster, away, subscribers):
    """Audits all responses against the histories that every node returns now."""
    findings = list(crowd.failures)
    told = [histories(port, crowd.rooms) for port in cluster.ports]
    for node in range(1, len(told)):
        findings += [f"{room}: node {node} tells another history than node 0" for room in crowd.rooms
                     if told[node][room] != told[0][room]]
    events = told[0]
    findings += subscribers.finish(events)
    world = SimpleNamespace(
        attempts=crowd.attempts, orders=[], delivered={}, history={room: [] for room in crowd.rooms})
    audited = Audit(world, events)
    findings += audited.findings
    for room in crowd.rooms:
        attempts = [attempt for attempt in crowd.attempts if attempt.room == room]
        placed = {a: audited.bids[a.identity][0]["seq"] for a in attempts if a.identity in audited.bids}
        findings += linear.order(attempts, placed)
        findings += linear.refusals(attempts, placed, audited.snapshots[room])
        findings += check_deadline(room, events[room], audited.snapshots[room], away)
        findings += searched(room, attempts, placed)
    return findings, sum(map(len, events.values()))


def searched(room, attempts, placed):
    """Checks the history without the log's order, and that one forged response is rejected.

    A bid whose client gave up waiting has no response; the log says whether it was taken, at any time after it was sent.
    """
    calls = [linear.Call(attempt.bidder, attempt.amount, attempt.sent, attempt.received, response)
             for attempt in attempts if (response := attempt.seen())]
    calls += [linear.Call(attempt.bidder, attempt.amount, attempt.sent, float("inf"), ("taken",))
              for attempt in placed if attempt.outcome == "unknown"]
    if not linear.search(calls):
        return [f"{room}: no order of its {len(calls)} bids explains the answers"]
    late = [call for call in calls if call.response == ("taken",)][1:]
    if late:
        last = max(late, key=lambda call: call.sent)
        wrong = linear.Call(last.bidder, 99, last.sent, last.received, last.response)
        if linear.search([wrong if call is last else call for call in calls]):
            return [f"{room}: the search accepts a bid below the starting price"]
    return []


def check_deadline(room, raw, snapshots, away):
    """The round closed once, by its countdown, and soon enough after its deadline."""
    decoded = [json.loads(event) for event in raw]
    closed = [event for event in decoded if event["type"] in ("item.sold", "item.passed")]
    state = snapshots[len(raw)]["state"]
    if len(closed) != 1 or state != "closed":
        return [f"{room}: its round ended {len(closed)} times and the room is {state}"]
    change = next(event for event in decoded if event["type"] == "state.changed" and event["data"]["to"] == "closed")
    due = snapshots[change["seq"] - 1]["endsAt"]
    late = milliseconds(change["at"]) - due
    excused = any(down - 1000 <= due <= back + 1500 for down, back in away)
    if late > LATEST_END and not excused:
        return [f"{room}: the round was to end at {due} and ended {late} ms later"]
    return []
