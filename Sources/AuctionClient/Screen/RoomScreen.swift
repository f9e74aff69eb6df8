public import AuctionClientCore

/// What the screen of a followed room shows, as one value: never half of one state and half of another.
public struct RoomScreen: Hashable, Sendable {
    /// The name of the item, or of the room while there is none.
    public internal(set) var title = ""
    /// The recorded state of the room; nil until it was read. What to show after a deadline is `RoomModel.shownPhase()`.
    public internal(set) var phase: RoomPhase?
    /// Number of the round, from 1.
    public internal(set) var round = 1
    /// What would be paid now; nil before the first bid and while bids are sealed.
    public internal(set) var price: Money?
    /// That price with the premium of the sale; nil without a price or a premium.
    public internal(set) var total: Money?
    /// The least amount of the next bid; nil without an item, and when the round is over.
    public internal(set) var minimum: Money?
    /// The bidder whose bid would win now.
    public internal(set) var leader: Person?
    /// When the running countdown expires; what is left of it is `RoomModel.remaining()`.
    public internal(set) var endsAt: ServerTime?
    /// Whether the caller may bid now, as far as is known.
    public internal(set) var mayBid = false
    /// How the caller stands in the round.
    public internal(set) var me = MyStanding.watching
    /// Whether what is shown is what happens now.
    public internal(set) var link = RoomLink.connecting
    /// What happened last that concerns the caller or everybody.
    public internal(set) var notice: RoomNotice?
    /// A bid is on its way.
    public internal(set) var isBidding = false
    /// A bid of which it is not known whether it was placed. `RoomModel.askAgain()` finds out, and never places a second one.
    public internal(set) var bidInDoubt: PendingCommand?

    /// Sequence number of the last event that is shown.
    var seq: Int64 = 0
    /// Identifier of the item of the round; nil without one.
    var item: String?
    /// The currency of the room; nil until it was read.
    var currency: Currency?
    /// Identifier of the caller; nil while it is not known.
    var caller: String?
    /// Identifier of the item for which the caller has bid last.
    var bidItem: String?
    private var hasBid: Bool { bidItem != nil && bidItem == item }

    /// A screen on which nothing is shown yet.
    public init() {}
}

/// How the caller stands in a round.
public enum MyStanding: Hashable, Sendable {
    /// Not as a bidder.
    case watching
    /// A bidder without a bid for this item.
    case bidder
    /// The highest bid is theirs.
    case leading
    /// Theirs is not the highest bid.
    case outbid
    /// Their bid is in; how it compares is not shown before the close. The amount is nil where it is not known.
    case sealed(Money?)
    /// The round is over, and the item theirs.
    case won(Money)
    /// The round is over, and the item is not theirs.
    case lost
    /// The host has banned them.
    case banned
}

/// Whether the screen shows what happens now.
public enum RoomLink: Hashable, Sendable {
    /// The room is asked for.
    case connecting
    /// Events arrive as they happen.
    case live
    /// The device has no network, as the app said with `RoomModel.networkChanged(isOnline:)`.
    case offline
    /// The device has a network, but the service does not answer; the next attempt follows by itself.
    case noAnswer(WaitReason)
    /// The app is in the background.
    case paused
    /// It ended for good.
    case ended(StopReason)
}

/// What happened, for the line below the price.
public enum RoomNotice: Hashable, Sendable {
    /// The round has a winner.
    case sold(to: Person, price: Money)
    /// The item was not sold.
    case passed
    /// The bid is accepted, and the highest.
    case leading
    /// The bid bought the item.
    case bought
    /// Another bid is higher; the least amount of the next one.
    case outbid(minimum: Money?)
    /// The sealed bid is accepted.
    case sealed
    /// The service refused the bid.
    case refused(BidRefusal)
    /// The bid never reached the service.
    case notSent(ExchangeFailure)
    /// It is not known whether the bid was placed.
    case inDoubt
    /// The same, and asking again cannot find it out.
    case undecidable(ExchangeFailure)
    /// What became of a bid of an earlier run of the app, for the item before this one; nil: it is not known.
    case earlierBid(wasPlaced: Bool?)
    /// What was typed is no amount.
    case notAnAmount(String)
    /// The room is archived.
    case closed
}

// How events and outcomes change the screen: pure, so that it is tested without a network.
extension RoomScreen {
    /// The room after an event.
    /// - Returns: whether the caller has lost a bid by it; only the service knows whether they have an earlier one.
    mutating func show(_ update: RoomUpdate) -> Bool {
        let body = update.isHistory ? nil : update.event?.body
        let isRetracted = if case .bidRetracted(let bid)? = body { bid.bidder.id == caller } else { false }
        if isRetracted {
            bidItem = nil
            // What was said of the bid holds no longer.
            notice = bidInDoubt == nil ? nil : .inDoubt
        }
        show(update.state)
        switch body {
        case .itemSold(let winner, let price): notice = .sold(to: winner, price: price)
        case .itemPassed: notice = .passed
        case .bidPlaced(let bid) where bid.isLeading && bid.bidder.id != caller && hasBid:
            notice = .outbid(minimum: bid.nextMinimum)
        case .bidPlaced(let bid) where bid.isLeading && bid.bidder.id == caller: notice = .leading
        default: break
        }
        return isRetracted
    }

