internal import AuctionDomain
internal import AuctionService
internal import EventLog

// Streams: server-sent events and WebSockets of readers that stay connected. A connection delivers everything in order until it
// breaks; the reader then connects again, to any process, from its cursor.
extension World {
    func connect(_ index: Int) {
        guard time >= idleUntil else { return plan(.poll(reader: index), in: idleUntil - time + Int64(index)) }
        let id = nextPoll
        nextPoll += 1
        readers[index].poll = id
        let (any, latency) = (network.roll(0...(nodes.count - 1)), latency())
        let (breaks, lifetime) = (network.once(in: 3), network.amount(50...20_000))
        if isDropped() { return plan(.pollFailed(reader: index, poll: id), in: 3000) }
        plan(.streamArrives(reader: index, node: isFaultFree ? 0 : any, stream: id), in: latency)
        if breaks, !isFaultFree, options.faults.contains(.slowReader) {
            plan(.hangUp(reader: index, poll: id), in: latency + lifetime)
        }
    }

    func streamArrives(_ index: Int, _ node: SimulatedNode, _ id: UInt64) {
        guard readers[index].poll == id else { return }
        guard node.isServing || node.failure != nil else { return plan(.pollFailed(reader: index, poll: id), in: 300) }
        var cursor = transcript.subscriptions[readers[index].subscription].cursor
        switch options.bug {
        case .streamResumedTooEarly where cursor > 0: cursor -= 1
        case .streamResumedAtHead where cursor > 0: cursor = max(cursor, node.rooms[readers[index].room]?.view.room.seq ?? 0)
        default: break
        }
        node.polls[id] = .init(
            reader: index, room: readers[index].room, after: cursor, limit: 0, wait: 0, stream: .init(due: time))
        serve(id, on: node)
    }

    /// Subscribes a connection whose room is in memory and visible to its reader.
    func join(_ id: UInt64, _ poll: SimulatedNode.Poll, _ room: CommittedRoom, on node: SimulatedNode) {
        if options.bug != .streamNotWatched { room.beginWatching() }
        node.polls[id]?.watched = room
        let user = readers[poll.reader].person.id
        streamOpened(user, poll.room, on: node)
        perform(node.liveStreams.join(id, room, user: user, after: poll.after), on: node)
    }

    func perform(_ directives: [RoomStreams.Directive], on node: SimulatedNode) {
        for directive in directives {
            switch directive {
            case .read(let id, let room, let after, let limit):
                plan(.streamPage(node.name, stream: id, room, after: after, limit: limit), in: pause())
            case .sendPage(let id, let events):
                push(events, to: id, on: node)
                if options.bug == .streamPageDoubled { push(events, to: id, on: node) }
                guard let poll = node.polls[id], options.bug != .streamForgottenAfterPage else { continue }
                let (slow, fast) = (network.amount(500...30_000), network.amount(0...60))
                let isSlow = readers[poll.reader].isSlow && !isFaultFree && options.faults.contains(.slowReader)
                plan(.streamReady(node.name, stream: id), in: isSlow ? slow : fast)
            case .send(let ids, let events):
                let reached = options.bug == .streamGroupForgotten ? Array(ids.prefix(1)) : ids
                for id in reached { push(events, to: id, on: node) }
            case .close(let ids, let reason):
                if options.bug == .bannedStreamsOn, reason == .forbidden { continue }
                for id in ids { close(id, reason, on: node) }
            }
        }
    }

    func streamPage(_ id: UInt64, _ room: RoomID, after: Int, limit: Int, on node: SimulatedNode) {
        guard node.polls[id] != nil else { return }
        let events = Result { () throws(EventLogError) in
            try reachableLog(by: node).events(of: room, after: after, limit: limit)
        }
        perform(node.liveStreams.page(id, events), on: node)
    }

    func streamReady(_ id: UInt64, on node: SimulatedNode) { perform(node.liveStreams.ready(id), on: node) }

    private func push(_ events: ArraySlice<StoredEvent>, to id: UInt64, on node: SimulatedNode) {
        guard let poll = node.polls[id], let stream = poll.stream, let last = events.last?.seq else { return }
        if let seq = node.rooms[poll.room]?.view.room.seq {
            transcript.subscriptions[readers[poll.reader].subscription].pages.append(SentPage(through: last, seq: seq))
        }
        let (latency, isLost) = (latency(), isDropped())
        // A lost segment is sent again by the kernel or ends the connection; nothing after it arrives.
        if isLost { return plan(.hangUp(reader: poll.reader, poll: id), in: 0) }
        let due = options.bug == .streamReordered ? time + latency : max(stream.due, time + latency)
        node.polls[id]?.stream?.due = due
        eventQueue.add(.streamReceived(reader: poll.reader, stream: id, Array(events)), at: due)
    }

    func streamReceived(_ index: Int, _ id: UInt64, _ events: [StoredEvent]) {
        guard readers[index].poll == id else { return }
        receive(events, index)
    }

    /// The service closes a stream; the reader connects again after it has received what was sent before.
    private func close(_ id: UInt64, _ reason: RoomStreams.CloseReason, on node: SimulatedNode) {
        if reason == .tooSlow, options.bug == .streamTooSlowIgnored { return }
        guard let poll = node.polls.removeValue(forKey: id) else { return }
        leaveStream(id, poll, on: node)
        let wait: Int64 = reason == .forbidden || reason == .roomGone ? 3000 : 0
        plan(.pollFailed(reader: poll.reader, poll: id), in: max(0, (poll.stream?.due ?? time) - time) + wait)
    }

    /// Ends a connection's subscription.
    func leaveStream(_ id: UInt64, _ poll: SimulatedNode.Poll, on node: SimulatedNode) {
        guard poll.stream != nil, let room = poll.watched else { return }
        if options.bug != .streamNotLeft { node.liveStreams.leave(id) }
        if options.bug != .streamNotWatched { room.endWatching() }
        streamClosed(readers[poll.reader].person.id, poll.room, on: node)
    }

    /// At the end of a run: every subscriber that a process keeps has a connection.
    func expectNoForgottenStreams() {
        for node in nodes {
            let open = node.polls.values.count { $0.stream != nil && $0.watched != nil }
            if node.liveStreams.count != open {
                report("subscribers", "\(node.name) keeps \(node.liveStreams.count) subscribers for \(open) connections")
            }
        }
    }
}
