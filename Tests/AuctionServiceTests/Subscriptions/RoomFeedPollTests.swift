import AuctionDomain
import AuctionService
import EventLog
import Testing

/// Long-polls as subscribers of the feed.
struct RoomFeedPollTests {
    private let room = RoomID(bits: 1)

    private func event(_ seq: Int) -> StoredEvent {
        StoredEvent(
            seq: seq, at: Timestamp(milliseconds: 0), type: "bid.placed", publicBytes: Array("{\(seq)}".utf8),
            privateBytes: nil, hash: .zero)
    }

    /// A feed with one live long-poll per position.
    private func feed(_ polls: [(id: UInt64, poll: RoomFeed.Poll)]) -> RoomFeed {
        var feed = RoomFeed()
        for (id, poll) in polls {
            _ = feed.handle(.wait(id, room, poll))
            _ = feed.handle(.found(id, .nothingNew))
        }
        return feed
    }

    private func poll(after: Int, limit: Int = 100, deadline: Int64 = 1000) -> RoomFeed.Poll {
        RoomFeed.Poll(after: after, limit: limit, deadline: deadline)
    }

    private func responses(_ directives: [RoomFeed.Directive]) -> [PollResponse] {
        directives.compactMap { directive in
            guard case .respond(let response) = directive else { return nil }
            return response
        }
    }

    @Test func `long-polls at the same position get one response together`() {
        var feed = feed((1...3).map { ($0, poll(after: 5)) } + [(4, poll(after: 5, limit: 1))])
        let found = responses(feed.handle(.published(room, [event(6), event(7)])))
        #expect(found.map(\.ids) == [[1, 2, 3], [4]])
        #expect(found.map { $0.events.map(\.seq) } == [[6, 7], [6]])
        #expect(found.map(\.more) == [false, true])
        #expect(feed.count == 0)
        #expect(feed.nextTick == nil)
    }

    @Test func `events in memory when the long-poll joins are its response`() {
        var feed = RoomFeed()
        _ = feed.handle(.wait(1, room, poll(after: 5)))
        let found = responses(feed.handle(.found(1, .events([event(6)], more: true))))
        #expect(found.map { $0.events.map(\.seq) } == [[6]])
        #expect(found.map(\.more) == [true])
        #expect(feed.count == 0)
    }

    @Test func `a long-poll whose events have left memory is answered without events, and its client asks again`() {
        var feed = RoomFeed()
        _ = feed.handle(.wait(1, room, poll(after: 5)))
        let found = responses(feed.handle(.found(1, .tooOld)))
        #expect(found.map { $0.events.isEmpty } == [true])
        #expect(found.map(\.more) == [true])
    }

    @Test func `events that a long-poll has received already do not answer it`() {
        var feed = feed([(1, poll(after: 7))])
        #expect(feed.handle(.published(room, [event(6), event(7)])).isEmpty)
        #expect(responses(feed.handle(.published(room, [event(7), event(8)]))).first?.events.map(\.seq) == [8])
    }

    @Test func `a long-poll is answered without events after its wait`() {
        var feed = feed([(1, poll(after: 5, deadline: 2000)), (2, poll(after: 5, deadline: 1000))])
        #expect(feed.nextTick == 1000)
        let found = responses(feed.handle(.tick(1500)))
        #expect(found.map(\.ids) == [[2]])
        #expect(found.first?.events.isEmpty == true)
        #expect(found.first?.after == 5)
        #expect(found.first?.more == false)
        #expect(feed.nextTick == 2000)
    }

    @Test func `a long-poll that has left is not answered`() {
        var feed = feed([(1, poll(after: 5))])
        _ = feed.handle(.left(1))
        #expect(feed.handle(.published(room, [event(6)])).isEmpty)
        #expect(feed.handle(.tick(5000)).isEmpty)
        #expect(feed.nextTick == nil)
    }

    @Test func `a long-poll before a gap of another node's events is answered without events`() {
        var feed = feed([(1, poll(after: 5))])
        let found = responses(feed.handle(.published(room, [event(8), event(9)])))
        #expect(found.map(\.ids) == [[1]])
        #expect(found.first?.events.isEmpty == true)
        #expect(found.first?.more == true)
        #expect(feed.count == 0)
    }

    @Test func `a stream beside long-polls stays and gets every event`() {
        var feed = feed([(1, poll(after: 5)), (2, poll(after: 5))])
        _ = feed.handle(.join(3, room, after: 5, seq: 5))
        _ = feed.handle(.found(3, .nothingNew))
        _ = feed.handle(.left(1))
        for seq in 6...7 {
            let sent: [ArraySlice<StoredEvent>] = feed.handle(.published(room, [event(seq)])).compactMap { directive in
                guard case .send([3], let events) = directive else { return nil }
                return events
            }
            #expect(sent.map { $0.map(\.seq) } == [[seq]])
        }
        #expect(feed.count == 1)
    }

    @Test func `stopping answers every long-poll`() {
        var feed = feed((1...3).map { ($0, poll(after: Int($0))) })
        #expect(responses(feed.handle(.drain)).map(\.ids) == [[1], [2], [3]])
        #expect(feed.count == 0)
    }

    @Test func `answered long-polls with a far deadline do not pile up`() {
        var feed = RoomFeed()
        for id in 1...100_000 as ClosedRange<UInt64> {
            _ = feed.handle(.wait(id, room, poll(after: 0, deadline: Int64.max - Int64(id))))
            _ = feed.handle(.found(id, .events([event(1)], more: false)))
        }
        #expect(feed.deadlineCount < 3000)
    }
}
