import ExactJSON
import HTTPContract
import Testing

/// The estimate and the condition of items: checked, shown, imported and exported.
struct EstimateTests {
    private let fixture: RoomFixture
    private let pot: JSONValue = [
        "name": "Pot", "estimate": ["low": "150", "high": .number("250.5")], "condition": "One chip at the rim",
        "rules": ["startingPrice": "100", "listingSeconds": 0],
    ]

    init() throws { fixture = try RoomFixture() }

    /// The bounds and the condition of an item.
    private func appraisal(_ item: JSONValue?) -> [String?] {
        ["estimate.low", "estimate.high", "condition"].map { item?.text($0) }
    }

    private let whole: [String?] = ["150.00", "250.50", "One chip at the rim"]

    private func lot(_ id: String) throws -> JSONValue? { try fixture.call("GET", "/lots/\(id)").json.at("item") }

    @Test func `a lot has them in every response and event, and as the item of its round`() throws {
        let queued = try fixture.call("POST", "/lots", pot, by: fixture.owner)
        #expect(queued.status == 201 && appraisal(queued.json.at("item")) == whole)
        let events = try fixture.call("GET", "/events").list("events")
        #expect(appraisal(events.last?.at("data.item")) == whole)
        while try fixture.state() != "auctioning" { try fixture.start() }
        #expect(appraisal(try fixture.room().json.at("item")) == whole)
        try fixture.bid("100", by: fixture.bidder)
        try fixture.call("POST", "/auction/end", by: fixture.host)
        #expect(try fixture.call("GET", "/results.csv").bodyText.hasSuffix(",1,150.00,250.50,One chip at the rim,,\r\n"))
    }

    @Test func `an item that is uploaded has them too, and one without has neither member`() throws {
        let uploaded = try fixture.call("POST", "/items", pot, by: fixture.owner)
        #expect(uploaded.status == 201 && appraisal(uploaded.json) == whole)
        #expect(appraisal(try fixture.room().json.at("item")) == whole)
        let plain = try fixture.call(
            "POST", "/items", ["name": "Jug", "estimate": nil, "condition": nil, "rules": ["startingPrice": 1]],
            by: fixture.owner)
        #expect(plain.status == 200 && plain.json.at("estimate") == nil && plain.json.at("condition") == nil)
    }

    @Test func `the results have them, of a lot and of an item that was uploaded, and the table`() throws {
        try fixture.upload(pot)
        for _ in 1...2 {
            while try fixture.state() != "auctioning" { try fixture.start() }
            #expect(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
            try fixture.call("POST", "/lots", pot, by: fixture.owner)
        }
        let rows = try fixture.call("GET", "/results").list("results")
        #expect(rows.map { appraisal($0.at("item")) } == [whole, whole])
        let lines = try fixture.call("GET", "/results.ndjson").bodyText.split(separator: "\n")
        let read = try lines.map { try JSONReader.read(Array($0.utf8)) }
        #expect(read.map { appraisal($0.at("item")) } == [whole, whole])
        let table = try fixture.call("GET", "/results.csv?bom=false").bodyText.split(separator: "\r\n").dropFirst()
        #expect(table.map { $0.hasSuffix(",150.00,250.50,One chip at the rim,,") } == [true, true])
    }

    @Test func `a change sets them, null removes them, and other changes leave them`() throws {
        let id = try #require(try fixture.call("POST", "/lots", pot, by: fixture.owner).text("id"))
        func change(_ changes: JSONValue) throws -> [String?] {
            let changed = try fixture.call("PATCH", "/lots/\(id)", changes, by: fixture.owner)
            #expect(changed.status == 200, "\(changed.bodyText)")
            return appraisal(changed.json.at("item"))
        }
        #expect(try change(["name": "Old pot"]) == whole)
        #expect(try change(["estimate": ["low": 1, "high": 1]]) == ["1.00", "1.00", whole[2]])
        #expect(try change(["estimate": nil]) == [nil, nil, whole[2]])
        #expect(try change(["condition": "Restored"]) == [nil, nil, "Restored"])
        #expect(try change(["condition": nil]) == [nil, nil, nil])
        let seq = try fixture.seq()
        #expect(try change(["condition": nil, "estimate": nil]) == [nil, nil, nil])
        #expect(try fixture.seq() == seq, "nothing has changed")
    }

