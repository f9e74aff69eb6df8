package import Permissions

/// A room as the fold of its events. A value: a copy costs one reference count, a change copies the fields once.
package struct Room: Hashable, Sendable {
    /// The values set when the room opens; they never change.
    package struct Details: Hashable, Sendable, Codable {
        /// Identifier of the room; the key of its log.
        package let id: RoomID
        /// 1 to `OpenRoom.nameLimit` Unicode scalars.
        package let name: String
        /// Currency of all amounts in the room.
        package let currency: Currency
        /// Whether the room can be seen without membership.
        package let visibility: Visibility
        /// Private: lets a user who has it join a private room.
        package let inviteCode: String
        /// The instant of the first event.
        package let openedAt: Timestamp
    }

    private(set) var fields: Box<RoomFields>

    /// The room after its first event; nil if that event is not `roomOpened` with seq 1.
    package init?(id: RoomID, opening event: Event) {
        guard let opened = RoomFields(id: id, opening: event) else { return nil }
        fields = Box(opened)
    }

    /// Changes several fields for the price of one copy.
    mutating func change<Result, Failure: Error>(
        _ body: (inout RoomFields) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var changed = fields.value
        let result = try body(&changed)
        fields = Box(consume changed)
        return result
    }

    /// The room with other bids of this round, except for its current price. For snapshots, which store the bids apart.
    package func with(_ bids: BidHistory) -> Room {
        var room = self
        room.change { $0.bids = bids }
        return room
    }

    /// The room with other lots. For snapshots, which store the lots apart.
    package func with(_ lots: Lots) -> Room {
        var room = self
        room.change { fields in fields.changeLots { $0 = lots } }
        return room
    }

    /// The room with other absentee bids. For snapshots, which store them apart.
    package func with(_ bids: AbsenteeBids) -> Room {
        var room = self
        room.change { fields in fields.changeHand { $0.absentee.value = bids.isEmpty ? nil : bids } }
        return room
    }

    /// The values that never change.
    package var details: Details { fields.value.details }
    /// Identifier of the room.
    package var id: RoomID { fields.value.details.id }
    /// Currency of all amounts in the room.
    package var currency: Currency { fields.value.details.currency }

    /// The current host; while `hostGoneSince` is not nil, the last one.
    package var host: Person { fields.value.host }
    /// The seq of the last event.
    package var seq: Int { fields.value.seq }
    /// The instant of the last event.
    package var lastEventAt: Timestamp { fields.value.lastEventAt }
    /// The stored state: `isClosing(at:)` tells whether its deadline has expired.
    package var state: RoomState { fields.value.state }
    /// Number of the current round, increasing by 1.
    package var round: Int { fields.value.round }
    /// An archived room is read-only and never changes again.
    package var isArchived: Bool { fields.value.isArchived }
    /// Present members, and the host's decisions about users who left.
    package var members: Members { fields.value.members }
    /// The present member with this id; nil if the user is not a member. Unlike `members[id]`, it copies no table.
    package func member(_ id: UserID) -> Member? { fields.value.members[id] }
    /// The bids of the current round.
    package var bids: BidHistory { fields.value.bids }
    /// The bid that would win now; nil while bids are sealed. After a sealed round the winner's, at the price that they pay.
    package var currentBid: Bid? { fields.value.currentBid }
    /// Up to where the server bids for the leader: visible to the leader only. Nil without a leader.
    package var leaderMaximum: Money? { fields.value.leaderMaximum }
    /// The current asking price of a Dutch auction; nil in the other formats.
    package var askingPrice: Money? { fields.value.askingPrice }
    /// Deadline of the running countdown; nil while none runs.
    package var endsAt: Timestamp? { fields.value.endsAt }
    /// The instant of a Dutch price's next drop; nil in the other formats, at the floor, and while no countdown runs.
    package var nextDropAt: Timestamp? { fields.value.nextDropAt }
    /// Bids extend the deadline to this instant at most; nil: no bound.
    package var latestDeadline: Timestamp? { fields.value.latestDeadline }
    /// Decides among equal sealed bids; secret until the round ends. Nil if ties are not drawn.
    package var drawSeed: DrawSeed? { fields.value.drawSeed }
    /// One row per finished round, oldest first.
    package var results: RoundResults { fields.value.results }
    /// Bytes that the room's events take in the log.
    package var storage: RoomStorage { fields.value.storage }
    /// The item of the current round; nil until one is uploaded.
    package var item: AuctionItem? { fields.value.item }
    /// The number of `results`, without a copy of them.
    package var resultCount: Int { fields.value.results.count }
    /// The owner of the current item, without a copy of the item; nil without one.
    package var itemOwner: UserID? { fields.value.boxedItem?.value.owner.id }
    /// Whether both rooms have the same item, or none. Commands that do not change it keep the value, which is found without
    /// comparing its texts.
    package func hasSameItem(as other: Room) -> Bool { fields.value.boxedItem == other.fields.value.boxedItem }
    /// The first lot to come of a room without an item; else nil.
    package var offeredLot: Lot? { item == nil ? lots.firstQueued : nil }
    /// When the sale begins by itself; nil: not by itself.
    package var saleStartsAt: Timestamp? { fields.value.saleStartsAt }
    /// Whether lists show both rooms with the same item or coming lot, and the same start of the sale.
    package func hasSameOffer(as other: Room) -> Bool {
        hasSameItem(as: other) && saleStartsAt == other.saleStartsAt && (hasItem || offeredLot == other.offeredLot)
    }
    private var hasItem: Bool { fields.value.boxedItem != nil }
    /// The name of the current item's format; nil without an item.
    var formatName: AuctionFormatName? { fields.value.formatName }
    /// The rules of the current item; nil without an item.
    package var rules: AuctionRules? { fields.value.rules }
    /// The price that would be paid now (Dutch: the asking price); nil before the first bid, and while bids are sealed.
    package var currentPrice: Money? { currentBid?.amount ?? askingPrice }
    /// The host's changes to the permission rules.
    package var configuration: RuleConfiguration { fields.value.configuration }
    /// What a resume restores; nil unless the round is paused.
    package var pause: Pause? { fields.value.pause }
    /// Since when the room has no host; nil while it has one.
    package var hostGoneSince: Timestamp? { fields.value.hostGoneSince }
    /// The latest messages; `RoomMessages.limit` at most.
    package var messages: RoomMessages { fields.value.messages }
    /// Seats and pending handshakes; empty until the stage is first used.
    package var stage: Stage { fields.value.stage }
    /// The lots in their order; empty until the first is queued.
    package var lots: Lots { fields.value.lots }
    /// How the lots are sold; `Sale.manual` until the host configures it.
    package var sale: Sale { fields.value.sale }
    /// Whether the room has lots or its host has configured a sale.
    package var hasSale: Bool { fields.value.hasSale }
    /// What buyers pay beside the hammer price, of a round that is over as it was then; nil: nothing.
    package var premium: Premium? {
        if let currentResult { return currentResult.premium }
        return fields.value.premium
    }
    /// Whether the lot is the item of a round that is still being prepared.
    package func hasPrepared(_ lot: Lot) -> Bool { state == .preparing && item?.lot == lot.id }
    /// Bytes of the texts of all lots, and of what is kept with each.
    package var lotBytes: Int { fields.value.lotBytes }
    /// The next lot begins at `endsAt`, and not a countdown of the round.
    package var isBetweenLots: Bool { state == .closed && endsAt != nil }
}