    /// The room as it is.
    mutating func show(_ state: RoomState) {
        // What was said, and a bid in doubt, are about an item: the result has told what became of it.
        if phase != nil, state.round != round || state.item?.id != item { (bidInDoubt, notice) = (nil, nil) }
        (title, phase, round, item, seq) = (state.item?.name ?? state.name, state.phase, state.round, state.item?.id, state.seq)
        (price, total, minimum, endsAt) = (state.currentPrice, state.total, state.nextMinimum, state.endsAt)
        (leader, currency, mayBid) = (state.currentBid?.bidder, state.currency, state.details.allows(.placeBid))
        me = standing(in: state)
    }

    private mutating func standing(in state: RoomState) -> MyStanding {
        let details = state.details.me
        let leads = caller.map { state.currentBid?.bidder.id == $0 } ?? details?.isLeading ?? false
        let isSealed = state.rules?.format == .sealedFirstPrice || state.rules?.format == .vickrey
        if leads || isSealed && details?.sealedAmount != nil { bidItem = item }
        if details?.isBanned == true { return .banned }
        if state.phase == .closed, let result = state.result, result.round == state.round {
            if let sale = result.sale, sale.winner.id == caller { return .won(sale.price) }
            if hasBid { return .lost }
        } else if leads {
            return .leading
        } else if hasBid {
            return isSealed ? .sealed(details?.sealedAmount) : .outbid
        }
        return details?.role == .bidder || details?.role == .auctioneer ? .bidder : .watching
    }

    /// Whether an accepted bid may have been retracted before its response came: the room has gone on, and the caller does not lead. Only
    /// the service knows then; of a round that is over it does not tell, and none is retracted.
    func mayHaveLost(_ outcome: BidOutcome) -> Bool {
        switch outcome {
        case .leading(let placed), .outbid(let placed), .sealed(let placed):
            placed.bid.seq < seq && me != .leading && phase != .closed
        case .refused, .notSent, .unknown: false
        }
    }

    /// What became of a bid; it is never guessed. Where `mayHaveLost` says so, `bidItem` is to be looked up before.
    /// - Parameters:
    ///   - round: number of the round that the bid names.
    ///   - item: identifier of the item that it names.
    ///   - state: the room as it is shown.
    mutating func show(_ outcome: BidOutcome, round: Int?, item: String?, in state: RoomState?) {
        // Another item is up: the result of the earlier one has told what became of the bid.
        guard round == self.round, item == self.item else { return }
        bidInDoubt = nil
        switch outcome {
        // It does not decide about an earlier attempt, which may have placed the bid.
        case .refused(let refusal) where !refusal.refusal.isSettled: (bidInDoubt, notice) = (refusal.command, .inDoubt)
        case .refused(let refusal): notice = .refused(refusal)
        case .notSent(_, let failure): notice = .notSent(failure)
        case .leading(let placed):
            take(placed, .leading, placed.phase == .closed ? .bought : .leading, in: state)
        case .outbid(let placed): take(placed, .outbid, .outbid(minimum: placed.nextMinimum), in: state)
        case .sealed(let placed): take(placed, .sealed(placed.bid.amount), .sealed, in: state)
        case .unknown(_, let failure) where failure.isFinal: notice = .undecidable(failure)
        case .unknown(let command, _): (bidInDoubt, notice) = (command, .inDoubt)
        }
    }

    /// What became of a bid for an item that is not up any more, unless there is something to say of this one.
    mutating func show(earlier outcome: BidOutcome) {
        guard notice == nil else { return }
        let wasPlaced: Bool? =
            switch outcome {
            case .leading, .outbid, .sealed: true
            case .refused(let refusal): refusal.refusal.isSettled ? false : nil
            // An earlier attempt may have placed it.
            case .notSent, .unknown: nil
            }
        notice = .earlierBid(wasPlaced: wasPlaced)
    }

    private mutating func take(_ placed: BidPlacement, _ standing: MyStanding, _ notice: RoomNotice, in state: RoomState?) {
        caller = placed.bid.bidder.id
        guard placed.bid.seq < seq, let state else {
            (bidItem, me, self.notice) = (item, standing, notice)
            return
        }
        if phase == .closed { bidItem = item }
        // The response tells how the bid stood when it was placed, and what happened since is shown already.
        me = self.standing(in: state)
        guard self.notice == .inDoubt else { return }
        self.notice =
            switch me {
            case .leading: .leading
            case .won: .bought
            case .outbid, .lost: .outbid(minimum: minimum)
            case .sealed: notice
            case .watching, .bidder, .banned: nil
            }
    }

    /// What the connection does.
    mutating func show(_ connection: ConnectionState, isOnline: Bool) {
        switch connection {
        case .live: link = .live
        case .paused: link = .paused
        case .stopped(let reason):
            link = .ended(reason)
            if reason == .archived { notice = .closed }
        case _ where !isOnline: link = .offline
        case .waiting(let reason, _): link = .noAnswer(reason)
        // A new attempt after a failure: what failed is still what there is to say.
        case .connecting where link != .live && link != .paused && link != .offline: break
        case .idle, .connecting, .waitingForReader: link = .connecting
        }
    }
}

extension ExchangeFailure {
    /// Whether asking again about a bid fails in the same way, so that it must not hold up the next one.
    fileprivate var isFinal: Bool {
        switch self {
        case .differentUser, .keyExpired, .roundNotNamed, .notABid: true
        default: false
        }
    }
}
