import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import EventLogSQLite
import ExactJSON
import OutboundHTTP
import Synchronization
import TestSupport
import Testing

@testable import AuctionServer

/// A server whose webhooks may go to this machine.
private struct WebhookFixture {
    let operators: OperatorFixture
    let receiver: WebhookReceiver
    let ann: Guest
    let room: String

    init(
        log: any EventLog = InMemoryEventLog(), limit: Int = 20, _ receiver: WebhookReceiver? = nil,
        _ configure: @escaping (inout ServerOptions) -> Void = { _ in }
    ) throws {
        operators = try OperatorFixture(log: log, systemClock: true) { options in
            options.webhooks.limit = limit
            options.webhooks.allowed = ["127.0.0.0/8"].compactMap { AddressException($0) }
            configure(&options)
        }
        self.receiver = try receiver ?? WebhookReceiver()
        ann = try operators.server.guest("Ann")
        room = try operators.room(by: ann)
    }

    func create(_ members: [String: JSONValue] = [:]) throws -> (id: String, secret: String) {
        var all = members
        all["url"] = all["url"] ?? .string(receiver.url)
        let body = JSONValue.object(all.sorted { $0.key < $1.key }.map { JSONMember(name: $0.key, value: $0.value) })
        let response = try operators.call("POST", "/v1/admin/webhooks", body)
        try #require(response.status == 201, "\(response.bodyText)")
        return (try #require(response.text("id")), try #require(response.text("secret")))
    }

    func call(_ method: String, _ id: String, _ path: String = "", _ body: JSONValue? = nil) throws -> HTTPResponse {
        try operators.call(method, "/v1/admin/webhooks/\(id)\(path)", body)
    }

    func say(_ texts: String...) throws { for text in texts { try operators.say(text, in: room, by: ann) } }

    /// Waits until so many messages have come.
    func expect(_ count: Int, _ what: String = "messages", at location: SourceLocation = #_sourceLocation) {
        // The threads that send let all others go first.
        eventually(within: 60, "\(count) \(what)", at: location) { receiver.messages.count >= count }
        #expect(receiver.messages.count == count, sourceLocation: location)
    }

    var events: [JSONValue] { receiver.messages.compactMap { $0.body["data"]?["event"] } }
}

struct WebhookTests {
    @Test func `events from now on are sent, signed, with the bytes of the feed`() throws {
        let fixture = try WebhookFixture()
        let webhook = try fixture.create()
        try fixture.say("one", "two")
        fixture.expect(2)
        for message in fixture.receiver.messages {
            #expect(message.request.method == "POST" && message.request.target == "/hooks?of=auctions")
            #expect(message.request.header("Content-Type") == "application/json")
            #expect(WebhookReceiver.isSigned(message, by: webhook.secret))
            #expect(!WebhookReceiver.isSigned(message, by: "whsec_" + String(repeating: "A", count: 43) + "="))
            #expect(message.type == "message.sent" && message.body.text("data.room") == fixture.room)
        }
        let feed = try fixture.operators.call("GET", "/v1/feed?types=message.sent").list("events").compactMap { $0["event"] }
        #expect(fixture.events.sorted { $0.int("seq") ?? 0 < $1.int("seq") ?? 0 } == feed)
    }

    @Test func `types and rooms choose, a change is in force at once, and a deleted one gets nothing`() throws {
        let fixture = try WebhookFixture()
        let other = try fixture.operators.room(by: fixture.ann)
        let webhook = try fixture.create(["types": ["message.sent", "item.sold"], "rooms": [.string(other)]])
        try fixture.say("elsewhere")
        try fixture.operators.say("here", in: other, by: fixture.ann)
        fixture.expect(1)
        #expect(fixture.events.first?.text("data.text") == "here")
        let changed = try fixture.call("PATCH", webhook.id, "", ["rooms": [], "description": "All rooms"])
        #expect(changed.status == 200 && changed.text("description") == "All rooms" && changed.list("rooms").isEmpty)
        try fixture.say("now too")
        fixture.expect(2)
        #expect(try fixture.call("PATCH", webhook.id, "", ["description": ""])["description"] == .null)
        #expect(try fixture.call("DELETE", webhook.id).status == 204)
        #expect(try fixture.operators.call("GET", "/v1/admin/webhooks").list("webhooks").isEmpty)
        let next = try fixture.create(["types": ["message.sent"]])
        try fixture.say("to another endpoint")
        fixture.expect(3)
        #expect(WebhookReceiver.isSigned(try #require(fixture.receiver.messages.last), by: next.secret))
        for (method, path) in [
            ("DELETE", ""), ("POST", "/pause"), ("GET", "/deliveries"), ("POST", "/test"), ("POST", "/resend"),
        ] {
            #expect(try fixture.call(method, webhook.id, path).code == "webhook.not_found", "\(path)")
        }
        #expect(fixture.receiver.messages.count == 3)
    }

