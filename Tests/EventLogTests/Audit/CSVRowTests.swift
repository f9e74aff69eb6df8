import EventLog
import Testing

struct CSVRowTests {
    @Test(arguments: [
        ("Teapot", "Teapot"), ("", ""), ("a,b", "\"a,b\""), ("a \"b\"", "\"a \"\"b\"\"\""), ("a\nb", "\"a\nb\""),
        ("a\r\nb", "\"a\r\nb\""), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\tx", "'\tx"),
        ("\rx", "\"'\rx\""), ("\r\nx", "\"'\r\nx\""), ("=a,\"b\"", "\"'=a,\"\"b\"\"\""), ("a=1", "a=1"), ("竞拍", "竞拍"),
        ("\u{FF1D}1", "'\u{FF1D}1"), ("\u{FF0B}1", "'\u{FF0B}1"), ("\u{FF0D}1", "'\u{FF0D}1"), ("\u{FF20}x", "'\u{FF20}x"),
    ])
    func `a cell is quoted if it contains a separator and prefixed if it could be a formula`(text: String, cell: String) {
        #expect(CSVRow.cell(text) == cell)
    }

    @Test func `a row ends with a carriage return and a line feed`() {
        var table: [UInt8] = []
        CSVRow.append(["a", "b,c", ""], to: &table)
        #expect(String(decoding: table, as: UTF8.self) == "a,\"b,c\",\r\n")
    }
}
