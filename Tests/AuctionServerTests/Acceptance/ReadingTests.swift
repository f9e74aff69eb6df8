import AuctionTestKit
import ExactJSON
import Testing

struct ReadingTests {
    @Test func `an ETag stays valid while the room is unchanged, and revalidation returns 304`() throws {
        let fixture = try RoomFixture()
        let first = try fixture.room(as: fixture.bidder)
        let tag = try #require(first.header("ETag"))
        func read(_ guest: Guest, _ tags: String) throws -> HTTPResponse {
            try fixture.call("GET", "", by: guest, [("If-None-Match", tags)])
        }
        let unchanged = try read(fixture.bidder, tag)
        #expect(unchanged.status == 304)
        #expect(unchanged.header("ETag") == tag)
        #expect(try read(fixture.bidder, "\"other\", \(tag)").status == 304)
        #expect(try read(fixture.bidder, "\(tag) , \"other\"").status == 304)
        let lines = [(name: "If-None-Match", value: "\"other\""), ("If-None-Match", tag)]
        #expect(try fixture.call("GET", "", by: fixture.bidder, lines).status == 304, "lines of a list are one list")
        #expect(try read(fixture.bidder, "*").status == 304)
        #expect(try read(fixture.bidder, "\"other\"").status == 200)
        #expect(try read(fixture.rival, tag).status == 200, "the representation differs by reader")
        #expect(
            try fixture.call("GET", "", by: fixture.bidder, [("If-None-Match", tag), ("Accept-Language", "zh")]).status == 200)
        try fixture.upload()
        let changed = try read(fixture.bidder, tag)
        #expect(changed.status == 200)
        #expect(changed.header("ETag") != tag)
    }

    @Test func `revalidation is no 304 once the caller may do again what only time forbade`() throws {
        let fixture = try RoomFixture()
        for _ in 0..<2 { try fixture.call("POST", "/messages", ["text": "Hello."], by: fixture.bidder) }
        func read(_ tag: String?, by guest: Guest?) throws -> HTTPResponse {
            try fixture.call("GET", "", by: guest, tag.map { [("If-None-Match", $0)] } ?? [])
        }
        let anonymous = try #require(try read(nil, by: nil).header("ETag"))
        let first = try read(nil, by: fixture.bidder)
        let tag = try #require(first.header("ETag"))
        #expect(!first.bodyText.contains("\"sendMessage\""))
        #expect(try read(tag, by: fixture.bidder).status == 304)
        fixture.server.clock.advance(milliseconds: 2000)
        let second = try read(tag, by: fixture.bidder)
        #expect(second.status == 200 && second.header("ETag") != tag)
        #expect(second.bodyText.contains("\"sendMessage\""))
        #expect(try read(anonymous, by: nil).status == 304)
    }

    @Test func `HEAD responds like GET without the body`() throws {
        let fixture = try RoomFixture()
        for path in [
            fixture.path, "/v1/rooms", fixture.path + "/members", fixture.path + "/events", "/healthz", "/openapi.yaml",
        ] {
            let head = try fixture.server.call("HEAD", path)
            let get = try fixture.server.call("GET", path)
            #expect(head.status == 200, "\(path)")
            #expect(head.header("Content-Length") == get.header("Content-Length"), "\(path)")
            #expect(head.header("Content-Type") == get.header("Content-Type"), "\(path)")
            #expect(head.header("ETag") == get.header("ETag"), "\(path)")
        }
        #expect(try fixture.server.call("HEAD", "/nothing").status == 404)
    }

    @Test func `the room shows the caller's role and allowed actions`() throws {
        let fixture = try RoomFixture()
        let anonymous = try fixture.call("GET")
        #expect(anonymous["me"] == nil)
        #expect(anonymous["allowedActions"] == nil)
        #expect(
            try fixture.room().texts("allowedActions")
                == ["adjustRules"] + RoomFixture.hostActions + ["configurePermissions", "manageStage", "archiveRoom"]
                + RoomFixture.saleActions)
        #expect(
            try fixture.room(as: fixture.owner).texts("allowedActions") == ["uploadItem"] + RoomFixture.auctioneerActions)
        #expect(try fixture.room(as: fixture.stranger).isNull("me.role"))
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        #expect(try fixture.room(as: fixture.bidder)["me.leading"] == true)
        #expect(try fixture.room(as: fixture.rival)["me.leading"] == false)
        #expect(try fixture.room(as: fixture.rival).texts("allowedActions") == ["placeBid"] + RoomFixture.memberActions)
        #expect(try fixture.room(as: fixture.viewer).texts("allowedActions") == RoomFixture.memberActions)
    }

    @Test func `rooms are listed newest first, filtered by state, in pages`() throws {
        let server = try TestServer()
        let host = try server.guest("Hana")
        for number in 1...5 { try server.call("POST", "/v1/rooms", ["name": .string("Room \(number)")], by: host) }
        var names: [String] = []
        var path = "/v1/rooms?limit=2"
        for _ in 0..<3 {
            let page = try server.call("GET", path)
            #expect(page.list("rooms").count <= 2)
            names += page.list("rooms").compactMap { $0.text("name") }
            guard let cursor = page.text("nextCursor") else { break }
            path = "/v1/rooms?limit=2&cursor=\(cursor)"
        }
        #expect(names == ["Room 5", "Room 4", "Room 3", "Room 2", "Room 1"])
        #expect(try server.call("GET", "/v1/rooms?limit=5").isNull("nextCursor"))
        #expect(try server.call("GET", "/v1/rooms?state=preparing").list("rooms").count == 5)
        #expect(try server.call("GET", "/v1/rooms?state=auctioning").list("rooms").isEmpty)
        for bad in ["state=gone", "limit=0", "limit=101", "limit=x", "cursor=x", "cursor=-1"] {
            let response = try server.call("GET", "/v1/rooms?\(bad)")
            #expect(response.status == 400, "\(bad)")
            #expect(response.text("field") == String(bad.prefix { $0 != "=" }))
        }
        for path in ["/v1", "/v1/state-machine", "/v1/rooms"] {
            let response = try server.call("GET", path + "?colour=red")
            #expect(response.code == "request.unknown_field" && response.text("field") == "colour", "\(path)")
        }
        let fixture = try RoomFixture(server)
        for tail in ["", "/permission-rules", "/stage", "/members", "/results", "/lots", "/sale"] {
            #expect(try fixture.call("GET", tail + "?colour=red").code == "request.unknown_field", "\(tail)")
        }
        for (method, path, body) in [
            ("GET", "/v1/me", nil), ("PATCH", "/v1/me", ["nickname": "a"]), ("POST", "/v1/rooms", ["name": "a"]),
            ("POST", "/v1/tokens/renew", nil), ("POST", "/v1/guests", ["nickname": "a"]),
        ] as [(String, String, JSONValue?)] {
            let response = try server.call(method, path + "?colour=red", body, by: fixture.host)
            #expect(response.code == "request.unknown_field", "\(method) \(path)")
        }
        #expect(try server.call("GET", "/v1/rooms?limit=1&limit=2").text("field") == "limit")
        #expect(try server.call("GET", "/v1/rooms?limit=%zz").status == 400)
    }

    @Test func `members are listed with counts, filtered by role, in pages`() throws {
        let fixture = try RoomFixture()
        let all = try fixture.call("GET", "/members")
        #expect(all["counts"] == ["host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1])
        #expect(try fixture.room()["members"] == all["counts"])
        var ids: [String] = []
        var tail = "/members?limit=2"
        while true {
            let page = try fixture.call("GET", tail)
            ids += page.list("members").compactMap { $0.text("user.id") }
            guard let cursor = page.text("nextCursor") else { break }
            tail = "/members?limit=2&cursor=\(cursor)"
        }
        #expect(ids.count == 5)
        #expect(ids == all.list("members").compactMap { $0.text("user.id") })
        let bidders = try fixture.call("GET", "/members?role=bidder").list("members").compactMap { $0.text("user.id") }
        #expect(Set(bidders) == [fixture.bidder.id, fixture.rival.id])
        #expect(try fixture.call("GET", "/members?role=king").text("field") == "role")
        #expect(try fixture.call("GET", "/members?cursor=1").text("field") == "cursor")
    }

    @Test func `bids of every round are listed newest first`() throws {
        let fixture = try RoomFixture()
        for round in 1...2 {
            try fixture.openBidding()
            for (index, amount) in [100, 110, 120].enumerated() {
                try fixture.bid(.number(String(amount + round)), by: index == 1 ? fixture.rival : fixture.bidder)
            }
            if round == 1 {
                try fixture.call("POST", "/auction/end", by: fixture.host)
                try fixture.start()
            }
        }
        func amounts(_ query: String) throws -> [String] {
            var amounts: [String] = []
            var cursor = ""
            while true {
                let page = try fixture.call("GET", "/bids?limit=2\(query)\(cursor)")
                amounts += page.list("bids").compactMap { $0.text("amount") }
                guard let next = page.text("nextCursor") else { return amounts }
                cursor = "&cursor=\(next)"
            }
        }
        #expect(try amounts("") == ["122.00", "112.00", "102.00"])
        #expect(try amounts("&round=2") == ["122.00", "112.00", "102.00"])
        #expect(try amounts("&round=1") == ["121.00", "111.00", "101.00"])
        #expect(try amounts("&round=3") == [])
    }

    @Test func `results are listed newest first`() throws {
        let fixture = try RoomFixture()
        for _ in 1...3 {
            try fixture.openBidding()
            try fixture.call("POST", "/auction/end", by: fixture.host)
            try fixture.start()
        }
        let first = try fixture.call("GET", "/results?limit=2")
        #expect(first.list("results").compactMap { $0.int("round") } == [3, 2])
        let cursor = try #require(first.text("nextCursor"))
        let rest = try fixture.call("GET", "/results?limit=2&cursor=\(cursor)")
        #expect(rest.list("results").compactMap { $0.int("round") } == [1])
        #expect(rest.isNull("nextCursor"))
    }
}
