package import AuctionDomain

/// What one user is in one room, as the index by user stores it. It follows from the room's events and can be rebuilt from them.
package struct Participation: Hashable, Sendable {
    /// Identifier of the user.
    package let user: UserID
    /// Raw value of the member's `Role`; nil if the user is no member, or banned.
    package let role: String?
    /// The round in which the user has an explicit bid; nil if none. Bids of a round that is over may keep their number here. 0: the user
    /// has no bid and is no member who may act, but the host has decided something about them or declined their application, or offers them an
    /// item, which a link must find.
    package let bidRound: Int?

    package init(user: UserID, role: String?, bidRound: Int?) { (self.user, self.role, self.bidRound) = (user, role, bidRound) }

    /// Whether the index has no row for it.
    package var isEmpty: Bool { role == nil && bidRound == nil }
}

/// An item that a user bought: one row per sale. It stays if the winner leaves or the room is archived; only a link changes the winner.
package struct Win: Hashable, Sendable {
    /// Identifier of the buyer.
    package let winner: UserID
    /// Round of the room.
    package let round: Int
    /// Identifier of the item.
    package let item: ItemID
    /// The item's name, for lists.
    package let itemName: String
    /// In minor units of the room's currency.
    package let price: Int64
    /// When the sale was recorded.
    package let at: Timestamp

    package init(winner: UserID, round: Int, item: ItemID, itemName: String, price: Int64, at: Timestamp) {
        self.winner = winner
        self.round = round
        self.item = item
        self.itemName = itemName
        self.price = price
        self.at = at
    }

    /// The same sale with another buyer.
    package func won(by buyer: UserID) -> Win {
        Win(winner: buyer, round: round, item: item, itemName: itemName, price: price, at: at)
    }

    /// The sale of a finished round that counts; nil if there is none.
    init?(_ result: RoundResult) {
        // What the floor buys is no user's.
        guard let sale = result.sale, sale.buyer.id != .floor else { return nil }
        self.init(
            winner: sale.buyer.id, round: result.round, item: result.item.id, itemName: result.item.name,
            price: sale.price.minorUnits, at: sale.at)
    }
}

/// What one user bought in a room becomes another user's.
package struct WinTransfer: Hashable, Sendable {
    /// The earlier buyer.
    package let from: UserID
    /// The buyer from now on.
    package var to: UserID

    package init(from: UserID, to: UserID) { (self.from, self.to) = (from, to) }
}

/// The changes of an append to the index by user, committed in the same transaction as its events.
package struct UserChanges: Hashable, Sendable {
    /// The new rows of users who are affected, at most one per user; an empty one deletes the user's row.
    package var participations: [Participation] = []
    /// Earlier sales that get another buyer; at most one transfer per old buyer.
    package private(set) var transfers: [WinTransfer] = []
    /// Earlier rounds whose sale is removed, before `wins` are added: it was voided, or the item has another buyer.
    package private(set) var rewritten: Set<Int> = []
    /// New sales, with the buyers after the transfers.
    package var wins: [Win] = []
    /// Whether the room was archived: its participations are no longer shown, and a log may delete them later.
    package var archives = false

    /// No changes.
    package init() {}

    /// Whether nothing is written.
    package var isEmpty: Bool { participations.isEmpty && !changesSales && wins.isEmpty && !archives }
    /// Whether rows of earlier sales change.
    package var changesSales: Bool { !transfers.isEmpty || !rewritten.isEmpty }

    /// Adds later changes of the same room.
    package mutating func merge(_ later: UserChanges) {
        if later.archives { participations = [] }
        if !later.participations.isEmpty {
            let changed = Set(later.participations.map(\.user))
            participations.removeAll { changed.contains($0.user) }
            participations += later.participations
        }
        for transfer in later.transfers { add(transfer) }
        rewrite(later.rewritten)
        wins += later.wins
        archives = archives || later.archives
    }

    /// Removes the sales of these rounds, those so far included.
    package mutating func rewrite(_ rounds: Set<Int>) {
        if rounds.isEmpty { return }
        rewritten.formUnion(rounds)
        wins.removeAll { rounds.contains($0.round) }
    }

    /// Adds a transfer, which the sales and transfers so far are subject to.
    package mutating func add(_ transfer: WinTransfer) {
        let (from, to) = (transfer.from, transfer.to)
        for index in wins.indices where wins[index].winner == from { wins[index] = wins[index].won(by: to) }
        let isKnown = transfers.contains { $0.from == from }
        for index in transfers.indices where transfers[index].to == from { transfers[index].to = to }
        if !isKnown { transfers.append(transfer) }
    }
}