    @Test func `one that fails is parked, listed and sent again with the same id, and the next ones do not wait`() throws {
        let failures = Mutex(1)
        let receiver = try WebhookReceiver { message in
            let fails =
                message.body.text("data.event.data.text") == "one"
                && failures.withLock { left in
                    left -= 1
                    return left >= 0
                }
            return fails ? "500 Out of order" : "200 OK"
        }
        let fixture = try WebhookFixture(receiver)
        let webhook = try fixture.create()
        try fixture.say("one", "two", "three")
        fixture.expect(3)
        var listed: HTTPResponse?
        try eventually("it is parked") { try fixture.call("GET", webhook.id, "/deliveries").int("parked") == 1 }
        // The list is written every five seconds, perhaps after the delivery was repeated.
        try eventually("the failure is listed") {
            let response = try fixture.call("GET", webhook.id, "/deliveries")
            listed = response
            return response.list("deliveries").contains { $0.int("status") == 500 }
        }
        let failed = try #require(listed?.list("deliveries").first { $0.int("status") == 500 })
        #expect(failed.text("answer") == "thank" && failed.int("attempt") == 1)
        fixture.expect(4)
        let sent = fixture.receiver.messages.filter { $0.body.text("data.event.data.text") == "one" }
        #expect(sent.count == 2 && sent[0].id == sent[1].id && sent[0].request.body == sent[1].request.body)
        #expect(failed.text("id") == sent[0].id)
        try eventually("nothing is parked") { try fixture.call("GET", webhook.id, "/deliveries").int("parked") == 0 }
    }

    @Test func `an event that follows from another one is sent again too`() throws {
        let attempts = Mutex(0)
        let receiver = try WebhookReceiver { _ in
            attempts.withLock { count in
                count += 1
                return count == 1 ? "500 Out of order" : "200 OK"
            }
        }
        let fixture = try WebhookFixture(receiver)
        _ = try fixture.create(["types": ["bid.outbid"]])
        let bidding = try RoomFixture(fixture.operators.server)
        try bidding.openBidding()
        #expect(try bidding.bid("100", by: bidding.bidder).status == 201)
        #expect(try bidding.bid("110", by: bidding.rival).status == 201)
        fixture.expect(2)
        let sent = receiver.messages
        #expect(sent.allSatisfy { $0.type == "bid.outbid" && $0.body.text("data.event.data.price") == "110.00" })
        #expect(sent.first?.id == sent.last?.id && sent.first?.request.body == sent.last?.request.body)
    }

