package import AuctionDomain
package import EventLog

// What is stored of users who have left the service for good. The server's vacuum removes the rows from before.
extension PostgresEventLog {
    /// Rooms whose events one statement searches.
    private static let roomsPerSearch = 64

    /// See `ErasureStore.rooms(naming:after:limit:)`. Positions are those of rooms, because their events have no order of their own.
    package func rooms(naming users: [UserID], after position: Int64, limit: Int) throws(EventLogError) -> NamingRooms {
        try using("search events for users") { session throws(SessionFailure) in
            let count = min(max(limit, 1), Self.roomsPerSearch)
            let rows = try session.run([
                Call(ErasureStatements.rooms) {
                    $0.add(position)
                    $0.add(count)
                    $0.add(bytesOf: users) { Array($0.description.utf8) }
                }
            ])[0]
            var (found, last) = ([RoomID](), position)
            for number in 0..<rows.count {
                last = try rows[number].long(0)
                if try rows[number].flag(2) { found.append(try rows[number].identifier(1)) }
            }
            return NamingRooms(rooms: found, next: rows.count == count ? last : nil)
        }
    }

    /// See `ErasureStore.replace`.
    package func replace(_ events: [StoredEvent], of room: RoomID, before seq: Int) throws(EventLogError) {
        try using("rewrite events of \(room)") { session throws(SessionFailure) in
            let update = Call(ErasureStatements.replace) {
                $0.add(room.description)
                $0.add(numbersOf: events) { Int64($0.seq) }
                $0.add(bytesOf: events) { $0.publicBytes }
                $0.add(bytesOf: events) { $0.privateBytes }
                $0.add(bytesOf: events) { $0.erasedHashBytes }
            }
            _ = try session.run([update, Call(ErasureStatements.deleteSnapshot, room.description, seq)])
        }
    }

    /// See `ErasureStore.rewriteResponses`.
    package func rewriteResponses(
        naming users: [UserID], after position: Int64, limit: Int, _ rewrite: ([UInt8]) -> [UInt8]?
    ) throws(EventLogError) -> Int64? {
        try using("rewrite answers") { session throws(SessionFailure) in
            let rows = try session.run([
                Call(ErasureStatements.responses) {
                    $0.add(position)
                    $0.add(max(limit, 1))
                    $0.add(bytesOf: users) { Array($0.description.utf8) }
                }
            ])[0]
            var end: Int64?
            var changed: [(position: Int64, body: [UInt8])] = []
            for number in 0..<rows.count {
                let row = rows[number]
                end = try row.long(0)
                if !row.isNull(1), let end, let body = rewrite(row.bytes(1)) { changed.append((end, body)) }
            }
            if !changed.isEmpty {
                _ = try session.run([
                    Call(ErasureStatements.replaceResponses) {
                        $0.add(numbersOf: changed) { $0.position }
                        $0.add(bytesOf: changed) { $0.body }
                    }
                ])
            }
            return end
        }
    }
}

/// SQL for erasures.
private enum ErasureStatements {
    static let rooms = Statement(
        name: "erasure_rooms",
        sql: """
            SELECT p.number, p.id, EXISTS (
                SELECT FROM event e, unnest($3::bytea[]) AS name WHERE e.room = p.number
                    AND (position(name IN e.public) > 0 OR position(name IN e.private) > 0))
            FROM (SELECT number, id FROM room WHERE number > $1 ORDER BY number LIMIT $2) AS p ORDER BY p.number
            """)
    static let replace = Statement(
        name: "erasure_replace",
        sql: """
            UPDATE event e SET public = w.public, private = w.private, hash = w.hash
            FROM unnest($2::bigint[], $3::bytea[], $4::bytea[], $5::bytea[]) AS w(seq, public, private, hash)
            WHERE e.room = (SELECT number FROM room WHERE id = $1) AND e.seq = w.seq
            """)
    static let deleteSnapshot = Statement(
        name: "erasure_snapshot",
        sql: "DELETE FROM snapshot WHERE room = (SELECT number FROM room WHERE id = $1) AND seq < $2")
    static let responses = Statement(
        name: "erasure_answers",
        sql: """
            SELECT position, CASE WHEN EXISTS (
                SELECT FROM unnest($3::bytea[]) AS name WHERE position(name IN body) > 0) THEN body END
            FROM answer WHERE answer.position > $1 ORDER BY answer.position LIMIT $2
            """)
    static let replaceResponses = Statement(
        name: "erasure_replace_answers",
        sql: """
            UPDATE answer a SET body = w.body FROM unnest($1::bigint[], $2::bytea[]) AS w(position, body)
            WHERE a.position = w.position
            """)
}
