import AuctionDomain
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

    @Test func `what is wrong with a body is all in Chinese, and in English as ever`() throws {
        let fixture = try RoomFixture()
        let bidder = fixture.bidder
        let calls: [(String, JSONValue, Guest?, String, String)] = [
            (
                "/bids", ["amount": "200.001"], bidder, #""amount": "200.001" has more fraction digits than CNY has (2)."#,
                #"金额 "amount" 无效:"200.001" 的小数位数超过 CNY 的 2 位。"#
            ),
            (
                "/bids", ["amount": "x"], bidder,
                #""amount": "x" is not a decimal number with at most 2 fraction digits, such as "120.00"."#,
                #"金额 "amount" 无效:"x" 不是最多 2 位小数的十进制数(例如 "120.00")。"#
            ),
            (
                "/bids", ["amount": "0"], bidder, #""amount": An amount must be greater than zero."#,
                #"金额 "amount" 无效:金额须大于零。"#
            ),
            (
                "/bids", ["amount": true], bidder, #""amount" must be an amount such as "120.00"."#,
                #"金额 "amount" 无效:须为金额,例如 "120.00"。"#
            ),
            (
                "/bids", ["amount": "1", "round": "1"], bidder, #""round" must be a whole number."#,
                #"字段 "round" 的值无效:须为整数。"#
            ),
            ("/bids", [], bidder, "The body must be an object, not an array.", "请求体的值无效:须为对象,不能是数组。"),
            ("/messages", ["text": 5], bidder, #""text" must be a string, not a number."#, #"字段 "text" 的值无效:须为字符串,不能是数字。"#),
            ("/messages", ["text": " "], bidder, #""text" must not be blank."#, #"字段 "text" 的值无效:不能为空白。"#),
            (
                "/messages", ["text": ""], bidder, #""text" must have 1 to \#(Message.textLimit) characters, not 0."#,
                #"字段 "text" 的值无效:须为 1 至 \#(Message.textLimit) 个字符,不能是 0 个。"#
            ),
            (
                "/messages", ["text": "a\u{7}"], bidder, #""text" must not contain control characters."#,
                #"字段 "text" 的值无效:不得包含控制字符。"#
            ),
            (
                "/messages", ["text": nil], bidder, #""text" must not be null; leave it out."#,
                #"字段 "text" 的值无效:不能为 null,请省略该字段。"#
            ),
            ("/messages", [:], bidder, #""text" is required."#, #"缺少字段 "text"。"#),
            (
                "/sale", ["mode": "x"], fixture.host, #""mode" must be one of "manual", "automatic"."#,
                #"字段 "mode" 的值无效:须为 "manual", "automatic" 之一。"#
            ),
        ]
        for (tail, body, guest, english, translated) in calls {
            let method = tail == "/sale" ? "PUT" : "POST"
            #expect(try fixture.call(method, tail, body, by: guest).text("detail") == english)
            #expect(try fixture.call(method, tail, body, by: guest, chinese).text("detail") == translated)
        }
        let texts = [
            ("{", "末尾(第 1 字节)处应为带引号的字段名。"), (#"{"amount":"#, "末尾(第 10 字节)处应为一个值。"),
            (#"{"amount" 1}"#, "第 10 字节处字段名 \"amount\" 之后应为 ':'。"), ("{} {}", "第 3 字节处不应再有内容。"),
        ]
        for (text, reason) in texts {
            let headers = chinese + [("Content-Type", "application/json")]
            let response = try fixture.server.call("POST", fixture.path + "/bids", raw: text, by: bidder, headers)
            #expect(response.status == 400 && response.text("detail") == "请求体不是有效的 JSON:" + reason)
        }
    }

    @Test func `what is wrong with a webhook's URL and a token's scopes is in Chinese`() throws {
        let operators = try OperatorFixture()
        let calls: [(String, JSONValue, String)] = [
            (
                "/v1/admin/webhooks", ["url": "https://127.0.0.1/"],
                "该 URL 不可用:指向 127.0.0.1,其地址属于本机(环回)。运营者可通过 --webhooks-allow 允许特定主机或地址。"
            ),
            ("/v1/admin/tokens", ["name": "a", "scopes": []], #"字段 "scopes" 的值无效:须至少包含一个权限范围。"#),
            (
                "/v1/admin/tokens", ["name": "a", "scopes": ["feed:read"], "expiresAt": "x"],
                #"字段 "expiresAt" 的值无效:须为 RFC 3339 格式的时间。"#
            ),
        ]
        for (path, body, translated) in calls {
            let response = try operators.server.call(
                "POST", path, body, by: nil, OperatorFixture.bearer(OperatorFixture.adminToken) + chinese)
            #expect(response.status == 400 && response.text("detail") == translated, "\(response.bodyText)")
        }
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
