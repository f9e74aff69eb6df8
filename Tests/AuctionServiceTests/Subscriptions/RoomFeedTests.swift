import AuctionDomain
import AuctionService
import EventLog
import Testing

struct RoomFeedTests {
    private let room = RoomID(bits: 1)

    private func events(_ range: ClosedRange<Int>, bytes: Int = 10) -> [StoredEvent] {
        range.map { seq in
            StoredEvent(
                seq: seq, at: Timestamp(milliseconds: 0), type: "bid.placed", publicBytes: Array(repeating: 65, count: bytes),
                privateBytes: nil, hash: .zero)
        }
    }

    /// The directives as text.
    private func descriptions(_ directives: [RoomFeed.Directive]) -> [String] {
        directives.map { directive in
            switch directive {
            case .readMemory(let id, let after, _): "memory \(id) after \(after)"
            case .read(let id, let after): "log \(id) after \(after)"
            case .sendPage(let id, let events): "page \(id) \(events.first?.seq ?? 0)-\(events.last?.seq ?? 0)"
            case .send(let ids, let events): "send \(ids) \(events.first?.seq ?? 0)-\(events.last?.seq ?? 0)"
            case .caughtUp(let id): "caught up \(id)"
            case .tooSlow(let id): "too slow \(id)"
            case .respond(let response): "respond \(response.ids)"
            }
        }
    }

    private func live(_ ids: RoomFeed.ID..., after: Int, limits: RoomFeed.Limits = .init()) -> RoomFeed {
        var feed = RoomFeed(limits: limits)
        for id in ids {
            _ = feed.handle(.join(id, room, after: after, seq: after))
            _ = feed.handle(.found(id, .nothingNew))
        }
        return feed
    }

    @Test func `subscribers that have every event are live at once, and get the same bytes`() {
        var feed = live(1, 2, 3, after: 5)
        #expect(descriptions(feed.handle(.published(room, events(6...7)))) == ["send [1, 2, 3] 6-7"])
        #expect(descriptions(feed.handle(.published(room, events(8...8)))) == ["send [1, 2, 3] 8-8"])
        #expect(descriptions(feed.handle(.published(RoomID(bits: 2), events(9...9)))).isEmpty)
    }

    @Test func `events in memory are sent, and the next published event follows`() {
        var feed = RoomFeed()
        #expect(descriptions(feed.handle(.join(1, room, after: 3, seq: 6))) == ["memory 1 after 3"])
        #expect(descriptions(feed.handle(.found(1, .events(events(4...6), more: false)))) == ["send [1] 4-6", "caught up 1"])
        // Published before the memory read, delivered after it: the overlap is dropped.
        #expect(descriptions(feed.handle(.published(room, events(5...7)))) == ["send [1] 7-7"])
        #expect(descriptions(feed.handle(.published(room, events(7...7)))).isEmpty)
    }

