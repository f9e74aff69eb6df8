import AuctionDomain
import ExactJSON
import Testing

/// Applications of bidders by HTTP: made by joining, decided by the host.
struct ApplicationTests {
    private let asBidder: JSONValue = ["role": "bidder"]

    /// A room whose host approves bidders.
    private func approving() throws -> RoomFixture {
        let fixture = try RoomFixture()
        try fixture.call("PATCH", "/permission-rules/bid.not_approved", ["enabled": true], by: fixture.host)
        return fixture
    }

    @discardableResult
    private func decide(
        _ decision: String, _ guest: Guest, _ body: JSONValue? = nil, by host: Guest? = nil, in fixture: RoomFixture
    ) throws -> HTTPResponse {
        try fixture.call("POST", "/applications/\(guest.id)/\(decision)", body, by: host ?? fixture.host)
    }

    @Test func `a newcomer applies, the host reads and approves it, and the newcomer bids`() throws {
        let fixture = try approving()
        #expect(try fixture.room(as: fixture.host).int("applications") == 0)
        let joined = try fixture.call("POST", "/members", asBidder, by: fixture.stranger)
        #expect(joined.status == 201 && joined.text("role") == "viewer" && joined.text("application.state") == "open")
        let at = joined.text("application.at")
        fixture.server.clock.advance(seconds: 5)
        let again = try fixture.call("POST", "/members", asBidder, by: fixture.stranger)
        #expect(again.status == 200 && again["application"] == joined["application"])
        let own = try fixture.room(as: fixture.stranger)
        #expect(own["me.application"] == joined["application"] && own["applications"] == nil)
        #expect(try fixture.room(as: fixture.host).int("applications") == 1)
        let list = try fixture.call("GET", "/applications", by: fixture.host)
        #expect(list.list("applications").map { $0["applicant"] } == [fixture.stranger.person])
        #expect(list.text("applications.0.at") == at && list.isNull("applications.0.reason") && list.isNull("nextCursor"))
        let approved = try decide("approve", fixture.stranger, ["creditLimit": "500"], in: fixture)
        #expect(approved.status == 200 && approved.text("role") == "bidder" && approved.text("creditLimit") == "500.00")
        #expect(approved["application"] == nil)
        #expect(try fixture.room(as: fixture.stranger).isNull("me.application"))
        #expect(try fixture.room(as: fixture.host).int("applications") == 0)
        try fixture.openBidding()
        #expect(try fixture.bid("100", by: fixture.stranger).status == 201)
        let refused = try fixture.bid("110", by: fixture.bidder)
        #expect(refused.status == 403 && refused.code == "bid.not_approved")
        #expect(try fixture.room(as: fixture.bidder)["allowedActions"]?.elements?.contains("placeBid") == false)
    }

    @Test func `an applicant's bid and its explanation say that the host has to approve them`() throws {
        let fixture = try approving()
        try fixture.call("POST", "/members", asBidder, by: fixture.stranger)
        try fixture.openBidding()
        let refused = try fixture.bid("100", by: fixture.stranger)
        #expect(refused.status == 403 && refused.code == "bid.not_approved")
        #expect(refused.text("permission.actual") == "viewer")
        let explained = try fixture.call("GET", "/permissions?action=placeBid&amount=100", by: fixture.stranger)
        #expect(explained["allowed"] == false && explained.text("denial.rule") == "bid.not_approved")
        #expect(try fixture.room(as: fixture.stranger)["allowedActions"]?.elements?.contains("placeBid") == false)
    }

    @Test func `a declined applicant reads the reason, and only the host does besides`() throws {
        let fixture = try approving()
        try fixture.call("POST", "/members", asBidder, by: fixture.viewer)
        let declined = try decide("decline", fixture.viewer, ["reason": "Please register."], in: fixture)
        #expect(declined.status == 200 && declined.text("state") == "declined" && declined.text("reason") == "Please register.")
        #expect(try decide("decline", fixture.viewer, ["reason": "No."], in: fixture).json == declined.json)
        let own = try fixture.room(as: fixture.viewer)
        #expect(own.text("me.application.state") == "declined" && own.text("me.application.reason") == "Please register.")
        let again = try fixture.call("POST", "/members", asBidder, by: fixture.viewer)
        #expect(again.status == 403 && again.code == "application.declined")
        let stays = try fixture.call("POST", "/members", ["role": "viewer"], by: fixture.viewer)
        #expect(stays.status == 200 && stays.text("application.reason") == "Please register.")
        #expect(try fixture.call("GET", "/applications", by: fixture.host).list("applications").isEmpty)
        let list = try fixture.call("GET", "/applications?state=declined", by: fixture.host)
        #expect(list.list("applications").map { $0["applicant"] } == [fixture.viewer.person])
        #expect(list.text("applications.0.reason") == "Please register.")
        let events = try fixture.events().suffix(2)
        #expect(events.map { $0.text("type") } == ["application.made", "application.declined"])
        #expect(events.map { $0["data"] } == [[:], ["by": fixture.host.person]])
        for guest in [fixture.bidder, fixture.owner, fixture.host] {
            for path in ["", "/members", "/events?after=0&limit=256"] {
                #expect(!(try fixture.call("GET", path, by: guest).bodyText.contains("Please register.")))
            }
        }
        let approved = try decide("approve", fixture.viewer, in: fixture)
        #expect(approved.status == 200 && approved.text("role") == "bidder" && approved.isNull("creditLimit"))
    }

