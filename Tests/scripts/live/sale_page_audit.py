"""Audits what a page of a sale showed all the time (see recorder.js) against the events of the room. Each finding is a sentence."""
import re

from wire import milliseconds

# In ms. What has happened is shown this soon; and after the page's node was away, this soon after the page is connected again.
LATE = 3000
# A page is connected again this soon after its node is ready: the longest pause between two attempts is 5 s.
BACK = 6000
# Lots that come from behind those a page knows make it read the list again; until then it may lack them.
SETTLE = {"room": 0, "results": 0, "lot": 3000, "queue": 3000}
# A lot that was current this long while a page was connected must have been shown there as the current one.
SEEN = 3000
# A connection that ends is shown as ended this soon.
NOTICED = 500
# Of a long list at least so many are shown.
ENOUGH = {"queue": 10, "results": 20}
# Times of events and of the page are rounded.
ROUNDING = 5
FOREVER = float("inf")


class PageAudit:
    """`watcher`: see sale_page.py; `absences`: when its node was gone, as [from, until]; `expected`: see `timelines`."""

    def __init__(self, watcher, absences, expected, history=None):
        self.watcher, self.history, self.findings = watcher, history or watcher.history, []
        self.lines, self.rounds = expected
        self.begin, self.returns, self.slowest = self.history["room"][0][0], 0, 0
        self.away = self._away([pair for pair in absences if pair[1] > self.begin])
        for part in self.lines:
            self._part(part)
        self.seen = self._lots()
        self._end()

    def require(self, holds, text):
        if not holds:
            self.findings.append(f"{self.watcher.name} {text}")

    # When the page could know of things.

    def _away(self, absences):
        """From when its node was gone until the page was connected again. One that has just been opened has yet to hear of the past."""
        found = [(0, self.begin)]
        live = self.history["live"]
        for (down, up), after in zip(absences, [*(pair[0] for pair in absences[1:]), self.watcher.ended]):
            # It may still be away since an earlier time; and a connection that had just been made is shown a little later.
            away = [at for at, state in live if at <= min(up + NOTICED, after) and state != "live"]
            away = [at for at in away if at > down] or [at for at in away[-1:] if not any(at < other <= down for other, _ in live)]
            # A page that was between two long-polls may not notice.
            back = next((at for at, state in live if at > away[-1] and state == "live"), FOREVER) if away else up
            self.require(min(back, after) <= up + BACK, f"was not connected again {BACK} ms after its node was")
            if back <= after:
                self.returns += 1
                self.slowest = max(self.slowest, back - up)
            found.append((down, back))
        return found

    def _deadline(self, at):
        """When the page must show what happened then."""
        due = at + LATE
        for down, back in self.away:
            if down <= due and back >= at:
                due = back + LATE
        return due

    # What it showed.

    def _part(self, part):
        """All that it showed is what the events had made of the room, in their order, and not for longer than allowed."""
        line, first, unsettled = self.lines[part], 0, None
        ends = [self._deadline(at) for at, _ in line[1:]] + [FOREVER]
        windows = [(at - ROUNDING, end, value) for (at, value), end in zip(line, ends)]
        samples = self.history[part]
        for (begin, shown), end in zip(samples, [*(at for at, _ in samples[1:]), self.watcher.ended]):
            while windows[first][1] < begin:
                first += 1
            value = self._value(part, shown)
            until, used = true_until(part, value, windows, first, begin, end)
            if used is not None:
                first, unsettled = used, None
            if used is None or until < end:
                unsettled = until if unsettled is None else unsettled
                near = [wanted for since, due, wanted in windows[first:] if since <= end and due >= begin]
                self.require(any(almost(part, value, wanted) for wanted in near) and end - self._back(unsettled, end) <= SETTLE[part],
                             f"shows from {begin} to {end} the {part} {value}; it should have been {[Rows.short(wanted) for wanted in near[:3]]}")

    def _back(self, since, end):
        """From when on the page was there to settle what was wrong since then."""
        return max([since, *(min(back, end) for down, back in self.away if down <= end and back >= since)])

    def _value(self, part, value):
        if value is None:
            return None
        if part in ("room", "lot"):
            return room_of(value) if part == "room" else tuple(value)
        words = self.history["words"]
        return Rows(value, words) if part == "results" else Rows(value["rows"], words, value["hasMore"])

    def _lots(self):
        """Every lot that was current for a while was shown so; returns the rounds of those that were shown while bids were taken."""
        rooms = [value for value in (room_of(value) for _, value in self.history["room"] if value) if len(value) > 4]
        shown = {(value[0], value[4]) for value in rooms}
        for round_, after in zip(self.rounds, [*(milliseconds(each.opened) for each in self.rounds[1:]), self.watcher.ended]):
            moment, longest = max(milliseconds(round_.opened), self.begin), 0
            for down, back in self.away:
                longest, moment = max(longest, min(down, after) - moment), max(moment, back)
            if max(longest, after - moment) >= SEEN:
                self.require((round_.number, round_.name) in shown, f"never shows {round_.name} of round {round_.number} as the current lot")
        return len({value[0] for value in rooms if value[1] == "auctioning"})

    def _end(self):
        """At last it shows the end of the sale, and all results."""
        last = {part: self._value(part, self.history[part][-1][1]) for part in self.lines}
        for part, line in self.lines.items():
            value, wanted = last[part], line[-1][1]
            are_all = part != "results" or value is not None and len(value.rows) == len(wanted)
            self.require(are_all and fits(part, value, wanted), f"shows in the end the {part} {value}; it should be {wanted}")


