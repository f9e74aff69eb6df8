extension Sequence<UInt8> {
    /// Two hexadecimal digits for each byte, in lower case.
    package var hexadecimal: String { hexadecimalText(of: Array(self)) }
}

/// Not generic: other targets call it once for each message and each id.
private func hexadecimalText(of bytes: [UInt8]) -> String {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value }
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
        text.append(digit(byte >> 4))
        text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The hexadecimal digits of all its bits, in lower case.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}
