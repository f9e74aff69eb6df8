import AuctionDomain
import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

/// Whom a user does not want to see.
struct BlockTests {
    private let log = InMemoryEventLog()
    private let server: TestServer
    private let ann: Guest
    private let bo: Guest

    init() throws {
        server = try TestServer(log: log)
        (ann, bo) = (try server.guest("Ann"), try server.guest("Bo"))
    }

    private func block(_ user: String, by guest: Guest) throws -> HTTPResponse {
        try server.call("POST", "/v1/me/blocks", ["userId": .string(user)], by: guest)
    }

    private func list(_ query: String = "", by guest: Guest) throws -> HTTPResponse {
        try server.call("GET", "/v1/me/blocks\(query)", by: guest)
    }

    @Test func `a user blocks another, reads the list, and ends the block`() throws {
        let first = try block(bo.id, by: ann)
        #expect(first.status == 201)
        #expect(first.text("userId") == bo.id && first.text("blockedAt") == server.clock.text)
        server.clock.advance(seconds: 5)
        let again = try block(bo.id, by: ann)
        #expect(again.status == 200 && again.text("blockedAt") == first.text("blockedAt"))
        #expect(try list(by: ann).list("blocks").map { $0.text("userId") } == [bo.id])
        #expect(try list(by: bo).list("blocks").isEmpty, "who is blocked is not told")
        #expect(try server.call("DELETE", "/v1/me/blocks/\(bo.id)", by: ann).status == 204)
        #expect(try list(by: ann).list("blocks").isEmpty)
        for user in [bo.id, "user_00000000000000000000000000", "x"] {
            let gone = try server.call("DELETE", "/v1/me/blocks/\(user)", by: ann)
            #expect(gone.status == 404 && gone.code == "block.not_found")
        }
    }

    @Test func `the list has pages, oldest user id first`() throws {
        let others = try (0..<5).map { try server.guest("Guest \($0)").id }.sorted()
        for user in others.reversed() { _ = try block(user, by: ann) }
        let first = try list("?limit=3", by: ann)
        #expect(first.text("nextCursor") == others[2])
        let second = try list("?limit=3&cursor=\(others[2])", by: ann)
        #expect(second.isNull("nextCursor"))
        #expect((first.list("blocks") + second.list("blocks")).compactMap { $0.text("userId") } == others)
        #expect(try list("?cursor=x", by: ann).status == 400)
    }

    @Test func `a malformed body is refused, and so is oneself`() throws {
        for user in ["bo", "", ann.id] {
            let refused = try block(user, by: ann)
            #expect(refused.status == 400 && refused.text("field") == "userId", "\(user)")
        }
        for floor in ["user_floor", "user_00000000000000000000000000"] {
            let refused = try block(floor, by: ann)
            #expect(refused.status == 400 && refused.text("field") == "userId", "\(floor)")
            if floor == "user_floor" {
                #expect(refused.text("detail")?.contains("everybody in the hall") == true, "\(refused.bodyText)")
            }
        }
        #expect(try list(by: ann).list("blocks").isEmpty)
        #expect(try server.call("POST", "/v1/me/blocks", ["user": "x"], by: ann).status == 400)
        #expect(try server.call("POST", "/v1/me/blocks", ["userId": .string(bo.id)]).code == "token.missing")
    }

    @Test func `a user blocks a bounded number of others`() throws {
        let (user, now) = (try #require(UserID(ann.id)), server.clock.now().wall)
        try log.restore(
            (1...UserBlock.limit).map { UserBlock(user: user, blocked: UserID(bits: UInt128($0)), at: now) })
        let kept = UserID(bits: 7).description
        #expect(try block(kept, by: ann).status == 200, "a repeat adds none")
        let refused = try block(bo.id, by: ann)
        #expect(refused.status == 429 && refused.code == "block.too_many" && refused.header("Retry-After") != nil)
        #expect(try list("?limit=1000", by: ann).list("blocks").count == UserBlock.limit)
        #expect(try list("?limit=1001", by: ann).status == 400 && list("?limit=0", by: ann).status == 400)
    }

    @Test func `blocks count against what one address may make the log keep`() throws {
        let server = try TestServer { $0.limits.textBytesPerAddress = 20_000 }
        let guests = try (0..<40).map { try server.guest("Guest \($0)") }
        func block(_ number: Int, by guest: Int) throws -> HTTPResponse {
            try server.call("POST", "/v1/me/blocks", ["userId": .string(guests[number].id)], by: guests[guest])
        }
        var begun = 0
        while begun < 39, try block(begun + 1, by: begun).status == 201 { begun += 1 }
        #expect((25...30).contains(begun), "\(begun) of some 690 bytes")
        let refused = try block(0, by: 39)
        #expect(refused.status == 429 && refused.code == "address.storage_full" && refused.header("Retry-After") != nil)
        let path = "/v1/me/blocks/\(guests[1].id)"
        #expect(try server.call("DELETE", path, by: guests[0]).status == 204, "what ends a block is taken")
    }
}
