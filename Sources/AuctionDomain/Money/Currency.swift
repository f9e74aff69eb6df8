/// An ISO 4217 currency: its code and how many fraction digits its amounts have.
package struct Currency: Hashable, Sendable {
    /// The ISO 4217 code, three capital letters.
    package let code: String
    /// Fraction digits of an amount: 0, 2, 3 or 4.
    package let digits: Int

    /// Minor units in one major unit: 10 to the power of `digits`.
    package let unitsPerMajor: Int64

    private init(code: String, digits: Int) {
        self.code = code
        self.digits = digits
        unitsPerMajor = [1, 10, 100, 1000, 10000][digits]
    }

    /// The active currency with this code; nil if there is none, or if the code is not in capitals.
    package init?(code: String) {
        guard let currency = Self.byCode[code] else { return nil }
        self = currency
    }

    /// The codes of all active currencies, sorted.
    package static var codes: [String] { byCode.keys.sorted() }

    /// The Chinese yuan, with two fraction digits.
    package static let cny = Currency(code: "CNY", digits: 2)

    /// The amount with exactly the currency's fraction digits: `120.00`.
    package func text(_ money: Money) -> String {
        let (text, start) = digits(of: money)
        // Without an array, which costs more than the rest. Never without bytes: they are ASCII.
        guard let utf8 = try? UTF8Span(validating: text.span.extracting(start...)) else { return "" }
        return String(copying: utf8)
    }

    /// What `text` returns, as ASCII that begins at `start` and ends with the array; 24 bytes suffice for 19 digits and a point, and
    /// for zeros before the point.
    package func digits(of money: Money) -> (text: InlineArray<24, UInt8>, start: Int) {
        // The last digit comes first: division by a constant is a multiplication.
        var text = InlineArray<24, UInt8>(repeating: 0)
        var (rest, start) = (money.minorUnits.magnitude, text.count)
        // The point's place, and with it the least number of places.
        let point = digits > 0 ? text.count - 1 - digits : text.count
        repeat {
            start -= 1
            if start == point {
                text[start] = UInt8(ascii: ".")
                start -= 1
            }
            text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0 || start >= point
        return (text, start)
    }

    // ISO 4217 (2025), list one: active codes by number of fraction digits; two where not named.
    private static let withoutDigits = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
    private static let withThreeDigits = "BHD IQD JOD KWD LYD OMR TND"
    private static let withFourDigits = "CLF UYW"
    private static let withTwoDigits = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP \
        COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD \
        KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK \
        NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT \
        TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
        """

    private static let byCode: [String: Currency] = {
        var currencies: [String: Currency] = [:]
        for (digits, codes) in [withoutDigits, "", withTwoDigits, withThreeDigits, withFourDigits].enumerated() {
            for code in codes.split(separator: " ") {
                currencies[String(code)] = Currency(code: String(code), digits: digits)
            }
        }
        return currencies
    }()
}

extension Currency: Codable {
    /// Decodes the code; throws `DecodingError` if no active currency has it.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let code = try container.decode(String.self)
        guard let currency = Currency(code: code) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown currency \(code)")
        }
        self = currency
    }

    package func encode(to encoder: any Encoder) throws { try code.encode(to: encoder) }
}
