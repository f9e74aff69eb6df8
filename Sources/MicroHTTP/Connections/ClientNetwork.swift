package import IPAddresses

/// The key of per-address limits: an IPv4 address, or the prefix of an IPv6 address that one customer is assigned.
///
/// A provider assigns each customer at least a /64 of IPv6, that is 2^64 addresses: counted singly they would evade any limit.
package struct ClientNetwork: Hashable, Sendable {
    private let bits: UInt128

    /// - Parameter prefix: significant bits of an IPv6 address, 1 to 128. An IPv4-mapped address counts as the IPv4 address.
    package init(_ address: IPAddress, version6Prefix prefix: Int) {
        bits = address.isVersion4 ? address.bits : address.bits & ~(UInt128.max >> UInt128(max(1, min(prefix, 128))))
    }

    /// The network of an address in text form, as a connection or a proxy reports it. All unparsable texts share one network.
    package init(_ address: String, version6Prefix prefix: Int) {
        // The zone of a link-local address names the interface, not the client.
        let address = IPAddress(address.prefix { $0 != "%" }) ?? IPAddress(bits: 0)
        self.init(address, version6Prefix: prefix)
    }
}

extension ClientNetwork: CustomStringConvertible {
    /// The network's first address, for logs.
    package var description: String { IPAddress(bits: bits).description }
}
