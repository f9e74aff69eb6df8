package import Permissions

/// A room as the fold of its events. A value: copies share structure and cost a few reference count increments.
package struct Room: Hashable, Sendable, Codable {
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

    private let box: Box<Details>
    /// The current host; while `hostGoneSince` is not nil, the last one.
    package internal(set) var host: Person
    /// The seq of the last event.
    package internal(set) var seq: Int
    /// The instant of the last event.
    package internal(set) var lastEventAt: Timestamp
    /// The stored state: `isClosing(at:)` tells whether its deadline has expired.
    package internal(set) var state: RoomState
    /// Number of the current round, increasing by 1.
    package internal(set) var round: Int
    /// The seq of the round's first event.
    package internal(set) var roundFirstSeq: Int
    /// An archived room is read-only and never changes again.
    package internal(set) var isArchived: Bool
    /// Present members, and the host's decisions about users who left.
    package internal(set) var members: Members
    private var boxedItem: Box<AuctionItem>?
    /// The bids of the current round.
    package internal(set) var bids: BidHistory
    /// The bid that would win now; nil while bids are sealed.
    package internal(set) var currentBid: Bid?
    /// Up to where the server bids for the leader: visible to the leader only. Nil without a leader.
    package internal(set) var leaderMaximum: Money?
    /// The current asking price of a Dutch auction; nil in the other formats.
    package internal(set) var askingPrice: Money?
    /// Deadline of the running countdown; nil while none runs.
    package internal(set) var endsAt: Timestamp?
    /// The instant of a Dutch price's next drop; nil in the other formats, at the floor, and while no countdown runs.
    package internal(set) var nextDropAt: Timestamp?
    /// Bids extend the deadline to this instant at most; nil: no bound.
    package internal(set) var latestEnd: Timestamp?
    /// Decides among equal sealed bids; secret until the round ends. Nil if no lot is drawn.
    package internal(set) var drawSeed: UInt128?
    /// One row per finished round, oldest first.
    package internal(set) var results: RoundResults
    /// Bytes that the room's events take in the log.
    package internal(set) var storage: RoomStorage
    private var aside: Box<ColdState>

    /// Values that most commands neither read nor change, behind one reference.
    private struct ColdState: Hashable, Sendable, Codable {
        var configuration = RuleConfiguration.default
        var pause: Pause?
        var hostGoneSince: Timestamp?
        var messages = RoomMessages()
        /// The seqs of bids that were retracted in the current round.
        var retractedSeqs: [Int] = []
        /// Nil until the stage is first used: most rooms never use it.
        var stage: Stage?
    }

    /// The room as if no bid had been placed in this round, except for its current price. For snapshots, which store bids apart.
    package var withoutBids: Room {
        var room = self
        room.bids = BidHistory()
        return room
    }

    /// The values that never change.
    package var details: Details { box.value }
    /// Identifier of the room.
    package var id: RoomID { box.value.id }
    /// Currency of all amounts in the room.
    package var currency: Currency { box.value.currency }

    /// The item of the current round; nil until one is uploaded.
    package internal(set) var item: AuctionItem? {
        get { boxedItem?.value }
        set { boxedItem = newValue.map(Box.init) }
    }

    /// The rules of the current item; nil without an item.
    package var rules: AuctionRules? { boxedItem?.value.rules }

    /// The price that would be paid now (Dutch: the asking price); nil before the first bid, and while bids are sealed.
    package var currentPrice: Money? { currentBid?.amount ?? askingPrice }

    /// The host's changes to the permission rules.
    package internal(set) var configuration: RuleConfiguration {
        get { aside.value.configuration }
        set { changeAside { $0.configuration = newValue } }
    }

    /// What a resume restores; nil unless the round is paused.
    package internal(set) var pause: Pause? {
        get { aside.value.pause }
        set { changeAside { $0.pause = newValue } }
    }

    /// Since when the room has no host; nil while it has one.
    package internal(set) var hostGoneSince: Timestamp? {
        get { aside.value.hostGoneSince }
        set { changeAside { $0.hostGoneSince = newValue } }
    }

    /// The latest messages; `RoomMessages.limit` at most.
    package internal(set) var messages: RoomMessages {
        get { aside.value.messages }
        set { changeAside { $0.messages = newValue } }
    }

    var retractedSeqs: [Int] {
        get { aside.value.retractedSeqs }
        set { changeAside { $0.retractedSeqs = newValue } }
    }

    /// Seats and pending handshakes; empty until the stage is first used.
    package internal(set) var stage: Stage {
        get { aside.value.stage ?? Stage() }
        set { changeAside { $0.stage = newValue } }
    }

    private mutating func changeAside(_ change: (inout ColdState) -> Void) {
        var changed = aside.value
        change(&changed)
        aside = Box(changed)
    }

    /// The room after its first event; nil if that event is not `roomOpened` with seq 1.
    package init?(id: RoomID, opening event: Event) {
        guard case .roomOpened(let opened) = event.body, event.seq == 1 else { return nil }
        box = Box(
            Details(
                id: id, name: opened.name, currency: opened.currency, visibility: opened.visibility,
                inviteCode: opened.inviteCode, openedAt: event.at))
        host = opened.host
        seq = 1
        lastEventAt = event.at
        state = .preparing
        round = event.round
        roundFirstSeq = 1
        isArchived = false
        members = Members()
        bids = BidHistory()
        results = RoundResults()
        storage = RoomStorage()
        storage.add(event.body)
        aside = Box(ColdState())
        members.set(Member(person: opened.host, role: .host, joinedAt: event.at))
    }
}

/// An immutable value behind one reference, so that a copy of its owner increments one reference count instead of many.
final class Box<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    static func == (left: Box, right: Box) -> Bool { left === right || left.value == right.value }
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Room {
    /// Whether the user has an explicit bid in the current round.
    package func hasBid(_ user: UserID) -> Bool { bids.contains(bidder: user) }

    /// Whether the user may see the room; for other users it does not exist. Nil: a caller without a user.
    package func isVisible(to user: UserID?) -> Bool {
        if details.visibility == .public { return true }
        guard let user, let member = members[user] else { return false }
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

    /// The earliest deadline: of the countdown, a price drop, a handshake, or the wait for a host. Nil if there is none, and in an
    /// archived room.
    package var dueAt: Timestamp? {
        if isArchived { return nil }
        var due = endsAt
        for other in [nextDropAt, closesWithoutHostAt, aside.value.stage?.dueAt] {
            if let other { due = min(due ?? other, other) }
        }
        return due
    }

    /// The instant at which a paused round without a host is closed; nil if it is not paused or has a host.
    package var closesWithoutHostAt: Timestamp? {
        guard let pause, let hostGoneSince else { return nil }
        return max(pause.at, hostGoneSince) + Pause.limitWithoutHost
    }
}
