/// Names an exchange on its loop; never used twice there.
public struct ExchangeID: Hashable, Sendable, CustomStringConvertible {
    /// A running number above, the connection's slot below: finding the exchange is an array access, not a hash.
    public let rawValue: UInt64

    // A million slots, and numbers for two years at 100,000 requests a second.
    static let slotBits: UInt64 = 20

    init(slot: Int, serial: UInt64) {
        rawValue = serial << ExchangeID.slotBits | UInt64(slot)
    }

    /// The exchange that `rawValue` named before, as in an answer that comes back from another thread.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    // Above every serial, and below the bit of lingering sockets.
    private static let detachedBit: UInt64 = 1 << 62

    /// For an exchange that has no place in the table of connections.
    static func detached(serial: UInt64) -> ExchangeID { ExchangeID(rawValue: detachedBit | serial) }

    var isDetached: Bool { rawValue & ExchangeID.detachedBit != 0 }

    var slot: Int { Int(rawValue & (1 << ExchangeID.slotBits - 1)) }

    public var description: String { String(rawValue, radix: 16) }
}
