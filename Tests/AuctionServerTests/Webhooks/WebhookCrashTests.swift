import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Synchronization
import Testing

@testable import AuctionServer

/// Whatever fails, the endpoint has got every event, by its ledger without doubles, and nothing else.
struct WebhookCrashTests {
    /// Does one thing at random: the node runs, the endpoint answers in one way or another, time passes, an event is committed.
    private static func step(
        _ world: WebhookWorld, _ node: (runner: WebhookRunner, transport: HeldTransport), _ generator: inout SeededGenerator
    ) throws {
        switch generator.roll(0...9) {
        case 0...3: _ = node.runner.takeTurn()
        case 4...7:
            guard node.transport.count > 0 else { return }
            let sent = node.transport.take(at: generator.roll(0...(node.transport.count - 1)))
            let isTaken = generator.once(in: 2)
            if isTaken { world.receive(sent) }
            // What was taken may seem to have failed, never the other way round.
            let failures = [
                WebhookAnswer(status: 500), WebhookAnswer(.failure, error: "No complete response in time"),
                WebhookAnswer(status: 429, retryAfter: "3"), WebhookAnswer(.unsent),
            ]
            sent.complete(isTaken && !generator.once(in: 4) ? WebhookAnswer(status: 200) : generator.pick(failures))
        case 8: world.clock.advance(milliseconds: generator.pick([1, 500, 1100, 6000, 40_000]))
        default: try world.append(generator.roll(1...20), to: UInt64(generator.roll(1...3)))
        }
    }

    private func check(_ world: WebhookWorld, _ what: String) throws {
        #expect(Set(world.ledger.keys) == world.expected, "\(what)")
        #expect(try world.parked().isEmpty && world.progress().parked == 0, "\(what)")
    }

