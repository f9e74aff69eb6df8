import AuctionTestKit
import Testing

@testable import AuctionDomain

/// Retracting the newest bids takes time linear in their number, not in the number of earlier bids.
struct BidHistoryTests {
    private static func bid(_ number: Int, by bidder: Int, leading: Bool = false, origin: BidOrigin = .bidder) -> Bid {
        Bid(
            id: BidID(bits: UInt128(number)), seq: number, at: Timestamp(milliseconds: 0), amount: Money(minorUnits: 1),
            bidder: Person(id: UserID(bits: UInt128(bidder)), nickname: "Bidder"), leading: leading, origin: origin)
    }

    private func history(of bids: [Bid]) -> BidHistory {
        var history = BidHistory()
        for bid in bids { history.append(bid) }
        return history
    }

    /// A challenger's bid and the leader's automatic counter-bid, the given number of times.
    private func beaten(_ times: Int) -> [Bid] {
        [Self.bid(1, by: 1, leading: true)]
            + (1...times).flatMap { turn in
                [Self.bid(turn * 2, by: 2), Self.bid(turn * 2 + 1, by: 1, leading: true, origin: .automatic)]
            }
    }

    @Test func `a retraction visits only the bids it removes, regardless of the number of earlier bids`() {
        var history = history(of: beaten(40_000))
        var visited = 0
        for turn in stride(from: 40_000, to: 39_000, by: -1) {
            #expect(history.latestExplicit?.seq == turn * 2)
            visited += history.remove([BidID(bits: UInt128(turn * 2)), BidID(bits: UInt128(turn * 2 + 1))])
            #expect(history.latestLeading?.seq == turn * 2 - 1)
        }
        #expect(visited == 2000)
        #expect(history.count == 78_001)
        #expect(history == self.history(of: beaten(39_000)))
    }

    @Test func `a later bid that is kept, such as the jump to the reserve, is restored after a removal`() {
        let jump = Self.bid(4, by: 1, leading: true, origin: .automatic)
        var history = history(of: [
            Self.bid(1, by: 1, leading: true), Self.bid(2, by: 2), Self.bid(3, by: 1, leading: true, origin: .automatic), jump,
        ])
        #expect(history.remove([BidID(bits: 2), BidID(bits: 3)]) == 3)
        #expect(history.all.map(\.seq) == [1, 4])
        #expect(history.latestLeading == jump)
        #expect(history.latestExplicit?.seq == 1)
    }

    @Test func `removing an unknown bid changes nothing`() {
        let bids = beaten(30)
        var history = history(of: bids)
        history.remove([BidID(bits: 9999)])
        #expect(history.all == bids)
    }

    @Test func `removing bids from a copy does not change the original`() {
        let bids = beaten(20)
        let old = history(of: bids)
        var new = old
        new.remove(bids.suffix(30).map(\.id))
        #expect(old.all == bids)
        #expect(new.all == Array(bids.dropLast(30)))
    }

    @Test func `a history made at once is that of bids appended one by one`() {
        for seed in 1...PropertyRuns.count / 10 {
            var generator = SeededGenerator(seed: seed)
            let bidders = generator.pick([1, 3, 20])
            let list = (0..<generator.roll(0...70)).map { number in
                Self.bid(
                    number, by: generator.roll(1...bidders), leading: generator.once(in: 2),
                    origin: generator.pick(BidOrigin.allCases))
            }
            #expect(BidHistory(list) == history(of: list))
        }
    }

    @Test func `after any appends and removals the history agrees with a plain list`() {
        for seed in 1...PropertyRuns.count / 10 {
            var generator = SeededGenerator(seed: seed)
            var (list, history): ([Bid], BidHistory) = ([], BidHistory())
            for number in 1...60 {
                if generator.once(in: 4), !list.isEmpty {
                    let removed = list.suffix(generator.roll(1...4)).filter { _ in generator.once(in: 2) }.map(\.id)
                    list.removeAll { removed.contains($0.id) }
                    history.remove(removed)
                } else {
                    let bid = Self.bid(
                        number, by: generator.roll(1...4), leading: generator.once(in: 2),
                        origin: generator.pick(BidOrigin.allCases))
                    list.append(bid)
                    history.append(bid)
                }
                expect(history, like: list, &generator)
            }
        }
    }

