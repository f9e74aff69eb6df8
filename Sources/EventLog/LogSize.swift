/// What a log takes, and what its disk has left.
package struct LogSize: Hashable, Sendable {
    /// Bytes of the log, without those that deleted rows have left to be used again.
    package var bytes: Int64
    /// Free bytes of the disk; nil if unknown, as for a database on another machine.
    package var freeBytes: Int64?

    package init(bytes: Int64, freeBytes: Int64? = nil) { (self.bytes, self.freeBytes) = (bytes, freeBytes) }
}

/// What a log that fills up takes no more, in the order of what can wait: who has bid is to see the end of the round.
package enum LogFullness: UInt8, Comparable, Sendable {
    case nothing
    /// Rooms and imports of lots.
    case rooms
    /// All commands, except bids in running rounds, and those that end something or let a member out.
    case commands
    /// Bids, too.
    case bids

    /// Free bytes of the disk below which no bid is taken.
    package static let reservedBytes: Int64 = 16 << 20

    /// - Parameter limit: The most bytes that the log may have; 0: no limit.
    package init(_ size: LogSize, limit: Int64) {
        // Divided before it is multiplied: a limit may be as large as a number can be.
        let twentieths = limit > 0 ? size.bytes / max(1, limit / 20) : 0
        let free = size.freeBytes ?? .max
        self =
            if twentieths >= 20 || free < Self.reservedBytes {
                .bids
            } else if twentieths >= 19 || free < Self.reservedBytes / 2 * 3 {
                .commands
            } else if twentieths >= 18 || free < Self.reservedBytes * 2 {
                .rooms
            } else {
                .nothing
            }
    }

    package static func < (first: LogFullness, second: LogFullness) -> Bool { first.rawValue < second.rawValue }
}
