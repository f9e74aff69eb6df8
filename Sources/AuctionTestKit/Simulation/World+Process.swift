internal import AuctionDomain
internal import AuctionService
internal import EventLog

// What the sequencer's thread does in a process: turns, and what it is told to do in them.
extension World {
    func post(_ input: Sequencer.Input, to node: SimulatedNode) {
        node.inbox.append(input)
        planTurn(node, in: pause())
    }

    /// How long a thread takes to get to something.
    func pause() -> Int64 {
        let (short, long, isLong) = (process.amount(0...3), process.amount(5...400), process.once(in: 25))
        return isCalm || !options.faults.contains(.delay) ? 0 : isLong ? long : short
    }

    func planTurn(_ node: SimulatedNode, in milliseconds: Int64) {
        guard !node.isTurnPlanned else { return }
        node.isTurnPlanned = true
        plan(.turn(node.name), in: milliseconds)
    }

    func turn(_ node: SimulatedNode) {
        node.isTurnPlanned = false
        let now = now(node)
        let count = min(node.inbox.count, process.roll(1...16))
        let inputs = node.inbox.prefix(count)
        node.inbox.removeFirst(count)
        for input in inputs { node.sequencer.handle(input, now: now) }
        if node.inbox.isEmpty, let tick = nextTick(of: node), tick <= now.wall {
            node.sequencer.handle(.tick, now: now)
        }
        for directive in node.endTurn() { perform(directive, on: node) }
        if !node.inbox.isEmpty { planTurn(node, in: 0) }
        planTick(node)
    }

    private func nextTick(of node: SimulatedNode) -> Timestamp? {
        options.bug == .overdueForgotten && isShared && node.name.node > 0 ? nil : node.sequencer.nextTick
    }

    /// Wakes the sequencer when its next countdown ends, now and then a moment late.
    private func planTick(_ node: SimulatedNode) {
        guard let tick = nextTick(of: node) else { return }
        let late = process.once(in: 2) ? 0 : process.amount(0...8)
        let due = max(time, time + tick.milliseconds(since: now(node).wall)) + (isCalm ? 0 : late)
        if let planned = node.plannedTick, planned <= due { return }
        node.plannedTick = due
        agenda.add(.tick(node.name), at: due)
    }

    private func perform(_ directive: Sequencer.Directive, on node: SimulatedNode) {
        switch directive {
        case .submit(let batch):
            node.submitted.append(batch)
            submitEarly(batch, on: node)
            planCommit(node)
        case .release(let answers): deliver(SimulatedDelivery(answers: answers), from: node)
        case .load(let room):
            trace.note("\(time) \(node.name) is to read \(room)")
            plan(.load(node.name, room), in: pause())
        case .touched(let replies, let error):
            deliver(SimulatedDelivery(touched: replies.map { ($0.exchange, error) }), from: node)
        case .replay(let position, let request): plan(.replay(node.name, position: position, request), in: pause())
        case .catchUp(let room, let answersAfter): plan(.catchUp(node.name, room, answersAfter: answersAfter), in: pause())
        case .publish(let room, let events, _):
            trace.note("\(time) \(node.name) has read \(room.room.id) up to \(room.room.seq)")
            if isShared {
                node.unheard.insert(room.room.id)
                planLook(node, in: Following.pollMilliseconds)
            }
            let committed = node.rooms.publish(room.room, events)
            if committed.watchers > 0, !events.isEmpty {
                deliver(SimulatedDelivery(events: [(room.room.id, events)]), from: node)
            }
        case .unpublish(let room): node.rooms.remove(room)
        case .snapshot(let room): snapshot(room, on: node)
        case .crowded: post(.sweep(watched: node.rooms.watched), to: node)
        case .recovered(let isComplete):
            trace.note("\(time) \(node.name) serves\(isComplete ? "" : ", and some ends are still to be moved")")
            node.isServing = node.failure == nil
            guard isShared else { return }
            if !isCut(node), spanBegan[node.name.node] == nil { spanBegan[node.name.node] = time }
            plan(.settle(node.name, isComplete: isComplete), in: pause())
        case .logFailed(let error):
            trace.note("\(time) \(node.name) has lost its log: \(error.code)")
            node.failure = error
            node.isServing = false
            plan(.restart(node: node.name.node), in: 20 + pause())
        }
    }

    /// Reads now what the sequencer hears of later.
    func load(_ room: RoomID, on node: SimulatedNode) {
        let (wall, kept) = (now(node).wall, options.bug == .keysForgottenEarly ? Self.hour : 24 * Self.hour)
        let since = options.bug == .keysNeverExpire ? Timestamp(milliseconds: 0) : oldest(kept, on: node)
        var read = Result { () throws(EventLogError) in
            try RoomLoader.load(
                room, from: reached(by: node), answersSince: since, answersPerOwner: limits.keysPerUser,
                latest: isShared ? limits.recentEventsPerRoom : 0)
        }
        if options.bug == .keysNeverExpire { read = read.map { $0?.withKeys(readAt: wall) } }
        let fails = faults.once(in: 30)
        if fails, !isShared, !isCalm, options.faults.contains(.diskFailure) {
            trace.note("\(time) \(node.name) cannot read \(room)")
            read = .failure(EventLogError(.io, "the disk did not answer"))
        }
        plan(.post(node.name, .loaded(room, read)), in: pause())
    }

    /// When what is so old was made.
    private func oldest(_ age: Int64, on node: SimulatedNode) -> Timestamp {
        now(node).instant(ofAge: age)
    }

    /// Reads now what other processes appended.
    func catchUp(_ room: ReplayedRoom, answersAfter: Int64, on node: SimulatedNode) {
        let found = Result { () throws(EventLogError) in
            try RoomLoader.advance(room, in: reached(by: node), answersAfter: answersAfter)
        }
        plan(.post(node.name, .advanced(room.room.id, found)), in: pause())
    }

    func replay(_ position: Int64, _ request: CommandRequest, on node: SimulatedNode) {
        let record = Result { () throws(EventLogError) in try reached(by: node).answer(at: position) }
        var answer = node.encoder.failed(.logUnavailable, of: request, at: now(node).wall)
        if case .success(let record?) = record { answer = node.encoder.replayed(record) }
        if options.bug == .answerRenderedAnew, answer.headers.contains(SimulatedAnswers.replayed) {
            answer = Answer(
                status: answer.status, headers: answer.headers, body: answer.body.dropLast() + Array(",\"again\":true}".utf8))
        }
        deliver(SimulatedDelivery(answers: [AddressedAnswer(reply: request.reply, answer: answer)]), from: node)
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
        else { return find("snapshot", "\(room.id): no snapshot can be made") }
        if options.bug == .snapshotStale {
            snapshot = RoomSnapshot(room: room.id, seq: room.seq, bytes: snapshot.bytes)
        }
        let saved = snapshot
        let isSaved = Result { () throws(EventLogError) in try reached(by: node).save([saved]) }
        post(.snapshotFinished(room.id, size: (try? isSaved.get()).map { saved.bytes.count }), to: node)
    }

    func sweep(_ node: SimulatedNode) {
        post(.sweep(watched: node.rooms.watched), to: node)
        guard !isCalm else { return }
        plan(.sweep(node.name), in: time < nightEnds ? min(600_000, nightEnds - time) : 3000)
    }

    func find(_ rule: String, _ text: String) {
        findings.append(SimulationFinding(rule: rule, text: "step \(step): \(text)"))
    }
}