    @Test(arguments: [
        (#"{"estimate":{"low":"2","high":"1"}}"#, "estimate.high"), (#"{"estimate":{"low":"1"}}"#, "estimate.high"),
        (#"{"estimate":{"low":"1.001","high":"2"}}"#, "estimate.low"),
        (#"{"estimate":{"low":"0","high":"2"}}"#, "estimate.low"),
        (#"{"estimate":{"low":"1","high":"2","mid":"1"}}"#, "estimate.mid"), (#"{"estimate":"100"}"#, "estimate"),
        (#"{"condition":""}"#, "condition"), (#"{"condition":" "}"#, "condition"), (#"{"condition":"a\nb"}"#, "condition"),
        (#"{"condition":7}"#, "condition"),
    ])
    func `what is no estimate or condition is refused and named`(members: String, field: String) throws {
        guard case .object(let given) = try JSONReader.read(Array(members.utf8)) else { return }
        let rest = [JSONMember(name: "name", value: "Pot"), JSONMember(name: "rules", value: ["startingPrice": "1"])]
        for path in ["/lots", "/items"] {
            let refused = try fixture.call("POST", path, .object(given + rest), by: fixture.owner)
            #expect(refused.status == 400 && refused.text("field") == field, "\(refused.bodyText)")
        }
    }

    @Test func `a condition has at most 200 characters`() throws {
        func status(_ count: Int) throws -> Int {
            let lot: JSONValue = [
                "name": "Pot", "condition": .string(String(repeating: "x", count: count)), "rules": ["startingPrice": 1],
            ]
            return try fixture.call("POST", "/lots", lot, by: fixture.owner).status
        }
        #expect(try status(200) == 201 && status(201) == 400)
    }

    private func importing(_ file: String, to other: RoomFixture? = nil) throws -> HTTPResponse {
        let fixture = other ?? fixture
        return try fixture.server.send(
            fixture.server.request(
                "POST", fixture.path + "/lots/import", Array(file.utf8), by: fixture.owner, [("Content-Type", "text/csv")]))
    }

    @Test(arguments: [
        "Name,Start price,Condition,Estimate low,Estimate high\nPot,1,Worn,100,\"1,200.00\"\n",
        "Bezeichnung;Startpreis;Zustand;Schätzpreis von (CNY);Schätzpreis bis (CNY)\nPot;1;Worn;100;1.200,00\n",
        "名称,起拍价,品相,估价下限,估价上限\nPot,1,Worn,¥100,1200\n", "Title;Price;Condition;Estimate\nPot;1;Worn;100 – 1.200,00\n",
        "Title,Price,Condition,Low estimate (CNY),High estimate (CNY)\nPot,1,Worn,\"100.00\",1200\n",
        "品名,起拍价,品相,估价\nPot,1,Worn,100元至1200元\n", "Titel;Preis;Zustand;Schätzpreis\nPot;1;Worn;100,- - 1200,-\n",
        "Titel;Preis;Zustand;Schätzpreis\nPot;1;Worn;100,- bis 1200,-\n",
        "Titel;Preis;Zustand;Schätzpreis\nPot;1;Worn;100,- CNY bis 1200,- CNY\n",
        "Titel;Preis;Zustand;Schätzpreis\nPot;1;Worn;100.–bis1’200.–\n",
        "Title;Price;Condition;Estimate\nPot;1;Worn;100.- - 1'200.-\n",
    ])
    func `a file of an office has them in columns with usual headings`(file: String) throws {
        let imported = try importing(file)
        #expect(imported.status == 200 && imported.list("ignoredColumns").isEmpty, "\(imported.bodyText)")
        #expect(appraisal(try lot(imported.text("lots.0.id") ?? "")) == ["100.00", "1200.00", "Worn"])
        #expect(try importing(file).int("unchanged") == 1)
    }

    @Test(arguments: [
        "TOP 100-200", "100 - 200 TOP", "TOP 100 to TOP 200", "100 top bis 200 top", "100to200", "100 - TOP 200",
        "100.- to 200.-", "TOP 100.- bis TOP 200.-",
    ])
    func `the code of a currency is no word between two amounts, and a price is no range`(cell: String) throws {
        let tonga = try RoomFixture(currency: "TOP")
        func lots(_ column: String, to room: RoomFixture) throws -> HTTPResponse {
            try importing("Name,\(column)\nPot,\(column == "Price" ? "" : "1,")\(cell)\n", to: room)
        }
        let imported = try lots("Price,Estimate", to: tonga)
        #expect(imported.status == 200, "\(imported.bodyText)")
        let lot = try tonga.call("GET", "/lots/\(imported.text("lots.0.id") ?? "")").json.at("item")
        #expect(appraisal(lot) == ["100.00", "200.00", nil])
        #expect(try lots("Price", to: tonga).text("rows.0.field") == "startingPrice")
        guard cell.lowercased().contains("top") else { return }
        #expect(try lots("Price,Estimate", to: fixture).text("rows.0.field") == "estimate")
    }

    @Test func `a single amount is both bounds, an empty cell removes, and columns that are not there change nothing`() throws {
        func imported(_ file: String) throws -> [String?] {
            let response = try importing(file)
            #expect(response.status == 200, "\(response.bodyText)")
            return appraisal(try lot(response.text("lots.0.id") ?? ""))
        }
        #expect(
            try imported("reference,name,startingPrice,estimate,condition\nA,Pot,1,120,Worn\n") == ["120.00", "120.00", "Worn"])
        #expect(try imported("reference,name,startingPrice\nA,Pot,2\n") == ["120.00", "120.00", "Worn"])
        #expect(try imported("reference,name,startingPrice,estimate\nA,Pot,2,\n") == [nil, nil, "Worn"])
        #expect(try imported("reference,name,startingPrice,condition\nA,Pot,2,\n") == [nil, nil, nil])
    }

    @Test func `a wrong cell is named by its column`() throws {
        let refused = try importing(
            "name,startingPrice,estimateLow,estimateHigh\nA,1,200,100\nB,1,100,\nC,1,,\nD,1,x,200\nE,1,\"1,200\",2000\n")
        #expect(refused.code == "import.bad_rows")
        #expect(
            refused.list("rows").map { "\($0.int("line") ?? 0) \($0.text("field") ?? "-")" } == [
                "2 estimateHigh", "3 estimateHigh", "5 estimateLow", "6 estimateLow",
            ])
        #expect(refused.text("rows.0.detail")?.contains("\"estimateHigh\" must be at least \"estimateLow\"") == true)
    }
}
