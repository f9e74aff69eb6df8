internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// What happens to a process's appends while its link to the log is cut.
enum CutLink {
    /// The connection breaks, and the process notices at once.
    case reset
    /// The append is lost without an error.
    case dropped
    /// The append arrives when the link is restored, like a retransmitted packet.
    case late
    /// The append arrives, and its reply is lost.
    case replyLost
}

// Cutting and restoring the links between processes and the shared log.
extension World {
    /// Milliseconds for which a process waits for a reply.
    private static let replyTimeout: Int64 = 4000

    func isCut(_ node: SimulatedNode) -> Bool { links[node.name.node] != nil }

    func cutLink(of index: Int, _ how: CutLink, for milliseconds: Int64) {
        guard links[index] == nil else { return }
        trace.note("\(time) the link of node \(index) is cut: \(how)")
        links[index] = how
        cutSince[index] = time
        endSpan(of: index)
        plan(in: milliseconds) { $0.restoreLink(of: index) }
    }

    func restoreLink(of index: Int) {
        guard links[index] != nil else { return }
        trace.note("\(time) the link of node \(index) is back")
        links[index] = nil
        transcript.cutSpans.append((cutSince[index] ?? time)...time)
        // The others counted its users as absent meanwhile. Exchanges that would find nothing new are not simulated.
        planExchanges(in: 0)
        // The process still waits for the reply to an append that was lost.
        if nodes[index].isServing { servingSince[index] = max(time, nodes[index].waitsUntil) }
        for appends in delayed[index] { deliverLate(appends) }
        delayed[index] = []
    }

    /// Records the range of time in which a process could have closed rounds.
    func endSpan(of index: Int) {
        if let begin = servingSince[index], begin < time { transcript.servedSpans.append(begin...time) }
        servingSince[index] = nil
    }

    /// An append over a cut link: the process gets an error and never learns the outcome.
    func appendOverCutLink(_ appends: [RoomAppend], from node: SimulatedNode, _ how: CutLink) {
        func plan(_ code: EventLogError.Code, in milliseconds: Int64) {
            self.plan(on: node, in: milliseconds) { $0.appended(.failure(EventLogError(code, "the link is cut")), on: $1) }
        }
        trace.note("\(time) \(node.name) appends over a cut link")
        transcript.failedAppends.append(time)
        switch how {
        case .reset: return plan(.unavailable, in: pause())
        case .dropped: break
        case .late: delayed[node.name.node].append(appends)
        case .replyLost: deliverLate(appends)
        }
        node.waitsUntil = time + Self.replyTimeout
        plan(.outcomeUnknown, in: Self.replyTimeout)
    }

    /// Stores an append whose sender gets no reply.
    private func deliverLate(_ appends: [RoomAppend]) {
        guard case .success(let verdicts) = log.append(appends, nil) else { return }
        notifyOtherNodes(appends, verdicts, by: ProcessName(node: -1, life: 0))
    }
}
