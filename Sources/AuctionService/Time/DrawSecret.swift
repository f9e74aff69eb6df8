internal import AuctionDomain
internal import Cryptography

/// Makes the seeds of tie draws in rounds that begin by themselves: no command brings random bits for them.
///
/// Without the secret a seed cannot be predicted. It follows from it and the room, so that a simulation can be repeated.
/// Nodes need not share the secret: the round's events have the seed.
package struct DrawSecret: Sendable {
    private let key: HMACSHA256

    /// A new random secret.
    package init() {
        var generator = SystemRandomNumberGenerator()
        key = HMACSHA256(key: (0..<32).map { _ in generator.next() })
    }

    /// The secret of a simulated process; not for production.
    package init(seed: UInt64) { key = HMACSHA256(key: Self.bytes(of: UInt128(seed))) }

    /// The seed of a round that begins in the room as it is; nil if none can begin by itself.
    func seed(for room: Room) -> DrawSeed? {
        let sale = room.sale
        guard sale.isRunning || sale.startsAt != nil else { return nil }
        let place = Self.bytes(of: room.id.bits) + Self.bytes(of: UInt128(UInt64(room.seq)))
        return DrawSeed(bits: key.code(for: place).leadingBits)
    }

    private static func bytes(of number: UInt128) -> [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: number >> UInt128(8 * $0)) }
    }
}
