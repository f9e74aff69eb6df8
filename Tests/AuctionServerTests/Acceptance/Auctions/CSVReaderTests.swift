import AuctionServer
import EventLog
import Testing

struct CSVReaderTests {
    /// The rows of a file, each with its line; a row that cannot be read as its fault.
    private func read(_ bytes: [UInt8]) -> [String] {
        CSVReader(bytes).map { row in
            switch row {
            case .success(let row): "\(row.line):" + row.cells.joined(separator: "|")
            case .failure(let error): "\(error.line):\(error.fault)"
            }
        }
    }

    @Test(arguments: [
        ("", []), ("a,b", ["1:a|b"]), ("a,b\r\nc,d\n", ["1:a|b", "2:c|d"]), (",\n\n\"\"", ["1:|", "2:", "3:"]),
        ("\u{FEFF}a\n", ["1:a"]), ("a\u{FEFF}\n", ["1:a\u{FEFF}"]),
        ("\"a,b\",\"c \"\"d\"\"\"", ["1:a,b|c \"d\""]),
        ("\"a\nb\",c\nd", ["1:a\nb|c", "3:d"]), ("\"a\r\nb\"\r\nd", ["1:a\nb", "3:d"]),
        ("a;b\tc", ["1:a;b\tc"]), ("竞拍,拍品", ["1:竞拍|拍品"]), ("a\rb,\"c\rd\"\r\re", ["1:a", "2:b|c\nd", "4:", "5:e"]),
        ("\"a\"\r\"b\"\r\n\"c\"", ["1:a", "2:b", "3:c"]), ("a\n\u{1A}", ["1:a"]), ("a\u{1A}\u{1A}", ["1:a"]), ("\u{1A}", []),
        (
            String(repeating: "a,", count: 64) + ",,\nb",
            ["1:" + Array(repeating: "a", count: 64).joined(separator: "|"), "2:b"]
        ),
    ])
    func `rows are read with the lines at which they begin`(file: String, rows: [String]) {
        #expect(read(Array(file.utf8)) == rows)
    }

    @Test(arguments: [
        ("\"a\"b,c\nd", ["1:textAfterQuote", "2:d"]), ("a\"b\"\nd", ["1:quoteInside", "2:d"]),
        ("x\n\"a\nb", ["1:x", "2:unclosedQuote"]), (String(repeating: ",", count: 64) + "x\nd", ["1:tooManyCells", "2:d"]),
    ])
    func `a row that cannot be read is named, and the next one is read`(file: String, rows: [String]) {
        #expect(read(Array(file.utf8)) == rows)
    }

    @Test(arguments: [
        ("sep=;\r\na", ";"), ("sep=,\na", ","), ("\u{FEFF}SEP=\t\ra", "\t"), ("\"sep=,\"\na", ","), ("sep=;", ";"),
        ("sep=|\na", nil), ("sep=;;\na", nil), ("sep;a", nil), ("", nil), ("a,sep=;\n", nil), ("sep=;price\na", nil),
    ])
    func `a first line may name the separator`(file: String, separator: String?) {
        #expect(CSVReader.separator(namedIn: Array(file.utf8)) == separator?.utf8.first)
    }

    @Test func `text that is not UTF-8 is named with its row`() {
        #expect(read([0x61, 0x0A, 0x22, 0x0A, 0xFF, 0x22, 0x0A, 0x62]) == ["1:a", "2:notUTF8", "4:b"])
    }

    @Test(arguments: [
        "=1+1", "+1", "-1", "@x", "\tx", "'=1", "''-1", "'quoted'", "'", "a'=1", "", "24\" high, blue\nand green",
        ";=1", "a;'=1\t+2", "';'-", "\t\t=", "|'|'|@", "a\n'=b", "\"=1\"", ";'\"=1", "a\"\u{301},=HYPERLINK(\"b\")",
        "\"\u{200D}",
    ])
    func `a cell that was exported is read back as the original text`(text: String) throws {
        var table: [UInt8] = []
        CSVRow.append([text, "x"], to: &table)
        var reader = CSVReader(table)
        #expect(try reader.next()?.get().cells == [text, "x"])
    }
}
