/// Bytes of a received `Content-Length` or `Cookie` header that are overwritten before libmicrohttpd parses them.
///
/// To a length that it cannot parse, libmicrohttpd 0.9.75 answers with a page of its own, and with the head of that response twice. So it
/// does not see such a header; `RequestScanner` has the request refused. Whitespace after the digits, which HTTP allows, is moved before
/// them, and a number beyond its range becomes one that is still beyond every limit. Cookies, which nothing reads, are hidden as well.
package struct LengthCorrection: Equatable {
    /// The place of the first byte among those that were scanned.
    package let offset: Int
    /// What stands there instead.
    package let bytes: [UInt8]

    /// The header by another name.
    static func hiding(at offset: Int) -> Self { Self(offset: offset, bytes: [UInt8(ascii: "X")]) }

    /// - Parameters:
    ///   - value: What follows the header's colon.
    ///   - digits: The digits in it, and nothing else.
    /// - Returns: Nil if libmicrohttpd reads the value as it is.
    init?(_ value: Span<UInt8>, digits: Range<Int>, at offset: Int) {
        guard digits.upperBound < value.count || digits.count > Self.digitLimit else { return nil }
        var number = digits.map { value[$0] }
        if number.count > Self.digitLimit { number = [UInt8](repeating: UInt8(ascii: "9"), count: Self.digitLimit) }
        self.init(offset: offset, bytes: [UInt8](repeating: UInt8(ascii: " "), count: value.count - number.count) + number)
    }

    private init(offset: Int, bytes: [UInt8]) {
        self.offset = offset
        self.bytes = bytes
    }

    /// Digits that surely are in the range of libmicrohttpd's 64 bits.
    private static let digitLimit = 18

    /// The digits of a value, between spaces and tabs; nil if there is anything else, or no digit.
    static func digits(of value: Span<UInt8>) -> Range<Int>? {
        var (start, end) = (0, value.count)
        while start < end, isBlank(value[start]) { start += 1 }
        while end > start, isBlank(value[end - 1]) { end -= 1 }
        guard start < end else { return nil }
        for index in start..<end where value[index] < UInt8(ascii: "0") || value[index] > UInt8(ascii: "9") { return nil }
        return start..<end
    }
}