// The index by user as it follows from a room.
extension UserChanges {
    /// All rows of a room, for an index that has none of it.
    package init(of room: Room) {
        wins = room.results.compactMap(Win.init)
        archives = room.isArchived
        if room.isArchived { return }
        let members = room.members.sorted.map(\.person.id)
        let applicants = room.applications.list(isDeclined: true).map(\.person.id)
        let others = room.bids.bidders + room.members.absentees.map(\.person.id) + room.offers.map(\.to.id) + applicants
        let gone = others.filter { room.members[$0] == nil && $0 != .floor }
        participations = (members + Set(gone).sorted()).map { Participation(of: $0, in: room) }.filter { !$0.isEmpty }
    }

    /// The rows of these users, and of the rounds that ended after `finishedRounds` results.
    /// - Parameters:
    ///   - links: Links since then, in order.
    ///   - changedRounds: Rounds whose sale was voided or made anew since then.
    package init(
        of users: [UserID], in room: Room, finishedRounds: Int, links: [WinTransfer] = [], changedRounds: [Int] = []
    ) {
        for link in links { add(link) }
        if room.resultCount > finishedRounds { wins = room.results[finishedRounds...].compactMap(Win.init) }
        if !changedRounds.isEmpty {
            let old = changedRounds.filter { room.results.position(ofRound: $0).map { $0 < finishedRounds } ?? false }
            rewrite(Set(old))
            wins += rewritten.sorted().compactMap { room.results.row(ofRound: $0).flatMap(Win.init) }
        }
        archives = room.isArchived
        if room.isArchived || users.isEmpty { return }
        participations = (users.count == 1 ? users : Set(users).sorted()).map { Participation(of: $0, in: room) }
    }
}

extension Participation {
    /// What the user is in the room now.
    init(of user: UserID, in room: Room) {
        let member = room.members[user]
        let role = member?.isBanned == false ? member?.role.rawValue : nil
        let isDecidedAbout =
            role == nil
            && (room.hasOffer(to: user) || room.application(of: user) != nil
                || !room.members.standing(of: user).isPlain && !room.wasLinked(user))
        self.init(user: user, role: role, bidRound: room.hasBid(user) ? room.round : isDecidedAbout ? 0 : nil)
    }
}

extension EventBody {
    /// The sales that the event gives another buyer; nil if it is not a link.
    package var winTransfer: WinTransfer? {
        guard case .memberLinked(let link) = self else { return nil }
        return WinTransfer(from: link.from.id, to: link.to.id)
    }

    /// The earlier round whose sale the event voids or makes anew; nil if it does neither.
    package var changedRound: Int? {
        switch self {
        case .itemVoided(let voided): voided.round
        case .offer(.accepted(_, let round, _, _, _)): round
        default: nil
        }
    }

    /// The user whose participation the event may change; nil if there is none. Of a link, the guest: the other user is that of
    /// `winTransfer`.
    ///
    /// - Parameter room: The room before the event, or before others that were decided with it. A bid changes the participation only if it is
    ///   the bidder's first one of the round; an absentee bid always may, since its round may have begun with it.
    package func affectedUser(in room: Room) -> UserID? {
        switch self {
        case .bidPlaced(let placed): placed.origin != .absentee && room.hasBid(placed.bidder.id) ? nil : participant
        // Of members the row has the role.
        case .memberMuted(let person, _, _), .memberCreditLimitChanged(let person, _, _):
            room.members[person.id] == nil ? participant : nil
        default: participant
        }
    }
}