class Rows:
    """The rows of a list that a page shows."""

    def __init__(self, numbers, words, has_more=True):
        self.rows, self.has_more = tuple(words[number] for number in numbers), has_more

    def __repr__(self):
        return f"{len(self.rows)} rows: {self.short(self.rows)}"

    @staticmethod
    def short(rows):
        return f"{' / '.join(map(str, rows[:5]))}{' / …' if len(rows) > 5 else ''}"


def room_of(shown):
    """The values of `Shown.room_view`, of what the page said."""
    left = re.search(r"(\d+) lots? to come", shown["summary"])
    phase = "auctioning" if shown["phase"] == "closing" else shown["phase"]
    common = (int(shown["facts"].rsplit(" ", 1)[1]), phase, int(left[1]) if left else 0, shown["summary"].startswith("The sale is running"))
    if shown["isNext"] or shown["name"] == "The next lot is on its way":
        return common
    if phase == "closed" and not shown["banner"]:
        return (*common[:2], shown["name"])
    row = tuple("Bidding open" if word == "Closing" else word for word in shown["row"])
    leader = "" if phase == "closed" else shown["leader"]
    return (*common, shown["name"], shown["price"], shown["total"], leader, tuple(shown["banner"]), row)


def true_until(part, value, windows, first, begin, end):
    """Until when a value was true that is shown from `begin` to `end`, and in which window it was first; None if in none."""
    moment, used = begin, None
    for place in range(first, len(windows)):
        since, until, wanted = windows[place]
        if since > moment or moment > end:
            break
        if fits(part, value, wanted):
            moment, used = max(moment, until), place if used is None else used
    return moment, used


def fits(part, value, wanted):
    """Whether the page showed what it should."""
    if value is None or part in ("room", "lot"):
        return value == wanted
    count = len(value.rows)
    return (value.rows == wanted[:count] and count >= min(len(wanted), ENOUGH[part])
            and (value.has_more or count == len(wanted)))


def almost(part, value, wanted):
    """Whether it lacks something, but shows nothing twice or in another order."""
    if part != "queue" or value is None:
        return part == "lot"
    left = iter(wanted)
    return all(row in left for row in value.rows)


def tampered(history):
    """Histories as pages with defects would have them, by what is wrong there; of a page that was opened late, as far as it has seen enough."""
    def changed(part, place, change):
        at, value = history[part][place]
        return {**history, part: [*history[part][:place], [at, change(value)], *history[part][place + 1:]]}

    def places(part, holds):
        return [place for place, (_, value) in enumerate(history[part]) if value and holds(value)][-1:]

    for place in places("room", lambda value: value["banner"] and value["banner"][0].startswith("Sold")):
        earlier = [history["room"][place][0] - 1, history["room"][place // 2][1]]
        yield "another price", changed("room", place, lambda value: {**value, "price": "¥123.45"})
        yield "another buyer", changed("room", place, lambda value: {**value, "banner": ["Sold to Hana", value["banner"][1]]})
        yield "a page that goes back", {**history, "room": [*history["room"][:place], earlier, *history["room"][place:]]}
    for place in places("queue", lambda value: len(value["rows"]) > 4):
        yield "the wrong order", changed("queue", place, lambda value: {**value, "rows": value["rows"][::-1]})
        yield "a lot twice", changed("queue", place, lambda value: {**value, "rows": [value["rows"][0], *value["rows"]]})
    yield "a result less", changed("results", len(history["results"]) - 1, lambda value: value[1:])
    yield "a page that stands still", {**history, "room": history["room"][:len(history["room"]) // 2]}
