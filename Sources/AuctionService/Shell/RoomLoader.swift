package import AuctionDomain
package import EventLog

/// Reads a room from the log into memory; runs on a reader thread.
package enum RoomLoader {
    /// - Parameters:
    ///   - answersPerOwner: Of each user's keys the newest are read, at most so many.
    ///   - latest: As many events are read along for those who follow the room; 0 for none.
    ///   - readAt: What `ServiceClock.uptime` shows.
    /// - Returns: nil if there is no such room.
    package static func load(
        _ room: RoomID, from log: any EventLog, answersSince: Timestamp, answersPerOwner: Int, latest: Int = 0,
        readAt: Int64 = 0
    ) throws(EventLogError) -> Sequencer.LoadedState? {
        let found = try log.load(room, answersSince: answersSince, answersPerOwner: answersPerOwner)
        guard let history = found else { return nil }
        do throws(EventLogError) {
            return Sequencer.LoadedState(
                room: try RoomReplay.room(room, from: history), keys: history.answers,
                snapshots: SnapshotSpacing(history), latest: try self.latest(latest, of: room, history, from: log),
                readAt: readAt)
        } catch  where error.code == .corrupt && history.snapshot != nil {
            // A snapshot only saves time; the events are the truth.
            let events = try allEvents(of: room, from: log)
            let whole = LoadedHistory(
                head: history.head, snapshot: nil, events: events, hashAtSnapshot: .zero, answers: history.answers)
            return Sequencer.LoadedState(
                room: try RoomReplay.room(room, from: whole), keys: history.answers,
                snapshots: SnapshotSpacing(whole), latest: Array(events.suffix(latest)), readAt: readAt)
        }
    }

    /// The end of the history; one event at least, as the snapshot may stand at the end.
    private static func latest(
        _ count: Int, of room: RoomID, _ history: LoadedHistory, from log: any EventLog
    ) throws(EventLogError) -> [StoredEvent] {
        if count == 0 || !history.events.isEmpty { return Array(history.events.suffix(count)) }
        return try log.events(of: room, after: history.head.seq - 1, limit: 1)
    }

    /// What other nodes appended to a room; nil if it is too much, or the history went another way: load it anew.
    /// - Parameter readAt: What `ServiceClock.uptime` shows.
    package static func advance(
        _ room: ReplayedRoom, in log: any SharedEventLog, answersAfter: Int64, readAt: Int64 = 0
    ) throws(EventLogError) -> Sequencer.AdvancedState? {
        let found = try log.advance(
            of: room.room.id, since: room.head, answersAfter: answersAfter, limit: eventsPerAdvance)
        guard let found else { return nil }
        do throws(EventLogError) {
            return Sequencer.AdvancedState(
                since: room.head, room: found.events.isEmpty ? room : try RoomReplay.room(room, after: found),
                events: found.events, keys: found.answers, readAt: readAt)
        } catch  where error.code == .corrupt {
            // The loader finds out whether the log is broken or what is in memory.
            return nil
        }
    }

    /// With more than so many events missing a room is read from its snapshot instead.
    private static let eventsPerAdvance = 4096

    private static func allEvents(of room: RoomID, from log: any EventLog) throws(EventLogError) -> [StoredEvent] {
        var events: [StoredEvent] = []
        while true {
            let page = try log.events(of: room, after: events.last?.seq ?? 0, limit: 1000)
            guard !page.isEmpty else { return events }
            events += page
        }
    }
}
