import AuctionDomain
import AuctionServer
import AuctionService
import EventLog
import ExactJSON
import Testing

/// What clients may make a room store and encode, as they see it.
struct StorageLimitTests {
    @Test func `a room that is full takes no more chat, and says why`() throws {
        let house = try House(roomLimits: RoomLimits(messagesPerSecond: 0, roomBytes: 30_000))
        let scene = try Scene(house)
        try scene.openBidding()
        var refused: HTTPAnswer?
        for _ in 0..<100 where refused == nil {
            let answer = try scene.call("POST", "/messages", ["text": "again"], by: scene.viewer)
            if answer.status != 201 { refused = answer }
        }
        #expect(refused?.status == 429)
        #expect(refused?.code == "room.storage_full")
        #expect(refused?.text("type") == "/problems/too-many-requests")
        #expect(refused?.text("required") == "30000")
        #expect(refused?.header("Retry-After") != nil)
        #expect(try scene.bid("100", by: scene.bidder).status == 201)
        #expect(try scene.call("POST", "/auction/end", by: scene.host).status == 200)
    }

    @Test func `one user's bound is reported as theirs, to a bidder as well`() throws {
        let house = try House(roomLimits: RoomLimits(messagesPerSecond: 0, userRoomBytes: 5000))
        let scene = try Scene(house)
        try scene.openBidding()
        var codes: Set<String> = []
        for step in 0..<40 {
            let bidder = step % 2 == 0 ? scene.bidder : scene.rival
            let answer = try scene.bid(.string("\(100 + 10 * step)"), by: bidder)
            if answer.status == 429 { codes.insert(answer.code ?? "") }
        }
        #expect(codes == ["member.storage_full"])
        #expect(try scene.call("POST", "/auction/end", by: scene.host).status == 200)
    }

    @Test func `a page of results, members and the table ends where its bytes end, and goes on there`() throws {
        let scene = try Scene(try House { $0.limits.pageBytes = 400 })
        for _ in 1...7 {
            try scene.openBidding()
            try scene.call("POST", "/auction/end", by: scene.host)
            try scene.start()
        }
        func pages(_ tail: String, _ list: String, _ key: (HTTPAnswer, Int) -> String?) throws -> [[String]] {
            var (pages, cursor) = ([[String]](), "")
            while true {
                let page = try scene.call("GET", "\(tail)?limit=1000\(cursor)")
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
        #expect(members.flatMap(\.self).contains(scene.host.id) && members.flatMap(\.self).contains(scene.viewer.id))
        var (rounds, path, tables) = ([String](), Optional("\(scene.path)/results.csv"), 0)
        while let next = path {
            let table = try scene.house.call("GET", next)
            tables += 1
            rounds += table.bodyText.split(separator: "\r\n").dropFirst().map { String($0.prefix { $0 != "," }) }
            path = table.header("Link").map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(tables > 1)
        #expect(rounds == (1...7).map(String.init))
    }

    @Test func `a row of the results names its item and no more`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let item = try scene.call("GET", "")
        try scene.call("POST", "/auction/end", by: scene.host)
        let results = try scene.call("GET", "/results")
        guard case .object(let members)? = results["results.0.item"] else {
            Issue.record("no item")
            return
        }
        #expect(members.map(\.name) == ["id", "name"])
        #expect(results.text("results.0.item.id") == item.text("item.id"))
        #expect(results.text("results.0.item.name") == item.text("item.name"))
    }

    @Test func `a slow list costs its caller their share of the reads, and holds up no command`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let house = try House(log: log) { $0.service.pendingReads = 8 }
        let scene = try Scene(house)
        log.shutList()
        let connection = try house.connect()
        let list = house.request("GET", "/v1/rooms")
        try connection.send(list)
        eventually("the list is being read") { log.isHoldingList }
        let refused = try house.call("GET", "/v1/rooms")
        #expect(refused.status == 503)
        #expect(refused.code == "service.too_many_reads")
        #expect(refused.header("Retry-After") == "1")
        #expect(try scene.call("GET", "/members", by: scene.viewer).status == 200, "another caller")
        #expect(try house.call("POST", "/v1/rooms", ["name": "Another"], by: scene.host).status == 201)
        log.openList()
        #expect(try house.receive(on: connection, to: list).status == 200)
    }

    @Test func `bids of a finished round are read a bounded part at a time, without those taken back, wherever a page begins`()
        throws
    {
        let scene = try Scene(try House(roomLimits: RoomLimits(messagesPerSecond: 0)))
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        for _ in 0..<2100 { try scene.call("POST", "/messages", ["text": "again"], by: scene.viewer) }
        for amount in ["200", "300"] {
            try scene.bid(.string(amount), by: scene.rival)
            let bid = try #require(try scene.call("GET", "/bids").text("bids.0.id"))
            try scene.call("DELETE", "/bids/\(bid)?reason=mistake", by: scene.host)
        }
        try scene.bid("400", by: scene.rival)
        try scene.call("POST", "/auction/end", by: scene.host)
        try scene.start()
        var (amounts, cursor, pages) = ([String](), "", 0)
        while true {
            let page = try scene.call("GET", "/bids?round=1&limit=100\(cursor)")
            amounts += page.list("bids").indices.compactMap { page.text("bids.\($0).amount") }
            pages += 1
            guard let next = page.text("nextCursor") else { break }
            cursor = "&cursor=\(next)"
        }
        #expect(amounts == ["400.00", "100.00"])
        #expect(pages == 2, "one would do, were it not for the bound")
        let last = try scene.seq()
        for cursor in last - 30...last {
            let page = try scene.call("GET", "/bids?round=1&cursor=\(cursor)")
            for place in page.list("bids").indices {
                #expect(["400.00", "100.00"].contains(page.text("bids.\(place).amount") ?? ""))
            }
        }
    }
}
