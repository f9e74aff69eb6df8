import AuctionDomain

/// The first byte of the input selects the currency, the rest is the amount.
enum MoneyTarget {
    private static let currencies = ["CNY", "JPY", "KWD"].compactMap { Currency(code: $0) }

    static func run(_ input: [UInt8]) throws(PropertyViolation) {
        guard let choice = input.first else { return }
        let currency = currencies[Int(choice) % currencies.count]
        let text = String(decoding: input.dropFirst(), as: UTF8.self)
        guard let money = try? currency.money(text, allowsZero: true) else { return }
        try require((0...Money.maximum.minorUnits).contains(money.minorUnits), "\(text) is \(money.minorUnits) minor units")
        let printed = currency.text(money)
        let again = try? currency.money(printed, allowsZero: true)
        try require(again == money, "\(text) prints as \(printed), which is another amount")
        // The same digits, except for insignificant zeros.
        try require(significant(text) == significant(printed), "\(text) prints as \(printed)")
    }

    private static func significant(_ text: String) -> Substring {
        let whole = text.drop { $0 == "0" }
        guard whole.contains(".") else { return whole }
        var trimmed = whole
        while trimmed.last == "0" { trimmed.removeLast() }
        if trimmed.last == "." { trimmed.removeLast() }
        return trimmed
    }
}
