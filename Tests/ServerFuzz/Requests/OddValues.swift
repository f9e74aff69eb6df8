import AuctionTestKit
import ExactJSON

/// Boundary values of fields, types and Unicode.
enum OddValues {
    /// Number literals; the last ones are invalid in JSON.
    static let numbers = [
        "0", "-0", "1", "-1", "2", "0.0", "0.01", "0.001", "1.50", "7.0", "7e2", "1e0", "0e0", "0e-1", "1e1", "1E+2", "1e400",
        "-1e400",
        "1e-400", "1e401", "1e-9223372036854775808", "1e9223372036854775807", "1e-9223372036854775807", "1e9223372036854775808",
        "0e-9223372036854775808", "0.5e9223372036854775807", "1e-2147483648", "1e2147483648", "60", "61", "255", "256", "257",
        "1000",
        "1001", "65535", "65536", "86400", "86401", "604800", "2147483647", "2147483648", "-2147483648", "4294967295",
        "4294967296",
        "9007199254740991", "9007199254740992", "90071992547409.91", "90071992547409.92", "9007199254740993e0",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "18446744073709551616", "1.7976931348623157e308", "5e-324", "1e309", "0.1e1", "10e-1", "100e-2", "1e-1",
        "253402300799000",
        "+1", "01", "1.", ".5", "1e", "0x10", "NaN", "Infinity", "-", "１２", "1_000", "1,5",
    ]

    /// U+F8FE stands for an unpaired surrogate, which a Swift string cannot contain, U+F8FF for a byte that is invalid in UTF-8.
    static let texts = [
        "", " ", "\t", "\n", "\r\n", "\u{0}", "a\u{0}b", "\u{1}", "\u{7F}", "\u{85}", "\u{A0}", "\u{AD}", "\u{200B}",
        "\u{200D}", "\u{202E}abc",
        "\u{2066}x\u{2069}", "\u{FEFF}", "\u{FFFD}", "\u{FFFE}", "\u{10FFFF}", "\u{E0001}", "e\u{301}", "\u{301}", "Å",
        "A\u{30A}", "\u{212B}",
        "ﬃ", "İ", "ß", "👩‍👩‍👧‍👦", "🇨🇳🇨🇳", "️", "甲", "𠀀", "null", "true", "latest", "me", "../..", "%00", "%", "\"", "\\", "\\u0000",
        "</script>",
        "'; --", "=1+1", "-", "1e3", "-1", "0", "0.00", "00", "1.000", "120.00", "9007199254740991", "90071992547409.92",
        "9223372036854775808", "９", "١٢", "1 000", " 1", "1 ", "\u{F8FE}", "a\u{F8FE}", "\u{F8FF}",
    ]

    /// A text of about the given number of bytes, of one random kind.
    static func long(_ bytes: Int, _ generator: inout SeededGenerator) -> String {
        let unit = generator.pick([
            "a", "\u{301}", "é", "甲", "👩‍👩‍👧‍👦", "\u{200B}", "🇨", "a\u{327}\u{301}", "0", " ", "\"", "\n", "\u{0}", "ﷺ",
        ])
        return String(repeating: unit, count: max(1, bytes / unit.utf8.count))
    }

    /// Distinct member names of one random kind, as many as fit into the given number of bytes.
    static func names(bytes: Int, _ generator: inout SeededGenerator) -> [String] {
        let marks = ["\u{301}", "\u{300}", "\u{302}", "\u{303}"]
        let kind = generator.roll(0...4)
        let length = generator.pick([1, 4, 12, 40])
        var (names, used) = ([String](), 0)
        while used < bytes, names.count < 20_000 {
            let number = String(names.count, radix: 36)
            let name: String =
                switch kind {
                case 0: number
                case 1: String(repeating: "a", count: length * 4) + number
                case 2: "a" + String(repeating: "\u{301}", count: length) + number
                // Base-four digits as combining marks: names with long common prefixes, all different.
                case 3:
                    "a" + String(repeating: marks[0], count: length)
                        + String(names.count, radix: 4).map { marks[$0.wholeNumberValue ?? 0] }.joined()
                default: String(repeating: "甲", count: length) + number
                }
            names.append(name)
            used += name.utf8.count + 5
        }
        return names
    }
}