    @Test func `events not in memory are read from the log, page by page, as fast as the subscriber receives them`() {
        var feed = RoomFeed()
        _ = feed.handle(.join(1, room, after: 0, seq: 600))
        #expect(descriptions(feed.handle(.found(1, .tooOld))) == ["log 1 after 0"])
        #expect(descriptions(feed.handle(.page(1, events(1...256)))) == ["page 1 1-256"])
        #expect(descriptions(feed.handle(.published(room, events(601...601)))).isEmpty)
        #expect(descriptions(feed.handle(.ready(1))) == ["memory 1 after 256"])
        #expect(descriptions(feed.handle(.found(1, .tooOld))) == ["log 1 after 256"])
        #expect(descriptions(feed.handle(.page(1, events(257...512)))) == ["page 1 257-512"])
        #expect(descriptions(feed.handle(.ready(1))) == ["memory 1 after 512"])
        #expect(
            descriptions(feed.handle(.found(1, .events(events(513...601), more: false)))) == [
                "send [1] 513-601", "caught up 1",
            ])
        #expect(descriptions(feed.handle(.ready(1))).isEmpty)
    }

    @Test func `a page is bounded in bytes, and a larger single event is sent`() {
        var limits = RoomFeed.Limits()
        limits.pageBytes = 100
        var feed = RoomFeed(limits: limits)
        _ = feed.handle(.join(1, room, after: 0, seq: 5))
        #expect(descriptions(feed.handle(.found(1, .events(events(1...5, bytes: 40), more: false)))) == ["page 1 1-2"])
        #expect(descriptions(feed.handle(.ready(1))) == ["memory 1 after 2"])
        #expect(descriptions(feed.handle(.found(1, .events(events(3...3, bytes: 400), more: true)))) == ["page 1 3-3"])
    }

    @Test func `a subscriber that joins far back may read every existing page, however few events each has`() {
        var limits = RoomFeed.Limits()
        limits.pageBytes = 100
        limits.sparePages = 2
        var feed = RoomFeed(limits: limits)
        _ = feed.handle(.join(1, room, after: 0, seq: 40))
        for seq in 1...40 {
            #expect(descriptions(feed.handle(.found(1, .tooOld))) == ["log 1 after \(seq - 1)"])
            #expect(descriptions(feed.handle(.page(1, events(seq...seq, bytes: 400)))) == ["page 1 \(seq)-\(seq)"])
            #expect(descriptions(feed.handle(.ready(1))) == ["memory 1 after \(seq)"])
        }
        #expect(descriptions(feed.handle(.found(1, .nothingNew))) == ["caught up 1"])
    }

    @Test func `after a gap, or more events than a page, live subscribers catch up again`() {
        var limits = RoomFeed.Limits()
        limits.pageBytes = 100
        var feed = live(1, 2, after: 5, limits: limits)
        #expect(descriptions(feed.handle(.published(room, events(8...8)))) == ["memory 1 after 5", "memory 2 after 5"])
        _ = feed.handle(.found(1, .events(events(6...8), more: false)))
        #expect(descriptions(feed.handle(.published(room, events(9...12, bytes: 40)))) == ["memory 1 after 8"])
    }

    @Test func `a subscriber that never catches up is too slow`() {
        var limits = RoomFeed.Limits()
        limits.sparePages = 3
        var feed = RoomFeed(limits: limits)
        _ = feed.handle(.join(1, room, after: 0, seq: 10))
        var next = 1
        var last: [String] = []
        for _ in 0..<10 where !last.contains("too slow 1") {
            last = descriptions(feed.handle(.found(1, .events(events(next...(next + 9)), more: true))))
            next += 10
            if !last.contains("too slow 1") { last = descriptions(feed.handle(.ready(1))) }
        }
        #expect(last == ["too slow 1"])
        #expect(next == 51)
    }

    @Test func `a subscriber that left is sent nothing, and is removed`() {
        var feed = live(1, 2, 3, after: 5)
        _ = feed.handle(.left(1))
        _ = feed.handle(.left(2))
        #expect(descriptions(feed.handle(.published(room, events(6...6)))) == ["send [3] 6-6"])
        _ = feed.handle(.left(3))
        #expect(feed.count == 0)
        #expect(descriptions(feed.handle(.published(room, events(7...7)))).isEmpty)
    }

    @Test func `groups with different cursors merge at the first event that both lack`() {
        var feed = live(1, after: 5)
        _ = feed.handle(.join(2, room, after: 7, seq: 7))
        _ = feed.handle(.found(2, .nothingNew))
        #expect(descriptions(feed.handle(.published(room, events(6...7)))) == ["send [1] 6-7"])
        #expect(descriptions(feed.handle(.published(room, events(8...8)))) == ["send [2] 8-8", "send [1] 8-8"])
        #expect(descriptions(feed.handle(.published(room, events(9...9)))) == ["send [2, 1] 9-9"])
    }

    @Test func `events that were published to long-polls alone follow for streams alone, together with later ones`() {
        var feed = live(1, 2, after: 5)
        for id in 3...4 as ClosedRange<RoomFeed.ID> {
            _ = feed.handle(.wait(id, room, .init(after: 5, limit: 10, deadline: 1000)))
            _ = feed.handle(.found(id, .nothingNew))
        }
        #expect(feed.hasLiveStreams(in: room) && !feed.hasLiveStreams(in: RoomID(bits: 2)))
        #expect(descriptions(feed.handle(.published(room, events(6...6), to: .polls))) == ["respond [3, 4]"])
        // A stream that joins meanwhile has the first one from memory, and a long-poll that comes now is not answered with it.
        _ = feed.handle(.join(5, room, after: 5, seq: 6))
        _ = feed.handle(.found(5, .events(events(6...6), more: false)))
        _ = feed.handle(.wait(6, room, .init(after: 5, limit: 10, deadline: 1000)))
        let sent = descriptions(feed.handle(.published(room, events(6...7), to: .streams)))
        #expect(sent == ["send [1, 2] 6-7", "send [5] 7-7"])
        #expect(descriptions(feed.handle(.found(6, .events(events(6...7), more: false)))) == ["respond [6]"])
        #expect(descriptions(feed.handle(.published(room, events(8...8)))) == ["send [1, 2, 5] 8-8"])
    }

    @Test(arguments: 1...20) func `in any order of reads and publications, no subscriber misses or repeats an event`(
        seed: UInt64
    ) {
        var simulation = FeedSimulation(seed: seed)
        for _ in 0..<2000 { simulation.step() }
        simulation.settle()
        #expect(simulation.violations == [])
        #expect(simulation.delivered > 1000)
    }
}

