/// A row of a table for spreadsheets, as RFC 4180 writes it.
public enum CSVRow {
    /// Appends a row with its line end.
    public static func append(_ cells: [String], to table: inout [UInt8]) {
        table.append(contentsOf: cells.map(cell).joined(separator: ",").utf8)
        table.append(contentsOf: "\r\n".utf8)
    }

    /// One cell: what a spreadsheet would take for a formula gets an apostrophe in front, what would end the cell gets quotes.
    public static func cell(_ text: String) -> String {
        let guarded = text.unicodeScalars.first.map(beginsFormula) == true ? "'" + text : text
        // By scalars: a carriage return with its line feed is one character.
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
