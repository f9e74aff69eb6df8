/// A block of IP addresses in CIDR notation such as `10.0.0.0/8` or `2001:db8::/32`, or a single address.
package struct AddressBlock: Hashable, Sendable {
    private let first: UInt128
    private let mask: UInt128

    /// Nil if the text is not a block, or if the address has bits set beyond the prefix length: that is probably a typing mistake.
    package init?(_ text: some StringProtocol) {
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

    /// Whether the address is one of the block's; IPv4-mapped addresses are IPv4's.
    package func contains(_ address: IPAddress) -> Bool { address.bits & mask == first }
}
