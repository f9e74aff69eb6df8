public import AuctionDomain
internal import Crypto
public import ExactJSON

/// Encodes events into the bytes that are stored and sent, and decodes them.
///
/// The public part is encoded once and sent unchanged; confidential fields go into a separate private part that streams never
/// read. Unknown fields in stored events are ignored, because other versions of the program may have written them.
public enum EventCodec {
    /// Encodes one event and chains its hash to `previous`, the hash of the event before it (`.zero` for the first).
    public static func encode(_ event: Event, currency: Currency, after previous: EventHash) -> StoredEvent {
        let type = event.body.type
        var json = JSONWriter(reserving: 512)
        json.object { json in
            json.member("seq", event.seq)
            json.member("type", type)
            json.member("at", event.at)
            json.member("round", event.round)
            json.member("data", object: { event.body.write(to: &$0, currency: currency) })
        }
        let secret = event.body.privateBytes(in: currency)
        return StoredEvent(
            seq: event.seq, at: event.at, type: type, publicBytes: json.bytes, privateBytes: secret,
            hash: chain(previous, publicBytes: json.bytes, privateBytes: secret))
    }

    /// Encodes consecutive events, chained to each other and to `previous`.
    public static func encode(_ events: [Event], currency: Currency, after previous: EventHash) -> [StoredEvent] {
        var hash = previous
        return events.map { event in
            let stored = encode(event, currency: currency, after: hash)
            hash = stored.hash
            return stored
        }
    }

    /// SHA-256 over the previous hash, the length of the public part in bytes (64 bits, big-endian), and both parts.
    public static func chain(_ previous: EventHash, publicBytes: [UInt8], privateBytes: [UInt8]?) -> EventHash {
        var prefix = (
            previous.words.0.bigEndian, previous.words.1.bigEndian, previous.words.2.bigEndian,
            previous.words.3.bigEndian, UInt64(publicBytes.count).bigEndian
        )
        var hasher = SHA256()
        // Safe: five plain words, read as the 40 bytes that they are, during the call.
        unsafe withUnsafeBytes(of: &prefix) { unsafe hasher.update(bufferPointer: $0) }
        hasher.update(data: publicBytes)
        if let privateBytes { hasher.update(data: privateBytes) }
        // Safe: a SHA-256 digest is 32 bytes, so four unaligned loads stay inside it.
        let words = unsafe hasher.finalize().withUnsafeBytes { digest in
            (
                unsafe digest.loadUnaligned(as: UInt64.self), unsafe digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                unsafe digest.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
                unsafe digest.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            )
        }
        return EventHash(words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian))
    }

    /// Decodes the event that follows `room` (nil: the first event of the room).
    /// - Throws: `JSONError` if the bytes are not an event that this or an older version wrote.
    public static func decode(_ stored: StoredEvent, after room: Room?) throws(JSONError) -> Event {
        var envelope = try JSONFields(try JSONReader.read(stored.publicBytes, maximumDepth: 64))
        var secret: JSONFields?
        if let bytes = stored.privateBytes { secret = try JSONFields(try JSONReader.read(bytes, maximumDepth: 64)) }
        let round = try envelope.int("round")
        let seq = try envelope.int("seq")
        let at = try envelope.timestamp("at")
        let decoder = EventBodyDecoder(
            type: try envelope.string("type"), currency: room?.currency, beginsRound: round > room?.round ?? round)
        return Event(seq: seq, at: at, round: round, body: try decoder.body(try envelope.object("data"), secret))
    }
}
