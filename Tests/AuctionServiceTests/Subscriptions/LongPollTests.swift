import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Long-polls as subscribers of an event loop.
struct LongPollTests {
    /// The room of these tests, and one live long-poll per position.
    private func waiting(
        at seq: Int, _ polls: [(id: UInt64, poll: Subscriptions.Poll)]
    ) throws -> (room: GrowingRoom, subscriptions: Subscriptions) {
        let room = try GrowingRoom(seq: seq)
        var subscriptions = Subscriptions()
        for (id, poll) in polls { #expect(subscriptions.wait(id, room, for: poll).isEmpty) }
        return (room, subscriptions)
    }

    private func poll(after: Int, limit: Int = 100, deadline: Int64 = 1000) -> Subscriptions.Poll {
        Subscriptions.Poll(after: after, limit: limit, deadline: deadline)
    }

    private func responses(_ directives: [Subscriptions.Directive]) -> [PollResponse] {
        directives.compactMap { directive in
            guard case .respond(let response) = directive else { return nil }
            return response
        }
    }

    @Test func `long-polls at the same position get one response together`() throws {
        var (room, subscriptions) = try waiting(at: 5, (1...3).map { ($0, poll(after: 5)) } + [(4, poll(after: 5, limit: 1))])
        let found = responses(subscriptions.published(room.committed, try room.grow(to: 7)))
        #expect(found.map(\.ids) == [[1, 2, 3], [4]])
        #expect(found.map { $0.events.map(\.seq) } == [[6, 7], [6]])
        #expect(found.map(\.more) == [false, true])
        #expect(subscriptions.nextTick == nil)
        for id in 1...4 as ClosedRange<UInt64> { #expect(subscriptions.takePoll(id, at: 0)?.maySeeEvents == true) }
        #expect(subscriptions.count == 0 && room.committed.watchers == 0)
    }

    @Test func `events in memory when the long-poll joins are its response`() throws {
        let room = try GrowingRoom(seq: 7)
        var subscriptions = Subscriptions()
        let found = responses(subscriptions.wait(1, room, for: poll(after: 5, limit: 1)))
        #expect(found.map { $0.events.map(\.seq) } == [[6]])
        #expect(found.map(\.more) == [true])
        #expect(subscriptions.nextTick == nil)
    }

    @Test func `a long-poll whose events have left memory is answered without events, and its client asks again`() throws {
        let room = try GrowingRoom(seq: 7, inMemory: 1)
        var subscriptions = Subscriptions()
        let found = responses(subscriptions.wait(1, room, for: poll(after: 5)))
        #expect(found.map { $0.events.isEmpty } == [true])
        #expect(found.map(\.more) == [true])
    }

    @Test func `events that a long-poll has received already do not answer it`() throws {
        var (room, subscriptions) = try waiting(at: 7, [(1, poll(after: 7))])
        #expect(subscriptions.published(room.committed, room.events(6...7)).isEmpty)
        _ = try room.grow(to: 8)
        let found = responses(subscriptions.published(room.committed, room.events(7...8)))
        #expect(found.first?.events.map(\.seq) == [8])
    }

    @Test func `a long-poll is answered without events after its wait`() throws {
        var (_, subscriptions) = try waiting(
            at: 5, [(1, poll(after: 5, deadline: 2000)), (2, poll(after: 5, deadline: 1000))])
        #expect(subscriptions.nextTick == 1000)
        let found = responses(subscriptions.tick(1500))
        #expect(found.map(\.ids) == [[2]])
        #expect(found.first?.events.isEmpty == true)
        #expect(found.first?.after == 5)
        #expect(found.first?.more == false)
        #expect(subscriptions.nextTick == 2000)
    }

    @Test func `a long-poll that has left is not answered`() throws {
        var (room, subscriptions) = try waiting(at: 5, [(1, poll(after: 5)), (2, poll(after: 5))])
        subscriptions.leave(1, at: 0)
        subscriptions.leave(2, at: 0)
        #expect(subscriptions.published(room.committed, try room.grow(to: 6)).isEmpty)
        #expect(subscriptions.tick(5000).isEmpty)
        #expect(subscriptions.nextTick == nil)
    }

    @Test func `a long-poll before a gap of another node's events is answered without events`() throws {
        var (room, subscriptions) = try waiting(at: 5, [(1, poll(after: 5))])
        _ = try room.grow(to: 9)
        let found = responses(subscriptions.published(room.committed, room.events(8...9)))
        #expect(found.map(\.ids) == [[1]])
        #expect(found.first?.events.isEmpty == true)
        #expect(found.first?.more == true)
    }

    @Test func `a stream beside long-polls stays and gets every event`() throws {
        var (room, subscriptions) = try waiting(at: 5, [(1, poll(after: 5)), (2, poll(after: 5))])
        #expect(subscriptions.join(3, room, after: 5).isEmpty)
        subscriptions.leave(1, at: 0)
        for seq in 6...7 {
            let sent: [ArraySlice<StoredEvent>] = subscriptions.published(room.committed, try room.grow(to: seq)).compactMap {
                guard case .send([3], let events) = $0 else { return nil }
                return events
            }
            #expect(sent.map { $0.map(\.seq) } == [[seq]])
        }
        _ = subscriptions.takePoll(2, at: 0)
        #expect(subscriptions.count == 1)
    }

    @Test func `stopping answers every long-poll`() throws {
        var (_, subscriptions) = try waiting(at: 3, (1...3).map { ($0, poll(after: 3, deadline: 9 - Int64($0))) })
        #expect(responses(subscriptions.drain()).map(\.ids) == [[1], [2], [3]])
        #expect(subscriptions.nextTick == nil)
        #expect(responses(subscriptions.drain()).isEmpty, "each is answered once")
    }

    @Test func `answered long-polls with a far deadline do not pile up`() throws {
        var (room, subscriptions) = try waiting(at: 1, [])
        for id in 1...5000 as ClosedRange<UInt64> {
            #expect(subscriptions.wait(id, room, for: poll(after: room.seq, deadline: Int64.max - Int64(id))).isEmpty)
            #expect(responses(subscriptions.published(room.committed, try room.grow(to: room.seq + 1))).count == 1)
            _ = subscriptions.takePoll(id, at: 0)
        }
        #expect(subscriptions.deadlineCount < 3000)
    }
}
