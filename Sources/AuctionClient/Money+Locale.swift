public import AuctionClientCore
public import Foundation

extension Money {
    /// The amount for people, with the currency's symbol and digits as the locale writes them: `¥120.00`, `120,00 €`.
    ///
    /// Exact: the digits are those of the amount.
    public func formatted(locale: Locale = .current) -> String {
        exactDecimal.formatted(
            .currency(code: currency.code).precision(.fractionLength(currency.fractionDigits)).locale(locale))
    }

    /// The amount without the currency: `120.00`, `120,00`.
    public func formattedNumber(locale: Locale = .current) -> String {
        exactDecimal.formatted(.number.precision(.fractionLength(currency.fractionDigits)).locale(locale))
    }

    /// `Decimal` has 38 digits, an amount at most 19.
    private var exactDecimal: Decimal {
        Decimal(
            sign: minorUnits < 0 ? .minus : .plus, exponent: 0 - currency.fractionDigits,
            significand: Decimal(minorUnits.magnitude))
    }

    /// An amount as a person types it, or as `formatted(locale:)` writes it: with the separators of the locale, with or without
    /// the currency's symbol or code, spaces, and full-width digits. A plain point is accepted as the decimal separator where the
    /// locale does not group by it.
    /// - Throws: `MoneyError`. The last group has three digits, so that `1,50` is never taken for 150, and those before it three or, as in India,
    ///   two: `1,00,000`. Others are malformed; nothing is rounded.
    public init(typed text: String, currency: Currency, locale: Locale = .current) throws(MoneyError) {
        var plain = Self.plain(text, locale)
        // The code first: it may begin with the letters of the symbol.
        for name in [currency.code] + Self.symbolLetters(of: currency, locale) { plain = plain.without(name) }
        let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2, !whole.isEmpty else { throw .malformed(text) }
        let groups = whole.split(separator: ",", omittingEmptySubsequences: false)
        guard Self.areGroups(groups.map(\.count)) else { throw .malformed(text) }
        let fraction = parts.count == 2 && !parts[1].isEmpty ? "." + parts[1] : ""
        do throws(MoneyError) { try self.init(groups.joined() + fraction, currency) } catch {
            throw if case .malformed = error { .malformed(text) } else { error }
        }
    }

    /// The text with ASCII digits, `.` as the decimal separator and `,` between groups; without spaces, signs of currencies such
    /// as `¥`, and the invisible marks of a locale that is written from right to left.
    private static func plain(_ text: String, _ locale: Locale) -> String {
        let decimal = locale.decimalSeparator ?? "."
        let grouping = locale.groupingSeparator ?? ","
        // In Switzerland: people type the straight one, and the same locale may write either, depending on the currency.
        let apostrophes: Set<String> = ["'", "’"]
        let groupings: Set<String> = apostrophes.contains(grouping) ? apostrophes : [grouping]
        var plain = ""
        for character in text {
            if let digit = character.decimalDigit {
                plain += String(digit)
            } else if String(character) == decimal || character == "." && grouping != "." || character == "．" {
                plain += "."
            } else if groupings.contains(String(character)) || character == "，" {
                plain += ","
            } else if !character.isWhitespace, !character.isCurrencySymbol, !character.isDirectionMark {
                plain.append(character)
            }
        }
        return plain
    }

    /// What `plain(_:_:)` leaves of the currency's symbol, such as `CN` of `CN¥` or `zł`, and the same without points, as in
    /// `kr.`; empty for a symbol without letters.
    private static func symbolLetters(of currency: Currency, _ locale: Locale) -> [String] {
        let one = Decimal(1).formatted(.currency(code: currency.code).precision(.fractionLength(0)).locale(locale))
        let affixes = plain(one, locale).split(separator: "1").map(String.init).filter { $0.contains(where: \.isLetter) }
        return affixes.flatMap { affix in [affix, affix.filter { $0 != "." && $0 != "," }] }
    }

    /// Whether these are the digits in the groups of a whole number, the first group first.
    private static func areGroups(_ counts: [Int]) -> Bool {
        guard counts.count > 1, let first = counts.first, let last = counts.last else { return true }
        let middle = counts.dropFirst().dropLast()
        return last == 3 && [3, 2].contains { size in (1...size).contains(first) && middle.allSatisfy { $0 == size } }
    }
}

extension String {
    /// The text without a name at its beginning and at its end, in capital or small letters.
    fileprivate func without(_ name: String) -> String {
        let capitals = name.uppercased()
        var rest = self[...]
        if rest.prefix(name.count).uppercased() == capitals { rest = rest.dropFirst(name.count) }
        if rest.suffix(name.count).uppercased() == capitals { rest = rest.dropLast(name.count) }
        return String(rest)
    }
}

extension Character {
    /// Whether it is invisible and says in which direction the text beside it is written.
    fileprivate var isDirectionMark: Bool { ["\u{200E}", "\u{200F}", "\u{61C}"].contains(self) }

    /// The value of a digit of a decimal system; nil for others that have a number, such as superscripts.
    fileprivate var decimalDigit: Int? {
        guard unicodeScalars.count == 1, unicodeScalars.first?.properties.numericType == .decimal else { return nil }
        return wholeNumberValue
    }
}
