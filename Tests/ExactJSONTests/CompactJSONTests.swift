import ExactJSON
import Testing

struct CompactJSONTests {
    private func compact(_ text: String) -> String? {
        CompactJSON.bytes(of: Array(text.utf8), limits: JSONLimits()).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `whitespace between tokens is removed, and that in strings stays`() {
        #expect(compact(" {\"a b\" :\r\n\t[ 1 , 2.50 ]}\n") == #"{"a b":[1,2.50]}"#)
        #expect(compact(#"{"a": "x \" y \\"  , "b": " "}"#) == #"{"a":"x \" y \\","b":" "}"#)
    }

    @Test func `escapes that can be left out are, in names too`() {
        #expect(compact(#"{"\u0061":"\u4f60\/\u00e9"}"#) == #"{"a":"你/é"}"#)
        #expect(compact(#"{"a": "\u000a\u0022\u005C\ud83d\ude00" }"#) == #"{"a":"\n\"\\😀"}"#)
        #expect(compact(#"{"a":"\n\"\\","b":1.50}"#) == nil)
    }

    @Test func `of a text that the reader refuses, only the whitespace is removed`() {
        #expect(compact(#"{ "a":"\ud800" }"#) == #"{"a":"\ud800"}"#)
        #expect(compact(#"[\u0061]"#) == nil)
        let text = Array(#"["\u0061", 2]"#.utf8)
        #expect(CompactJSON.bytes(of: text, limits: JSONLimits(values: 2)) == Array(#"["\u0061",2]"#.utf8))
    }

    @Test(arguments: [#"{"amount":"120"}"#, #"{"text":"two words"}"#, "", "12"])
    func `a text without whitespace between tokens is not changed`(text: String) { #expect(compact(text) == nil) }

    @Test(arguments: ["{}", " { }\n"]) func `an empty object is no text`(text: String) {
        #expect(compact(text)?.isEmpty == true)
    }

    @Test func `a text that is no JSON ends the work all the same`() { #expect(compact("\"a \\") == nil) }
}
