/// Formats rows of CSV (RFC 4180) that spreadsheet programs can open safely.
package enum CSVRow {
    /// The byte-order mark of UTF-8, without which some spreadsheets take a table for one in an older encoding.
    package static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Appends a row, terminated by CRLF.
    package static func append(_ cells: [String], to table: inout [UInt8]) {
        table.append(contentsOf: cells.map(cell).joined(separator: ",").utf8)
        table.append(contentsOf: "\r\n".utf8)
    }

    /// One escaped cell. A part of the text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe: the whole,
    /// and what follows a separator or a line break, since spreadsheets of other countries separate cells by other characters. A text that
    /// contains a separator, a quotation mark or a line break is quoted.
    package static func cell(_ text: String) -> String {
        var cell = String.UnicodeScalarView()
        var needsQuotes = false
        var beginsCell = true
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            if beginsCell, beginsFormula(scalars[index...]) { cell.append("'") }
            // A mark that a combining one follows is no character of its own.
            if scalar == "\"" { cell.append(scalar) }
            cell.append(scalar)
            beginsCell = endsCell(scalar)
            needsQuotes = needsQuotes || beginsCell || scalar == "\""
        }
        return needsQuotes ? "\"\(String(cell))\"" : String(cell)
    }

    /// The text of a cell without its quotes: without the apostrophes that `cell` puts before formulas.
    package static func unguarded(_ cell: String) -> String {
        var text = String.UnicodeScalarView()
        var beginsCell = true
        let scalars = cell.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            let isGuard = beginsCell && scalar == "'" && beginsFormula(scalars[index...])
            if !isGuard { text.append(scalar) }
            beginsCell = endsCell(scalar)
        }
        return String(text)
    }

    /// A JSON text for a cell. A character of its strings that a spreadsheet would take for the beginning of a formula is escaped as JSON
    /// has it, so that the cell needs no apostrophe and the values stay the same.
    package static func json(_ text: String) -> String {
        var (json, isInString, isEscaped, beginsCell) = (String.UnicodeScalarView(), false, false, false)
        for scalar in text.unicodeScalars {
            if beginsCell, isInString, isOperator(scalar) {
                let digits = String(scalar.value, radix: 16)
                json.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
            } else {
                json.append(scalar)
            }
            beginsCell = endsCell(scalar) || beginsCell && isQuote(scalar)
            if scalar == "\"", !isEscaped { isInString.toggle() }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return String(json)
    }

    /// Whether some program takes the character for the end of a cell.
    private static func endsCell(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ",", ";", "\t", "|", "\n", "\r": true
        default: false
        }
    }

    /// Whether a formula begins, behind any apostrophes: one more is then put before it, so that `unguarded` finds the text again. A program
    /// that splits a cell elsewhere takes quotation marks away, too.
    private static func beginsFormula(_ text: Substring.UnicodeScalarView) -> Bool {
        text.first { !isQuote($0) }.map(isOperator) ?? false
    }

    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "\"" }

    private static func isOperator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // The full-width forms are formulas to spreadsheets of East Asia.
        case "=", "+", "-", "@", "\t", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }
}
