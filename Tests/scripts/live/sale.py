"""A sale of lots of all formats that runs by itself from its scheduled second, on SQLite and on three nodes over PostgreSQL.

Bids are left on half of the lots before their turn, also by people who are away then, and some are changed or taken back.
Meanwhile people bid, the host moves, changes and withdraws queued lots, and nodes are killed and restarted: before the start, while
bids are taken, right after a close, and in the pause before the next lot. Then every lot had its turn once, in the acknowledged
order, results are what the events and the acknowledged bids make, also those that were left, and nothing acknowledged is lost. Pages in Chromium watch all of it,
one of them from the middle on; what each showed at every moment is compared with the events afterwards.

LOTS (14), SALE_SEED (new every time), SALE_STORES (sqlite,postgres): the size of it.
"""
import json
import os
import random
import time
from datetime import datetime, timezone

import postmaster
from cluster import Cluster
from program import require_binary, scratch_folder, verify
from room_setup import guest
from sale_absentees import Absentee, AbsenteeAudit
from sale_audit import SaleAudit, pages
from sale_page import DESKTOP, PHONE, Browser, Unexpected, Watcher
from sale_page_audit import PageAudit, tampered
from sale_people import Bidder, Client, Editor, Follower
from sale_shown import timelines
from subscribers import Subscribers
from wire import Connection, CheckFailed, expect, histories, require_none

LOTS = int(os.environ.get("LOTS", "14"))
SEED = int(os.environ.get("SALE_SEED") or random.SystemRandom().getrandbits(32))
STORES = os.environ.get("SALE_STORES", "sqlite,postgres").split(",")
BIDDERS = 8
# Who leaves bids on lots: some of the bidders, and some who do nothing else. Never the one whose page is watched.
ABSENTEES = slice(BIDDERS - 2, BIDDERS + 2)
PAUSE_SECONDS = 1
# Seconds from the schedule to the start; a kill and a restart lie between.
LEAD = 8
PREMIUM = "12.35"


def rules(number):
    """The rules of the lots, by turns."""
    common = {"startingPrice": "2.00", "listingSeconds": 0, "biddingSeconds": 1}
    return {**common, **[
        {"format": "english", "increment": {"fixed": "0.10"}, "countdown": "reset", "maxDurationSeconds": 2},
        {"format": "sealedFirstPrice", "tie": "draw"},
        {"format": "dutch", "floorPrice": "1.00", "increment": {"fixed": "1.00"}, "dutchTickSeconds": 1},
        {"format": "vickrey", "reservePrice": "4.00"},
        {"format": "english", "buyNowPrice": "3.50", "increment": {"percent": 5}, "countdown": "extend", "extendWindowSeconds": 1,
         "extendBySeconds": 1, "maxDurationSeconds": 2},
        {"format": "english", "reservePrice": "900.00", "countdown": "fixed", "increment": {"fixed": "0.50"}},
        {"format": "english", "increment": {"fixed": "1.00"}},
    ][number % 7]}


