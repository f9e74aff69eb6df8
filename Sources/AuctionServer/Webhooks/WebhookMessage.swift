internal import AuctionDomain
internal import Cryptography
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

/// A message to an endpoint, as Standard Webhooks describes it.
struct WebhookMessage: Sendable {
    /// Bytes that a body stays below.
    static let byteLimit = 20_000

    /// The same for every attempt to deliver it.
    let id: String
    let body: [UInt8]

    init(id: String, body: [UInt8]) { (self.id, self.body) = (id, body) }

    /// An event of a room.
    init(_ event: StoredEvent, of room: RoomID, to webhook: String) {
        id = Self.id(of: event.seq, event.hash.headHash, event.type, in: room, to: webhook)
        body = Self.body(event, of: room)
    }

    /// Tells an operator whether an endpoint can be reached.
    static func test(_ id: String, of webhook: Webhook, at now: Timestamp) -> WebhookMessage {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "webhook.test")
            json.member("timestamp", now)
            json.member("data", object: { $0.member("webhook", webhook.id) })
        }
        return WebhookMessage(id: id, body: json.bytes)
    }

    /// The id of an event's message, which follows from what it names: so it is the same whichever node sends it, and after a crash.
    /// - Parameter hash: `EventHash.headHash` of the event: another event with that number, after an older backup was restored, has another id.
    static func id(of seq: Int, _ hash: UInt64, _ type: String, in room: RoomID, to webhook: String) -> String {
        "msg_" + SHA256.hash("\(webhook) \(room) \(seq) \(hash.hexadecimal) \(type)").prefix(16).hexadecimal
    }

    /// The signatures by these keys, over id, time and body.
    func signature(at seconds: Int64, keys: [[UInt8]]) -> String {
        let signed = Array("\(id).\(seconds).".utf8) + body
        return keys.map { "v1," + Base64.encode(Array(HMACSHA256(key: $0).code(for: signed))) }.joined(separator: " ")
    }

    // MARK: - The body

    private static func body(_ event: StoredEvent, of room: RoomID) -> [UInt8] {
        let whole = body(event, of: room, event.publicBytes, isTruncated: false)
        guard whole.count >= byteLimit else { return whole }
        // An event of this service is an object, and can be read.
        let value = (try? JSONReader.read(event.publicBytes, limits: .trusted(depth: 64))) ?? .object([])
        var shorter = JSONWriter(reserving: byteLimit)
        shorter.value(value.withoutDescriptions)
        let truncated = body(event, of: room, shorter.bytes, isTruncated: true)
        guard truncated.count >= byteLimit else { return truncated }
        // A list that is too long by itself; the receiver reads the event from the room or the feed.
        var envelope = JSONWriter()
        envelope.object { json in
            json.member("seq", event.seq)
            json.member("type", event.type)
            json.member("at", event.at)
        }
        return body(event, of: room, envelope.bytes, isTruncated: true)
    }

    private static func body(_ event: StoredEvent, of room: RoomID, _ bytes: [UInt8], isTruncated: Bool) -> [UInt8] {
        var json = JSONWriter(reserving: bytes.count + 192)
        json.object { json in
            json.member("type", event.type)
            json.member("timestamp", event.at)
            json.member(
                "data",
                object: { json in
                    json.member("room", room)
                    json.name("event")
                    json.raw(bytes)
                })
            if isTruncated { json.member("truncated", true) }
        }
        return json.bytes
    }
}

extension JSONValue {
    /// Without the members that have the longest texts: descriptions of items.
    fileprivate var withoutDescriptions: JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.filter { $0.name != "description" }.map {
                    JSONMember(name: $0.name, value: $0.value.withoutDescriptions)
                })
        case .array(let elements): .array(elements.map(\.withoutDescriptions))
        default: self
        }
    }
}
