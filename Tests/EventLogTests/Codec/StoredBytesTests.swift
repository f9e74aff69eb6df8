import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

/// `EventBody.storedBytes`, by which a room's storage is limited, compared with the bytes that are stored.
struct StoredBytesTests {
    private func check(_ history: [Event]) {
        for (event, stored) in zip(history, EventCodec.encode(history, currency: .cny, after: .zero)) {
            let bytes = stored.publicBytes.count + (stored.privateBytes?.count ?? 0) + stored.hash.bytes.count
            #expect(event.body.storedBytes >= bytes, "\(stored.type) takes \(bytes)")
        }
    }

    /// A text of characters that JSON escapes or UTF-8 encodes in several bytes.
    private let worst = String(repeating: "\u{1}\"\\竞", count: 100)

    private func stored(_ bodies: [EventBody]) -> [Event] {
        bodies.enumerated().map {
            Event(
                seq: 1_000_000_000 + $0.offset, at: Timestamp(milliseconds: 1_767_225_600_000), round: 1_000_000,
                body: $0.element)
        }
    }

    @Test func `storedBytes of an event is at least the number of bytes stored`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.perform(
            .placeBid(PlaceBid(amount: Money(minorUnits: 10000), maximum: Money(minorUnits: 90000))), by: scenario.bidder)
        try scenario.bid(20000, by: scenario.rival)
        let last = try #require(scenario.room.bids.latestExplicit)
        try scenario.perform(.retractBid(last.id, reason: "a mistake"), by: scenario.host)
        try scenario.perform(.pause(AuctionTransition(reason: "a break")), by: scenario.host)
        try scenario.perform(.resume(AuctionTransition()), by: scenario.host)
        try scenario.perform(.endAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        check(scenario.history)
    }

    @Test func `storedBytes of the largest events a client can cause is at least the number of bytes stored`() {
        let person = Person(id: UserID(bits: .max), nickname: String(repeating: "\"\\竞", count: 20))
        let most = Money.maximum
        let tiers = (0..<Increment.tierLimit).map { place in
            Increment.Tier(from: Money(minorUnits: most.minorUnits - Int64(50 - place)), step: most)
        }
        let rules = AuctionRules(
            startingPrice: most, increment: .tiers(tiers), reservePrice: most, buyNowPrice: most, listing: Seconds(60),
            bidding: Seconds(86400), countdown: .extend, extendWindow: Seconds(3600), extendBy: Seconds(3600),
            maxDuration: Seconds(604_800))
        let item = AuctionItem(
            id: ItemID(bits: .max), name: worst, description: worst, media: Array(repeating: worst, count: 20), owner: person,
            rules: rules)
        let end = Timestamp(milliseconds: 4_000_000_000_000)
        check(
            stored([
                .itemUploaded(item), .rulesAdjusted(ItemID(bits: .max), rules, by: person),
                .messageSent(Message(id: MessageID(bits: .max), author: person, text: worst)),
                .messageReported(
                    MessageReported(
                        reports: 1_000_000_000, id: ReportID(bits: .max), message: MessageID(bits: .max),
                        messageSeq: 1_000_000_000, reporter: person, reason: String(repeating: "\u{1}", count: 500))),
                .application(.made(person)),
                .application(.declined(person, by: person, reason: String(repeating: "\u{1}", count: 500))),
                .bidPlaced(
                    BidPlaced(
                        bid: BidID(bits: .max), amount: most, bidder: person, leading: true, origin: .automatic, maximum: most,
                        nextMinimum: most, reserveMet: true, endsAt: end)),
                .floorBidPlaced(
                    FloorBidPlaced(
                        placed: BidPlaced(
                            bid: BidID(bits: .max), amount: most, bidder: .floor, leading: true, origin: .floor, maximum: most,
                            nextMinimum: most, reserveMet: true, endsAt: end), by: person,
                        paddle: String(repeating: "\u{1}", count: PlaceBid.paddleLimit))),
                .bidRetracted(
                    BidRetracted(
                        bid: BidID(bits: .max), bidder: person, by: person, reason: worst,
                        removed: (1...20).map { BidID(bits: .max - UInt128($0)) }, price: most, leader: person,
                        nextMinimum: most,
                        reserveMet: true)),
                .memberRoleChanged(person, from: .viewer, to: .auctioneer, by: person),
                .memberCreditLimitChanged(person, limit: most, by: person), .itemSold(winner: person, price: most),
            ]))
    }
}
