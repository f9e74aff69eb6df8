package import AuctionDomain
package import ExactJSON
internal import Permissions

// Decoding of domain values, shared by requests and stored events. Error texts are written for clients.
extension JSONFields {
    /// Reads an identifier with the prefix of its kind.
    /// - Throws: `JSONError` if the field is missing or malformed.
    package mutating func identifier<Kind>(_ name: String, _ kind: Kind.Type = Kind.self) throws(JSONError) -> Identifier<Kind>
    {
        guard let id = Identifier<Kind>(try string(name)) else {
            let prefix = Kind.prefix
            throw invalid(name, "must be an id such as \(prefix)…", "须为编号,例如 \(prefix)…")
        }
        return id
    }

    /// An amount: a decimal string, or a number whose literal is parsed exactly. Never rounded.
    package mutating func money(_ name: String, in currency: Currency, allowsZero: Bool = false) throws(JSONError) -> Money {
        let literal: String
        switch try value(name) {
        case .string(let text): literal = text
        case .number(let text): literal = text
        default:
            throw JSONError(
                .malformedMoney, field: fullName(name), "\"\(fullName(name))\" must be an amount such as \"120.00\".",
                "须为金额,例如 \"120.00\"。")
        }
        do {
            return try currency.money(literal, allowsZero: allowsZero)
        } catch {
            throw JSONError(
                .malformedMoney, field: fullName(name), "\"\(fullName(name))\": \(error.description)", error.text.chinese)
        }
    }

    /// Reads an amount greater than zero; nil if absent or null.
    package mutating func optionalMoney(_ name: String, in currency: Currency) throws(JSONError) -> Money? {
        isAbsent(name) ? nil : try money(name, in: currency)
    }

    /// Reads the member `estimate`, `{"low","high"}`; nil if absent or null.
    package mutating func estimate(in currency: Currency) throws(JSONError) -> Estimate? {
        guard !isAbsent("estimate") else { return nil }
        var fields = try object("estimate")
        let (low, high) = (try fields.money("low", in: currency), try fields.money("high", in: currency))
        try fields.finish()
        guard let estimate = Estimate(low: low, high: high) else {
            throw fields.invalid("high", "must be at least \"estimate.low\"", "不得低于 estimate.low")
        }
        return estimate
    }

    /// One of an enumeration's raw values, compared byte for byte.
    /// - Throws: `JSONError` listing the accepted values if the field is missing or has another value.
    package mutating func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ words: Word.Type = Word.self
    ) throws(JSONError) -> Word where Word.RawValue == String {
        guard let word = try optionalWord(name, words) else { throw invalid(name, "is required", "不能缺少") }
        return word
    }

    /// One of an enumeration's raw values; nil if absent or null.
    package mutating func optionalWord<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ words: Word.Type = Word.self
    ) throws(JSONError) -> Word? where Word.RawValue == String {
        try optionalWord(name, of: Array(Word.allCases))
    }

    /// One of these raw values, compared byte for byte; nil if absent or null.
    package mutating func optionalWord<Word: RawRepresentable<String>>(
        _ name: String, of words: [Word]
    ) throws(JSONError) -> Word? {
        guard let text = try optionalString(name) else { return nil }
        guard let word = words.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
            let known = words.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw invalid(name, "must be one of \(known)", "须为 \(known) 之一")
        }
        return word
    }

    /// A whole number of seconds in a range; nil if absent or null.
    package mutating func optionalSeconds(_ name: String, in range: ClosedRange<Int>) throws(JSONError) -> Seconds? {
        guard let count = try optionalInt(name) else { return nil }
        return try seconds(name, count, in: range)
    }

    /// A whole number of seconds in a range.
    package mutating func seconds(_ name: String, in range: ClosedRange<Int>) throws(JSONError) -> Seconds {
        let count = try int(name)
        return try seconds(name, count, in: range)
    }

    private func seconds(_ name: String, _ count: Int, in range: ClosedRange<Int>) throws(JSONError) -> Seconds {
        guard range.contains(count) else {
            throw invalid(
                name, "must be from \(range.lowerBound) to \(range.upperBound) seconds, not \(count)",
                "须为 \(range.lowerBound) 至 \(range.upperBound) 秒,不能是 \(count)")
        }
        return Seconds(count)
    }
}

extension JSONError.Code {
    /// The amount is malformed, out of range or has too many decimals for the currency.
    package static let malformedMoney = JSONError.Code("malformedMoney")
}
