/// A request for a part of a response (RFC 9110 section 14.1): one range of bytes.
enum ByteRange: Hashable {
    case from(Int)
    case between(Int, Int)
    /// The last bytes.
    case suffix(Int)

    /// Nil for a header that is to be ignored: of another unit, malformed, or with more than one range.
    init?(_ header: String) {
        guard header.hasPrefix("bytes=") else { return nil }
        let parts = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        switch (Int(parts[0]), Int(parts[1])) {
        case (let first?, let last?) where first <= last: self = .between(first, last)
        case (let first?, nil) where parts[1].isEmpty: self = .from(first)
        case (nil, let count?) where parts[0].isEmpty: self = .suffix(count)
        default: return nil
        }
    }

    /// The part of a body of `count` bytes; nil if there is none.
    func part(of count: Int) -> Range<Int>? {
        switch self {
        case .from(let first): first < count ? first..<count : nil
        case .between(let first, let last): first < count ? first..<min(last, count - 1) + 1 : nil
        case .suffix(let length): length > 0 && count > 0 ? count - min(length, count)..<count : nil
        }
    }
}
