internal import AuctionDomain
internal import AuctionService
internal import EventLog

// Crashes and restarts of processes, steps of clocks, and the fault-free end of a run.
extension World {
    /// Starts a process: it reads the log, extends deadlines that expired during the outage, then serves.
    func start(_ node: SimulatedNode) {
        if isShared { return beginShared(node) }
        trace.note("\(time) \(node.name) starts")
        node.hasStarted = true
        transcript.starts.append(time)
        beginClock(of: node)
        guard case .success(let open) = Result(catching: { () throws(EventLogError) in try pendingRooms() }) else { return }
        if time > 0 { note(.outage, at: now(node).wall) }
        post(.recover(open), to: node)
        plan(on: node, in: 3000) { $0.sweep($1) }
    }

    /// What the log reports to a process that starts.
    func pendingRooms() throws(EventLogError) -> [PendingRoom] {
        let open = try log.log.pendingRooms()
        switch options.bug {
        case .deadlinesReportedLate:
            return open.map { PendingRoom(room: $0.room, endsAt: $0.endsAt?.advanced(byMilliseconds: Self.hour)) }
        case .nextLotForgotten: return open.filter { !isBetweenLots($0.room) }
        case .scheduleForgotten: return open.filter { !isScheduled($0.room) }
        case .offerForgotten: return open.filter { !hasOffer($0.room) }
        default: return open
        }
    }

    /// Records an outage or clock jump: rounds that are open now must get extended deadlines.
    /// - Parameter since: Rounds with an earlier deadline are exempt; nil if none are.
    func note(_ cause: RequiredExtension.Cause, at instant: Timestamp, since: Timestamp? = nil) {
        var histories: [RoomID: [StoredEvent]] = [:]
        for room in transcript.rooms { histories[room] = log.history(of: room) }
        if since == nil {
            // This record replaces one after which the room had no event but those decided before it: the process that starts
            // may begin at an earlier time, because nothing stored the jump.
            for index in transcript.requiredExtensions.indices {
                let at = transcript.requiredExtensions[index].at
                transcript.requiredExtensions[index].rooms = transcript.requiredExtensions[index].rooms.filter { room, seq in
                    histories[room, default: []].contains { $0.seq > seq && $0.at >= at }
                }
            }
        }
        transcript.requiredExtensions.append(
            RequiredExtension(
                cause: cause, at: instant, since: since, noted: time, rooms: histories.compactMapValues(\.last?.seq)))
    }

    /// Records an outage of one room.
    func note(_ cause: RequiredExtension.Cause, at instant: Timestamp, of room: RoomID) {
        guard let seq = log.history(of: room).last?.seq else { return }
        transcript.requiredExtensions.append(
            RequiredExtension(cause: cause, at: instant, since: nil, noted: time, rooms: [room: seq]))
    }

    /// Injects faults between two steps, with the configured probabilities.
    func injectFaults() {
        let (dies, long, short) = (faults.once(in: 45), faults.amount(1000...90_000), faults.amount(1...800))
        let (isLong, victim) = (faults.once(in: 3), faults.roll(0...(nodes.count - 1)))
        changeRevocations()
        if dies, !isFaultFree, options.faults.contains(.crash) { crash(victim, for: isLong ? long : short) }
        if isShared { return injectSharedFaults(victim) }
        let (steps, size) = (faults.once(in: 60), faults.roll(1...6))
        let (back, ahead, isExtreme) = (faults.amount(1...20_000), faults.amount(1500...200_000), faults.once(in: 4))
        guard steps, !isFaultFree, options.faults.contains(.clockStep) else { return }
        // A long jump needs a running process: otherwise it cannot be told apart from a day that passed.
        let forward = isExtreme && nodes[victim].hasStarted ? 25 * Self.hour : ahead
        stepClock(victim, by: size <= 3 ? (isExtreme ? -Self.hour : -back) : forward)
        if size > 3, isExtreme { repeatLatestKeyed() }
    }

    /// Repeats the latest keyed command after a jump longer than the lifetime of keys: its first response must be replayed.
    private func repeatLatestKeyed() {
        let latest = transcript.attempts.last {
            $0.response?.status == 200 && transcript.requests[$0.request].key != nil
        }
        if let latest { retry(latest.request) }
    }

    private func stepClock(_ index: Int, by milliseconds: Int64) {
        let node = nodes[index]
        let before = clocks[index].now(at: time)
        clocks[index].step(by: milliseconds)
        clockSetAt[index] = time
        for loop in node.loops.indices { planTokenCheck(node, loop) }
        trace.note("\(time) the clock of node \(index) is set by \(milliseconds) ms")
        transcript.setBacks += max(0, -milliseconds)
        if milliseconds > 0 { transcript.forwardSteps.append(time) }
        guard node.hasStarted else { return transcript.unseenJumps += max(0, milliseconds) }
        // Threads read the clock continuously, but their decisions may be delayed.
        let after = clocks[index].now(at: time)
        for index in node.sequencers.indices { plan(on: node, in: faults.amount(0...1000)) { $0.wake($1, index) } }
        guard after.jumps.total > before.jumps.total else { return }
        plan(on: node, in: faults.amount(0...1000)) { $0.keepJumps(of: $1) }
        // A round whose deadline was before the jump needs no extension, even if its end is stored only now.
        if node.isServing { note(.clock, at: after.wall, since: before.wall) }
    }

