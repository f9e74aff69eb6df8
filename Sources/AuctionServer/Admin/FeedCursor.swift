internal import AuctionDomain
internal import EventLog

/// A position in the feed, as clients keep it: 48 hexadecimal digits, 64 once rooms were pruned, 80 after the first notice, which mean
/// nothing to them.
struct FeedCursor: Hashable, Sendable {
    /// The log that the position is in.
    let feed: UInt64
    let position: FeedPosition
    /// Where the reader is among the notices.
    let notice: NoticePosition

    init(feed: UInt64, position: FeedPosition, notice: NoticePosition = .beginning) {
        (self.feed, self.position, self.notice) = (feed, position, notice)
    }

    /// Nil for a text that is no cursor.
    init?(_ text: String) {
        let digits = Array(text.utf8)
        guard [48, 64, 80].contains(digits.count), text.isHexadecimal else { return nil }
        func word(_ index: Int) -> UInt64? {
            UInt64(String(decoding: digits[16 * index..<16 * (index + 1)], as: UTF8.self), radix: 16)
        }
        guard let feed = word(0), let number = word(1).flatMap(Int64.init(exactly:)), let hash = word(2) else { return nil }
        let pruning = digits.count >= 64 ? word(3) ?? 0 : 0
        let notice = digits.count == 80 ? word(4) ?? 0 : 0
        self.init(
            feed: feed, position: FeedPosition(number: number, hash: hash, pruning: pruning),
            notice: NoticePosition(bits: notice))
    }

    var text: String {
        let text = feed.hexadecimal + UInt64(bitPattern: position.number).hexadecimal + position.hash.hexadecimal
        if notice != .beginning { return text + position.pruning.hexadecimal + notice.bits.hexadecimal }
        return position.pruning == 0 ? text : text + position.pruning.hexadecimal
    }
}

/// Which events a reader of the feed wants.
struct FeedFilter: Hashable, Sendable {
    /// Most types, and most rooms, that a reader names.
    static let limit = 100

    /// Empty: all types.
    var types: Set<String> = []
    /// Empty: all rooms.
    var rooms: Set<String> = []

    func takes(type: String) -> Bool { types.isEmpty || types.contains(type) }
    func takes(room: RoomID) -> Bool { rooms.isEmpty || rooms.contains(room.description) }

    func takes(_ event: FeedEvent) -> Bool {
        takes(type: event.event.type) && takes(room: event.room)
    }
}

extension String {
    /// Whether it has hexadecimal digits only, in lower case.
    var isHexadecimal: Bool { utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } }
}
