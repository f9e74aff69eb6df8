import ExactJSON
import Testing

struct JSONReaderTests {
    private func read(_ text: String, depth: Int = 16) throws(JSONError) -> JSONValue {
        try JSONReader.read(Array(text.utf8), maximumDepth: depth)
    }

    @Test func `numbers keep their literal`() throws {
        #expect(
            try read("[0, -0, 120.50, 1e3, 9007199254740993]")
                == .array(
                    ["0", "-0", "120.50", "1e3", "9007199254740993"].map { .number($0) }))
    }

    @Test func `objects keep the order of their members`() throws {
        let value = try read(#"{"b":1,"a":{"c":[true,false,null]}}"#)
        #expect(
            value
                == .object([
                    JSONMember(name: "b", value: .number("1")),
                    JSONMember(
                        name: "a",
                        value: .object([
                            JSONMember(name: "c", value: .array([.bool(true), .bool(false), .null]))
                        ])),
                ]))
    }

    @Test func `escapes are decoded to characters`() throws {
        #expect(try read(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00拍""#) == .string("\"\\/\u{8}\u{C}\n\r\té😀拍"))
    }

    @Test func `a duplicate name is refused and named in the error`() {
        #expect { try read(#"{"amount":"1","amount":"2"}"#) } throws: { error in
            (error as? JSONError)?.code == .duplicateName && (error as? JSONError)?.field == "amount"
        }
    }

    @Test(arguments: [
        (#"{"name":"a","rules":{"tie":1,"tie":2}}"#, "rules.tie"),
        (#"{"rules":{"increment":{"tiers":[{"from":0},{"from":1,"from":2}]}}}"#, "rules.increment.tiers[1].from"),
        (#"[1,[{"a":1,"a":2}]]"#, "[1][0].a"),
    ])
    func `a duplicate name below the top is named by its path`(text: String, path: String) {
        #expect { try read(text) } throws: { error in
            (error as? JSONError)?.code == .duplicateName && (error as? JSONError)?.field == path
        }
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "+1", "-", "1e", "nul", "tru", "'a'", "\"a",
        "\"\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\u{1}\"", "1 2", "[1] x", "1\u{FEFF}",
        "\u{FEFF}\u{FEFF}1",
        "NaN", "Infinity",
    ])
    func `text that is not JSON is refused`(text: String) {
        #expect(throws: JSONError.self) { try read(text) }
    }

    @Test func `a byte-order mark before the value is skipped`() throws {
        #expect(try read("\u{FEFF}{\"a\":1}") == read("{\"a\":1}"))
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        for bad: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
            #expect(throws: JSONError.self) { try JSONReader.read(bad) }
        }
    }

    @Test func `nesting is allowed up to the limit and refused beyond it`() throws {
        _ = try read(String(repeating: "[", count: 16) + String(repeating: "]", count: 16))
        #expect { try read(String(repeating: "[", count: 17) + String(repeating: "]", count: 17)) } throws: { error in
            (error as? JSONError)?.code == .tooDeep
        }
    }

    @Test func `arbitrary bytes never trap the reader`() {
        var state: UInt64 = 42
        let alphabet = Array("{}[]\":,0123456789.eE+-\\u truefalsn\u{0}\u{7F}é".utf8)
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int(state >> 32 % 24) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(alphabet[Int(state >> 33) % alphabet.count])
            }
            state = state &* 6_364_136_223_846_793_005 &+ 1
            _ = Result { try JSONReader.read(bytes) }
        }
    }

    @Test(arguments: [
        ("7", 7), ("-7", -7), ("7.0", 7), ("7e2", 700), ("7.5e1", 75), ("700e-2", 7), ("0.0", 0), ("-0.0", 0), ("0e9", 0),
        ("9223372036854775807.0", Int.max),
    ])
    func `a whole number may have a fraction of zeros or an exponent`(_ literal: String, _ whole: Int) throws {
        var fields = try JSONFields(try JSONReader.read(Array("{\"a\":\(literal)}".utf8)))
        #expect(try fields.int("a") == whole)
    }

    @Test(arguments: ["7.5", "75e-1", "1e19", "9223372036854775808.0", "1e999999999", "\"7\"", "true"])
    func `a number that is not whole is refused`(_ literal: String) throws {
        #expect(throws: JSONError.self) {
            var fields = try JSONFields(try JSONReader.read(Array("{\"a\":\(literal)}".utf8)))
            _ = try fields.int("a")
        }
    }
}
