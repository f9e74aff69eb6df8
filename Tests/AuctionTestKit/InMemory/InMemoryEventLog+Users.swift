package import AuctionDomain
package import EventLog

// The index by user.
extension InMemoryEventLog {
    /// See `EventLog.rooms(_:)`.
    package func rooms(_ query: UserRoomQuery) throws(EventLogError) -> UserRoomPage {
        try withState { state in
            let last = query.after ?? .max
            var participations = state.participations[query.user] ?? [:]
            if query.selection == .linkable {
                let none = Participation(user: query.user, role: nil, bidRound: nil)
                for win in state.wins[query.user] ?? [] where participations[win.room] == nil {
                    participations[win.room] = none
                }
            }
            let indexed = participations.compactMap { id, participation in
                state.rooms[id].map { (id: id, room: $0, participation: participation) }
            }
            let below = indexed.filter { $0.room.position < last }.sorted { $0.room.position > $1.room.position }
            let rows = below.lazy.filter { query.selects($0.participation, in: $0.room) }.prefix(max(query.limit, 0) + 1)
            return UserRoomPage(
                rows.map { UserRoomRow(room: $0.room.row($0.id), role: $0.participation.role) }, limit: query.limit,
                scanned: nil)
        }
    }

    /// See `EventLog.roomCount`.
    package func roomCount(of user: UserID) throws(EventLogError) -> Int {
        try withState { state in state.participations[user]?.values.count { $0.role != nil } ?? 0 }
    }

    /// See `EventLog.wins`.
    package func wins(_ query: WinQuery) throws(EventLogError) -> [WinRow] {
        try withState { state in
            let rows = (state.wins[query.user] ?? []).sorted { $0.place > $1.place }
            return Array(rows.drop { $0.place >= query.after ?? .end }.prefix(max(query.limit, 0)))
        }
    }
}

extension InMemoryEventLog.State {
    mutating func updateUserIndex(_ changes: UserChanges, of id: RoomID, _ room: InMemoryEventLog.Room) {
        for participation in changes.participations {
            participations[participation.user, default: [:]][id] = participation.isEmpty ? nil : participation
        }
        if changes.archives {
            for user in participations.keys { participations[user]?[id] = nil }
        }
        if !changes.rewritten.isEmpty {
            for user in wins.keys {
                wins[user]?.removeAll { $0.room == id && changes.rewritten.contains($0.win.round) }
            }
        }
        for transfer in changes.transfers {
            let moved = (wins[transfer.from] ?? []).filter { $0.room == id }
            wins[transfer.from]?.removeAll { $0.room == id }
            wins[transfer.to, default: []] += moved.map { $0.won(by: transfer.to) }
        }
        for win in changes.wins {
            let place = WinPlace(at: win.at.milliseconds, room: room.position, round: Int64(win.round))
            wins[win.winner, default: []].append(
                WinRow(win: win, room: id, roomName: room.profile.name, currency: room.profile.currency, place: place))
        }
    }
}

extension InMemoryEventLog.Room {
    func row(_ id: RoomID) -> RoomRow {
        RoomRow(room: id, position: position, head: head, profile: profile, status: status)
    }
}

extension UserRoomQuery {
    fileprivate func selects(_ participation: Participation, in room: InMemoryEventLog.Room) -> Bool {
        switch selection {
        case .memberships: participation.role != nil
        case .standingBids: participation.stands(in: room.status)
        case .linkable: true
        }
    }
}

extension WinRow {
    fileprivate func won(by buyer: UserID) -> WinRow {
        WinRow(win: win.won(by: buyer), room: room, roomName: roomName, currency: currency, place: place)
    }
}

extension Participation {
    /// Whether the user's bid is one of the room's current round, and that round is not over.
    package func stands(in status: RoomStatus) -> Bool {
        bidRound == status.round && status.state != RoomState.closed.rawValue && !status.isArchived
    }
}
