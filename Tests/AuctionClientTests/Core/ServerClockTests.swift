import StateMachines
import Testing

@testable import AuctionClientCore

struct ServerClockTests {
    private func instant(_ milliseconds: Int64) -> MachineTimestamp { MachineTimestamp(milliseconds: milliseconds) }

    @Test func `the real time is never further away than the uncertainty says`() throws {
        for seed in 0..<500 as Range<UInt64> {
            var random = RandomSequence(seed: seed)
            var clock = ServerClock()
            // The server's clock, and how many millionths it is faster than the device's.
            let offset = Int64(random.next() % 2_000_000) - 1_000_000
            let drift = Int64(random.next() % 800) - 400
            func server(_ now: Int64) -> Int64 { now + offset + now * drift / 1_000_000 }
            var now: Int64 = 1000
            for _ in 0..<30 {
                now += Int64(random.next() % 60_000)
                let sentAt = now
                let stampedAt = sentAt + Int64(random.next() % 400)
                now = stampedAt + Int64(random.next() % 400)
                let isNotice = random.next() % 3 == 0
                clock.observe(
                    ServerTime(milliseconds: server(stampedAt)), sentAt: isNotice ? nil : instant(sentAt),
                    receivedAt: instant(now))
                guard let estimate = clock.estimate(at: instant(now + 500)) else { continue }
                let error = (estimate.time.milliseconds - server(now + 500)).magnitude
                #expect(error <= UInt64(estimate.uncertainty.milliseconds) + 2, "seed \(seed): \(error) ms, \(estimate)")
            }
        }
    }

    @Test func `the best samples count, not the latest`() throws {
        var clock = ServerClock()
        clock.observe(ServerTime(milliseconds: 10_010), sentAt: instant(0), receivedAt: instant(20))
        clock.observe(ServerTime(milliseconds: 11_500), sentAt: instant(1000), receivedAt: instant(3000))
        let estimate = try #require(clock.estimate(at: instant(3000)))
        #expect(estimate.uncertainty < .milliseconds(15))
        #expect((estimate.time.milliseconds - 13_000).magnitude <= 12)
        #expect(estimate.remaining(until: ServerTime(milliseconds: 14_000)) > .milliseconds(980))
        #expect(estimate.remaining(until: ServerTime(milliseconds: 1)) == .zero)
        #expect(estimate.isPast(ServerTime(milliseconds: 12_900)) && !estimate.isPast(ServerTime(milliseconds: 12_995)))
    }

    @Test func `the estimate follows a server's clock that was set`() throws {
        var clock = ServerClock()
        clock.observe(ServerTime(milliseconds: 10_010), sentAt: instant(0), receivedAt: instant(20))
        clock.observe(ServerTime(milliseconds: 90_010), sentAt: instant(100), receivedAt: instant(120))
        #expect((try #require(clock.estimate(at: instant(110))).time.milliseconds - 90_010).magnitude < 15)
        // The device's monotonic clock stood still while it slept: the server is ahead of what was expected.
        clock.observe(ServerTime(milliseconds: 990_000), sentAt: nil, receivedAt: instant(200))
        #expect(try #require(clock.estimate(at: instant(200))).time.milliseconds >= 989_999)
    }

    @Test func `absurd times do not trap`() {
        var clock = ServerClock()
        for time in [Int64.min, .max, 0] {
            for now in [Int64.min, .max, 0] {
                clock.observe(ServerTime(milliseconds: time), sentAt: instant(.min), receivedAt: instant(now))
                _ = clock.estimate(at: instant(.max))
                _ = clock.estimate(at: instant(.min))
            }
        }
    }
}
