/// A bid that waits for the opening of its lot. Only its bidder may learn of it.
package struct AbsenteeBid: Hashable, Sendable {
    /// Identifier of the bid; the bid that it places at the opening has the same.
    package let id: BidID
    /// The seq of its event: absentee bids act in this order.
    package let seq: Int
    /// When it was given.
    package let at: Timestamp
    /// The user who pays if it wins, with the nickname of that time.
    package let bidder: Person
    /// The most that it may cost: private.
    package let maximum: Money
    /// Why it was voided before its lot opened; nil: it was not. It stays void after the opening.
    package internal(set) var voidCause: VoidCause?
    /// What the opening of a sealed round made of it; nil: it may act in full, or has not been opened.
    package internal(set) var cut: Cut?
    /// What it offers in a sealed round; nil: nothing.
    package var most: Money? { cut.map(\.amount) ?? maximum }

    /// What is left of a bid that may not act in full. It is decided once, at the opening.
    package struct Cut: Hashable, Sendable {
        /// What it may offer within its bidder's credit limit; nil: its bidder may not bid, or it is too little.
        package let amount: Money?

        package init(amount: Money?) { self.amount = amount }
    }

    /// Why a bid was voided before the opening of its lot.
    package enum VoidCause: String, Hashable, Sendable, CaseIterable {
        /// The bidder left the room.
        case left
        /// The host removed the bidder.
        case kicked
        /// The host banned the bidder.
        case banned
        /// The lot was withdrawn.
        case lotWithdrawn
        /// The lot got another format, by whose rules the bid was not given.
        case formatChanged
    }

    package init(
        id: BidID, seq: Int, at: Timestamp, bidder: Person, maximum: Money, voidCause: VoidCause? = nil, cut: Cut? = nil
    ) {
        self.id = id
        self.seq = seq
        self.at = at
        self.bidder = bidder
        self.maximum = maximum
        self.voidCause = voidCause
        self.cut = cut
    }
}

/// The absentee bids of a room: a value that changes in little time while older copies exist.
package struct AbsenteeBids: Hashable, Sendable {
    /// The absentee bids on one lot, one of each bidder at most.
    package struct OfLot: Hashable, Sendable {
        fileprivate(set) var bids = UserTable<AbsenteeBid>()
        /// The seq of the latest opening of the lot, or of the end of its round without one; bids with a lower one are used up. Nil: none
        /// since the first bid.
        package fileprivate(set) var openedSeq: Int?
        /// The seq of the opening before the latest, whose round was cancelled; nil if there is none.
        package fileprivate(set) var cancelledSeq: Int?
        /// How many bids ended because a link made one bidder of two.
        package fileprivate(set) var merged = 0

        /// How many bids were given and not taken back: also void and used ones, so that the number says nothing about bidders.
        var count: Int { bids.count + merged }
        /// All bids in the order of their seqs.
        package var inOrder: [AbsenteeBid] { bids.values.sorted { $0.seq < $1.seq } }

        /// Whether the lot was opened since the bid was given.
        func isUsed(_ bid: AbsenteeBid) -> Bool { openedSeq.map { bid.seq < $0 } ?? false }
        /// Whether the bid acted, or could, in the latest opening.
        func isOfLatestOpening(_ bid: AbsenteeBid) -> Bool {
            isUsed(bid) && cancelledSeq.map { bid.seq >= $0 } ?? true
        }

        /// Bids as they were stored.
        package init(_ bids: [AbsenteeBid] = [], openedSeq: Int? = nil, cancelledSeq: Int? = nil, merged: Int = 0) {
            self.bids = UserTable(Dictionary(bids.map { ($0.bidder.id, $0) }) { first, _ in first })
            (self.openedSeq, self.cancelledSeq, self.merged) = (openedSeq, cancelledSeq, merged)
        }
    }

    /// Most bids of one user in a room that wait, since each counts whenever a bidder with a credit limit bids.
    static let waitingLimit = 500

    private var byLot = BTree<LotID, OfLot>()
    private var lotsOfUser = UserTable<LotsOfUser>()

    package init() {}

    /// Bids as they were stored.
    package init(stored lots: [(lot: LotID, bids: OfLot)]) {
        for (lot, bids) in lots {
            byLot[lot] = bids
            for bid in bids.bids.values { file(lot, bid, in: bids) }
        }
    }

    /// Whether the room has none.
    package var isEmpty: Bool { byLot.isEmpty }
    /// The lots with bids, ordered by id, so that equal values give equal lists.
    package var lots: [(lot: LotID, bids: OfLot)] { byLot.entries.map { ($0.key, $0.value) } }
    /// The bids on a lot; nil if there are none.
    subscript(lot: LotID) -> OfLot? { byLot[lot] }
    /// The lots on which the user has bids.
    func lots(of user: UserID) -> LotsOfUser? { lotsOfUser[user] }

    // MARK: - Changes

    mutating func set(_ bid: AbsenteeBid, on lot: LotID) {
        var bids = byLot[lot] ?? OfLot()
        bids.bids[bid.bidder.id] = bid
        byLot[lot] = bids
        file(lot, bid, in: bids)
    }

    private mutating func file(_ lot: LotID, _ bid: AbsenteeBid, in bids: OfLot) {
        lotsOfUser.change(bid.bidder.id, from: LotsOfUser()) { lots in
            let isUsed = bids.isUsed(bid)
            lots.file(lot, isWaiting: !isUsed && bid.voidCause == nil, isVoid: !isUsed && bid.voidCause != nil)
        }
    }

    mutating func remove(of user: UserID, on lot: LotID) {
        guard byLot[lot]?.bids[user] != nil else { return }
        byLot[lot]?.bids[user] = nil
        if byLot[lot]?.count == 0 { byLot[lot] = nil }
        lotsOfUser.change(user, from: LotsOfUser()) { $0.remove(lot) }
        if lotsOfUser[user]?.all.isEmpty == true { lotsOfUser[user] = nil }
    }

    /// Voids the waiting bids of a user.
    mutating func void(of user: UserID, because cause: AbsenteeBid.VoidCause) {
        for lot in lots(of: user)?.waiting ?? LotSet() { void(lot, of: user, because: cause) }
    }

    /// Voids the waiting bids on a lot.
    mutating func void(on lot: LotID, because cause: AbsenteeBid.VoidCause) {
        guard let bids = byLot[lot] else { return }
        for bid in bids.bids.values where bid.voidCause == nil && !bids.isUsed(bid) {
            void(lot, of: bid.bidder.id, because: cause)
        }
    }

    private mutating func void(_ lot: LotID, of user: UserID, because cause: AbsenteeBid.VoidCause) {
        byLot[lot]?.bids.change(user) { $0.voidCause = cause }
        lotsOfUser.change(user, from: LotsOfUser()) { $0.file(lot, isWaiting: false, isVoid: true) }
    }

    /// The lot's bidding opens, or its round ends without an opening: its bids are used up.
    mutating func open(_ lot: LotID, in event: Event) {
        guard let opened = byLot[lot] else { return }
        for bid in opened.bids.values where !opened.isUsed(bid) {
            lotsOfUser.change(bid.bidder.id, from: LotsOfUser()) { $0.file(lot, isWaiting: false, isVoid: false) }
        }
        byLot[lot]?.cancelledSeq = opened.openedSeq
        byLot[lot]?.openedSeq = event.seq
    }

    /// Notes what the opening of the lot's sealed round made of bids that may not act in full.
    mutating func cut(_ cuts: [AbsenteeCut], on lot: LotID) {
        guard var bids = byLot[lot] else { return }
        for cut in cuts where bids.bids[cut.bidder]?.id == cut.bid {
            bids.bids.change(cut.bidder) { $0.cut = AbsenteeBid.Cut(amount: cut.amount) }
        }
        byLot[lot] = bids
    }

    /// Makes `user` the bidder of what `guest` gave. Of two bids on one lot the one stays that can act, or the higher, or the earlier.
    mutating func move(from guest: UserID, to user: Person) {
        for lot in lots(of: guest)?.all ?? LotSet() {
            guard var bids = byLot[lot], let moved = bids.bids[guest]?.given(by: user) else { continue }
            let own = bids.bids[user.id]
            bids.bids[guest] = nil
            if own != nil { bids.merged += 1 }
            byLot[lot] = bids
            set(own.map { bids.kept($0, moved) } ?? moved, on: lot)
        }
        lotsOfUser[guest] = nil
    }

    /// Updates the nickname of a bidder.
    mutating func rename(_ person: Person) {
        for lot in lots(of: person.id)?.all ?? LotSet() { byLot[lot]?.bids.change(person.id) { $0 = $0.given(by: person) } }
    }
}

