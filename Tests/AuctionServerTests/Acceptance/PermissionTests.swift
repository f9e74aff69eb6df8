import ExactJSON
import Testing

struct PermissionTests {
    @Test func `the matrix agrees with the room about every action and everybody`() throws {
        let scene = try Scene()
        func check() throws {
            for guest in [scene.host, scene.owner, scene.bidder, scene.rival, scene.viewer, scene.stranger] {
                let matrix = try scene.call("GET", "/permissions", by: guest)
                let room = try scene.room(as: guest)
                let allowed = matrix.list("permissions").filter { $0.at("allowed") == true }.compactMap { $0.text("action") }
                #expect(allowed == room.texts("allowedActions"))
                #expect(matrix["role"] == room["me.role"])
                for decision in matrix.list("permissions") {
                    #expect((decision.at("denial") == .null) == (decision.at("allowed") == true))
                }
            }
        }
        try check()
        try scene.upload()
        try check()
        try scene.start()
        try check()
        try scene.start()
        try scene.bid("100", by: scene.bidder)
        try check()
        try scene.call("POST", "/auction/end", by: scene.host)
        try check()
    }

    @Test func `a dry run says what the bid would be told`() throws {
        let scene = try Scene()
        try scene.openBidding()
        try scene.bid("100", by: scene.bidder)
        for (guest, amount) in [
            (scene.rival, "105"), (scene.rival, "110"), (scene.bidder, "200"), (scene.viewer, "1"), (scene.host, "1"),
        ] {
            let asked = try scene.call("GET", "/permissions?action=placeBid&amount=\(amount)&round=1", by: guest)
            #expect(asked["trace"] == nil)
            guard asked["allowed"] == false else { continue }
            let told = try scene.bid(.string(amount), by: guest)
            #expect(asked.text("denial.rule") == told.code)
            #expect(asked["denial.required"] == told["permission.required"])
            #expect(asked["denial.actual"] == told["permission.actual"])
            #expect(asked.text("denial.detail") == told.text("detail"))
            #expect(asked["denial.category"] == told["permission.category"])
            #expect(asked["denial.priority"] == told["permission.priority"])
        }
        #expect(try scene.call("GET", "/permissions?action=placeBid&amount=110", by: scene.rival)["allowed"] == true)
        let target = try scene.call("GET", "/permissions?action=setRole&target=\(scene.host.id)", by: scene.host)
        #expect(target.text("denial.rule") == "role.themself")
    }

    @Test func `explaining lists every rule in order with its verdict, for what is allowed too`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let rules = try scene.call("GET", "/permission-rules").list("rules").filter { $0.text("action") == "placeBid" }
        let allowed = try scene.call("GET", "/permissions?action=placeBid&amount=100&explain=true", by: scene.bidder)
        #expect(allowed["allowed"] == true)
        #expect(allowed.list("trace").compactMap { $0.text("rule") } == rules.compactMap { $0.text("id") })
        let optional: Set = ["bid.invited_only", "bid.new_member"]
        for entry in allowed.list("trace") {
            let isOptional = optional.contains(entry.text("rule") ?? "")
            #expect(entry.text("verdict") == (isOptional ? "disabled" : "passed"))
        }
        let denied = try scene.call("GET", "/permissions?action=placeBid&amount=1&explain=true", by: scene.viewer)
        let verdicts = denied.list("trace").filter { $0.text("verdict") == "denied" }.compactMap { $0.text("rule") }
        #expect(verdicts == ["bid.viewer", "bid.below_minimum"])
        #expect(denied.text("denial.rule") == verdicts.first)
        let priorities = denied.list("trace").compactMap { $0.int("priority") }
        #expect(priorities == priorities.sorted(by: >))
    }

    @Test func `the rules are those of the product`() throws {
        let rules = try Scene().call("GET", "/permission-rules").list("rules")
        func ids(_ action: String) -> [String] {
            rules.filter { $0.text("action") == action }.compactMap { $0.text("id") }
        }
        #expect(
            ids("placeBid") == [
                "bid.not_auctioning", "bid.wrong_round", "bid.not_member", "bid.banned", "bid.viewer", "bid.host",
                "bid.own_item", "bid.already_leading", "bid.invited_only", "bid.new_member", "bid.below_minimum",
                "bid.over_credit",
            ])
        #expect(ids("uploadItem") == ["item.not_preparing", "item.banned", "item.not_auctioneer", "item.taken"])
        let optional = rules.filter { $0.at("permanent") == false }.compactMap { $0.text("id") }
        #expect(Set(optional) == ["bid.viewer", "bid.host", "bid.invited_only", "bid.new_member"])
        let off = rules.filter { $0.at("enabled") == false }.compactMap { $0.text("id") }
        #expect(off == ["bid.invited_only", "bid.new_member"])
    }

    @Test func `asking changes nothing, and starts nothing`() throws {
        let scene = try Scene()
        try scene.upload()
        let before = try scene.room()
        for action in ["uploadItem", "startAuction", "placeBid", "endAuction", "setRole", "archiveRoom"] {
            try scene.call("GET", "/permissions?action=\(action)&explain=true&amount=500", by: scene.host)
        }
        try scene.call("GET", "/permissions", by: scene.owner)
        let after = try scene.room()
        #expect(after.bodyText == before.bodyText)
        #expect(after.header("ETag") == before.header("ETag"))
    }

    @Test func `a question that cannot be understood is refused`() throws {
        let scene = try Scene()
        for (query, field) in [
            ("action=fly", "action"), ("action=placeBid&amount=1e3", "amount"), ("action=placeBid&round=0", "round"),
            ("action=setRole&target=me", "target"), ("explain=yes", "explain"), ("who=me", "who"),
            ("action=placeBid&maximum=x", "maximum"), ("action=placeBid&amount=2&maximum=1", "maximum"),
            ("action=retractBid&bid=last", "bid"),
        ] {
            let answer = try scene.call("GET", "/permissions?\(query)", by: scene.bidder)
            #expect(answer.status == 400, "\(query)")
            #expect(answer.text("field") == field, "\(query)")
        }
        #expect(try scene.call("GET", "/permissions").code == "token.missing")
    }
}
