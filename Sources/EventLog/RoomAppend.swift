package import AuctionDomain

/// A conditional append to one room: if its head is still `expected`, append these events. A class, because batches, transactions and logs
/// pass it on, and a copy of its values would count a dozen references.
package final class RoomAppend: Sendable {
    /// Identifier of the room.
    package let room: RoomID
    /// The head on which the events were decided; `.none` creates the room.
    package let expected: RoomHead
    /// Consecutive events, starting at `expected.seq + 1`. Empty: only compare the head.
    package let events: [StoredEvent]
    /// Set when the room is created and whenever the profile changes; nil keeps the stored profile.
    package let profile: RoomProfile?
    /// The room's status after these events.
    package let status: RoomStatus
    /// Responses to commands with an Idempotency-Key, stored in the same transaction as their events; must be empty without events.
    package let responses: [StoredResponse]
    /// The room's next deadline; nil if there is none. Stored only by logs that nodes share.
    package let dueAt: Timestamp?
    /// Deadline whose expiry these events record; nil if a command caused them. Logs that nodes share defer the append until
    /// their own clock has reached it.
    package let notBefore: Timestamp?
    /// Changes of the index by user, written in the same transaction; must be empty without events.
    package let users: UserChanges

    /// - Parameter dueAt: nil stands for the countdown's deadline, `status.endsAt`.
    package init(
        room: RoomID, expected: RoomHead, events: [StoredEvent], profile: RoomProfile?, status: RoomStatus,
        responses: [StoredResponse], dueAt: Timestamp? = nil, notBefore: Timestamp? = nil,
        users: UserChanges = UserChanges()
    ) {
        self.room = room
        self.expected = expected
        self.events = events
        self.profile = profile
        self.status = status
        self.responses = responses
        self.dueAt = dueAt ?? status.endsAt
        self.notBefore = notBefore
        self.users = users
    }

    /// The head after a successful append.
    package var newHead: RoomHead { events.last.map { RoomHead(seq: $0.seq, headHash: $0.hash.headHash) } ?? expected }
}

/// The result of one `RoomAppend`.
package enum AppendVerdict: Sendable, Equatable {
    /// The events are durable. The positions are those of its responses, in order.
    case appended(responsePositions: [Int64])
    /// The room has another head than expected, `actual`; nothing of this `RoomAppend` was written.
    case conflict(actual: RoomHead)
    /// Nothing of this `RoomAppend` was written, regardless of the head; decide it again. Returned only by logs that nodes share.
    case deferred(Deferral)

    /// Why an element cannot be appended now.
    package enum Deferral: Hashable, Sendable {
        /// Another node is appending to the room: retry soon, after a randomized delay.
        case locked
        /// The timestamps of its events are too far from the log's clock (`LogTime`).
        case stamp
        /// The deadline in `notBefore` has not been reached by the log's clock.
        case early
        /// The deadline in `notBefore` expired after the start of an unsettled outage.
        case outage
    }
}

/// The parts of a room that rarely change, for lists of rooms.
package struct RoomProfile: Hashable, Sendable {
    /// Display name.
    package let name: String
    /// The room's host, with the nickname at the time.
    package let host: Person
    /// ISO 4217 code.
    package let currency: String
    /// `public` or `private`.
    package let visibility: String
    /// When the room was created.
    package let openedAt: Timestamp
    /// Name of the current item; nil if there is none.
    package let itemName: String?
    /// What buyers pay beside the hammer price; nil: nothing.
    package let premium: Premium?
    /// The current item, or else the first lot to come; nil if there is neither.
    package let offer: RoomOffer?
    /// When the sale begins by itself; nil: not by itself.
    package let startsAt: Timestamp?

    package init(
        name: String, host: Person, currency: String, visibility: String, openedAt: Timestamp, itemName: String?,
        premium: Premium? = nil, offer: RoomOffer? = nil, startsAt: Timestamp? = nil
    ) {
        self.name = name
        self.host = host
        self.currency = currency
        self.visibility = visibility
        self.openedAt = openedAt
        self.itemName = itemName
        self.premium = premium
        self.offer = offer
        self.startsAt = startsAt
    }
}

