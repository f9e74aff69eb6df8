import ExactJSON
import Testing

/// The results as a table for spreadsheets.
struct ResultTableTests {
    @Test func `a row a round, oldest first, with what a spreadsheet would calculate made harmless`() throws {
        let scene = try Scene()
        let empty = try scene.call("GET", "/results.csv")
        #expect(empty.bodyText == "round,item,result,winner,winnerId,price,currency,reason,bids,closedAt\r\n")
        try scene.upload(["name": "=HYPERLINK(\"http://x\"), two", "rules": ["startingPrice": "1234.5"]])
        try scene.start()
        try scene.start()
        try scene.bid("1234.5", by: scene.bidder)
        try scene.call("POST", "/auction/end", by: scene.host)
        let sold = scene.house.clock.text
        try scene.start()
        try scene.openBidding()
        try scene.call("POST", "/auction/end", by: scene.host)
        let passed = scene.house.clock.text
        let table = try scene.call("GET", "/results.csv")
        #expect(table.status == 200)
        #expect(table.header("Content-Type") == "text/csv; charset=utf-8")
        let name = scene.path.replacing("/v1/rooms/", with: "")
        #expect(table.header("Content-Disposition") == "attachment; filename=\"\(name).csv\"")
        #expect(
            table.bodyText == empty.bodyText
                + "1,\"'=HYPERLINK(\"\"http://x\"\"), two\",sold,Bea,\(scene.bidder.id),1234.50,CNY,,1,\(sold)\r\n"
                + "2,Teapot,passed,,,,CNY,no_bids,0,\(passed)\r\n")
    }

    @Test func `it is as hidden as its room, and answers nothing but a table`() throws {
        let scene = try Scene(visibility: "private")
        #expect(try scene.call("GET", "/results.csv").status == 404)
        #expect(try scene.call("GET", "/results.csv", by: scene.viewer).status == 200)
        #expect(try scene.call("GET", "/results.csv?round=1", by: scene.viewer).text("field") == "round")
        let json = [(name: "Accept", value: "application/json")]
        #expect(try scene.call("GET", "/results.csv", nil, by: scene.viewer, json).status == 406)
    }
}
