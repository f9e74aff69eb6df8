/// Bytes of a received header that are overwritten before libmicrohttpd parses them.
///
/// To a `Content-Length` that it cannot parse, libmicrohttpd 0.9.75 answers with a page of its own, and with the head of that response twice.
/// So it does not see such a header; `RequestScanner` has the request refused. Whitespace after the digits, which HTTP allows, is moved before
/// them, and a number beyond its range becomes one that is still beyond every limit. A `Cookie` header, which nothing reads, is hidden from
/// it too.
package struct HeaderOverwrite: Equatable {
    /// Index of the first byte among those that were scanned.
    package let offset: Int
    /// What stands there instead.
    package let bytes: [UInt8]

    /// Hides a header by changing the first letter of its name.
    static func hiding(at offset: Int) -> Self { Self(offset: offset, bytes: [UInt8(ascii: "X")]) }

    /// Rewrites the value of a `Content-Length` header; nil if libmicrohttpd parses it as it is.
    /// - Parameters:
    ///   - value: What follows the header's colon.
    ///   - digits: The range of its digits; around them are only spaces and tabs.
    ///   - offset: Index of the value's first byte among those that were scanned.
    init?(length value: Span<UInt8>, digits: Range<Int>, at offset: Int) {
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

    /// The range of the digits of a `Content-Length` header's value, between spaces and tabs; nil if there is anything else, or no digit.
    static func digits(ofLength value: Span<UInt8>) -> Range<Int>? {
        var (start, end) = (0, value.count)
        while start < end, isBlank(value[start]) { start += 1 }
        while end > start, isBlank(value[end - 1]) { end -= 1 }
        guard start < end else { return nil }
        for index in start..<end where value[index] < UInt8(ascii: "0") || value[index] > UInt8(ascii: "9") { return nil }
        return start..<end
    }
}
