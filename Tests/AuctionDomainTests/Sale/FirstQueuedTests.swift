import AuctionTestKit
import Testing

@testable import AuctionDomain

/// The lot whose turn is next.
struct FirstQueuedTests {
    private func lots(_ ids: [LotID]) -> Lots {
        let rules = AuctionRules(startingPrice: Money(minorUnits: 100), increment: .fixed(Money(minorUnits: 100)))
        let upload = UploadItem(name: "Teapot", description: "", media: [], rules: rules)
        let owner = Person(id: UserID(bits: 1), nickname: "Otto")
        var lots = Lots()
        for id in ids { lots.add(id, upload.item(ItemID(bits: id.bits), of: owner, lot: id), reference: "\(id)") }
        return lots
    }

    private func ids(_ count: Int) -> [LotID] { (0..<count).map { LotID(bits: UInt128($0)) } }

    private func move(_ id: LotID, before next: LotID?, _ lots: inout Lots, seq: Int = 2) {
        let moved = EventBody.lotMoved(LotMoved(id: id, before: next, by: nil))
        lots.move(id, before: next, in: Event(seq: seq, at: Timestamp(milliseconds: 0), round: 1, body: moved))
    }

    /// The lots of the index that `firstQueued` reads.
    private func queue(of lots: Lots) -> [LotID] { lots.queue.elements(from: 0).map(\.lot) }

    @Test(arguments: 1...10)
    func `it is the first one in order that waits, after any changes and when read from a snapshot`(seed: UInt64) throws {
        let ids = self.ids(40)
        var (lots, generator) = (self.lots(ids), SeededGenerator(seed: seed))
        for step in 0..<1000 {
            let id = generator.pick(ids)
            if generator.once(in: 2) {
                lots.setState(id, generator.pick([.queued, .current, .sold, .withdrawn]))
            } else {
                // Often before the same one, so that places are spread.
                let next: LotID? = generator.once(in: 5) ? nil : generator.once(in: 2) ? ids[20] : generator.pick(ids)
                move(id, before: next, &lots, seq: step + 2)
            }
            let waiting = lots.lots().filter { $0.state == .queued }
            #expect(lots.firstQueued == waiting.first)
            #expect(lots.queuedCount == waiting.count)
            #expect(queue(of: lots) == waiting.map(\.id))
            guard step % 50 == 0 else { continue }
            let read = try #require(Lots(stored: Array(lots.lots()), owners: lots.owners, spreadSeq: lots.spreadSeq))
            #expect(read.firstQueued == waiting.first && queue(of: read) == waiting.map(\.id))
        }
        #expect(lots.spreadSeq > 0)
    }

    @Test(arguments: [false, true])
    func `thousands of lots that had their turn are not searched for the next one`(oneWaits: Bool) {
        let ids = self.ids(3000)
        var lots = self.lots(ids)
        if oneWaits {
            for id in ids.dropFirst().dropLast() { lots.setState(id, .withdrawn) }
            move(ids[0], before: nil, &lots)
        } else {
            for id in ids.reversed() { lots.setState(id, .withdrawn) }
        }
        let waiting = oneWaits ? [ids[2999], ids[0]] : []
        #expect(lots.firstQueued?.id == waiting.first)
        // `firstQueued` is the first element of this list, so nothing else is visited.
        #expect(queue(of: lots) == waiting)
        #expect(lots.count == 3000)
    }
}
