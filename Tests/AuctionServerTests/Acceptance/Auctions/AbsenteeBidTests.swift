import ExactJSON
import Testing

/// Bids that are left on lots before their turn: by HTTP, as their bidder sees them and as others do.
struct AbsenteeBidTests {
    private struct Sale {
        let fixture: RoomFixture
        let lots: [String]

        init(_ names: String...) throws {
            fixture = try RoomFixture()
            var ids: [String] = []
            for name in names {
                let lot: JSONValue = ["name": .string(name), "rules": ["startingPrice": "100", "listingSeconds": 3]]
                ids.append(try #require(try fixture.call("POST", "/lots", lot, by: fixture.owner).text("id")))
            }
            lots = ids
        }

        func leave(_ maximum: JSONValue, on lot: Int = 0, by guest: Guest? = nil) throws -> HTTPResponse {
            try fixture.call("PUT", "/lots/\(lots[lot])/bid", ["maximum": maximum], by: guest ?? fixture.bidder)
        }

        func left(on lot: Int = 0, by guest: Guest? = nil) throws -> HTTPResponse {
            try fixture.call("GET", "/lots/\(lots[lot])/bid", by: guest ?? fixture.bidder)
        }

        func withdraw(_ lot: Int = 0, by guest: Guest? = nil) throws -> HTTPResponse {
            try fixture.call("DELETE", "/lots/\(lots[lot])/bid", by: guest ?? fixture.bidder)
        }

        func lot(_ index: Int = 0, as guest: Guest?) throws -> HTTPResponse {
            try fixture.call("GET", "/lots/\(lots[index])", by: guest)
        }
    }

    @Test func `a bid is left, changed, read and taken back, each with its status`() throws {
        let sale = try Sale("Vase")
        let left = try sale.leave("120")
        #expect(left.status == 201)
        #expect(left.text("lotId") == sale.lots[0])
        #expect(left.text("maximum") == "120.00")
        #expect(left.text("state") == "standing")
        #expect(left.isNull("cause") && left.isNull("problem"))
        #expect(left.int("receipt.seq") == (try sale.fixture.seq()))
        let again = try sale.leave("120.00")
        #expect(again.status == 200)
        #expect(again.text("bidId") == left.text("bidId"), "the same keeps its place")
        let changed = try sale.leave("130")
        #expect(changed.status == 200)
        #expect(changed.text("bidId") != left.text("bidId"))
        #expect(try sale.left().text("maximum") == "130.00")
        #expect(try sale.left().json.at("receipt") == nil)
        #expect(try sale.withdraw().status == 204)
        #expect(try sale.left().code == "absentee.not_found")
        #expect(try sale.withdraw().code == "absentee.not_found")
        #expect(try sale.left(by: sale.fixture.rival).status == 404)
    }

