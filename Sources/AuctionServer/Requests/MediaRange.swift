internal import MicroHTTP
internal import Permissions

/// Content negotiation by the Accept header (RFC 9110 section 12.5.1).
enum MediaRange {
    /// Whether the header accepts one of the types; an absent or blank header accepts all.
    static func takes(_ accept: String?, oneOf types: [String]) -> Bool {
        // As most clients send it.
        guard let accept, accept != "*/*", !types.contains(accept), !accept.utf8.allSatisfy(isBlank) else { return true }
        return types.contains { preference(for: $0, in: accept).weight > 0 }
    }

    /// How much a header wants a type.
    struct Preference {
        /// 0 if the type is not accepted.
        let weight: Double
        /// Whether the header names the type itself.
        let isNamed: Bool
    }

    /// How much the header wants one of the types that a path answers with, by the range that fits the type best: its own name
    /// decides before a wildcard.
    static func preference(for type: String, in accept: String) -> Preference {
        let group = String(type.prefix { $0 != "/" }) + "/*"
        var best = (fit: 0, weight: 0.0)
        for (range, weight) in accept.weightedList {
            let fit = range == type ? 3 : range == group ? 2 : range == "*/*" ? 1 : 0
            guard fit > 0, fit > best.fit || fit == best.fit && weight > best.weight else { continue }
            best = (fit, weight)
        }
        return Preference(weight: best.weight, isNamed: best.fit == 3)
    }
}

/// Whether it may surround the elements of a header (RFC 9110 section 5.6.3).
private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

extension String {
    /// The elements of a comma-separated header; those beyond the 32nd are ignored.
    var headerList: ArraySlice<Substring> {
        let limit = 32
        return utf8.split(separator: UInt8(ascii: ","), maxSplits: limit).map(Substring.init).prefix(limit)
    }

    /// The elements of a header such as Accept, in lower case and without parameters, with their weights `q` (RFC 9110 section
    /// 12.4.2); 1 if there is none.
    var weightedList: some Sequence<(name: String, weight: Double)> {
        headerList.lazy.compactMap { element in
            let parts = element.utf8.split(separator: UInt8(ascii: ";")).map { part in
                String(decoding: part.filter { !isBlank($0) }, as: UTF8.self).lowercased()
            }
            guard let name = parts.first else { return nil }
            return (name, parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1)
        }
    }

    /// Whether the header If-None-Match, which this is, names an entity tag: the weak comparison of RFC 9110 section 8.8.3.2.
    func namesTag(_ tag: String) -> Bool {
        func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
        // Tags have no blanks.
        let known = String(decoding: utf8.filter { !isBlank($0) }, as: UTF8.self)
        return known == "*" || known.split(separator: ",").contains { opaque($0) == opaque(tag[...]) }
    }
}

extension Problem {
    static func notAcceptable(_ types: [String]) -> Problem {
        let known = types.joined(separator: ", ")
        return Problem(
            .notAcceptable, code: "request.not_acceptable",
            LocalizedText("This path answers with \(known).", "该路径只返回 \(known)。"))
    }
}
