"""Tests the linearizability checker: it accepts 200 valid histories and rejects each with a planted violation."""
import random
import sys

import linear

HISTORIES = 200


def history(rng):
    """A valid history of five bidders: each bid takes effect between its request and its response."""
    bids = []
    for bidder in range(5):
        now = rng.random()
        for _ in range(12):
            sent = now + rng.expovariate(2)
            at = sent + rng.expovariate(1)
            received = at + rng.expovariate(1)
            bids.append((at, sent, received, bidder))
            now = received
    room, calls, states = (None, 100), [], [(0.0, (None, 100))]
    for at, sent, received, bidder in sorted(bids):
        amount = room[1] + rng.choice([-3, -1, 0, 0, 1, 5])
        response, room = linear.bid(room, bidder, amount)
        calls.append(linear.Call(bidder, amount, sent, received, response))
        states.append((at, room))
    return calls, states


def established(calls, call):
    """The lowest possible minimum for a bid sent when this one was."""
    taken = [other.amount for other in calls if other.response == ("taken",) and other.received < call.sent]
    return max(taken, default=99) + 1


def broken(calls, rng):
    """The same history with one planted violation of each applicable kind: its name and the calls."""
    order = list(calls)
    rng.shuffle(order)

    def replaced(call, amount, response):
        other = linear.Call(call.bidder, amount, call.sent, call.received, response)
        return [other if each is call else each for each in calls]

    late = [call for call in order if established(calls, call) > 100]
    for call in late:
        minimum = established(calls, call)
        if call.response[0] == "below":
            yield "a refusal from the past", replaced(call, minimum - 2, ("below", minimum - 1))
            break
    for call in late:
        if call.response == ("taken",):
            yield "a bid below the minimum was taken", replaced(call, established(calls, call) - 1, ("taken",))
            break
    for call in late:
        if call.response == ("taken",):
            yield "a bid that was taken twice", [*calls, linear.Call(
                call.bidder, call.amount, call.received + 0.001, call.received + 0.002, ("taken",))]
            break
    for call in order:
        others = [each for each in calls if each.sent > call.received and each.response == ("below", call.amount + 1)]
        if call.response == ("taken",) and others:
            # No other bid explains the minimum in those responses.
            yield "an acknowledged bid that nobody sees", [each for each in calls if each is not call]
            break
    for call in order:
        if call.response[0] == "below" and not any(
                each.bidder == call.bidder and each.response == ("taken",) for each in calls if each.sent < call.received):
            yield "somebody who never bid is told that they lead", replaced(call, call.amount, ("leading",))
            break


def main():
    planted, missed = {}, []
    for seed in range(HISTORIES):
        rng = random.Random(seed)
        calls, _ = history(rng)
        if not linear.search(calls):
            missed.append(f"seed {seed}: a history that one room made is rejected")
        for name, wrong in broken(calls, rng):
            planted[name] = planted.get(name, 0) + 1
            if linear.search(wrong):
                missed.append(f"seed {seed}: {name}, and nobody notices")
    missed += [f"only {count} histories with: {name}" for name, count in planted.items() if count < 10]
    if missed or len(planted) < 5:
        print("\n".join(missed[:20] or [f"only {sorted(planted)} could be planted"]), file=sys.stderr)
        sys.exit(1)
    print(f"linear: {HISTORIES} histories accepted, {sum(planted.values())} broken ones rejected: "
          + ", ".join(f"{count} × {name}" for name, count in sorted(planted.items())))


main()
