import ExactJSON
import Testing

/// Chat: members write, every reader of the room reads, the host removes.
struct MessageTests {
    private func write(
        _ fixture: RoomFixture, _ text: JSONValue, by guest: Guest, key: String? = nil
    ) throws -> HTTPResponse {
        let headers = key.map { [(name: "Idempotency-Key", value: $0)] } ?? []
        return try fixture.call("POST", "/messages", ["text": text], by: guest, headers)
    }

    @Test func `a message is acknowledged and published to the room's readers`() throws {
        let fixture = try RoomFixture()
        let response = try write(fixture, "Is the lid original? 🫖\nBo", by: fixture.viewer)
        #expect(response.status == 201)
        #expect(response["author"] == fixture.viewer.person)
        #expect(response.text("at") == fixture.server.clock.text)
        let event = try #require(try fixture.events().last)
        #expect(event.text("type") == "message.sent")
        #expect(event.text("data.messageId") == response.text("id"))
        #expect(event.text("data.text") == "Is the lid original? 🫖\nBo")
    }

    @Test func `a retry with the same key sends one message`() throws {
        let fixture = try RoomFixture()
        let first = try write(fixture, "once", by: fixture.bidder, key: "m-1")
        let again = try write(fixture, "once", by: fixture.bidder, key: "m-1")
        #expect(again.body == first.body)
        #expect(again.header("Idempotency-Replayed") == "true")
        #expect(try write(fixture, "twice", by: fixture.bidder, key: "m-1").code == "idempotency.key_reused")
        #expect(try fixture.events().count { $0.text("type") == "message.sent" } == 1)
    }

    @Test func `the host removes a message, and its event stays in the log`() throws {
        let fixture = try RoomFixture()
        let id = try #require(try write(fixture, "rude", by: fixture.bidder).text("id"))
        #expect(try fixture.call("DELETE", "/messages/\(id)", by: fixture.bidder).code == "message.not_host")
        #expect(try fixture.call("DELETE", "/messages/\(id)", by: fixture.host).status == 204)
        #expect(try fixture.events().last?.text("data.messageId") == id)
        for gone in [id, "message_00000000000000000000000000", "hello"] {
            let response = try fixture.call("DELETE", "/messages/\(gone)", by: fixture.host)
            #expect(response.status == 404)
            #expect(response.code == "message.not_found")
        }
    }

    @Test func `a blank, oversized or invalid text is refused`() throws {
        let fixture = try RoomFixture()
        let long = String(repeating: "竞", count: 500)
        #expect(try write(fixture, .string(long), by: fixture.host).status == 201)
        let invisible: [JSONValue] = ["\u{200B}\u{2060}", "\u{FEFF}\n\u{3164}", "\u{2800} \u{AD}", "\t\r\n"]
        let reversed: [JSONValue] = ["pay \u{202E}001\u{202C} now", "\u{202D}a"]
        for text: JSONValue in ["", "  \n ", .string(long + "x"), "bell \u{7}", 5, nil] + invisible + reversed {
            let response = try write(fixture, text, by: fixture.host)
            #expect(response.status == 400, "\(text)")
            #expect(response.text("field") == "text", "\(text)")
        }
    }

    /// As pasted from a word processor or a table; and texts in scripts that need marks of direction or joiners.
    @Test(arguments: [
        ("two\r\nlines\rof\u{B}a\u{2028}text", "two\nlines\nof\na\ntext"), ("size:\t20 cm", "size: 20 cm"),
        ("שלום\u{200F} 5", "שלום\u{200F} 5"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ("\u{2068}Ann\u{2069}: 5", "\u{2068}Ann\u{2069}: 5"),
    ])
    func `line breaks and tabs of other programs are taken and normalised`(_ text: String, _ expected: String) throws {
        let fixture = try RoomFixture()
        #expect(try write(fixture, .string(text), by: fixture.bidder).text("text") == expected)
        let rules: JSONValue = ["startingPrice": "1.00"]
        let lot = try fixture.call(
            "POST", "/lots", ["name": "Pot", "description": .string(text), "rules": rules], by: fixture.owner)
        #expect(lot.text("item.description") == expected)
        try fixture.openBidding()
        let reason = try fixture.call("POST", "/auction/cancel", ["reason": .string(text)], by: fixture.host)
        #expect(reason.status == 200)
        #expect(try fixture.events().contains { $0.text("data.reason") == expected })
    }

    @Test func `references are one line`() throws {
        let fixture = try RoomFixture()
        let rules: JSONValue = ["startingPrice": "1.00"]
        let lot = try fixture.call(
            "POST", "/lots", ["name": "Red jug", "reference": "A\t1\r\n", "rules": rules], by: fixture.owner)
        #expect(lot.text("reference") == "A 1")
        for reference: JSONValue in ["\n", "\u{200B}", "A\u{202E}1"] {
            let refused = try fixture.call(
                "POST", "/lots", ["name": "Jug", "reference": reference, "rules": rules], by: fixture.owner)
            #expect(refused.status == 400 && refused.text("field") == "reference")
        }
    }

    @Test func `the repeat of a message says nothing of a rate that is over`() throws {
        let fixture = try RoomFixture()
        func send() throws -> HTTPResponse {
            try fixture.call("POST", "/messages", ["text": "one"], by: fixture.bidder, [("Idempotency-Key", "one")])
        }
        #expect(try send().header("RateLimit") != nil)
        let again = try send()
        #expect(again.status == 201 && again.header("Idempotency-Replayed") == "true" && again.header("RateLimit") == nil)
    }

    @Test func `non-members and banned users cannot write, and members are rate-limited`() throws {
        let fixture = try RoomFixture()
        #expect(try write(fixture, "hello", by: fixture.stranger).code == "message.not_member")
        for (text, left) in [("one", "r=1;t=0"), ("two", "r=0;t=1")] {
            let written = try write(fixture, .string(text), by: fixture.bidder)
            #expect(written.status == 201 && written.header("RateLimit-Policy") == #""messages";q=2;w=1"#)
            #expect(written.header("RateLimit") == #""messages";"# + left)
        }
        let refused = try write(fixture, "three", by: fixture.bidder)
        #expect(refused.status == 429)
        #expect(refused.code == "message.rate")
        #expect(refused.header("Retry-After") == "1")
        #expect(refused.header("RateLimit-Policy") == #""messages";q=2;w=1"#)
        #expect(refused.header("RateLimit") == #""messages";r=0;t=1"#)
        #expect(try write(fixture, "mine", by: fixture.rival).status == 201, "each member has their own rate")
        fixture.server.clock.advance(seconds: 1.1)
        #expect(try write(fixture, "three", by: fixture.bidder).status == 201)
        try fixture.call("PATCH", "/members/\(fixture.rival.id)", ["banned": true], by: fixture.host)
        #expect(try write(fixture, "hello", by: fixture.rival).code == "message.banned")
    }
}
