import ExactJSON
import Testing

struct SchemaCheckerTests {
    private let checker = SchemaChecker { $0 == "#/word" ? ["type": "string", "minLength": 2] : nil }

    private func fits(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        checker.violations(of: value, against: schema).isEmpty
    }

    @Test func `types are distinguished, also integers from fractions`() {
        #expect(fits(1, ["type": "integer"]))
        #expect(!fits(.number("1.5"), ["type": "integer"]))
        #expect(fits(.number("1.5"), ["type": "number"]))
        #expect(!fits("1", ["type": "number"]))
        #expect(fits(nil, ["type": ["string", "null"]]))
        #expect(!fits(false, ["type": ["string", "null"]]))
        #expect(!fits([], ["type": "object"]))
    }

    @Test func `objects must have required members and no unknown ones`() {
        let schema: JSONValue = [
            "type": "object", "properties": ["a": ["type": "integer"], "b": true], "required": ["a"],
            "additionalProperties": false, "dependentRequired": ["b": ["c"]],
        ]
        #expect(fits(["a": 1], schema))
        #expect(!fits([:], schema))
        #expect(!fits(["a": "1"], schema))
        #expect(!fits(["a": 1, "z": 1], schema))
        #expect(!fits(["a": 1, "b": 1], schema))
        #expect(!fits(["z": 1], ["additionalProperties": ["type": "string"]]))
        #expect(!fits([:], ["minProperties": 1]))
        #expect(fits(["a": 1], ["minProperties": 1]))
    }

    @Test func `arrays are checked element by element`() {
        #expect(fits([1, 2], ["items": ["type": "integer"], "maxItems": 2, "minItems": 2]))
        #expect(!fits([1, "2"], ["items": ["type": "integer"]]))
        #expect(!fits([1, 2, 3], ["maxItems": 2]))
        #expect(!fits([1], ["minItems": 2]))
        #expect(!fits([1, 1], ["uniqueItems": true]))
    }

    @Test func `bounds of strings and numbers are checked`() {
        #expect(!fits("a", ["minLength": 2]))
        #expect(!fits("abc", ["maxLength": 2]))
        // Lengths are in code points, not graphemes.
        #expect(!fits("e\u{301}\u{301}", ["maxLength": 2]))
        #expect(!fits("120.", ["pattern": "^[0-9]+$"]))
        #expect(fits("2026-11-21T08:54:18.111Z", ["format": "date-time"]))
        #expect(!fits("2026-11-21 08:54", ["format": "date-time"]))
        #expect(!fits("2026-13-21T08:54:18Z", ["format": "date-time"]))
        #expect(!fits(0, ["minimum": 1]))
        #expect(!fits(2, ["maximum": 1]))
        #expect(!fits(0, ["exclusiveMinimum": 0]))
    }

    @Test func `oneOf, anyOf and allOf are checked`() {
        let two: JSONValue = [["type": "integer"], ["minimum": 5]]
        #expect(fits(3, ["oneOf": two]))
        #expect(!fits(7, ["oneOf": two]))
        #expect(fits(7, ["anyOf": two]))
        #expect(!fits(3, ["allOf": two]))
        #expect(!fits("x", ["anyOf": [["type": "null"], ["const": "y"]]]))
        #expect(!fits("x", ["enum": ["y", "z"]]))
    }

    @Test func `a number without a fraction is an integer in any notation`() {
        for literal in ["7", "7.0", "-7.00", "7e2", "70e-1", "1.5e1", "0e-9223372036854775808", "1e9223372036854775808"] {
            #expect(fits(.number(literal), ["type": "integer"]), "\(literal)")
        }
        for literal in ["7.5", "7e-1", "1.25e1", "1e-9223372036854775808", "1e-9223372036854775809"] {
            #expect(!fits(.number(literal), ["type": "integer"]), "\(literal)")
        }
    }

    @Test func `a discriminator selects the alternative`() {
        let schema: JSONValue = [
            "oneOf": [["$ref": "#/word"], ["$ref": "#/nowhere"]],
            "discriminator": ["propertyName": "kind", "mapping": ["word": "#/word", "none": "#/nowhere"]],
        ]
        #expect(!fits(["kind": "word"], schema))
        #expect(fits("ab", schema))
    }

    @Test func `references are resolved, and sibling keywords apply`() {
        #expect(fits("ab", ["$ref": "#/word"]))
        #expect(!fits("a", ["$ref": "#/word"]))
        #expect(!fits("ab", ["$ref": "#/word", "enum": ["cd"]]))
        #expect(!fits("ab", ["$ref": "#/nowhere"]))
    }

    @Test func `an unknown keyword is a violation`() {
        #expect(!fits(1, ["multipleOf": 1]))
        #expect(!fits("x", ["format": "ipv6"]))
        #expect(!fits(1, false))
    }
}
