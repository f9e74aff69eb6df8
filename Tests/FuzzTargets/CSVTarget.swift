import AuctionServer
import EventLog

/// The input is a CSV file.
enum CSVTarget {
    static func run(_ input: [UInt8]) throws(PropertyViolation) {
        var (line, rows) = (0, 0)
        for row in CSVReader(input) {
            switch row {
            case .success(let row):
                try rises(&line, to: row.line)
                try roundTrip(row.cells)
            case .failure(let error): try rises(&line, to: error.line)
            }
            rows += 1
            try require(rows <= input.count, "there are more rows than bytes")
        }
    }

    private static func rises(_ line: inout Int, to next: Int) throws(PropertyViolation) {
        try require(next > line, "line \(next) follows line \(line)")
        line = next
    }

    /// What was read and is written again must be read as the same, formulas and quotes included.
    private static func roundTrip(_ cells: [String]) throws(PropertyViolation) {
        var table: [UInt8] = []
        CSVRow.append(cells, to: &table)
        var reader = CSVReader(table)
        let again = try? reader.next()?.get().cells
        try require(again == cells, "written again it is \(String(decoding: table, as: UTF8.self))")
    }
}