    @Test func `bids that get another bidder are as if that one had placed them, whatever is removed later`() {
        for seed in 1...PropertyRuns.count / 10 {
            var generator = SeededGenerator(seed: seed)
            let list = (1...60).map { number in
                Self.bid(
                    number, by: generator.roll(1...4), leading: generator.once(in: 2),
                    origin: generator.pick(BidOrigin.allCases))
            }
            let (old, new) = (UserID(bits: 1), Person(id: UserID(bits: 2), nickname: "Bidder"))
            let linked = list.map { $0.bidder.id == old ? $0.placed(by: new) : $0 }
            var history = history(of: list)
            history.move(from: old, to: new)
            #expect(history == self.history(of: linked))
            for count in stride(from: 56, through: 0, by: -4) {
                history.remove(linked.dropFirst(count).map(\.id))
                expect(history, like: Array(linked.prefix(count)), &generator)
            }
        }
    }

    /// The given number of bids, four in each millisecond, with ids as the service makes them.
    private func timed(_ count: Int, _ generator: inout SeededGenerator) -> [Bid] {
        (1...count).map { number in
            Bid(
                id: BidID(bits: UInt128(number / 4) << 80 | UInt128(number)), seq: number * 2,
                at: Timestamp(milliseconds: Int64(number / 4)), amount: Money(minorUnits: Int64(number)),
                bidder: Person(id: UserID(bits: UInt128(generator.roll(1...4))), nickname: "Bidder"),
                leading: generator.once(in: 2), origin: generator.pick(BidOrigin.allCases),
                maximum: generator.once(in: 2) ? Money(minorUnits: Int64(number + generator.roll(0...9))) : nil)
        }
    }

    @Test func `a bid is looked for among those of its instant first, and a bounded number later`() {
        var generator = SeededGenerator(seed: 1)
        let list = timed(40_000, &generator)
        let history = history(of: list)
        for index in [2, 3, 20_000, 39_998] {
            let bid = list[index]
            #expect(history.own(bid.id) == (bid.origin.isOwn ? bid : nil))
            #expect(history.own(bid.id, of: bid.bidder.id) == (bid.origin.isOwn ? bid : nil))
            #expect(history.candidates(for: bid.id).prefix(4).contains { $0.id == bid.id })
        }
        let unknown = BidID(bits: UInt128(5000) << 80 | 7)
        #expect(history.own(unknown) == nil)
        #expect(history.candidates(for: unknown).count == 4 + BidHistory.searchedLater)
        #expect(history.candidates(for: BidID(bits: .max)).isEmpty)
    }

    @Test func `a bid of an older log is found, whose id has the instant of a clock that was behind`() {
        var generator = SeededGenerator(seed: 1)
        let list = timed(4000, &generator)
        func expectFound(_ isFound: Bool, behind milliseconds: Int, origin: BidOrigin = .bidder) {
            let bid = list[2000]
            let old = Bid(
                id: BidID(bits: bid.id.bits - UInt128(milliseconds) << 80), seq: bid.seq, at: bid.at, amount: bid.amount,
                bidder: bid.bidder, leading: bid.leading, origin: origin, maximum: bid.maximum)
            var olds = list
            olds[2000] = old
            #expect(history(of: olds).own(old.id) == (isFound ? old : nil))
        }
        expectFound(true, behind: 0)
        expectFound(true, behind: 1)
        expectFound(true, behind: 200)
        expectFound(false, behind: 200, origin: .automatic)
        expectFound(false, behind: 400)
    }

