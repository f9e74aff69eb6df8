internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// What came of sending a message to an endpoint.
struct WebhookAnswer: Hashable, Sendable {
    /// Bytes of an answer that are kept.
    static let keptBytes = 500

    enum Kind: Hashable, Sendable {
        case response
        /// No complete response.
        case failure
        /// It was not sent, as too many requests are in flight or the service stops: that says nothing of the endpoint.
        case unsent
        /// The event cannot be read any more.
        case unreadable
    }

    let kind: Kind
    var status: Int?
    /// Why there was no response.
    var error: String?
    /// Asked for by `Retry-After`.
    var retryAfterMilliseconds: Int64?
    /// How long it took, also without a response.
    var milliseconds = 0
    /// The first bytes of an answer that is no 2xx, without control characters.
    var text: String?

    init(_ kind: Kind, error: String? = nil) { (self.kind, self.error) = (kind, error) }

    /// No complete response, after so long.
    init(failure error: String, milliseconds: Int) {
        self.init(.failure, error: error)
        self.milliseconds = milliseconds
    }

    /// A response.
    init(status: Int, retryAfter: String? = nil, date: String? = nil, milliseconds: Int = 0, body: [UInt8] = []) {
        kind = .response
        self.status = status
        self.milliseconds = milliseconds
        retryAfterMilliseconds = RetrySchedule.asked(by: retryAfter, date: date)
        if !isSuccess, !body.isEmpty { text = Self.shown(body) }
    }

    var isSuccess: Bool { status.map { (200..<300).contains($0) } ?? false }

    /// At most `keptBytes` of a text that is valid and has no control characters.
    static func shown(_ body: [UInt8]) -> String {
        let scalars = String(decoding: body.prefix(keptBytes), as: UTF8.self).unicodeScalars
        var (text, bytes) = ("", 0)
        for scalar in scalars {
            bytes += UTF8.width(scalar)
            guard bytes <= keptBytes else { break }
            text.unicodeScalars.append(scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value ? " " : scalar)
        }
        return text
    }
}

/// The last attempts to deliver something to an endpoint.
struct DeliveryLog: Sendable {
    /// Kind of its record, which has the endpoint's id.
    static let recordKind = "webhook-log"
    /// How many it has.
    static let limit = 100

    /// One attempt.
    struct Entry: Hashable, Sendable {
        let at: Timestamp
        let room: String
        let seq: Int
        /// `EventHash.headHash` of the event.
        let hash: UInt64
        let type: String
        let attempt: Int
        let status: Int?
        let milliseconds: Int
        let error: String?
        let answer: String?
    }

    /// The newest last.
    private(set) var entries: [Entry] = []

    init() {}

    mutating func add(_ delivery: WebhookDelivery, _ answer: WebhookAnswer, at now: Timestamp) {
        if entries.count == Self.limit { entries.removeFirst() }
        entries.append(
            Entry(
                at: now, room: delivery.room.description, seq: delivery.seq, hash: delivery.hash, type: delivery.key.type,
                attempt: delivery.attempt, status: answer.status, milliseconds: answer.milliseconds, error: answer.error,
                answer: answer.text))
    }

    // MARK: - Its record

    /// What cannot be read is left out.
    init(_ record: StoredRecord?) {
        guard let record,
            let value = try? JSONReader.read(record.content, limits: .trusted(depth: 4)), var fields = try? JSONFields(value),
            let rows = try? fields.array("entries")
        else { return }
        entries = rows.suffix(Self.limit).compactMap { try? Self.entry($0) }
    }

    private static func entry(_ value: JSONValue) throws(JSONError) -> Entry {
        var fields = try JSONFields(value)
        return Entry(
            at: try fields.storedTime("at") ?? Timestamp(milliseconds: 0), room: try fields.string("room"),
            seq: try fields.int("seq"), hash: UInt64(try fields.string("hash"), radix: 16) ?? 0,
            type: try fields.string("type"), attempt: try fields.int("attempt"), status: try fields.optionalInt("status"),
            milliseconds: try fields.int("milliseconds"),
            error: try fields.optionalString("error"), answer: try fields.optionalString("answer"))
    }

    /// The change that writes it; the oldest entries are left out if all are larger than a record may be.
    func change(of webhook: String) -> RecordChange {
        var first = 0
        while true {
            let bytes = content(from: first)
            if bytes.count <= RecordLimits.contentBytes || first >= entries.count {
                return .put(Self.recordKind, webhook, bytes)
            }
            first += max(1, (entries.count - first) / 8)
        }
    }

    private func content(from first: Int) -> [UInt8] {
        var json = JSONWriter(reserving: 256 * entries.count + 64)
        json.object { json in
            json.member("entries", each: entries[first...]) { entry, json in
                json.object { json in
                    json.member("at", Int(entry.at.milliseconds))
                    json.member("room", entry.room)
                    json.member("seq", entry.seq)
                    json.member("hash", entry.hash.hexadecimal)
                    json.member("type", entry.type)
                    json.member("attempt", entry.attempt)
                    json.member("status", entry.status)
                    json.member("milliseconds", entry.milliseconds)
                    json.member("error", entry.error)
                    json.member("answer", entry.answer)
                }
            }
        }
        return json.bytes
    }
}