class Sale:
    """One room with its people. `away`: intervals in which no node ran, or one that had to be noticed first."""

    def __init__(self, cluster, rng, browser):
        self.cluster, self.rng, self.browser, self.failures, self.away = cluster, rng, browser, [], []
        self.premium = round(float(PREMIUM) * 100)
        connection = Connection(cluster.ports[0])
        people = [guest(connection, f"Person {number}") for number in range(BIDDERS + 5)]
        self.host, *owners = [self._client(person) for person in people[:3]]
        room = expect(connection.call("POST", "/v1/rooms", people[0][1], {"name": "A sale"}), 201)["id"]
        self.room, self.path = room, f"/v1/rooms/{room}"
        for person in people[1:]:
            expect(connection.call("POST", self.path + "/members", person[1], {"role": "bidder"}), 201)
        for owner in owners:
            expect(connection.call("PATCH", f"{self.path}/members/{owner.person[0]}", people[0][1], {"role": "auctioneer"}), 200)
        connection.close()
        self.follower = Follower(cluster.ports, room, rng.getrandbits(32))
        self.follower.start()
        self.subscribers = Subscribers(cluster.ports, [room], rng.getrandbits(32))
        common = (room, self.follower, self.failures)
        self.bidders = [Bidder(self._client(person), *common) for person in people[3:3 + BIDDERS]]
        self.editor = Editor(owners, LOTS // 7, self._client(people[0]), *common)
        lots = [{"name": ("Unwanted" if number % 7 == 6 else "Lot") + f" {number}", "reference": f"A-{number}", "rules": rules(number)}
                for number in range(LOTS)]
        # All but one from two sellers' files.
        self.editor.import_lots(owners[0], lots[:LOTS // 2])
        self.editor.import_lots(owners[1], lots[LOTS // 2:-1])
        self.editor.queue(owners[0], lots[-1])
        absent, number = people[3:][ABSENTEES], {lot: place for place, lot in enumerate(self.editor.order)}
        self.absentees = [
            Absentee(self.editor.lots, lambda lot, own=own: number[lot] % len(absent) == own, self._client(person), *common)
            for own, person in enumerate(absent)]
        bidder = {"user": {"id": people[3][0], "nickname": "Person 3"}, "token": people[3][1], "expiresAt": "2100-01-01T00:00:00.000Z"}
        self.watchers = [self._watch(0, "a viewer", DESKTOP), self._watch(-1, "a bidder", PHONE, "socket", bidder)]

    def _watch(self, node, name, *how):
        return Watcher(self.browser, self.cluster, node % len(self.cluster.ports), self.room, name, *how)

    def _client(self, person):
        return Client(self.cluster, person, self.rng.getrandbits(32))

    def schedule(self):
        self.starts_at = (int(time.time()) + LEAD) * 1000
        starts_at = datetime.fromtimestamp(self.starts_at / 1000, timezone.utc).isoformat()
        expect(self.host.call("PUT", self.path + "/sale", {
            "mode": "automatic", "pauseSeconds": PAUSE_SECONDS, "startsAt": starts_at, "premium": {"percent": PREMIUM}}), 200)

    def run(self):
        """Until the sale is over; returns the findings."""
        self.schedule()
        self.follower.wait(lambda room: room["sale"]["startsAt"], LEAD)
        workers = [*self.bidders, *self.absentees, self.editor]
        for worker in workers:
            worker.start()
        try:
            self._crash(self.rng.uniform(0, 1))
            if not self.follower.wait(lambda room: room["item"], LEAD + 60):
                raise CheckFailed("the sale does not begin")
            self._course()
        finally:
            for worker in workers:
                worker.ended.set()
            for worker in workers:
                worker.join()
            self.follower.end()
        return self._findings()

    def _course(self):
        """Crashes at every kind of moment by turns, until the last lot."""
        moments, turn = ("closed", "pause", "bidding"), 0
        while True:
            moment, seen = moments[turn % len(moments)], self.follower.seen["round"] + self.rng.choice([0, 1, 1])
            turn += 1
            if len(self.watchers) == 2 and seen * 3 > LOTS:
                self.watchers.append(self._watch(1, "one who is late", DESKTOP, "poll"))

            def due(room):
                is_now = room["state"] in ("auctioning", "closing") if moment == "bidding" else room["sale"]["nextLotAt"] is not None
                return is_over(room) or room["round"] > seen and is_now

            if not self.follower.wait(due, 120):
                raise CheckFailed(f"nothing happens: {self.follower.failure or self.follower.seen['state']}")
            if is_over(self.follower.seen):
                return
            # Right after a close: the client knows of it as soon as it is durable.
            self._crash(0 if moment == "closed" else self.rng.uniform(0, 0.9))
            self._check_lists()

    def _check_lists(self):
        """A list of the lots, read in pages while they are moved, has none twice; one page of all has at most one current."""
        listed = [lot["id"] for lot in pages(self.host, self.path + "/lots", "lots")]
        if len(listed) != len(set(listed)):
            self.failures.append(f"a list has a lot twice: {listed}")
        lots = expect(self.host.call("GET", self.path + "/lots?limit=1000"), 200)["lots"]
        current = [lot["id"] for lot in lots if lot["state"] == "current"]
        if len(current) > 1 or len(lots) != LOTS:
            self.failures.append(f"of {len(lots)} lots {current} are current")

    def _crash(self, seconds):
        """Kills nodes, some or all, or stops one; and starts them again."""
        time.sleep(seconds)
        nodes, down = range(len(self.cluster.ports)), time.time() * 1000
        if self.rng.random() < 0.2:
            gone = [self.rng.choice(nodes)]
            self.cluster.stop(gone[0])
        else:
            gone = self.rng.sample(nodes, self.rng.randint(1, len(nodes)))
            for node in gone:
                self.cluster.kill(node)
        if len(gone) < len(nodes):
            # Long enough for what is due meanwhile to be left to the other nodes.
            time.sleep(self.rng.uniform(0, 1.5))
        for node in gone:
            self.cluster.start(node)
        if len(gone) == len(nodes):
            self.away.append((down, time.time() * 1000))

    def _findings(self):
        told = [histories(port, [self.room])[self.room] for port in self.cluster.ports]
        findings = self.failures + [finding for watcher in self.watchers for finding in watcher.finish()]
        findings += self.subscribers.finish({self.room: told[0]})
        findings += [f"node {node} has another history than node 0" for node, history in enumerate(told) if history != told[0]]
        self.audit = SaleAudit(self, told[0])
        self.absentee_audit = AbsenteeAudit(self, self.audit.history)
        return findings + self.audit.findings + self.absentee_audit.findings + self._unnoticed(told[0]) + self._pages()

    def _pages(self):
        """What the pages showed; and the audit must notice a page with a defect."""
        findings, self.page_audits = [], []
        for watcher in self.watchers:
            absences, expected = self.cluster.absences[watcher.node], timelines(self.audit.history, watcher.user)
            self.page_audits.append(PageAudit(watcher, absences, expected))
            findings += self.page_audits[-1].findings or [
                f"the audit of {watcher.name} does not notice {what}" for what, history in tampered(watcher.history)
                if not PageAudit(watcher, absences, expected, history).findings]
        return findings

    def _unnoticed(self, events):
        """The audit must notice each of these events if it is missing or wrong."""
        def last(kind, *more):
            texts = [f'"type":"{kind}"'.encode(), *more]
            return max(place for place, event in enumerate(events) if all(text in event for text in texts))

        def changed(place, change):
            return [*events[:place], change(events[place]), *events[place + 1:]]

        def exchanged(place, other):
            """The events of two turns, each with the lot and the item of the other."""
            def data(event):
                return event[event.index(b'"data":'):]
            first, second = events[place], events[other]
            return [*events[:place], first.replace(data(first), data(second)), *events[place + 1:other],
                    second.replace(data(second), data(first)), *events[other + 1:]]

        damaged = {f"the last {kind} missing": changed(last(kind), lambda event, kind=kind: event.replace(kind.encode(), b"message.system", 1))
                   for kind in ("bid.placed", "lot.moved", "lot.changed", "lot.withdrawn", "item.sold", "item.passed", "sale.started")}
        damaged["another price"] = changed(last("item.sold"), lambda event: event.replace(b'"price":"', b'"price":"1', 1))
        damaged["another minimum"] = changed(last("bid.placed", b'"nextMinimum":"'), lambda event: event.replace(b'"nextMinimum":"', b'"nextMinimum":"1', 1))
        left = last("bid.placed", b'"absentee":true', b'"amount":"')
        damaged["a bid missing that was left"] = changed(left, lambda event: event.replace(b"bid.placed", b"message.system", 1))
        damaged["a bid that was left, at another price"] = changed(left, lambda event: event.replace(b'"amount":"', b'"amount":"1', 1))
        damaged["a bid that nobody left"] = changed(last("lot.bidsChanged"), lambda event: event.replace(b'"absenteeBids":', b'"absenteeBids":1', 1))
        damaged["another item than was queued"] = changed(last("item.uploaded"), lambda event: event.replace(b'"name":"', b'"name":"1', 1))
        turns = [place for place, event in enumerate(events) if b'"type":"item.uploaded"' in event]
        damaged["two lots in the wrong order"] = exchanged(*turns[:2])
        found = {what: SaleAudit(self, history) for what, history in damaged.items()}
        found |= {f"{what}, by itself": AbsenteeAudit(self, found[what].history, self.absentee_audit.shown)
                  for what in ("a bid missing that was left", "a bid that was left, at another price")}
        return [f"the audit does not notice {what}" for what, audit in found.items() if not audit.findings]

    def keep(self, folder):
        """What the pages showed and when their nodes were gone, to look into the findings."""
        shown = [{"name": watcher.name, "user": watcher.user, "history": watcher.history, "ended": watcher.ended,
                  "absences": self.cluster.absences[watcher.node]} for watcher in self.watchers]
        with open(os.path.join(folder, "pages.json"), "w", encoding="utf-8") as file:
            json.dump({"events": self.audit.history.events, "pages": shown}, file)

    def summary(self):
        rounds = self.audit.history.rounds.all
        formats = [round_.rules["format"] for round_ in rounds]
        sold = sum(round_.result["type"] == "item.sold" for round_ in rounds)
        counts = {**{name: formats.count(name) for name in sorted(set(formats))}, "sold": sold, "passed": len(rounds) - sold}
        left = [each for person in self.absentees for each in person.left]
        counts |= {"left": sum("bidId" in each for each in left), "taken back": sum("bidId" not in each for each in left)}
        counts |= {**self.absentee_audit.counts}
        counts |= {"bids": sum(len(round_.bids) for round_ in rounds), **self.editor.counts, "events": len(self.audit.history.events)}
        counts |= {"lots shown to " + audit.watcher.name: audit.seen for audit in self.page_audits}
        counts |= {"returns of pages to their nodes": sum(audit.returns for audit in self.page_audits)}
        counts |= {"ms the longest of these": max(round(audit.slowest) for audit in self.page_audits)}
        counts |= {"kills": self.cluster.kills, "stops": self.cluster.stops, "repeated": sum(bidder.client.repeated for bidder in self.bidders)}
        missing = [name for name, count in counts.items() if count == 0 and name not in ("stops", "late", "repeated", "lots won in advance")]
        if missing or len(set(formats)) < 4:
            raise CheckFailed(f"too little happened to say anything: {counts}")
        return ", ".join(f"{count} {name}" for name, count in counts.items())


def is_over(room):
    """Of a sale that had begun."""
    return room["state"] == "closed" and not room["sale"]["running"]


def run(kind, folder, browser):
    begun = time.monotonic()
    store = f"sqlite:{folder}/rooms.db" if kind == "sqlite" else postmaster.database("sale")
    cluster = Cluster([store] * (1 if kind == "sqlite" else 3), folder)
    sale = Sale(cluster, random.Random(f"{SEED} {kind}"), browser)
    findings = sale.run()
    for node in range(len(cluster.ports)):
        cluster.stop(node)
    findings += verify(store)
    if findings:
        sale.keep(folder)
        require_none(findings)
    print(f"sale on {kind}: {sale.summary()}; {time.monotonic() - begun:.0f} s", flush=True)


def main():
    require_binary()
    print(f"sale: seed {SEED}, {LOTS} lots", flush=True)
    browser = Browser("")
    try:
        for kind in STORES:
            with scratch_folder("sale", f"{kind}, seed {SEED}, ", (CheckFailed, Unexpected)) as folder:
                run(kind, folder, browser)
    finally:
        browser.close()


main()
