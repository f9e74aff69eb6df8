internal import AuctionDomain
internal import AuctionService
internal import EventLog

// Long-polls: the event loops that hold them and the readers that send them.
extension World {
    static let pageLimit = 100

    func addReader(_ person: Person, of room: RoomID, after: Int = 0) {
        transcript.subscriptions.append(Subscription(room: room, start: after, cursor: after, reader: person))
        var reader = Reader(person: person, room: room, subscription: transcript.subscriptions.count - 1)
        reader.isSlow = network.once(in: 4)
        reader.hasStream = habits.once(in: 2)
        readers.append(reader)
        plan(.poll(reader: readers.count - 1), in: 1)
    }

    func poll(_ index: Int) {
        if readers[index].hasStream { return connect(index) }
        guard time >= idleUntil else { return plan(.poll(reader: index), in: idleUntil - time + Int64(index)) }
        readers[index].poll = nextPoll
        // Presence is per process, so a host who alternates between processes would leave and return for ever.
        let (any, latency) = (network.roll(0...(nodes.count - 1)), latency())
        let node = isFaultFree ? 0 : any
        let (hangsUp, hangUpDelay) = (network.once(in: 12), network.amount(50...5000))
        if isDropped() {
            plan(.pollFailed(reader: index, poll: nextPoll), in: 3000)
        } else {
            plan(.pollArrives(reader: index, node: node, poll: nextPoll), in: latency)
            if hangsUp, !isFaultFree, options.faults.contains(.slowReader) {
                plan(.hangUp(reader: index, poll: nextPoll), in: latency + hangUpDelay)
            }
        }
        nextPoll += 1
    }

    func pollArrives(_ index: Int, _ node: SimulatedNode, _ poll: UInt64) {
        guard readers[index].poll == poll else { return }
        guard node.isServing || node.failure != nil else { return plan(.pollFailed(reader: index, poll: poll), in: 300) }
        let cursor = transcript.subscriptions[readers[index].subscription].cursor
        node.polls[poll] = .init(
            reader: index, room: readers[index].room, after: cursor, limit: network.roll(1...Self.pageLimit),
            wait: isFaultFree ? 25_000 : network.amount(500...25_000))
        serve(poll, on: node)
    }

    /// Serves a poll or a stream like an event loop: from memory, from the log, or by holding it or loading its room.
    func serve(_ id: UInt64, on node: SimulatedNode) {
        guard let poll = node.polls[id] else { return }
        guard let room = node.rooms[poll.room] else {
            trace.note("\(time) \(node.name) has \(poll.room) loaded for reader \(poll.reader)")
            return post(.ensureLoaded(poll.room, ReplyAddress(loop: 1, exchange: id)), to: node)
        }
        let seen = room.view.room
        guard maySee(seen, poll) else { return answerNotFound(id, on: node) }
        if poll.stream != nil, poll.after <= seen.seq { return join(id, poll, room, on: node) }
        switch room.recent(after: poll.after, limit: poll.limit) {
        case .events(let events, _): answer(id, events, on: node)
        case .tooOld: plan(.page(node.name, poll: id, upTo: seen.seq), in: pause())
        case .nothingNew: hold(id, poll, room, on: node)
        case .beyond:
            guard isShared else {
                report("stream", "a reader of \(poll.room) was sent events beyond the log's head: \(poll.after)")
                return fail(id, on: node)
            }
            guard !poll.wasRefreshed else { return fail(id, on: node) }
            // The reader has read newer events on another process.
            node.polls[id]?.wasRefreshed = true
            trace.note("\(time) \(node.name) refreshes \(poll.room) for reader \(poll.reader)")
            post(.refresh(poll.room, ReplyAddress(loop: 1, exchange: id)), to: node)
        }
    }

    private func maySee(_ room: Room, _ poll: SimulatedNode.Poll) -> Bool {
        options.bug == .strangersRead || room.isVisible(to: readers[poll.reader].person.id)
    }

    /// Responds that the room does not exist, to a reader who may not see it; the reader retries later.
    private func answerNotFound(_ id: UInt64, on node: SimulatedNode) {
        guard let poll = node.polls.removeValue(forKey: id) else { return }
        plan(.pollFailed(reader: poll.reader, poll: id), in: 3000 + latency())
    }

    private func hold(_ id: UInt64, _ poll: SimulatedNode.Poll, _ room: CommittedRoom, on node: SimulatedNode) {
        room.beginWatching()
        node.polls[id]?.watched = room
        let now = now(node)
        streamOpened(readers[poll.reader].person.id, poll.room, on: node)
        _ = node.feed.handle(
            .hold(
                LongPollFeed.Waiter(
                    exchange: id, room: poll.room, after: poll.after, limit: poll.limit,
                    deadline: now.monotonic + poll.wait * 1_000_000)), now: now)
        planFeedTick(node)
    }

    private func stopWatching(_ poll: SimulatedNode.Poll, on node: SimulatedNode) {
        guard let room = poll.watched else { return }
        room.endWatching()
        streamClosed(readers[poll.reader].person.id, poll.room, on: node)
    }

