package import AuctionDomain
internal import Cryptography
package import ExactJSON

/// Encodes events into the bytes that are stored and sent, and decodes them.
///
/// The public part is encoded once and sent unchanged; confidential fields go into a separate private part that streams never
/// read. Unknown fields in stored events are ignored, because a newer version of the program may have written them.
package enum EventCodec {
    /// Encodes one event and chains its hash to `previous`, the hash of the event before it (`.zero` for the first).
    package static func encode(_ event: Event, currency: Currency, after previous: EventHash) -> StoredEvent {
        let (publicBytes, privateBytes) = EventEncoder.encode(event, currency)
        return StoredEvent(
            seq: event.seq, at: event.at, type: event.body.type, publicBytes: publicBytes, privateBytes: privateBytes,
            hash: chain(previous, publicBytes: publicBytes, privateBytes: privateBytes))
    }

    /// Encodes consecutive events, chained to each other and to `previous`.
    package static func encode(_ events: [Event], currency: Currency, after previous: EventHash) -> [StoredEvent] {
        var hash = previous
        return events.map { event in
            let stored = encode(event, currency: currency, after: hash)
            hash = stored.hash
            return stored
        }
    }

    /// SHA-256 over the previous hash, the length of the public part in bytes (64 bits, big-endian), and both parts.
    package static func chain(_ previous: EventHash, publicBytes: [UInt8], privateBytes: [UInt8]?) -> EventHash {
        var prefix = (
            previous.words.0.bigEndian, previous.words.1.bigEndian, previous.words.2.bigEndian,
            previous.words.3.bigEndian, UInt64(publicBytes.count).bigEndian
        )
        var hasher = SHA256()
        // SAFETY: five plain words, read as the 40 bytes that they are, during the call.
        unsafe withUnsafeBytes(of: &prefix) { unsafe hasher.update(bufferPointer: $0) }
        hasher.update(data: publicBytes)
        if let privateBytes { hasher.update(data: privateBytes) }
        return EventHash(words: hasher.finalize().words)
    }

    /// Digest of an event's bytes alone, as `chain` makes it of those of a first event.
    package static func digest(publicBytes: [UInt8], privateBytes: [UInt8]?) -> EventHash {
        chain(.zero, publicBytes: publicBytes, privateBytes: privateBytes)
    }

    /// Decodes the event that follows `room` (nil: the first event of the room).
    /// - Throws: `JSONError` if the bytes are not an event.
    package static func decode(_ stored: StoredEvent, after room: Room?) throws(JSONError) -> Event {
        try decode(stored, afterRound: room?.round, in: room?.currency)
    }

    /// The time in an event's public bytes; nil if they have none that can be read.
    package static func instant(in publicBytes: [UInt8]) -> Timestamp? {
        guard var envelope = try? JSONFields(JSONReader.read(publicBytes, maximumDepth: 64)) else { return nil }
        return try? Timestamp.read("at", &envelope, .cny)
    }

    /// Decodes an event of a room.
    /// - Parameters:
    ///   - last: The round of the event before it; nil for the first event.
    ///   - currency: The room's; nil for the first event.
    static func decode(_ stored: StoredEvent, afterRound last: Int?, in currency: Currency?) throws(JSONError) -> Event {
        var envelope = try JSONFields(try JSONReader.read(stored.publicBytes, maximumDepth: 64))
        var hidden: JSONFields?
        if let bytes = stored.privateBytes { hidden = try JSONFields(try JSONReader.read(bytes, maximumDepth: 64)) }
        let (round, seq, at) = (try envelope.int("round"), try envelope.int("seq"), try Timestamp.read("at", &envelope, .cny))
        let type = try envelope.string("type")
        guard let example = EventExamples.byType[type] else {
            throw JSONError(.invalidField, field: "type", "There is no event type \"\(type)\".")
        }
        // Only the first event, which has no amounts, may have no currency.
        guard let currency = currency ?? (type == EventType.roomOpened ? .cny : nil) else {
            throw JSONError(.invalidField, "The event \(type) precedes room.opened.")
        }
        var decoder = EventDecoder(
            data: try envelope.object("data"), hidden: hidden, currency: currency, beginsRound: round > last ?? round)
        return Event(seq: seq, at: at, round: round, body: try example.passed(through: &decoder))
    }
}