    @Test func `an earlier bid is removed by visiting it and those after it, and those it beat lead as on a plain list`() {
        for seed in 1...PropertyRuns.count / 10 {
            var generator = SeededGenerator(seed: seed)
            let list = timed(60, &generator)
            // Absentee bids are the first of a round, and have a test of their own.
            let index = generator.pick(list.indices.filter { list[$0].origin != .absentee })
            let gone = list[index]
            let removed = [gone.id] + list[index...].filter { $0.automatic && generator.once(in: 2) }.map(\.id)
            var (beaten, isOpposed) = (gone.beatenMaximum, gone.leading)
            var opposed: [Int] = []
            let rest = list[index...].filter { !removed.contains($0.id) }.map { bid in
                guard isOpposed else { return bid }
                opposed.append(bid.seq)
                defer { (beaten, isOpposed) = (bid.offeredMaximum, !bid.leading) }
                return bid.leading(over: beaten)
            }
            var history = history(of: list)
            let (visited, changed) = history.removeEarlier(gone, removed)
            #expect(visited == 60 - index)
            #expect(changed == opposed)
            #expect(history == self.history(of: list[..<index] + rest))
        }
        var generator = SeededGenerator(seed: 1)
        let many = timed(40_000, &generator)
        var history = history(of: many)
        let earlier = many[39_890...].firstIndex { $0.origin != .absentee } ?? 0
        #expect(history.removeEarlier(many[earlier], [many[earlier].id]).visited == 40_000 - earlier)
    }

    @Test func `of the two bids of an opening each leads at its own amount without the other`() {
        func bid(_ number: Int, by bidder: UInt128, _ amount: Int64, leading: Bool, own: Int64?) -> Bid {
            Bid(
                id: BidID(bits: UInt128(number)), seq: number, at: Timestamp(milliseconds: 0),
                amount: Money(minorUnits: amount),
                bidder: Person(id: UserID(bits: bidder), nickname: "Bidder"), leading: leading,
                origin: number > 2 ? .bidder : .absentee, maximum: leading ? Money(minorUnits: 500) : nil,
                ownAmount: own.map { Money(minorUnits: $0) })
        }
        let (second, leader) = (bid(1, by: 1, 300, leading: false, own: 100), bid(2, by: 2, 310, leading: true, own: 100))
        let live = bid(3, by: 3, 600, leading: true, own: nil)
        func rest(without gone: Bid, of bids: [Bid]) -> (bids: [Bid], changed: [Int]) {
            var history = history(of: bids)
            let changed = history.removeEarlier(gone, [gone.id]).changedSeqs
            return (history.all, changed)
        }
        let alone = rest(without: second, of: [second, leader, live])
        #expect(alone.bids == [leader.leading(over: nil), live] && alone.changed == [2])
        #expect(alone.bids[0].amount.minorUnits == 100 && alone.bids[0].maximum?.minorUnits == 500)
        let beaten = rest(without: leader, of: [second, leader, live])
        #expect(beaten.bids == [second.leading(over: nil), live.leading(over: Money(minorUnits: 300))])
        #expect(beaten.changed == [1, 3])
        #expect(rest(without: second.leading(over: nil), of: [second.leading(over: nil)]).bids.isEmpty)
    }

    @Test func `bids of others are not copied when a bidder's bids move`() {
        var history = history(of: [Self.bid(1, by: 3)] + (2...40_000).map { Self.bid($0, by: 1) })
        #expect(history.move(from: UserID(bits: 3), to: Person(id: UserID(bits: 4), nickname: "Four")) == 16)
        #expect(history[0].bidder.id == UserID(bits: 4))
    }

    private func expect(_ history: BidHistory, like list: [Bid], _ generator: inout SeededGenerator) {
        #expect(history.all == list)
        #expect(history.count == list.count)
        #expect(history.last == list.last)
        #expect(history.latestExplicit == list.last { !$0.automatic })
        #expect(history.latestLeading == list.last { $0.leading })
        var standing: [Bid] = []
        for number in 1...4 as ClosedRange<UInt128> {
            let latest = list.last { $0.bidder.id.bits == number && $0.origin != .automatic }
            #expect(history.latest(of: UserID(bits: number)) == latest)
            if let latest { standing.append(latest) }
        }
        #expect(history.standing == standing.sorted { $0.seq < $1.seq })
        let (before, limit) = (generator.once(in: 3) ? nil : generator.roll(0...70), generator.roll(0...20))
        let page = list.reversed().filter { bid in before.map { bid.seq < $0 } ?? true }.prefix(limit)
        #expect(history.newest(before: before, limit: limit) == Array(page))
    }
}
