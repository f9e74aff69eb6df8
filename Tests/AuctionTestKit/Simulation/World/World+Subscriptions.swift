internal import AuctionDomain
internal import AuctionService
internal import EventLog

// The event loops of the processes: requests for events, and the directives of the subscriptions.
extension World {
    /// Serves a poll or a stream: from memory, from the log, or by holding it or loading its room.
    func serve(_ id: UInt64, on node: SimulatedNode) {
        guard let poll = node.polls[id] else { return }
        guard let room = node.rooms[poll.room] else {
            trace.note("\(time) \(node.name) has \(poll.room) loaded for reader \(poll.reader)")
            return post(.ensureLoaded(poll.room, reply(to: id)), to: node)
        }
        let user = caller(poll, room).person.id
        let last = room.view.room.seq
        if poll.stream != nil, poll.after <= last, room.view.room.isVisible(to: user) { return subscribe(id, room, on: node) }
        let request = EventsRequest(
            after: poll.after, limit: poll.limit, user: user, mayWait: true, mayRefresh: isShared && !poll.wasRefreshed)
        switch request.action(in: room) {
        case .respond(let events, _): respond(to: id, events, on: node)
        case .readLog(let last): plan(on: node, in: pause()) { $0.readPage(id, upTo: last, on: $1) }
        case .wait: subscribe(id, room, on: node)
        case .refresh:
            node.polls[id]?.wasRefreshed = true
            trace.note("\(time) \(node.name) refreshes \(poll.room) for reader \(poll.reader)")
            post(.refresh(poll.room, reply(to: id)), to: node)
        case .beyond:
            if !isShared { report("stream", "a reader of \(poll.room) was sent events beyond the log's head: \(poll.after)") }
            fail(id, on: node)
        case .notFound: respondNotFound(id, on: node)
        }
    }

    /// The user for whom access is checked; with a planted bug the host, who sees every room.
    private func caller(_ poll: SimulatedNode.Poll, _ room: CommittedRoom) -> Principal {
        guard options.bug == .strangersRead else { return poll.principal }
        let (host, token) = (room.view.room.host, poll.principal)
        return Principal(
            person: host, expiresAt: token.expiresAt, issuedAt: token.issuedAt, source: token.source, tokenID: nil)
    }

    /// The event loop that has a client's connection.
    func loop(of exchange: UInt64) -> Int { Int(exchange % UInt64(SimulatedNode.loopCount)) }

    private func reply(to id: UInt64) -> ReplyAddress { ReplyAddress(loop: loop(of: id), exchange: id) }

    private func subscribe(_ id: UInt64, _ room: CommittedRoom, on node: SimulatedNode) {
        guard let poll = node.polls[id], node.rooms.watch(room) else { return }
        if poll.stream != nil, options.bug == .streamNotWatched { room.endWatching() }
        node.polls[id]?.watched = room
        node.polls[id]?.since = time
        planTokenCheck(node, loop(of: id))
        let (principal, now, loop) = (caller(poll, room), now(node), loop(of: id))
        if poll.stream != nil {
            perform(node.loops[loop].subscriptions.join(id, room, principal, after: poll.after, at: now), on: node, loop)
        } else {
            let wait = Subscriptions.Poll(
                after: poll.after, limit: poll.limit, deadline: now.monotonic + poll.wait * 1_000_000)
            perform(node.loops[loop].subscriptions.wait(id, room, principal, for: wait, at: now), on: node, loop)
        }
    }

    func perform(_ directives: [Subscriptions.Directive], on node: SimulatedNode, _ loop: Int) {
        for directive in directives {
            switch directive {
            case .read(let id, let room, let after, let limit):
                plan(on: node, in: pause()) { $0.streamPage(id, room, after: after, limit: limit, on: $1) }
            case .sendPage(let id, let events): sendPage(events, to: id, on: node)
            case .send(let ids, let events):
                let reached = options.bug == .streamGroupForgotten ? Array(ids.prefix(1)) : ids
                for id in reached { push(events, to: id, on: node) }
            case .close(let ids, .token(let error)): for id in ids { refuse(id, error, on: node) }
            case .refuse(let id, let error): refuse(id, error, on: node)
            case .close(let ids, let reason):
                if options.bug == .bannedStreamsOn, reason == .forbidden { continue }
                for id in ids { close(id, reason, on: node) }
            case .respond(let response): respond(response, on: node)
            case .presence(let changes): reportPresence(changes, on: node)
            }
        }
        planSubscriptionsTick(node, loop)
    }

    private func respond(_ response: PollResponse, on node: SimulatedNode) {
        let ids = options.bug == .pollGroupForgotten ? response.ids.prefix(1) : response.ids[...]
        for id in ids {
            guard let poll = node.loops[loop(of: id)].subscriptions.takePoll(id, at: now(node).monotonic) else { continue }
            if let taken = node.polls[id] { subscriptionEnded(taken, on: node) }
            if poll.maySeeEvents || options.bug == .bannedReadOn {
                respond(to: id, Array(response.events), on: node)
            } else {
                respondNotFound(id, on: node)
            }
        }
    }

