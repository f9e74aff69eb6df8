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
        let guarded = beginsFormula(text) ? "'" + text : text
        // Compared by scalar, because Swift treats CRLF as a single character.
        let needsQuotes = guarded.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\r" || $0 == "\n" }
        guard needsQuotes else { return guarded }
        // A mark that a combining one follows is no character of its own.
        var quoted = "\"".unicodeScalars
        for scalar in guarded.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }

    /// The text of a cell without its quotes: without the apostrophe that `cell` puts before formulas.
    package static func unguarded(_ cell: String) -> String {
        let scalars = cell.unicodeScalars
        return scalars.first == "'" && beginsFormula(cell) ? String(scalars.dropFirst()) : cell
    }

    /// Whether a formula begins, behind any apostrophes: one more is then put before it, so that `unguarded` finds the text again.
    private static func beginsFormula(_ text: String) -> Bool {
        switch text.unicodeScalars.first(where: { $0 != "'" }) {
        // The full-width forms are formulas to spreadsheets of East Asia.
        case "=", "+", "-", "@", "\t", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }
}
