import AuctionDomain
import AuctionService
import EventLog
import Testing

struct HeldEventsTests {
    private let first = RoomID(bits: 1)
    private let second = RoomID(bits: 2)

    private func events(_ range: ClosedRange<Int>) -> [StoredEvent] {
        range.map { seq in
            StoredEvent(
                seq: seq, at: Timestamp(milliseconds: 0), type: "bid.placed", publicBytes: [65], privateBytes: nil, hash: .zero)
        }
    }

    /// The sequence numbers of the room that is next.
    private func next(_ held: inout HeldEvents) -> [Int]? { held.next()?.events.map(\.seq) }

    @Test func `events of a room are joined, and rooms follow in the order in which they wait`() {
        var held = HeldEvents(limit: 256)
        held.add(events(5...6), of: first)
        held.add(events(1...1), of: second)
        held.add(events(7...7), of: first)
        #expect(next(&held) == [5, 6, 7])
        #expect(!held.isEmpty)
        held.add(events(8...8), of: first)
        #expect(next(&held) == [1])
        #expect(next(&held) == [8])
        #expect(next(&held) == nil)
        #expect(held.isEmpty)
    }

    @Test func `beyond its limit a room has its newest publication alone, however large that is`() {
        var held = HeldEvents(limit: 3)
        held.add(events(1...3), of: first)
        held.add(events(4...4), of: first)
        held.add(events(5...6), of: first)
        #expect(next(&held) == [4, 5, 6])
        held.add(events(7...7), of: first)
        held.add(events(8...20), of: first)
        #expect(next(&held) == Array(8...20))
    }

    @Test func `what is held has no gap, and a publication that was overtaken does not replace it`() {
        var held = HeldEvents(limit: 256)
        held.add(events(5...6), of: first)
        held.add(events(9...9), of: first)
        held.add(events(7...8), of: first)
        held.add([], of: first)
        #expect(next(&held) == [9])
        held.add(events(5...6), of: first)
        held.add(events(6...7), of: first)
        #expect(next(&held) == [6, 7])
    }
}
