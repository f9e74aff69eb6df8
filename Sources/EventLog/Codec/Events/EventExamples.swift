package import AuctionDomain
internal import Permissions

/// An event of every kind. Reading an event passes the fields of its kind's example, which replaces all values; tests compare the
/// examples' bytes with the contract.
package enum EventExamples {
    /// The example of a type of event; nil for an unknown type.
    static let byType = Dictionary(all.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })

    private static let person = Person(id: UserID(bits: 1), nickname: "Ann")
    private static let (instant, price, seat) = (Timestamp(milliseconds: 1_764_000_000_000), Money(minorUnits: 12000), 1)
    private static let (bid, stage, message, lot) = (BidID(bits: 1), StageID(bits: 1), MessageID(bits: 1), LotID(bits: 1))
    private static let rules = AuctionRules(startingPrice: price, increment: .fixed(price))
    private static let item = AuctionItem(
        id: ItemID(bits: 1), name: "Teapot", description: "", media: [], owner: person, rules: rules)
    private static let lotItem = AuctionItem(
        id: item.id, name: item.name, description: "", media: [], owner: person, rules: rules, lot: lot)

    /// One example of each kind: an event without its entry here cannot be read.
    package static let all: [EventBody] =
        [
            .roomOpened(RoomOpened(name: "Tonight", host: person, currency: .cny, visibility: .public, inviteCode: "letmein")),
            .roomArchived(by: person),
            .memberJoined(person, role: .viewer),
            .memberLeft(person),
            .memberRoleChanged(person, from: .viewer, to: .viewer, by: nil),
            .memberKicked(person, by: person),
            .memberBanned(person, isBanned: true, by: person),
            .memberMuted(person, isMuted: true, by: person),
            .memberCreditLimitChanged(person, limit: nil, by: person),
            .memberLinked(MemberLinked(from: person, to: person, role: nil, standing: Standing())),
            .hostGone(person),
            .hostReturned(person),
            .itemUploaded(item),
            .rulesAdjusted(item.id, rules, by: person),
            .permissionChanged(PermissionChange(rule: "bid.viewer", isEnabled: nil, priority: nil, by: person)),
            .stateChanged(StateChange(from: .preparing, to: .listing, cause: .start, by: nil)),
            .countdownStarted(endsAt: instant, nextDropAt: nil),
            .countdownMoved(CountdownMoved(endsAt: instant, extendedBySeconds: 0, cause: .resume)),
            .drawCommitted(seed: DrawSeed(bits: 0)),
            .drawRevealed(seed: DrawSeed(bits: 0)),
            .bidPlaced(BidPlaced(bid: bid, amount: price, bidder: person, leading: true, nextMinimum: nil, endsAt: nil)),
            .maximumRaised(MaximumRaised(bid: bid, bidder: person, maximum: price)),
            .bidRetracted(
                BidRetracted(
                    bid: bid, bidder: person, by: person, reason: "slip", removed: [bid], price: nil, leader: nil,
                    nextMinimum: nil, reserveMet: nil)),
            .maximumVoided(MaximumVoided(bid: bid, bidder: person)),
            .priceDropped(price: price, nextDropAt: nil),
            .itemSold(winner: person, price: price),
            .itemPassed(.noBids),
            .lotQueued(LotQueued(id: lot, item: lotItem, reference: "A-12", number: 1)),
            .lotChanged(LotChanged(id: lot, item: lotItem, reference: "A-12", number: 1, by: person)),
            .lotMoved(LotMoved(id: lot, before: nil, by: person)),
            .lotWithdrawn(LotWithdrawn(id: lot, by: person, reason: nil)),
            .sale(.configured(.manual, by: person)),
            .sale(.starting(instant, cause: nil)),
            .sale(.started(by: person)),
            .sale(.stopped(.host, by: person)),
            .sale(.postponed(.hostGone)),
            .sale(.finished),
            .messageSent(Message(id: message, author: person, text: "Hello")),
            .messageRemoved(message, by: person),
            .systemMessage(SystemMessage(key: "item.sold", text: LocalizedText("Sold", "成交"))),
        ] + stageEvents.map(EventBody.stage)

    private static let stageEvents: [StageEvent] = [
        .requested(stage, guest: person, role: .bidder),
        .invited(stage, guest: person, role: .bidder, by: person),
        .accepted(stage, guest: person, role: .bidder, by: person),
        .seated(.init(id: stage, guest: person, role: .bidder, seat: seat, previousRole: .viewer, by: person)),
        .declined(stage, guest: person, by: person),
        .cancelled(stage, guest: person, by: person),
        .timedOut(stage, guest: person),
        .ended(stage, guest: person, reason: .error, by: nil),
        .seatClosed(seat, by: person),
        .seatMuted(seat, muted: true, by: person),
        .seatCleared(seat, by: person),
        .left(.init(person: person, seat: seat, restoredRole: .viewer, cause: .leftRoom)),
    ]
}
