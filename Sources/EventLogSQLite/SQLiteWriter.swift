import AuctionDomain
import EventLog
import GRDB
import Synchronization

/// The one connection that writes.
///
/// `@unchecked Sendable`: everything mutable is touched inside `queue` only, which runs one caller at a time. The
/// committer is hardly ever held up there: what other threads write is short and bounded.
final class SQLiteWriter: @unchecked Sendable {
    let queue: DatabaseQueue
    let live: LiveRooms
    let limits: SQLiteEventLog.Limits
    /// About how many pages the write-ahead log has grown by since the last checkpoint.
    let pagesWritten = Atomic<Int>(0)
    /// The round of flushing that is under way.
    var round: FlushRound?
    /// The positions that the next event and the next answer get.
    var next = (event: Int64(1), answer: Int64(1))
    /// What the transaction under way makes of the rooms it touches; nobody else sees it before it is committed.
    private var changes: [RoomID: RoomChange] = [:]
    private var statements: WriterStatements?

    init(queue: DatabaseQueue, limits: SQLiteEventLog.Limits) {
        self.queue = queue
        self.limits = limits
        live = LiveRooms(limit: limits.rooms)
    }

    /// One transaction, inside `queue`. Whatever fails rolls all of it back, in memory too.
    func transaction<Result>(_ db: Database, _ body: (WriterStatements) throws -> Result) throws -> Result {
        let next = next
        do {
            let statements = try statements ?? WriterStatements(db)
            self.statements = statements
            try statements.begin.execute()
            let result = try body(statements)
            try statements.commit.execute()
            if !changes.isEmpty { live.publish(changes) }
            changes.removeAll(keepingCapacity: true)
            return result
        } catch {
            // Statements that failed cannot be used again.
            statements = nil
            changes.removeAll()
            self.next = next
            if db.isInsideTransaction { try? db.rollback() }
            throw error
        }
    }

    /// One transaction, durable once this returns.
    func append(_ batch: [RoomAppend]) throws -> [AppendVerdict] {
        pagesWritten.add(Self.pages(of: batch), ordering: .relaxed)
        return try queue.writeWithoutTransaction { db in
            // Nobody came to flush for long: the committer does itself what keeps memory and the next start bounded.
            while live.behind > limits.unflushed { _ = try flushSlice(db) }
            return try transaction(db) { statements in
                var verdicts: [AppendVerdict] = []
                verdicts.reserveCapacity(batch.count)
                for append in batch { verdicts.append(try take(append, statements)) }
                return verdicts
            }
        }
    }

    /// Deletes the answers up to a position.
    func deleteAnswers(through position: Int64) throws {
        try queue.writeWithoutTransaction { db in
            try transaction(db) { _ in
                try db.execute(sql: "DELETE FROM answer WHERE position <= ?", arguments: [position])
                try db.execute(sql: "UPDATE expired SET answer = max(answer, ?)", arguments: [position])
                pagesWritten.add(2 + db.changesCount, ordering: .relaxed)
            }
        }
    }

    /// Throws unless a transaction could begin now.
    func probe() throws {
        try queue.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) { .rollback }
        }
    }

    func close() throws {
        queue.writeWithoutTransaction { _ in statements = nil }
        try queue.close()
    }

    // MARK: - One element of a batch

    private func take(_ append: RoomAppend, _ statements: WriterStatements) throws -> AppendVerdict {
        let found = try find(append.room, statements)
        let head = found?.head ?? .none
        // Everything hangs on this one comparison: nothing but the log changes the file, and the log knows every head.
        guard head == append.expected else { return .conflict(actual: head) }
        try append.validate()
        if append.events.isEmpty, append.answers.isEmpty { return .appended(answerPositions: []) }
        let answers = append.answers.indices.map { next.answer + Int64($0) }
        next.answer += Int64(answers.count)
        var room = found ?? LiveRoom(number: 0, head: .none, status: append.status, lastAnswer: 0)
        let previous = room
        room.lastAnswer = answers.last ?? room.lastAnswer
        if !append.events.isEmpty {
            room.head = append.newHead
            room.status = append.status
            room = try writeRow(of: room, was: found, append, statements)
        }
        var change = changes[append.room] ?? RoomChange(room: room)
        for event in append.events {
            let status = event.seq == room.head.seq ? room.status : nil
            try statements.insert(event, at: next.event, room: room.number, status: status)
            change.positions.append(next.event)
            next.event += 1
        }
        try statements.insert(append.answers, at: answers, after: previous.lastAnswer, room: room.number)
        change.answers += answers.count
        change.room = room
        changes[append.room] = change
        return .appended(answerPositions: answers)
    }

    /// Writes the room's row if indexes or a start depend on what changed; else that waits for a flush.
    private func writeRow(
        of room: LiveRoom, was found: LiveRoom?, _ append: RoomAppend, _ statements: WriterStatements
    ) throws -> LiveRoom {
        if let found {
            let isListed = found.status.isListedLike(room.status)
            if !isListed || append.profile != nil { try statements.update(room) }
            if let profile = append.profile { try statements.update(profile, room: room.number) }
            return room
        }
        guard let profile = append.profile else { return room }
        return LiveRoom(
            number: try statements.create(append.room, room, profile), head: room.head, status: room.status,
            lastAnswer: room.lastAnswer)
    }

    func find(_ id: RoomID, _ statements: WriterStatements) throws -> LiveRoom? {
        if let room = changes[id]?.room ?? live.room(id) { return room }
        guard let room = try statements.room(id) else { return nil }
        live.learn(id, room)
        return room
    }

    /// About what a batch adds to the write-ahead log, in pages.
    private static func pages(of batch: [RoomAppend]) -> Int {
        var bytes = 0
        for append in batch {
            for event in append.events { bytes += 120 + event.publicBytes.count + (event.privateBytes?.count ?? 0) }
            for answer in append.answers { bytes += 100 + answer.body.count }
        }
        return 3 + bytes / Schema.pageBytes
    }
}
