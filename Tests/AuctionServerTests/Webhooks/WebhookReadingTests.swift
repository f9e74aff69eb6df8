import AuctionTestKit
import EventLog
import Synchronization
import Testing

@testable import AuctionServer

/// What reading for several endpoints costs.
struct WebhookReadingTests {
    @Test func `twenty endpoints that want the same events cost as many readings as one`() throws {
        var readings: [Int] = []
        for count in [1, 20] {
            var counted: CountedLog?
            let world = try WebhookWorld { log in
                let found = CountedLog(log)
                counted = found
                return found
            }
            let first = try #require(try world.log.record(Webhook.recordKind, WebhookWorld.webhook).flatMap(Webhook.init))
            let progress = try world.progress()
            for number in 1..<count {
                let webhook = Webhook(
                    id: "webhook_of_\(number)", url: first.url, filter: first.filter, description: nil,
                    createdAt: first.createdAt, secrets: first.secrets, pause: nil)
                try #require(
                    try world.log.write([
                        webhook.change(if: .none), progress.change(of: webhook.id, if: .none),
                    ]))
            }
            try world.append(100)
            let node = world.node()
            var sent = 0
            // Each endpoint answers some time after the one before it.
            for _ in 0..<4000 where sent < 100 * count {
                _ = node.runner.takeTurn()
                guard node.transport.count > 0 else { continue }
                node.transport.take(at: 0).complete(WebhookAnswer(status: 200))
                sent += 1
            }
            #expect(sent == 100 * count)
            readings.append(try #require(counted).readings.load(ordering: .relaxed))
        }
        #expect(readings[0] == readings[1])
    }
}
