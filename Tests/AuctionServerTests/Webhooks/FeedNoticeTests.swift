import AuctionDomain
import AuctionTestKit
import EventLog
import Synchronization
import Testing

@testable import AuctionServer

/// What readers of the feed learn when a webhook is paused.
struct FeedNoticeTests {
    private func text(_ notice: FeedNotice) -> String { String(decoding: notice.event, as: UTF8.self) }

    private func notices(_ world: WebhookWorld, after position: NoticePosition = .beginning) throws -> [FeedNotice] {
        try world.log.notices(after: position, limit: 2000)
    }

    /// Writes a notice without a webhook.
    private func pause(_ webhook: String, _ log: any EventLog) throws {
        let changes = try log.changes(noticing: WebhookPause(reason: .gone, at: Timestamp(milliseconds: 0)), of: webhook)
        #expect(try log.write(changes))
    }

    /// Lets the node run, with an event in each turn, and the endpoint answer with a status, until the webhook is paused.
    private func run(
        _ world: WebhookWorld, _ node: (runner: WebhookRunner, transport: HeldTransport), answering status: Int,
        milliseconds: Int64 = 1100, turns: Int = 40
    ) throws {
        for _ in 0..<turns where try world.webhook().pause == nil {
            try world.append(1)
            _ = node.runner.takeTurn()
            for sent in node.transport.takeAll() { sent.complete(WebhookAnswer(status: status)) }
            _ = node.runner.takeTurn()
            world.clock.advance(milliseconds: milliseconds)
        }
        for _ in 0..<4 {
            _ = node.runner.takeTurn()
            world.clock.advance(milliseconds: 2100)
        }
    }

    @Test(arguments: [(410, "gone", 1100), (500, "failing", 10 * 3_600_000)] as [(Int, String, Int64)])
    func `410, or five days without success, gives one notice, a line of the log and a figure`(
        status: Int, reason: String, milliseconds: Int64
    ) throws {
        let world = try WebhookWorld()
        try world.append(3)
        let node = world.node()
        try run(world, node, answering: status, milliseconds: milliseconds)
        let pause = try #require(try world.webhook().pause)
        #expect(pause.reason.rawValue == reason)
        let all = try notices(world)
        #expect(all.count == 1 && all.first?.position.number == 1)
        let expected =
            #"{"type":"webhook.paused","at":"\#(pause.at)","data":{"webhook":"\#(WebhookWorld.webhook)","reason":"\#(reason)"}}"#
        #expect(all.map(text) == [expected])
        let lines = world.lines.text.split(separator: "\n").filter { $0.contains("a webhook is paused") }
        #expect(lines.count == 1 && lines.allSatisfy { $0.hasPrefix("warning") && $0.contains(reason) })
        var metrics = MetricsText()
        world.outlet?.counters.write(to: &metrics)
        #expect(metrics.text.contains(#"auction_webhooks{state="paused"} 1"#))
        #expect(metrics.text.contains(#"auction_webhooks{state="active"} 0"#))
        // Another node, and another turn, add nothing.
        try run(world, world.node(), answering: status)
        #expect(try notices(world) == all)
    }

    /// Fails from a writing on, which is made or not.
    private struct FailingLog: ForwardingEventLog {
        final class Plan: Sendable { let left = Mutex(Int.max) }
        let forwarded: any EventLog
        let plan = Plan()
        let isMade: Bool

