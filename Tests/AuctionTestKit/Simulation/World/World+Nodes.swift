internal import AuctionDomain
internal import AuctionService
internal import EventLog

// Several processes on one log: heartbeats, polls for remote appends, and closing of rounds whose process is gone.
extension World {
    /// The log as a process reaches it: a closed one, whose methods throw, while its link is cut.
    func reachableLog(by node: SimulatedNode) -> InMemoryEventLog { isCut(node) ? log.unreachable : log.log }

    /// Starts a process on a shared log with a heartbeat, which detects an outage.
    func beginShared(_ node: SimulatedNode) {
        if options.bug == .deadProcessTakenForAlive, (try? log.log.liveness().nodes.isEmpty) == false {
            _ = try? log.log.heartbeat(of: NodeID(bits: .max))
        }
        guard
            case .success(let recovers) = Result(catching: { () throws(EventLogError) in
                try node.tasks.begin(reachableLog(by: node), at: uptime)
            })
        else {
            // A program that cannot reach its log exits and is started again.
            trace.note("\(time) \(node.name) cannot reach the log")
            return plan(in: 1000) { $0.restart(node.name.node) }
        }
        guard let recovers else {
            node.waitsSince = node.waitsSince ?? time
            trace.note("\(time) \(node.name) waits for heartbeats of others")
            return plan(in: 50) { $0.restart(node.name.node) }
        }
        trace.note("\(time) \(node.name) starts\(recovers ? " and handles an outage" : "")")
        // Another one may have died just after the heartbeat that this one has waited for.
        let hasHeardOthers = (lastBeat ?? 0) > node.waitsSince ?? time
        let startsAlone = !hasHeardOthers && !nodes.contains(where: \.hasStarted)
        node.hasStarted = true
        beginRevocations(on: node)
        clocks[node.name.node].estimate(error: clockError())
        clocks[node.name.node].begin(at: time, newest: nil, jumps: .none, setBack: .follow)
        recordHeartbeat(of: node, startsAlone: startsAlone)
        if recovers { claimOutage(node) }
        let open = recovers ? (try? pendingRooms()) ?? [] : []
        post(.recover(open), to: node)
        plan(on: node, in: 3000) { $0.sweep($1) }
        planBeat(of: node, in: NodeTasks.beatMilliseconds)
        planExpirySearch(node, at: time)
    }

    /// Initial error of a node's estimate of the log's clock, in milliseconds.
    private func clockError() -> Int64 {
        let error = faults.amount(-60...60)
        return options.faults.contains(.clockError) ? error : 0
    }

    func beat(_ node: SimulatedNode) {
        guard time >= node.nextBeat else { return }
        defer { planBeat(of: node, in: beatInterval() + pause()) }
        guard
            case .success(let open) = Result(catching: { () throws(EventLogError) in
                try node.tasks.beat(reachableLog(by: node))
            })
        else { return }
        recordHeartbeat(of: node)
        if open == nil, options.bug == .outageClaimedTwice, outageClaimer != nil, outageClaimer != node.name {
            claimOutage(node)
            return post(.recover((try? log.log.pendingRooms()) ?? []), to: node)
        }
        guard let open else { return }
        trace.note("\(time) \(node.name) handles an outage: \(open.count) open rooms")
        claimOutage(node)
        post(.recover(open), to: node)
    }

    private func planBeat(of node: SimulatedNode, in milliseconds: Int64) {
        node.nextBeat = time + milliseconds
        plan(on: node, in: milliseconds) { $0.beat($1) }
    }

    /// The processes send heartbeats again where these are rare, because the presence on a process without them counts no more.
    func resumeHeartbeats() {
        lastPresenceChange = time
        for node in nodes where node.hasStarted && node.nextBeat - time > Heartbeat.timeoutMilliseconds {
            planBeat(of: node, in: 0)
        }
    }

    /// Milliseconds until the next heartbeat: longer in an idle period without open rooms, to save simulated work.
    private func beatInterval() -> Int64 {
        let rest = idleUntil - 600_000 - time
        guard rest > 0 else { return NodeTasks.beatMilliseconds }
        if (try? log.log.openRooms())?.isEmpty != true { lastOpen = time }
        // Requests in flight at the beginning of the idle period may still open a round, and after a round its host is subscribed for a while.
        guard time > max(idleSince, lastOpen) + 120_000, time > lastPresenceChange + 60_000 else {
            return NodeTasks.beatMilliseconds
        }
        return min(rest, Self.hour)
    }

