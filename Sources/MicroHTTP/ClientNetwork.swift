/// Whom a limit per address takes for one client: an IPv4 address, or as much of an IPv6 address as one line is given.
///
/// A provider gives each customer a whole /64 of IPv6 at least, and so 2^64 addresses: counted singly they would be no limit.
public struct ClientNetwork: Hashable, Sendable {
    private let bits: UInt128

    /// - Parameter prefix: how many bits of an IPv6 address count, 1 to 128. One that maps IPv4 is that IPv4 address.
    public init(_ address: IPAddress, version6Prefix prefix: Int) {
        bits = address.isVersion4 ? address.bits : address.bits & ~(UInt128.max >> UInt128(max(1, min(prefix, 128))))
    }

    /// The network of an address as a connection or a proxy names it. Whatever is no address counts as one client together.
    public init(_ address: String, version6Prefix prefix: Int) {
        // The zone of a link-local address says which interface it came by.
        let address = IPAddress(address.prefix { $0 != "%" }) ?? IPAddress(bits: 0)
        self.init(address, version6Prefix: prefix)
    }
}

extension ClientNetwork: CustomStringConvertible {
    /// Its first address, for logs.
    public var description: String { IPAddress(bits: bits).description }
}
