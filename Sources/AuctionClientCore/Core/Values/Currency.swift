/// A currency: its ISO 4217 code and how many digits follow the decimal point.
public struct Currency: Hashable, Sendable, Codable {
    /// The most fraction digits that this library works with.
    public static let maximumFractionDigits = 4

    /// Three capital letters, such as `CNY`.
    public let code: String
    /// Digits of the minor unit: 2 for CNY, 0 for JPY, 3 for KWD.
    public let fractionDigits: Int

    /// A currency by its code, with the digits of ISO 4217; two for a code that is not listed there.
    public init(_ code: String) {
        self.code = code
        fractionDigits =
            if Self.withoutDigits.contains(code) {
                0
            } else if Self.withThreeDigits.contains(code) {
                3
            } else if Self.withFourDigits.contains(code) { 4 } else { 2 }
    }

    /// A currency that ISO 4217 does not list; its digits are clamped to 0 and `maximumFractionDigits`.
    public init(_ code: String, fractionDigits: Int) {
        self.code = code
        self.fractionDigits = min(max(fractionDigits, 0), Self.maximumFractionDigits)
    }

    /// Minor units of one major unit: 100 for CNY.
    public var minorUnitsPerMajorUnit: Int64 {
        var units: Int64 = 1
        for _ in 0..<fractionDigits { units *= 10 }
        return units
    }

    private static let withoutDigits: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF",
    ]
    private static let withThreeDigits: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
    private static let withFourDigits: Set<String> = ["CLF", "UYW"]
}

extension Currency: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }
    public var description: String { code }
}
