package import AuctionDomain
package import EventLog

// What is stored of users who have left the service for good.
extension InMemoryEventLog {
    /// See `ErasureStore.rooms(naming:after:limit:)`. Positions are those of the feed.
    package func rooms(naming users: [UserID], after position: Int64, limit: Int) throws(EventLogError) -> NamingRooms {
        try withState { state in
            let names = users.map { Array($0.description.utf8) }
            state.number()
            let part = state.feed.dropFirst(Int(position)).prefix(max(limit, 1))
            var found: [RoomID] = []
            for (room, seq) in part where !found.contains(room) {
                guard let event = state.rooms[room]?.events[seq - 1] else { continue }
                let texts = [event.publicBytes, event.privateBytes ?? []]
                if names.contains(where: { name in texts.contains { $0.contains(name) } }) { found.append(room) }
            }
            return NamingRooms(rooms: found, next: part.endIndex < state.feed.endIndex ? Int64(part.endIndex) : nil)
        }
    }

    /// See `ErasureStore.replace`.
    package func replace(_ events: [StoredEvent], of room: RoomID, before seq: Int) throws(EventLogError) {
        try withState { state in
            guard var changed = state.rooms[room] else { return }
            for event in events where changed.events.indices.contains(event.seq - 1) { changed.events[event.seq - 1] = event }
            if changed.snapshot.map({ $0.seq < seq }) == true { changed.snapshot = nil }
            state.rooms[room] = changed
        }
    }

    /// See `ErasureStore.rewriteResponses`.
    package func rewriteResponses(
        naming users: [UserID], after position: Int64, limit: Int, _ rewrite: ([UInt8]) -> [UInt8]?
    ) throws(EventLogError) -> Int64? {
        try withState { state in
            var end: Int64?
            for offset in 0..<Int64(max(limit, 1)) {
                let place = max(position, state.deletedCount) + 1 + offset
                guard let index = state.index(of: place) else { break }
                end = place
                guard let record = state.responses[index].record, let body = rewrite(record.body) else { continue }
                state.responses[index].record = StoredResponse(
                    key: record.key, fingerprint: record.fingerprint, owner: record.owner, at: record.at, status: record.status,
                    headers: record.headers, body: body)
            }
            return end
        }
    }
}
