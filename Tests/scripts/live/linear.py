"""Whether what clients saw of a room is what one copy of it would have shown them, one command after the other.

The log is the order that is claimed. A bid that was taken stands at its seq. A bid that was refused has to fit between two
events: after everything that was acknowledged before it was sent, before everything that was sent after it was answered, and at
a place where the room as it was there refuses it for that very reason. An order that fits exists or it does not: nothing has to
be searched (Wing & Gong's search is needed only where the order of the writes is unknown).
"""
import json
from bisect import bisect_left

from fold import units


def order(attempts, placed):
    """Taken bids against real time: who was sent after another's answer stands behind it. `placed`: seq by attempt."""
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


def refusals(attempts, placed, pictures):
    """Refused bids of one room. `pictures`: the room after each seq, as `fold` makes them, and its members' first seqs."""
    taken = [attempt for attempt in attempts if attempt in placed]
    received = running_maximum(sorted((a.received, placed[a]) for a in taken if a.outcome == "acknowledged"))
    sent = running_minimum(sorted((attempt.sent, placed[attempt]) for attempt in taken))
    findings = []
    for attempt in attempts:
        if attempt.outcome != "refused":
            continue
        first = value_before(received, attempt.sent)
        last = value_after(sent, attempt.received, len(pictures)) - 1 if sent else len(pictures)
        if not any(refuses(pictures[seq], attempt) for seq in range(max(first, 1), min(last, len(pictures)) + 1)):
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


def refuses(picture, attempt):
    """Whether the room, as it was there, refuses the bid for the reason that was given."""
    code, required = attempt.reason
    if code == "bid.not_auctioning":
        # A countdown that has run out refuses before its end is in the log.
        return picture["state"] != "auctioning" or picture["endsAt"] is not None and attempt.answered_at >= picture["endsAt"] - 60
    if picture["state"] != "auctioning":
        return code == "bid.wrong_round" and attempt.round != picture["round"]
    if code == "bid.already_leading":
        return picture["leader"] == attempt.bidder
    if code == "bid.below_minimum":
        return attempt.amount < picture["nextMinimum"] and required == picture["nextMinimum"]
    return code == "bid.wrong_round" and attempt.round != picture["round"]


def reason(answer):
    """Why an answer refuses."""
    body = json.loads(answer.body)
    required = body.get("permission", {}).get("required") if body["code"] == "bid.below_minimum" else None
    return body["code"], None if required is None else units(required)
