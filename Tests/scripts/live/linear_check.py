"""Whether the checker of histories checks: it accepts 200 that one room made, and none in which a promise was broken."""
import random
import sys

import linear

HISTORIES = 200


def history(chance):
    """What five people would see of one room: each bid takes effect somewhere between being sent and answered."""
    bids = []
    for bidder in range(5):
        now = chance.random()
        for _ in range(12):
            sent = now + chance.expovariate(2)
            at = sent + chance.expovariate(1)
            received = at + chance.expovariate(1)
            bids.append((at, sent, received, bidder))
            now = received
    room, calls, states = (None, 100), [], [(0.0, (None, 100))]
    for at, sent, received, bidder in sorted(bids):
        amount = room[1] + chance.choice([-3, -1, 0, 0, 1, 5])
        answer, room = linear.bid(room, bidder, amount)
        calls.append(linear.Call(bidder, amount, sent, received, answer))
        states.append((at, room))
    return calls, states


def established(calls, call):
    """The minimum that every bid sent when this one was can count on."""
    taken = [other.amount for other in calls if other.answer == ("taken",) and other.received < call.sent]
    return max(taken, default=99) + 1


def broken(calls, chance):
    """The same history with one broken promise, in each way for which there is room. Names and calls."""
    order = list(calls)
    chance.shuffle(order)

    def replaced(call, amount, answer):
        other = linear.Call(call.bidder, amount, call.sent, call.received, answer)
        return [other if each is call else each for each in calls]

    late = [call for call in order if established(calls, call) > 100]
    for call in late:
        minimum = established(calls, call)
        if call.answer[0] == "below":
            yield "a refusal from the past", replaced(call, minimum - 2, ("below", minimum - 1))
            break
    for call in late:
        if call.answer == ("taken",):
            yield "a bid below the minimum was taken", replaced(call, established(calls, call) - 1, ("taken",))
            break
    for call in late:
        if call.answer == ("taken",):
            yield "a bid that was taken twice", [*calls, linear.Call(
                call.bidder, call.amount, call.received + 0.001, call.received + 0.002, ("taken",))]
            break
    for call in order:
        others = [each for each in calls if each.sent > call.received and each.answer == ("below", call.amount + 1)]
        if call.answer == ("taken",) and others:
            # Nobody else raised the price to what those were told.
            yield "an acknowledged bid that nobody sees", [each for each in calls if each is not call]
            break
    for call in order:
        if call.answer[0] == "below" and not any(
                each.bidder == call.bidder and each.answer == ("taken",) for each in calls if each.sent < call.received):
            yield "somebody who never bid is told that they lead", replaced(call, call.amount, ("leading",))
            break


def main():
    planted, missed = {}, []
    for seed in range(HISTORIES):
        chance = random.Random(seed)
        calls, _ = history(chance)
        if not linear.search(calls):
            missed.append(f"seed {seed}: a history that one room made is rejected")
        for name, wrong in broken(calls, chance):
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
