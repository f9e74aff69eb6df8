import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
import Logging
import Synchronization
import Testing

@testable import AuctionServer

struct ServiceTokenTests {
    @Test func `without a token of the operator's, and for everybody else, the paths do not exist`() throws {
        let (with, without) = (try OperatorFixture(), try TestServer())
        let guest = try with.server.guest("Ann")
        for path in ["/v1/feed", "/v1/admin/tokens", "/v1/admin/audit"] {
            for headers in [
                [], OperatorFixture.bearer(guest.token), OperatorFixture.bearer("svc_" + String(repeating: "0", count: 64)),
            ] {
                let response = try with.server.call("GET", path, nil, by: nil, headers)
                #expect(response.status == 404 && response.code == "route.not_found", "\(path)")
            }
            let off = try without.call("GET", path, nil, by: nil, OperatorFixture.bearer(OperatorFixture.adminToken))
            #expect(off.status == 404 && off.code == "route.not_found")
            #expect(try with.server.call("PUT", path, ["a": 1], by: guest).status == 404)
        }
        // A path without GET, and one with a parameter, are not given away by their methods either.
        for path in ["/v1/admin/users/tokens", "/v1/admin/tokens/token_1"] {
            for method in ["GET", "PATCH"] { #expect(try with.server.call(method, path, nil, by: guest).status == 404) }
            let known = try with.call("GET", path)
            #expect(known.status == 405, "the operator receives the methods")
        }
    }

    @Test func `a token has the scopes that it was made with, and is shown once`() throws {
        let fixture = try OperatorFixture()
        let token = try fixture.token("feed:read")
        #expect(try fixture.call("GET", "/v1/feed", token: token.text).status == 200)
        let refused = try fixture.call("GET", "/v1/admin/tokens", token: token.text)
        #expect(refused.status == 403 && refused.code == "scope.missing")
        #expect(refused.text("detail")?.contains("\"admin\"") == true)
        let list = try fixture.call("GET", "/v1/admin/tokens")
        #expect(list.text("tokens.0.id") == token.id && list.text("tokens.0.name") == "Backend")
        #expect(list.list("tokens").count == 1 && !list.bodyText.contains(token.text))
        let used = try #require(list.text("tokens.0.lastUsedAt"))
        #expect(used.hasSuffix(":00.000Z"))
    }

    @Test func `a revoked token, and one that has expired, is unknown at once`() throws {
        let fixture = try OperatorFixture()
        let token = try fixture.token("feed:read")
        #expect(try fixture.call("DELETE", "/v1/admin/tokens/\(token.id)").status == 204)
        #expect(try fixture.call("GET", "/v1/feed", token: token.text).status == 404)
        let again = try fixture.call("DELETE", "/v1/admin/tokens/\(token.id)")
        #expect(again.status == 404 && again.code == "token.not_found")
        let short = try fixture.call(
            "POST", "/v1/admin/tokens",
            ["name": "Short", "scopes": ["feed:read"], "expiresAt": .string(fixture.server.clock.text(in: 60))])
        let text = try #require(short.text("token"))
        #expect(try fixture.call("GET", "/v1/feed", token: text).status == 200)
        fixture.server.clock.advance(milliseconds: 60_000)
        #expect(try fixture.call("GET", "/v1/feed", token: text).status == 404)
    }

    @Test func `a token that another node has revoked is unknown here within five seconds`() throws {
        let log = InMemoryEventLog()
        let fixture = try OperatorFixture(log: log, systemClock: true)
        let token = try fixture.token("feed:read")
        #expect(try log.write([.delete("token", token.id)]))
        try eventually(within: 5, "the token is unknown") {
            try fixture.call("GET", "/v1/feed", token: token.text).status == 404
        }
    }

    @Test func `what is wrong with a new token is said`() throws {
        let fixture = try OperatorFixture()
        let wrong: [(JSONValue, String)] = [
            (["name": "x", "scopes": ["feed:write"]], "scopes"), (["name": "x", "scopes": []], "scopes"),
            (["name": "", "scopes": ["admin"]], "name"),
            (["name": "x", "scopes": ["admin"], "expiresAt": "soon"], "expiresAt"),
            (["name": "x", "scopes": ["admin"], "expiresAt": "2001-01-01T00:00:00Z"], "expiresAt"),
        ]
        for (body, field) in wrong {
            let response = try fixture.call("POST", "/v1/admin/tokens", body)
            #expect(response.status == 400 && response.text("field") == field, "\(response.bodyText)")
        }
        #expect(try fixture.call("GET", "/v1/admin/tokens").list("tokens").isEmpty)
    }

    @Test func `there is a bounded number of tokens, beyond which the operator is refused`() throws {
        let log = InMemoryEventLog()
        for start in stride(from: 0, to: ServiceToken.limit, by: 50) {
            let changes = (start..<start + 50).map { number in
                let token = ServiceToken(
                    id: "token_\(number)", name: "x", scopes: [], createdAt: Timestamp(milliseconds: 0), expiresAt: nil,
                    digest: "\(number)")
                return RecordChange.put(ServiceToken.recordKind, token.id, token.recordContent)
            }
            #expect(try log.write(changes))
        }
        let fixture = try OperatorFixture(log: log)
        let refused = try fixture.call("POST", "/v1/admin/tokens", ["name": "One more", "scopes": ["admin"]])
        #expect(refused.status == 429 && refused.code == "token.too_many")
        #expect(try fixture.call("DELETE", "/v1/admin/tokens/token_7").status == 204)
        #expect(try fixture.call("POST", "/v1/admin/tokens", ["name": "One more", "scopes": ["admin"]]).status == 201)
    }

    @Test func `of two tokens that are created at the same time one is refused if only one more may be`() throws {
        /// Another node creates one just before the first writing.
        final class RacingLog: ForwardingEventLog {
            let forwarded: any EventLog = InMemoryEventLog()
            private let isArmed = Mutex(false)

            func arm() { isArmed.withLock { $0 = true } }

            func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
                let isFirst = isArmed.withLock { isArmed in
                    defer { isArmed = false }
                    return isArmed && changes.contains { $0.kind == ServiceToken.recordKind }
                }
                if isFirst {
                    let others = changes.filter { $0.kind.hasPrefix("token") }.map { change in
                        let id = change.kind == ServiceToken.recordKind ? "token_other" : change.id
                        return RecordChange.put(change.kind, id, change.content ?? [], if: change.expected)
                    }
                    guard try forwarded.write(others) else { return false }
                }
                return try forwarded.write(changes)
            }
        }
        for free in [1, 2] {
            let log = RacingLog()
            for number in 0..<ServiceToken.limit - free {
                let token = ServiceToken(
                    id: "token_\(number)", name: "x", scopes: [], createdAt: Timestamp(milliseconds: 0), expiresAt: nil,
                    digest: "\(number)")
                #expect(try log.write([.put(ServiceToken.recordKind, token.id, token.recordContent)]))
            }
            let fixture = try OperatorFixture(log: log)
            log.arm()
            let response = try fixture.call("POST", "/v1/admin/tokens", ["name": "One more", "scopes": ["admin"]])
            #expect(response.status == (free == 1 ? 429 : 201))
            #expect(try log.records(RecordQuery(kind: ServiceToken.recordKind, limit: 2000)).count == ServiceToken.limit)
        }
    }

