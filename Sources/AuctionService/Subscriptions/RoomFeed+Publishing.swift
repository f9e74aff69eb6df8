internal import AuctionDomain
internal import EventLog

// Delivery of published events to the live subscribers of a room.
extension RoomFeed {
    mutating func published(_ room: RoomID, _ events: [StoredEvent], to audience: Audience) -> [Directive] {
        guard let first = events.first, let last = events.last, let current = groups[room] else { return [] }
        var directives: [Directive] = []
        var ahead: [Group] = []
        var together: Group?
        for group in current {
            let unseen = events.drop { $0.seq < group.next }
            if unseen.isEmpty || !audience.includes(group) {
                ahead.append(group)
            } else if let limit = group.limit {
                let isContinuous = group.next >= first.seq
                directives.append(.respond(respond(to: group, in: room, limit, isContinuous ? unseen : [])))
            } else if group.next < first.seq || fitting(unseen).count < unseen.count {
                directives += catchUp(group, to: last.seq)
            } else {
                directives.append(.send(group.ids, unseen))
                together = Group(
                    next: last.seq + 1, limit: nil, ids: (together?.ids).map { $0 + group.ids } ?? group.ids,
                    stale: (together?.stale ?? 0) + group.stale)
            }
        }
        if let together { ahead.append(together) }
        groups[room] = ahead.isEmpty ? nil : ahead
        return directives
    }

    /// Responds to the long-polls of a group, which leave with it.
    /// - Parameter unseen: The events that follow directly; empty if another node's events are missing in between: the client's next
    ///   request reads those from the log.
    private mutating func respond(
        to group: Group, in room: RoomID, _ limit: Int, _ unseen: ArraySlice<StoredEvent>
    ) -> PollResponse {
        let page = unseen.prefix(limit).prefix(bytes: limits.responseBytes)
        for id in group.ids { remove(id) }
        return PollResponse(room, group.ids, group.next - 1, limit, page, more: page.count < unseen.count || unseen.isEmpty)
    }

    /// Sends a group of streams back to catching up, after a gap or more events than fit into a page.
    private mutating func catchUp(_ group: Group, to seq: Int) -> [Directive] {
        group.ids.compactMap { id in
            guard subscribers[id] != nil else { return nil }
            subscribers[id]?.phase = .readingMemory
            subscribers[id]?.next = group.next
            subscribers[id]?.kind = .stream(target: seq, pagesLeft: limits.sparePages)
            return .readMemory(id, after: group.next - 1, limit: nil)
        }
    }
}

extension RoomFeed.Audience {
    fileprivate func includes(_ group: RoomFeed.Group) -> Bool {
        switch self {
        case .everyone: true
        case .polls: group.limit != nil
        case .streams: group.limit == nil
        }
    }
}
