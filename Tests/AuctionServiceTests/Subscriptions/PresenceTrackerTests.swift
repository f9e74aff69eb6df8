import AuctionDomain
import EventLog
import Testing

@testable import AuctionService

struct PresenceTrackerTests {
    private let room = RoomID(bits: 1)
    private let user = UserID(bits: 7)

    /// Monotonic nanoseconds.
    private func now(_ milliseconds: Int64) -> Int64 { milliseconds * 1_000_000 }

    @Test func `only a user's first subscription is reported`() {
        var presence = PresenceTracker()
        #expect(presence.begin(user, room, at: now(0))?.isPresent == true)
        #expect(presence.begin(user, room, at: now(1)) == nil)
        presence.end(user, room, at: now(2))
        #expect(presence.nextTick == nil)
        #expect(presence.takeAbsences(at: now(60_000)).isEmpty)
    }

    @Test func `a user without a subscription is absent after two seconds, since the last one ended`() {
        var presence = PresenceTracker()
        _ = presence.begin(user, room, at: now(0))
        presence.end(user, room, at: now(1000))
        #expect(presence.takeAbsences(at: now(2999)).isEmpty)
        let changes = presence.takeAbsences(at: now(3000))
        #expect(changes.map(\.isPresent) == [false])
        #expect(changes.first?.at == now(1000))
        #expect(presence.begin(user, room, at: now(4000))?.isPresent == true)
    }

    @Test func `a user who polls steadily stays present without any report`() {
        var presence = PresenceTracker()
        _ = presence.begin(user, room, at: now(0))
        for poll in 1...100 as ClosedRange<Int64> {
            presence.end(user, room, at: now(poll * 1000))
            #expect(presence.takeAbsences(at: now(poll * 1000 + 900)).isEmpty)
            #expect(presence.begin(user, room, at: now(poll * 1000 + 900)) == nil)
        }
    }

    @Test func `the next tick is when the first absence can be reported, at most four times a second`() {
        var presence = PresenceTracker()
        for other in 0..<1000 as Range<UInt128> {
            _ = presence.begin(UserID(bits: other), room, at: now(0))
            presence.end(UserID(bits: other), room, at: now(Int64(other)))
        }
        var (time, ticks, absent) = (Int64(0), 0, 0)
        while let tick = presence.nextTick {
            #expect(tick > time)
            time = tick
            ticks += 1
            absent += presence.takeAbsences(at: tick).count
        }
        #expect(absent == 1000)
        #expect(ticks <= 5)
        #expect(time <= 3_250_000_000)
    }
}
