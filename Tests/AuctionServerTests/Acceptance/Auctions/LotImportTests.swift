import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// Imports of files with lots, by HTTP.
struct LotImportTests {
    private let fixture: RoomFixture

    init() throws { fixture = try RoomFixture() }

    @discardableResult
    private func send(
        _ file: String, as type: String = "text/csv", by guest: Guest? = nil, _ headers: [(name: String, value: String)] = []
    ) throws -> HTTPResponse {
        try fixture.server.call(
            "POST", fixture.path + "/lots/import", raw: file, by: guest ?? fixture.owner, headers + [("Content-Type", type)])
    }

    private func lots() throws -> [JSONValue] { try fixture.call("GET", "/lots", by: fixture.owner).list("lots") }

    /// The wrong rows of a refused file: line, field and code.
    private func rows(_ response: HTTPResponse) -> [String] {
        response.list("rows").map { row in
            "\(row.int("line") ?? 0) \(row.text("field") ?? "-") \(row.text("code") ?? "")"
        }
    }

    @Test func `a CSV file has the columns of a lot in any order`() throws {
        let file = """
            \u{FEFF}reference,startingPrice,name,media,increment,reservePrice,biddingSeconds,description\r
            A-1,"1200",'=Vase,https://example.org/a https://example.org/b,5%,1300,60,"two\r
            lines, and a ""quote\"\""\r
            ,80.50,Bowl,,0:5 100:10.00,,,\r
            ,90,Cup,,2.00,,,\r

            """
        let response = try send(file, as: "text/csv; charset=UTF-8")
        #expect(response.status == 200 && response.int("rows") == 3)
        #expect(response.list("lots").map { $0.int("line") } == [2, 4, 5])
        #expect(response.list("lots").map { $0.text("reference") } == ["A-1", nil, nil])
        let lots = try lots()
        #expect(lots[0].text("item.name") == "=Vase")
        #expect(lots[0].text("item.description") == "two\nlines, and a \"quote\"")
        #expect(lots[0].at("item.media") == ["https://example.org/a", "https://example.org/b"])
        #expect(lots[0].at("rules.increment") == ["percent": 5] && lots[0].text("rules.reservePrice") == "1300.00")
        #expect(lots[0].at("rules.biddingSeconds") == 60)
        #expect(
            lots[1].at("rules.increment") == [
                "tiers": [["from": "0.00", "step": "5.00"], ["from": "100.00", "step": "10.00"]]
            ])
        #expect(lots[2].at("rules.increment") == ["fixed": "2.00"])
    }

    @Test func `a file of JSON lines has bodies of lots`() throws {
        let file =
            "\u{FEFF}{\"name\":\"Vase\",\"rules\":{\"startingPrice\":\"1\"},\"reference\":\"V\"}\r\n\n  \n"
            + "{\"name\":\"Bowl\",\"rules\":{\"startingPrice\":\"2\"}}"
        let response = try send(file, as: "application/x-ndjson")
        #expect(response.status == 200)
        #expect(response.list("lots").map { $0.int("line") } == [1, 4])
        #expect(try lots().map { $0.text("item.name") } == ["Vase", "Bowl"])
    }

    @Test(arguments: ["-", ".", "-.", "e5", "1e", "+5", "007", "0x10", "five", "[1]", "null"])
    func `a cell that is no number is a bad row, and never 0`(cell: String) throws {
        let file = "name,startingPrice,listingSeconds,increment\nVase,1,\"\(cell)\",\nBowl,1,,\"\(cell)%\"\n"
        let response = try send(file)
        #expect(response.status == 422)
        #expect(
            rows(response).map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "2 listingSeconds", "3 increment",
            ])
    }

    @Test func `a row with the reference of a row that cannot be read is named too`() throws {
        #expect(rows(try send("name,startingPrice,reference\nA,x,Q\nB,1,Q\nC,1,R\n")).map { $0.prefix(4) } == ["2 st", "3 re"])
        let lines = """
            {"name":"A","reference":"Q"}
            {"name":"B","reference":"Q","rules":{"startingPrice":"1"}}
            """
        #expect(rows(try send(lines, as: "application/x-ndjson")).map { $0.prefix(4) } == ["1 ru", "2 re"])
    }

    @Test func `repeats of an import that is not read yet wait for its outcome; beyond four at once they are refused`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        // It has one event loop, which handles requests in their order.
        let fixture = try RoomFixture(try TestServer(log: log))
        let server = fixture.server
        // given no thread that reads, as both of them wait for lists of rooms
        log.lists.shut()
        let lists = try [fixture.viewer, fixture.rival].map { reader in
            (try server.connect(), server.request("GET", "/v1/rooms", by: reader))
        }
        for (connection, list) in lists { try connection.send(list) }
        eventually("both threads that read are blocked") { log.lists.blockedCalls == 2 }
        // when one import is sent four times, and then another one
        let file = "name,startingPrice\nVase,1\n"
        let request = server.request(
            "POST", fixture.path + "/lots/import", Array(file.utf8), by: fixture.owner,
            [("Content-Type", "text/csv"), ("Idempotency-Key", "k1")])
        let connections = try (0..<4).map { _ in try server.connect() }
        for connection in connections {
            // The loop has the connection, so that its import comes before what is sent later.
            let read = server.request("GET", fixture.path)
            try connection.send(read)
            #expect(try server.receive(on: connection, to: read).status == 200)
        }
        for connection in connections { try connection.send(request) }
        #expect(try fixture.call("GET", "", by: fixture.owner).status == 200)
        let fifth = try server.call(
            "POST", fixture.path + "/lots/import", raw: file, by: fixture.owner, [("Content-Type", "text/csv")])
        #expect(fifth.status == 503 && fifth.code == "service.too_many_reads" && fifth.header("Retry-After") == "1")
        // then the four have one outcome
        log.lists.open()
        let responses = try connections.map { try server.receive(on: $0, to: request) }
        #expect(responses.map(\.status) == [200, 200, 200, 200] && Set(responses.map(\.bodyText)).count == 1)
        #expect(responses.count { $0.header("Idempotency-Replayed") == "true" } == 3)
        for (connection, list) in lists { #expect(try server.receive(on: connection, to: list).status == 200) }
    }

    @Test func `a price that only the owner may change is named`() throws {
        try send("reference,name,startingPrice\nV,Vase,10\n")
        let refused = try send("reference,name,startingPrice\nV,Vase,20\n", by: fixture.host)
        #expect(rows(refused) == ["2 startingPrice lot.owner_only"])
        let line = "{\"name\":\"Vase\",\"reference\":\"V\",\"rules\":{\"startingPrice\":\"10\",\"reservePrice\":\"30\"}}"
        #expect(rows(try send(line, as: "application/x-ndjson", by: fixture.host)) == ["1 rules.reservePrice lot.owner_only"])
    }

    @Test func `a parameter that a command does not have is refused, and nothing is done`() throws {
        let file = "name,startingPrice\nVase,10\n"
        let response = try fixture.server.call(
            "POST", fixture.path + "/lots/import?dryRun=true", raw: file, by: fixture.owner, [("Content-Type", "text/csv")])
        #expect(response.status == 400 && response.code == "request.unknown_field" && response.text("field") == "dryRun")
        for (method, tail, body, caller) in [
            ("POST", "/lots", ["name": "Cup", "rules": ["startingPrice": "1"]] as JSONValue?, fixture.owner),
            ("POST", "/messages", ["text": "Hello"], fixture.bidder), ("DELETE", "/sale", nil, fixture.host),
            ("DELETE", "/members/me", nil, fixture.viewer), ("POST", "/sale/start", nil, fixture.host),
        ] {
            #expect(try fixture.call(method, tail + "?x=1", body, by: caller).text("field") == "x", "\(method) \(tail)")
        }
        #expect(try lots().isEmpty)
    }

    @Test func `a change names an unknown member, and a lot to be before that the room lacks`() throws {
        try send("reference,name,startingPrice\nV,Vase,10\n")
        let lot = try #require(try lots().first?.text("id"))
        let refused = try fixture.call("PATCH", "/lots/\(lot)", ["position": 1], by: fixture.owner)
        #expect(refused.code == "request.unknown_field" && refused.text("field") == "position")
        let unknown = try fixture.call("PATCH", "/lots/\(lot)", ["before": "lot_01m7yn51psh16pxpxz9yp3xz7r"], by: fixture.owner)
        #expect(unknown.status == 400 && unknown.text("field") == "before")
    }

    @Test func `permissions are explained for a lot`() throws {
        try send("reference,name,startingPrice\nV,Vase,10\n")
        let lot = try #require(try lots().first?.text("id"))
        for (guest, allowed) in [(fixture.owner, true), (fixture.bidder, false)] {
            let answer = try fixture.call("GET", "/permissions?action=changeLot&lot=\(lot)&explain=true", by: guest)
            #expect(answer["allowed"] == .bool(allowed))
        }
        #expect(try fixture.call("GET", "/permissions?action=changeLot&lot=x", by: fixture.owner).text("field") == "lot")
    }

    @Test func `the response says what was added and changed, and what became of the other lots before`() throws {
        func counts(_ response: HTTPResponse) -> [Int?] {
            ["rows", "added", "changed", "unchanged", "sold", "passed", "withdrawn"].map { response.int($0) }
        }
        let file = "reference,name,startingPrice,listingSeconds\nA,Vase,1,0\nB,Jug,2,0\nC,Cup,3,0\nE,Egg,5,0\nF,Fan,6,0\n"
        let first = try send(file)
        #expect(counts(first) == [5, 5, 0, 0, 0, 0, 0])
        let last = try #require(first.text("lots.4.id"))
        #expect(try fixture.call("DELETE", "/lots/\(last)", by: fixture.owner).status == 200)
        for isSold in [true, false] {
            while try fixture.state() != "auctioning" { try fixture.start() }
            if isSold { try fixture.bid("1", by: fixture.bidder) }
            try #require(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
        }
        let again = try send(file.replacing("Cup,3", with: "Cup,4") + "D,Bowl,5,0\n")
        #expect(counts(again) == [6, 1, 1, 1, 1, 1, 1])
        #expect(
            again.list("lots").map { $0.text("outcome") } == ["sold", "passed", "changed", "unchanged", "withdrawn", "added"])
    }

    @Test func `a repeat changes no lot and writes no event; with its key the response is the same`() throws {
        let file = "name,startingPrice,reference\nVase,1,V\nBowl,2,\nBowl,2,\n"
        let first = try send(file, [("Idempotency-Key", "k1")])
        let seq = try fixture.seq()
        for headers in [[("Idempotency-Key", "k1")], [("Idempotency-Key", "k2")], []] {
            let again = try send(file, headers.map { (name: $0.0, value: $0.1) })
            #expect(again.status == 200 && again.list("lots").map { $0.text("id") } == first.list("lots").map { $0.text("id") })
            #expect(
                again.int("unchanged") == (headers.first?.1 == "k1" ? 0 : 3)
                    && again.int("added") == (headers.first?.1 == "k1" ? 3 : 0))
        }
        #expect(try fixture.seq() == seq)
        #expect(try send(file + "Cup,1,\n", [("Idempotency-Key", "k1")]).code == "idempotency.key_reused")
    }

    @Test func `a file that differs by blanks or line breaks only is another body`() throws {
        let pairs = [
            ("name,startingPrice\nBlue Vase,1\n", "name,startingPrice\nBlueVase,1\n"),
            ("name,startingPrice\nCup,1\n", "name,startingPrice\n\nCup,1\n"),
        ]
        for (number, (first, second)) in pairs.enumerated() {
            let key = [(name: "Idempotency-Key", value: "k\(number)")]
            #expect(try send(first, key).status == 200)
            #expect(try send(second, key).code == "idempotency.key_reused")
        }
    }

    @Test func `columns that a file does not have stay as they are, and empty cells remove`() throws {
        let all = """
            reference,name,startingPrice,reservePrice,buyNowPrice,description,media,increment,biddingSeconds,countdown,maxDurationSeconds
            V,Vase,10,20,90,Blue,https://example.org/a,5.00,60,extend,600
            """
        #expect(try send(all).status == 200)
        let first = try lots()[0]
        #expect(try send("reference,name,startingPrice\nV,Vase,12\n").status == 200)
        let changed = try lots()[0]
        #expect(changed.text("rules.startingPrice") == "12.00" && changed.text("rules.reservePrice") == "20.00")
        #expect(changed["item"] == first["item"])
        for rule in ["buyNowPrice", "increment", "biddingSeconds", "countdown", "maxDurationSeconds"] {
            #expect(changed.at("rules.\(rule)") == first.at("rules.\(rule)") && first.at("rules.\(rule)") != nil, "\(rule)")
        }
        let header = try #require(all.split(separator: "\n").first)
        #expect(try send("\(header)\nV,Vase,12,,,,,,,,\n").status == 200)
        #expect(try send("name,startingPrice\nPlain,12\n").status == 200)
        let (emptied, plain) = (try lots()[0], try lots()[1])
        #expect(emptied["rules"] == plain["rules"] && plain.at("rules.biddingSeconds") == 15)
        #expect(emptied.text("item.description") == "" && emptied.at("item.media") == [])
    }

    @Test func `lines of JSON keep absent members too, and null removes`() throws {
        func send(_ members: String, _ rules: String) throws -> HTTPResponse {
            let line = "{\"reference\":\"V\",\"name\":\"Vase\"\(members),\"rules\":{\"startingPrice\":\"10\"\(rules)}}"
            return try self.send(line, as: "application/x-ndjson")
        }
        #expect(try send(",\"description\":\"Blue\"", ",\"reservePrice\":\"20\",\"buyNowPrice\":\"90\"").status == 200)
        #expect(try send("", ",\"buyNowPrice\":null").status == 200)
        let lot = try lots()[0]
        #expect(lot.text("item.description") == "Blue" && lot.text("rules.reservePrice") == "20.00")
        #expect(lot.at("rules.buyNowPrice") == nil || lot.at("rules.buyNowPrice") == .null)
    }

    @Test func `rules are checked with those that a lot keeps`() throws {
        let dutch = "reference,name,startingPrice,floorPrice,increment,dutchTickSeconds,format\nD,Vase,100,50,5,10,dutch\n"
        #expect(try send(dutch).status == 200)
        #expect(try send("reference,name,startingPrice,floorPrice\nD,Vase,100,60\n").status == 200)
        #expect(try lots()[0].text("rules.floorPrice") == "60.00")
        let refused = try send("reference,name,startingPrice,floorPrice\nD,Vase,55,60\nE,Vase,55,50\n")
        #expect(rows(refused) == ["2 floorPrice request.malformed", "3 floorPrice request.malformed"])
        #expect(!refused.bodyText.contains("rules."))
        let lines = "{\"name\":\"Vase\",\"rules\":{\"startingPrice\":\"55\",\"floorPrice\":\"50\"}}"
        #expect(rows(try send(lines, as: "application/x-ndjson")) == ["1 rules.floorPrice request.malformed"])
    }

    @Test func `an import by another user does not reveal a reserve price`() throws {
        for (reference, reserve) in [("A", "20"), ("B", "")] {
            #expect(try send("reference,name,startingPrice,reservePrice\n\(reference),Vase,10,\(reserve)\n").status == 200)
        }
        let seq = try fixture.seq()
        func host(_ cell: String?) throws -> HTTPResponse {
            let column = cell.map { ",\($0)" } ?? ""
            let header = "reference,name,startingPrice\(cell == nil ? "" : ",reservePrice")"
            return try send("\(header)\nA,Vase,10\(column)\nB,Vase,10\(column)\n", by: fixture.host)
        }
        #expect(try host(nil).status == 200 && host("").status == 200)
        #expect(try fixture.seq() == seq)
        for cell in ["20", "5"] { #expect(rows(try host(cell)).map { $0.prefix(2) } == ["2 ", "3 "]) }
        #expect(try lots()[0].text("rules.reservePrice") == "20.00")
    }

    @Test func `every bad row is named with its line and field, and nothing is imported`() throws {
        let file = """
            name,startingPrice,reference,increment,format,media
            Vase,1,V,,,
            ,1,,,,
            Bowl,,,,,
            Cup,1.234,,,,
            "Two
            lines\u{200B}",1,,,,
            Cup,1,V,,,
            Cup,1,,x,,
            Cup,1,,1:2,,
            Cup,1,,,waltz,
            Cup,1,,,,http://example.org/a
            Cup,1,,,,,x
            Cup,1,,,"x"y,
            """
        let response = try send(file)
        #expect(response.status == 422 && response.code == "import.bad_rows" && response.text("actual") == "11")
        #expect(
            rows(response) == [
                "3 name request.malformed", "4 startingPrice request.malformed", "5 startingPrice money.malformed",
                "6 name request.malformed", "8 reference request.malformed", "9 increment money.malformed",
                "10 increment request.malformed", "11 format request.malformed", "12 media request.malformed",
                "13 - request.malformed", "14 - request.malformed",
            ])
        #expect(try lots().isEmpty)
        let chinese = try send(file, [("Accept-Language", "zh")])
        #expect(rows(chinese) == rows(response) && chinese.bodyText.contains("第 2 行已使用相同编号"))
        let lines =
            "{\"name\":\"Vase\",\"rules\":{\"startingPrice\":\"1\",\"x\":1}}\n{\n[]\n{\"name\":\"Bowl\",\"name\":\"Cup\"}"
        #expect(
            rows(try send(lines, as: "application/x-ndjson")) == [
                "1 rules.x request.unknown_field", "2 - request.malformed", "3 - request.malformed", "4 name request.malformed",
            ])
    }

    @Test(arguments: [
        ("name,startingPrice,name\n", "both mean"), ("name\nVase\n", "startingPrice"), ("", "no text"),
        ("name,startingPrice\n\n,\n", "no rows"),
        ("\"name,startingPrice\nVase,1\n", "quotation"),
    ])
    func `the refusal of a file without rows or a good first row names what is wrong`(file: String, word: String) throws {
        let response = try send(file)
        #expect(response.status == 400 && response.text("detail")?.contains(word) == true, "\(response.bodyText)")
    }

    @Test func `a file has 1,000 rows at most`() throws {
        func file(_ rows: Int) -> String {
            "name,startingPrice,reference\n" + (1...rows).map { "Lot \($0),1,\($0)\n" }.joined()
        }
        let refused = try send(file(1001))
        #expect(refused.status == 422 && refused.code == "import.bad_rows")
        #expect(refused.list("rows").count == 1 && refused.int("rows.0.line") == 1002)
        #expect(refused.text("rows.0.detail")?.contains("1000") == true)
        let response = try send(file(1000))
        #expect(response.status == 200 && response.list("lots").count == 1000)
        let seq = try fixture.seq()
        let again = try send(file(1000))
        #expect(
            again.int("unchanged") == 1000
                && again.list("lots").map { $0.text("id") } == response.list("lots").map { $0.text("id") })
        #expect(try fixture.seq() == seq)
    }

    @Test func `a large file counts as a command for each 16 KiB, though it is refused`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.commandsPerSecond = 6 })
        let file = "name,startingPrice\n" + String(repeating: ",\"\"\n", count: 60_000)
        func send() throws -> HTTPResponse {
            try fixture.server.call(
                "POST", fixture.path + "/lots/import", raw: file, by: fixture.bidder, [("Content-Type", "text/csv")])
        }
        #expect(try send().status == 400)
        #expect(try send().code == "command.rate")
    }

    @Test func `streams get all lots of a large file in order`() throws {
        try fixture.openBidding()
        let readers = try (0..<3).map { _ in try EventReader(fixture, "?after=latest") }
        let sockets = try (0..<3).map { _ in try SocketReader(fixture, "?after=latest") }
        let text = String(repeating: "d", count: 400)
        let rows = (1...700).map { "Lot \($0),1,\($0),\(text)\n" }.joined()
        let before = try fixture.seq()
        #expect(try send("name,startingPrice,reference,description\n" + rows).status == 200)
        for expected in before + 1...before + 700 {
            for reader in readers { try #require(try reader.event()?.seq == expected) }
            for socket in sockets { try #require(try socket.event()?.seq == expected) }
        }
    }

    @Test func `a file may be as large as the limit, of callers with a token`() throws {
        let text = String(repeating: "A teapot. ", count: 480)
        func file(_ rows: Int) -> String {
            "name,startingPrice,description\n" + (1...rows).map { "Lot \($0),1,\(text)\n" }.joined()
        }
        #expect(try send(file(200)).status == 200)
        #expect(try send(file(250)).status == 413)
        #expect(
            try fixture.server.call("POST", fixture.path + "/lots/import", raw: file(200), [("Content-Type", "text/csv")]).code
                == "token.missing")
        let events = try fixture.events(after: try fixture.seq() - 3)
        #expect(events.map { $0.text("type") } == ["lot.queued", "lot.queued", "lot.queued"])
        #expect(events.last?.text("data.item.name") == "Lot 200")
    }

    @Test func `only files of the two types are taken, and by those only who may queue lots`() throws {
        for type in ["application/json", "text/csv;charset=gb18030", "text/csv;charset=utf-32", "text/plain", ""] {
            #expect(try send("name,startingPrice\nVase,1\n", as: type).status == 415, "\(type)")
        }
        #expect(try send("name,startingPrice\nVase,1\n", by: fixture.bidder).code == "lot.not_auctioneer")
        let latin = fixture.server.request(
            "POST", fixture.path + "/lots/import", Array("name,startingPrice\nVase,1\nCaf".utf8) + [0xE9] + Array(",1\n".utf8),
            by: fixture.owner, [("Content-Type", "text/csv")])
        let response = try fixture.server.send(latin)
        #expect(rows(response) == ["3 - request.malformed"] && response.bodyText.contains("UTF-8"))
    }
}
