internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// Someone who reads the events of all rooms, page by page, from any process; it keeps the position after what it has received.
struct FeedReader {
    var position = FeedPosition.beginning
    /// Number of the pending request; what comes late for an earlier one is ignored.
    var request = 0
    var received: [ReceivedFeedEvent] = []
}

/// An event as a reader of the feed received it.
struct ReceivedFeedEvent {
    let room: RoomID
    let event: StoredEvent
    /// Simulated time at which the process had read it from the log.
    let readAt: Int64
}

// Readers of the feed. A process may die after the commit of events and before they are numbered, which a reader at the feed's end does on
// any process; it may die or pause between reading a page and answering with it.
extension World {
    private static let feedTimeout: Int64 = 3000

    func addFeedReaders() {
        for index in 0..<2 {
            feedReaders.append(FeedReader())
            plan(in: 1) { $0.requestFeed(index) }
        }
    }

    private func requestFeed(_ index: Int) {
        guard time >= idleUntil else { return plan(in: idleUntil - time + Int64(index)) { $0.requestFeed(index) } }
        feedReaders[index].request += 1
        let request = feedReaders[index].request
        let (node, limit, isLost) = (feeds.roll(0...(nodes.count - 1)), feeds.roll(1...40), feeds.once(in: 25))
        plan(in: Self.feedTimeout) { $0.feedUnanswered(index, request) }
        if isLost, !isFaultFree, options.faults.contains(.drop) { return }
        plan(in: feedLatency()) { $0.readFeed($0.nodes[node], for: index, request, limit: limit) }
    }

    private func feedLatency() -> Int64 {
        let (usual, long, isLong) = (feeds.amount(1...25), feeds.amount(50...5000), feeds.once(in: 12))
        return isFaultFree || !options.faults.contains(.delay) ? 1 : isLong ? long : usual
    }

    private func readFeed(_ node: SimulatedNode, for index: Int, _ request: Int, limit: Int) {
        guard node.isServing, feedReaders[index].request == request else { return }
        let position = feedReaders[index].position
        guard
            case .success(.events(let events)) = Result(catching: { () throws(EventLogError) in
                try reachableLog(by: node).feed(after: position, limit: limit)
            })
        else { return }
        let page = corruptedFeed(events.map { ReceivedFeedEvent(room: $0.room, event: $0.event, readAt: time) })
        let next = events.last?.position ?? position
        plan(on: node, in: feedLatency()) { world, _ in world.receiveFeed(page, next, index, request) }
    }

    private func receiveFeed(_ page: [ReceivedFeedEvent], _ next: FeedPosition, _ index: Int, _ request: Int) {
        guard feedReaders[index].request == request else { return }
        feedReaders[index].received += page
        // The planted bug keeps the position of before.
        let keepsOld = options.bug == .feedPositionNotKept && feeds.once(in: 10)
        if !keepsOld { feedReaders[index].position = next }
        plan(in: page.isEmpty ? feeds.amount(20...400) : feeds.amount(0...20)) { $0.requestFeed(index) }
        feedReaders[index].request += 1
    }

    private func feedUnanswered(_ index: Int, _ request: Int) {
        if feedReaders[index].request == request { requestFeed(index) }
    }

    /// What the readers have not received when the run ends.
    func finishFeed() {
        for index in feedReaders.indices {
            while case .events(let events)? = try? log.log.feed(after: feedReaders[index].position, limit: 100),
                let last = events.last
            {
                feedReaders[index].received += events.map { ReceivedFeedEvent(room: $0.room, event: $0.event, readAt: time) }
                feedReaders[index].position = last.position
            }
        }
        transcript.feeds = feedReaders.map(\.received)
    }

    /// Applies planted bugs between the log and the reader.
    private func corruptedFeed(_ page: [ReceivedFeedEvent]) -> [ReceivedFeedEvent] {
        switch options.bug {
        case .feedBeforeCommit:
            defer { feedEarly = [] }
            return page + feedEarly.map { ReceivedFeedEvent(room: $0.room, event: $0.event, readAt: time) }
        case .feedPassesLateCommits:
            // As with a sequence whose numbers are given before the commit: a reader passes those that become visible later.
            return page.filter { received in
                let storedAt = transcript.storedAt[received.room]?[received.event.seq] ?? 0
                return storedAt + 100 < time || received.room == page.last?.room
            }
        case .feedOutOfOrder:
            guard page.count > 1, page[0].room == page[1].room else { return page }
            return [page[1], page[0]] + page[2...]
        default: return page
        }
    }
}
