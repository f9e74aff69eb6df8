internal import AuctionDomain
internal import AuctionService
internal import EventLog

// Processes that die and come back, clocks that somebody sets, and how everything heals in the end.
extension World {
    /// A process begins its life: it reads the log, moves the ends that its absence ate, then serves.
    func start(_ node: SimulatedNode) {
        if isShared { return beginShared(node) }
        trace.note("\(time) \(node.name) starts")
        node.hasStarted = true
        guard case .success(let open) = Result(catching: { () throws(EventLogError) in try log.log.openRooms() }) else {
            return
        }
        if time > 0 { note(.outage, at: clocks[node.name.node].wall(at: time)) }
        post(.recover(open), to: node)
        plan(.sweep(node.name), in: 3000)
    }

    /// What clients were promised: rounds that are open now do not end by themselves too soon.
    /// - Parameter since: What was due before is not meant; nil: everything is.
    func note(_ cause: Disturbance.Cause, at instant: Timestamp, since: Timestamp? = nil) {
        var heads: [RoomID: Int] = [:]
        for room in transcript.rooms { heads[room] = log.history(of: room).last?.seq }
        if since == nil {
            // Of a room to which nothing has happened since the last one this says it all; the clock may have been set back.
            for index in transcript.disturbances.indices {
                transcript.disturbances[index].rooms = transcript.disturbances[index].rooms.filter { heads[$0.key] != $0.value }
            }
        }
        transcript.disturbances.append(Disturbance(cause: cause, at: instant, since: since, noted: time, rooms: heads))
    }

    /// Between two steps something breaks, or not.
    func strike() {
        let (dies, long, short) = (faults.once(in: 45), faults.amount(1000...90_000), faults.amount(1...800))
        let (isLong, victim) = (faults.once(in: 3), faults.roll(0...(nodes.count - 1)))
        if dies, !isCalm, options.faults.contains(.crash) { crash(victim, for: isLong ? long : short) }
        if isShared { return strikeShared(victim) }
        let (steps, size) = (faults.once(in: 60), faults.roll(1...6))
        let (back, ahead) = (faults.amount(1...20_000), faults.amount(1500...200_000))
        guard steps, !isCalm, options.faults.contains(.clockStep) else { return }
        stepClock(victim, by: size <= 3 ? -back : ahead)
    }

    private func stepClock(_ index: Int, by milliseconds: Int64) {
        let before = clocks[index].wall(at: time)
        clocks[index].step(by: milliseconds)
        transcript.clockSteps += abs(milliseconds)
        trace.note("\(time) the clock of node \(index) is set by \(milliseconds) ms")
        let wall = clocks[index].wall(at: time)
        if milliseconds < 0 {
            // What was not noticed before the clock went back is measured from an instant that never came.
            transcript.disturbances.removeAll { time - $0.noted < 5000 }
            lastStepBack = time
        } else if nodes[index].isServing, time - lastStepBack > 5000 {
            // A round whose time was over before loses nothing, even if its end is stored only now.
            note(.clock, at: wall, since: before)
        }
        // A sleeping thread looks at the clock at least once a second.
        plan(.tick(nodes[index].name), in: faults.amount(0...1000))
    }

    /// What several processes may meet beyond what one does.
    private func strikeShared(_ victim: Int) {
        guard !isCalm else { return }
        let (all, away) = (faults.once(in: 120), faults.amount(100...20_000))
        if all, options.faults.contains(.crash) {
            trace.note("\(time) the power fails")
            for index in nodes.indices { crash(index, for: away + faults.amount(0...3000)) }
        }
        let (cut, long, short, isLong) = (
            faults.once(in: 30), faults.amount(3000...30_000), faults.amount(50...3000), faults.once(in: 2)
        )
        let how = [CutLink.reset, .silent, .late, .deaf][faults.roll(0...3)]
        guard cut, options.faults.contains(.cutLink) else { return }
        cutLink(of: victim, how, for: isLong ? long : short)
    }

    func crash(_ index: Int, for milliseconds: Int64) {
        trace.note("\(time) \(nodes[index].name) dies")
        end(index)
        plan(.restart(node: index), in: milliseconds)
    }

    /// The process is gone with everything it had in memory; who waited for it hears nothing.
    private func end(_ index: Int) {
        let node = nodes[index]
        endSpan(of: index)
        transcript.committed += transcript.rooms.compactMap { node.rooms[$0]?.view.room }
        for poll in node.polls.keys.sorted() {
            guard let reader = node.polls[poll]?.reader else { continue }
            plan(.pollFailed(reader: reader, poll: poll), in: 10 + latency())
        }
        nodes[index] = newNode(ProcessName(node: index, life: node.name.life + 1))
    }

    func restart(_ index: Int) {
        // A process that lost its log ends itself here; one that was killed has ended already.
        if nodes[index].failure != nil { end(index) }
        if !nodes[index].hasStarted { start(nodes[index]) }
    }

    /// Nothing breaks any more: all processes live, everything is read, and time passes until nothing is left to happen.
    func heal() {
        isCalm = true
        for index in nodes.indices { mendLink(of: index) }
        for round in 0..<20 {
            for node in nodes where !node.isServing && node.failure == nil { restart(node.name.node) }
            advance(to: time + 65_000)
            if round > 0, nodes.allSatisfy({ $0.sequencer.nextTick == nil && $0.sequencer.isIdle }) { break }
        }
        for index in nodes.indices { endSpan(of: index) }
        for node in nodes { transcript.committed += transcript.rooms.compactMap { node.rooms[$0]?.view.room } }
        for room in transcript.rooms {
            transcript.log[room] = log.history(of: room)
            if case .success(let history?) = Result(catching: { () throws(EventLogError) in
                try log.log.load(room, answersSince: Timestamp(milliseconds: 0))
            }) {
                transcript.snapshots[room] = history.snapshot
            }
        }
    }
}
