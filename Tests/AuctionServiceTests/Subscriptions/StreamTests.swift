import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Streams as subscribers of an event loop: how they catch up, and what they are sent once they are live.
struct StreamTests {
    /// The directives as text.
    private func descriptions(_ directives: [Subscriptions.Directive]) -> [String] {
        directives.map { directive in
            switch directive {
            case .read(let id, _, let after, _): "log \(id) after \(after)"
            case .sendPage(let id, let events): "page \(id) \(events.first?.seq ?? 0)-\(events.last?.seq ?? 0)"
            case .send(let ids, let events): "send \(ids) \(events.first?.seq ?? 0)-\(events.last?.seq ?? 0)"
            case .close(let ids, let reason): "close \(ids) \(reason)"
            case .respond(let response): "respond \(response.ids)"
            case .refuse, .presence: "\(directive)"
            }
        }
    }

    private func live(
        _ ids: Subscriptions.ID..., in room: GrowingRoom, limits: Subscriptions.Limits = .init()
    ) -> Subscriptions {
        var subscriptions = Subscriptions(limits: limits)
        for id in ids { #expect(subscriptions.join(id, room, after: room.seq).isEmpty) }
        return subscriptions
    }

    @Test func `subscribers that have every event are live at once, and get the same bytes`() throws {
        var room = try GrowingRoom(seq: 5)
        var subscriptions = live(1, 2, 3, in: room)
        #expect(descriptions(subscriptions.published(room.committed, try room.grow(to: 7))) == ["send [1, 2, 3] 6-7"])
        #expect(descriptions(subscriptions.published(room.committed, try room.grow(to: 8))) == ["send [1, 2, 3] 8-8"])
        var other = try GrowingRoom(RoomID(bits: 2), seq: 8)
        #expect(subscriptions.published(other.committed, try other.grow(to: 9)).isEmpty)
    }

    @Test func `events in memory are sent, and the next published event follows`() throws {
        var room = try GrowingRoom(seq: 6)
        var subscriptions = Subscriptions()
        #expect(descriptions(subscriptions.join(1, room, after: 3)) == ["send [1] 4-6"])
        // Published before the memory read, delivered after it: the overlap is dropped.
        _ = try room.grow(to: 7)
        #expect(descriptions(subscriptions.published(room.committed, room.events(5...7))) == ["send [1] 7-7"])
        #expect(subscriptions.published(room.committed, room.events(7...7)).isEmpty)
    }

    @Test func `events not in memory are read from the log, page by page, as fast as the subscriber receives them`() throws {
        var room = try GrowingRoom(seq: 600, inMemory: 89)
        var subscriptions = Subscriptions()
        #expect(descriptions(subscriptions.join(1, room, after: 0)) == ["log 1 after 0"])
        #expect(descriptions(subscriptions.page(1, .success(room.events(1...256)))) == ["page 1 1-256"])
        #expect(subscriptions.published(room.committed, try room.grow(to: 601)).isEmpty)
        #expect(descriptions(subscriptions.ready(1)) == ["log 1 after 256"])
        #expect(descriptions(subscriptions.page(1, .success(room.events(257...512)))) == ["page 1 257-512"])
        #expect(descriptions(subscriptions.ready(1)) == ["send [1] 513-601"])
        #expect(subscriptions.ready(1).isEmpty)
        #expect(subscriptions.page(1, .success(room.events(1...1))).isEmpty)
    }

    @Test func `a stream that reads the log ends if the room has been deleted from it`() throws {
        let room = try GrowingRoom(seq: 600, inMemory: 89)
        var subscriptions = Subscriptions()
        #expect(descriptions(subscriptions.join(1, room, after: 0)) == ["log 1 after 0"])
        #expect(descriptions(subscriptions.page(1, .success([]))) == ["close [1] roomGone"])
    }

    @Test func `a page is bounded in bytes, and a larger single event is sent`() throws {
        var limits = Subscriptions.Limits()
        limits.pageBytes = 100
        var room = try GrowingRoom(seq: 2, bytes: 40)
        _ = try room.grow(to: 3, bytes: 400)
        _ = try room.grow(to: 5, bytes: 40)
        var subscriptions = Subscriptions(limits: limits)
        #expect(descriptions(subscriptions.join(1, room, after: 0)) == ["page 1 1-2"])
        #expect(descriptions(subscriptions.ready(1)) == ["page 1 3-3"])
        #expect(descriptions(subscriptions.ready(1)) == ["send [1] 4-5"])
    }

    @Test func `a subscriber that joins far back may read every existing page, however few events each has`() throws {
        var limits = Subscriptions.Limits()
        (limits.pageBytes, limits.sparePages) = (100, 2)
        let room = try GrowingRoom(seq: 40, bytes: 400, inMemory: 1)
        var subscriptions = Subscriptions(limits: limits)
        var next = descriptions(subscriptions.join(1, room, after: 0))
        for seq in 1...39 {
            #expect(next == ["log 1 after \(seq - 1)"])
            #expect(descriptions(subscriptions.page(1, .success(room.events(seq...seq)))) == ["page 1 \(seq)-\(seq)"])
            next = descriptions(subscriptions.ready(1))
        }
        #expect(next == ["send [1] 40-40"])
    }

    @Test func `after a gap, or more events than a page, live subscribers catch up again`() throws {
        var limits = Subscriptions.Limits()
        limits.pageBytes = 100
        var room = try GrowingRoom(seq: 5)
        var subscriptions = live(1, 2, in: room, limits: limits)
        _ = try room.grow(to: 8)
        #expect(descriptions(subscriptions.published(room.committed, room.events(8...8))) == ["send [1] 6-8", "send [2] 6-8"])
        let many = try room.grow(to: 12, bytes: 40)
        #expect(descriptions(subscriptions.published(room.committed, many)) == ["page 1 9-10", "page 2 9-10"])
        #expect(descriptions(subscriptions.ready(1)) == ["send [1] 11-12"])
    }

    @Test func `a subscriber that never catches up is too slow`() throws {
        var limits = Subscriptions.Limits()
        (limits.pageEvents, limits.sparePages) = (10, 3)
        var room = try GrowingRoom(seq: 11)
        var subscriptions = Subscriptions(limits: limits)
        var sent = descriptions(subscriptions.join(1, room, after: 0))
        for _ in 0..<10 where sent.last?.hasPrefix("page") == true {
            _ = try room.grow(to: room.seq + 10)
            sent += descriptions(subscriptions.ready(1))
        }
        #expect(sent == ["page 1 1-10", "page 1 11-20", "page 1 21-30", "page 1 31-40", "close [1] tooSlow"])
        #expect(subscriptions.ready(1).isEmpty)
        #expect(subscriptions.published(room.committed, try room.grow(to: room.seq + 1)).isEmpty)
    }

    @Test func `a subscriber that left is sent nothing, and is removed`() throws {
        var room = try GrowingRoom(seq: 5)
        var subscriptions = live(1, 2, 3, in: room)
        subscriptions.leave(1, at: 0)
        subscriptions.leave(2, at: 0)
        #expect(descriptions(subscriptions.published(room.committed, try room.grow(to: 6))) == ["send [3] 6-6"])
        subscriptions.leave(3, at: 0)
        #expect(subscriptions.count == 0 && room.committed.watchers == 0)
        #expect(subscriptions.published(room.committed, try room.grow(to: 7)).isEmpty)
    }

    @Test func `groups with different cursors merge at the first event that both lack`() throws {
        var room = try GrowingRoom(seq: 5)
        var subscriptions = live(1, in: room)
        let early = try room.grow(to: 7)
        #expect(subscriptions.join(2, room, after: 7).isEmpty)
        #expect(descriptions(subscriptions.published(room.committed, early)) == ["send [1] 6-7"])
        #expect(
            descriptions(subscriptions.published(room.committed, try room.grow(to: 8))) == ["send [2] 8-8", "send [1] 8-8"])
        #expect(descriptions(subscriptions.published(room.committed, try room.grow(to: 9))) == ["send [2, 1] 9-9"])
    }

