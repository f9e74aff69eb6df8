package import AuctionDomain
package import EventLog

/// Kind and id of a record, in the order of `RecordStore.allRecords`.
struct RecordName: Hashable, Comparable {
    let kind: String
    let id: String

    static func < (left: Self, right: Self) -> Bool {
        left.kind == right.kind
            ? left.id.utf8.lexicographicallyPrecedes(right.id.utf8) : left.kind.utf8.lexicographicallyPrecedes(right.kind.utf8)
    }
}

// Records beside the events of rooms, and the order of all events.
extension InMemoryEventLog {
    /// See `RecordStore.record`.
    package func record(_ kind: String, _ id: String) throws(EventLogError) -> StoredRecord? {
        try withState { $0.records[RecordName(kind: kind, id: id)] }
    }

    /// See `RecordStore.records`.
    package func records(_ query: RecordQuery) throws(EventLogError) -> [StoredRecord] {
        try withState { state in
            let found = state.records.values.filter {
                $0.kind == query.kind && $0.id.hasPrefix(query.prefix) && $0.id > query.above && $0.id < query.below
            }
            let sorted = found.sorted { ($0.id < $1.id) != query.isDescending }
            return Array(sorted.prefix(max(query.limit, 0)))
        }
    }

    /// See `RecordStore.write`.
    package func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
        try changes.validate()
        return try withState { state in
            let names = changes.map { RecordName(kind: $0.kind, id: $0.id) }
            guard zip(changes, names).allSatisfy({ $0.expected.matches(state.records[$1]?.version) }) else { return false }
            for (change, name) in zip(changes, names) {
                let version = (state.records[name]?.version ?? 0) + 1
                state.records[name] = change.content.map {
                    StoredRecord(
                        kind: change.kind, id: change.id, version: version, expiresAt: change.expiresAt, content: $0)
                }
            }
            return true
        }
    }

    /// See `RecordStore.deleteExpiredRecords`.
    package func deleteExpiredRecords(at now: Timestamp, limit: Int) throws(EventLogError) -> Int {
        try withState { state in
            let expired = state.records.filter { $1.expiresAt.map { $0 <= now } ?? false }.keys.sorted().prefix(max(limit, 0))
            for name in expired { state.records[name] = nil }
            return expired.count
        }
    }

    /// See `RecordStore.allRecords`.
    package func allRecords(after: (kind: String, id: String)?, limit: Int) throws(EventLogError) -> [StoredRecord] {
        try withState { state in
            let after = after.map { RecordName(kind: $0.kind, id: $0.id) }
            let names = state.records.keys.sorted().filter { name in after.map { $0 < name } ?? true }
            return names.prefix(max(limit, 0)).compactMap { state.records[$0] }
        }
    }

    /// See `EventFeed.feedID`.
    package func feedID() throws(EventLogError) -> UInt64 { try feedID(orCreate: 1) }

    /// See `EventFeed.feedEnd(asOf:)`; always as of now.
    package func feedEnd(asOf age: Int64) throws(EventLogError) -> FeedPosition {
        try withState { state in
            state.number()
            return state.feedEvent(state.feed.count)?.position ?? .beginning
        }
    }

    /// See `EventFeed.scanFeed`.
    package func scanFeed(_ query: FeedQuery) throws(EventLogError) -> FeedScan {
        try withState { state in
            guard let start = Int(exactly: query.position.number), (0...state.feed.count).contains(start),
                state.isThere(query.position, overPruned: query.overPruned)
            else { return .gone }
            if query.isFresh, state.feed.count - start < query.limit { state.number() }
            var (number, examined) = (start, [FeedEvent]())
            while number < state.feed.count, examined.count < query.limit {
                number += 1
                if let event = state.feedEvent(number) { examined.append(event) }
            }
            return .events(
                examined.filter { query.types?.contains($0.event.type) ?? true },
                end: examined.last?.position ?? query.position,
                isAtEnd: examined.count < query.limit)
        }
    }

    /// See `EventFeed.prunedEnd`.
    package func prunedEnd() throws(EventLogError) -> FeedPosition { try withState { $0.prunedEnd } }
}

extension InMemoryEventLog.State {
    /// Numbers the events that have none yet, room by room: between rooms, not in the order of their commits.
    mutating func number() {
        guard let rest = unnumbered, !rest.isEmpty else { return }
        unnumbered = []
        feed += rest.enumerated().sorted { ($0.element.room, $0.offset) < ($1.element.room, $1.offset) }.map(\.element)
    }

    fileprivate func isThere(_ position: FeedPosition, overPruned: Bool) -> Bool {
        if position == .beginning { return true }
        if position.number <= prunedEnd.number {
            guard position.number > 0 else { return false }
            if overPruned || position == prunedEnd { return true }
            guard position.pruning == prunings else { return false }
        }
        return feedEvent(Int(position.number))?.position == position
    }

    /// The event with this number; nil if there is none.
    func feedEvent(_ number: Int) -> FeedEvent? {
        guard feed.indices.contains(number - 1) else { return nil }
        let (room, seq) = feed[number - 1]
        guard let event = rooms[room]?.events[seq - 1] else { return nil }
        let publicPart = StoredEvent(
            seq: seq, at: event.at, type: event.type, publicBytes: event.publicBytes, privateBytes: nil, hash: event.hash)
        return FeedEvent(room: room, number: Int64(number), event: publicPart, pruning: prunings)
    }
}
