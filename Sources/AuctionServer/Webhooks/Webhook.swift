internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

/// An endpoint of the operator's that the events of rooms are sent to.
struct Webhook: Hashable, Sendable {
    /// Kind of its record.
    static let recordKind = "webhook"
    /// The record that every creation writes anew.
    static let creations = (kind: "webhooks", id: "creations")
    /// What its id begins with; the rest are 32 hexadecimal digits.
    static let prefix = "webhook_"
    /// Longest description, in characters.
    static let descriptionLimit = 200
    /// Most records of a kind that are read at once; more endpoints than an operator can allow.
    static let readLimit = 1000

    let id: String
    var url: String
    /// The events that it gets.
    var filter: FeedFilter
    var description: String?
    let createdAt: Timestamp
    var secrets: WebhookSecrets
    /// Nil: it gets events.
    var pause: WebhookPause?
}

/// Why and since when an endpoint gets no events.
struct WebhookPause: Hashable, Sendable {
    enum Reason: String, CaseIterable, Sendable {
        /// An operator has paused it.
        case byOperator = "operator"
        /// It responded with 410.
        case gone
        /// No delivery succeeded for five days.
        case failing
        /// The log is not the one that its position belongs to.
        case cursorGone = "cursor_gone"
    }

    let reason: Reason
    let at: Timestamp
}

/// The keys that messages to an endpoint are signed with.
struct WebhookSecrets: Hashable, Sendable {
    /// What the text of every secret begins with; the rest is base64.
    static let prefix = "whsec_"
    /// Bytes of a secret.
    static let byteCount = 32
    /// How long messages are signed with a key that was replaced too, in milliseconds: a day.
    static let overlapMilliseconds: Int64 = 86_400_000
    /// Most keys that sign beside the current one. Each adds a signature to every message.
    static let replacedLimit = 4

    /// A key that was replaced.
    struct Replaced: Hashable, Sendable {
        let key: [UInt8]
        /// It does not sign from then on.
        let until: Timestamp
    }

    /// As many keys that were replaced sign as may.
    struct TooMany: Error {
        /// When the oldest of them ends.
        let until: Timestamp
    }

    private(set) var current: [UInt8]
    /// The newest first; those that have ended are left out at the next rotation.
    private(set) var replaced: [Replaced]

    init(_ current: [UInt8], replaced: [Replaced] = []) { (self.current, self.replaced) = (current, replaced) }

    /// Replaces the key; each that was replaced goes on signing for a day.
    mutating func rotate(to key: [UInt8], at now: Timestamp) throws(TooMany) {
        let signing = replaced.filter { now < $0.until }
        if signing.count >= Self.replacedLimit, let oldest = signing.last { throw TooMany(until: oldest.until) }
        replaced = [Replaced(key: current, until: now.advanced(byMilliseconds: Self.overlapMilliseconds))] + signing
        current = key
    }

    /// The keys that a message is signed with, the newest first.
    func keys(at now: Timestamp) -> [[UInt8]] { [current] + replaced.filter { now < $0.until }.map(\.key) }

    /// The current key as the operator gets it.
    var text: String { Self.prefix + Base64.encode(current) }
}

// Its record.
extension Webhook {
    /// Nil for a record that cannot be read: such an endpoint gets no events.
    init?(_ record: StoredRecord) {
        guard let value = try? JSONReader.read(record.content), var fields = try? JSONFields(value) else { return nil }
        do throws(JSONError) {
            guard let current = Base64URL.decode(try fields.string("secret").utf8) else { return nil }
            self.init(
                id: record.id, url: try fields.string("url"),
                filter: FeedFilter(types: try fields.texts("types"), rooms: try fields.texts("rooms")),
                description: try fields.optionalString("description"),
                createdAt: try fields.storedTime("createdAt") ?? Timestamp(milliseconds: 0),
                secrets: WebhookSecrets(current, replaced: try Self.replacedSecrets(&fields)),
                pause: nil)
            if let at = try fields.storedTime("pausedAt"), let reason = try fields.optionalString("pauseReason") {
                // A reason of a later version still means a pause.
                pause = WebhookPause(reason: WebhookPause.Reason(rawValue: reason) ?? .byOperator, at: at)
            }
        } catch { return nil }
    }

    private static func replacedSecrets(_ fields: inout JSONFields) throws(JSONError) -> [WebhookSecrets.Replaced] {
        guard let elements = try fields.optionalArray("replacedSecrets") else { return [] }
        return elements.compactMap { element in
            guard var fields = try? JSONFields(element),
                let key = (try? fields.string("secret")).flatMap({ Base64URL.decode($0.utf8) }),
                let until = try? fields.storedTime("until")
            else { return nil }
            return WebhookSecrets.Replaced(key: key, until: until)
        }
    }

    var recordContent: [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.object { json in
            json.member("url", url)
            json.member("types", strings: filter.types.sorted())
            json.member("rooms", strings: filter.rooms.sorted())
            json.member("description", description)
            json.member("createdAt", Int(createdAt.milliseconds))
            json.member("secret", Base64URL.encode(secrets.current))
            json.member("replacedSecrets", each: secrets.replaced) { replaced, json in
                json.object { json in
                    json.member("secret", Base64URL.encode(replaced.key))
                    json.member("until", Int(replaced.until.milliseconds))
                }
            }
            json.member("pauseReason", pause?.reason.rawValue)
            json.member("pausedAt", (pause?.at.milliseconds).map { Int($0) })
        }
        return json.bytes
    }

    /// The change that writes it.
    func change(if expected: ExpectedRecord) -> RecordChange { .put(Self.recordKind, id, recordContent, if: expected) }
}

extension JSONFields {
    /// The texts of an array; others are left out.
    fileprivate mutating func texts(_ name: String) throws(JSONError) -> Set<String> {
        Set(
            try array(name).compactMap { value in
                guard case .string(let text) = value else { return nil }
                return text
            })
    }

    /// A time in milliseconds, as records have it; nil if absent or null.
    mutating func storedTime(_ name: String) throws(JSONError) -> Timestamp? {
        try optionalInt(name).map { Timestamp(milliseconds: Int64($0)) }
    }
}
