package import AuctionDomain

/// One event as stored: the public bytes that every transport sends, and the private bytes that are never sent.
package struct StoredEvent: Hashable, Sendable {
    /// Position in the room's history: 1, 2, 3 … without gaps.
    package let seq: Int
    /// When the event happened, by the service's clock.
    package let at: Timestamp
    /// The event's type on the wire, such as `bid.placed`.
    package let type: String
    /// The whole public envelope as UTF-8 JSON: `{"seq","type","at","round","data"}`.
    package let publicBytes: [UInt8]
    /// Confidential fields as a UTF-8 JSON object; nil if the event has none.
    package let privateBytes: [UInt8]?
    /// SHA-256 chained over the room's history up to and including this event (`EventCodec.chain`).
    package let hash: EventHash
    /// Whether a nickname in the bytes was replaced after the event was committed: `hash` is then that of the bytes before, and an event of the
    /// erasure (`MemberErased`) names the digest of these.
    package let isErased: Bool

    package init(
        seq: Int, at: Timestamp, type: String, publicBytes: [UInt8], privateBytes: [UInt8]?, hash: EventHash,
        isErased: Bool = false
    ) {
        self.seq = seq
        self.at = at
        self.type = type
        self.publicBytes = publicBytes
        self.privateBytes = privateBytes
        self.hash = hash
        self.isErased = isErased
    }
}

extension StoredEvent {
    /// Size of the public and the private bytes together.
    package var byteCount: Int { publicBytes.count + (privateBytes?.count ?? 0) }
}

extension RandomAccessCollection<StoredEvent> {
    /// The longest prefix of at most `limit` bytes in total (`byteCount`), but at least the first event.
    package func prefix(bytes limit: Int) -> SubSequence {
        var left = limit
        var end = startIndex
        while end < endIndex {
            left -= self[end].byteCount
            if left < 0, end > startIndex { break }
            formIndex(after: &end)
            if left < 0 { break }
        }
        return self[..<end]
    }
}

/// A SHA-256 digest of a room's history; 32 bytes stored without a heap allocation.
package struct EventHash: Hashable, Sendable {
    /// The digest as four 64-bit words, most significant first.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// The predecessor hash of a room's first event.
    package static let zero = EventHash(words: (0, 0, 0, 0))

    /// The first 64 bits, stored in `RoomHead`: together with `seq` they identify a history.
    package var headHash: UInt64 { words.0 }

    /// The digest's 32 bytes, most significant first.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
        }
        return bytes
    }

    /// Creates a hash from 32 bytes, most significant first; nil for any other count.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        func word(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        words = (word(0), word(8), word(16), word(24))
    }

    package static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// The position and hash of a room's last event. Two histories with the same head are the same history.
package struct RoomHead: Hashable, Sendable {
    /// Sequence number of the last event; 0 for a room that does not exist.
    package let seq: Int
    /// `EventHash.headHash` of that event; 0 for a room that does not exist.
    package let headHash: UInt64

    package init(seq: Int, headHash: UInt64) { (self.seq, self.headHash) = (seq, headHash) }

    /// The head of a room that does not exist.
    package static let none = RoomHead(seq: 0, headHash: 0)
}
