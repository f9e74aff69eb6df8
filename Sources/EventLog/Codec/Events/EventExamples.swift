package import AuctionDomain
internal import Permissions

/// An event of every kind. Reading an event passes the fields of its kind's example, which replaces all values; tests compare the
/// examples' bytes with the contract.
package enum EventExamples {
    /// The example of a type of event; nil for an unknown type.
    static let byType = Dictionary(all.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })

    // The host, the auctioneer and a bidder.
    static let ann = Person(id: UserID(bits: 0x1A1FD52826E6B87522B5B78A1F7B859), nickname: "Ann")
    private static let bo = Person(id: UserID(bits: 0x1A1FD52826FBF3B6865785B1500C86A), nickname: "Bo")
    static let cy = Person(id: UserID(bits: 0x1A1FD528273597CD6DB670857A3F5EE), nickname: "Cy")
    /// Of all of them, 2026-11-21T08:56:46.572Z.
    static let instant = Timestamp(milliseconds: 1_795_251_406_572)
    private static let price = Money(minorUnits: 12000)
    static let bits: UInt128 = 0x1A1FD5286E0FEA3AE3A0150FA7E42DA
    private static let (bid, lot) = (BidID(bits: bits), LotID(bits: bits))
    private static let message = MessageID(bits: bits)
    private static let rules = AuctionRules(startingPrice: price, increment: .fixed(Money(minorUnits: 1000)))
    private static let item = AuctionItem(
        id: ItemID(bits: bits), name: "Teapot", description: "Yixing clay, 1980s.", media: ["https://example.org/teapot.jpg"],
        owner: bo, rules: rules)
    private static let sale = Sale(
        mode: .automatic, pause: Seconds(10), startsAt: nil, premium: Premium(rawValue: 1250), isAttended: false)
    private static let lotItem = AuctionItem(
        id: item.id, name: item.name, description: item.description, media: item.media, owner: bo, rules: rules, lot: lot)

    private static let offer = ItemOffer(
        id: OfferID(bits: bits), round: 3, lot: lot, to: cy, price: price, expiresAt: instant)

    /// One example of each kind: an event without its entry here cannot be read.
    package static let all: [EventBody] =
        [
            .roomOpened(
                RoomOpened(name: "Night market", host: ann, currency: .cny, visibility: .public, inviteCode: "letmein")),
            .roomArchived(by: ann),
            .memberJoined(bo, role: .bidder),
            .memberLeft(cy),
            .memberRoleChanged(bo, from: .bidder, to: .auctioneer, by: ann),
            .memberKicked(cy, by: ann),
            .memberBanned(cy, isBanned: true, by: ann),
            .memberMuted(cy, isMuted: true, by: ann),
            .memberCreditLimitChanged(cy, limit: nil, by: ann),
            .memberLinked(MemberLinked(from: bo, to: cy, role: .bidder, standing: Standing())),
            .memberErased(MemberErased(Person(id: cy.id, nickname: "Former user BXQE"))),
            .hostGone(ann),
            .hostReturned(ann),
            .itemUploaded(item),
            .rulesAdjusted(item.id, rules, by: bo),
            .permissionChanged(PermissionChange(rule: "bid.viewer", isEnabled: false, priority: nil, by: ann)),
            .stateChanged(StateChange(from: .preparing, to: .listing, cause: .start, by: ann)),
            .countdownStarted(endsAt: instant, nextDropAt: nil),
            .countdownMoved(CountdownMoved(endsAt: instant, extendedBySeconds: 53, cause: .outage)),
            .warningGiven(WarningGiven(level: 1, by: ann)),
            .incrementChanged(IncrementChanged(increment: .fixed(Money(minorUnits: 500)), nextMinimum: price, by: ann)),
            .askChanged(AskChanged(nextMinimum: price, by: ann)),
            .drawCommitted(seed: DrawSeed(bits: 0)),
            .drawRevealed(seed: DrawSeed(bits: 0)),
            .bidPlaced(BidPlaced(bid: bid, amount: price, bidder: cy, leading: true, nextMinimum: nil, endsAt: instant)),
            .maximumRaised(MaximumRaised(bid: bid, bidder: cy, maximum: price)),
            .bidRetracted(
                BidRetracted(
                    bid: bid, bidder: cy, by: ann, reason: "a slip of the finger", removed: [bid], price: nil, leader: nil,
                    nextMinimum: nil, reserveMet: nil)),
            .maximumVoided(MaximumVoided(bid: bid, bidder: cy)),
            .priceDropped(price: price, nextDropAt: instant),
            .itemSold(winner: cy, price: price),
            .itemPassed(.noBids),
            .itemVoided(
                ItemVoided(
                    round: 3, lot: lot, item: NamedItem(id: lotItem.id, name: lotItem.name), winner: cy, price: price,
                    reason: "The buyer does not pay.", by: ann)),
            .offer(.made(offer, cause: nil)),
            .offer(.accepted(offer.id, round: 3, lot: lot, by: cy, price: price)),
            .offer(.declined(offer.id, by: cy)),
            .offer(.expired(offer.id, to: cy)),
            .lotQueued(LotQueued(id: lot, item: lotItem, reference: "A-12", number: 1)),
            .lotChanged(LotChanged(id: lot, item: lotItem, reference: "A-12", number: 1, by: ann)),
            .lotMoved(LotMoved(id: lot, before: nil, by: ann)),
            .lotWithdrawn(LotWithdrawn(id: lot, by: ann, reason: "Broken in transit.")),
            .lotBidsChanged(LotBidsChanged(lot: lot, absenteeBids: 3, bidder: cy, bid: bid, maximum: price)),
            .sale(.configured(sale, by: ann)),
            .sale(.starting(instant, cause: nil)),
            .sale(.started(by: ann)),
            .sale(.stopped(.host, by: ann)),
            .sale(.postponed(.hostGone)),
            .sale(.finished),
            .messageSent(Message(id: message, author: cy, text: "Is the lid original?")),
            .messageRemoved(message, by: ann),
            .messageReported(
                MessageReported(
                    reports: 1, id: ReportID(bits: bits), message: message, messageSeq: 9, reporter: cy, reason: "An insult.")),
            .application(.made(cy)),
            .application(.declined(cy, by: ann, reason: "Please register by telephone first.")),
            .systemMessage(SystemMessage(key: "state.listing", text: LocalizedText("Up next: Teapot", "即将开拍:Teapot"))),
        ] + stageEvents.map(EventBody.stage)
}
