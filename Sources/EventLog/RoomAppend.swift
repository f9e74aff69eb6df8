public import AuctionDomain

/// What one batch wants of one room: "if its history still ends at `expected`, append these events".
public struct RoomAppend: Sendable {
    public let room: RoomID
    /// The head this was decided on; `.none` creates the room.
    public let expected: RoomHead
    /// In order, the first one at `expected.seq + 1`. Empty: compare only.
    public let events: [StoredEvent]
    /// Written when the room is created and whenever it changes; nil leaves the stored one.
    public let profile: RoomProfile?
    /// The room's status after these events.
    public let status: RoomStatus
    /// Answers of keyed commands, stored in the same transaction as their events; without events there are none.
    public let answers: [AnswerRecord]
    /// When something is next to happen in the room by itself; only logs that nodes share keep it.
    public let dueAt: Timestamp?
    /// What these events are the end of was due then, and not a moment earlier; nil when they are somebody's doing. Logs that
    /// nodes share check it by their own clock.
    public let notBefore: Timestamp?

    /// - Parameter dueAt: nil: when the countdown ends.
    public init(
        room: RoomID, expected: RoomHead, events: [StoredEvent], profile: RoomProfile?, status: RoomStatus,
        answers: [AnswerRecord], dueAt: Timestamp? = nil, notBefore: Timestamp? = nil
    ) {
        self.room = room
        self.expected = expected
        self.events = events
        self.profile = profile
        self.status = status
        self.answers = answers
        self.dueAt = dueAt ?? status.endsAt
        self.notBefore = notBefore
    }

    /// The head after a successful append.
    public var newHead: RoomHead { events.last.map { RoomHead(seq: $0.seq, tip: $0.hash.tip) } ?? expected }
}

/// What became of one `RoomAppend`.
public enum AppendVerdict: Sendable, Equatable {
    /// Durable. The positions are those of its answers, in order.
    case appended(answerPositions: [Int64])
    /// The room's history ends elsewhere; nothing of this `RoomAppend` was written.
    case conflict(actual: RoomHead)
    /// Only from logs that nodes share: nothing of this `RoomAppend` was written, whatever the head is. Decide it again.
    case deferred(Deferral)

    /// Why something cannot be appended now.
    public enum Deferral: Hashable, Sendable {
        /// Another node is appending to the room at this moment: again soon, not all nodes after the same time.
        case locked
        /// Its events are stamped too far from the log's clock.
        case stamp
        /// What is ended is not due yet.
        case early
        /// What is ended fell due since the begin of an outage that is not settled.
        case outage
    }
}

/// The parts of a room that rarely change, for lists of rooms.
public struct RoomProfile: Hashable, Sendable {
    public let name: String
    public let host: Person
    /// ISO 4217 code.
    public let currency: String
    /// `public` or `private`.
    public let visibility: String
    public let openedAt: Timestamp
    /// The current item's name; nil while there is none.
    public let itemName: String?

    public init(
        name: String, host: Person, currency: String, visibility: String, openedAt: Timestamp, itemName: String?
    ) {
        self.name = name
        self.host = host
        self.currency = currency
        self.visibility = visibility
        self.openedAt = openedAt
        self.itemName = itemName
    }
}

/// The parts of a room that change with every bid, kept small: they are rewritten with each batch.
public struct RoomStatus: Hashable, Sendable {
    public let state: String
    public let round: Int
    /// When the running countdown ends; nil when none runs.
    public let endsAt: Timestamp?
    /// In minor units of the room's currency; nil before the first bid.
    public let currentPrice: Int64?
    public let isArchived: Bool
    /// Whether something is to happen in the room by itself, so that it is to be loaded at start.
    public let isOpen: Bool

    /// - Parameter isOpen: nil: whether a countdown runs.
    public init(
        state: String, round: Int, endsAt: Timestamp?, currentPrice: Int64?, isArchived: Bool, isOpen: Bool? = nil
    ) {
        self.state = state
        self.round = round
        self.endsAt = endsAt
        self.currentPrice = currentPrice
        self.isArchived = isArchived
        self.isOpen = (isOpen ?? (endsAt != nil)) && !isArchived
    }
}

/// The stored answer to a keyed command: a repeat gets it byte for byte.
public struct AnswerRecord: Hashable, Sendable {
    /// A digest of (caller, method, path, Idempotency-Key).
    public let key: UInt128
    /// A digest of the request's body: another body under the same key is refused.
    public let fingerprint: UInt64
    public let owner: KeyOwner
    public let at: Timestamp
    /// HTTP status, headers beyond the usual (name, value) and body, exactly as sent.
    public let status: Int
    public let headers: [AnswerHeader]
    public let body: [UInt8]

    /// - Parameter owner: nil where the log does not know.
    public init(
        key: UInt128, fingerprint: UInt64, owner: KeyOwner? = nil, at: Timestamp, status: Int, headers: [AnswerHeader],
        body: [UInt8]
    ) {
        self.key = key
        self.fingerprint = fingerprint
        self.owner = owner ?? KeyOwner(unknownFor: key)
        self.at = at
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// One header of a stored answer.
public struct AnswerHeader: Hashable, Sendable, Codable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