extension RoomProfile {
    /// The name of the offer, unless that is the current item.
    package var storedOfferName: String? { itemName == nil ? offer?.name : nil }
}

/// What lists show of an item or a lot.
package struct RoomOffer: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Its first picture of this server; nil if it has none. Others stand nowhere but in their rooms: their servers would see everybody who
    /// reads the list.
    package let picture: PictureID?
    /// In minor units of the room's currency.
    package let startingPrice: Int64

    package init(name: String, picture: PictureID?, startingPrice: Int64) {
        (self.name, self.picture, self.startingPrice) = (name, picture, startingPrice)
    }

    package init(name: String, media: [String], startingPrice: Money) {
        let picture = media.lazy.compactMap { PictureID(path: $0) }.first
        self.init(name: name, picture: picture, startingPrice: startingPrice.minorUnits)
    }

    /// An offer as it is stored: beside the name of the current item it has none of its own. Nil without a price.
    package init?(name: String?, itemName: String?, picture: String?, startingPrice: Int64?) {
        guard let startingPrice, let name = name ?? itemName else { return nil }
        self.init(name: name, picture: picture.flatMap { PictureID($0) }, startingPrice: startingPrice)
    }
}

/// The parts of a room that change with every bid; small, because they are rewritten with each batch.
package struct RoomStatus: Hashable, Sendable {
    /// Raw value of the `RoomState`.
    package let state: String
    /// Number of the current round, from 1.
    package let round: Int
    /// Deadline of the running countdown; nil if none runs.
    package let endsAt: Timestamp?
    /// In minor units of the room's currency; nil before the first bid.
    package let currentPrice: Int64?
    /// Whether the room is archived, which hides it from lists.
    package let isArchived: Bool
    /// Whether the room has a pending deadline, which a start has to schedule. False for an archived room.
    package let isOpen: Bool
    /// Whether nothing is due in an open room before `endsAt`. Stored only by logs of one process.
    package let isDueAtEnd: Bool

    /// - Parameter isOpen: nil stands for "a countdown runs".
    package init(
        state: String, round: Int, endsAt: Timestamp?, currentPrice: Int64?, isArchived: Bool, isOpen: Bool? = nil,
        isDueAtEnd: Bool = false
    ) {
        self.state = state
        self.round = round
        self.endsAt = endsAt
        self.currentPrice = currentPrice
        self.isArchived = isArchived
        self.isOpen = (isOpen ?? (endsAt != nil)) && !isArchived
        self.isDueAtEnd = isDueAtEnd && endsAt != nil && self.isOpen
    }
}

/// The stored response to a command with an Idempotency-Key; a repeated request gets the same bytes.
package struct StoredResponse: Hashable, Sendable {
    private let digest: WordPair
    /// Digest of the request's body; another body with the same key is rejected.
    package let fingerprint: UInt64
    /// The user whose quota of keys in the room this key counts against.
    package let owner: KeyOwner
    /// When the response was made.
    package let at: Timestamp
    /// HTTP status code, one of `statuses`.
    package let status: Int
    /// Headers other than those that every response has.
    package let headers: [ResponseHeader]
    /// Body, exactly as sent.
    package let body: [UInt8]

    package init(
        key: UInt128, fingerprint: UInt64, owner: KeyOwner, at: Timestamp, status: Int, headers: [ResponseHeader],
        body: [UInt8]
    ) {
        digest = WordPair(key)
        self.fingerprint = fingerprint
        self.owner = owner
        self.at = at
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Digest of caller, method, path and Idempotency-Key.
    package var key: UInt128 { digest.number }

    /// Largest body, in bytes, that `EventLog.discardResponses` leaves where it is: to write its row again costs more than that frees, and
    /// the room's storage counts about as much for its event.
    package static let smallBytes = 1024

    /// The status codes that a response can have; any other that is read is damage.
    package static let statuses = 200...599
}

/// One header of a stored response. Its JSON form is stored bytes.
package struct ResponseHeader: Hashable, Sendable, Codable {
    /// Header name.
    package let name: String
    /// Header value.
    package let value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
}
