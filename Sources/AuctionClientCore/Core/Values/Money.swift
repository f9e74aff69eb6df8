/// An exact amount in a currency: a whole number of minor units, never a floating-point number.
public struct Money: Hashable, Sendable, Codable {
    /// The largest amount of minor units that the service accepts: 2^53 - 1.
    public static let maximumMinorUnits: Int64 = 9_007_199_254_740_991

    /// In minor units of the currency: 12000 for CNY 120.00. Negative only as the result of a subtraction.
    public let minorUnits: Int64
    /// The currency.
    public let currency: Currency

    /// An amount in minor units.
    public init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// An amount from a decimal with a point: `120`, `120.5`, `120.00`.
    ///
    /// Nothing is rounded. For what a person typed, in their locale, use `init(typed:currency:locale:)`.
    /// - Throws: `MoneyError` for signs, exponents, spaces, more fraction digits than the currency has, and amounts that are too large.
    public init(_ text: String, _ currency: Currency) throws(MoneyError) {
        try self.init(text, currency, atMost: Self.maximumMinorUnits)
    }

    private init(_ text: String, _ currency: Currency, atMost limit: Int64) throws(MoneyError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2 else { throw .malformed(text) }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard !whole.isEmpty, parts.count == 1 || !fraction.isEmpty else { throw .malformed(text) }
        guard fraction.count <= currency.fractionDigits else {
            throw .tooManyFractionDigits(text, allowed: currency.fractionDigits)
        }
        let zeros = String(repeating: "0", count: currency.fractionDigits - fraction.count)
        let digits = whole + fraction + zeros
        guard digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { throw .malformed(text) }
        guard let units = Int64(digits), units <= limit else { throw .tooLarge }
        self.init(minorUnits: units, currency: currency)
    }

    /// An amount as the service sends it. A number of fraction digits that ISO 4217 does not have for the currency is the service's own
    /// and is kept. A total may be up to twice the largest price.
    init?(wire text: String, currency: Currency) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.count == 2 ? parts[1].count : 0
        let own = digits == currency.fractionDigits ? currency : Currency(currency.code, fractionDigits: digits)
        do throws(MoneyError) { try self.init(text, own, atMost: .max) } catch { return nil }
    }

    /// The amount with a point and exactly the currency's fraction digits, as the service reads and writes it: `120.00`.
    public var decimal: String {
        let digits = currency.fractionDigits
        let magnitude = String(minorUnits.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - magnitude.count)) + magnitude
        let sign = minorUnits < 0 ? "-" : ""
        return digits == 0 ? sign + padded : "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }
}

extension Money: CustomStringConvertible {
    /// For logs: `120.00 CNY`. For people use `formatted(locale:)`.
    public var description: String { "\(decimal) \(currency.code)" }
}

/// Why an amount could not be read or computed.
public enum MoneyError: Error, Hashable, Sendable {
    /// Not a decimal amount; the text.
    case malformed(String)
    /// More fraction digits than the currency has; nothing is rounded.
    case tooManyFractionDigits(String, allowed: Int)
    /// More than the service accepts, or than a 64-bit number of minor units holds.
    case tooLarge
    /// Two amounts in different currencies.
    case differentCurrencies(Currency, Currency)
}
