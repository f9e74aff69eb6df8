extension JSONValue {
    /// The literal of a number as a whole number, however it is written (JSON Schema's `integer`): `7`, `7.0`, `7e2`.
    ///
    /// Linear in the length of the literal, whatever its exponent: both are chosen by the client.
    ///
    /// - Returns: nil for a number with a fraction, or outside the range of `Int`.
    static func whole(_ literal: String) -> Int? {
        if let int = Int(literal) { return int }
        guard let number = DecimalLiteral(literal) else { return nil }
        return number.whole
    }
}

/// A JSON number as sign, significant digits, and the power of ten they are multiplied by.
private struct DecimalLiteral {
    /// Maximum number of decimal digits of an `Int`.
    private static let mostDigits = 19
    /// Cap of the exponent: larger than the number of digits of any literal, and small enough that sums do not overflow.
    private static let mostExponent = 1 << 40

    private var isNegative = false
    /// Without leading and trailing zeros; truncated to the number of digits of an `Int`.
    private var digits: [UInt8] = []
    private var hasTooManyDigits = false
    /// Power of ten of the last digit.
    private var power = 0

    /// Nil if the literal has no digits, or other characters than a JSON number.
    init?(_ literal: String) {
        // `zeros`: pending zeros, significant only if another digit follows.
        var (zeros, fractionDigits, isFraction, position, hasDigits) = (0, 0, false, 0, false)
        let bytes = literal.utf8Span.span
        if bytes.count > 0, bytes[0] == UInt8(ascii: "-") {
            isNegative = true
            position = 1
        }
        scan: while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                hasDigits = true
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
        guard hasDigits, let exponent = Self.exponent(bytes.extracting(droppingFirst: position)) else { return nil }
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

    /// The exponent, clamped to `mostExponent`, which no number of digits can compensate; 0 if there is none, nil if malformed.
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
            // Accumulates the negative value: `Int.min` has no positive counterpart.
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
