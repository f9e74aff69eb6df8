internal import AuctionDomain
internal import ExactJSON

/// Passes the fields of an event, in the order of their bytes. `EventEncoder` writes the values that it is given and returns them,
/// `EventDecoder` returns those that it reads: one description of a kind's fields serves both.
protocol EventFields: ~Copyable {
    /// `Never` for writing.
    associatedtype Failure: Error

    /// A public field; nil is null.
    mutating func callAsFunction<Value: EventValue>(_ name: StaticString, _ value: Value) throws(Failure) -> Value
    /// A public field that is omitted if it is nil.
    mutating func optional<Value: EventValue>(_ name: StaticString, _ value: Value?) throws(Failure) -> Value?
    /// A field of the private part. Reading fails if the event has no private part; null is nil.
    mutating func secret<Value: EventValue>(_ name: StaticString, _ value: Value) throws(Failure) -> Value
    /// A field of the private part that is omitted if it is nil.
    mutating func optionalSecret<Value: EventValue>(_ name: StaticString, _ value: Value?) throws(Failure) -> Value?
    /// Whether the event begins its round: not a field, but a comparison with the room's round.
    func beginsRound(_ value: Bool) -> Bool
}

extension EventFields where Self: ~Copyable {
    /// A public field with one of an enumeration's raw values.
    @inline(__always)
    mutating func word<Word: RawRepresentable<String>>(_ name: StaticString, _ word: Word) throws(Failure) -> Word {
        try self(name, EventWord(word: word)).word
    }
}

/// Writes one event: its public bytes, and its private part if it has one.
struct EventEncoder: ~Copyable, EventFields {
    private let currency: Currency
    private var json = JSONWriter(reserving: 512)
    /// The private part; nil without a secret field, as in most events.
    private var hidden: JSONWriter?

    static func encode(_ event: Event, _ currency: Currency) -> (publicBytes: [UInt8], privateBytes: [UInt8]?) {
        var encoder = EventEncoder(currency: currency)
        encoder.json.beginObject()
        encoder.json.member("seq", event.seq)
        encoder.json.member("type", event.body.type)
        encoder.json.member("at", event.at)
        encoder.json.member("round", event.round)
        encoder.json.name("data")
        encoder.json.beginObject()
        _ = event.body.passed(through: &encoder)
        encoder.json.endObject()
        encoder.json.endObject()
        encoder.hidden?.endObject()
        return (encoder.json.bytes, encoder.hidden?.bytes)
    }

    @inline(__always) mutating func callAsFunction<Value: EventValue>(_ name: StaticString, _ value: Value) -> Value {
        value.write(name, &json, currency)
        return value
    }

    @inline(__always) mutating func optional<Value: EventValue>(_ name: StaticString, _ value: Value?) -> Value? {
        value?.write(name, &json, currency)
        return value
    }

    @inline(__always) mutating func secret<Value: EventValue>(_ name: StaticString, _ value: Value) -> Value {
        var part: JSONWriter
        if let begun = hidden.take() {
            part = begun
        } else {
            part = JSONWriter(reserving: 128)
            part.beginObject()
        }
        value.write(name, &part, currency)
        hidden = consume part
        return value
    }

    @inline(__always) mutating func optionalSecret<Value: EventValue>(_ name: StaticString, _ value: Value?) -> Value? {
        value.map { secret(name, $0) }
    }

    func beginsRound(_ value: Bool) -> Bool { value }
}

/// Reads the members of one event's `data` and of its private part.
struct EventDecoder: EventFields {
    var data: JSONFields
    var hidden: JSONFields?
    let currency: Currency
    let beginsRound: Bool

    mutating func callAsFunction<Value: EventValue>(_ name: StaticString, _: Value) throws(JSONError) -> Value {
        try .read(name.description, &data, currency)
    }

    mutating func optional<Value: EventValue>(_ name: StaticString, _: Value?) throws(JSONError) -> Value? {
        try .read(name.description, &data, currency)
    }

    mutating func secret<Value: EventValue>(_ name: StaticString, _ value: Value) throws(JSONError) -> Value {
        guard var fields = hidden.take() else {
            throw JSONError(.missingField, field: name.description, "The private part is missing.")
        }
        defer { hidden = fields }
        return try .read(name.description, &fields, currency)
    }

    mutating func optionalSecret<Value: EventValue>(_ name: StaticString, _ value: Value?) throws(JSONError) -> Value? {
        hidden == nil ? nil : try secret(name, value)
    }

    func beginsRound(_: Bool) -> Bool { beginsRound }
}