    @Test func `while a loop has much to send, long-polls get events at once, and streams later with those that follow`() throws
    {
        var room = try GrowingRoom(seq: 5)
        var subscriptions = live(1, 2, in: room)
        for id in 3...4 as ClosedRange<Subscriptions.ID> {
            _ = subscriptions.wait(id, room, for: .init(after: 5, limit: 10, deadline: 1000))
        }
        let sixth = try room.grow(to: 6)
        #expect(descriptions(subscriptions.published(room.committed, sixth, isBusy: true)) == ["respond [3, 4]"])
        #expect(subscriptions.holdsEvents)
        // A stream that joins meanwhile has the first one from memory. A long-poll that comes now waits for the next.
        #expect(descriptions(subscriptions.join(5, room, after: 5)) == ["send [5] 6-6"])
        #expect(subscriptions.wait(6, room, for: .init(after: 6, limit: 10, deadline: 1000)).isEmpty)
        #expect(descriptions(subscriptions.published(room.committed, try room.grow(to: 7))) == ["respond [6]"])
        #expect(descriptions(subscriptions.publishHeld()) == ["send [1, 2] 6-7", "send [5] 7-7"])
        #expect(!subscriptions.holdsEvents)
        #expect(descriptions(subscriptions.published(room.committed, try room.grow(to: 8))) == ["send [1, 2, 5] 8-8"])
    }

    @Test func `nothing is held for a room without live streams`() throws {
        var room = try GrowingRoom(seq: 5)
        var subscriptions = Subscriptions()
        _ = subscriptions.wait(1, room, for: .init(after: 5, limit: 10, deadline: 1000))
        let directives = subscriptions.published(room.committed, try room.grow(to: 6), isBusy: true)
        #expect(descriptions(directives) == ["respond [1]"])
        #expect(!subscriptions.holdsEvents)
    }

