internal import Permissions

/// The fields of a room, which `Room` keeps behind one reference. The names of its members are in stored snapshots.
struct RoomFields: Hashable, Sendable, Codable {
    private let box: Box<Room.Details>
    var host: Person
    var seq: Int
    var lastEventAt: Timestamp
    var state: RoomState
    var round: Int
    var roundFirstSeq: Int
    var isArchived: Bool
    var members: Members
    private(set) var boxedItem: Box<AuctionItem>?
    var bids: BidHistory
    var currentBid: Bid?
    var leaderMaximum: Money?
    var askingPrice: Money?
    var endsAt: Timestamp?
    var nextDropAt: Timestamp?
    var latestDeadline: Timestamp?
    /// When bidding of the current round began; nil before.
    var openedAt: Timestamp?
    var drawSeed: DrawSeed?
    var results: RoundResults
    var storage: RoomStorage
    private var coldState: Box<ColdState>

    /// Values that most commands neither read nor change, behind one reference.
    private struct ColdState: Hashable, Sendable, Codable {
        var configuration = RuleConfiguration.default
        var pause: Pause?
        var hostGoneSince: Timestamp?
        var messages = RoomMessages()
        /// The seqs of bids that were retracted in the current round.
        var retractedSeqs: [Int] = []
        /// The seqs of bids of the current round that retractions have changed; one that is retracted later may stay here.
        var changedSeqs: [Int] = []
        /// Nil until the stage is first used: most rooms never use it.
        var stage: Stage?
        /// Links of guests to users, oldest first; nil until the first one.
        var links: [RecordedLink]?
        /// Nil until the first lot is queued: most rooms have none. Snapshots store the lots apart.
        var lots: Lots?
        /// Nil until the host configures a sale.
        var sale: Sale?
        /// Nil until something of it is first used.
        var hand: Hand?
        /// The earliest deadline of what this has: of a handshake, an offer, or the start of the sale. Bids ask for it.
        private(set) var dueAt: Timestamp?

        private enum CodingKeys: CodingKey {
            case configuration, pause, hostGoneSince, messages, retractedSeqs, changedSeqs, stage, links, sale, hand, dueAt
        }

        mutating func findDueAt() {
            dueAt = [stage?.dueAt, sale?.startsAt, hand?.offers?.first?.expiresAt].compactMap { $0 }.min()
        }
    }

    /// Shared by all rooms in which none of these values was ever set, which are most.
    private static let noColdState = Box(ColdState())

    /// The fields after the first event; nil if that event is not `roomOpened` with seq 1.
    init?(id: RoomID, opening event: Event) {
        guard case .roomOpened(let opened) = event.body, event.seq == 1 else { return nil }
        box = Box(
            Room.Details(
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
        coldState = Self.noColdState
        members.set(Member(person: opened.host, role: .host, joinedAt: event.at))
    }

    var details: Room.Details { box.value }
    /// The earliest deadline of a handshake, an offer, or the start of the sale; nil if there is none.
    var otherDueAt: Timestamp? { coldState.value.dueAt }

    var item: AuctionItem? {
        get { boxedItem?.value }
        set { boxedItem = newValue.map(Box.init) }
    }

    var rules: AuctionRules? { boxedItem?.value.rules }
    /// The name of the item's format: reading it does not copy the rules.
    var formatName: AuctionFormatName? { boxedItem?.value.rules.format }

    var configuration: RuleConfiguration {
        get { coldState.value.configuration }
        set { changeColdState { $0.configuration = newValue } }
    }

    var pause: Pause? {
        get { coldState.value.pause }
        set { changeColdState { $0.pause = newValue } }
    }

    var hostGoneSince: Timestamp? {
        get { coldState.value.hostGoneSince }
        set { changeColdState { $0.hostGoneSince = newValue } }
    }

    var messages: RoomMessages {
        get { coldState.value.messages }
        set { changeColdState { $0.messages = newValue } }
    }

    var retractedSeqs: [Int] {
        get { coldState.value.retractedSeqs }
        set { changeColdState { $0.retractedSeqs = newValue } }
    }

    var changedSeqs: [Int] {
        get { coldState.value.changedSeqs }
        set { changeColdState { $0.changedSeqs = newValue } }
    }

    var stage: Stage {
        get { coldState.value.stage ?? Stage() }
        set { changeColdState { $0.stage = newValue } }
    }

    var links: [RecordedLink] {
        get { coldState.value.links ?? [] }
        set { changeColdState { $0.links = newValue } }
    }

    var lots: Lots { coldState.value.lots ?? Lots() }
    /// Every user who ever queued a lot.
    var lotOwners: [Person] { coldState.value.lots?.owners ?? [] }
    var hasLots: Bool { coldState.value.lots != nil }

    mutating func changeLots(_ change: (inout Lots) -> Void) {
        changeColdState { coldState in
            // Taken out, so that the change does not copy what nothing else refers to.
            var lots = coldState.lots ?? Lots()
            coldState.lots = nil
            change(&lots)
            coldState.lots = lots
        }
    }

    var sale: Sale {
        get { coldState.value.sale ?? .manual }
        // What a room without a sale has.
        set { changeColdState { $0.sale = newValue == .manual ? nil : newValue } }
    }

    var hand: Hand? {
        get { coldState.value.hand }
        set { changeColdState { $0.hand = newValue } }
    }

    var premium: Premium? { coldState.value.sale?.premium }
    var hasSale: Bool { coldState.value.sale != nil || hasLots }
    var lotBytes: Int { coldState.value.lots?.bytes ?? 0 }

    /// When the sale begins by itself; nil: not by itself.
    var saleStartsAt: Timestamp? { coldState.value.sale?.startsAt }

    private mutating func changeColdState(_ change: (inout ColdState) -> Void) {
        var changed = coldState.value
        change(&changed)
        changed.findDueAt()
        coldState = Box(changed)
    }
}

/// An immutable value behind one reference, so that a copy of its owner increments one reference count instead of many.
final class Box<Value: Hashable & Sendable>: Hashable, Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Box, right: Box) -> Bool { left === right || left.value == right.value }
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Box: Codable where Value: Codable {
    convenience init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