    /// Records a heartbeat; after an outage, rounds that are open now must get extended deadlines, unless they expired before it. It is an
    /// outage, however short, if the process starts and no other one runs.
    private func recordHeartbeat(of node: SimulatedNode, startsAlone: Bool = false) {
        node.lastBeat = time
        if let last = lastBeat, startsAlone || time - last > Outage.minimumMilliseconds {
            trace.note("\(time) after an outage of \(time - last) ms")
            outageClaimer = nil
            note(.outage, at: now(node).wall, since: SimulatedClock.instant(of: last))
        }
        lastBeat = time
    }

    /// Checks that only one process extends deadlines after an outage; another one may take over if the first has died.
    private func claimOutage(_ node: SimulatedNode) {
        if let other = outageClaimer, other != node.name, let claimer = living(other),
            time - claimer.lastBeat <= Heartbeat.timeoutMilliseconds
        {
            report("outage once", "\(node.name) extends deadlines after an outage while \(other) does")
        }
        outageClaimer = node.name
    }

    /// Stores the result of a process's recovery.
    func settle(_ node: SimulatedNode, _ result: RecoveryResult) {
        let log = reachableLog(by: node)
        guard
            case .success = Result(catching: { () throws(EventLogError) in
                try node.tasks.recovered(result, log)
            })
        else { return }
        if result == .complete, !isCut(node), outageClaimer == node.name { outageClaimer = nil }
    }

    // MARK: - Replication

    /// Notifies other processes of an append; a lost notification is made up for by their next poll.
    func notifyOtherNodes(_ appends: [RoomAppend], _ verdicts: [AppendVerdict], by name: ProcessName) {
        var rooms: [RoomID] = []
        noteStored(appends, verdicts)
        for (append, verdict) in zip(appends, verdicts) {
            guard case .appended = verdict, !append.events.isEmpty else { continue }
            rooms.append(append.room)
            deadlines[append.room] = append.dueAt.map { $0.milliseconds - SimulatedClock.epoch }
        }
        guard !rooms.isEmpty else { return }
        for node in nodes where node.hasStarted {
            if let due = deadlines.values.min() { planExpirySearch(node, at: due) }
            guard node.name != name else { continue }
            node.remotelyAppended.formUnion(rooms)
            let (isLost, isLate, usual, late) = (
                network.once(in: 6), network.once(in: 6), network.amount(0...6), network.amount(10...300)
            )
            let poll = Replication.pollMilliseconds + pause()
            let goesWrong = !isFaultFree && options.faults.contains(.notice)
            planLogPoll(node, in: !goesWrong ? usual : isLost ? poll : isLate ? min(late, poll) : usual)
        }
    }

    /// Plans a poll of the log; polls that would find nothing are not simulated, to save work.
    func planLogPoll(_ node: SimulatedNode, in milliseconds: Int64) {
        guard options.bug != .appendsUnnoticed else { return }
        let due = time + milliseconds
        if let planned = node.plannedLogPoll, planned <= due { return }
        node.plannedLogPoll = due
        plan(on: node, at: due) { $0.pollLog($1) }
    }

    func pollLog(_ node: SimulatedNode) {
        guard let planned = node.plannedLogPoll, planned <= time else { return }
        node.plannedLogPoll = nil
        guard
            case .success(let marks) = Result(catching: { () throws(EventLogError) in
                try Replication.compare(node.remotelyAppended.sorted(), in: node.rooms, reachableLog(by: node), at: uptime)
                    .lagging
            })
        else { return planLogPoll(node, in: 2 * Replication.pollMilliseconds) }
        node.remotelyAppended = Set(marks.map(\.room))
        guard !marks.isEmpty else { return }
        post(.lagging(marks), to: node)
        // Polls again until no room is lagging.
        planLogPoll(node, in: Replication.pollMilliseconds)
    }

    /// Plans a search for expired countdowns of other processes.
    /// - Parameter due: Earliest deadline in simulated time.
    func planExpirySearch(_ node: SimulatedNode, at due: Int64) {
        guard options.bug != .missedDeadlines else { return }
        let soonest = max(due + Replication.graceMilliseconds, time)
        if let planned = node.plannedExpirySearch, planned <= soonest + Replication.expiryPollMilliseconds { return }
        let at = soonest + process.amount(1...Int(Replication.expiryPollMilliseconds))
        node.plannedExpirySearch = at
        plan(on: node, at: at) { $0.findExpired($1) }
    }

    func findExpired(_ node: SimulatedNode) {
        guard let planned = node.plannedExpirySearch, planned <= time else { return }
        node.plannedExpirySearch = nil
        let found = Result { () throws(EventLogError) in
            try reachableLog(by: node).roomsPastDeadline(by: Replication.graceMilliseconds, limit: 256)
        }
        if case .success(let expired) = found, !expired.isEmpty { post(.expired(expired), to: node) }
        if let due = deadlines.values.min() { planExpirySearch(node, at: max(due, time - Replication.graceMilliseconds)) }
    }
}
