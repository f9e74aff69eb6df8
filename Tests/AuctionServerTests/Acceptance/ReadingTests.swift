import ExactJSON
import Testing

struct ReadingTests {
    @Test func `an ETag stays while the room does, and saves sending it again`() throws {
        let scene = try Scene()
        let first = try scene.room(as: scene.bidder)
        let tag = try #require(first.header("ETag"))
        func read(_ guest: Guest, _ tags: String) throws -> HTTPAnswer {
            try scene.call("GET", "", by: guest, [("If-None-Match", tags)])
        }
        let unchanged = try read(scene.bidder, tag)
        #expect(unchanged.status == 304)
        #expect(unchanged.header("ETag") == tag)
        #expect(try read(scene.bidder, "\"other\", \(tag)").status == 304)
        #expect(try read(scene.bidder, "*").status == 304)
        #expect(try read(scene.bidder, "\"other\"").status == 200)
        #expect(try read(scene.rival, tag).status == 200, "another reader may see another room")
        #expect(try scene.call("GET", "", by: scene.bidder, [("If-None-Match", tag), ("Accept-Language", "zh")]).status == 200)
        try scene.upload()
        let changed = try read(scene.bidder, tag)
        #expect(changed.status == 200)
        #expect(changed.header("ETag") != tag)
    }

    @Test func `HEAD answers like GET without the body`() throws {
        let scene = try Scene()
        for path in [scene.path, "/v1/rooms", scene.path + "/members", scene.path + "/events", "/healthz", "/openapi.yaml"] {
            let head = try scene.house.call("HEAD", path)
            let get = try scene.house.call("GET", path)
            #expect(head.status == 200, "\(path)")
            #expect(head.header("Content-Length") == get.header("Content-Length"), "\(path)")
            #expect(head.header("Content-Type") == get.header("Content-Type"), "\(path)")
            #expect(head.header("ETag") == get.header("ETag"), "\(path)")
        }
        #expect(try scene.house.call("HEAD", "/nothing").status == 404)
    }

    @Test func `the room says who asks what they are and may do`() throws {
        let scene = try Scene()
        let anonymous = try scene.call("GET")
        #expect(anonymous["me"] == nil)
        #expect(anonymous["allowedActions"] == nil)
        #expect(
            try scene.room().texts("allowedActions")
                == ["adjustRules"] + Scene.hostActions + ["configurePermissions", "manageStage", "archiveRoom"])
        #expect(try scene.room(as: scene.owner).texts("allowedActions") == ["uploadItem"] + Scene.memberActions)
        #expect(try scene.room(as: scene.stranger).isNull("me.role"))
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        #expect(try scene.room(as: scene.bidder)["me.leading"] == true)
        #expect(try scene.room(as: scene.rival)["me.leading"] == false)
        #expect(try scene.room(as: scene.rival).texts("allowedActions") == ["placeBid"] + Scene.memberActions)
        #expect(try scene.room(as: scene.viewer).texts("allowedActions") == Scene.memberActions)
    }

    @Test func `rooms are listed newest first, by state, page by page`() throws {
        let house = try House()
        let host = try house.guest("Hana")
        for number in 1...5 { try house.call("POST", "/v1/rooms", ["name": .string("Room \(number)")], by: host) }
        var names: [String] = []
        var path = "/v1/rooms?limit=2"
        for _ in 0..<3 {
            let page = try house.call("GET", path)
            #expect(page.list("rooms").count <= 2)
            names += page.list("rooms").compactMap { $0.text("name") }
            guard let cursor = page.text("nextCursor") else { break }
            path = "/v1/rooms?limit=2&cursor=\(cursor)"
        }
        #expect(names == ["Room 5", "Room 4", "Room 3", "Room 2", "Room 1"])
        #expect(try house.call("GET", "/v1/rooms?limit=5").isNull("nextCursor"))
        #expect(try house.call("GET", "/v1/rooms?state=preparing").list("rooms").count == 5)
        #expect(try house.call("GET", "/v1/rooms?state=auctioning").list("rooms").isEmpty)
        for bad in ["state=gone", "limit=0", "limit=101", "limit=x", "cursor=x", "cursor=-1"] {
            let answer = try house.call("GET", "/v1/rooms?\(bad)")
            #expect(answer.status == 400, "\(bad)")
            #expect(answer.text("field") == String(bad.prefix { $0 != "=" }))
        }
        #expect(try house.call("GET", "/v1/rooms?colour=red").code == "request.unknown_field")
        #expect(try house.call("GET", "/v1/rooms?limit=1&limit=2").text("field") == "limit")
        #expect(try house.call("GET", "/v1/rooms?limit=%zz").status == 400)
    }

    @Test func `members are listed with counts, by role, page by page`() throws {
        let scene = try Scene()
        let all = try scene.call("GET", "/members")
        #expect(all["counts"] == ["host": 1, "auctioneer": 1, "bidder": 2, "viewer": 1])
        #expect(try scene.room()["members"] == all["counts"])
        var ids: [String] = []
        var tail = "/members?limit=2"
        while true {
            let page = try scene.call("GET", tail)
            ids += page.list("members").compactMap { $0.text("user.id") }
            guard let cursor = page.text("nextCursor") else { break }
            tail = "/members?limit=2&cursor=\(cursor)"
        }
        #expect(ids.count == 5)
        #expect(ids == all.list("members").compactMap { $0.text("user.id") })
        let bidders = try scene.call("GET", "/members?role=bidder").list("members").compactMap { $0.text("user.id") }
        #expect(Set(bidders) == [scene.bidder.id, scene.rival.id])
        #expect(try scene.call("GET", "/members?role=king").text("field") == "role")
        #expect(try scene.call("GET", "/members?cursor=1").text("field") == "cursor")
    }

    @Test func `bids are listed newest first, of every round`() throws {
        let scene = try Scene()
        for round in 1...2 {
            try scene.openBidding()
            for (index, amount) in [100, 110, 120].enumerated() {
                try scene.bid(.number(String(amount + round)), by: index == 1 ? scene.rival : scene.bidder)
            }
            if round == 1 {
                try scene.call("POST", "/auction/end", by: scene.host)
                try scene.start()
            }
        }
        func amounts(_ query: String) throws -> [String] {
            var amounts: [String] = []
            var cursor = ""
            while true {
                let page = try scene.call("GET", "/bids?limit=2\(query)\(cursor)")
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
        let scene = try Scene()
        for _ in 1...3 {
            try scene.openBidding()
            try scene.call("POST", "/auction/end", by: scene.host)
            try scene.start()
        }
        let first = try scene.call("GET", "/results?limit=2")
        #expect(first.list("results").compactMap { $0.int("round") } == [3, 2])
        let cursor = try #require(first.text("nextCursor"))
        let rest = try scene.call("GET", "/results?limit=2&cursor=\(cursor)")
        #expect(rest.list("results").compactMap { $0.int("round") } == [1])
        #expect(rest.isNull("nextCursor"))
    }
}
