internal import AuctionDomain
internal import Cryptography
internal import ExactJSON

/// What a field of an event may be, as the member `name` of a JSON object.
protocol EventValue {
    /// Its schema in the contract's short form.
    static var schema: String { get }
    func write(_ name: StaticString, _ json: inout JSONWriter, _ currency: Currency)
    /// - Throws: `JSONError` if the member is missing or malformed.
    static func read(_ name: String, _ fields: inout JSONFields, _ currency: Currency) throws(JSONError) -> Self
}

/// Null for nil; nil if absent or null.
extension Optional: EventValue where Wrapped: EventValue {
    static var schema: String { Wrapped.schema + "?" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _ currency: Currency) {
        if let self { self.write(name, &json, currency) } else { json.member(name, String?.none) }
    }

    static func read(_ name: String, _ fields: inout JSONFields, _ currency: Currency) throws(JSONError) -> Self {
        fields.isAbsent(name) ? nil : try Wrapped.read(name, &fields, currency)
    }
}

/// A raw value; reading refuses an unknown one.
struct EventWord<Word: RawRepresentable<String>>: EventValue {
    let word: Word

    @inline(__always)
    func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) { json.member(name, word.rawValue) }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        let text = try fields.string(name)
        guard let word = Word(rawValue: text) else { throw fields.invalid(name, "has the unknown value \"\(text)\"") }
        return Self(word: word)
    }
}

extension String: EventValue {
    static var schema: String { "text" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) { json.member(name, self) }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        try fields.string(name)
    }
}

extension Int: EventValue {
    static var schema: String { "integer" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) { json.member(name, self) }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self { try fields.int(name) }
}

extension Bool: EventValue {
    static var schema: String { "boolean" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) { json.member(name, self) }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        try fields.bool(name)
    }
}

extension Identifier: EventValue {
    static var schema: String { Kind.prefix.prefix(1).uppercased() + Kind.prefix.dropFirst().dropLast() + "Id" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) { json.member(name, self) }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        try fields.identifier(name)
    }
}

extension Timestamp: EventValue {
    static var schema: String { "Time" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) { json.member(name, self) }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        guard let instant = Timestamp(rfc3339: try fields.string(name)) else {
            throw fields.invalid(name, "must be a time such as 2026-11-21T08:30:00.000Z")
        }
        return instant
    }
}

extension Person {
    /// The `kind` of programs of the operator; persons have none.
    package static let operatorKind = "operator"
}

/// `{"id","nickname"}`.
extension Person: EventValue {
    static var schema: String { "Person" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) { json.member(name, self) }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        var fields = try fields.object(name)
        // Persons have no kind.
        if fields.has("kind") {
            guard try fields.string("kind") == operatorKind else { throw fields.invalid("kind", "is unknown") }
            guard let id = UserID.ofServiceToken(try fields.string("id")) else {
                throw fields.invalid("id", "must be the id of a service token")
            }
            return Person(id: id, nickname: try fields.string("nickname"))
        }
        return Person(id: try fields.identifier("id"), nickname: try fields.string("nickname"))
    }
}

extension Money: EventValue {
    static var schema: String { "Amount" }

    @inline(__always)
    func write(_ name: StaticString, _ json: inout JSONWriter, _ currency: Currency) { json.member(name, self, in: currency) }
    static func read(_ name: String, _ fields: inout JSONFields, _ currency: Currency) throws(JSONError) -> Self {
        try fields.money(name, in: currency)
    }
}

extension Currency: EventValue {
    static var schema: String { "CurrencyCode" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) { json.member(name, code) }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        guard let currency = Currency(code: try fields.string(name)) else {
            throw fields.invalid(name, "must be an ISO 4217 code")
        }
        return currency
    }
}

extension Increment: EventValue {
    static var schema: String { "Increment" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _ currency: Currency) {
        json.member(name, object: { write(to: &$0, currency: currency) })
    }
    static func read(_ name: String, _ fields: inout JSONFields, _ currency: Currency) throws(JSONError) -> Self {
        try Increment(try fields.object(name), currency: currency)
    }
}

/// Without the reserve price, which is private.
extension AuctionRules: EventValue {
    static var schema: String { "PublicRules" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _ currency: Currency) {
        json.name(name)
        json.rules(self, in: currency)
    }
    static func read(_ name: String, _ fields: inout JSONFields, _ currency: Currency) throws(JSONError) -> Self {
        try AuctionRules(try fields.object(name), currency: currency)
    }
}

/// Without the reserve price, which is private.
extension AuctionItem: EventValue {
    static var schema: String { "PublicItem" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _ currency: Currency) {
        json.name(name)
        json.item(self, in: currency)
    }
    static func read(_ name: String, _ fields: inout JSONFields, _ currency: Currency) throws(JSONError) -> Self {
        var fields = try fields.object(name)
        let media = try fields.optionalArray("media") ?? []
        return AuctionItem(
            id: try fields.identifier("id"), name: try fields.string("name"), description: try fields.string("description"),
            media: try fields.strings(in: media, "media"), estimate: try fields.estimate(in: currency),
            condition: try fields.optionalString("condition"), owner: try .read("owner", &fields, currency),
            rules: try .read("rules", &fields, currency))
    }
}

extension [BidID]: EventValue {
    static var schema: String { "{BidId}" }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) {
        json.member(name, strings: lazy.map(\.description))
    }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        var ids: [BidID] = []
        let elements = try fields.array(name)
        for text in try fields.strings(in: elements, name) {
            guard let id = BidID(text) else { throw fields.invalid(name, "must be ids of bids") }
            ids.append(id)
        }
        return ids
    }
}

/// A text for each: the sequence number and the digest.
struct RewrittenEvents: EventValue {
    let all: [RewrittenEvent]
    static var schema: String { "{text}" }

    func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) {
        json.member(name, strings: all.lazy.map { "\($0.seq) \($0.digest)" })
    }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        var events: [RewrittenEvent] = []
        let elements = try fields.array(name)
        for text in try fields.strings(in: elements, name) {
            let parts = text.split(separator: " ")
            guard parts.count == 2, let seq = Int(parts[0]) else { throw fields.invalid(name, "must be numbers with digests") }
            events.append(RewrittenEvent(seq: seq, digest: String(parts[1])))
        }
        return Self(all: events)
    }
}

/// 32 hexadecimal digits. The published hash is the SHA-256 of that text.
extension DrawSeed: EventValue {
    static var schema: String { #"{"type": "string", "pattern": "^[0-9a-f]{32}$"}"# }
    private var text: String { bits.hexadecimal }
    var hash: String { SHA256.hash(text).hexadecimal }

    @inline(__always) func write(_ name: StaticString, _ json: inout JSONWriter, _: Currency) { json.member(name, text) }
    static func read(_ name: String, _ fields: inout JSONFields, _: Currency) throws(JSONError) -> Self {
        let text = try fields.string(name)
        guard text.utf8.count == 32, let bits = UInt128(text, radix: 16) else {
            throw fields.invalid(name, "must be 32 hexadecimal digits")
        }
        return Self(bits: bits)
    }
}

extension JSONFields {
    fileprivate func strings(in elements: [JSONValue], _ name: String) throws(JSONError) -> [String] {
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else { throw invalid(name, "must be an array of strings") }
            texts.append(text)
        }
        return texts
    }
}