    @Test(arguments: 0..<40)
    func `a node that is killed at any moment loses nothing and invents nothing`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let world = try WebhookWorld()
        var node = world.node()
        for _ in 0..<400 {
            try Self.step(world, node, &generator)
            // Nothing is written any more by one that was killed, and one that stops writes what was delivered.
            if generator.once(in: 40) {
                if generator.once(in: 3) { node.runner.finish() }
                node = world.node()
            }
        }
        world.settle(node)
        try check(world, "seed \(seed)")
    }

    @Test func `killed after any step of one course`() throws {
        for killed in 0..<120 {
            var generator = SeededGenerator(seed: 7)
            let world = try WebhookWorld()
            try world.append(40)
            var node = world.node()
            for step in 0..<120 {
                try Self.step(world, node, &generator)
                if step == killed { node = world.node() }
            }
            world.settle(node)
            try check(world, "killed after step \(killed)")
        }
    }

    @Test(arguments: 0..<20)
    func `two nodes share an endpoint, one is paused for a while or killed, and the other takes over`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let world = try WebhookWorld()
        var nodes = [world.node(shared: true), world.node(shared: true)]
        for _ in 0..<400 {
            try Self.step(world, generator.pick(nodes), &generator)
            if generator.once(in: 30) { world.clock.suspend(milliseconds: generator.pick([1000, 4000, 9000, 11_000])) }
            if generator.once(in: 60) { nodes[generator.roll(0...1)] = world.node(shared: true) }
        }
        // The others are gone without a word; what they had in flight is never answered.
        let last = world.node(shared: true)
        _ = last.runner.takeTurn()
        world.clock.suspend(milliseconds: 11_000)
        world.settle(last)
        try check(world, "seed \(seed)")
    }

    @Test func `a node that was away cannot move the position of the one that took over`() throws {
        let world = try WebhookWorld()
        try world.append(3)
        let (first, second) = (world.node(shared: true), world.node(shared: true))
        _ = first.runner.takeTurn()
        #expect(first.transport.count == 3)
        _ = second.runner.takeTurn()
        #expect(second.transport.count == 0, "the first one's")
        world.clock.suspend(milliseconds: 11_000)
        world.clock.advance(milliseconds: 2000)
        world.settle(second)
        #expect(world.ledger.count == 3)
        let (cursor, holder) = (try world.progress().cursor, try world.progress().holder)
        for sent in first.transport.takeAll() { sent.complete(WebhookAnswer(status: 500)) }
        for _ in 0..<5 {
            world.clock.advance(milliseconds: 2000)
            _ = first.runner.takeTurn()
        }
        #expect(try world.progress().cursor == cursor && world.progress().holder == holder && world.parked().isEmpty)
        #expect(first.transport.count == 0)
    }

    @Test func `in a copy of a log an endpoint is paused, and keeps the position of the other log`() throws {
        let world = try WebhookWorld()
        try world.append(3)
        let record = try #require(try world.log.record(WebhookProgress.recordKind, WebhookWorld.webhook))
        let foreign = FeedCursor(feed: try world.log.feedID() ^ 1, position: FeedPosition(number: 2, hash: 7)).text
        #expect(
            try world.log.write([
                WebhookProgress(cursor: foreign).change(of: WebhookWorld.webhook, if: .version(record.version))
            ]))
        let node = world.node()
        for _ in 0..<3 { _ = node.runner.takeTurn() }
        #expect(node.transport.count == 0)
        #expect(try world.webhook().pause?.reason == .cursorGone && world.progress().cursor == foreign)
        #expect(try world.progress().holder == nil)
        // Receivers have secrets in their URLs.
        #expect(world.lines.text.contains("cursor_gone") && !world.lines.text.contains("hooks.example"))
    }

    @Test func `one that is paused by an operator finishes what is in flight, and no more`() throws {
        let world = try WebhookWorld()
        try world.append(40)
        let node = world.node()
        _ = node.runner.takeTurn()
        let record = try #require(try world.log.record(Webhook.recordKind, WebhookWorld.webhook))
        var webhook = try world.webhook()
        webhook.pause = WebhookPause(reason: .byOperator, at: world.clock.now().wall)
        #expect(try world.log.write([webhook.change(if: .version(record.version))]))
        world.clock.advance(milliseconds: 2000)
        #expect(node.runner.takeTurn(), "what is in flight is waited for")
        for sent in node.transport.takeAll() {
            world.receive(sent)
            sent.complete(WebhookAnswer(status: 200))
        }
        for _ in 0..<3 { _ = node.runner.takeTurn() }
        #expect(world.ledger.count == 8 && node.transport.count == 0)
        #expect(try world.progress().holder == nil)
        #expect(FeedCursor(try world.progress().cursor)?.position.number == 8)
    }

    @Test func `an endpoint that fails for five days is paused without another event, and keeps what has failed`() throws {
        let world = try WebhookWorld()
        try world.append(2)
        let node = world.node()
        var hours: Int64 = 0
        while try world.webhook().pause == nil, hours < 200 {
            _ = node.runner.takeTurn()
            for sent in node.transport.takeAll() { sent.complete(WebhookAnswer(status: 500)) }
            _ = node.runner.takeTurn()
            world.clock.advance(milliseconds: 3_600_000)
            hours += 1
        }
        #expect(try world.webhook().pause?.reason == .failing && (120...122).contains(hours), "\(hours)")
        #expect(try world.parked().map(\.dueAt) == [nil, nil] && world.parked().allSatisfy { $0.attempts == 8 })
        #expect(try world.progress().holder == nil)
    }

    @Test func `the check finds a log that loses what was parked`() throws {
        /// Acknowledges parked deliveries without storing them.
        struct ForgetfulLog: ForwardingEventLog {
            let forwarded: any EventLog
            func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
                try forwarded.write(changes.filter { $0.kind != ParkedDelivery.recordKind })
            }
        }
        let world = try WebhookWorld { ForgetfulLog(forwarded: $0) }
        try world.append(5)
        var node = world.node()
        _ = node.runner.takeTurn()
        for sent in node.transport.takeAll() { sent.complete(WebhookAnswer(status: 500)) }
        _ = node.runner.takeTurn()
        node = world.node()
        world.settle(node)
        #expect(world.ledger.isEmpty && world.expected.count == 5)
    }

    @Test func `a log that cannot be read is asked again after a second, not at every turn`() throws {
        final class Readings: Sendable { let count = Mutex(0) }
        struct UnreadableLog: ForwardingEventLog {
            let forwarded: any EventLog
            let readings: Readings
            func feedEnd(asOf age: Int64) throws(EventLogError) -> FeedPosition {
                readings.count.withLock { $0 += 1 }
                throw EventLogError(.unavailable, "away")
            }
        }
        let readings = Readings()
        let world = try WebhookWorld { UnreadableLog(forwarded: $0, readings: readings) }
        try world.append(3)
        let node = world.node()
        for second in 1...3 {
            for _ in 0..<10 { _ = node.runner.takeTurn() }
            #expect(readings.count.withLock { $0 } == second)
            world.clock.advance(milliseconds: 1000)
        }
    }

    @Test func `a log that cannot be written for a while delays what is written, and loses nothing`() throws {
        final class Switch: Sendable { let isOff = Mutex(false) }
        struct AwayLog: ForwardingEventLog {
            let forwarded: any EventLog
            let away: Switch
            func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
                if away.isOff.withLock({ $0 }) { throw EventLogError(.unavailable, "away") }
                return try forwarded.write(changes)
            }
        }
        let away = Switch()
        let world = try WebhookWorld { AwayLog(forwarded: $0, away: away) }
        try world.append(50)
        let node = world.node()
        _ = node.runner.takeTurn()
        away.isOff.withLock { $0 = true }
        for _ in 0..<200 {
            for sent in node.transport.takeAll() { sent.complete(WebhookAnswer(status: 500)) }
            _ = node.runner.takeTurn()
            world.clock.advance(milliseconds: 100)
        }
        #expect(try world.parked().isEmpty)
        away.isOff.withLock { $0 = false }
        world.settle(node)
        try check(world, "after the outage")
    }
}
