import ExactJSON
import Testing

struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func `commas are written only between members and between elements`() {
        let written = text { json in
            json.object { json in
                json.member("a", 1)
                json.member(
                    "b",
                    array: { array in
                        array.int(-2)
                        array.object { _ in }
                        array.array { _ in }
                        array.null()
                    })
                json.member("c", String?.none)
                json.member("d", true)
            }
        }
        #expect(written == #"{"a":1,"b":[-2,{},[],null],"c":null,"d":true}"#)
    }

    @Test func `written JSON reads back as the same value`() throws {
        let nasty = "quote \" backslash \\ newline \n tab \t bell \u{7} 拍卖 😀"
        let written = text { $0.string(nasty) }
        #expect(try JSONReader.read(Array(written.utf8)) == .string(nasty))
    }

    @Test(arguments: 1..<20)
    func `what needs escapes is escaped at every place of a text`(length: Int) throws {
        var wrong: [String] = []
        for (place, byte) in (0..<length).flatMap({ place in (UInt8(0)..<0x80).map { (place, $0) } }) {
            var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
            bytes[place] = byte
            let value = String(decoding: bytes, as: UTF8.self)
            let written = text { $0.string(value) }
            let isPlain = byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            let isSame = try JSONReader.read(Array(written.utf8)) == .string(value)
            if !isSame || isPlain != (written == "\"\(value)\"") { wrong.append(written) }
        }
        #expect(wrong == [])
    }

    @Test(arguments: [0, 1, 16, 17, 4096])
    func `what is written does not depend on the bytes that were reserved`(capacity: Int) throws {
        var json = JSONWriter(reserving: capacity)
        let texts = (0..<200).map { String(repeating: $0 % 3 == 0 ? "\n" : "拍", count: $0) }
        json.array { array in for text in texts { array.object { $0.member("text", text) } } }
        let members = texts.map { JSONValue.object([JSONMember(name: "text", value: .string($0))]) }
        #expect(try JSONReader.read(json.bytes) == .array(members))
    }

    @Test(arguments: [0, 7, 10, -1, 1234567890, Int.max, Int.min])
    func `integers of any size are written exactly`(value: Int) {
        #expect(text { $0.int(value) } == String(value))
    }
}

struct JSONFieldsTests {
    private func fields(_ text: String) throws(JSONError) -> JSONFields {
        try JSONFields(try JSONReader.read(Array(text.utf8)))
    }

    @Test func `a field that was not read is reported as unknown, with its path`() throws {
        var fields = try fields(#"{"rules":{"startingPrice":"1","colour":"red"}}"#)
        var rules = try fields.object("rules")
        _ = rules.take("startingPrice")
        #expect { try rules.finish() } throws: { error in
            (error as? JSONError)?.code == .unknownField && (error as? JSONError)?.field == "rules.colour"
        }
        try fields.finish()
    }

    @Test func `a missing field is reported by name`() throws {
        var fields = try fields("{}")
        #expect { try fields.string("name") } throws: { error in
            (error as? JSONError)?.code == .missingField && (error as? JSONError)?.field == "name"
        }
    }

    @Test func `a value of the wrong kind is reported with the expected kind`() throws {
        var fields = try fields(#"{"name":7}"#)
        #expect { try fields.string("name") } throws: { error in
            (error as? JSONError)?.detail == #""name" must be a string, not a number."#
        }
    }

    @Test func `a null counts as absent for optional fields`() throws {
        var fields = try fields(#"{"round":null,"reason":null}"#)
        #expect(try fields.optionalInt("round") == nil)
        #expect(try fields.optionalString("reason") == nil)
        try fields.finish()
    }

    @Test(arguments: ["1.5", "1e-2", "99999999999999999999", "\"5\""])
    func `a value that is not a whole number is refused`(literal: String) throws {
        var fields = try fields("{\"round\":\(literal)}")
        #expect(throws: JSONError.self) { try fields.int("round") }
    }
}
