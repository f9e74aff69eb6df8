import ExactJSON
import Testing

struct LanguageTests {
    private let chinese = [(name: "Accept-Language", value: "zh-CN,zh;q=0.9,en;q=0.8")]

    private func isChinese(_ text: String?) -> Bool {
        text?.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) } ?? false
    }

    @Test func `refusals speak the caller's language, codes do not change`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let calls: [(String, String, JSONValue?, Guest?)] = [
            ("POST", "/bids", ["amount": "1"], scene.bidder), ("POST", "/bids", ["amount": "1"], scene.viewer),
            ("POST", "/bids", ["amount": "1"], nil), ("POST", "/items", Scene.teapot, scene.owner),
            ("POST", "/auction/start", nil, scene.bidder), ("GET", "/nothing", nil, nil), ("PUT", "", nil, nil),
            ("GET", "/events?after=999", nil, nil), ("DELETE", "/members/me", nil, scene.stranger),
        ]
        for (method, tail, body, guest) in calls {
            let english = try scene.call(method, tail, body, by: guest)
            let translated = try scene.call(method, tail, body, by: guest, chinese)
            #expect(!isChinese(english.text("detail")), "\(tail)")
            #expect(isChinese(translated.text("detail")), "\(tail)")
            #expect(english.code == translated.code)
        }
        #expect(try scene.bid("1", by: scene.bidder).text("detail")?.contains("100.00") == true)
    }

    @Test func `the language that is preferred wins`() throws {
        let scene = try Scene()
        for (header, expected) in [
            ("zh", true), ("zh-TW", true), ("en-US,en", false), ("en;q=0.5, zh;q=0.6", true), ("zh;q=0.4, en", false),
            ("fr, zh;q=0.1", true), ("fr", false), ("", false), ("*", false), ("zh;q=0", false),
        ] {
            let room = try scene.call("GET", "", by: nil, [("Accept-Language", header)])
            #expect(isChinese(room.text("stateDescription")) == expected, "\(header)")
        }
    }

    @Test func `explanations, rules and states are told in Chinese too`() throws {
        let scene = try Scene()
        #expect(isChinese(try scene.call("GET", "/permission-rules", by: nil, chinese).text("rules.0.description")))
        let explained = try scene.call("GET", "/permissions?action=placeBid&explain=true", by: scene.viewer, chinese)
        #expect(isChinese(explained.text("denial.detail")))
        #expect(isChinese(explained.text("trace.0.description")))
        #expect(isChinese(try scene.house.call("GET", "/v1/state-machine", nil, by: nil, chinese).text("states.0.description")))
        #expect(isChinese(try scene.house.call("GET", "/problems/conflict", nil, by: nil, chinese).text("explanation")))
    }

    @Test func `each transition, sale, pass and next round leaves a message in both languages`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        try scene.call("POST", "/auction/end", by: scene.host)
        try scene.start()
        try scene.openBidding()
        try scene.letClockRun(seconds: 15)
        let messages = try scene.events().filter { $0.text("type") == "message.system" }
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
