internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// What happens to what a process sends to its log while the link between them is cut.
enum CutLink {
    /// Both ends hear of it at once.
    case reset
    /// It vanishes; nobody hears of anything.
    case silent
    /// It arrives once the link is back, as packets do that are sent again and again.
    case late
    /// It arrives, and its reply vanishes.
    case deaf
}

// The links between processes and the log that they share: cut, and healed.
extension World {
    /// How long a process waits for a reply.
    private static let patience: Int64 = 4000

    func isCut(_ node: SimulatedNode) -> Bool { links[node.name.node] != nil }

    func cutLink(of index: Int, _ how: CutLink, for milliseconds: Int64) {
        guard links[index] == nil else { return }
        trace.note("\(time) the link of node \(index) is cut: \(how)")
        links[index] = how
        endSpan(of: index)
        plan(.mend(node: index), in: milliseconds)
    }

    func mendLink(of index: Int) {
        guard links[index] != nil else { return }
        trace.note("\(time) the link of node \(index) is back")
        links[index] = nil
        // What went into the void is waited for all the same.
        if nodes[index].isServing { spanBegan[index] = max(time, nodes[index].waitsUntil) }
        for appends in delayed[index] { arriveLate(appends) }
        delayed[index] = []
    }

    /// From when to when a process could have ended a round.
    func endSpan(of index: Int) {
        if let begin = spanBegan[index], begin < time { transcript.spans.append(begin...time) }
        spanBegan[index] = nil
    }

    /// An append through a link that is cut: the process never learns what became of it.
    func appendIntoVoid(_ appends: [RoomAppend], from node: SimulatedNode, _ how: CutLink) {
        trace.note("\(time) \(node.name) appends into the void")
        transcript.mishaps.append(time)
        switch how {
        case .reset:
            return plan(.appended(node.name, .failure(EventLogError(.unavailable, "the connection broke"))), in: pause())
        case .silent: break
        case .late: delayed[node.name.node].append(appends)
        case .deaf: arriveLate(appends)
        }
        node.waitsUntil = time + Self.patience
        plan(.appended(node.name, .failure(EventLogError(.outcomeUnknown, "no reply"))), in: Self.patience)
    }

    /// An append whose sender hears no reply.
    private func arriveLate(_ appends: [RoomAppend]) {
        guard case .success(let verdicts) = log.append(appends, nil) else { return }
        tellOthers(appends, verdicts, by: ProcessName(node: -1, life: 0))
    }
}
