"""Checks that clients' observations of a room are linearizable.

With a log (`order`, `refusals`): the log is the order that is claimed. A bid that was taken stands at its seq. A bid that was refused has to fit between two
events: after everything that was acknowledged before it was sent, before everything that was sent after it was answered, and at
a place where the room as it was there refuses it for that very reason.

Without one (`search`): is there any order that explains the answers? Wing and Gong's search over a model of a room.
"""
import json
from bisect import bisect_left

from wire import units

def order(attempts, placed):
    """Acknowledged bids against real time: a bid sent after another's response has a higher seq. `placed`: seq by attempt."""
    findings = []
    taken = [attempt for attempt in attempts if attempt.outcome == "acknowledged" and attempt in placed]
    answered = sorted((attempt.received, placed[attempt]) for attempt in taken)
    highest, position = 0, 0
    for attempt in sorted(taken, key=lambda attempt: attempt.sent):
        while position < len(answered) and answered[position][0] < attempt.sent:
            highest = max(highest, answered[position][1])
            position += 1
        if placed[attempt] < highest:
            findings.append(f"{attempt} was sent after seq {highest} was acknowledged and has seq {placed[attempt]}")
    return findings


def refusals(attempts, placed, snapshots):
    """Refused bids of one room. `snapshots`: the room after each seq, as `Audit` has them."""
    taken = [attempt for attempt in attempts if attempt in placed]
    received = running_maximum(sorted((a.received, placed[a]) for a in taken if a.outcome == "acknowledged"))
    sent = running_minimum(sorted((attempt.sent, placed[attempt]) for attempt in taken))
    findings = []
    for attempt in attempts:
        if attempt.outcome != "refused":
            continue
        first = value_before(received, attempt.sent)
        last = value_after(sent, attempt.received, len(snapshots)) - 1 if sent else len(snapshots)
        if not any(refuses(snapshots[seq], attempt) for seq in range(max(first, 1), min(last, len(snapshots)) + 1)):
            findings.append(f"nothing from seq {first} to {last} refuses {attempt}: {attempt.reason}")
    return findings


def running_maximum(pairs):
    highest, result = 0, []
    for instant, seq in pairs:
        highest = max(highest, seq)
        result.append((instant, highest))
    return result


def running_minimum(pairs):
    lowest, result = 1 << 60, []
    for instant, seq in reversed(pairs):
        lowest = min(lowest, seq)
        result.append((instant, lowest))
    return result[::-1]


def value_before(pairs, instant):
    at = bisect_left(pairs, (instant,))
    return pairs[at - 1][1] if at else 1


def value_after(pairs, instant, count):
    at = bisect_left(pairs, (instant, 1 << 60))
    return pairs[at][1] if at < len(pairs) else count + 1


def refuses(snapshot, attempt):
    """Whether a room in this state refuses the bid for the given reason."""
    code, required = attempt.reason
    if code == "bid.not_auctioning":
        # An expired countdown refuses bids before the close is in the log.
        return snapshot["state"] != "auctioning" or snapshot["endsAt"] is not None and attempt.answered_at >= snapshot["endsAt"] - 60
    if snapshot["state"] != "auctioning":
        return code == "bid.wrong_round" and attempt.round != snapshot["round"]
    if code == "bid.already_leading":
        return snapshot["leader"] == attempt.bidder
    if code == "bid.below_minimum":
        return attempt.amount < snapshot["nextMinimum"] and required == snapshot["nextMinimum"]
    return code == "bid.wrong_round" and attempt.round != snapshot["round"]


def reason(response):
    """Reason of a refused bid's response."""
    body = json.loads(response.body)
    required = body.get("permission", {}).get("required") if body["code"] == "bid.below_minimum" else None
    return body["code"], None if required is None else units(required)


class Call:
    """A bid as observed by its sender: `answer` is ("taken",), ("leading",) or ("below", the minimum in the response)."""

    def __init__(self, bidder, amount, sent, received, response):
        self.bidder, self.amount, self.sent, self.received, self.response = bidder, amount, sent, received, response


def bid(room, bidder, amount):
    """The model: the response of a room (leader, next minimum) to a bid, and the room after it."""
    leader, minimum = room
    if bidder == leader:
        return ("leading",), room
    if amount < minimum:
        return ("below", minimum), room
    return ("taken",), (bidder, amount + 1)


def search(calls, room=(None, 100)):
    """Whether some order of the calls, each between being sent and answered, makes the model give every answer.

    A refusal that fits is put first: it changes nothing, and what follows is only less bound without it. What is left to try
    are the bids that were taken.
    """
    calls = sorted(calls, key=lambda call: call.sent)
    seen, waiting = set(), [(0, frozenset(), room)]
    while waiting:
        low, left, room = waiting.pop()
        low, left, taken = settle(calls, low, left, room)
        if not left and low == len(calls):
            return True
        # The price only rises: a lower bid than this can no longer be taken.
        if (low, left, room) in seen or any(calls[index].response == ("taken",) and calls[index].amount < room[1] for index in left):
            continue
        seen.add((low, left, room))
        waiting += [(low, left - {index}, bid(room, calls[index].bidder, calls[index].amount)[1]) for index in taken]
    return False


def settle(calls, low, left, room):
    """What is left once every refusal that fits here is put here, and the bids that may be taken next.

    Left are some of the calls before `low` and all from there on: what was sent so late that it cannot be next is not looked at.
    """
    while True:
        # Only what was sent before any of the others was answered can be the next one.
        horizon = min((calls[index].received for index in left), default=float("inf"))
        fresh = []
        while low < len(calls) and calls[low].sent <= horizon:
            fresh.append(low)
            horizon = min(horizon, calls[low].received)
            low += 1
        left = left.union(fresh)
        here = [index for index in left if calls[index].sent <= horizon
                and bid(room, calls[index].bidder, calls[index].amount)[0] == calls[index].response]
        refused = [index for index in here if calls[index].response != ("taken",)]
        if not refused:
            return low, left, here
        left = left.difference(refused)