    /// Continues the service's time from the newest event in the log.
    private func beginClock(of node: SimulatedNode) {
        let jumps = ClockJumps((try? log.log.clockJumps()) ?? [])
        clocks[node.name.node].begin(
            at: time, newest: (try? log.log.newestEventTime()) ?? nil, jumps: jumps, setBack: .slow)
    }

    func keepJumps(of node: SimulatedNode) {
        let jumps = clocks[node.name.node].now(at: time).jumps.list
        try? log.log.keep(jumps)
    }

    /// Injects faults of a shared log: power failures and cut links.
    private func injectSharedFaults(_ victim: Int) {
        guard !isFaultFree else { return }
        let (all, away) = (faults.once(in: 120), faults.amount(100...20_000))
        if all, options.faults.contains(.crash) {
            trace.note("\(time) the power fails")
            for index in nodes.indices { crash(index, for: away + faults.amount(0...3000)) }
        }
        let (cut, long, short, isLong) = (
            faults.once(in: 30), faults.amount(3000...30_000), faults.amount(50...3000), faults.once(in: 2)
        )
        let how = [CutLink.reset, .dropped, .late, .replyLost][faults.roll(0...3)]
        guard cut, options.faults.contains(.cutLink) else { return }
        cutLink(of: victim, how, for: isLong ? long : short)
    }

    func crash(_ index: Int, for milliseconds: Int64) {
        trace.note("\(time) \(nodes[index].name) dies")
        end(index)
        plan(in: milliseconds) { $0.restart(index) }
    }

    /// Discards a process with its memory; its clients' polls fail.
    private func end(_ index: Int) {
        let node = nodes[index]
        endSpan(of: index)
        forgetJumps(of: node)
        transcript.committed += transcript.rooms.compactMap { node.rooms[$0]?.view.room }
        for poll in node.polls.keys.sorted() {
            guard let reader = node.polls[poll]?.reader else { continue }
            plan(in: 10 + latency()) { $0.pollFailed(reader, poll) }
        }
        endSubscriptions(of: node, isCrash: true)
        // The others notice once its heartbeats have ceased.
        planExchanges(in: Heartbeat.timeoutMilliseconds)
        nodes[index] = SimulatedNode(ProcessName(node: index, life: node.name.life + 1), in: self)
    }

    /// Records clock jumps that the process had not stored.
    private func forgetJumps(of node: SimulatedNode) {
        guard node.hasStarted, !isShared else { return }
        let kept = ClockJumps((try? log.log.clockJumps()) ?? [])
        transcript.unseenJumps += max(0, clocks[node.name.node].now(at: time).jumps.total - kept.total)
    }

    func restart(_ index: Int) {
        // A process whose log failed exits here; a crashed one is already discarded.
        if nodes[index].failure != nil { end(index) }
        if !nodes[index].hasStarted { start(nodes[index]) }
    }

    /// Ends the run without faults: restarts all processes, waits until nothing is pending, and records the final log.
    func finishWithoutFaults() {
        isFaultFree = true
        for index in nodes.indices { restoreLink(of: index) }
        planRevocationExchanges()
        loseHosts()
        for round in 0..<20 {
            for node in nodes where !node.isServing && node.failure == nil { restart(node.name.node) }
            advance(to: time + 65_000)
            if round > 0, nodes.flatMap(\.sequencers).allSatisfy({ $0.core.nextTick == nil && $0.core.isIdle }) { break }
        }
        // What the last of them has stored is still to be delivered.
        advance(to: time + 5000)
        expectNoForgottenSubscribers()
        expectRevocationsKnown()
        for index in nodes.indices { endSpan(of: index) }
        transcript.endedAt = time
        finishFeed()
        for node in nodes { endSubscriptions(of: node, isCrash: false) }
        for node in nodes { transcript.committed += transcript.rooms.compactMap { node.rooms[$0]?.view.room } }
        for room in transcript.rooms {
            transcript.log[room] = log.history(of: room)
            if case .success(let users?) = Result(catching: { () throws(EventLogError) in try log.log.users(of: room) }) {
                transcript.users[room] = users
            }
            if case .success(let history?) = Result(catching: { () throws(EventLogError) in
                try log.log.load(room, responsesSince: Timestamp(milliseconds: 0))
            }) {
                transcript.snapshots[room] = history.snapshot
            }
        }
    }
}