    @Test func `a paused one keeps its position, and delivers what happened meanwhile`() throws {
        let fixture = try WebhookFixture()
        let webhook = try fixture.create()
        let paused = try fixture.call("POST", webhook.id, "/pause")
        #expect(paused.text("paused.reason") == "operator")
        try fixture.say("one", "two")
        try eventually(within: 60, "it counts as paused") {
            try fixture.operators.server.call("GET", "/metrics").bodyText.contains(#"auction_webhooks{state="paused"} 1"#)
        }
        #expect(fixture.receiver.messages.isEmpty)
        #expect(try fixture.call("POST", webhook.id, "/resume")["paused"] == .null)
        fixture.expect(2)
    }

    @Test func `410 pauses it, with the reason`() throws {
        let fixture = try WebhookFixture(try WebhookReceiver { _ in "410 Gone" })
        let webhook = try fixture.create()
        try fixture.say("one")
        try eventually("it is paused") {
            try fixture.operators.call("GET", "/v1/admin/webhooks").text("webhooks.0.paused.reason") == "gone"
        }
        fixture.receiver.respond { _ in "200 OK" }
        try fixture.say("two")
        #expect(try fixture.call("POST", webhook.id, "/resume").status == 200)
        eventually(within: 60, "both") { Set(fixture.events.compactMap { $0.text("data.text") }) == ["one", "two"] }
    }

    @Test func `readers of the feed learn that it was paused, by 410 or by an operator, by long-poll and stream`() throws {
        let fixture = try WebhookFixture(try WebhookReceiver { _ in "410 Gone" })
        let webhook = try fixture.create()
        let types = "types=webhook.paused"
        let start = try #require(try fixture.operators.call("GET", "/v1/feed?after=latest").text("next"))
        let server = fixture.operators.server
        let bearer = OperatorFixture.bearer(OperatorFixture.adminToken)
        let stream = try EventReader(
            port: server.auctionServer.port,
            "GET /v1/feed?after=\(start)&\(types) HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n"
                + "Authorization: \(bearer[0].value)\r\n\r\n")
        let held = server.request("GET", "/v1/feed?after=\(start)&wait=60&\(types)", nil, by: nil, bearer)
        let connection = try server.connect()
        try connection.send(held)
        try fixture.say("one")
        let page = try server.receive(on: connection, to: held)
        let paused = try #require(page.list("events").first)
        #expect(page.list("events").count == 1 && paused["room"] == .null && paused.text("event.type") == "webhook.paused")
        #expect(paused.text("event.data.webhook") == webhook.id && paused.text("event.data.reason") == "gone")
        let streamed = try #require(try stream.next())
        #expect(streamed.type == "webhook.paused" && streamed.data.text("event.data.reason") == "gone")
        // Once per cursor, whatever else follows.
        let next = try #require(page.text("next"))
        #expect(next == paused.text("cursor") && next.utf8.count == 80 && streamed.data.text("cursor") == next)
        #expect(try fixture.operators.call("GET", "/v1/feed?after=\(next)").list("events").isEmpty)
        #expect(try fixture.call("POST", webhook.id, "/resume").status == 200)
        for _ in 1...2 { #expect(try fixture.call("POST", webhook.id, "/pause").status == 200) }
        let later = try #require(try stream.next())
        #expect(later.data.text("event.data.reason") == "operator")
        let all = try fixture.operators.call("GET", "/v1/feed?after=\(start)").list("events")
        #expect(all.compactMap { $0.text("event.data.reason") } == ["gone", "operator"])
        #expect(all.last?.text("event.type") == "webhook.paused", "after the rooms' events")
        let ofRoom = try fixture.operators.call("GET", "/v1/feed?rooms=\(fixture.room)")
        #expect(!ofRoom.list("events").isEmpty && !ofRoom.bodyText.contains("webhook.paused"))
        var other = Array(next)
        other[79] = other[79] == "0" ? "1" : "0"
        #expect(try fixture.operators.call("GET", "/v1/feed?after=\(String(other))").code == "feed.cursor_gone")
    }

    @Test func `the secret is replaced, and for a day both sign`() throws {
        let fixture = try WebhookFixture()
        let webhook = try fixture.create()
        let rotated = try fixture.call("POST", webhook.id, "/rotate")
        let secret = try #require(rotated.text("secret"))
        #expect(secret != webhook.secret && rotated.text("previousUntil") != nil)
        try fixture.say("one")
        fixture.expect(1)
        if !WebhookReceiver.isSigned(fixture.receiver.messages[0], by: secret) {
            // The thread that sends had read the endpoint a moment before.
            try fixture.say("two")
            fixture.expect(2)
        }
        let last = try #require(fixture.receiver.messages.last)
        for secret in [secret, webhook.secret] { #expect(WebhookReceiver.isSigned(last, by: secret)) }
        #expect(!(try fixture.operators.call("GET", "/v1/admin/webhooks").bodyText.contains("whsec_")))
    }

    @Test func `a secret that was replaced twice signs still, and there are four rotations in a day`() throws {
        let fixture = try WebhookFixture()
        let webhook = try fixture.create()
        var secrets = [webhook.secret]
        for _ in 0..<WebhookSecrets.replacedLimit {
            secrets.append(try #require(try fixture.call("POST", webhook.id, "/rotate").text("secret")))
        }
        let refused = try fixture.call("POST", webhook.id, "/rotate")
        #expect(refused.status == 429 && refused.code == "webhook.too_many_secrets")
        let seconds = try #require(refused.header("Retry-After").flatMap { Int($0) })
        #expect((86_000...86_400).contains(seconds) && refused.text("detail")?.contains("the oldest ends at 20") == true)
        #expect(try fixture.call("POST", webhook.id, "/test").status == 200)
        let message = try #require(fixture.receiver.messages.first { $0.type == "webhook.test" })
        for secret in secrets { #expect(WebhookReceiver.isSigned(message, by: secret)) }
        let signatures = message.request.header("webhook-signature")?.split(separator: " ")
        #expect(signatures?.count == 1 + WebhookSecrets.replacedLimit)
        let actions = try fixture.operators.call("GET", "/v1/admin/audit").list("entries").compactMap { $0.text("action") }
        #expect(actions.filter { $0 == "rotateWebhookSecret" }.count == WebhookSecrets.replacedLimit, "a refusal is no action")
    }

    @Test func `each delivery that has failed for good is in one page of the list, for thirty days`() throws {
        let log = InMemoryEventLog()
        let fixture = try OperatorFixture(log: log)
        let made = try fixture.call("POST", "/v1/admin/webhooks", ["url": "https://hooks.example/"])
        let webhook = try #require(made.text("id"))
        #expect(try fixture.call("POST", "/v1/admin/webhooks/\(webhook)/pause").status == 200)
        let now = fixture.server.clock.now().wall
        func parked(_ number: Int, waiting: Bool) -> RecordChange {
            ParkedDelivery(
                key: DeliveryKey(number: Int64(number / 2), type: number % 2 == 0 ? "bid.placed" : "bid.outbid"),
                room: RoomID(bits: 1 << 64 | 1), seq: number + 1, hash: 1, attempts: 8,
                dueAt: waiting ? now.advanced(byMilliseconds: 3_600_000) : nil,
                triedAt: now.advanced(byMilliseconds: number < 5 ? -86_400_000 : 0), status: 500
            ).change(of: webhook)
        }
        // Every seventh is repeated still.
        for first in stride(from: 0, to: 260, by: 52) {
            #expect(try log.write((first..<first + 52).map { parked($0, waiting: $0 % 7 == 0) }))
        }
        let expected = (0..<260).filter { $0 % 7 != 0 }.map { $0 + 1 }
        func pages(_ limit: String) throws -> [[Int]] {
            var (pages, cursor) = ([[Int]](), "")
            for _ in 0..<20 {
                let page = try fixture.call("GET", "/v1/admin/webhooks/\(webhook)/deliveries?\(limit)\(cursor)")
                pages.append(page.list("failed").compactMap { $0.int("seq") })
                guard let next = page.text("nextCursor") else { return pages }
                cursor = "&cursor=\(next)"
            }
            return pages
        }
        // In the order of the feed: both types of a number stand together.
        let usual = try pages("")
        #expect(usual.map(\.count) == [100, 100, expected.count - 200] && usual.joined().sorted() == expected)
        #expect(try pages("limit=60").joined().map(\.self) == Array(usual.joined()))
        #expect(try pages("limit=1000").count == 1)
        for query in ["limit=0", "limit=1001", "cursor=x", "cursor=2a.item.sold", "state=failed"] {
            #expect(try fixture.call("GET", "/v1/admin/webhooks/\(webhook)/deliveries?\(query)").status == 400, "\(query)")
        }
        fixture.server.clock.advance(milliseconds: ParkedDelivery.lifetimeMilliseconds - 86_400_000)
        #expect(try pages("limit=1000").joined().sorted() == expected.filter { $0 > 5 })
        fixture.server.clock.advance(milliseconds: 86_400_000)
        #expect(try pages("limit=1000").joined().isEmpty)
    }

    @Test func `it begins after a cursor, goes back to one, and refuses one of another log`() throws {
        let fixture = try WebhookFixture()
        let cursor = try #require(try fixture.operators.call("GET", "/v1/feed").text("next"))
        try fixture.say("one", "two")
        let webhook = try fixture.create(["after": .string(cursor)])
        fixture.expect(2)
        #expect(try fixture.call("POST", webhook.id, "/replay", ["after": .string(cursor)]).status == 200)
        fixture.expect(4)
        #expect(Set(fixture.receiver.messages.map(\.id)).count == 2)
        let other = (cursor.first == "0" ? "1" : "0") + cursor.dropFirst()
        for (path, body) in [
            ("/\(webhook.id)/replay", ["after": .string(other)]),
            ("", ["url": .string(fixture.receiver.url), "after": .string(other)]),
        ] as [(String, JSONValue)] {
            let response = try fixture.operators.call("POST", "/v1/admin/webhooks" + path, body)
            #expect(response.status == 410 && response.code == "feed.cursor_gone")
        }
        #expect(try fixture.call("POST", webhook.id, "/replay", ["after": "x"]).text("field") == "after")
    }

    @Test func `a test is sent at once, and its response is shown`() throws {
        let fixture = try WebhookFixture(try WebhookReceiver { _ in "503 Closed" })
        let webhook = try fixture.create()
        let failed = try fixture.call("POST", webhook.id, "/test")
        #expect(failed.status == 200 && failed["isSuccess"] == false && failed.int("status") == 503)
        #expect(failed.text("answer") == "thank")
        #expect(fixture.receiver.messages[0].type == "webhook.test")
        #expect(WebhookReceiver.isSigned(fixture.receiver.messages[0], by: webhook.secret))
        #expect(try fixture.call("PATCH", webhook.id, "", ["url": "http://127.0.0.1:1/"]).status == 200)
        let unreachable = try fixture.call("POST", webhook.id, "/test")
        #expect(unreachable["status"] == .null && unreachable.text("error")?.contains("connection") == true)
    }

    @Test func `a URL that no message goes to is refused with the reason`() throws {
        let strict = try OperatorFixture()
        let refused = [
            "http://hooks.example/": "must begin with https://", "https://127.0.0.1/": "loopback",
            "https://10.1.2.3/": "private",
            "https://169.254.169.254/latest": "link-local", "https://[::1]/": "loopback", "https://240.0.0.1/": "reserved",
            "https://user:secret@hooks.example/": "password", "hooks.example": "no absolute URL",
            "https://localhost/": "loopback",
            "ftp://hooks.example/": "https://", "https://2130706433/": "no valid host",
        ]
        for (url, reason) in refused {
            let response = try strict.call("POST", "/v1/admin/webhooks", ["url": .string(url)])
            #expect(response.status == 400 && response.code == "webhook.url_refused", "\(url)")
            #expect(
                response.text("detail")?.contains(reason) == true && response.text("field") == "url", "\(response.bodyText)")
            // An exception helps with some only.
            let isHinted = ["loopback", "private", "link-local", "reserved"].contains(reason) || url.hasPrefix("http://")
            #expect(response.text("detail")?.contains("--webhooks-allow") == isHinted, "\(response.bodyText)")
        }
        for (names, problem) in [
            ([5], "only"), ([""], "only"), (["nope"], "only"),
            (Array(repeating: "item.sold", count: FeedFilter.limit + 1), "at most \(FeedFilter.limit)"),
        ] as [([JSONValue], String)] {
            for member in ["types", "rooms"] where member == "rooms" || names != ["nope"] {
                let body: JSONValue = .object([
                    .init(name: "url", value: "https://a.example/"), .init(name: member, value: .array(names)),
                ])
                let response = try strict.call("POST", "/v1/admin/webhooks", body)
                #expect(
                    response.text("field") == member && response.text("detail")?.contains(problem) == true,
                    "\(response.bodyText)")
            }
        }
        let made = try strict.call("POST", "/v1/admin/webhooks", ["url": "https://hooks.example/"])
        let id = try #require(made.text("id"))
        #expect(
            try strict.call("PATCH", "/v1/admin/webhooks/\(id)", ["url": "https://10.1.2.3/"]).code == "webhook.url_refused")
        for (body, field) in [
            (["url": "https://a.example/", "types": ["Item Sold"]], "types"),
            (["url": "https://a.example/", "rooms": ["x"]], "rooms"),
            (["url": 7], "url"), ([:], "url"), (["url": "https://a.example/", "after": "now"], "after"),
        ] as [(JSONValue, String)] {
            #expect(try strict.call("POST", "/v1/admin/webhooks", body).text("field") == field)
        }
    }

    @Test func `types of events with capitals can be chosen`() throws {
        let fixture = try WebhookFixture()
        let webhook = try fixture.create()
        for type in ["item.sold", "lot.bidsChanged", "stage.seatMuted", "member.roleChanged"] {
            let changed = try fixture.call("PATCH", webhook.id, "", ["types": [.string(type)]])
            #expect(changed.status == 200 && changed.text("types.0") == type, "\(type): \(changed.bodyText)")
        }
    }

    @Test func `a redirect is no success, and is not followed`() throws {
        let fixture = try WebhookFixture(try WebhookReceiver { _ in "307 Elsewhere\r\nLocation: http://127.0.0.1:1/" })
        let webhook = try fixture.create()
        #expect(try fixture.call("POST", webhook.id, "/test").int("status") == 307)
    }

    @Test func `there is a bounded number of webhooks, and another scope does not do`() throws {
        let fixture = try WebhookFixture(limit: 2)
        let first = try fixture.create()
        _ = try fixture.create()
        let refused = try fixture.operators.call("POST", "/v1/admin/webhooks", ["url": .string(fixture.receiver.url)])
        #expect(refused.status == 429 && refused.code == "webhook.too_many")
        #expect(try fixture.call("DELETE", first.id).status == 204)
        _ = try fixture.create()
        let reader = try fixture.operators.token("feed:read")
        #expect(try fixture.operators.call("GET", "/v1/admin/webhooks", token: reader.text).code == "scope.missing")
        let manager = try fixture.operators.token("webhooks:manage")
        #expect(try fixture.operators.call("GET", "/v1/admin/webhooks", token: manager.text).list("webhooks").count == 2)
        let actions = try fixture.operators.call("GET", "/v1/admin/audit").list("entries").compactMap { $0.text("action") }
        #expect(actions.filter { $0 == "createWebhook" }.count == 3 && actions.contains("deleteWebhook"))
    }

    @Test func `of two webhooks that are created at the same time one is refused if only one more may be`() throws {
        /// Another node creates one just before the first writing.
        final class RacingLog: ForwardingEventLog {
            let forwarded: any EventLog = InMemoryEventLog()
            private let isArmed = Mutex(true)

            func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
                let isFirst = isArmed.withLock { isArmed in
                    guard isArmed, changes.contains(where: { $0.kind == Webhook.recordKind }) else { return false }
                    isArmed = false
                    return true
                }
                if isFirst {
                    let others = changes.filter { $0.kind.hasPrefix("webhook") }.map { change in
                        let id = change.kind == Webhook.creations.kind ? change.id : "wh_other"
                        return RecordChange.put(change.kind, id, change.content ?? [], if: change.expected)
                    }
                    guard try forwarded.write(others) else { return false }
                }
                return try forwarded.write(changes)
            }
        }
        for limit in [1, 2] {
            let log = RacingLog()
            let fixture = try WebhookFixture(log: log, limit: limit)
            let response = try fixture.operators.call("POST", "/v1/admin/webhooks", ["url": .string(fixture.receiver.url)])
            #expect(response.status == (limit == 1 ? 429 : 201))
            #expect(try log.records(RecordQuery(kind: Webhook.recordKind, limit: 9)).count == limit)
        }
    }

    @Test func `endpoints that hang, talk without end or fail cost another one nothing`() throws {
        let fixture = try WebhookFixture()
        let hostile = try ScriptedServer { socket in
            _ = try socket.readRequest()
            if try socket.readRequest().target == "/hang" { return }
        }
        let endless = try ScriptedServer { socket in
            _ = try socket.readRequest()
            socket.send("HTTP/1.1 200 OK\r\n\r\n")
            // Until the sender has had enough.
            let chunk = [UInt8](repeating: 0x78, count: 4096)
            while socket.send(chunk) {}
        }
        defer {
            hostile.stop()
            endless.stop()
        }
        for port in [hostile.port, hostile.port, endless.port] {
            _ = try fixture.create(["url": .string("http://127.0.0.1:\(port)/hang")])
        }
        _ = try fixture.create()
        for number in 1...40 { try fixture.say("message \(number)") }
        fixture.expect(40)
    }

    @Test func `after a restart it goes on where it was, and failed ones of before are sent`() throws {
        let folder = TemporaryFolder()
        let receiver = try WebhookReceiver { _ in "500 Out of order" }
        let before = try WebhookFixture(log: try SQLiteEventLog(path: folder.log), receiver)
        _ = try before.create()
        try before.say("one", "two")
        before.expect(2)
        before.operators.server.stop()
        receiver.respond { _ in "200 OK" }
        let again = try WebhookFixture(log: try SQLiteEventLog(path: folder.log), receiver)
        try again.say("three")
        eventually("all three, and the room that was opened") {
            Set(again.events.compactMap { $0.text("data.text") }).isSuperset(of: ["one", "two", "three"])
                && again.receiver.messages.count >= 6
        }
        #expect(Set(again.receiver.messages.map(\.id)).count == 4)
    }

    @Test func `what has failed for good is listed, and sent again when an operator wants it`() throws {
        let log = InMemoryEventLog()
        let fixture = try WebhookFixture(log: log)
        try fixture.say("one", "two")
        let webhook = try fixture.create(["types": ["item.sold"]])
        let page = try log.batch(after: .beginning, limit: 10, FeedFilter(types: ["message.sent"]))
        let failed = page.events.map { event in
            ParkedDelivery(
                key: DeliveryKey(event), room: event.room, seq: event.event.seq, hash: event.event.hash.headHash,
                attempts: 8, dueAt: nil, triedAt: event.event.at, status: 500)
        }
        #expect(try log.write(failed.map { $0.change(of: webhook.id) }))
        let listed = try fixture.call("GET", webhook.id, "/deliveries").list("failed")
        #expect(listed.compactMap { $0.int("seq") } == failed.map(\.seq) && listed[0].int("attempts") == 8)
        #expect(try fixture.call("POST", webhook.id, "/resend").int("deliveries") == 2)
        fixture.expect(2)
        #expect(Set(fixture.receiver.messages.map(\.id)) == Set(listed.compactMap { $0.text("id") }))
        try eventually("nothing is listed or parked") {
            let response = try fixture.call("GET", webhook.id, "/deliveries")
            return response.list("failed").isEmpty && response.int("parked") == 0
        }
        // What a replay sends again is not listed as failed any more.
        #expect(try log.write(failed.map { $0.change(of: webhook.id) }))
        let cursor = FeedCursor(feed: try log.feedID(), position: page.events[0].position).text
        #expect(try fixture.call("POST", webhook.id, "/replay", ["after": .string(cursor)]).status == 200)
        #expect(
            try fixture.call("GET", webhook.id, "/deliveries").list("failed").compactMap { $0.int("seq") } == [failed[0].seq])
    }

