internal import AuctionDomain
internal import MicroHTTP
internal import Permissions

// Reads the items of queries; every error is a problem that names the item.
extension QueryItems {
    /// What `parse` makes of an item; nil if it is absent.
    /// - Parameter must: What the item must be, as the rest of a sentence that begins with its name.
    func value<Value>(_ name: String, _ must: LocalizedText, _ parse: (String) -> Value?) throws(Problem) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = parse(text) else {
            throw .malformed("\"\(name)\" \(must.english)", "\(name) \(must.chinese)", field: name)
        }
        return value
    }

    /// An integer in `range`; nil if absent.
    func int(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = self[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw .malformed(
                "\"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound).",
                "参数 \"\(name)\" 须为 \(range.lowerBound) 至 \(range.upperBound) 之间的整数。", field: name)
        }
        return value
    }

    /// An integer in `range`; `fallback` if absent.
    func int(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws(Problem) -> Int {
        try int(name, in: range) ?? fallback
    }

    /// What `parse` makes of a cursor; nil if absent.
    func cursor<Value>(_ parse: (String) -> Value?) throws(Problem) -> Value? {
        guard let text = self["cursor"] else { return nil }
        guard let value = parse(text) else { throw .notACursor }
        return value
    }

    /// The position that a cursor of a list of rooms names; nil if absent.
    func roomPosition() throws(Problem) -> Int64? { try cursor(Self.roomPosition) }

    static func roomPosition(_ cursor: String) -> Int64? { Int64(cursor).flatMap { $0 > 0 ? $0 : nil } }

    /// A required text of at most `limit` code points that shows something, as `Prose` normalises and allows it.
    func wordedText(_ name: String, _ limit: Int) throws(Problem) -> String {
        guard let text = self[name].map(Prose.normalized) else {
            throw .malformed("The parameter \"\(name)\" is required.", "缺少参数 \"\(name)\"。", field: name)
        }
        guard DisplayName.isVisible(text), Prose.problem(in: text) == nil, text.unicodeScalars.count <= limit else {
            throw .malformed(
                "\"\(name)\" must have 1 to \(limit) characters, not be blank, and contain no control characters.",
                "参数 \"\(name)\" 须为 1 至 \(limit) 个字符,不得为空白或包含控制字符。", field: name)
        }
        return text
    }

    /// `true` or `false`; `fallback` if absent.
    func flag(_ name: String, default fallback: Bool = false) throws(Problem) -> Bool {
        switch self[name] {
        case nil: return fallback
        case "false": return false
        case "true": return true
        default: throw .malformed("\"\(name)\" must be true or false.", "参数 \"\(name)\" 须为 true 或 false。", field: name)
        }
    }
}

extension Problem {
    static let notACursor = malformed(
        "\"cursor\" must be a nextCursor of an earlier page.", "cursor 须为上一页返回的 nextCursor。", field: "cursor")
}