    @Test func `while the host approves no bidders no user is shown their application`() throws {
        let fixture = try approving()
        let rule = "/permission-rules/bid.not_approved"
        for guest in [fixture.viewer, fixture.stranger] { try fixture.call("POST", "/members", asBidder, by: guest) }
        try decide("decline", fixture.stranger, in: fixture)
        try fixture.call("PATCH", rule, ["enabled": false], by: fixture.host)
        for guest in [fixture.viewer, fixture.stranger] {
            #expect(try fixture.room(as: guest).isNull("me.application"))
        }
        try fixture.call("PATCH", rule, ["enabled": true], by: fixture.host)
        #expect(try fixture.room(as: fixture.viewer).text("me.application.state") == "open")
        #expect(try fixture.room(as: fixture.stranger).text("me.application.state") == "declined")
    }

    @Test func `the list has pages, oldest first`() throws {
        let fixture = try approving()
        let guests = [fixture.viewer, fixture.stranger, fixture.bidder, fixture.rival]
        for guest in guests { try fixture.call("POST", "/members", asBidder, by: guest) }
        var (people, cursor): ([JSONValue?], String?) = ([], "")
        while let next = cursor {
            let tail = next.isEmpty ? "" : "&cursor=\(next)"
            let page = try fixture.call("GET", "/applications?state=open&limit=3\(tail)", by: fixture.host)
            people += page.list("applications").map { $0["applicant"] }
            cursor = page.text("nextCursor")
        }
        #expect(people == guests.map(\.person))
    }

    @Test func `every refusal has its code`() throws {
        let fixture = try approving()
        try fixture.call("POST", "/members", asBidder, by: fixture.viewer)
        for guest in [fixture.owner, fixture.viewer, fixture.stranger] {
            #expect(try fixture.call("GET", "/applications", by: guest).code == "application.not_host")
            for decision in ["approve", "decline"] {
                #expect(try decide(decision, fixture.viewer, by: guest, in: fixture).code == "application.not_host")
            }
        }
        #expect(try fixture.call("GET", "/applications").code == "token.missing")
        for decision in ["approve", "decline"] {
            #expect(try decide(decision, fixture.stranger, in: fixture).code == "application.not_found")
            #expect(try fixture.call("POST", "/applications/me/\(decision)", by: fixture.host).code == "application.not_found")
            #expect(try decide(decision, fixture.viewer, ["text": "x"], in: fixture).code == "request.unknown_field")
        }
        #expect(try decide("approve", fixture.viewer, ["creditLimit": "-1"], in: fixture).code == "money.malformed")
        for reason: JSONValue in ["", 5, .string(String(repeating: "x", count: 501))] {
            #expect(try decide("decline", fixture.viewer, ["reason": reason], in: fixture).text("field") == "reason")
        }
        for (query, field) in [("state=done", "state"), ("limit=0", "limit"), ("cursor=x", "cursor"), ("who=me", "who")] {
            #expect(try fixture.call("GET", "/applications?\(query)", by: fixture.host).text("field") == field)
        }
        try decide("decline", fixture.viewer, in: fixture)
        try fixture.call("DELETE", "/members/me", by: fixture.viewer)
        #expect(try decide("approve", fixture.viewer, in: fixture).code == "member.not_found")
    }

    @Test func `a room takes a bounded number of applications`() throws {
        let fixture = try approving()
        for _ in 0..<RoomApplications.openLimit {
            try #require(try fixture.call("POST", "/members", asBidder, by: fixture.server.guest("Gus")).status == 201)
        }
        let refused = try fixture.call("POST", "/members", asBidder, by: fixture.stranger)
        #expect(refused.status == 409 && refused.code == "application.too_many" && refused.text("required") == "500")
        #expect(try fixture.call("GET", "/applications?limit=100", by: fixture.host).list("applications").count == 100)
    }
}
