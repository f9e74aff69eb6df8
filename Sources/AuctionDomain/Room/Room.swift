public import Permissions

/// A room as the fold of its events. A value: copies share structure and cost a few reference counts.
public struct Room: Hashable, Sendable, Codable {
    /// What is said once, when the room opens.
    public struct Details: Hashable, Sendable, Codable {
        public let id: RoomID
        public let name: String
        public let currency: Currency
        public let visibility: Visibility
        public let inviteCode: String
        public let openedAt: Timestamp
    }

    private let box: Boxed<Details>
    public internal(set) var host: Person
    /// The seq of the last event.
    public internal(set) var seq: Int
    /// When it happened.
    public internal(set) var lastEventAt: Timestamp
    public internal(set) var state: RoomState
    public internal(set) var round: Int
    /// The seq of the round's first event.
    public internal(set) var roundFirstSeq: Int
    public internal(set) var isArchived: Bool
    public internal(set) var members: Members
    private var boxedItem: Boxed<AuctionItem>?
    /// The bids of the current round.
    public internal(set) var bids: BidHistory
    /// The bid that would win now; nil while bids are sealed.
    public internal(set) var currentBid: Bid?
    /// Up to where the server bids for the leader: for nobody's eyes but theirs.
    public internal(set) var leaderMaximum: Money?
    /// What a Dutch auction asks now; nil in the other formats.
    public internal(set) var askingPrice: Money?
    /// When the running countdown ends; nil while none runs.
    public internal(set) var endsAt: Timestamp?
    /// When a Dutch price drops next.
    public internal(set) var nextDropAt: Timestamp?
    /// Past this no bid moves the end; nil: no such limit.
    public internal(set) var latestEnd: Timestamp?
    /// Decides among equal sealed bids; nobody sees it before the end.
    public internal(set) var drawSeed: UInt128?
    /// One row per finished round.
    public internal(set) var results: RoundResults
    /// What the room has made the log keep.
    public internal(set) var storage: RoomStorage
    private var aside: Boxed<Aside>

    /// What most commands neither read nor change, behind one reference.
    private struct Aside: Hashable, Sendable, Codable {
        var configuration = RuleConfiguration.default
        var pause: Pause?
        var hostGoneSince: Timestamp?
        var messages = RoomMessages()
        /// The seqs of bids that were taken back in the current round.
        var retractedSeqs: [Int] = []
        /// Nil as long as nobody has asked for the stage, as in most rooms.
        var stage: Stage?
    }

    public var details: Details { box.value }
    public var id: RoomID { box.value.id }
    public var currency: Currency { box.value.currency }

    /// What is auctioned in the current round.
    public internal(set) var item: AuctionItem? {
        get { boxedItem?.value }
        set { boxedItem = newValue.map(Boxed.init) }
    }

    /// The rules of the current item.
    public var rules: AuctionRules? { boxedItem?.value.rules }

    /// The price that would be paid now; nil before the first bid (Dutch: what is asked), and while bids are sealed.
    public var currentPrice: Money? { currentBid?.amount ?? askingPrice }

    /// What the host changed about the permission rules.
    public internal(set) var configuration: RuleConfiguration {
        get { aside.value.configuration }
        set { changeAside { $0.configuration = newValue } }
    }

    /// Why nothing runs; nil unless the round is paused.
    public internal(set) var pause: Pause? {
        get { aside.value.pause }
        set { changeAside { $0.pause = newValue } }
    }

    /// Since when the room has no host; nil while it has one.
    public internal(set) var hostGoneSince: Timestamp? {
        get { aside.value.hostGoneSince }
        set { changeAside { $0.hostGoneSince = newValue } }
    }

    public internal(set) var messages: RoomMessages {
        get { aside.value.messages }
        set { changeAside { $0.messages = newValue } }
    }

    var retractedSeqs: [Int] {
        get { aside.value.retractedSeqs }
        set { changeAside { $0.retractedSeqs = newValue } }
    }

    public internal(set) var stage: Stage {
        get { aside.value.stage ?? Stage() }
        set { changeAside { $0.stage = newValue } }
    }

    private mutating func changeAside(_ change: (inout Aside) -> Void) {
        var changed = aside.value
        change(&changed)
        aside = Boxed(changed)
    }

    /// The room that its first event makes; nil if that is not `roomOpened` with seq 1.
    public init?(id: RoomID, opening event: Event) {
        guard case .roomOpened(let opened) = event.body, event.seq == 1 else { return nil }
        box = Boxed(
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
        aside = Boxed(Aside())
        members.set(Member(person: opened.host, role: .host, joinedAt: event.at))
    }
}

/// An immutable value behind one reference, so that a copy of its owner costs one count instead of many.
final class Boxed<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    static func == (left: Boxed, right: Boxed) -> Bool { left === right || left.value == right.value }
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Room {
    /// Whether somebody has a bid in the current round.
    public func hasBid(_ user: UserID) -> Bool { bids.contains(bidder: user) }

    /// Whether somebody may see the room at all; to everybody else it does not exist.
    public func isVisible(to user: UserID?) -> Bool {
        if details.visibility == .public { return true }
        guard let user, let member = members[user] else { return false }
        return !member.isBanned
    }

    /// Whether a user may know that a room exists which they do not see, when they ask to join: with its invite code, as the host
    /// that it lost, or as a member who was banned and gets that for a reason.
    public func admits(_ user: UserID, inviteCode: String?) -> Bool {
        if details.visibility == .public || members.standing(of: user).isBanned { return true }
        if host.id == user && hostGoneSince != nil { return true }
        guard let inviteCode, inviteCode.utf8.count == details.inviteCode.utf8.count else { return false }
        return inviteCode.utf8.elementsEqual(details.inviteCode.utf8)
    }

    /// What the room is for whoever looks at `instant`: a round past its end without its closing event is `closing`.
    public func isClosing(at instant: Timestamp) -> Bool {
        state == .auctioning && endsAt.map { instant >= $0 } ?? false
    }

    /// When something is to happen by itself: the countdown ends, a price drops, a handshake times out, a wait for a host is
    /// over. Nothing happens in an archived room any more.
    public var dueAt: Timestamp? {
        if isArchived { return nil }
        var due = endsAt
        for other in [nextDropAt, closesWithoutHostAt, aside.value.stage?.dueAt] {
            if let other { due = min(due ?? other, other) }
        }
        return due
    }

    /// When a paused round is closed for want of a host.
    public var closesWithoutHostAt: Timestamp? {
        guard let pause, let hostGoneSince else { return nil }
        return max(pause.at, hostGoneSince) + Pause.limitWithoutHost
    }
}
