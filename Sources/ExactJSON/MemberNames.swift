/// Finds a name that occurs twice in one object; names are compared byte by byte.
///
/// Comparing by Unicode canonical equivalence would take more than linear time, and would reject two members that other JSON
/// readers treat as distinct.
struct MemberNames {
    /// Up to this many names are compared one by one, which is cheaper than hashing them.
    private static let scanLimit = 8

    /// Empty up to that number.
    private var many: Set<Name> = []

    /// - Parameter members: all members before this one, the same in every call but for the ones added since.
    /// - Returns: false if one of them has the name.
    mutating func insert(_ name: String, after members: [JSONMember]) -> Bool {
        if members.count < Self.scanLimit { return !members.contains { $0.name.hasSameBytes(as: name) } }
        if many.isEmpty { for member in members { many.insert(Name(text: member.name)) } }
        return many.insert(Name(text: name)).inserted
    }

    private struct Name: Hashable {
        let text: String

        static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

        func hash(into hasher: inout Hasher) {
            let bytes = text.utf8Span.span
            var word: UInt64 = 0
            for index in bytes.indices {
                word = word << 8 | UInt64(bytes[index])
                if index & 7 == 7 { hasher.combine(word) }
            }
            hasher.combine(word)
            hasher.combine(bytes.count)
        }
    }
}

extension String {
    /// Whether two strings have the same UTF-8 bytes; faster than `==`, which compares by Unicode canonical equivalence.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let (left, right) = (utf8Span.span, other.utf8Span.span)
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }

    /// The first 100 Unicode scalars, followed by an ellipsis if truncated: bounds the client text that error messages repeat.
    package var excerpt: String {
        let limit = 100
        guard let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex), end != endIndex else {
            return self
        }
        return String(self[..<end]) + "…"
    }
}
