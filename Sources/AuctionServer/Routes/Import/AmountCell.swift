internal import AuctionDomain

/// An amount as spreadsheets write it: with a decimal comma or point, separators of thousands, and the sign or code of the currency.
enum AmountCell {
    /// Why a cell is no amount, although it looks like one.
    enum Fault: Error, Hashable {
        /// `1,200`: thousands in one country, a fraction in another.
        case ambiguous(String)
        /// The cell or heading has the sign or code of another currency.
        case otherCurrency(String)
    }

    /// The signs that an office may write for a currency, beside its code; in lower case.
    private static let signs: [String: [String]] = [
        "EUR": ["€", "euro"], "GBP": ["£"], "CHF": ["fr", "fr.", "sfr", "sfr."], "CNY": ["¥", "元", "圆", "rmb", "cn¥"],
        "JPY": ["¥", "円", "jp¥"], "USD": ["$", "us$"], "HKD": ["$", "hk$"], "TWD": ["$", "nt$", "元"],
        "CAD": ["$", "ca$", "c$"],
        "AUD": ["$", "au$", "a$"], "NZD": ["$", "nz$"], "SGD": ["$", "s$"], "MXN": ["$", "mx$"], "ARS": ["$"], "CLP": ["$"],
        "COP": ["$"],
        "BRL": ["r$"], "INR": ["₹", "rs", "rs."], "KRW": ["₩", "원"], "RUB": ["₽", "руб", "руб."], "TRY": ["₺", "tl"],
        "UAH": ["₴", "грн"], "PLN": ["zł"], "CZK": ["kč"], "HUF": ["ft"], "SEK": ["kr", "kr."], "NOK": ["kr", "kr."],
        "DKK": ["kr", "kr."], "ISK": ["kr", "kr."], "ILS": ["₪"], "THB": ["฿"], "VND": ["₫", "đ"], "PHP": ["₱"], "MYR": ["rm"],
        "IDR": ["rp", "rp."], "ZAR": ["r"], "RON": ["lei"],
    ]

    /// Whether a text is the sign or code of a currency.
    /// - Throws: if it is that of another one.
    static func isMark(_ text: String, of currency: Currency, in cell: String) throws(Fault) -> Bool {
        let text = String(String.UnicodeScalarView(text.unicodeScalars.map(plain)))
        let code = currency.code.lowercased()
        func isOwn(_ mark: some StringProtocol) -> Bool { mark == code || signs[currency.code]?.contains(String(mark)) == true }
        // Both of them is one mark: "EUR € 120".
        let rest =
            text.hasPrefix(code) ? text.dropFirst(code.count) : text.hasSuffix(code) ? text.dropLast(code.count) : text[...]
        if isOwn(text) || isOwn(rest) { return true }
        let isOther =
            Currency(code: text.uppercased()) != nil || signs.values.contains { $0.contains(text) }
            || text.unicodeScalars.contains { $0.properties.generalCategory == .currencySymbol }
        if isOther { throw .otherCurrency(cell) }
        return false
    }

    /// The amount as the API takes it: digits, and a point before those of the fraction; a text that is no amount as it is.
    static func literal(_ cell: String, in currency: Currency) throws(Fault) -> String {
        // The longest amount has 16 digits; more is not worth the time.
        guard cell.utf8.count <= 100 else { return cell }
        let scalars = cell.unicodeScalars.map(plain)
        guard let first = scalars.firstIndex(where: isDigit), let last = scalars.lastIndex(where: isDigit) else { return cell }
        var isWhole = false
        for (end, mark) in [scalars[..<first], scalars[(last + 1)...]].enumerated() {
            var mark = mark.filter { $0 != " " }
            // "25,-" and "25.–" have no minor units.
            if end == 1, mark.count >= 2, ".,".unicodeScalars.contains(mark[0]), "-–—".unicodeScalars.contains(mark[1]) {
                mark.removeFirst(2)
                isWhole = true
            }
            if mark.isEmpty { continue }
            guard try isMark(string(mark).lowercased(), of: currency, in: cell) else { return cell }
        }
        let number = scalars[first...last]
        let runs = number.split(omittingEmptySubsequences: false) { !isDigit($0) }.map(string)
        let separators = number.filter { !isDigit($0) }
        // What stands before ",-" has no fraction: "1.200,-" has one meaning.
        if isWhole, Set(separators).isSubset(of: Self.separators) { return isGrouped(runs, separators) ? runs.joined() : cell }
        return try joined(runs, separators, in: currency, cell) ?? cell
    }

    private static let separators: Set<Unicode.Scalar> = [".", ",", "'", " "]

    /// The runs of digits with a point for the separator of the fraction, and nothing for others; nil if they are no amount.
    private static func joined(
        _ runs: [String], _ separators: [Unicode.Scalar], in currency: Currency, _ cell: String
    ) throws(Fault) -> String? {
        guard let last = separators.last else { return runs[0] }
        guard Set(separators).isSubset(of: Self.separators), !runs.contains("") else { return nil }
        let (whole, others) = (Array(runs.dropLast()), separators.dropLast())
        let isPoint = last == "." || last == ","
        if isPoint, others.isEmpty, runs[1].utf8.count == 3, runs[0].utf8.count <= 3, !runs[0].hasPrefix("0") {
            // A currency without fractions leaves one meaning. With three digits of them, the point is the API's own.
            if currency.digits == 0 { return runs.joined() }
            guard last == ".", currency.digits >= 3 else { throw .ambiguous(cell) }
        }
        if isPoint, !others.contains(last) {
            guard isGrouped(whole, Array(others)) else { return nil }
            return whole.joined() + "." + runs[runs.count - 1]
        }
        return isGrouped(runs, separators) ? runs.joined() : nil
    }

    /// Whether runs of digits are thousands with one kind of separator, or the lakhs and crores of India.
    private static func isGrouped(_ runs: [String], _ separators: [Unicode.Scalar]) -> Bool {
        guard runs.count > 1 else { return true }
        let middle = Set(runs.dropFirst().dropLast().map(\.utf8.count))
        return Set(separators).count == 1 && runs[0].utf8.count <= 3 && runs[runs.count - 1].utf8.count == 3
            && (middle.isSubset(of: [3]) || middle == [2])
    }

    /// A scalar as its plain form: full-width ones of East Asia, also signs of currencies, blanks of every width, and apostrophes.
    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "\u{FFE5}": "\u{A5}"
        case "\u{FFE1}": "\u{A3}"
        case "\u{FFE6}": "\u{20A9}"
        case "\u{FF10}"..."\u{FF19}", "\u{FF04}", "\u{FF0C}", "\u{FF0E}": Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case "’", "`", "´": "'"
        default: scalar.properties.isWhitespace ? " " : scalar
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
