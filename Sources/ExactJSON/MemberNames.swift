/// The member names read so far of one object, compared byte by byte.
///
/// Comparing by Unicode canonical equivalence would take more than linear time, and would reject two members that other JSON
/// readers treat as distinct.
struct MemberNames {
    /// Up to this many names are compared one by one, which is cheaper than hashing them.
    private static let scanLimit = 8

    private var few: [String] = []
    private var many: Set<Name> = []

    /// - Returns: false if the name was inserted before.
    mutating func insert(_ name: String) -> Bool {
        if few.count < Self.scanLimit {
            guard !few.contains(where: { $0.hasSameBytes(as: name) }) else { return false }
            few.append(name)
            return true
        }
        if many.isEmpty { for name in few { many.insert(Name(text: name)) } }
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
