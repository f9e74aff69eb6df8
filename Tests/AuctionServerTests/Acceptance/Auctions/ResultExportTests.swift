import AuctionServer
import ExactJSON
import MicroHTTP
import Testing

/// The results as lines of JSON and as a page to be printed.
struct ResultExportTests {
    /// A room with rounds of lots: one that passed, and one for each of these prices, which the bidders buy by turns.
    private func fixture(
        _ prices: [String], visibility: String = "public", name: String = "Vase", pageBytes: Int = 262_144
    ) throws -> RoomFixture {
        let server = try TestServer { $0.limits.pageBytes = pageBytes }
        let fixture = try RoomFixture(server, visibility: visibility)
        try #require(
            try fixture.call("PUT", "/sale", ["mode": "manual", "premium": ["percent": "12.5"]], by: fixture.host).status == 200
        )
        for (index, price) in (["1.00"] + prices).enumerated() {
            let lot: JSONValue = [
                "name": .string(name), "reference": .string("=R\(index)"),
                "rules": ["startingPrice": "1.00", "listingSeconds": 0],
            ]
            try #require(try fixture.call("POST", "/lots", lot, by: fixture.owner).status == 201)
            while try fixture.state() != "auctioning" { try fixture.start() }
            if index > 0 { try fixture.bid(.string(price), by: index.isMultiple(of: 2) ? fixture.rival : fixture.bidder) }
            try #require(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
        }
        return fixture
    }

    /// The cells of all rows of the page's tables.
    private func rows(_ html: String) -> [String] {
        html.split(separator: "\n").filter { $0.hasPrefix("<tr>") && $0.contains("<td") }.map { row in
            row.matches(of: /<td[^>]*>([^<]*)<\/td>/).map { String($0.output.1) }.joined(separator: "|")
        }
    }

    @Test func `each line is a row of the results with the room and its currency, oldest first`() throws {
        let fixture = try fixture(["10.00", "20.00"])
        let response = try fixture.call("GET", "/results.ndjson")
        #expect(response.header("Content-Disposition")?.hasSuffix(".ndjson\"") == true)
        let lines = try response.bodyText.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) }
        let room: JSONValue = .string(fixture.path.replacing("/v1/rooms/", with: ""))
        let listed = try fixture.call("GET", "/results").list("results")
        #expect(lines == listed.reversed() && lines.count == 3)
        #expect(lines.allSatisfy { $0["room"] == room && $0.text("currency") == "CNY" })
        #expect(lines[2].text("total") == "22.50" && lines[2].text("reference") == "=R2")
    }

    @Test func `the page has every round, and the totals of buyers and sellers`() throws {
        let fixture = try fixture(["10.00", "20.00", "1234530.03"])
        let page = try fixture.call("GET", "/results.html")
        #expect(page.header("Content-Type") == "text/html; charset=utf-8" && page.header("Link") == nil)
        let closed = try fixture.call("GET", "/results").list("results").reversed().map { row in
            (row.text("closedAt") ?? "").prefix(19).replacing("T", with: " ") + " UTC"
        }
        #expect(
            rows(page.bodyText)
                == [
                    "1|=R0|Vase|Otto|Passed: no bids|||||\(closed[0])",
                    "2|=R1|Vase|Otto|Sold|¥10.00|¥1.25|¥11.25|Bea|\(closed[1])",
                    "3|=R2|Vase|Otto|Sold|¥20.00|¥2.50|¥22.50|Rui|\(closed[2])",
                    "4|=R3|Vase|Otto|Sold|¥1,234,530.03|¥154,316.25|¥1,388,846.28|Bea|\(closed[3])",
                    "Bea|2|¥1,234,540.03|¥154,317.50|¥1,388,857.53|\(fixture.bidder.id)",
                    "Rui|1|¥20.00|¥2.50|¥22.50|\(fixture.rival.id)",
                    "Otto|3|¥1,234,560.03|\(fixture.owner.id)",
                ].map { $0.replacing("¥", with: "CNY\u{a0}") })
        #expect(page.bodyText.contains(">Host: Hana · 4 rounds: 3 sold, 1 passed · 0 lots wait · as of<"))
        #expect(page.bodyText.contains("<a id=\"room\" href=\"/#/rooms/\(fixture.path.replacing("/v1/rooms/", with: ""))\""))
        let chinese = try fixture.call("GET", "/results.html", nil, [("Accept-Language", "zh-CN")]).bodyText
        #expect(chinese.contains("<html lang=\"zh\">") && chinese.contains("买家汇总") && chinese.contains("流拍:无人出价"))
        for element in ["<h2 data-other=\"Totals by buyer\">", "<td data-other=\"Passed: no bids\">"] {
            #expect(chinese.contains(element))
        }
    }

    @Test func `a page of results has no heading without rows, and one of a thing is not many`() throws {
        let fixture = try fixture([])
        let lot: JSONValue = ["name": "Jug", "rules": ["startingPrice": "1.00"]]
        #expect(try fixture.call("POST", "/lots", lot, by: fixture.owner).status == 201)
        let page = try fixture.call("GET", "/results.html").bodyText
        #expect(page.contains("1 round: 0 sold, 1 passed · 1 lot waits"))
        #expect(page.matches(of: /<h2/).count == 1 && !page.contains("Totals"))
        #expect(!(try RoomFixture().call("GET", "/results.html").bodyText.contains("<h2")))
    }

    @Test func `a printed page breaks no amount, time or word, and a word of a user only where it is too long`() throws {
        let page = try fixture(["10.00"]).call("GET", "/results.html").bodyText
        let print = try #require(page.split(separator: "@media print{").last?.prefix { $0 != "<" })
        #expect(print.contains("@page{size:landscape;"))
        #expect(print.contains("overflow-wrap:normal;white-space:normal}.n,.t{white-space:nowrap}"))
        #expect(print.matches(of: /anywhere/).count == 1 && print.contains(".w{min-width:8em;overflow-wrap:anywhere}"))
        #expect(page.contains("<td class=\"w\">Vase</td>") && page.contains("<td class=\"n\">CNY\u{a0}10.00</td>"))
    }

    @Test func `a round that is over keeps its premium, whatever that of the next one is`() throws {
        let fixture = try fixture(["10.00"])
        #expect(try fixture.call("GET").text("total") == "11.25")
        try fixture.call("PUT", "/sale", ["mode": "manual", "premium": ["percent": "50"]], by: fixture.host)
        #expect(try fixture.call("GET").text("total") == "11.25")
        try fixture.call("DELETE", "/sale", by: fixture.host)
        #expect(try fixture.call("GET").text("total") == "11.25")
        try fixture.start()
        #expect(try fixture.call("GET")["total"] == nil)
    }

    @Test func `names are escaped in the page of results, whose policy allows its own script only and no loading`() throws {
        let fixture = try fixture(["10.00"], name: "</td><script src='//x'>\"&")
        let page = try fixture.call("GET", "/results.html")
        #expect(page.bodyText.contains("&lt;/td&gt;&lt;script src=&#39;//x&#39;&gt;&quot;&amp;"))
        #expect(page.bodyText.matches(of: /<script/).count == 1)
        let policy = try #require(page.header("Content-Security-Policy"))
        let known = #/^default-src 'none'; style-src 'sha256-[\w-]+='; script-src 'sha256-[\w-]+='; base-uri 'none'; /#
        #expect(policy.contains(known))
        #expect(page.header("X-Content-Type-Options") == "nosniff" && page.header("Referrer-Policy") == "no-referrer")
    }

    @Test func `long exports come in parts, and the page to be printed is whole`() throws {
        let fixture = try fixture(["10.00", "20.00"], pageBytes: 256)
        let whole = 3
        for name in ["results.csv", "results.ndjson"] {
            var (path, parts, all) = (fixture.path + "/" + name, 0, "")
            while true {
                let part = try fixture.server.call("GET", path)
                try #require(part.status == 200)
                (parts, all) = (parts + 1, all + part.bodyText)
                guard let link = part.header("Link") else { break }
                path = String(try #require(link.split(separator: ">").first).dropFirst())
            }
            #expect(parts > 1)
            if name == "results.csv" {
                #expect(all.matches(of: /,sold,|,passed,/).count == whole)
            } else {
                #expect(all.split(separator: "\n").count == whole)
            }
        }
        let page = try fixture.call("GET", "/results.html")
        #expect(rows(page.bodyText).count == whole + 3 && page.header("Link") == nil && page.body.count > 1024)
    }

    @Test func `the number of a lot is in the lot, its events, the results and their tables`() throws {
        let fixture = try RoomFixture()
        for name in ["Vase", "Jug"] {
            let lot = try fixture.call(
                "POST", "/lots", ["name": .string(name), "rules": ["startingPrice": "1"]], by: fixture.owner)
            #expect(lot.int("number") == (name == "Vase" ? 1 : 2))
        }
        let ids = try fixture.call("GET", "/lots").list("lots").map { $0.text("id") ?? "" }
        let moved = try fixture.call(
            "PATCH", "/lots/\(ids[1])", ["name": "Old jug", "before": .string(ids[0])], by: fixture.owner)
        #expect(moved.int("number") == 2 && moved.int("position") == 1)
        let events = try fixture.call("GET", "/events").list("events").filter { $0.text("type")?.hasPrefix("lot.") == true }
        #expect(events.map { $0.int("data.number") } == [1, 2, 2, nil], "queued, queued, changed, moved")
        try fixture.start()
        try fixture.start()
        try fixture.call("POST", "/auction/end", by: fixture.host)
        #expect(try fixture.call("GET", "/results").int("results.0.number") == 2)
        #expect(try fixture.call("GET", "/results.csv").bodyText.hasSuffix(",2,,,,,\r\n"))
        #expect(rows(try fixture.call("GET", "/results.html").bodyText)[0].hasPrefix("1|2|Old jug|"))
    }

    @Test func `a caller has one page made at a time, and delays no other caller`() throws {
        let room = try SteppedRoom()
        var statuses: [Int] = []
        func request(isAnonymous: Bool) {
            room.send("GET", "/results.html", isAnonymous: isAnonymous) { outcome in
                if case .answered(let response) = outcome { statuses.append(response.status) }
            }
        }
        request(isAnonymous: false)
        request(isAnonymous: false)
        #expect(statuses == [503], "the first waits for a reader")
        request(isAnonymous: true)
        while room.server.step() {}
        #expect(statuses == [503, 200, 200])
        request(isAnonymous: false)
        while room.server.step() {}
        #expect(statuses == [503, 200, 200, 200])
    }

    @Test func `a browser opens the page of a private room with a ticket`() throws {
        let fixture = try fixture(["10.00"], visibility: "private")
        #expect(try fixture.call("GET", "/results.html").status == 404)
        let ticket = try fixture.ticket(by: fixture.viewer)
        let page = try fixture.call("GET", "/results.html?ticket=\(ticket)")
        #expect(page.status == 200 && page.bodyText.contains("Vase"))
        #expect(try fixture.call("GET", "/results.html?ticket=\(ticket)").status == 401)
    }

    @Test func `cells of lots and nicknames are no formulas in the table`() throws {
        let fixture = try fixture(["10.00"])
        #expect(try fixture.call("GET", "/results.csv").bodyText.contains(",'=R1,Otto,"))
    }
}
