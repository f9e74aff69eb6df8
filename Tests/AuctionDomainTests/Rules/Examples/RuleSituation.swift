@testable import AuctionDomain

/// A small room for the example of a rule, built from events like every room: the state of its round, its members and
/// what happened in it.
struct RuleSituation: Sendable {
    /// The users. All but the stranger are members; the host gave both auctioneers their role, the others joined in theirs.
    enum Who: UInt128, CaseIterable {
        case host = 1
        /// The auctioneer who owns the current item.
        case owner
        /// An auctioneer without an item.
        case auctioneer
        case bidder
        case rival
        case viewer
        case stranger
    }

    /// The state of the round; each case includes those before it.
    enum Stage: Int {
        case empty
        case withItem
        case listing
        case auctioning
        case closed
    }

    /// A change to the room after the round reached its state.
    enum Happening {
        case bids(Who, Int64)
        case pauses
        case isBanned(Who)
        case isMuted(Who)
        case hasCredit(Who, Int64)
        /// The item has a buy-now price.
        case hasBuyNow(Int64)
        case hasFormat(AuctionFormatName)
        case becomes(Who, Role)
        case leaves(Who)
        case writes(Who)
        /// So many messages of the host.
        case reports(Who, Int)
        case switches(String, on: Bool)
        case waits(milliseconds: Int64)
        case queues(Who)
        case queuesPriced(Who, AuctionRules)
        /// The first lot is withdrawn.
        case withdrawsLot
        /// An item is offered to a bidder for so much.
        case offers(Who, Int64)
        /// The first lot has its turn, and is passed.
        case passesLot
        /// The first lot, which is the owner's, is offered again.
        case offersAgain
        /// A bid is left on the first lot.
        case leavesBid(Who, Int64)
        /// Lots are queued behind those that are there, and a bid is left on each.
        case leavesBids(Who, onLots: Int)
        /// The first lot becomes the item of the round.
        case preparesLot
        /// Bidding on the prepared lot opens.
        case opensLot
    }

    let rulebook: RoomRulebook
    private(set) var room: Room
    private(set) var instant = Timestamp(milliseconds: 1_767_225_600_000)

    init(_ stage: Stage, _ happenings: Happening...) throws {
        rulebook = try RoomRulebook.product()
        let opening = EventBody.roomOpened(
            RoomOpened(
                name: "Example", host: Who.host.person, currency: .cny, visibility: .public, inviteCode: "letmein"))
        guard let room = Room(id: RoomID(bits: 1), opening: Event(seq: 1, at: instant, round: 1, body: opening)) else {
            throw RuleSituationError()
        }
        self.room = room
        gather()
        advance(to: stage)
        for happening in happenings { apply(happening) }
    }

    /// The context of `who` asking for an action; without a request, whether any such action would be allowed.
    func asks(_ who: Who, _ request: RuleRequest = RuleRequest()) -> RuleContext {
        RuleContext(room: room, rulebook: rulebook, caller: who.person.id, at: instant, request)
    }

    /// The context of `who` asking for an action in a room that takes at most so many lots.
    func asks(_ who: Who, lotsPerRoom: Int) throws -> RuleContext {
        let bounded = try RoomRulebook.product(limits: RoomLimits(lotsPerRoom: lotsPerRoom))
        return RuleContext(room: room, rulebook: bounded, caller: who.person.id, at: instant)
    }

    private mutating func gather() {
        for who in [Who.owner, .auctioneer] {
            record(.memberJoined(who.person, role: .viewer))
            apply(.becomes(who, .auctioneer))
        }
        for who in [Who.bidder, .rival] { record(.memberJoined(who.person, role: .bidder)) }
        record(.memberJoined(Who.viewer.person, role: .viewer))
    }

