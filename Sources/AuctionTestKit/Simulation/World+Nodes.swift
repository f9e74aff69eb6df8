internal import AuctionDomain
internal import AuctionService
internal import EventLog

// Several processes on one log: they say that they live, hear of what others appended, and end what nobody ends.
extension World {
    /// The log as a process reaches it; one whose link is cut reaches one that says so.
    func reached(by node: SimulatedNode) -> InMemoryEventLog { isCut(node) ? log.outOfReach : log.log }

    /// A process begins its life with a heartbeat, which finds out what it missed.
    func beginShared(_ node: SimulatedNode) {
        guard
            case .success(let recovers) = Result(catching: { () throws(EventLogError) in
                try node.duty.begin(reached(by: node))
            })
        else {
            // A program that does not reach its log ends, and is started again.
            trace.note("\(time) \(node.name) does not reach the log")
            return plan(.restart(node: node.name.node), in: 1000)
        }
        trace.note("\(time) \(node.name) starts\(recovers ? " and is alone" : "")")
        node.hasStarted = true
        clocks[node.name.node].estimate(error: clockError())
        clocks[node.name.node].begin(at: time, newest: nil, jumps: .none, setBack: .follow)
        sawBeat(of: node)
        if recovers { tookOutage(node) }
        let open = recovers ? (try? log.log.openRooms()) ?? [] : []
        post(.recover(open), to: node)
        plan(.sweep(node.name), in: 3000)
        plan(.beat(node.name), in: NodeDuty.beatMilliseconds)
        planSearch(node, at: time)
    }

    /// By how much a node's estimate of the log's clock is wrong at first.
    private func clockError() -> Int64 {
        let error = faults.amount(-60...60)
        return options.faults.contains(.clockError) ? error : 0
    }

    func beat(_ node: SimulatedNode) {
        defer { plan(.beat(node.name), in: beatInterval() + pause()) }
        guard
            case .success(let open) = Result(catching: { () throws(EventLogError) in
                try node.duty.beat(reached(by: node))
            })
        else { return }
        sawBeat(of: node)
        if open == nil, options.bug == .outageClaimedTwice, outageClaimer != nil, outageClaimer != node.name {
            tookOutage(node)
            return post(.recover((try? log.log.openRooms()) ?? []), to: node)
        }
        guard let open else { return }
        trace.note("\(time) \(node.name) sees to an outage: \(open.count) open rooms")
        tookOutage(node)
        post(.recover(open), to: node)
    }

    /// In the depth of a night in which nothing is open nobody would notice a heartbeat, and there are very many of them.
    private func beatInterval() -> Int64 {
        let rest = nightEnds - 600_000 - time
        // What was on its way in the evening may open a round yet.
        guard rest > 0, time > nightBegan + 120_000, (try? log.log.openRooms())?.isEmpty == true else {
            return NodeDuty.beatMilliseconds
        }
        return min(rest, Self.hour)
    }

    /// Nobody was there for a while: rounds that are open now do not end too soon, unless they were due before.
    private func sawBeat(of node: SimulatedNode) {
        node.lastBeat = time
        if let last = lastBeat, time - last > Outage.leastMilliseconds {
            trace.note("\(time) after an outage of \(time - last) ms")
            outageClaimer = nil
            note(.outage, at: now(node).wall, since: SimulatedClock.instant(of: last))
        }
        lastBeat = time
    }

    /// One process moves the ends that an outage ate, and another one only if that one has died.
    private func tookOutage(_ node: SimulatedNode) {
        if let other = outageClaimer, other != node.name, let claimer = living(other),
            time - claimer.lastBeat <= Heartbeat.lifeMilliseconds
        {
            find("outage once", "\(node.name) moves ends after an outage while \(other) does")
        }
        outageClaimer = node.name
    }

    /// What the process's recovery came to.
    func settle(_ node: SimulatedNode, isComplete: Bool) {
        let log = reached(by: node)
        guard
            case .success = Result(catching: { () throws(EventLogError) in
                try node.duty.recovered(isComplete: isComplete, log)
            })
        else { return }
        if isComplete, !isCut(node), outageClaimer == node.name { outageClaimer = nil }
    }

    // MARK: - Following

    /// Something was appended: other processes hear of it by a notice, or else when they look.
    func tellOthers(_ appends: [RoomAppend], _ verdicts: [AppendVerdict], by name: ProcessName) {
        var rooms: [RoomID] = []
        for (append, verdict) in zip(appends, verdicts) {
            guard case .appended = verdict, !append.events.isEmpty else { continue }
            rooms.append(append.room)
            dues[append.room] = append.dueAt.map { $0.milliseconds - SimulatedClock.epoch }
        }
        guard !rooms.isEmpty else { return }
        for node in nodes where node.hasStarted {
            if let due = dues.values.min() { planSearch(node, at: due) }
            guard node.name != name else { continue }
            node.unheard.formUnion(rooms)
            let (isLost, isLate, usual, late) = (
                network.once(in: 6), network.once(in: 6), network.amount(0...6), network.amount(10...300)
            )
            let poll = Following.pollMilliseconds + pause()
            let goesWrong = !isCalm && options.faults.contains(.notice)
            planLook(node, in: !goesWrong ? usual : isLost ? poll : isLate ? min(late, poll) : usual)
        }
    }

    /// Polls that find nothing are left out: there would be very many of them.
    func planLook(_ node: SimulatedNode, in milliseconds: Int64) {
        guard options.bug != .othersUnheard else { return }
        let due = time + milliseconds
        if let planned = node.plannedLook, planned <= due { return }
        node.plannedLook = due
        agenda.add(.look(node.name), at: due)
    }

    func look(_ node: SimulatedNode) {
        guard let planned = node.plannedLook, planned <= time else { return }
        node.plannedLook = nil
        guard
            case .success(let marks) = Result(catching: { () throws(EventLogError) in
                try Following.behind(node.unheard.sorted(), in: node.rooms, reached(by: node), at: 0)
            })
        else { return planLook(node, in: 2 * Following.pollMilliseconds) }
        node.unheard = Set(marks.map(\.room))
        guard !marks.isEmpty else { return }
        post(.behind(marks), to: node)
        // Until it is no longer behind.
        planLook(node, in: Following.pollMilliseconds)
    }

    /// - Parameter due: When something is to end, in simulated time.
    func planSearch(_ node: SimulatedNode, at due: Int64) {
        guard options.bug != .overdueForgotten else { return }
        let soonest = max(due + Following.graceMilliseconds, time)
        if let planned = node.plannedSearch, planned <= soonest + Following.overdueMilliseconds { return }
        let at = soonest + process.amount(1...Int(Following.overdueMilliseconds))
        node.plannedSearch = at
        agenda.add(.search(node.name), at: at)
    }

    func search(_ node: SimulatedNode) {
        guard let planned = node.plannedSearch, planned <= time else { return }
        node.plannedSearch = nil
        let found = Result { () throws(EventLogError) in
            try reached(by: node).overdueRooms(by: Following.graceMilliseconds, limit: 256)
        }
        if case .success(let overdue) = found, !overdue.isEmpty { post(.overdue(overdue), to: node) }
        if let due = dues.values.min() { planSearch(node, at: max(due, time - Following.graceMilliseconds)) }
    }
}
