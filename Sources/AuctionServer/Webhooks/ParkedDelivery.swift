internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// What is delivered to an endpoint: an event by its number in the feed, and its type, since events that follow from another one have that
/// one's number.
struct DeliveryKey: Hashable, Comparable, Sendable {
    let number: Int64
    let type: String

    init(number: Int64, type: String) { (self.number, self.type) = (number, type) }

    init(_ event: FeedEvent) { self.init(number: event.position.number, type: event.event.type) }

    static func < (left: Self, right: Self) -> Bool { (left.number, left.type) < (right.number, right.type) }

    // MARK: - As clients keep it

    /// Most bytes of a type.
    private static let typeBytes = 64

    /// Nil for a text that is no cursor.
    init?(cursor: String) {
        let parts = cursor.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts[0].utf8.count == 16, parts[0].isHexadecimal,
            (1...Self.typeBytes).contains(parts[1].utf8.count),
            let number = UInt64(parts[0], radix: 16), parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.init(number: Int64(bitPattern: number), type: parts[1])
    }

    /// Sorts as keys do.
    var cursor: String { UInt64(bitPattern: number).hexadecimal + "." + type }
}

/// A delivery that has failed: it is repeated beside the later ones, or it has failed for good.
struct ParkedDelivery: Hashable, Sendable {
    /// Kind of its record.
    static let recordKind = "webhook-parked"
    /// How long one that has failed for good is kept after its last attempt, in milliseconds: 30 days.
    static let lifetimeMilliseconds: Int64 = 30 * 86_400_000

    let key: DeliveryKey
    let room: RoomID
    let seq: Int
    /// `EventHash.headHash` of the event.
    let hash: UInt64
    /// How often it was sent.
    var attempts: Int
    /// When it is sent again; nil: it has failed for good.
    var dueAt: Timestamp?
    /// When it was sent last.
    var triedAt: Timestamp
    /// The last response's; nil if there was none.
    var status: Int?

    /// It is listed until then; nil unless it has failed for good.
    var keptUntil: Timestamp? { dueAt == nil ? triedAt.advanced(byMilliseconds: Self.lifetimeMilliseconds) : nil }
}

// Its record.
extension ParkedDelivery {
    /// What the ids of an endpoint's parked deliveries begin with.
    static func prefix(of webhook: String) -> String { webhook + "." }

    /// Id of its record; in the order of the feed.
    static func recordID(_ key: DeliveryKey, of webhook: String) -> String {
        prefix(of: webhook) + key.cursor
    }

    /// The endpoint that a record's id names.
    static func webhook(of record: StoredRecord) -> String { String(record.id.prefix { $0 != "." }) }

    /// Nil for a record that cannot be read.
    init?(_ record: StoredRecord) {
        let parts = record.id.split(separator: ".", maxSplits: 2)
        guard parts.count == 3, let number = UInt64(parts[1], radix: 16), let value = try? JSONReader.read(record.content),
            var fields = try? JSONFields(value)
        else { return nil }
        do throws(JSONError) {
            guard let room = RoomID(try fields.string("room")) else { return nil }
            self.init(
                key: DeliveryKey(number: Int64(bitPattern: number), type: String(parts[2])), room: room,
                seq: try fields.int("seq"), hash: UInt64(try fields.string("hash"), radix: 16) ?? 0,
                attempts: try fields.int("attempts"), dueAt: try fields.storedTime("dueAt"),
                triedAt: try fields.storedTime("triedAt") ?? Timestamp(milliseconds: 0),
                status: try fields.optionalInt("status"))
        } catch { return nil }
    }

    /// The change that writes it.
    func change(of webhook: String) -> RecordChange {
        var json = JSONWriter()
        json.object { json in
            json.member("room", room)
            json.member("seq", seq)
            json.member("hash", hash.hexadecimal)
            json.member("attempts", attempts)
            json.member("dueAt", (dueAt?.milliseconds).map { Int($0) })
            json.member("triedAt", Int(triedAt.milliseconds))
            json.member("status", status)
        }
        return .put(Self.recordKind, Self.recordID(key, of: webhook), json.bytes, expiresAt: keptUntil)
    }
}

/// The deliveries of an endpoint that are to be repeated, by the time when they are due.
struct ParkedDeliveries {
    private struct Due {
        let at: Timestamp
        let key: DeliveryKey
    }

    private var all: [DeliveryKey: ParkedDelivery] = [:]
    /// The earliest last.
    private var due: [Due] = []
    /// Those that are in flight; they are not in `due`.
    private var taken: Set<DeliveryKey> = []

    init(_ deliveries: [ParkedDelivery]) {
        for delivery in deliveries where delivery.dueAt != nil { all[delivery.key] = delivery }
        due = all.values.compactMap { delivery in delivery.dueAt.map { Due(at: $0, key: delivery.key) } }
        due.sort { ($1.at, $1.key) < ($0.at, $0.key) }
    }

    var count: Int { all.count }

    subscript(key: DeliveryKey) -> ParkedDelivery? { all[key] }

    /// The one that is due first, if it is due now. It stays parked, and is not given again until `park`.
    mutating func takeDue(at now: Timestamp) -> ParkedDelivery? {
        guard let first = due.last, first.at <= now else { return nil }
        due.removeLast()
        taken.insert(first.key)
        return all[first.key]
    }

    /// Adds one with a time, or one that was taken; one without a time is to be repeated no more.
    mutating func park(_ delivery: ParkedDelivery) {
        remove(delivery.key)
        guard let at = delivery.dueAt else { return }
        all[delivery.key] = delivery
        var (low, high) = (0, due.count)
        while low < high {
            let middle = (low + high) / 2
            if (due[middle].at, due[middle].key) > (at, delivery.key) { low = middle + 1 } else { high = middle }
        }
        due.insert(Due(at: at, key: delivery.key), at: low)
    }

    /// Adds one that is in flight: it is not given until `park`.
    mutating func parkTaken(_ delivery: ParkedDelivery) {
        all[delivery.key] = delivery
        taken.insert(delivery.key)
    }

    /// Forgets one, wherever it is.
    mutating func remove(_ key: DeliveryKey) {
        guard all.removeValue(forKey: key) != nil, taken.remove(key) == nil else { return }
        due.removeAll { $0.key == key }
    }
}
