import ExactJSON
import Testing

struct CompactJSONTests {
    private func compact(_ text: String) -> String? {
        CompactJSON.bytes(of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `whitespace between tokens is removed, and that in strings stays`() {
        #expect(compact(" {\"a b\" :\r\n\t[ 1 , 2.50 ]}\n") == #"{"a b":[1,2.50]}"#)
        #expect(compact(#"{"a": "x \" y \\"  , "b": " "}"#) == #"{"a":"x \" y \\","b":" "}"#)
    }

    @Test(arguments: [#"{"amount":"120"}"#, #"{"text":"two words"}"#, "", "12"])
    func `a text without whitespace between tokens is not changed`(text: String) { #expect(compact(text) == nil) }

    @Test(arguments: ["{}", " { }\n"]) func `an empty object is no text`(text: String) {
        #expect(compact(text)?.isEmpty == true)
    }

    @Test func `a text that is no JSON ends the work all the same`() { #expect(compact("\"a \\") == nil) }
}
