/// Identifies an exchange on its loop; never reused there.
package struct ExchangeID: Hashable, Sendable, CustomStringConvertible {
    /// A serial number in the high bits, the connection's slot in the low bits: finding the exchange is an array access, not a hash.
    package let rawValue: UInt64

    // A million slots, and serial numbers for two years at 100,000 requests a second.
    static let slotBits: UInt64 = 20

    init(slot: Int, serial: UInt64) {
        rawValue = serial << ExchangeID.slotBits | UInt64(slot)
    }

    /// Restores an identifier from its `rawValue`, as in a response handed over by another thread.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    // Above every serial number, and below the bit of lingering sockets' tokens.
    private static let detachedBit: UInt64 = 1 << 62

    /// Stands for an exchange without a slot in the table of connections.
    static func detached(serial: UInt64) -> ExchangeID { ExchangeID(rawValue: detachedBit | serial) }

    var isDetached: Bool { rawValue & ExchangeID.detachedBit != 0 }

    var slot: Int { Int(rawValue & (1 << ExchangeID.slotBits - 1)) }

    /// Without `Hasher`: the loop draws them itself, and an odd factor loses nothing.
    package func _rawHashValue(seed: Int) -> Int {
        let product = (rawValue ^ UInt64(bitPattern: Int64(seed))) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product ^ product >> 32)
    }

    package var description: String { String(rawValue, radix: 16) }
}
