/// The decoded items of a raw query, in the order sent.
///
/// Parts that cannot be decoded and repeated names are kept, so that a handler can refuse them.
package struct QueryItems: Sendable {
    /// One `name=value`; a name without `=` has an empty value.
    package struct Item: Sendable, Hashable {
        /// Decoded; never empty.
        package let name: String
        /// Decoded; empty without `=`.
        package let value: String
    }

    /// The parts that could be decoded.
    package private(set) var items: [Item] = []
    /// The parts that could not be decoded, as sent.
    package private(set) var malformed: [String] = []

    /// Splits at `&` and decodes, with `+` as a space. Empty parts are skipped.
    package init(_ raw: String?) {
        guard let raw, !raw.isEmpty else { return }
        let bytes = raw.utf8Span.span
        var start = 0
        while start <= bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "&") { end += 1 }
            if end > start { add(bytes.extracting(start..<end)) }
            start = end + 1
        }
    }

    private mutating func add(_ part: Span<UInt8>) {
        var equals = 0
        while equals < part.count, part[equals] != UInt8(ascii: "=") { equals += 1 }
        let name = PercentEncoding.decode(part.extracting(first: equals), plusIsSpace: true)
        let value = PercentEncoding.decode(part.extracting(droppingFirst: min(equals + 1, part.count)), plusIsSpace: true)
        if let name, let value, !name.isEmpty {
            items.append(Item(name: name, value: value))
        } else {
            malformed.append(String(decoding: part.indices.map { part[$0] }, as: UTF8.self))
        }
    }

    /// One encoded item of a query.
    package static func text(_ name: String, _ value: String) -> String {
        PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value)
    }

    /// A query with the same items, always encoded in the same way; those that could not be decoded are left out.
    package var text: String { items.map { Self.text($0.name, $0.value) }.joined(separator: "&") }

    /// The first value with that name; nil if there is none.
    package subscript(_ name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    /// Names that occur more than once, each listed once, in the order of their second occurrence.
    package var duplicates: [String] {
        var seen: Set<String> = []
        var repeated: [String] = []
        var known: Set<String> = []
        for item in items where !seen.insert(item.name).inserted && known.insert(item.name).inserted {
            repeated.append(item.name)
        }
        return repeated
    }
}
