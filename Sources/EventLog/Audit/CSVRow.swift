/// Formats rows of CSV (RFC 4180) that spreadsheet programs can open safely.
package enum CSVRow {
    /// Appends a row, terminated by CRLF.
    package static func append(_ cells: [String], to table: inout [UInt8]) {
        table.append(contentsOf: cells.map(cell).joined(separator: ",").utf8)
        table.append(contentsOf: "\r\n".utf8)
    }

    /// One escaped cell: a text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe, one that contains a
    /// comma, a quotation mark or a line break is quoted.
    package static func cell(_ text: String) -> String {
        let guarded = text.unicodeScalars.first.map(beginsFormula) == true ? "'" + text : text
        // Compared by scalar, because Swift treats CRLF as a single character.
        let needsQuotes = guarded.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\r" || $0 == "\n" }
        guard needsQuotes else { return guarded }
        return "\"" + guarded.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static func beginsFormula(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "\t", "\r": true
        default: false
        }
    }
}
