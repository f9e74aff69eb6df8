/// The names of one object so far, compared as the bytes that they are.
///
/// Unicode has many spellings of what it calls one text; to compare by them costs more than linear time, and would make two
/// members of a document one that every other reader keeps apart.
struct MemberNames {
    /// So many are compared one by one: cheaper than hashing for the few members of an ordinary request.
    private static let scanLimit = 8

    private var few: [String] = []
    private var many: Set<Name> = []

    /// - Returns: false if the name is there already.
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
    /// Whether two texts are the same bytes: `==` also takes different spellings of one text for the same, at a price.
    public func hasSameBytes(as other: String) -> Bool {
        let (left, right) = (utf8Span.span, other.utf8Span.span)
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }

    /// As much of a text from outside as an error repeats.
    public var excerpt: String {
        let limit = 100
        guard let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex), end != endIndex else {
            return self
        }
        return String(self[..<end]) + "…"
    }
}
