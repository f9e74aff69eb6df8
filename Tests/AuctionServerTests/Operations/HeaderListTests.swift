@testable import AuctionServer
import Permissions
import Testing

struct HeaderListTests {
    @Test func `only the first elements of a list header are parsed`() {
        #expect("en, zh;q=0.5".headerList == ["en", " zh;q=0.5"])
        #expect(String(repeating: "zh,", count: 1000).headerList.count == 32)
        #expect(Language(acceptLanguage: String(repeating: "de,", count: 31) + "zh") == .chinese)
        #expect(Language(acceptLanguage: String(repeating: "de,", count: 32) + "zh") == .english)
        #expect(!MediaRange.takes(String(repeating: "a/b,", count: 32) + "text/csv", oneOf: ["text/csv"]))
    }

    @Test(arguments: [
        ("text/event-stream", true), ("text/event-stream, */*", true), ("*/*, Text/Event-Stream", true),
        ("text/event-stream, application/json;q=0.9", true), ("application/json;q=0.9, text/event-stream", true),
        ("text/event-stream;q=0.5, application/*;q=0.4", true), ("text/event-stream;q=0.1", true),
        ("application/json;q=0, */*", true), ("text/event-stream\t;\tq=0.5,\tapplication/json;q=0.4", true),
        ("application/json, text/event-stream", false), ("text/event-stream, application/json", false),
        ("text/event-stream;q=0.5, application/json", false), ("text/event-stream;q=0.5, */*", false),
        ("text/event-stream;q=0, application/json;q=0.1", false), ("text/event-stream;q=nan", false), ("text/*", false),
        ("*/*", false), ("application/json", false), ("", false),
    ])
    func `a stream is for those who name it and prefer it to a page`(accept: String, isStream: Bool) {
        #expect(EventStream.isPreferred(accept) == isStream)
    }

    @Test(arguments: [
        ("application/json;q=0, */*", false), ("*/*, application/json ; q=0", false), ("application/*;q=0, */*", false),
        ("application/json;\tq=0", false), ("application/*;q=0, application/json", true), ("*/*;q=0, application/json", true),
        ("text/html\t,\tapplication/json\t", true), (" \t", true),
    ])
    func `a type that is refused by its name or group is not accepted by a wider range`(accept: String, isAccepted: Bool) {
        #expect(MediaRange.takes(accept, oneOf: ["application/json"]) == isAccepted)
        #expect(MediaRange.takes(accept, oneOf: ["text/csv", "application/json"]) == (isAccepted || accept.contains("*/*")))
    }

    @Test(arguments: [
        ("\"a\" ,W/\"tag\"", true), ("\"tag\" ", true), ("\"a\"\t,\t\"tag\"\t,\"b\"", true), (" * ", true),
        ("\"a\" , \"b\"", false), ("tag", false), ("\"ta\"", false), ("", false),
    ])
    func `white space around entity tags is ignored`(header: String, isNamed: Bool) {
        #expect(header.namesTag("\"tag\"") == isNamed)
        #expect(header.namesTag("W/\"tag\"") == isNamed)
    }

    @Test func `a named type counts for more than a wildcard`() {
        let accept = "text/*;q=0.3, text/csv;q=0.2, */*;q=0.9"
        #expect(MediaRange.preference(for: "text/csv", in: accept).weight == 0.2)
        #expect(MediaRange.preference(for: "text/plain", in: accept).weight == 0.3)
        #expect(MediaRange.preference(for: "image/png", in: accept).weight == 0.9)
        #expect(MediaRange.preference(for: "image/png", in: "text/csv").weight == 0)
    }
}