    @Test func `a reading of the tokens that began before a revocation does not undo it`() throws {
        /// Something happens once between a reading of the log and what is made of it.
        final class LateLog: ForwardingEventLog {
            let forwarded: any EventLog = InMemoryEventLog()
            let afterReading = Mutex<(@Sendable () -> Void)?>(nil)

            func records(_ query: RecordQuery) throws(EventLogError) -> [StoredRecord] {
                let found = try forwarded.records(query)
                let hook = afterReading.withLock { hook in
                    defer { hook = nil }
                    return hook
                }
                hook?()
                return found
            }
        }
        let (log, now) = (LateLog(), Timestamp(milliseconds: 0))
        let tokens = ServiceTokens(log: log, fileToken: OperatorFixture.adminToken, at: now)
        let token = ServiceToken(
            id: "token_1", name: "x", scopes: [], createdAt: now, expiresAt: nil, digest: ServiceToken.digest(of: "svc_1")
        )
        #expect(try tokens.write([.put(ServiceToken.recordKind, token.id, token.recordContent)]))
        #expect(tokens.token("svc_1", at: now)?.id == token.id)
        log.afterReading.withLock { hook in
            hook = { _ = try? tokens.write([.delete(ServiceToken.recordKind, token.id)]) }
        }
        #expect(try tokens.write([]))
        #expect(tokens.token("svc_1", at: now) == nil && !tokens.accepts(token, at: now))
    }

