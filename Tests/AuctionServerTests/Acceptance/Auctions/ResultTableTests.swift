import AuctionServer
import ExactJSON
import Testing

/// The results as CSV.
struct ResultTableTests {
    @Test func `one row per round, oldest first, with spreadsheet formulas escaped`() throws {
        let fixture = try RoomFixture()
        let empty = try fixture.call("GET", "/results.csv")
        #expect(
            empty.bodyText == "\u{FEFF}round,item,result,winner,winnerId,price,currency,reason,bids,closedAt,"
                + "room,lot,reference,seller,sellerId,premium,total,openedAt,itemId,number,estimateLow,estimateHigh,condition,voidedAt,voidReason\r\n"
        )
        try fixture.upload(["name": "=HYPERLINK(\"http://x\"), two", "rules": ["startingPrice": "1234.5"]])
        try fixture.start()
        try fixture.start()
        try fixture.bid("1234.5", by: fixture.bidder)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        let sold = fixture.server.clock.text
        try fixture.start()
        try fixture.openBidding()
        try fixture.call("POST", "/auction/end", by: fixture.host)
        let passed = fixture.server.clock.text
        let table = try fixture.call("GET", "/results.csv")
        #expect(table.status == 200)
        #expect(table.header("Content-Type") == "text/csv; charset=utf-8")
        let name = fixture.path.replacing("/v1/rooms/", with: "")
        let items = try fixture.call("GET", "/results").list("results").map { $0.text("item.id") ?? "" }
        #expect(table.header("Content-Disposition") == "attachment; filename=\"\(name).csv\"")
        #expect(
            table.bodyText == empty.bodyText
                + "1,\"'=HYPERLINK(\"\"http://x\"\"), two\",sold,Bea,\(fixture.bidder.id),1234.50,CNY,,1,\(sold),"
                + "\(name),,,Otto,\(fixture.owner.id),,1234.50,\(sold),\(items[1]),,,,,,\r\n"
                + "2,Teapot,passed,,,,CNY,no_bids,0,\(passed),\(name),,,Otto,\(fixture.owner.id),,,\(passed),\(items[0]),,,,,,\r\n"
        )
    }

    @Test func `each part of the CSV begins with a byte-order mark, unless the caller wants none`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.pageBytes = 256 })
        for round in 1...3 {
            if round > 1 { try fixture.start() }
            try fixture.openBidding()
            try fixture.call("POST", "/auction/end", by: fixture.host)
        }
        for (query, mark) in [("", true), ("?bom=true", true), ("?bom=false", false)] {
            var (path, parts) = (Optional(fixture.path + "/results.csv" + query), 0)
            while let next = path {
                let part = try fixture.server.call("GET", next)
                #expect(part.status == 200 && part.body.starts(with: [0xEF, 0xBB, 0xBF]) == mark)
                #expect(part.bodyText.unicodeScalars.drop { $0 == "\u{FEFF}" }.starts(with: "round,".unicodeScalars))
                parts += 1
                path = part.header("Link").map { String($0.dropFirst().prefix { $0 != ">" }) }
            }
            #expect(parts > 1)
        }
        #expect(try fixture.call("GET", "/results.csv?bom=no").text("field") == "bom")
        #expect(try fixture.call("GET", "/results.ndjson?bom=false").text("field") == "bom")
        #expect(try fixture.call("GET", "/results.ndjson").bodyText.hasPrefix("{"))
    }

    @Test func `the CSV of a hidden room is not found, and other formats are not acceptable`() throws {
        let fixture = try RoomFixture(visibility: "private")
        #expect(try fixture.call("GET", "/results.csv").status == 404)
        #expect(try fixture.call("GET", "/results.csv", by: fixture.viewer).status == 200)
        #expect(try fixture.call("GET", "/results.csv?round=1", by: fixture.viewer).text("field") == "round")
        let json = [(name: "Accept", value: "application/json")]
        #expect(try fixture.call("GET", "/results.csv", nil, by: fixture.viewer, json).status == 406)
    }
}