    func streamPage(_ id: UInt64, _ room: RoomID, after: Int, limit: Int, on node: SimulatedNode) {
        guard node.polls[id] != nil else { return }
        let events = Result { () throws(EventLogError) in
            try reachableLog(by: node).events(of: room, after: after, limit: limit)
        }
        let loop = loop(of: id)
        perform(node.loops[loop].subscriptions.page(id, events), on: node, loop)
    }

    func streamReady(_ id: UInt64, on node: SimulatedNode) {
        let loop = loop(of: id)
        perform(node.loops[loop].subscriptions.ready(id), on: node, loop)
    }

    func subscriptionsTick(_ node: SimulatedNode, _ loop: Int) {
        node.loops[loop].plannedTick = nil
        perform(node.loops[loop].subscriptions.tick(now(node).monotonic), on: node, loop)
    }

    private func planSubscriptionsTick(_ node: SimulatedNode, _ loop: Int) {
        guard let due = node.loops[loop].subscriptions.nextTick.map({ $0 / 1_000_000 + 1 }) else { return }
        if let planned = node.loops[loop].plannedTick, planned <= due { return }
        node.loops[loop].plannedTick = due
        plan(on: node, at: max(time, due)) { $0.subscriptionsTick($1, loop) }
    }

    /// `ServiceClock.uptime`, which all simulated processes share.
    var uptime: Int64 { time * 1_000_000 }

    /// Checks what the `Age` of a response is computed from: a process that says that it knew everything at an instant has all events
    /// that were stored before.
    func checkAge(of id: RoomID, on node: SimulatedNode) {
        guard isShared, let room = node.rooms[id] else { return }
        let (seq, confirmed) = (room.view.room.seq, room.confirmedAt / 1_000_000)
        guard let stored = transcript.storedAt[id]?[seq + 1], stored < confirmed else { return }
        report("age", "\(node.name) has \(id) up to \(seq) as of \(confirmed), but seq \(seq + 1) was stored at \(stored)")
    }

    // MARK: - Streams

    private func sendPage(_ events: ArraySlice<StoredEvent>, to id: UInt64, on node: SimulatedNode) {
        push(events, to: id, on: node)
        if options.bug == .streamPageDoubled { push(events, to: id, on: node) }
        guard let poll = node.polls[id], options.bug != .streamForgottenAfterPage else { return }
        let (slow, fast) = (network.amount(500...30_000), network.amount(0...60))
        let isSlow = readers[poll.reader].isSlow && !isFaultFree && options.faults.contains(.slowReader)
        plan(on: node, in: isSlow ? slow : fast) { $0.streamReady(id, on: $1) }
    }

    private func push(_ events: ArraySlice<StoredEvent>, to id: UInt64, on node: SimulatedNode) {
        guard let poll = node.polls[id], let stream = poll.stream, let last = events.last?.seq else { return }
        expectValidToken(of: poll, on: node)
        if let seq = node.rooms[poll.room]?.view.room.seq {
            transcript.subscriptions[readers[poll.reader].subscription].pages.append(SentPage(through: last, seq: seq))
        }
        let (latency, isLost) = (latency(), isDropped())
        // A lost segment is sent again by the kernel or ends the connection; nothing after it arrives.
        if isLost { return plan(in: 0) { $0.hangUp(poll.reader, id) } }
        let due = options.bug == .streamReordered ? time + latency : max(stream.due, time + latency)
        node.polls[id]?.stream?.due = due
        plan(at: due) { $0.streamReceived(poll.reader, id, Array(events)) }
    }

    /// The service closes a stream; the reader connects again after it has received what was sent before.
    private func close(_ id: UInt64, _ reason: Subscriptions.CloseReason, on node: SimulatedNode) {
        if reason == .tooSlow, options.bug == .streamTooSlowIgnored { return }
        guard let poll = node.polls.removeValue(forKey: id) else { return }
        leave(id, poll, on: node)
        let wait: Int64 = reason == .forbidden || reason == .roomGone ? 3000 : 0
        plan(in: max(0, (poll.stream?.due ?? time) - time) + wait) { $0.pollFailed(poll.reader, id) }
    }

    /// A connection has ended.
    func leave(_ id: UInt64, _ poll: SimulatedNode.Poll, on node: SimulatedNode) {
        guard let room = poll.watched else { return }
        if poll.stream != nil {
            if options.bug == .streamNotLeft { return }
            if options.bug == .streamNotWatched { _ = node.rooms.watch(room) }
        }
        subscriptionEnded(poll, on: node)
        let loop = loop(of: id)
        node.loops[loop].subscriptions.leave(id, at: now(node).monotonic)
        planSubscriptionsTick(node, loop)
    }

    /// At the end of a run: every subscriber that a process keeps has a connection.
    func expectNoForgottenSubscribers() {
        for node in nodes {
            let open = node.polls.values.count { $0.watched != nil }
            let kept = node.loops.reduce(0) { $0 + $1.subscriptions.count }
            if kept != open { report("subscribers", "\(node.name) keeps \(kept) subscribers for \(open) connections") }
        }
    }
}
