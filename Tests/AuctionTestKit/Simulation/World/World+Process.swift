internal import AuctionDomain
internal import AuctionService
internal import EventLog

// The threads of the sequencers: turns, and the directives that they return.
extension World {
    /// Queues an input, or its parts, for the sequencers that it concerns.
    func post(_ input: Sequencer.Input, to node: SimulatedNode) {
        for part in parts(of: input, on: node) {
            node.sequencers[part.sequencer].inbox.append(part.input)
            planTurn(node, part.sequencer, in: pause())
        }
    }

    private func parts(of input: Sequencer.Input, on node: SimulatedNode) -> [(sequencer: Int, input: Sequencer.Input)] {
        var parts = node.routing.parts(of: input)
        switch (options.bug, input) {
        case (.othersNotRecovered, .recover): for index in parts.indices.dropFirst() { parts[index].input = .recover([]) }
        case (.completedByAnother, .completed): parts[0].sequencer = 0
        default: break
        }
        return parts
    }

    /// Delay of a thread in milliseconds.
    func pause() -> Int64 {
        let (short, long, isLong) = (process.amount(0...3), process.amount(5...400), process.once(in: 25))
        return isFaultFree || !options.faults.contains(.delay) ? 0 : isLong ? long : short
    }

    func planTurn(_ node: SimulatedNode, _ index: Int, in milliseconds: Int64) {
        guard !node.sequencers[index].isTurnPlanned else { return }
        node.sequencers[index].isTurnPlanned = true
        plan(.turn(node.name, sequencer: index), in: milliseconds)
    }

    func turn(_ node: SimulatedNode, _ index: Int) {
        let sequencer = node.sequencers[index]
        sequencer.isTurnPlanned = false
        let now = now(node)
        let count = min(sequencer.inbox.count, process.roll(1...16))
        let inputs = sequencer.inbox.prefix(count)
        sequencer.inbox.removeFirst(count)
        for input in inputs { sequencer.core.handle(input, now: now) }
        if sequencer.inbox.isEmpty, let tick = nextTick(of: sequencer, on: node), tick <= now.wall {
            sequencer.core.handle(.tick, now: now)
        }
        for directive in sequencer.endTurn() { perform(directive, on: node) }
        if !sequencer.inbox.isEmpty { planTurn(node, index, in: 0) }
        planTick(node, index)
    }

    private func nextTick(of sequencer: SimulatedSequencer, on node: SimulatedNode) -> Timestamp? {
        options.bug == .missedDeadlines && isShared && node.name.node > 0 ? nil : sequencer.core.nextTick
    }

    /// Plans the wake-up for a sequencer's next deadline, sometimes a few milliseconds late.
    private func planTick(_ node: SimulatedNode, _ index: Int) {
        let sequencer = node.sequencers[index]
        guard let tick = nextTick(of: sequencer, on: node) else { return }
        let late = process.once(in: 2) ? 0 : process.amount(0...8)
        let due = max(time, time + tick.milliseconds(since: now(node).wall)) + (isFaultFree ? 0 : late)
        if let planned = sequencer.plannedTick, planned <= due { return }
        sequencer.plannedTick = due
        eventQueue.add(.tick(node.name, sequencer: index), at: due)
    }

    private func perform(_ directive: Sequencer.Directive, on node: SimulatedNode) {
        switch directive {
        case .submit(let batch):
            node.submitted.append(batch)
            submitEarly(batch, on: node)
            planCommit(node)
        case .release(let responses): deliver(node.publisher.deliver(responses), from: node)
        case .load(let room):
            trace.note("\(time) \(node.name) loads \(room)")
            plan(.load(node.name, room), in: pause())
        case .loadFinished(let replies, let error):
            deliver(node.publisher.deliverLoadFinished(replies, error), from: node)
        case .replay(let position, let request): plan(.replay(node.name, position: position, request), in: pause())
        case .discard(let positions):
            // What cannot be discarded stays until it expires.
            _ = Result { () throws(EventLogError) in try reachableLog(by: node).discardResponses(at: positions) }
        case .catchUp(let room, let responsesAfter):
            plan(.catchUp(node.name, room, responsesAfter: responsesAfter), in: pause())
        case .publish(let room, let events, let readAt):
            trace.note("\(time) \(node.name) has loaded \(room.room.id) up to \(room.room.seq)")
            if isShared {
                node.remotelyAppended.insert(room.room.id)
                planLogPoll(node, in: Replication.pollMilliseconds)
            }
            deliver(node.publisher.publish(room, events, readAt: readAt), from: node)
        case .unpublish(let room): node.rooms.remove(room)
        case .snapshot(let room): snapshot(room, on: node)
        case .memoryFreed: break
        case .memoryExceeded: post(.sweep(watched: node.rooms.watched), to: node)
        case .recoveryRead: if node.recovery.partRead() { post(.extendDeadlines, to: node) }
        case .recovered(let part):
            guard let result = node.recovery.partFinished(part) else { return }
            trace.note(
                "\(time) \(node.name) serves\(result == .complete ? "" : ", and some deadlines are still to be extended")")
            node.isServing = node.failure == nil
            guard isShared else { return }
            if !isCut(node), servingSince[node.name.node] == nil { servingSince[node.name.node] = time }
            plan(.settle(node.name, result), in: pause())
        case .logFailed(let error):
            guard node.failure == nil else { return }
            trace.note("\(time) the log of \(node.name) has failed: \(error.code)")
            node.failure = error
            node.isServing = false
            post(.logFailed(error), to: node)
            plan(.restart(node: node.name.node), in: 20 + pause())
        }
    }

