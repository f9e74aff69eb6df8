"""Checks that the audit detects damage: logs damaged on purpose and forged acknowledgements must produce findings."""
import copy
import json
import os
import re

import database
from audit import Audit
from load import Attempt
from program import NO_LIMITS, Server
from wire import Connection, CheckFailed, all_events, milliseconds


def victim(world, sound):
    """An acknowledged bid that is directly followed by two bids of its round, and its event."""
    for attempt in reversed(world.attempts):
        event = sound.bids.get(attempt.identity, [None])[0]
        if attempt.outcome != "acknowledged" or event is None:
            continue
        following = sound.events[attempt.room][event["seq"]:][:2]
        if len(following) == 2 and all(b'"bid.placed"' in raw for raw in following):
            return attempt, event
    raise SystemExit("no acknowledged bid is followed by two others: too little load")


def lost_commit(log, world, sound, attempt, event):
    log.cut(attempt.room, event["seq"] - 1, sound.snapshots[attempt.room][event["seq"] - 1])


def deleted_row(log, world, sound, attempt, event):
    log.run("DELETE FROM event WHERE room = ? AND seq = ?", log.numbers[attempt.room], event["seq"])


def swapped_rows(log, world, sound, attempt, event):
    number, seq = log.numbers[attempt.room], event["seq"]
    for old, new in ((seq, -1), (seq + 1, seq), (-1, seq + 1)):
        log.run("UPDATE event SET seq = ? WHERE room = ? AND seq = ?", new, number, old)


def changed_amount(log, world, sound, attempt, event):
    raw = sound.events[attempt.room][event["seq"] - 1]
    changed = raw.replace(b'"amount":"', b'"amount":"9', 1)
    log.run("UPDATE event SET public = ? WHERE room = ? AND seq = ?", changed, log.numbers[attempt.room], event["seq"])


def duplicated_event(log, world, sound, attempt, event):
    seq = len(sound.events[attempt.room]) + 1
    raw = sound.events[attempt.room][event["seq"] - 1].replace(b'"seq":%d,' % event["seq"], b'"seq":%d,' % seq, 1)
    log.append(attempt.room, raw, milliseconds(event["at"]))


def forged_promise(log, world, sound, attempt, event):
    """The log is intact, but a client has an acknowledgement of a bid that is not in it."""
    forged = Attempt(attempt.room, attempt.round, attempt.bidder, attempt.amount + 1_000_000, None)
    response = json.loads(attempt.response)
    response["bid"]["id"] = response["bid"]["id"][:-1] + "x"
    forged.outcome, forged.response = "acknowledged", json.dumps(response).encode()
    world.attempts.append(forged)


def nothing(log, world, sound, attempt, event):
    """The control: an intact log must have no findings."""


# The damage, the finding that the audit must report, and whether the server must refuse the room.
CASES = [
    (nothing, None, False),
    (lost_commit, r"^acknowledged: .* is in the log 0 times", False),
    (deleted_row, r"a gap or a repeat", True),
    (swapped_rows, r"a gap or a repeat", True),
    (changed_amount, r"^acknowledged: .* changed", True),
    (duplicated_event, r"^acknowledged: .* is in the log 2 times", False),
    (forged_promise, r"^acknowledged: .* is in the log 0 times", False),
]


def check(world, folder, scratch):
    """Damages copies of a log taken right after a kill. Returns the undetected cases."""
    unnoticed = []
    for break_it, complaint, is_refused in CASES:
        name = break_it.__name__
        target = database.copy(folder, os.path.join(scratch, name))
        log = database.Log(target)
        sound = Audit(world, log.events())
        # A copy of the attempts: a forged one must not affect the next case.
        deceived = copy.copy(world)
        deceived.attempts = list(world.attempts)
        attempt, event = victim(world, sound)
        log.forget_snapshots()
        break_it(log, deceived, sound, attempt, event)
        direct = Audit(deceived, log.events()).findings
        log.close()
        served, refused = through_the_server(deceived, target, attempt.room)
        for way, findings in (("in the file", direct), ("through the server", served)):
            if complaint is None and findings:
                unnoticed.append(f"{name}, {way}: a sound log was found broken: {findings[0]}")
            elif complaint and not (refused and findings is served) and not any(re.search(complaint, one) for one in findings):
                unnoticed.append(f"{name}, {way}: nobody said {complaint!r}, only {findings[:3]}")
        if refused != is_refused:
            unnoticed.append(f"{name}: the server {'refused' if refused else 'served'} the room")
    return unnoticed


def through_the_server(world, folder, room):
    """Findings of the audit on the responses of a server on that log, and whether it refuses the room as corrupt."""
    server = Server(f"sqlite:{folder}/rooms.db", *NO_LIMITS, log=os.path.join(folder, "server.log"))
    connection = Connection(server.port)
    try:
        response = connection.call("GET", f"/v1/rooms/{room}")
        if response.status == 500:
            return [], True
        return Audit(world, {each: all_events(connection, each) for each in world.rooms}).findings, False
    except CheckFailed as failure:
        return [str(failure)], False
    finally:
        connection.close()
        server.kill()
