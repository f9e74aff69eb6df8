import EventLog
import ExactJSON
import Testing

struct CSVRowTests {
    @Test(arguments: [
        ("Teapot", "Teapot"), ("", ""), ("a,b", "\"a,b\""), ("a \"b\"", "\"a \"\"b\"\"\""), ("a\nb", "\"a\nb\""),
        ("a\r\nb", "\"a\r\nb\""), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\tx", "\"'\tx\""),
        ("\rx", "\"'\rx\""), ("\r\nx", "\"'\r\nx\""), (";=1", "\";'=1\""), ("a;=1", "\"a;'=1\""),
        ("a,+1\t-2|@3", "\"a,'+1\t'-2|'@3\""), ("a\n=1", "\"a\n'=1\""), ("a;'=1", "\"a;''=1\""), ("a; =1;b", "\"a; =1;b\""),
        ("\t=1", "\"'\t'=1\""), (";\"=1", "\";'\"\"=1\""), ("=a,\"b\"", "\"'=a,\"\"b\"\"\""), ("a=1", "a=1"), ("竞拍", "竞拍"),
        ("\u{FF1D}1", "'\u{FF1D}1"), ("\u{FF0B}1", "'\u{FF0B}1"), ("\u{FF0D}1", "'\u{FF0D}1"), ("\u{FF20}x", "'\u{FF20}x"),
    ])
    func `a cell is quoted if it contains a separator and prefixed if it could be a formula`(text: String, cell: String) {
        #expect(CSVRow.cell(text) == cell)
    }

    @Test(arguments: [
        (#"{"text":"a;=1","n":-1}"#, #"{"text":"a;\u003d1","n":-1}"#), (#"["a","=1"]"#, #"["a","\u003d1"]"#),
        (#"{"a":"x|'-\",\"@"}"#, #"{"a":"x|'\u002d\",\"@"}"#), (#"{"a":"=1 - 2;＋3"}"#, #"{"a":"=1 - 2;\uff0b3"}"#),
        (#"{"a":"\\","-":1}"#, #"{"a":"\\","\u002d":1}"#),
    ])
    func `JSON in a cell has the same values without formulas`(json: String, written: String) throws {
        #expect(CSVRow.json(json) == written && CSVRow.cell(written) == "\"\(written.replacing("\"", with: "\"\""))\"")
        #expect(
            try JSONReader.read(Array(written.utf8), limits: JSONLimits())
                == JSONReader.read(Array(json.utf8), limits: JSONLimits()))
    }

    @Test func `a row ends with a carriage return and a line feed`() {
        var table: [UInt8] = []
        CSVRow.append(["a", "b,c", ""], to: &table)
        #expect(String(decoding: table, as: UTF8.self) == "a,\"b,c\",\r\n")
    }
}