    private mutating func advance(to stage: Stage) {
        guard stage.rawValue >= Stage.withItem.rawValue else { return }
        record(
            .itemUploaded(
                AuctionItem(
                    id: ItemID(bits: 1), name: "A lucky number", description: "", media: [], owner: Who.owner.person,
                    rules: Self.rules)))
        let path: [(Stage, RoomState, TransitionCause)] = [
            (.listing, .listing, .start), (.auctioning, .auctioning, .start), (.closed, .closed, .end),
        ]
        for (reached, state, cause) in path where stage.rawValue >= reached.rawValue {
            record(.stateChanged(StateChange(from: room.state, to: state, cause: cause, by: Who.host.person)))
        }
    }

    private mutating func apply(_ happening: Happening) {
        let host = Who.host.person
        switch happening {
        case .bids(let who, let yuan): place(yuan, by: who)
        case .pauses: record(.stateChanged(StateChange(from: room.state, to: .paused, cause: .pause, by: host)))
        case .isBanned(let who): record(.memberBanned(who.person, isBanned: true, by: host))
        case .isMuted(let who): record(.memberMuted(who.person, isMuted: true, by: host))
        case .hasCredit(let who, let yuan):
            record(.memberCreditLimitChanged(who.person, limit: Money(minorUnits: yuan * 100), by: host))
        case .hasBuyNow(let yuan):
            adjust { $0.buyNowPrice = Money(minorUnits: yuan * 100) }
        case .hasFormat(let name): adjust { $0.format = name }
        case .becomes(let who, let role):
            let old = room.members[who.person.id]?.role ?? .viewer
            record(.memberRoleChanged(who.person, from: old, to: role, by: host))
        case .leaves(let who): record(.memberLeft(who.person))
        case .writes(let who):
            record(.messageSent(Message(id: MessageID(bits: UInt128(room.seq)), author: who.person, text: "Hello")))
        case .reports(let who, let count): for _ in 0..<count { report(by: who) }
        case .switches(let rule, let isOn):
            record(.permissionChanged(PermissionChange(rule: rule, isEnabled: isOn, priority: nil, by: host)))
        case .waits(let milliseconds): instant = instant.advanced(byMilliseconds: milliseconds)
        case .queues(let who): queue(by: who)
        case .queuesPriced(let who, let rules): queue(by: who, rules)
        case .leavesBid(let who, let yuan): leaveBid(of: who, yuan, on: LotID(bits: 1))
        case .leavesBids(let who, let count):
            for _ in 0..<count {
                queue(by: .owner)
                leaveBid(of: who, 100, on: LotID(bits: UInt128(room.lots.count)))
            }
        case .preparesLot: if let lot = room.lots.firstQueued { record(.itemUploaded(room.lots.item(of: lot))) }
        case .opensLot:
            for state in [RoomState.listing, .auctioning] {
                record(.stateChanged(StateChange(from: room.state, to: state, cause: .start, by: host)))
            }
        case .withdrawsLot: record(.lotWithdrawn(LotWithdrawn(id: LotID(bits: 1), by: host, reason: nil)))
        case .passesLot:
            guard let lot = room.lots[LotID(bits: 1)] else { return }
            record(.itemUploaded(room.lots.item(of: lot)))
            record(.itemPassed(.noBids, lot: lot.id))
        case .offers(let who, let yuan):
            let offer = ItemOffer(
                id: OfferID(bits: 1), round: room.round, lot: nil, to: who.person, price: Money(minorUnits: yuan * 100),
                expiresAt: instant + Seconds(600))
            record(.offer(.made(offer, cause: nil)))
        case .offersAgain: queue(by: .owner, again: LotID(bits: 1))
        }
    }

    private mutating func leaveBid(of who: Who, _ yuan: Int64, on lot: LotID) {
        record(
            .lotBidsChanged(
                LotBidsChanged(
                    lot: lot, absenteeBids: 1, bidder: who.person, bid: BidID(bits: lot.bits),
                    maximum: Money(minorUnits: yuan * 100))))
    }

