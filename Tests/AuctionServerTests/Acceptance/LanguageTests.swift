import ExactJSON
import Testing

struct LanguageTests {
    private let chinese = [(name: "Accept-Language", value: "zh-CN,zh;q=0.9,en;q=0.8")]

    private func isChinese(_ text: String?) -> Bool {
        text?.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) } ?? false
    }

    @Test func `problems are in the caller's language, their codes are not translated`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let calls: [(String, String, JSONValue?, Guest?)] = [
            ("POST", "/bids", ["amount": "1"], fixture.bidder), ("POST", "/bids", ["amount": "1"], fixture.viewer),
            ("POST", "/bids", ["amount": "1"], nil), ("POST", "/items", RoomFixture.teapot, fixture.owner),
            ("POST", "/auction/start", nil, fixture.bidder), ("GET", "/nothing", nil, nil), ("PUT", "", nil, nil),
            ("POST", "/bids", ["amount": "1e3"], fixture.bidder), ("POST", "/bids", ["amount": "1", "x": 1], fixture.bidder),
            ("POST", "/bids", [], fixture.bidder), ("POST", "/messages", [:], fixture.bidder),
            ("GET", "/events?after=999", nil, nil), ("DELETE", "/members/me", nil, fixture.stranger),
        ]
        for (method, tail, body, guest) in calls {
            let english = try fixture.call(method, tail, body, by: guest)
            let translated = try fixture.call(method, tail, body, by: guest, chinese)
            #expect(!isChinese(english.text("detail")), "\(tail)")
            #expect(isChinese(translated.text("detail")), "\(tail)")
            #expect(english.code == translated.code)
        }
        #expect(try fixture.bid("1", by: fixture.bidder).text("detail")?.contains("100.00") == true)
    }

    @Test func `the preferred language of Accept-Language is used`() throws {
        let fixture = try RoomFixture()
        for (header, expected) in [
            ("zh", true), ("zh-TW", true), ("en-US,en", false), ("en;q=0.5, zh;q=0.6", true), ("zh;q=0.4, en", false),
            ("fr, zh;q=0.1", true), ("fr", false), ("", false), ("*", false), ("zh;q=0", false),
        ] {
            let room = try fixture.call("GET", "", by: nil, [("Accept-Language", header)])
            #expect(isChinese(room.text("stateDescription")) == expected, "\(header)")
        }
    }

    @Test func `explanations, rules and states are available in Chinese`() throws {
        let fixture = try RoomFixture()
        #expect(isChinese(try fixture.call("GET", "/permission-rules", by: nil, chinese).text("rules.0.description")))
        let explained = try fixture.call("GET", "/permissions?action=placeBid&explain=true", by: fixture.viewer, chinese)
        #expect(isChinese(explained.text("denial.detail")))
        #expect(isChinese(explained.text("trace.0.description")))
        #expect(
            isChinese(try fixture.server.call("GET", "/v1/state-machine", nil, by: nil, chinese).text("states.0.description")))
        #expect(isChinese(try fixture.server.call("GET", "/problems/conflict", nil, by: nil, chinese).text("explanation")))
    }

    @Test func `each transition, sale, pass and next round appends a system message in both languages`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        try fixture.start()
        try fixture.openBidding()
        try fixture.letClockRun(seconds: 15)
        let messages = try fixture.events().filter { $0.text("type") == "message.system" }
        #expect(
            messages.compactMap { $0.text("data.key") } == [
                "state.listing", "state.auctioning", "state.closed", "item.sold", "round.next", "state.listing",
                "state.auctioning", "state.closed", "item.passed",
            ])
        for message in messages {
            #expect(!isChinese(message.text("data.en")))
            #expect(isChinese(message.text("data.zh")))
        }
        let sold = try #require(messages.first { $0.text("data.key") == "item.sold" })
        for language in ["data.en", "data.zh"] {
            let text = try #require(sold.text(language))
            for part in ["Teapot", "Bea", "100.00", "CNY"] { #expect(text.contains(part)) }
        }
    }
}