    @Test func `the audit has the first sign-in of a user by a token, and the next one a day later`() throws {
        let fixture = try OperatorFixture()
        let (shop, desk) = (try fixture.token("users:sign-in"), try fixture.token("users:sign-in"))
        func signIn(_ subject: String, _ token: (id: String, text: String)) throws -> String {
            fixture.server.clock.advance(milliseconds: 5)
            let body: JSONValue = ["subject": .string(subject), "nickname": "Ann"]
            let response = try fixture.call("POST", "/v1/admin/users/tokens", body, token: token.text)
            #expect(response.status == 201)
            return try #require(response.text("user.id"))
        }
        func entries() throws -> [String] {
            let entries = try fixture.call("GET", "/v1/admin/audit").list("entries")
            return entries.filter { $0.text("action") == "signInUser" }
                .map { "\($0.text("target") ?? "") \($0.text("token.id") ?? "")" }
        }
        let ann = try signIn("c-1", shop)
        for _ in 0..<3 { #expect(try signIn("c-1", shop) == ann) }
        let ben = try signIn("c-2", shop)
        _ = try signIn("c-1", desk)
        let first = ["\(ann) \(desk.id)", "\(ben) \(shop.id)", "\(ann) \(shop.id)"]
        #expect(try entries() == first)
        fixture.server.clock.advance(milliseconds: SignInAudit.pauseMilliseconds - 60_000)
        _ = try signIn("c-1", shop)
        #expect(try entries() == first)
        fixture.server.clock.advance(milliseconds: 60_000)
        for _ in 0..<2 { _ = try signIn("c-1", shop) }
        #expect(try entries() == ["\(ann) \(shop.id)"] + first)
    }

    @Test func `housekeeping deletes expired records, and others stay`() throws {
        let (log, clock) = (InMemoryEventLog(), TestClock())
        let server = try SteppedServer(
            options: ServerOptions(), log: log, secret: TestServer.secret, rulebook: try RoomRulebook.product(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: clock, seeds: { 7 })
        let end = clock.now().wall.advanced(byMilliseconds: 60_000)
        _ = try log.write([.put("audit", "1", [], expiresAt: end), .put("token", "1", [])])
        func ids() throws -> [String] {
            for _ in 0..<60 { server.runHousekeeping() }
            return try log.allRecords(after: nil, limit: 9).map(\.kind)
        }
        #expect(try ids() == ["audit", "token"])
        clock.advance(milliseconds: 60_000)
        #expect(try ids() == ["token"])
    }

    @Test func `a service token is refused where a person acts`() throws {
        let fixture = try OperatorFixture()
        let host = try fixture.server.guest("Hana")
        let room = try fixture.room(by: host)
        let token = try fixture.token("feed:read", "rooms:write")
        for (method, path, body) in [
            ("POST", "/v1/rooms/\(room)/members", ["role": "bidder"]), ("POST", "/v1/rooms/\(room)/messages", ["text": "hi"]),
            ("POST", "/v1/rooms/\(room)/bids", ["amount": "1.00"]),
        ] as [(String, String, JSONValue)] {
            let response = try fixture.call(method, path, body, token: token.text)
            #expect(response.status == 403 && response.code == "token.not_a_person", "\(path)")
        }
    }

    @Test func `the same subject is always the same user, who renews the token`() throws {
        let fixture = try OperatorFixture()
        let token = try fixture.token("users:sign-in")
        func signIn(_ body: JSONValue) throws -> HTTPResponse {
            try fixture.call("POST", "/v1/admin/users/tokens", body, token: token.text)
        }
        let first = try signIn(["subject": "c-1", "nickname": "Ann", "expiresInSeconds": 60])
        #expect(first.status == 201 && first.text("user.nickname") == "Ann")
        let again = try signIn(["subject": "c-1", "nickname": "Anna"])
        #expect(again.text("user.id") == first.text("user.id"))
        #expect(try signIn(["subject": "c-2", "nickname": "Ann"]).text("user.id") != first.text("user.id"))
        let text = try #require(first.text("token"))
        #expect(try fixture.server.call("POST", "/v1/tokens/renew", nil, by: nil, OperatorFixture.bearer(text)).status == 200)
        fixture.server.clock.advance(milliseconds: 60_000)
        let expired = try fixture.server.call("GET", "/v1/me", nil, by: nil, OperatorFixture.bearer(text))
        #expect(expired.code == "token.expired")
        #expect(try signIn(["subject": " c-1", "nickname": "Ann"]).text("user.id") != first.text("user.id"))
        for subject in ["", String(repeating: "价", count: 86)] {
            #expect(try signIn(["subject": .string(subject), "nickname": "Ann"]).text("field") == "subject")
        }
        #expect(try signIn(["subject": "c-3", "nickname": "Ann", "expiresInSeconds": 59]).text("field") == "expiresInSeconds")
    }

    @Test func `a backend's users are served where guests are not, and keep the backend's name for them`() throws {
        let fixture = try OperatorFixture { $0.identity.acceptsGuests = false }
        let (server, ann) = (fixture.server, try fixture.backendUser("c-1", "Ann"))
        #expect(try server.call("GET", "/v1/me", by: ann).text("user.nickname") == "Ann")
        #expect(try server.call("POST", "/v1/tokens/renew", by: ann).status == 200)
        #expect(try server.call("PATCH", "/v1/me", ["nickname": "Eve"], by: ann).code == "nickname.not_ours")
        #expect(try server.call("POST", "/v1/guests", ["nickname": "Eve"]).code == "guest.off")
    }

    @Test func `what operators did is listed, the newest first, in pages`() throws {
        let fixture = try OperatorFixture()
        let token = try fixture.token("admin")
        fixture.server.clock.advance(milliseconds: 5)
        try fixture.call("DELETE", "/v1/admin/tokens/\(token.id)", token: token.text)
        let audit = try fixture.call("GET", "/v1/admin/audit")
        #expect(audit.list("entries").compactMap { $0.text("action") } == ["revokeServiceToken", "createServiceToken"])
        #expect(audit.text("entries.0.token.id") == token.id && audit.text("entries.0.target") == token.id)
        #expect(audit.text("entries.1.token.id") == "file" && audit["nextCursor"] == .null)
        let page = try fixture.call("GET", "/v1/admin/audit?limit=1")
        let cursor = try #require(page.text("nextCursor"))
        let rest = try fixture.call("GET", "/v1/admin/audit?limit=1&cursor=\(cursor)")
        #expect(rest.text("entries.0.action") == "createServiceToken" && rest["nextCursor"] == .null)
        #expect(try fixture.call("GET", "/v1/admin/audit?cursor=x").status == 400)
    }
}
