import AuctionService
import AuctionTestKit
import EventLog
import Synchronization
import Testing

@testable import AuctionServer

/// Of two nodes that share an endpoint, one that cannot write that it holds it stops before the other one begins.
struct WebhookHoldTests {
    /// What one node sees of the log: its changes of records are refused, or are late.
    private struct Access: ForwardingEventLog {
        final class Faults: Sendable {
            let isAway = Mutex(false)
            /// Milliseconds that the next change takes.
            let delay = Mutex<Int64>(0)
        }

        let forwarded: any EventLog
        let clock: TestClock
        let faults = Faults()

        func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
            if faults.isAway.withLock({ $0 }) { throw EventLogError(.unavailable, "away") }
            let delay = faults.delay.withLock { delay in
                defer { delay = 0 }
                return delay
            }
            clock.suspend(milliseconds: delay)
            return try forwarded.write(changes)
        }
    }

    private typealias Node = (runner: WebhookRunner, transport: HeldTransport)

    /// Lets a node take a turn, and the endpoint take all that it sends.
    /// - Returns: How many messages.
    private func turn(_ node: Node, in world: WebhookWorld) -> Int {
        _ = node.runner.takeTurn()
        let sent = node.transport.takeAll()
        for one in sent {
            world.receive(one)
            one.complete(WebhookAnswer(status: 200))
        }
        return sent.count
    }

    private func pass(_ milliseconds: Int64, in world: WebhookWorld) {
        world.clock.advance(milliseconds: milliseconds)
        world.clock.suspend(milliseconds: milliseconds)
    }

    @Test func `a node that cannot write sends nothing more after eight seconds, and another one begins after ten`() throws {
        let world = try WebhookWorld()
        let access = Access(forwarded: world.log, clock: world.clock)
        let (first, second) = (world.node(shared: true, log: access), world.node(shared: true))
        try world.append(1)
        #expect(turn(first, in: world) == 1 && turn(second, in: world) == 0)
        access.faults.isAway.withLock { $0 = true }
        var (lastOfFirst, firstOfSecond): (Int64, Int64?) = (0, nil)
        for elapsed in stride(from: 500, through: 14_000, by: 500) as StrideThrough<Int64> {
            pass(500, in: world)
            try world.append(1)
            if turn(first, in: world) > 0 { lastOfFirst = elapsed }
            if turn(second, in: world) > 0 { firstOfSecond = firstOfSecond ?? elapsed }
        }
        let begun = try #require(firstOfSecond)
        #expect((5000...8000).contains(lastOfFirst), "it goes on for as long as it may: \(lastOfFirst)")
        #expect((10_000...12_500).contains(begun) && lastOfFirst < begun, "\(begun)")
        access.faults.isAway.withLock { $0 = false }
        let before = world.ledger
        for _ in 0..<5 {
            pass(1000, in: world)
            #expect(turn(first, in: world) == 0, "the other one's")
            _ = turn(second, in: world)
        }
        world.settle(second)
        #expect(Set(world.ledger.keys) == world.expected && before.count <= world.ledger.count)
        #expect(try world.parked().isEmpty)
    }

    @Test func `what was written late counts from when the writing began`() throws {
        let world = try WebhookWorld()
        let access = Access(forwarded: world.log, clock: world.clock)
        let node = world.node(shared: true, log: access)
        try world.append(1)
        #expect(turn(node, in: world) == 1)
        pass(3000, in: world)
        access.faults.delay.withLock { $0 = 8000 }
        #expect(turn(node, in: world) == 0)
        #expect(access.faults.delay.withLock { $0 } == 0, "it has written that it holds the endpoint")
        try world.append(1)
        #expect(turn(node, in: world) == 0, "another node may have taken over by now")
        // It takes the endpoint anew, as none has.
        #expect(turn(node, in: world) + turn(node, in: world) == 1)
        #expect(Set(world.ledger.keys) == world.expected)
    }
}
