public import AuctionDomain
public import EventLog

/// Copies a log into an empty one, of another kind perhaps: every event with its hash, and what is kept beside them.
public struct LogCopy {
    /// What is read, and what keeps its answers. The same log in two ways.
    private let archive: any LogArchive
    private let source: any EventLog
    private let target: any EventLog
    /// Events in one transaction.
    private static let pageEvents = 1000

    /// - Parameter source: Nobody else may write to it meanwhile.
    public init(from archive: any LogArchive, _ source: any EventLog, to target: any EventLog) {
        self.archive = archive
        self.source = source
        self.target = target
    }

    /// One room; call it for the oldest first, so that lists keep their order.
    /// - Parameter answersSince: Older answers are left behind.
    /// - Returns: How many events it has.
    /// - Throws: `.statement` if the target has such a room, `.corrupt` if the source's history cannot be read.
    public func copy(_ id: RoomID, answersSince: Timestamp) throws(EventLogError) -> Int {
        guard let record = try archive.record(of: id) else { return 0 }
        var head = RoomHead.none
        var room: Room?
        while head.seq < record.lastSeq {
            let limit = min(Self.pageEvents, record.lastSeq - head.seq)
            let events = try archive.events(of: id, after: head.seq, limit: limit)
            guard let last = events.last else {
                throw EventLogError(.corrupt, "\(id) ends at \(head.seq) of \(record.lastSeq)")
            }
            let after = try fold(events, into: room, of: id)
            room = after
            let answers = last.seq == record.lastSeq ? try self.answers(of: id, since: answersSince) : []
            let append = RoomAppend(
                room: id, expected: head, events: events, profile: after.profile, status: after.status, answers: answers,
                dueAt: after.dueAt)
            guard case .appended = try target.append([append]).first else {
                throw EventLogError(.statement, "\(id) is in the target already, or somebody writes to it")
            }
            head = append.newHead
        }
        if let snapshot = record.snapshot { try target.save([snapshot]) }
        return record.lastSeq
    }

    private func fold(_ events: [StoredEvent], into room: Room?, of id: RoomID) throws(EventLogError) -> Room {
        var room = room
        for stored in events {
            do {
                let event = try EventCodec.decode(stored, after: room)
                if var folded = room.take() {
                    try folded.apply(event)
                    room = folded
                } else {
                    room = Room(id: id, opening: event)
                }
            } catch {
                throw EventLogError(.corrupt, "\(id), event \(stored.seq): \(error)")
            }
        }
        guard let room else { throw EventLogError(.corrupt, "\(id) does not begin with its opening") }
        return room
    }

    private func answers(of id: RoomID, since: Timestamp) throws(EventLogError) -> [AnswerRecord] {
        var answers: [AnswerRecord] = []
        for key in try source.load(id, answersSince: since)?.answers ?? [] {
            if let answer = try source.answer(at: key.position) { answers.append(answer) }
        }
        return answers
    }
}