    @Test func `of several nodes one sends what happens at any of them, and another goes on when it stops`() throws {
        let receiver = try WebhookReceiver()
        let nodes = try TwoNodes(systemClock: true) { options in
            options.adminToken = OperatorFixture.adminToken
            options.webhooks.allowed = ["127.0.0.1"].compactMap { AddressException($0) }
        }
        let service = OperatorFixture.bearer(OperatorFixture.adminToken)
        let made = try nodes.nodeA.server.call(
            "POST", "/v1/admin/webhooks", ["url": .string(receiver.url), "types": ["message.sent"]], by: nil, service)
        #expect(made.status == 201)
        func say(_ text: String, _ node: RoomFixture, by guest: Guest) throws {
            #expect(try node.call("POST", "/messages", ["text": .string(text)], by: guest).status == 201)
        }
        try say("at B", nodes.nodeB, by: nodes.nodeB.host)
        try say("at A", nodes.nodeA, by: nodes.nodeA.owner)
        // What a node has sent and not saved is sent again by the next one, with the same id.
        func delivered() -> Int { Set(receiver.messages.map(\.id)).count }
        eventually(within: 60, "both") { delivered() == 2 }
        nodes.nodeA.server.stop()
        try say("at B, while A is away", nodes.nodeB, by: nodes.nodeB.bidder)
        eventually(within: 60, "the third") { delivered() == 3 }
    }

    @Test func `without a token of the operator's nothing is sent, though endpoints are stored`() throws {
        let folder = TemporaryFolder()
        let fixture = try WebhookFixture(log: try SQLiteEventLog(path: folder.log))
        _ = try fixture.create()
        fixture.operators.server.stop()
        let server = try TestServer(log: try SQLiteEventLog(path: folder.log), systemClock: true)
        let bob = try server.guest("Bob")
        _ = try server.call("POST", "/v1/rooms", ["name": "Quiet"], by: bob)
        #expect(!(try server.call("GET", "/metrics").bodyText.contains("auction_webhook")))
        server.stop()
        #expect(fixture.receiver.messages.isEmpty)
    }
}
