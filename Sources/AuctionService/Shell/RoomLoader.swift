package import AuctionDomain
package import EventLog

/// Reads a room from the log into memory; runs on a reader thread.
package enum RoomLoader {
    /// - Returns: nil if there is no such room.
    package static func load(
        _ room: RoomID, from log: any EventLog, answersSince: Timestamp
    ) throws(EventLogError) -> Sequencer.LoadedState? {
        guard let history = try log.load(room, answersSince: answersSince) else { return nil }
        do throws(EventLogError) {
            return Sequencer.LoadedState(
                room: try RoomReplay.room(room, from: history), keys: history.answers,
                snapshotSeq: history.snapshot?.seq ?? 0)
        } catch  where error.code == .corrupt && history.snapshot != nil {
            // A snapshot only saves time; the events are the truth.
            let events = try allEvents(of: room, from: log)
            let whole = LoadedHistory(
                head: history.head, snapshot: nil, events: events, hashAtSnapshot: .zero, answers: history.answers)
            return Sequencer.LoadedState(
                room: try RoomReplay.room(room, from: whole), keys: history.answers, snapshotSeq: 0)
        }
    }

    private static func allEvents(of room: RoomID, from log: any EventLog) throws(EventLogError) -> [StoredEvent] {
        var events: [StoredEvent] = []
        while true {
            let page = try log.events(of: room, after: events.last?.seq ?? 0, limit: 1000)
            guard !page.isEmpty else { return events }
            events += page
        }
    }
}