    @Test(arguments: 1...20) func `in any order of reads and publications, no subscriber misses or repeats an event`(
        seed: UInt64
    ) throws {
        var simulation = try FeedSimulation(seed: seed)
        for _ in 0..<2000 { try simulation.step() }
        simulation.settle()
        #expect(simulation.violations == [])
        #expect(simulation.delivered > 1000)
    }
}

/// A room that grows while subscribers join, read slowly and leave, and while its events are held back from streams at times.
private struct FeedSimulation {
    private enum Waiting {
        case page(Subscriptions.ID, [StoredEvent])
        case ready(Subscriptions.ID)
    }

    private var subscriptions = Subscriptions(
        limits: {
            var limits = Subscriptions.Limits()
            (limits.pageEvents, limits.pageBytes) = (8, 60)
            return limits
        }())
    private var room: GrowingRoom
    private var generator: SeededGenerator
    private var lastID: Subscriptions.ID = 0
    private var seen: [Subscriptions.ID: Int] = [:]
    private var waiting: [Waiting] = []
    /// Publications that the loop has not received yet.
    private var undelivered: [[StoredEvent]] = []
    private var polls: Set<Subscriptions.ID> = []
    private(set) var violations: [String] = []
    private(set) var delivered = 0

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        room = try GrowingRoom(inMemory: 20)
    }

    private mutating func random(_ bound: Int) -> Int { generator.roll(0...(bound - 1)) }

    /// Subscribers that have left are kept in lists for a while, so no identifier is used twice.
    private mutating func newID() -> Subscriptions.ID {
        lastID += 1
        return lastID
    }

    mutating func step() throws {
        switch random(10) {
        case 0...3:
            undelivered.append(try room.grow(to: room.seq + 1 + random(3)))
            if random(3) > 0 || undelivered.count > 3 { publish() }
        case 4:
            let (after, id) = (random(room.seq + 1), newID())
            seen[id] = after
            perform(subscriptions.join(id, room, after: after))
        // A long-poll asks again from the log what memory does not have, so these begin within it.
        case 6: poll(after: max(room.seq - random(10), 0))
        case 7: perform(subscriptions.tick(Int64(room.seq)))
        case 5:
            guard let id = seen.keys.sorted().first, seen.count > 5 else { return }
            leave(id)
        default: deliverOne()
        }
    }

    mutating func settle() {
        publish()
        while subscriptions.holdsEvents { perform(subscriptions.publishHeld()) }
        while !waiting.isEmpty { deliverOne() }
        for id in polls { seen[id] = seen[id] == room.seq ? nil : seen[id] }
        for (id, seq) in seen where seq != room.seq { violations.append("\(id) ended at \(seq), not \(room.seq)") }
    }

    private mutating func publish() {
        while !undelivered.isEmpty {
            if subscriptions.holdsEvents, random(4) == 0 { perform(subscriptions.publishHeld()) }
            perform(subscriptions.published(room.committed, undelivered.removeFirst(), isBusy: random(3) == 0))
        }
    }

    private mutating func poll(after: Int) {
        let id = newID()
        seen[id] = after
        polls.insert(id)
        let deadline = Int64(room.seq + random(20))
        perform(subscriptions.wait(id, room, for: .init(after: after, limit: 1 + random(4), deadline: deadline)))
    }

    private mutating func leave(_ id: Subscriptions.ID) {
        seen[id] = nil
        subscriptions.leave(id, at: 0)
    }

    private mutating func deliverOne() {
        guard !waiting.isEmpty else { return }
        switch waiting.remove(at: random(waiting.count)) {
        case .page(let id, let events): perform(subscriptions.page(id, .success(events)))
        case .ready(let id): perform(subscriptions.ready(id))
        }
    }

    private mutating func perform(_ directives: [Subscriptions.Directive]) {
        for directive in directives {
            switch directive {
            case .read(let id, _, let after, let limit):
                waiting.append(.page(id, room.events(after + 1...min(after + limit, room.seq))))
            case .sendPage(let id, let events):
                take(events, [id])
                waiting.append(.ready(id))
            case .send(let ids, let events): take(events, ids)
            case .close(let ids, _): for id in ids { leave(id) }
            case .respond(let response):
                for id in response.ids where subscriptions.takePoll(id, at: 0) != nil {
                    take(response.events, [id])
                    polls.remove(id)
                    // The client polls again.
                    if let after = seen.removeValue(forKey: id), after != room.seq || random(2) == 0 { poll(after: after) }
                }
            case .refuse, .presence: violations.append("\(directive)")
            }
        }
    }

    private mutating func take(_ events: ArraySlice<StoredEvent>, _ ids: [Subscriptions.ID]) {
        for id in ids {
            guard let before = seen[id] else { continue }
            for (place, event) in events.enumerated() where event.seq != before + 1 + place {
                violations.append("\(id) got \(event.seq) after \(before + place)")
            }
            seen[id] = events.last?.seq ?? before
            delivered += events.count
        }
    }
}
