import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

@testable import AuctionService

/// Limits on what clients can make a room store and serialize.
struct StorageLimitTests {
    @Test func `a room at its storage limit refuses further chat with the reason`() throws {
        let server = try TestServer(roomLimits: RoomLimits(messagesPerSecond: 0, roomBytes: 30_000))
        let fixture = try RoomFixture(server)
        try fixture.openBidding()
        var refused: HTTPResponse?
        for _ in 0..<100 where refused == nil {
            let response = try fixture.call("POST", "/messages", ["text": "again"], by: fixture.viewer)
            if response.status != 201 { refused = response }
        }
        #expect(refused?.status == 429)
        #expect(refused?.code == "room.storage_full")
        #expect(refused?.text("type") == "/problems/too-many-requests")
        #expect(refused?.text("required") == "30000")
        #expect(refused?.header("Retry-After") != nil)
        #expect(try fixture.bid("100", by: fixture.bidder).status == 201)
        #expect(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
    }

    @Test func `a scheduled sale is called off in a full room too`() throws {
        let server = try TestServer(roomLimits: RoomLimits(messagesPerSecond: 0, roomBytes: 30_000))
        let fixture = try RoomFixture(server)
        let start = "2026-06-01T20:00:00.000Z"
        let sale: JSONValue = ["mode": "automatic", "startsAt": .string(start), "premium": ["percent": "10"]]
        let configured = try fixture.call("PUT", "/sale", sale, by: fixture.host)
        #expect(configured.text("startsAt") == start)
        var status = 201
        for _ in 0..<100 where status == 201 {
            status = try fixture.call("POST", "/messages", ["text": "again"], by: fixture.viewer).status
        }
        #expect(status == 429)
        let later: JSONValue = [
            "mode": "automatic", "startsAt": "2026-06-02T20:00:00.000Z", "premium": ["percent": "10"],
        ]
        #expect(try fixture.call("PUT", "/sale", later, by: fixture.host).code == "room.storage_full")
        let manual: JSONValue = ["mode": "manual", "premium": ["percent": "10"]]
        #expect(try fixture.call("PUT", "/sale", manual, by: fixture.host).status == 200)
        #expect(try fixture.call("GET", "/sale", by: fixture.host).isNull("startsAt"))
        #expect(try fixture.call("PUT", "/sale", sale, by: fixture.host).code == "room.storage_full")
    }

    @Test func `the limit per user is reported as such, also for bids`() throws {
        let server = try TestServer(roomLimits: RoomLimits(messagesPerSecond: 0, userRoomBytes: 5000))
        let fixture = try RoomFixture(server)
        try fixture.openBidding()
        var codes: Set<String> = []
        for step in 0..<40 {
            let bidder = step % 2 == 0 ? fixture.bidder : fixture.rival
            let response = try fixture.bid(.string("\(100 + 10 * step)"), by: bidder)
            if response.status == 429 { codes.insert(response.code ?? "") }
        }
        #expect(codes == ["member.storage_full"])
        #expect(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
    }

