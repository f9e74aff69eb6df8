/// An IPv4 or IPv6 address as a 128-bit number; IPv4 is stored as IPv4-mapped IPv6, so both spellings of an address are equal.
package struct IPAddress: Hashable, Sendable {
    /// The address in host byte order; an IPv4 address has the prefix `::ffff:0:0/96`.
    package let bits: UInt128

    private static let mapped: UInt128 = 0xFFFF << 32

    /// - Parameter bits: in host byte order; IPv4 as IPv4-mapped IPv6.
    package init(bits: UInt128) { self.bits = bits }

    /// Reads `192.0.2.1` or `2001:db8::1`, without a port, a zone or brackets; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 45 else { return nil }
        let text = String(text)
        let isVersion6 = text.utf8.contains(UInt8(ascii: ":"))
        let bits = isVersion6 ? Self.version6(text) : Self.version4(text).map { Self.mapped | UInt128($0) }
        guard let bits else { return nil }
        self.bits = bits
    }

    /// Whether it is an IPv4 or IPv4-mapped address.
    package var isVersion4: Bool { bits >> 32 == Self.mapped >> 32 }

    /// Whether it is a loopback address: 127.0.0.0/8 or `::1`.
    package var isLoopback: Bool { isVersion4 ? bits >> 24 & 0xFF == 127 : bits == 1 }

    private static func version4(_ text: String) -> UInt32? {
        var (value, number, digits, dots) = (UInt32(0), UInt32(0), 0, 0)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "."):
                guard digits > 0, number <= 255, dots < 3 else { return nil }
                (value, number, digits, dots) = (value << 8 | number, 0, 0, dots + 1)
            case 0x30...0x39:
                // Some parsers read a leading zero as octal, so it is refused.
                guard digits < 3, digits == 0 || number > 0 else { return nil }
                (number, digits) = (10 * number + UInt32(byte - 0x30), digits + 1)
            default: return nil
            }
        }
        return dots == 3 && digits > 0 && number <= 255 ? value << 8 | number : nil
    }

    private static func version6(_ text: String) -> UInt128? {
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard halves.count <= 2, let first = groups(halves[0], mayEndIn4: halves.count == 1) else { return nil }
        guard halves.count == 2 else { return first.count == 8 ? number(first) : nil }
        guard let last = groups(halves[1], mayEndIn4: true), first.count + last.count < 8 else { return nil }
        return number(first + Array(repeating: 0, count: 8 - first.count - last.count) + last)
    }

    private static func groups(_ text: Substring, mayEndIn4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndIn4, index == parts.count - 1, part.contains(".") {
                guard let low = version4(String(part)) else { return nil }
                groups += [UInt16(low >> 16), UInt16(truncatingIfNeeded: low)]
            } else {
                guard isHexadecimal(part, digits: 1...4), let group = UInt16(part, radix: 16) else { return nil }
                groups.append(group)
            }
        }
        return groups.count <= 8 ? groups : nil
    }

    private static func number(_ groups: [UInt16]) -> UInt128 { groups.reduce(0) { $0 << 16 | UInt128($1) } }

    /// Only digits: the standard library would also accept a sign.
    private static func isHexadecimal(_ text: Substring, digits: ClosedRange<Int>) -> Bool {
        digits.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
                default: false
                }
            }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The canonical spelling: one text per address, so that limits can be keyed by it.
    package var description: String {
        if isVersion4 { return stride(from: 24, through: 0, by: -8).map { String(bits >> $0 & 0xFF) }.joined(separator: ".") }
        return stride(from: 112, through: 0, by: -16).map { String(bits >> $0 & 0xFFFF, radix: 16) }.joined(separator: ":")
    }
}
