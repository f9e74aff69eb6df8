internal import AuctionDomain
internal import AuctionService
internal import EventLog

// Processes that die and come back, clocks that somebody sets, and how everything heals in the end.
extension World {
    /// A process begins its life: it reads the log, moves the ends that its absence ate, then serves.
    func start(_ node: SimulatedNode, recovers: Bool = false) {
        trace.note("\(time) \(node.name) starts")
        node.hasStarted = true
        let isAlone = nodes.count == 1 || time == 0 || recovers
        guard isAlone, case .success(let open) = Result(catching: { () throws(EventLogError) in try log.log.openRooms() })
        else {
            // The end of one process among living ones is no outage. What a shared log needs beyond this (other processes'
            // events as they come) has its place here.
            node.isServing = true
            plan(.sweep(node.name), in: 3000)
            return
        }
        if time > 0, nodes.count == 1 { note(.outage, at: clocks[node.name.node].wall(at: time)) }
        post(.recover(open), to: node)
        plan(.sweep(node.name), in: 3000)
    }

    /// What clients were promised: rounds that are open now do not end by themselves too soon.
    private func note(_ cause: Disturbance.Cause, at instant: Timestamp) {
        var heads: [RoomID: Int] = [:]
        for room in transcript.rooms { heads[room] = log.history(of: room).last?.seq }
        transcript.disturbances.append(Disturbance(cause: cause, at: instant, noted: time, rooms: heads))
    }

    /// Between two steps something breaks, or not.
    func strike() {
        let (dies, long, short) = (faults.once(in: 45), faults.amount(1000...90_000), faults.amount(1...800))
        let (isLong, victim) = (faults.once(in: 3), faults.roll(0...(nodes.count - 1)))
        if dies, !isCalm, options.faults.contains(.crash) { crash(victim, for: isLong ? long : short) }
        let (steps, size) = (faults.once(in: 60), faults.roll(1...6))
        let (back, ahead) = (faults.amount(1...20_000), faults.amount(1500...200_000))
        guard steps, !isCalm, options.faults.contains(.clockStep) else { return }
        stepClock(victim, by: size <= 3 ? -back : ahead)
    }

    private func stepClock(_ index: Int, by milliseconds: Int64) {
        clocks[index].step(by: milliseconds)
        transcript.clockSteps += abs(milliseconds)
        trace.note("\(time) the clock of node \(index) is set by \(milliseconds) ms")
        let wall = clocks[index].wall(at: time)
        if milliseconds < 0 {
            // What was not noticed before the clock went back is measured from an instant that never came.
            transcript.disturbances.removeAll { time - $0.noted < 5000 }
            lastStepBack = time
        } else if nodes.count == 1, nodes[index].isServing, time - lastStepBack > 5000 {
            note(.clock, at: wall)
        }
        // A sleeping thread looks at the clock at least once a second.
        plan(.tick(nodes[index].name), in: faults.amount(0...1000))
    }

    func crash(_ index: Int, for milliseconds: Int64) {
        trace.note("\(time) \(nodes[index].name) dies")
        end(index)
        plan(.restart(node: index), in: milliseconds)
    }

    /// The process is gone with everything it had in memory; who waited for it hears nothing.
    private func end(_ index: Int) {
        let node = nodes[index]
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

    /// Processes that share a log do not hear of each other's rounds yet, so that one of them ends a round which another began
    /// only when it reads the room. All of them begin anew, as after an outage.
    private func startAllAnew() {
        advance(to: time + 65_000)
        for attempt in transcript.attempts where attempt.answeredAt == nil {
            guard let process = attempt.process, living(process) != nil else { continue }
            find("unanswered", "attempt \(attempt.number) of step \(transcript.requests[attempt.request].step)")
        }
        for index in nodes.indices { end(index) }
        for index in nodes.indices { start(nodes[index], recovers: index == 0) }
    }

    /// Nothing breaks any more: all processes live, everything is read, and time passes until nothing is left to happen.
    func heal() {
        isCalm = true
        if nodes.count > 1 { startAllAnew() }
        for round in 0..<20 {
            for node in nodes where !node.isServing && node.failure == nil { restart(node.name.node) }
            advance(to: time + 65_000)
            if round > 0, nodes.allSatisfy({ $0.sequencer.nextTick == nil && $0.sequencer.isIdle }) { break }
        }
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