    private mutating func adjust(_ change: (inout AuctionRules) -> Void) {
        guard let item = room.item else { return }
        var rules = item.rules
        change(&rules)
        record(.rulesAdjusted(item.id, rules, by: item.owner))
    }

    private mutating func report(by who: Who) {
        let message = MessageID(bits: UInt128(room.seq))
        record(.messageSent(Message(id: message, author: Who.host.person, text: "Hello")))
        record(
            .messageReported(
                MessageReported(
                    reports: room.reportCount + 1, id: ReportID(bits: message.bits), message: message, messageSeq: room.seq,
                    reporter: who.person, reason: nil)))
    }

    private mutating func queue(by who: Who, _ rules: AuctionRules = Self.rules, again old: LotID? = nil) {
        let number = UInt128(room.lots.count + 1)
        let item = AuctionItem(
            id: ItemID(bits: 100 + number), name: "Lot \(number)", description: "", media: [], owner: who.person,
            rules: rules, lot: LotID(bits: number))
        record(.lotQueued(LotQueued(id: LotID(bits: number), item: item, reference: nil, number: nil, offeredBefore: old)))
    }

    private static let rules = AuctionRules(
        startingPrice: Money(minorUnits: 100 * 100), increment: .fixed(Money(minorUnits: 10 * 100)))

    private mutating func place(_ yuan: Int64, by who: Who) {
        let amount = Money(minorUnits: yuan * 100)
        record(
            .bidPlaced(
                BidPlaced(
                    bid: BidID(bits: UInt128(yuan)), amount: amount, bidder: who.person, leading: true,
                    nextMinimum: amount + Money(minorUnits: 10 * 100), endsAt: nil)))
    }

    private mutating func record(_ body: EventBody) { _ = room.record([body], at: instant) }
}

extension RuleSituation.Who {
    var person: Person {
        let nickname =
            switch self {
            case .host: "Hana"
            case .owner: "Anna"
            case .auctioneer: "Otto"
            case .bidder: "Xu"
            case .rival: "Yves"
            case .viewer: "Vera"
            case .stranger: "Stan"
            }
        return Person(id: UserID(bits: rawValue), nickname: nickname)
    }
}

extension RuleRequest {
    static func bid(_ yuan: Int64, round: Int? = nil, item: ItemID? = nil) -> RuleRequest {
        RuleRequest(bid: PlaceBid(amount: Money(minorUnits: yuan * 100), round: round, item: item))
    }

    /// A bid with a maximum alone.
    static func maximum(_ yuan: Int64) -> RuleRequest {
        RuleRequest(bid: PlaceBid(amount: nil, maximum: Money(minorUnits: yuan * 100)))
    }

    /// A bid up to `yuan` that is left on the first lot.
    static func leaving(_ yuan: Int64) -> RuleRequest {
        RuleRequest(bid: PlaceBid(amount: nil, maximum: Money(minorUnits: yuan * 100)), lot: LotID(bits: 1))
    }

    static func on(_ who: RuleSituation.Who) -> RuleRequest { RuleRequest(target: who.person.id) }

    /// The acceptance of an offer of `yuan` to `who`.
    static func accepting(_ yuan: Int64, _ who: RuleSituation.Who) -> RuleRequest {
        RuleRequest(bid: PlaceBid(amount: Money(minorUnits: yuan * 100)), target: who.person.id)
    }

    /// A request to retract the bid of `yuan`.
    static func retracting(_ yuan: Int64) -> RuleRequest { RuleRequest(retracted: BidID(bits: UInt128(yuan))) }

    /// A change or withdrawal of the room's first lot.
    static var firstLot: RuleRequest { RuleRequest(changesPrices: false, lot: LotID(bits: 1)) }
    static var pricesOfFirstLot: RuleRequest { RuleRequest(changesPrices: true, lot: LotID(bits: 1)) }

    static func changingPrices(_ changes: Bool) -> RuleRequest { RuleRequest(changesPrices: changes) }
}

/// The room of a situation could not be built from its opening event.
struct RuleSituationError: Error {}
