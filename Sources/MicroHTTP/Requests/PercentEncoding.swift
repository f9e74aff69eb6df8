/// Strict percent-decoding, and encoding.
package enum PercentEncoding {
    /// The text with everything but ASCII letters and digits escaped.
    static func encode(_ text: String) -> String {
        let digits = "0123456789ABCDEF".utf8Span.span
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * text.utf8.count)
        for byte in text.utf8 {
            if isAlphanumeric(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether it is an ASCII letter or digit.
    package static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    /// The decoded text; nil if an escape is malformed or the decoded bytes are not UTF-8.
    static func decode(_ bytes: Span<UInt8>, plusIsSpace: Bool = false) -> String? {
        guard isEscaped(bytes, plusIsSpace) else { return text(bytes) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return text(decoded.span)
    }

    /// Whether `decode` decodes it, where the bytes are a part of a text.
    static func isDecodable(_ text: Span<UInt8>) -> Bool { !isEscaped(text, false) || decode(text) != nil }

    private static func isEscaped(_ bytes: Span<UInt8>, _ plusIsSpace: Bool) -> Bool {
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "%") || (plusIsSpace && bytes[index] == UInt8(ascii: "+")) { return true }
        }
        return false
    }

    private static func text(_ bytes: Span<UInt8>) -> String? {
        do {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            return nil
        }
    }

    /// The value of a hexadecimal digit in either case; nil for any other byte.
    static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
