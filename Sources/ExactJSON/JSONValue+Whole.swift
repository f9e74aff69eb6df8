extension JSONValue {
    /// The literal of a number as a whole number, however it is written (JSON Schema's `integer`): `7`, `7.0`, `7e2`.
    ///
    /// One pass over the literal, whatever is in it: neither its length nor its exponent is the reader's to choose.
    ///
    /// - Returns: nil with a fraction, and beyond what `Int` holds.
    static func whole(_ literal: String) -> Int? {
        if let int = Int(literal) { return int }
        guard let number = DecimalLiteral(literal) else { return nil }
        return number.whole
    }
}

/// A JSON number cut into its sign, its significant digits, and the power of ten behind them.
private struct DecimalLiteral {
    /// `Int` has no more.
    private static let mostDigits = 19
    /// More than any literal has digits, and far from where the sum of two would overflow.
    private static let mostExponent = 1 << 40

    private var isNegative = false
    /// Without zeros at either end; cut where there are more than any `Int` has.
    private var digits: [UInt8] = []
    private var hasTooManyDigits = false
    /// Of ten, behind the last of the digits.
    private var power = 0

    /// Nil for what is no number of JSON.
    init?(_ literal: String) {
        // Zeros that count only if another digit follows, and what the last digit stands before.
        var (zeros, fractionDigits, isFraction, position) = (0, 0, false, 0)
        let bytes = literal.utf8Span.span
        if bytes.count > 0, bytes[0] == UInt8(ascii: "-") {
            isNegative = true
            position = 1
        }
        scan: while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isFraction { fractionDigits += 1 }
                if byte == UInt8(ascii: "0") {
                    zeros += 1
                } else {
                    append(byte - UInt8(ascii: "0"), behind: digits.isEmpty ? 0 : zeros)
                    zeros = 0
                }
            case UInt8(ascii: ".") where !isFraction: isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            default: return nil
            }
            position += 1
        }
        guard let exponent = Self.exponent(bytes.extracting(droppingFirst: position)) else { return nil }
        power = exponent + zeros - fractionDigits
    }

    private mutating func append(_ digit: UInt8, behind zeros: Int) {
        guard !hasTooManyDigits, digits.count + zeros < Self.mostDigits else {
            hasTooManyDigits = true
            return
        }
        digits.append(contentsOf: repeatElement(0, count: zeros))
        digits.append(digit)
    }

    /// The exponent, held within bounds that no number of digits makes up for; 0 where there is none.
    private static func exponent(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count > 0 else { return 0 }
        var (value, position, isNegative) = (0, 1, false)
        if position < bytes.count, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
            isNegative = bytes[position] == UInt8(ascii: "-")
            position += 1
        }
        guard position < bytes.count else { return nil }
        while position < bytes.count {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else { return nil }
            value = min(mostExponent, value * 10 + Int(bytes[position] - UInt8(ascii: "0")))
            position += 1
        }
        return isNegative ? -value : value  // proven: at most 2^40
    }

    var whole: Int? {
        guard !digits.isEmpty || hasTooManyDigits else { return 0 }
        guard !hasTooManyDigits, power >= 0, power <= Self.mostDigits - digits.count else { return nil }
        var value = 0
        for digit in digits + repeatElement(0, count: power) {
            // Downwards, where there is one more.
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (difference, underflows) = product.subtractingReportingOverflow(Int(digit))
            guard !overflows, !underflows else { return nil }
            value = difference
        }
        if isNegative { return value }
        let (positive, overflows) = 0.subtractingReportingOverflow(value)
        return overflows ? nil : positive
    }
}