    /// Loads a room now; the sequencer receives the result later.
    func load(_ room: RoomID, on node: SimulatedNode) {
        let (wall, kept) = (now(node).wall, options.bug == .keysForgottenEarly ? Self.hour : 24 * Self.hour)
        let since = options.bug == .keysNeverExpire ? Timestamp(milliseconds: 0) : oldest(kept, on: node)
        var read = Result { () throws(EventLogError) in
            try RoomLoader.load(
                room, from: reachableLog(by: node),
                keys: WantedKeys(since: since, perOwner: limits.keysPerUser, total: limits.keysPerRoom),
                latest: isShared ? limits.recentEventsPerRoom : 0, readAt: uptime)
        }
        if options.bug == .keysNeverExpire { read = read.map { $0?.withKeys(readAt: wall) } }
        let fails = faults.once(in: 30)
        if fails, !isShared, !isFaultFree, options.faults.contains(.diskFailure) {
            trace.note("\(time) \(node.name) cannot load \(room)")
            read = .failure(EventLogError(.io, "the disk did not answer"))
        }
        plan(.post(node.name, .loaded(room, read)), in: pause())
    }

    /// Instant of the service's time at which an object of that age (milliseconds) was created.
    private func oldest(_ age: Int64, on node: SimulatedNode) -> Timestamp {
        now(node).instant(ofAge: age)
    }

    /// Loads remote appends now; the sequencer receives them later.
    func catchUp(_ room: ReplayedRoom, responsesAfter: Int64, on node: SimulatedNode) {
        let found = Result { () throws(EventLogError) in
            try RoomLoader.changes(room, in: reachableLog(by: node), responsesAfter: responsesAfter, readAt: uptime)
        }
        plan(.post(node.name, .caughtUp(room.room.id, found)), in: pause())
    }

    func replay(_ position: Int64, _ request: CommandRequest, on node: SimulatedNode) {
        let record = Result { () throws(EventLogError) in try reachableLog(by: node).storedResponse(at: position) }
        var response = node.encoder.failed(.logUnavailable, of: request, in: nil, at: now(node).wall)
        if case .success(let record?) = record { response = node.encoder.replayed(record) }
        if options.bug == .responseEncodedAgain, response.headers.contains(SimulatedResponseEncoder.replayed) {
            response = CommandResponse(
                status: response.status, headers: response.headers,
                body: response.body.dropLast() + Array(",\"again\":true}".utf8))
        }
        deliver(node.publisher.deliver([AddressedResponse(reply: request.reply, response: response)]), from: node)
    }

    private func snapshot(_ room: Room, on node: SimulatedNode) {
        let isLost = faults.once(in: 3)
        guard !(isLost && options.faults.contains(.eviction)) else {
            return plan(.post(node.name, .snapshotFinished(room.id, size: nil)), in: pause())
        }
        plan(.snapshot(node.name, room), in: pause())
    }

    func save(_ room: Room, on node: SimulatedNode) {
        let previous = node.previousSnapshot.updateValue(room, forKey: room.id)
        guard
            case .success(var snapshot) = Result(catching: { () throws(EventLogError) in
                try RoomReplay.snapshot(of: options.bug == .snapshotStale ? previous ?? room : room)
            })
        else { return report("snapshot", "\(room.id): no snapshot can be made") }
        if options.bug == .snapshotStale {
            snapshot = RoomSnapshot(room: room.id, seq: room.seq, bytes: snapshot.bytes)
        }
        let saved = snapshot
        let isSaved = Result { () throws(EventLogError) in try reachableLog(by: node).save([saved]) }
        post(.snapshotFinished(room.id, size: (try? isSaved.get()).map { saved.bytes.count }), to: node)
    }

    func sweep(_ node: SimulatedNode) {
        post(.sweep(watched: node.rooms.watched), to: node)
        guard !isFaultFree else { return }
        plan(.sweep(node.name), in: time < idleUntil ? min(600_000, idleUntil - time) : 3000)
    }

    func report(_ rule: String, _ text: String) {
        findings.append(SimulationFinding(rule: rule, text: "step \(step): \(text)"))
    }
}