        func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
            let left = plan.left.withLock { left in
                left -= 1
                return left
            }
            guard left <= 0 else { return try forwarded.write(changes) }
            if left == 0, isMade { _ = try forwarded.write(changes) }
            throw EventLogError(.unavailable, "away")
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a webhook that is paused has one notice, whichever writing fails, also if it was made`(
        isMade: Bool, isKilled: Bool
    ) throws {
        for writing in 1...6 {
            var plan: FailingLog.Plan?
            let world = try WebhookWorld { log in
                let failing = FailingLog(forwarded: log, isMade: isMade)
                plan = failing.plan
                return failing
            }
            try world.append(3)
            plan?.left.withLock { $0 = writing }
            let node = world.node()
            for _ in 0..<8 {
                _ = node.runner.takeTurn()
                for sent in node.transport.takeAll() { sent.complete(WebhookAnswer(status: 410)) }
                world.clock.advance(milliseconds: 1100)
                #expect(try notices(world).count == (try world.webhook().pause == nil ? 0 : 1))
            }
            plan?.left.withLock { $0 = .max }
            try run(world, isKilled ? world.node() : node, answering: 410)
            #expect(try notices(world).count == 1 && world.webhook().pause?.reason == .gone, "writing \(writing)")
        }
    }

    @Test func `of two nodes that pause webhooks at the same time each writes its notice, and numbers have no gap`() throws {
        /// Another node's notice comes just before this one's.
        struct ContestedLog: ForwardingEventLog {
            final class Once: Sendable { let isOver = Mutex(false) }
            let forwarded: any EventLog
            let once = Once()

            func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
                let contests =
                    changes.contains { $0.kind == FeedNotice.recordKind }
                    && once.isOver.withLock { isOver in
                        defer { isOver = true }
                        return !isOver
                    }
                if contests {
                    let pause = WebhookPause(reason: .failing, at: Timestamp(milliseconds: 0))
                    _ = try forwarded.write(try forwarded.changes(noticing: pause, of: "webhook_2"))
                }
                return try forwarded.write(changes)
            }
        }
        let world = try WebhookWorld { ContestedLog(forwarded: $0) }
        try world.append(3)
        try run(world, world.node(), answering: 410)
        let all = try notices(world)
        #expect(all.map(\.position.number) == [1, 2])
        #expect(text(all[0]).contains("webhook_2") && text(all[1]).contains(WebhookWorld.webhook))
        #expect(try world.webhook().pause?.reason == .gone)
    }

    @Test func `the newest thousand are kept, and a cursor from before others is gone, also one of a reader who has got none`()
        throws
    {
        let log = InMemoryEventLog()
        try pause("first", log)
        let first = try log.noticeEnd()
        for number in 2...Int(FeedNotice.limit) { try pause("webhook_\(number)", log) }
        #expect(try log.noticeStart() == .beginning)
        #expect(try log.notices(after: .beginning, limit: 2000).map(\.position.number) == Array(1...1000))
        try pause("one more", log)
        for position in [.beginning, first] { #expect(throws: FeedError.self) { try log.notices(after: position, limit: 1) } }
        // Who begins now gets the newest, and has time until these are removed.
        let start = try log.noticeStart()
        #expect(try log.notices(after: start, limit: 2000).map(\.position.number) == Array(502...1001))
        for number in 0..<Int(FeedNotice.limit - FeedNotice.startLimit - 1) { try pause("later_\(number)", log) }
        #expect(try log.notices(after: start, limit: 1).map(\.position.number) == [502])
        try pause("the last", log)
        #expect(throws: FeedError.self) { try log.notices(after: start, limit: 1) }
        // Those who want none go on.
        let rest = try log.batch(after: .beginning, first, limit: 10, FeedFilter(types: ["item.sold"]))
        #expect(rest.isEmpty && !rest.more && rest.end(in: 1).notice == first)
        let page = try log.batch(after: .beginning, log.noticeStart(), limit: 1000, FeedFilter())
        #expect(page.notices.count == FeedNotice.pageLimit && page.more)
        let next = try log.batch(after: page.next, page.end(in: 1).notice, limit: 3, FeedFilter())
        let numbers = try #require(page.notices.last).position.number
        #expect(next.notices.map(\.position.number) == [numbers + 1, numbers + 2, numbers + 3])
    }

    @Test func `a reader who was away for more than a thousand pauses gets 410, and one who begins goes on to the end`() throws
    {
        let log = InMemoryEventLog()
        let fixture = try OperatorFixture(log: log)
        let before = try #require(try fixture.call("GET", "/v1/feed?after=latest").text("next"))
        for number in 0...Int(FeedNotice.limit) { try pause("webhook_\(number)", log) }
        let gone = try fixture.call("GET", "/v1/feed?after=\(before)")
        #expect(gone.status == 410 && gone.code == "feed.cursor_gone")
        // Readers of other events miss nothing.
        #expect(try fixture.call("GET", "/v1/feed?types=item.sold&after=\(before)").status == 200)
        var (path, webhooks) = ("/v1/feed", [String]())
        for _ in 0..<9 {
            let page = try fixture.call("GET", path)
            webhooks += page.list("events").compactMap { $0.text("event.data.webhook") }
            path = "/v1/feed?after=\(try #require(page.text("next")))"
            if page["more"] == false { break }
        }
        #expect(webhooks == (501...1000).map { "webhook_\($0)" })
    }

    @Test func `a cursor after a notice that a restored backup lacks is gone, also once another one has its number`() throws {
        let (log, restored) = (InMemoryEventLog(), InMemoryEventLog())
        for webhook in ["one", "two"] { try pause(webhook, log) }
        let end = try log.noticeEnd()
        for webhook in ["one", "other"] {
            try pause(webhook, restored)
            #expect(throws: FeedError.self) { try restored.notices(after: end, limit: 1) }
        }
        #expect(try log.notices(after: end, limit: 1).isEmpty)
    }

    @Test func `a cursor keeps its notice, and those without one are as before`() throws {
        for (pruning, bits, count) in [(0, 0, 48), (9, 0, 64), (0, 1 << 32 | 7, 80), (9, 1 << 32 | 7, 80)]
            as [(UInt64, UInt64, Int)]
        {
            let position = FeedPosition(number: 3, hash: 5, pruning: pruning)
            let cursor = FeedCursor(feed: 2, position: position, notice: NoticePosition(bits: bits))
            let read = try #require(FeedCursor(cursor.text))
            #expect(cursor.text.utf8.count == count && read == cursor && read.position.pruning == pruning)
        }
    }

    @Test func `readers that wait get a notice of their node at once, and one of another node after a second`() throws {
        /// Counts the readings of the newest notice.
        struct CountedLog: ForwardingEventLog {
            final class Readings: Sendable { let count = Mutex(0) }
            let forwarded: any EventLog
            let readings = Readings()

            func records(_ query: RecordQuery) throws(EventLogError) -> [StoredRecord] {
                if query.isDescending { readings.count.withLock { $0 += 1 } }
                return try forwarded.records(query)
            }
        }
        let (log, clock) = (CountedLog(forwarded: InMemoryEventLog()), TestClock())
        let nodes = (
            FeedWatch(FeedTail(of: log, clock: clock), clock: clock), FeedWatch(FeedTail(of: log, clock: clock), clock: clock)
        )
        let (first, second, ofRoom) = (Taken(), Taken(), Taken())
        #expect(nodes.0.wait(after: .beginning, limit: 5, FeedFilter(), milliseconds: 3_600_000) { first.take($0) })
        let filter = FeedFilter(rooms: ["room_1"])
        #expect(nodes.0.wait(after: .beginning, limit: 5, filter, milliseconds: 3_600_000) { ofRoom.take($0) })
        #expect(nodes.1.wait(after: .beginning, limit: 5, FeedFilter(), milliseconds: 3_600_000) { second.take($0) })
        for _ in 0..<50 {
            nodes.0.takeTurn()
            nodes.1.takeTurn()
        }
        #expect(log.readings.count.withLock { $0 } <= 4)
        try pause("one", log)
        nodes.0.wroteNotice()
        nodes.0.takeTurn()
        #expect(first.notices == [1])
        clock.suspend(milliseconds: 1000)
        nodes.1.takeTurn()
        #expect(second.notices == [1])
        nodes.0.takeTurn()
        #expect(ofRoom.notices.isEmpty)
    }

    /// What a reader that waited has got.
    private final class Taken: Sendable {
        private let numbers = Mutex<[UInt32]>([])
        var notices: [UInt32] { numbers.withLock { $0 } }

        func take(_ outcome: FeedWatch.Outcome) {
            guard case .success(let batch) = outcome else { return }
            numbers.withLock { $0 += batch.notices.map(\.position.number) }
        }
    }
}
