internal import AuctionDomain
internal import AuctionService
internal import EventLog

// Presence: the reports of the event loops, their exchange between processes, and what the auditor compares them with.
extension World {
    /// Passes the changes on an event loop to its process.
    func reportPresence(_ changes: [PresenceChange], on node: SimulatedNode) {
        var changes = changes
        if options.bug == .returnsUnreported {
            // Only a user's first return is lost by the planted bug: the last one must not make up for it.
            changes.removeAll { $0.isPresent && node.reportedUsers.contains($0.user) }
            node.reportedUsers.formUnion(changes.map(\.user))
        }
        guard !changes.isEmpty else { return }
        for change in changes {
            let person = people.first { $0.id == change.user }?.nickname ?? ""
            trace.note("\(time) \(node.name) has \(person) \(change.isPresent ? "present" : "absent") in \(change.room)")
        }
        post(.presence(changes), to: node)
        guard isShared else { return }
        node.presence.record(changes)
        resumeHeartbeats()
        planExchanges(in: 0)
    }

    /// Plans the exchanges of every process that can notice a change: two in the second that follows, and one that reports everything.
    /// Those that would find nothing are not simulated, to save work.
    func planExchanges(in milliseconds: Int64) {
        guard isShared else { return }
        let interval = PresenceExchange.intervalMilliseconds
        for node in nodes where node.hasStarted {
            for wait in [0, interval, PresenceRegistry.fullReportNanoseconds / 1_000_000] {
                plan(on: node, in: milliseconds + wait + process.amount(1...Int(interval))) { $0.exchangePresence($1) }
            }
        }
    }

    func exchangePresence(_ node: SimulatedNode) {
        let changed = Result { () throws(EventLogError) in
            try node.presence.exchange(reachableLog(by: node), at: now(node).monotonic)
        }
        switch changed {
        case .success(let reports):
            guard !reports.isEmpty, options.bug != .remotePresenceIgnored else { return }
            post(.remotePresence(reports), to: node)
        case .failure: plan(on: node, in: PresenceExchange.intervalMilliseconds) { $0.exchangePresence($1) }
        }
    }

    /// Records for the auditor that a user was subscribed until now.
    func subscriptionEnded(_ poll: SimulatedNode.Poll, on node: SimulatedNode) {
        guard let room = poll.watched else { return }
        node.subscribed.append(
            .init(room: room.id, user: readers[poll.reader].person.id.description, during: poll.since...time))
    }

    /// Ends all subscriptions of a process, and hands them to the auditor.
    /// - Parameter isCrash: Whether the process dies: other processes may not have learned of the latest ones.
    func endSubscriptions(of node: SimulatedNode, isCrash: Bool) {
        for poll in node.polls.values { subscriptionEnded(poll, on: node) }
        let known = isCrash && isShared ? time - 3 * PresenceExchange.intervalMilliseconds : time
        for subscribed in node.subscribed where subscribed.during.lowerBound <= known {
            transcript.presence[subscribed.room, default: [:]][subscribed.user, default: []].append(subscribed.during)
        }
        node.subscribed = []
    }
}
