/// How one amount compares with another.
public enum MoneyOrder: Hashable, Sendable {
    /// The first is less.
    case less
    /// They are equal.
    case equal
    /// The first is more.
    case more
}

extension Money {
    /// How this amount compares with another.
    /// - Throws: `differentCurrencies`.
    public func compared(to other: Money) throws(MoneyError) -> MoneyOrder {
        try checkCurrency(of: other)
        return minorUnits < other.minorUnits ? .less : minorUnits > other.minorUnits ? .more : .equal
    }

    /// Whether this amount is at least another.
    /// - Throws: `differentCurrencies`.
    public func isAtLeast(_ other: Money) throws(MoneyError) -> Bool { try compared(to: other) != .less }

    /// The sum.
    /// - Throws: `differentCurrencies`; `tooLarge` if it does not fit into 64 bits.
    public func adding(_ other: Money) throws(MoneyError) -> Money {
        try checkCurrency(of: other)
        let (units, overflow) = minorUnits.addingReportingOverflow(other.minorUnits)
        guard !overflow else { throw .tooLarge }
        return Money(minorUnits: units, currency: currency)
    }

    /// The difference, negative if the other amount is larger.
    /// - Throws: `differentCurrencies`; `tooLarge` if it does not fit into 64 bits.
    public func subtracting(_ other: Money) throws(MoneyError) -> Money {
        try checkCurrency(of: other)
        let (units, overflow) = minorUnits.subtractingReportingOverflow(other.minorUnits)
        guard !overflow else { throw .tooLarge }
        return Money(minorUnits: units, currency: currency)
    }

    /// The same amount several times.
    /// - Throws: `tooLarge` if it does not fit into 64 bits.
    public func multiplied(by factor: Int64) throws(MoneyError) -> Money {
        let (units, overflow) = minorUnits.multipliedReportingOverflow(by: factor)
        guard !overflow else { throw .tooLarge }
        return Money(minorUnits: units, currency: currency)
    }

    private func checkCurrency(of other: Money) throws(MoneyError) {
        guard currency == other.currency else { throw .differentCurrencies(currency, other.currency) }
    }
}