/// The lots on which one user has bids.
struct LotsOfUser: Hashable, Sendable {
    /// All of them, also those that are over.
    private(set) var all = LotSet()
    /// Those whose bid waits for the opening.
    private(set) var waiting = LotSet()
    /// Those whose bid was voided, and that were not opened since: it can be taken back.
    private(set) var void = LotSet()

    fileprivate mutating func file(_ lot: LotID, isWaiting: Bool, isVoid: Bool) {
        all.insert(lot)
        if isWaiting { waiting.insert(lot) } else { waiting.remove(lot) }
        if isVoid { void.insert(lot) } else { void.remove(lot) }
    }

    fileprivate mutating func remove(_ lot: LotID) {
        file(lot, isWaiting: false, isVoid: false)
        all.remove(lot)
    }
}

extension AbsenteeBids.OfLot {
    fileprivate func kept(_ one: AbsenteeBid, _ other: AbsenteeBid) -> AbsenteeBid {
        func canAct(_ bid: AbsenteeBid) -> Bool { bid.voidCause == nil && !isUsed(bid) }
        if canAct(one) != canAct(other) { return canAct(one) ? one : other }
        if one.maximum != other.maximum { return one.maximum > other.maximum ? one : other }
        return one.seq < other.seq ? one : other
    }
}

extension AbsenteeBid {
    fileprivate func given(by bidder: Person) -> AbsenteeBid {
        AbsenteeBid(id: id, seq: seq, at: at, bidder: bidder, maximum: maximum, voidCause: voidCause, cut: cut)
    }
}

/// An absentee bid that may not act in full in the sealed round that opens: private.
package struct AbsenteeCut: Hashable, Sendable {
    /// Whose bid it is.
    package let bidder: UserID
    /// Identifier of the bid.
    package let bid: BidID
    /// What it may offer; nil: nothing.
    package let amount: Money?

    package init(bidder: UserID, bid: BidID, amount: Money?) {
        (self.bidder, self.bid, self.amount) = (bidder, bid, amount)
    }
}

/// An absentee bid was given, changed or taken back. Its public part names neither bidder nor amount.
package struct LotBidsChanged: Hashable, Sendable {
    /// Identifier of the lot.
    package let lot: LotID
    /// How many absentee bids the lot has now.
    package let absenteeBids: Int
    /// Private: whose bid it is.
    package let bidder: Person
    /// Private: identifier of the bid; nil: it was taken back.
    package let bid: BidID?
    /// Private: the most that it may cost; nil: it was taken back.
    package let maximum: Money?

    package init(lot: LotID, absenteeBids: Int, bidder: Person, bid: BidID?, maximum: Money?) {
        self.lot = lot
        self.absenteeBids = absenteeBids
        self.bidder = bidder
        self.bid = bid
        self.maximum = maximum
    }
}
