internal import AuctionDomain
internal import AuctionService
internal import EventLog

// The readers: what they request, by polls or by a stream that they keep open, and what they receive.
extension World {
    static let pageLimit = 100

    func addReader(_ person: Person, of room: RoomID, after: Int = 0) {
        transcript.subscriptions.append(Subscription(room: room, start: after, cursor: after, reader: person))
        var reader = Reader(person: person, room: room, subscription: transcript.subscriptions.count - 1)
        reader.isSlow = network.once(in: 4)
        reader.hasStream = habits.once(in: 2)
        readers.append(reader)
        let index = readers.count - 1
        plan(in: 1) { $0.poll(index) }
    }

    func poll(_ index: Int) {
        if readers[index].hasStream { return connect(index) }
        guard let (poll, node, latency) = begin(index) else { return }
        let (hangsUp, hangUpDelay) = (network.once(in: 12), network.amount(50...5000))
        if isDropped() {
            plan(in: 3000) { $0.pollFailed(index, poll) }
        } else {
            plan(in: latency) { $0.pollArrives(index, $0.nodes[node], poll) }
            if hangsUp, !isFaultFree, options.faults.contains(.slowReader) {
                plan(in: latency + hangUpDelay) { $0.hangUp(index, poll) }
            }
        }
    }

    /// The number, the node and the latency of a reader's next poll or stream; nil while it is idle, after which it polls again.
    private func begin(_ index: Int) -> (poll: UInt64, node: Int, latency: Int64)? {
        guard time >= idleUntil else {
            plan(in: idleUntil - time + Int64(index)) { $0.poll(index) }
            return nil
        }
        let poll = nextPoll
        nextPoll += 1
        readers[index].poll = poll
        // Without faults all readers stay with one process, so that a run comes to rest sooner.
        let (any, latency) = (network.roll(0...(nodes.count - 1)), latency())
        return (poll, isFaultFree ? 0 : any, latency)
    }

    /// The verified caller of a poll or a stream that arrives; nil if it was given up, or is refused.
    private func arrived(_ index: Int, _ node: SimulatedNode, _ poll: UInt64) -> Principal? {
        guard readers[index].poll == poll else { return nil }
        if node.isServing || node.failure != nil, let principal = verifiedToken(of: index, on: node) { return principal }
        plan(in: 300) { $0.pollFailed(index, poll) }
        return nil
    }

    func pollArrives(_ index: Int, _ node: SimulatedNode, _ poll: UInt64) {
        guard let principal = arrived(index, node, poll) else { return }
        let cursor = transcript.subscriptions[readers[index].subscription].cursor
        node.polls[poll] = .init(
            reader: index, room: readers[index].room, after: cursor, limit: network.roll(1...Self.pageLimit),
            wait: isFaultFree ? 25_000 : network.amount(500...25_000), principal: principal)
        serve(poll, on: node)
    }

    /// Opens a stream. It delivers everything in order until it breaks; the reader then connects again, to any process, from its cursor.
    func connect(_ index: Int) {
        guard let (id, node, latency) = begin(index) else { return }
        let (breaks, lifetime) = (network.once(in: 3), network.amount(50...20_000))
        if isDropped() { return plan(in: 3000) { $0.pollFailed(index, id) } }
        plan(in: latency) { $0.streamArrives(index, $0.nodes[node], id) }
        if breaks, !isFaultFree, options.faults.contains(.slowReader) {
            plan(in: latency + lifetime) { $0.hangUp(index, id) }
        }
    }

    func streamArrives(_ index: Int, _ node: SimulatedNode, _ id: UInt64) {
        guard let principal = arrived(index, node, id) else { return }
        var cursor = transcript.subscriptions[readers[index].subscription].cursor
        switch options.bug {
        case .streamResumedTooEarly where cursor > 0: cursor -= 1
        case .streamResumedAtHead where cursor > 0: cursor = max(cursor, node.rooms[readers[index].room]?.view.room.seq ?? 0)
        default: break
        }
        node.polls[id] = .init(
            reader: index, room: readers[index].room, after: cursor, limit: 0, wait: 0, principal: principal,
            stream: .init(due: time))
        serve(id, on: node)
    }

    func streamReceived(_ index: Int, _ id: UInt64, _ events: [StoredEvent]) {
        guard readers[index].poll == id else { return }
        receive(events, index)
    }

    /// Responds that the room does not exist, to a reader who may not see it; the reader retries later.
    func respondNotFound(_ id: UInt64, on node: SimulatedNode) {
        guard let poll = node.polls.removeValue(forKey: id) else { return }
        plan(in: 3000 + latency()) { $0.pollFailed(poll.reader, id) }
    }

    func loadFinished(_ exchange: UInt64, _ error: EventLogError?, on node: SimulatedNode) {
        guard let room = node.polls[exchange]?.room else { return }
        guard error == nil, node.rooms[room] != nil, let reader = node.polls[exchange]?.reader,
            let principal = verifiedToken(of: reader, on: node)
        else { return fail(exchange, on: node) }
        node.polls[exchange]?.principal = principal
        serve(exchange, on: node)
    }

    func readPage(_ id: UInt64, upTo seq: Int, on node: SimulatedNode) {
        guard let poll = node.polls[id] else { return }
        guard let room = node.rooms[poll.room],
            case .success(let page) = Result(catching: { () throws(EventLogError) in
                try room.eventsFromLog(after: poll.after, upTo: seq, limit: poll.limit, from: reachableLog(by: node))
            })
        else { return fail(id, on: node) }
        respond(to: id, page.events, on: node)
    }

    func respond(to id: UInt64, _ events: [StoredEvent], on node: SimulatedNode) {
        guard let poll = node.polls.removeValue(forKey: id) else { return }
        // A request that is not held is served as it was verified.
        if poll.watched != nil, !events.isEmpty { expectValidToken(of: poll, on: node) }
        checkAge(of: poll.room, on: node)
        if let last = events.last?.seq, let seq = node.rooms[poll.room]?.view.room.seq {
            transcript.subscriptions[readers[poll.reader].subscription].pages.append(SentPage(through: last, seq: seq))
        }
        let latency = latency()
        if isDropped() {
            plan(in: 3000) { $0.pollFailed(poll.reader, id) }
        } else {
            let received = corrupted(events, id)
            plan(in: latency) { $0.pageReceived(poll.reader, id, received, after: poll.after) }
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

    func fail(_ id: UInt64, on node: SimulatedNode) {
        guard let poll = node.polls.removeValue(forKey: id) else { return }
        plan(in: 300 + latency()) { $0.pollFailed(poll.reader, id) }
    }

    func pageReceived(_ index: Int, _ poll: UInt64, _ events: [StoredEvent], after: Int) {
        guard readers[index].poll == poll else { return }
        let subscription = readers[index].subscription
        transcript.subscriptions[subscription].cursor = after
        receive(events, index)
        let (rests, long, short) = (network.once(in: 3), network.amount(500...30_000), network.amount(0...60))
        let isSlow = readers[index].isSlow && rests && !isFaultFree && options.faults.contains(.slowReader)
        plan(in: isSlow ? long : short) { $0.poll(index) }
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
        plan(in: network.amount(1...400)) { $0.poll(index) }
    }

    func hangUp(_ index: Int, _ id: UInt64) {
        guard readers[index].poll == id else { return }
        for node in nodes {
            guard let poll = node.polls.removeValue(forKey: id) else { continue }
            leave(id, poll, on: node)
        }
        let long = network.once(in: 3)
        plan(in: long ? network.amount(10_000...60_000) : network.amount(1...3000)) { $0.poll(index) }
        readers[index].poll = 0
    }
}
