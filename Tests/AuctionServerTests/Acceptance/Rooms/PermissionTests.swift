import ExactJSON
import Testing

struct PermissionTests {
    @Test func `the permission list agrees with the room's allowed actions for every user`() throws {
        let fixture = try RoomFixture()
        func check() throws {
            for guest in [fixture.host, fixture.owner, fixture.bidder, fixture.rival, fixture.viewer, fixture.stranger] {
                let matrix = try fixture.call("GET", "/permissions", by: guest)
                let room = try fixture.room(as: guest)
                let allowed = matrix.list("permissions").filter { $0.at("allowed") == true }.compactMap { $0.text("action") }
                #expect(allowed == room.texts("allowedActions"))
                #expect(matrix["role"] == room["me.role"])
                for decision in matrix.list("permissions") {
                    #expect((decision.at("denial") == .null) == (decision.at("allowed") == true))
                }
            }
        }
        try check()
        try fixture.upload()
        try check()
        try fixture.start()
        try check()
        try fixture.start()
        try fixture.bid("100", by: fixture.bidder)
        try check()
        try fixture.call("POST", "/auction/end", by: fixture.host)
        try check()
    }

    @Test func `a dry run returns the decision that the bid would get`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        for (guest, amount) in [
            (fixture.rival, "105"), (fixture.rival, "110"), (fixture.bidder, "200"), (fixture.viewer, "1"), (fixture.host, "1"),
        ] {
            let requested = try fixture.call("GET", "/permissions?action=placeBid&amount=\(amount)&round=1", by: guest)
            #expect(requested["trace"] == nil)
            guard requested["allowed"] == false else { continue }
            let received = try fixture.bid(.string(amount), by: guest)
            #expect(requested.text("denial.rule") == received.code)
            #expect(requested["denial.required"] == received["permission.required"])
            #expect(requested["denial.actual"] == received["permission.actual"])
            #expect(requested.text("denial.detail") == received.text("detail"))
            #expect(requested["denial.category"] == received["permission.category"])
            #expect(requested["denial.priority"] == received["permission.priority"])
            #expect(requested["denial.allowedActions"] == received["permission.allowedActions"])
        }
        #expect(try fixture.call("GET", "/permissions?action=placeBid&amount=110", by: fixture.rival)["allowed"] == true)
        let target = try fixture.call("GET", "/permissions?action=setRole&target=\(fixture.host.id)", by: fixture.host)
        #expect(target.text("denial.rule") == "role.themself")
    }

    @Test func `an explanation lists every rule in order with its verdict, also for allowed actions`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let rules = try fixture.call("GET", "/permission-rules").list("rules").filter { $0.text("action") == "placeBid" }
        let allowed = try fixture.call("GET", "/permissions?action=placeBid&amount=100&explain=true", by: fixture.bidder)
        #expect(allowed["allowed"] == true)
        #expect(allowed.list("trace").compactMap { $0.text("rule") } == rules.compactMap { $0.text("id") })
        let optional: Set = ["bid.invited_only", "bid.new_member", "bid.not_approved"]
        for entry in allowed.list("trace") {
            let isOptional = optional.contains(entry.text("rule") ?? "")
            #expect(entry.text("verdict") == (isOptional ? "disabled" : "passed"))
        }
        let denied = try fixture.call("GET", "/permissions?action=placeBid&amount=1&explain=true", by: fixture.viewer)
        let verdicts = denied.list("trace").filter { $0.text("verdict") == "denied" }.compactMap { $0.text("rule") }
        #expect(verdicts == ["bid.viewer", "bid.below_minimum"])
        #expect(denied.text("denial.rule") == verdicts.first)
        let priorities = denied.list("trace").compactMap { $0.int("priority") }
        #expect(priorities == priorities.sorted(by: >))
    }

    @Test func `the default rules are those of the product`() throws {
        let rules = try RoomFixture().call("GET", "/permission-rules").list("rules")
        func ids(_ action: String) -> [String] {
            rules.filter { $0.text("action") == action }.compactMap { $0.text("id") }
        }
        #expect(
            ids("placeBid") == [
                "bid.not_auctioning", "bid.wrong_round", "bid.wrong_item", "bid.not_member", "bid.banned", "bid.viewer",
                "bid.host", "bid.own_item", "bid.already_leading", "bid.invited_only", "bid.new_member", "bid.not_approved",
                "bid.below_minimum", "bid.names_no_price", "bid.over_credit",
            ])
        #expect(ids("uploadItem") == ["item.not_preparing", "item.banned", "item.not_auctioneer", "item.taken"])
        let optional = rules.filter { $0.at("permanent") == false }.compactMap { $0.text("id") }
        #expect(
            Set(optional) == [
                "bid.viewer", "bid.host", "bid.invited_only", "bid.new_member", "bid.not_approved", "bid.floor_off",
            ])
        let off = rules.filter { $0.at("enabled") == false }.compactMap { $0.text("id") }
        #expect(off == ["bid.invited_only", "bid.new_member", "bid.not_approved"])
    }

    @Test func `querying permissions changes nothing`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        let before = try fixture.room()
        for action in ["uploadItem", "startAuction", "placeBid", "endAuction", "setRole", "archiveRoom"] {
            try fixture.call("GET", "/permissions?action=\(action)&explain=true&amount=500", by: fixture.host)
        }
        try fixture.call("GET", "/permissions", by: fixture.owner)
        let after = try fixture.room()
        #expect(after.bodyText == before.bodyText)
        #expect(after.header("ETag") == before.header("ETag"))
    }

    @Test func `a permission query with invalid parameters is refused`() throws {
        let fixture = try RoomFixture()
        for (query, field) in [
            ("action=fly", "action"), ("action=placeBid&amount=1e3", "amount"), ("action=placeBid&round=0", "round"),
            ("action=setRole&target=me", "target"), ("explain=yes", "explain"), ("who=me", "who"),
            ("action=placeBid&maximum=x", "maximum"), ("action=placeBid&amount=2&maximum=1", "maximum"),
            ("action=retractBid&bid=last", "bid"),
        ] {
            let response = try fixture.call("GET", "/permissions?\(query)", by: fixture.bidder)
            #expect(response.status == 400, "\(query)")
            #expect(response.text("field") == field, "\(query)")
        }
        #expect(try fixture.call("GET", "/permissions").code == "token.missing")
    }
}