    func loadFinished(_ exchange: UInt64, _ error: EventLogError?, on node: SimulatedNode) {
        guard let room = node.polls[exchange]?.room else { return }
        guard error == nil, node.rooms[room] != nil else { return fail(exchange, on: node) }
        serve(exchange, on: node)
    }

    func readPage(_ id: UInt64, upTo seq: Int, on node: SimulatedNode) {
        guard let poll = node.polls[id] else { return }
        guard let room = node.rooms[poll.room],
            case .success(let page) = Result(catching: { () throws(EventLogError) in
                try room.eventsFromLog(after: poll.after, upTo: seq, limit: poll.limit, from: reachableLog(by: node))
            })
        else { return fail(id, on: node) }
        answer(id, page.events, on: node)
    }

    func release(_ releases: [LongPollFeed.Release], on node: SimulatedNode) {
        for release in releases {
            for exchange in release.exchanges {
                guard let poll = node.polls[exchange] else { continue }
                stopWatching(poll, on: node)
                // A reader who was banned meanwhile gets no more events of a private room.
                let isVisible = poll.watched.map { maySee($0.view.room, poll) } ?? true
                guard isVisible || options.bug == .bannedReadOn else {
                    answerNotFound(exchange, on: node)
                    continue
                }
                answer(exchange, Array(release.events), on: node)
            }
        }
        planFeedTick(node)
    }

    func feedTick(_ node: SimulatedNode) {
        node.plannedFeedTick = nil
        release(node.feed.handle(.tick, now: now(node)), on: node)
    }

    private func planFeedTick(_ node: SimulatedNode) {
        guard let due = node.feed.nextTick.map({ $0 / 1_000_000 + 1 }) else { return }
        if let planned = node.plannedFeedTick, planned <= due { return }
        node.plannedFeedTick = due
        eventQueue.add(.feedTick(node.name), at: max(time, due))
    }

    private func answer(_ id: UInt64, _ events: [StoredEvent], on node: SimulatedNode) {
        guard let poll = node.polls.removeValue(forKey: id) else { return }
        if let last = events.last?.seq, let seq = node.rooms[poll.room]?.view.room.seq {
            transcript.subscriptions[readers[poll.reader].subscription].pages.append(SentPage(through: last, seq: seq))
        }
        let latency = latency()
        if isDropped() {
            plan(.pollFailed(reader: poll.reader, poll: id), in: 3000)
        } else {
            plan(.pageReceived(reader: poll.reader, poll: id, corrupted(events, id), after: poll.after), in: latency)
        }
    }

    /// Applies planted bugs between the log and the reader.
    private func corrupted(_ events: [StoredEvent], _ id: UInt64) -> [StoredEvent] {
        guard id.isMultiple(of: 5), events.count > 1 else { return events }
        var corrupted = events
        switch options.bug {
        case .eventDropped: corrupted.remove(at: 0)
        case .eventRepeated: corrupted.insert(corrupted[0], at: 1)
        case .eventsReordered: corrupted.swapAt(0, 1)
        default: break
        }
        return corrupted
    }

    private func fail(_ id: UInt64, on node: SimulatedNode) {
        guard let poll = node.polls.removeValue(forKey: id) else { return }
        plan(.pollFailed(reader: poll.reader, poll: id), in: 300 + latency())
    }

    func pageReceived(_ index: Int, _ poll: UInt64, _ events: [StoredEvent], after: Int) {
        guard readers[index].poll == poll else { return }
        let subscription = readers[index].subscription
        transcript.subscriptions[subscription].cursor = after
        receive(events, index)
        let (rests, long, short) = (network.once(in: 3), network.amount(500...30_000), network.amount(0...60))
        let isSlow = readers[index].isSlow && rests && !isFaultFree && options.faults.contains(.slowReader)
        plan(.poll(reader: index), in: isSlow ? long : short)
    }

    /// The reader has received events, by a poll or a stream.
    func receive(_ events: [StoredEvent], _ index: Int) {
        guard let last = events.last else { return }
        let subscription = readers[index].subscription
        trace.note("\(time) reader \(index) has \(events[0].seq) to \(last.seq)")
        transcript.subscriptions[subscription].events += events
        transcript.subscriptions[subscription].cursor = last.seq
        for event in events { readers[index].clientView.read(event) }
    }

    func pollFailed(_ index: Int, _ poll: UInt64) {
        guard readers[index].poll == poll else { return }
        plan(.poll(reader: index), in: network.amount(1...400))
    }

    func hangUp(_ index: Int, _ id: UInt64) {
        guard readers[index].poll == id else { return }
        for node in nodes {
            guard let poll = node.polls.removeValue(forKey: id) else { continue }
            if poll.stream != nil {
                leaveStream(id, poll, on: node)
            } else {
                _ = node.feed.handle(.gone(exchange: id, poll.room), now: now(node))
                stopWatching(poll, on: node)
            }
        }
        let long = network.once(in: 3)
        plan(.poll(reader: index), in: long ? network.amount(10_000...60_000) : network.amount(1...3000))
        readers[index].poll = 0
    }
}
