/// The network of a client, as far as bounds per address go: an IPv4 address, or the leading bits of an IPv6 address, since one
/// subscriber has all that follow.
struct NetworkKey: Hashable, Sendable {
    /// 128 bits; IPv4 lies where IPv6 maps it.
    let bits: UInt128

    private static let mapped: UInt128 = 0xFFFF

    /// - Parameter prefixLength: how many bits of an IPv6 address count, 0 to 128.
    init(address: UInt128, prefixLength: Int) {
        let isVersion4 = address >> 32 == NetworkKey.mapped
        // A shift by the width or more gives 0.
        bits = isVersion4 ? address : address & ~(UInt128.max >> UInt128(max(0, min(prefixLength, 128))))
    }
}
