package import Permissions

/// An exact amount in minor units of the room's currency, which the amount itself does not name.
package struct Money: Hashable, Comparable, Sendable, Codable {
    /// 0 … 2^53-1, such as cents.
    package let minorUnits: Int64

    /// The largest amount, 2^53-1: JSON readers that use floating point keep larger ones only approximately.
    package static let maximum = Money(minorUnits: 1 << 53 - 1)

    package init(minorUnits: Int64) { self.minorUnits = minorUnits }

    /// Decodes the minor units, an integer; the bounds are not checked.
    package init(from decoder: any Decoder) throws { minorUnits = try Int64(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try minorUnits.encode(to: encoder) }

    package static func < (left: Self, right: Self) -> Bool { left.minorUnits < right.minorUnits }

    /// The sum, clamped to `maximum`.
    package static func + (left: Self, right: Self) -> Self {
        let (sum, overflow) = left.minorUnits.addingReportingOverflow(right.minorUnits)
        return overflow ? .maximum : min(Money(minorUnits: sum), .maximum)
    }
}

/// The reason why a text is not an amount of a currency, as a sentence for clients.
package struct MoneyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The same in every language, as a sentence.
    package let text: LocalizedText
    package var description: String { text.english }

    fileprivate init(_ make: @escaping @Sendable (Language) -> String) { text = LocalizedText(make) }
}

extension Currency {
    /// Parses a decimal literal such as `120`, `120.5` or `120.50` without rounding.
    /// - Parameter allowsZero: whether zero is an amount, as in a tier's `from`.
    /// - Throws: `MoneyError` if the text is malformed, too large, too precise, or zero without `allowsZero`.
    package func money(_ text: String, allowsZero: Bool = false) throws(MoneyError) -> Money {
        var units: Int64 = 0
        var fraction: Int?
        var wholeDigits = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if let seen = fraction { fraction = seen + 1 } else { wholeDigits += 1 }
                guard fraction ?? 0 <= digits else {
                    throw MoneyError {
                        $0 == .english
                            ? "\"\(excerpt(text))\" has more fraction digits than \(code) has (\(digits))."
                            : "\"\(excerpt(text))\" 的小数位数超过 \(code) 的 \(digits) 位。"
                    }
                }
                units = units * 10 + Int64(byte - UInt8(ascii: "0"))
                guard units <= Money.maximum.minorUnits else { throw tooLarge(text) }
            case UInt8(ascii: ".") where fraction == nil && wholeDigits > 0 && digits > 0: fraction = 0
            default: throw notANumber(text)
            }
        }
        guard wholeDigits > 0, fraction != 0 else { throw notANumber(text) }
        for _ in (fraction ?? 0)..<digits {
            units *= 10
            guard units <= Money.maximum.minorUnits else { throw tooLarge(text) }
        }
        guard units > 0 || allowsZero else {
            throw MoneyError { $0 == .english ? "An amount must be greater than zero." : "金额须大于零。" }
        }
        return Money(minorUnits: units)
    }

    private func notANumber(_ text: String) -> MoneyError {
        let example = self.text(Money(minorUnits: 120 * unitsPerMajor))
        return MoneyError {
            $0 == .english
                ? "\"\(excerpt(text))\" is not a decimal number with at most \(digits) fraction digits, such as \"\(example)\"."
                : "\"\(excerpt(text))\" 不是最多 \(digits) 位小数的十进制数(例如 \"\(example)\")。"
        }
    }

    private func tooLarge(_ text: String) -> MoneyError {
        MoneyError {
            $0 == .english
                ? "\"\(excerpt(text))\" is too large: the most is \(self.text(.maximum)) \(code)."
                : "\"\(excerpt(text))\" 过大:最多为 \(self.text(.maximum)) \(code)。"
        }
    }

    /// The first 40 code points; a limit in characters would not bound the length.
    private func excerpt(_ text: String) -> String { String(text.unicodeScalars.prefix(40)) }
}