    @Test func `others see how many bids were left, and only their bidder sees how high`() throws {
        let sale = try Sale("Vase")
        let (fixture, rival) = (sale.fixture, sale.fixture.rival)
        _ = try sale.leave("120")
        _ = try sale.leave("777", by: rival)
        for guest in [fixture.host, fixture.owner, fixture.viewer] {
            let lot = try sale.lot(as: guest)
            #expect(lot.int("absenteeBids") == 2)
            #expect(lot.isNull("myBid"))
        }
        let mine = try sale.lot(as: rival)
        #expect(mine.int("absenteeBids") == 2)
        #expect(mine.text("myBid.maximum") == "777.00")
        let anonymous = try sale.lot(as: nil)
        #expect(anonymous.int("absenteeBids") == 2 && anonymous.json.at("myBid") == nil)
        _ = try sale.withdraw(by: rival)
        let events = try fixture.events().filter { $0.text("type") == "lot.bidsChanged" }
        #expect(events.map { $0.int("data.absenteeBids") } == [1, 2, 1])
        for event in events { #expect(event.at("data")?.members?.map(\.name) == ["lotId", "absenteeBids"]) }
        let told = try fixture.call("GET", "/events?after=0&limit=256", by: fixture.host)
        #expect(!String(decoding: told.body, as: UTF8.self).contains("777"))
    }

    @Test func `the lots with a bid of the caller are listed in order, page by page`() throws {
        let sale = try Sale("Vase", "Bowl", "Cup", "Jug")
        let fixture = sale.fixture
        for lot in [3, 0, 2] { _ = try sale.leave("120", on: lot) }
        _ = try sale.leave("120", on: 1, by: fixture.rival)
        func names(_ query: String, by guest: Guest? = nil) throws -> ([String?], cursor: String?) {
            let page = try fixture.call("GET", "/lots?\(query)", by: guest)
            return (page.list("lots").map { $0.text("item.name") }, page.text("nextCursor"))
        }
        #expect(try names("bids=mine", by: fixture.bidder).0 == ["Vase", "Cup", "Jug"])
        #expect(try names("bids=mine&state=sold", by: fixture.bidder).0 == [])
        #expect(try names("bids=mine", by: fixture.rival).0 == ["Bowl"])
        #expect(try names("bids=mine").0 == [], "none without a token")
        let first = try names("bids=mine&limit=2", by: fixture.bidder)
        #expect(first.0 == ["Vase", "Cup"])
        let cursor = try #require(first.cursor)
        #expect(try names("bids=mine&limit=2&cursor=\(cursor)", by: fixture.bidder).0 == ["Jug"])
        let wrong = try fixture.call("GET", "/lots?bids=all", by: fixture.bidder)
        #expect(wrong.status == 400 && wrong.text("field") == "bids")
    }

    @Test func `every refusal has its code, and a receipt says when it came`() throws {
        let sale = try Sale("Vase")
        let fixture = sale.fixture
        let low = try sale.leave("99.99")
        #expect(low.status == 422 && low.code == "absentee.below_start")
        #expect(low.text("permission.required") == "100.00")
        #expect(low.text("receivedAt") != nil)
        #expect(try sale.leave("120", by: fixture.viewer).code == "absentee.not_bidder")
        #expect(try sale.leave("120", by: fixture.owner).code == "absentee.own_lot")
        #expect(try sale.leave("120", by: fixture.stranger).code == "absentee.not_member")
        let none = "lot_00000000000000000000000000"
        #expect(try fixture.call("PUT", "/lots/\(none)/bid", ["maximum": "1"], by: fixture.bidder).code == "lot.not_found")
        let bodies: [(JSONValue, String)] = [
            ([:], "maximum"), (["maximum": "1.001"], "maximum"), (["maximum": "120", "amount": "110"], "amount"),
        ]
        for (body, field) in bodies {
            let response = try fixture.call("PUT", "/lots/\(sale.lots[0])/bid", body, by: fixture.bidder)
            #expect(response.status == 400 && response.text("field") == field, "\(body)")
        }
        let limit: JSONValue = ["creditLimit": "150"]
        #expect(try fixture.call("PATCH", "/members/\(fixture.bidder.id)", limit, by: fixture.host).status == 200)
        #expect(try sale.leave("150.01").code == "absentee.over_credit")
        #expect(try sale.leave("150").status == 201)
    }

    @Test func `the bid says why it would not act, or what it has become`() throws {
        let sale = try Sale("Vase", "Bowl")
        let fixture = sale.fixture
        _ = try sale.leave("120")
        _ = try sale.leave("120", on: 1)
        let dearer: JSONValue = ["rules": ["startingPrice": "200"]]
        #expect(try fixture.call("PATCH", "/lots/\(sale.lots[0])", dearer, by: fixture.owner).status == 200)
        #expect(try sale.left().text("problem") == "absentee.below_start")
        #expect(try sale.left(on: 1).isNull("problem"))
        #expect(try fixture.call("DELETE", "/lots/\(sale.lots[0])", by: fixture.owner).status == 200)
        let void = try sale.lot(as: fixture.bidder)
        #expect(void.text("myBid.state") == "void" && void.text("myBid.cause") == "lotWithdrawn")
        #expect(void.isNull("myBid.problem"))
        #expect(void.int("absenteeBids") == 1, "a count that fell would say whose it was")
        try fixture.start()
        #expect(try sale.left(on: 1).text("state") == "standing")
        try fixture.start()
        #expect(try sale.withdraw(1).code == "absentee.used")
        #expect(try sale.leave("300", on: 1).code == "absentee.not_queued")
    }

    @Test func `a bid is void when the format of its lot changes, and says so`() throws {
        let sale = try Sale("Vase")
        _ = try sale.leave("120")
        let sealed: JSONValue = ["rules": ["format": "vickrey"]]
        #expect(try sale.fixture.call("PATCH", "/lots/\(sale.lots[0])", sealed, by: sale.fixture.owner).status == 200)
        let void = try sale.left()
        #expect(void.text("state") == "void" && void.text("cause") == "formatChanged" && void.isNull("problem"))
        #expect(try sale.leave("120").status == 201)
        #expect(try sale.left().text("state") == "standing")
    }

    @Test func `a repeat under the same key is one bid`() throws {
        let sale = try Sale("Vase")
        let fixture = sale.fixture
        func put(_ maximum: JSONValue) throws -> HTTPResponse {
            try fixture.call(
                "PUT", "/lots/\(sale.lots[0])/bid", ["maximum": maximum], by: fixture.bidder, [("Idempotency-Key", "left-1")])
        }
        let first = try put("120")
        let again = try put("120")
        #expect(first.status == 201 && again.status == 201)
        #expect(first.body == again.body)
        #expect(try put("130").code == "idempotency.key_reused")
    }

    @Test func `permissions explain why a bid cannot be left`() throws {
        let sale = try Sale("Vase")
        let path = "/permissions?action=placeAbsenteeBid&lot=\(sale.lots[0])&maximum=50&explain=true"
        let response = try sale.fixture.call("GET", path, by: sale.fixture.bidder)
        #expect(response.text("denial.rule") == "absentee.below_start")
    }
}