/// A room that grows while subscribers join, read slowly and leave, and while its events are held back from streams at times.
private struct FeedSimulation {
    private var feed = RoomFeed(
        limits: {
            var limits = RoomFeed.Limits(); limits.pageEvents = 8; limits.pageBytes = 200; return limits
        }())
    private var held = HeldEvents(limit: 8)
    private let room = RoomID(bits: 1)
    private var state: UInt64
    private var last = 0
    private var lastID: RoomFeed.ID = 0
    private var seen: [RoomFeed.ID: Int] = [:]
    private var waiting: [RoomFeed.Input] = []
    private var polls: Set<RoomFeed.ID> = []
    private(set) var violations: [String] = []
    private(set) var delivered = 0

    init(seed: UInt64) { state = seed }

    private mutating func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    /// The feed keeps subscribers that have left in its lists for a while, so no identifier is used twice.
    private mutating func newID() -> RoomFeed.ID {
        lastID += 1
        return lastID
    }

    private func events(after: Int, limit: Int) -> [StoredEvent] {
        guard after < last else { return [] }
        return (after + 1...min(after + limit, last)).map { seq in
            StoredEvent(
                seq: seq, at: Timestamp(milliseconds: 0), type: "t", publicBytes: Array(repeating: 0, count: 20),
                privateBytes: nil,
                hash: .zero)
        }
    }

    mutating func step() {
        switch random(10) {
        case 0...3:
            let before = last
            last += 1 + random(3)
            publish(events(after: before, limit: 10))
        case 4:
            let after = random(last + 1)
            let id = newID()
            seen[id] = after
            perform(feed.handle(.join(id, room, after: after, seq: last)))
        case 6:
            let id = 1_000_000 + newID()
            // A long-poll asks again from the log what memory does not have, so these begin within it.
            seen[id] = max(last - random(10), 0)
            perform(poll(id))
        case 7: perform(feed.handle(.tick(Int64(last))))
        case 5:
            guard let id = seen.keys.sorted().first, seen.count > 5 else { return }
            seen[id] = nil
            perform(feed.handle(.left(id)))
        default: deliverOne()
        }
    }

    mutating func settle() {
        publishHeld()
        while !waiting.isEmpty { deliverOne() }
        for id in polls { seen[id] = seen[id] == last ? nil : seen[id] }
        for (id, seq) in seen where seq != last { violations.append("\(id) ended at \(seq), not \(last)") }
    }

    private mutating func publish(_ events: [StoredEvent]) {
        if !held.isEmpty, random(4) == 0 { publishHeld() }
        guard feed.hasLiveStreams(in: room), !held.isEmpty || random(3) == 0 else {
            return perform(feed.handle(.published(room, events)))
        }
        held.add(events, of: room)
        perform(feed.handle(.published(room, events, to: .polls)))
    }

    private mutating func publishHeld() {
        while let (room, events) = held.next() { perform(feed.handle(.published(room, events, to: .streams))) }
    }

    private mutating func poll(_ id: RoomFeed.ID) -> [RoomFeed.Directive] {
        polls.insert(id)
        let deadline = Int64(last + random(20))
        return feed.handle(.wait(id, room, .init(after: seen[id] ?? 0, limit: 1 + random(4), deadline: deadline)))
    }

    private mutating func deliverOne() {
        guard !waiting.isEmpty else { return }
        perform(feed.handle(waiting.remove(at: random(waiting.count))))
    }

    private mutating func perform(_ directives: [RoomFeed.Directive]) {
        var rest = directives[...]
        while let directive = rest.popFirst() {
            switch directive {
            case .readMemory(let id, let after, let limit):
                let page = limit ?? 8
                let recent: CommittedRoom.Recent =
                    after >= last
                    ? .nothingNew
                    : after < last - 20 ? .tooOld : .events(events(after: after, limit: page), more: last - after > page)
                rest += feed.handle(.found(id, recent))
            case .read(let id, let after): waiting.append(.page(id, events(after: after, limit: 8)))
            case .sendPage(let id, let events):
                take(events, [id])
                waiting.append(.ready(id))
            case .send(let ids, let events): take(events, ids)
            case .tooSlow(let id):
                seen[id] = nil
                rest += feed.handle(.left(id))
            case .caughtUp: break
            case .respond(let response):
                for id in response.ids where seen[id] != nil {
                    take(response.events, [id])
                    polls.remove(id)
                    let after = seen.removeValue(forKey: id)
                    // The client polls again.
                    guard after != last || random(2) == 0 else { continue }
                    let next = 1_000_000 + newID()
                    seen[next] = after
                    rest += poll(next)
                }
            }
        }
    }

    private mutating func take(_ events: ArraySlice<StoredEvent>, _ ids: [RoomFeed.ID]) {
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
