public import AuctionDomain

/// One event as the log keeps it: the bytes that every transport sends, and beside them what no stream may read.
public struct StoredEvent: Hashable, Sendable {
    /// Place in the room's history: 1, 2, 3 … without gaps.
    public let seq: Int
    public let at: Timestamp
    /// The event's type on the wire, such as `bid.placed`.
    public let type: String
    /// The whole public envelope as UTF-8 JSON: `{"seq","type","at","round","data"}`.
    public let publicBytes: [UInt8]
    /// What must stay hidden, as UTF-8 JSON; nil when the event hides nothing.
    public let privateBytes: [UInt8]?
    /// Chained over the room's history up to and including this event.
    public let hash: EventHash

    public init(
        seq: Int, at: Timestamp, type: String, publicBytes: [UInt8], privateBytes: [UInt8]?, hash: EventHash
    ) {
        self.seq = seq
        self.at = at
        self.type = type
        self.publicBytes = publicBytes
        self.privateBytes = privateBytes
        self.hash = hash
    }
}

extension StoredEvent {
    /// What it takes up: both envelopes.
    public var byteCount: Int { publicBytes.count + (privateBytes?.count ?? 0) }
}

extension RandomAccessCollection<StoredEvent> {
    /// The first events that have so many bytes together at most; the first one in any case.
    public func prefix(bytes limit: Int) -> SubSequence {
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

/// A SHA-256 digest of the room's history; 32 bytes held without a heap allocation.
public struct EventHash: Hashable, Sendable {
    public let words: (UInt64, UInt64, UInt64, UInt64)

    public init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// What the first event of a room is chained to.
    public static let zero = EventHash(words: (0, 0, 0, 0))

    /// The first 64 bits: with `seq` they name one history.
    public var tip: UInt64 { words.0 }

    /// The digest's 32 bytes, most significant first.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
        }
        return bytes
    }

    /// Reads 32 bytes; nil for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, byte) in bytes.enumerated() { words[index / 8] = words[index / 8] << 8 | UInt64(byte) }
        self.words = (words[0], words[1], words[2], words[3])
    }

    public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// How far a room's history goes: two histories with the same head are the same history.
public struct RoomHead: Hashable, Sendable {
    /// The seq of the last event; 0 for a room that does not exist.
    public let seq: Int
    /// `EventHash.tip` of that event; 0 for a room that does not exist.
    public let tip: UInt64

    public init(seq: Int, tip: UInt64) {
        self.seq = seq
        self.tip = tip
    }

    /// The head of a room that does not exist.
    public static let none = RoomHead(seq: 0, tip: 0)
}