// A room is stored as its fields.
extension Room: Codable {
    /// Decodes the fields of a stored snapshot; throws if one is missing or has another type.
    package init(from decoder: any Decoder) throws { fields = Box(try RoomFields(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try fields.value.encode(to: encoder) }
}

extension Room {
    /// Whether the user has an explicit bid in the current round.
    package func hasBid(_ user: UserID) -> Bool { bids.contains(bidder: user) }

    /// Whether the user may see the room; for other users it does not exist. Nil: a caller without a user.
    package func isVisible(to user: UserID?) -> Bool {
        if details.visibility == .public { return true }
        guard let user else { return false }
        guard let member = members[user] else { return user.isOperator }
        return !member.isBanned
    }

    /// Whether a request to join may reveal that the room exists: it is public, or the user has the invite code, is its absent host,
    /// or is banned (and the refusal says so).
    package func admits(_ user: UserID, inviteCode: String?) -> Bool {
        if details.visibility == .public || members.standing(of: user).isBanned { return true }
        if host.id == user && hostGoneSince != nil { return true }
        guard let inviteCode, inviteCode.utf8.count == details.inviteCode.utf8.count else { return false }
        return inviteCode.utf8.elementsEqual(details.inviteCode.utf8)
    }

    /// Whether clients are shown the state `closing` at `instant`: the deadline has expired, but the closing event is not recorded yet.
    package func isClosing(at instant: Timestamp) -> Bool {
        state == .auctioning && endsAt.map { instant >= $0 } ?? false
    }

    /// The earliest deadline: of the countdown, a price drop, a handshake, an offer, the sale's start, or the wait for a host. Nil if there is
    /// none, and in an archived room.
    package var dueAt: Timestamp? {
        if isArchived { return nil }
        // Not in a loop: an array would be allocated, five times for a bid.
        let round = Self.earlier(Self.earlier(endsAt, nextDropAt), closesWithoutHostAt)
        return Self.earlier(round, fields.value.otherDueAt)
    }

    private static func earlier(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// The instant at which a paused round without a host is closed; nil if it is not paused or has a host.
    package var closesWithoutHostAt: Timestamp? {
        guard let pause, let hostGoneSince else { return nil }
        return max(pause.at, hostGoneSince) + Pause.limitWithoutHost
    }
}
