internal import EventLog

/// Reads the rows of a CSV file (RFC 4180) that anyone may have written: rows ended by CRLF, LF or CR.
///
/// Takes time and memory linear in the number of bytes, for any input. A byte-order mark at the beginning is skipped, and so are the
/// Ctrl-Z with which some programs end a file.
package struct CSVReader: Sequence, IteratorProtocol {
    /// The cells of a row.
    package struct Row: Hashable, Sendable {
        /// The line at which the row begins, from 1.
        package let line: Int
        /// The texts, without quotes and without the apostrophe that `CSVRow` puts before formulas; line breaks are LF.
        package let cells: [String]

        /// Whether no cell has a text, as in the rows that spreadsheets leave at the end.
        package var isBlank: Bool { cells.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
    }

    /// Why a row cannot be read; the next one can.
    package enum Fault: Hashable, Sendable, CaseIterable {
        /// A cell begins with a quotation mark and no other ends it before the end of the file.
        case unclosedQuote
        /// Text follows the quotation mark that ends a cell.
        case textAfterQuote
        /// A quotation mark stands in a cell that does not begin with one.
        case quoteInside
        case notUTF8
        /// More than `cellLimit` cells, not counting empty ones at the end.
        case tooManyCells
    }

    /// A fault with its place.
    package struct RowError: Error, Hashable, Sendable {
        /// The line at which the row begins, from 1.
        package let line: Int
        /// What is wrong with it.
        package let fault: Fault
    }

    /// Most cells of a row, more than any file that is read here has columns.
    package static let cellLimit = 64

    private let bytes: [UInt8]
    private let separator: UInt8
    private var index = 0
    private var line = 1

    /// A reader of a whole file.
    /// - Parameter separator: The ASCII character between the cells of a row.
    package init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) {
        var bytes = bytes
        while bytes.last == 0x1A { bytes.removeLast() }
        self.bytes = bytes
        self.separator = separator
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The separator that the first line names, as spreadsheets write it: `sep=;`; nil if it names none of comma, semicolon and tab.
    package static func separator(namedIn bytes: [UInt8]) -> UInt8? {
        let line = bytes.drop { [0xEF, 0xBB, 0xBF].contains($0) }.prefix(10).prefix { $0 != 0x0A && $0 != 0x0D }
        let words = String(decoding: line.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self).lowercased()
        return [",", ";", "\t"].first { words == "sep=\($0)" }?.utf8.first
    }

    /// The next row, or why it cannot be read; nil at the end of the file. An empty line is a row with one empty cell.
    package mutating func next() -> Result<Row, RowError>? {
        guard index < bytes.count else { return nil }
        let start = line
        var (cells, fault) = ([String](), Fault?.none)
        var isLast = false
        while !isLast {
            let cell = cell(&fault, isLast: &isLast)
            if cells.count < Self.cellLimit { cells.append(cell) } else if !cell.isEmpty { fault = fault ?? .tooManyCells }
        }
        if let fault { return .failure(RowError(line: start, fault: fault)) }
        return .success(Row(line: start, cells: cells))
    }

    /// Reads a cell and what ends it: a separator, the end of the row or that of the file.
    /// - Parameter fault: Set unless there was one before. The rest of the row is read all the same.
    private mutating func cell(_ fault: inout Fault?, isLast: inout Bool) -> String {
        var text: [UInt8] = []
        var isQuoted = take(UInt8(ascii: "\""))
        let wasQuoted = isQuoted
        isLast = true
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            // Spreadsheets of one system write CRLF, of others LF or CR, and any of them within cells.
            let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            if isLineEnd {
                line += 1
                if byte == UInt8(ascii: "\r") { _ = take(UInt8(ascii: "\n")) }
            }
            if isQuoted {
                if byte != UInt8(ascii: "\"") {
                    text.append(isLineEnd ? UInt8(ascii: "\n") : byte)
                } else if take(UInt8(ascii: "\"")) {
                    text.append(byte)
                } else {
                    isQuoted = false
                }
                continue
            }
            switch byte {
            case separator:
                isLast = false
                return string(text, &fault)
            case _ where isLineEnd: return string(text, &fault)
            case UInt8(ascii: "\"") where !wasQuoted: fault = fault ?? .quoteInside
            case _ where wasQuoted: fault = fault ?? .textAfterQuote
            default: text.append(byte)
            }
        }
        if isQuoted { fault = fault ?? .unclosedQuote }
        return string(text, &fault)
    }

    private func string(_ text: [UInt8], _ fault: inout Fault?) -> String {
        guard let utf8 = try? UTF8Span(validating: text.span) else {
            fault = fault ?? .notUTF8
            return ""
        }
        return CSVRow.unguarded(String(copying: utf8))
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        return true
    }
}
