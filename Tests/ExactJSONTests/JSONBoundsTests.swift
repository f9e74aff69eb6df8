import ExactJSON
import Testing

/// Bounds on the work that a client's document can cause.
struct JSONBoundsTests {
    private func read(_ text: String, _ limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
        try JSONReader.read(Array(text.utf8), limits: limits)
    }

    private func whole(_ literal: String) throws -> Int? {
        var fields = try JSONFields(try JSONReader.read(Array("{\"a\":\(literal)}".utf8)))
        return try? fields.int("a")
    }

    @Test(arguments: [
        "1e-9223372036854775808", "1e-9223372036854775807", "1e9223372036854775807", "1e9223372036854775808",
        "1e-99999999999999999999999", "1.5e-9223372036854775808", "-1e400", "1e400", "1e-400", "10e-2", "0.1e0",
        "-9223372036854775809.0", "1E+99999999999999999999999",
    ])
    func `a number that is fractional or out of range is refused, whatever its exponent`(_ literal: String) throws {
        #expect(try whole(literal) == nil)
    }

    @Test func `whole numbers are recognised in every notation and at any length`() throws {
        let zeros = String(repeating: "0", count: 60_000)
        let cases = [
            ("1\(zeros)e-60000", 1), ("-12\(zeros)E-60000", -12), ("0.\(zeros)7e60001", 7), ("7.\(zeros)", 7),
            ("0e9223372036854775808", 0), ("-0.\(zeros)e-5", 0), ("9223372036854775807\(zeros)e-60000", Int.max),
            ("-9223372036854775808.0", Int.min), ("10200e-2", 102), ("1.02e2", 102), ("1e18", 1_000_000_000_000_000_000),
            ("922337203685477580.7e1", Int.max),
        ]
        for (literal, value) in cases { #expect(try whole(literal) == value, "\(literal.prefix(30))") }
        for literal in ["1\(zeros)", "1\(zeros)e-59970", "1\(zeros)1e-60001", "0.\(zeros)7e60000", "9223372036854775808e0"] {
            #expect(try whole(literal) == nil, "\(literal.prefix(30))")
        }
    }

    @Test func `names are compared as bytes, not by Unicode equivalence`() throws {
        let spellings = try read("{\"\u{E9}\":1,\"e\u{301}\":2}")
        guard case .object(let members) = spellings else { throw JSONError(.malformed, "no object") }
        #expect(members.count == 2)
        #expect(spellings["\u{E9}"] == .number("1"))
        #expect(spellings["e\u{301}"] == .number("2"))
        // The kelvin sign is canonically equivalent to the letter K.
        var fields = try JSONFields(try read("{\"\u{212A}\":1}"))
        #expect(fields.take("K") == nil)
        #expect(throws: JSONError.self) { try fields.finish() }
    }

    @Test func `a duplicate name is detected among few and among many members`() throws {
        for count in [1, 7, 8, 9, 200] {
            let names = (0..<count).map { "\"e\u{301}\($0)\":0" }
            _ = try read("{\(names.joined(separator: ","))}")
            for twice in [names[0], names[count - 1]] {
                #expect { try read("{\((names + [twice]).joined(separator: ","))}") } throws: { error in
                    (error as? JSONError)?.code == .duplicateName
                }
            }
        }
    }

    @Test func `members, elements and values are read up to their bounds, and the error names the exceeded bound`() throws {
        let limits = JSONLimits(depth: 4, members: 5, values: 12)
        func object(_ count: Int) -> String { "{\((0..<count).map { "\"\($0)\":0" }.joined(separator: ","))}" }
        func array(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }
        for fitting in [object(5), array(["0", "0", "0", "0", "0"]), array([object(5), object(4)])] {
            #expect(throws: Never.self, "\(fitting)") { try read(fitting, limits) }
        }
        let passing = [
            (object(6), "5 members"), (array(["0", "0", "0", "0", "0", "0"]), "5 elements"),
            (array([object(5), object(5)]), "12 values"),
        ]
        for (text, words) in passing {
            #expect { try read(text, limits) } throws: { error in
                (error as? JSONError)?.code == .tooMany && (error as? JSONError)?.detail.contains(words) == true
            }
        }
        _ = try JSONReader.read(Array(object(5000).utf8))
    }

    @Test func `an error truncates long names`() throws {
        let name = String(repeating: "\u{301}", count: 20_000)
        let errors = try [
            #require(throws: JSONError.self) { try read("{\"\(name)\":1,\"\(name)\":2}") },
            #require(throws: JSONError.self) { try read("{\"\(name)\"}") },
            #require(throws: JSONError.self) { try JSONFields(try read("{\"\(name)\":1}")).finish() },
            #require(throws: JSONError.self) { try JSONFields(try read("{\"\(name)\":null}")).refuseNulls(except: ["amount"]) },
            #require(throws: JSONError.self) {
                try JSONFields(try read("{\"\(name)\":{\"\(name)\":null}}")).refuseNulls(except: ["amount"])
            },
        ]
        for error in errors {
            #expect(error.detail.utf8.count < 1000)
            #expect((error.field ?? "").utf8.count < 1000)
        }
    }

    @Test func `a value that was read is written unchanged, including names that need escapes`() throws {
        let text = #"{"a\"b":[1e3,-0.50,"\n","é"],"":{"x":[]},"c":[true,false,null,{}]}"#
        var json = JSONWriter()
        json.value(try read(text))
        #expect(String(decoding: json.bytes, as: UTF8.self) == text)
    }
}
