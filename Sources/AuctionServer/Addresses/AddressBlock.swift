internal import MicroHTTP

/// Neighbouring addresses, as `10.0.0.0/8` or `2001:db8::/32`, or one address alone.
public struct AddressBlock: Hashable, Sendable {
    private let first: UInt128
    private let mask: UInt128

    /// Nil for what is no block, or has bits beyond its prefix: somebody meant something else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = IPAddress(parts[0]) else { return nil }
        let width = address.isVersion4 && !parts[0].contains(":") ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]), given <= width else {
                return nil
            }
            length = given
        }
        let free = width - length
        mask = free == 128 ? 0 : UInt128.max << UInt128(free)
        first = address.bits
        guard first & mask == first else { return nil }
    }

    func contains(_ address: IPAddress) -> Bool { address.bits & mask == first }
}
