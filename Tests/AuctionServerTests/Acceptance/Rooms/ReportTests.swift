import AuctionDomain
import ExactJSON
import Testing

/// Reports of messages by HTTP: made by members, read by the host.
struct ReportTests {
    /// A room with a message, and the message's path below the room's.
    private func written(_ text: JSONValue = "You fool") throws -> (RoomFixture, id: String, path: String) {
        let fixture = try RoomFixture()
        let sent = try fixture.call("POST", "/messages", ["text": text], by: fixture.bidder)
        let id = try #require(sent.text("id"))
        return (fixture, id, "/messages/\(id)/report")
    }

    @Test func `the host reads what was reported, by whom and why`() throws {
        let (fixture, id, path) = try written()
        let sentAt = fixture.server.clock.text
        #expect(try fixture.room().int("reports") == 0)
        fixture.server.clock.advance(seconds: 5)
        #expect(try fixture.call("POST", path, ["reason": "An insult."], by: fixture.viewer).status == 204)
        #expect(try fixture.call("POST", path, by: fixture.rival).status == 204)
        #expect(try fixture.room().int("reports") == 2)
        let page = try fixture.call("GET", "/reports", by: fixture.host)
        #expect(page.status == 200 && page.isNull("nextCursor"))
        #expect(page.list("reports").map { $0["reporter"] } == [fixture.rival.person, fixture.viewer.person])
        #expect(page.isNull("reports.0.reason") && page.text("reports.1.reason") == "An insult.")
        #expect(page.text("reports.0.at") == fixture.server.clock.text)
        #expect(page.text("reports.0.message.id") == id && page.text("reports.0.message.text") == "You fool")
        #expect(page["reports.0.message.author"] == fixture.bidder.person && page["reports.0.message.removed"] == false)
        #expect(page.text("reports.0.message.at") == sentAt)
        try fixture.call("DELETE", "/messages/\(id)", by: fixture.host)
        #expect(try fixture.call("GET", "/reports", by: fixture.host)["reports.1.message.removed"] == true)
    }

    @Test func `all others see that there was a report, and no more`() throws {
        let (fixture, _, path) = try written()
        try fixture.call("POST", path, ["reason": "An insult."], by: fixture.viewer)
        let last = try #require(try fixture.call("GET", "/events?after=0&limit=256", by: fixture.bidder).list("events").last)
        #expect(last.text("type") == "message.reported" && last["data"] == ["reports": 1])
        for guest in [fixture.bidder, fixture.viewer, fixture.owner] {
            #expect(try fixture.room(as: guest)["reports"] == nil)
            let refused = try fixture.call("GET", "/reports", by: guest)
            #expect(refused.code == "report.not_host" && refused.text("detail") == "Only the host reads the reports.")
            #expect(refused.text("required") == "host")
        }
        #expect(try fixture.call("GET", "/reports").code == "token.missing")
    }

    @Test func `the list has pages, newest first`() throws {
        let fixture = try RoomFixture()
        for number in 1...5 {
            let sent = try fixture.call("POST", "/messages", ["text": .string("Fool \(number)")], by: fixture.bidder)
            try fixture.call("POST", "/messages/\(try #require(sent.text("id")))/report", by: fixture.viewer)
            fixture.server.clock.advance(seconds: 1)
        }
        var (texts, cursor): ([String], String?) = ([], "")
        while let next = cursor {
            let tail = next.isEmpty ? "" : "&cursor=\(next)"
            let page = try fixture.call("GET", "/reports?limit=2\(tail)", by: fixture.host)
            #expect(page.list("reports").count <= 2)
            texts += page.list("reports").compactMap { $0.text("message.text") }
            cursor = page.text("nextCursor")
        }
        #expect(texts == (1...5).reversed().map { "Fool \($0)" })
        for limit in [0, 51] { #expect(try fixture.call("GET", "/reports?limit=\(limit)", by: fixture.host).status == 400) }
    }

    @Test func `a repeat is acknowledged and causes no event`() throws {
        let (fixture, _, path) = try written()
        for _ in 0..<2 { #expect(try fixture.call("POST", path, by: fixture.viewer).status == 204) }
        #expect(try fixture.events().count { $0.text("type") == "message.reported" } == 1)
        let metrics = try fixture.server.call("GET", "/metrics").bodyText
        #expect(metrics.contains("\nauction_reports_total 1\n"))
    }

    @Test func `every refusal of a report has its code`() throws {
        let (fixture, _, path) = try written()
        func refused(_ path: String, _ body: JSONValue? = nil, by guest: Guest) throws -> String? {
            try fixture.call("POST", path, body, by: guest).code
        }
        #expect(try refused(path, by: fixture.bidder) == "report.own")
        #expect(try refused(path, by: fixture.stranger) == "report.not_member")
        #expect(try refused("/messages/message_00000000000000000000000000/report", by: fixture.viewer) == "message.not_found")
        let bodies: [JSONValue] = [["reason": ""], ["reason": 5], ["reason": .string(String(repeating: "x", count: 501))]]
        for body in bodies {
            #expect(try fixture.call("POST", path, body, by: fixture.viewer).text("field") == "reason")
        }
        #expect(try refused(path, ["text": "x"], by: fixture.viewer) == "request.unknown_field")
        try fixture.call("PATCH", "/members/\(fixture.rival.id)", ["banned": true], by: fixture.host)
        #expect(try refused(path, by: fixture.rival) == "report.banned")
    }
}
