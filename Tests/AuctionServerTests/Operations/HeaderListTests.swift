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
}
