package import IPAddresses

/// What an address is for, if it is not a public one: those of IANA's registries of special-purpose addresses (RFC 6890).
package enum AddressKind: Hashable, Sendable, CaseIterable {
    /// No address (RFC 1122, 3.2.1.3); Linux connects it to this machine.
    case unspecified
    case loopback
    /// RFC 1918.
    case privateUse
    /// Behind a provider's carrier-grade NAT (RFC 6598).
    case shared
    /// RFC 3927 and RFC 4291; where clouds have the credentials of a machine.
    case linkLocal
    /// RFC 4193.
    case uniqueLocal
    case multicast
    case documentation
    /// For protocols, tests, tunnels or the future.
    case reserved

    /// The kind of an address; nil if it is public.
    ///
    /// IPv4 in IPv6 is judged as IPv4: mapped (`::ffff:0:0/96`) and behind the well-known prefix of NAT64 (RFC 6052), where networks
    /// without IPv4 find public servers. Tunnels are refused as a whole: 6to4 and Teredo name an IPv4 address, and no server is there.
    package init?(_ address: IPAddress) {
        var address = address
        if Self.translated.contains(where: { $0.contains(address) }) {
            address = IPAddress(bits: 0xFFFF << 32 | address.bits & 0xFFFF_FFFF)
        }
        if let kind = Self.blocks.first(where: { $0.block.contains(address) })?.kind {
            self = kind
        } else if address.isVersion4 || Self.global.contains(where: { $0.contains(address) }) {
            return nil
        } else {
            self = .reserved
        }
    }

    /// NAT64.
    private static let translated = read(["64:ff9b::/96"])
    /// All that IANA has given to registries; what is outside is not assigned, or not global.
    private static let global = read(["2000::/3"])

    /// Each block with its kind, the first that contains an address.
    private static let blocks = texts.flatMap { kind, texts in read(texts).map { (kind: kind, block: $0) } }

    /// How many blocks there are, and how many of the texts are blocks: for a test.
    static var blockCounts: (texts: Int, blocks: Int) { (texts.reduce(0) { $0 + $1.texts.count }, blocks.count) }

    private static func read(_ texts: [String]) -> [AddressBlock] { texts.compactMap { AddressBlock($0) } }

    private static let texts: [(kind: AddressKind, texts: [String])] = [
        (.unspecified, ["0.0.0.0/8", "::"]),
        (.loopback, ["127.0.0.0/8", "::1"]),
        (.privateUse, ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]),
        (.shared, ["100.64.0.0/10"]),
        (.linkLocal, ["169.254.0.0/16", "fe80::/10"]),
        (.uniqueLocal, ["fc00::/7"]),
        (.multicast, ["224.0.0.0/4", "ff00::/8"]),
        (.documentation, ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"]),
        (
            .reserved,
            [
                // Protocols; 6to4 relays; benchmarks; the future, and the broadcast address.
                "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "240.0.0.0/4",
                // Azure answers each of its machines there, although the address is a public one.
                "168.63.129.16",
                // Protocols, with Teredo; 6to4.
                "2001::/23", "2002::/16",
            ]
        ),
    ]
}

extension AddressKind: CustomStringConvertible {
    /// Completes "an address that is …".
    package var description: String {
        switch self {
        case .unspecified: "unspecified"
        case .loopback: "this machine's own (loopback)"
        case .privateUse: "private"
        case .shared: "behind carrier-grade NAT"
        case .linkLocal: "link-local"
        case .uniqueLocal: "unique local"
        case .multicast: "multicast"
        case .documentation: "for documentation"
        case .reserved: "reserved"
        }
    }

    /// The same in Chinese, as a predicate.
    package var chinese: String {
        switch self {
        case .unspecified: "未指定"
        case .loopback: "属于本机(环回)"
        case .privateUse: "为私有地址"
        case .shared: "位于运营商级 NAT 之后"
        case .linkLocal: "为链路本地地址"
        case .uniqueLocal: "为唯一本地地址"
        case .multicast: "为组播地址"
        case .documentation: "仅供文档使用"
        case .reserved: "为保留地址"
        }
    }
}
