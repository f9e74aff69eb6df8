"""What a crowd was told by many nodes, against the log and against what one copy of each room would have said."""
from types import SimpleNamespace

import linear
from audit import Audit
from fold import fold, milliseconds
from wire import Connection, all_events

# A round ends so long after its time at the latest, even if its node has died. Two cores carry everything here.
LATEST_END = 1000


def audit(crowd, cluster, away, followers):
    """Everything that was promised, against what every node tells now."""
    findings = list(crowd.surprises)
    told = []
    for port in cluster.ports:
        connection = Connection(port)
        told.append({room: all_events(connection, room) for room in crowd.rooms})
        connection.close()
    for node in range(1, len(told)):
        findings += [f"{room}: node {node} tells another history than node 0" for room in crowd.rooms
                     if told[node][room] != told[0][room]]
    events = told[0]
    findings += followers.finish(events)
    world = SimpleNamespace(
        attempts=crowd.attempts, orders=[], told={}, history={room: [] for room in crowd.rooms})
    audited = Audit(world, events)
    findings += audited.findings
    for room in crowd.rooms:
        attempts = [attempt for attempt in crowd.attempts if attempt.room == room]
        placed = {a: audited.bids[a.identity][0]["seq"] for a in attempts if a.identity in audited.bids}
        findings += linear.order(attempts, placed)
        findings += linear.refusals(attempts, placed, audited.pictures[room])
        findings += ends(room, events[room], away)
        findings += searched(room, attempts)
    return findings, sum(map(len, events.values()))


def searched(room, attempts):
    """The same history without looking at the log, and with one answer that a room would not have given."""
    calls = [linear.Call(attempt.bidder, attempt.amount, attempt.sent, attempt.received, answer)
             for attempt in attempts if (answer := attempt.seen())]
    if not linear.search(calls):
        return [f"{room}: no order of its {len(calls)} bids explains the answers"]
    late = [call for call in calls if call.answer == ("taken",)][1:]
    if late:
        last = max(late, key=lambda call: call.sent)
        wrong = linear.Call(last.bidder, 99, last.sent, last.received, last.answer)
        if linear.search([wrong if call is last else call for call in calls]):
            return [f"{room}: the search accepts a bid below the starting price"]
    return []


def ends(room, raw, away):
    """The round ended once, by itself, and soon enough after its time."""
    folded, decoded, pictures = fold(raw)
    closed = [event for event in decoded if event["type"] in ("item.sold", "item.passed")]
    if len(closed) != 1 or folded.state != "closed":
        return [f"{room}: its round ended {len(closed)} times and the room is {folded.state}"]
    change = next(event for event in decoded if event["type"] == "state.changed" and event["data"]["to"] == "closed")
    due = pictures[change["seq"] - 1]["endsAt"]
    late = milliseconds(change["at"]) - due
    excused = any(down - 1000 <= due <= back + 1500 for down, back in away)
    if late > LATEST_END and not excused:
        return [f"{room}: the round was to end at {due} and ended {late} ms later"]
    return []