    @Test func `the stored responses of imports count, and are repeated in a full room`() throws {
        let limits = RoomLimits(messagesPerSecond: 0, userRoomBytes: 500_000)
        let fixture = try RoomFixture(try TestServer(roomLimits: limits))
        func send(_ name: String, _ key: String? = nil) throws -> HTTPResponse {
            let rows = (1...200).map { "Lot \($0),1,\($0)\n" }.joined()
            return try fixture.server.call(
                "POST", fixture.path + "/lots/import", raw: "name,startingPrice,reference\n\(name),1,0\n" + rows,
                by: fixture.owner, [("Content-Type", "text/csv")] + (key.map { [("Idempotency-Key", $0)] } ?? []))
        }
        for name in 0..<20 { try #require(try send("\(name)").status == 200, "one event each, and no stored response") }
        let first = try send("first", "k")
        #expect(first.status == 200 && first.list("lots").count == 201)
        let responses = try (0..<20).map { try send("\($0)", "k\($0)") }
        #expect(responses.last?.code == "member.storage_full")
        let stored = responses.filter { $0.status == 200 }.reduce(0) { $0 + $1.body.count }
        #expect(stored > 20_000 && stored < 250_000)
        let again = try send("first", "k")
        #expect(again.body == first.body && again.header("Idempotency-Replayed") == "true")
    }

    @Test func `of large responses the log keeps those of a user's latest keys`() throws {
        let log = InMemoryEventLog()
        let server = try TestServer(log: log) {
            $0.service.keysPerUser = 3
            $0.service.discardedAtOnce = 4
        }
        let fixture = try RoomFixture(server)
        let lots = try ["A", "B"].map { (name: String) -> String in
            let lot: JSONValue = [
                "name": .string(name), "description": .string(String(repeating: "x", count: 5000)),
                "rules": ["startingPrice": "1"],
            ]
            return try #require(try fixture.call("POST", "/lots", lot, by: fixture.owner).text("id"))
        }
        func move(_ turn: Int) throws -> HTTPResponse {
            let before: JSONValue = turn % 2 == 0 ? .null : .string(lots[1])
            return try fixture.call(
                "PATCH", "/lots/\(lots[0])", ["before": before], by: fixture.owner, [("Idempotency-Key", "\(turn)")])
        }
        func storedBytes() throws -> Int {
            try (1...100 as ClosedRange<Int64>).reduce(0) { try $0 + (log.storedResponse(at: $1)?.body.count ?? 0) }
        }
        let responses = try (0..<20).map(move)
        #expect(responses.allSatisfy { $0.status == 200 && $0.body.count > 5000 })
        try eventually("16 of 17 are discarded") { try storedBytes() < 30_000 }
        #expect(try storedBytes() > 20_000)
        let again = try move(19)
        #expect(again.body == responses[19].body && again.header("Idempotency-Replayed") == "true")
    }

    @Test func `pages of results, members and the CSV are limited in bytes and continue without gaps`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.pageBytes = 400 })
        for _ in 1...7 {
            try fixture.openBidding()
            try fixture.call("POST", "/auction/end", by: fixture.host)
            try fixture.start()
        }
        func pages(_ tail: String, _ list: String, _ key: (HTTPResponse, Int) -> String?) throws -> [[String]] {
            var (pages, cursor) = ([[String]](), "")
            while true {
                let page = try fixture.call("GET", "\(tail)?limit=1000\(cursor)")
                #expect(page.body.count < 1024)
                pages.append(page.list(list).indices.compactMap { key(page, $0) })
                guard let next = page.text("nextCursor") else { return pages }
                cursor = "&cursor=\(next)"
            }
        }
        let results = try pages("/results", "results") { $0.int("results.\($1).round").map(String.init) }
        #expect(results.count > 1)
        #expect(results.flatMap(\.self) == (1...7).reversed().map(String.init))
        let members = try pages("/members", "members") { $0.text("members.\($1).user.id") }
        #expect(members.count > 1)
        #expect(Set(members.flatMap(\.self)).count == members.flatMap(\.self).count)
        #expect(members.flatMap(\.self).contains(fixture.host.id) && members.flatMap(\.self).contains(fixture.viewer.id))
        var (rounds, path, tables) = ([String](), Optional("\(fixture.path)/results.csv"), 0)
        while let next = path {
            let table = try fixture.server.call("GET", next)
            tables += 1
            rounds += table.bodyText.split(separator: "\r\n").dropFirst().map { String($0.prefix { $0 != "," }) }
            path = table.header("Link").map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(tables > 1)
        #expect(rounds == (1...7).map(String.init))
    }

    @Test func `a row of the results has of an item without estimate and condition the id and name only`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let item = try fixture.call("GET", "")
        try fixture.call("POST", "/auction/end", by: fixture.host)
        let results = try fixture.call("GET", "/results")
        guard case .object(let members)? = results["results.0.item"] else {
            Issue.record("no item")
            return
        }
        #expect(members.map(\.name) == ["id", "name"])
        #expect(results.text("results.0.item.id") == item.text("item.id"))
        #expect(results.text("results.0.item.name") == item.text("item.name"))
    }

    @Test func `a slow room list uses up its caller's share of reads and delays no command`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let server = try TestServer(log: log) { $0.service.pendingReads = 8 }
        let fixture = try RoomFixture(server)
        log.lists.shut()
        let connection = try server.connect()
        let list = server.request("GET", "/v1/rooms")
        try connection.send(list)
        eventually("the list is blocked") { log.lists.blockedCalls > 0 }
        let refused = try server.call("GET", "/v1/rooms")
        #expect(refused.status == 503)
        #expect(refused.code == "service.too_many_reads")
        #expect(refused.header("Retry-After") == "1")
        #expect(try fixture.call("GET", "/members", by: fixture.viewer).status == 200, "another caller")
        #expect(try server.call("POST", "/v1/rooms", ["name": "Another"], by: fixture.host).status == 201)
        log.lists.open()
        #expect(try server.receive(on: connection, to: list).status == 200)
    }

    @Test func `bids of a finished round are read in bounded parts, without retracted ones, from any page`()
        throws
    {
        let fixture = try RoomFixture(try TestServer(roomLimits: RoomLimits(messagesPerSecond: 0)))
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        for _ in 0..<2100 { try fixture.call("POST", "/messages", ["text": "again"], by: fixture.viewer) }
        for amount in ["200", "300"] {
            try fixture.bid(.string(amount), by: fixture.rival)
            let bid = try #require(try fixture.call("GET", "/bids").text("bids.0.id"))
            try fixture.call("DELETE", "/bids/\(bid)?reason=mistake", by: fixture.host)
        }
        try fixture.bid("400", by: fixture.rival)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        try fixture.start()
        var (amounts, cursor, pages) = ([String](), "", 0)
        while true {
            let page = try fixture.call("GET", "/bids?round=1&limit=100\(cursor)")
            amounts += page.list("bids").indices.compactMap { page.text("bids.\($0).amount") }
            pages += 1
            guard let next = page.text("nextCursor") else { break }
            cursor = "&cursor=\(next)"
        }
        #expect(amounts == ["400.00", "100.00"])
        #expect(pages == 2, "more than one page only because of the limit")
        let last = try fixture.seq()
        for cursor in last - 30...last {
            let page = try fixture.call("GET", "/bids?round=1&cursor=\(cursor)")
            for place in page.list("bids").indices {
                #expect(["400.00", "100.00"].contains(page.text("bids.\(place).amount") ?? ""))
            }
        }
    }
}
