package import AuctionDomain
package import EventLog

/// Reads rooms from the log; runs on reader threads.
package enum RoomLoader {
    /// Loads a room from its snapshot and later events.
    /// - Parameters:
    ///   - latest: Number of latest events to read for subscribers; 0 for none.
    ///   - readAt: The current `ServiceClock.uptime`.
    /// - Returns: nil if there is no such room.
    /// - Throws: `.corrupt` if the history cannot be read even from its events.
    package static func load(
        _ room: RoomID, from log: any EventLog, keys: WantedKeys, latest: Int = 0, readAt: Int64 = 0
    ) throws(EventLogError) -> Sequencer.LoadedState? {
        guard let history = try log.load(room, keys: keys) else { return nil }
        do throws(EventLogError) {
            return Sequencer.LoadedState(
                room: try RoomReplay.room(room, from: history), keys: history.responses,
                snapshots: SnapshotSpacing(history), latest: try self.latest(latest, of: room, history, from: log),
                readAt: readAt)
        } catch  where error.code == .corrupt && history.snapshot != nil {
            let whole = try withoutSnapshot(history, of: room, from: log)
            return Sequencer.LoadedState(
                room: try RoomReplay.room(room, from: whole), keys: history.responses,
                snapshots: SnapshotSpacing(whole), latest: Array(whole.events.suffix(latest)), readAt: readAt)
        }
    }

    /// The last events of the history; at least one, even if the snapshot includes all of them.
    private static func latest(
        _ count: Int, of room: RoomID, _ history: LoadedHistory, from log: any EventLog
    ) throws(EventLogError) -> [StoredEvent] {
        if count == 0 || !history.events.isEmpty { return Array(history.events.suffix(count)) }
        return try log.events(of: room, after: history.head.seq - 1, limit: 1)
    }

    /// Reads the events that other nodes appended to a room.
    /// - Parameters:
    ///   - responsesAfter: Position of the last known stored response.
    ///   - readAt: The current `ServiceClock.uptime`.
    /// - Returns: nil if there are too many events or the histories differ: load the room instead.
    package static func changes(
        _ room: ReplayedRoom, in log: any SharedEventLog, responsesAfter: Int64, readAt: Int64 = 0
    ) throws(EventLogError) -> Sequencer.CaughtUpState? {
        let found = try log.changes(of: room.room.id, since: room.head, responsesAfter: responsesAfter, limit: eventsPerCatchUp)
        guard let found else { return nil }
        do throws(EventLogError) {
            return Sequencer.CaughtUpState(
                since: room.head, room: found.events.isEmpty ? room : try RoomReplay.room(room, after: found),
                events: found.events, keys: found.responses, readAt: readAt)
        } catch  where error.code == .corrupt {
            // A full load finds out whether the log or the state in memory is corrupt.
            return nil
        }
    }

    /// Maximum number of events to catch up with; beyond it the room is loaded from its snapshot.
    private static let eventsPerCatchUp = 4096

    /// The history with all events up to its head instead of its snapshot, which is corrupt or of another version of the program. Other
    /// nodes may append more meanwhile, which would not match the head.
    static func withoutSnapshot(
        _ history: LoadedHistory, of room: RoomID, from log: any EventLog
    ) throws(EventLogError) -> LoadedHistory {
        let last = history.head.seq
        var (events, reached): ([StoredEvent], Int) = ([], 0)
        while reached < last {
            let page = try log.events(of: room, after: reached, limit: min(1000, last - reached))
            guard let end = page.last?.seq else { break }
            events += page
            reached = end
        }
        return LoadedHistory(
            head: history.head, snapshot: nil, events: events, hashAtSnapshot: .zero, responses: history.responses)
    }
}
