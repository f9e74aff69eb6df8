package import AuctionDomain
package import EventLog

extension PostgresEventLog {
    /// See `SharedEventLog.secret`. Committed durably before it is returned.
    package func secret(named name: String, orCreate candidate: [UInt8]) throws(EventLogError) -> [UInt8] {
        try using("read the secret \(name)") { session throws(SessionFailure) in
            let create = Call(SharedStateStatements.createSecret, name, candidate)
            let replies = try session.run([create, Call(SharedStateStatements.secret, name)])
            if replies[1].count == 1 { return replies[1][0].bytes(0) }
            // Another node's secret was committed between the two statements.
            let again = try session.run([Call(SharedStateStatements.secret, name)])[0]
            guard again.count == 1 else { throw SessionFailure(kind: .unreadable, message: "there is no secret \(name)") }
            return again[0].bytes(0)
        }
    }

    /// See `SharedEventLog.putTicket`.
    package func putTicket(
        _ key: UInt128, of owner: UserID, _ content: [UInt8], expiresAt: Timestamp, perOwner: Int
    ) throws(EventLogError) {
        try using("store a ticket") { session throws(SessionFailure) in
            let put = Call(SharedStateStatements.putTicket, key.bytes, owner.description, content, expiresAt)
            let trim = Call(SharedStateStatements.trimTickets, owner.description, perOwner)
            _ = try session.run([Call(Statements.asynchronousCommit), put, trim])
        }
    }

    /// See `SharedEventLog.takeTicket`.
    package func takeTicket(_ key: UInt128) throws(EventLogError) -> [UInt8]? {
        try using("redeem a ticket") { session throws(SessionFailure) in
            let take = Call(SharedStateStatements.takeTicket, key.bytes)
            let rows = try session.run([Call(Statements.asynchronousCommit), take])[1]
            return rows.count == 1 ? rows[0].bytes(0) : nil
        }
    }

    /// See `SharedEventLog.setPresence`. Written in order of room, so that concurrent calls cannot deadlock.
    package func setPresence(_ presence: [RoomPresenceReport], of node: NodeID) throws(EventLogError) {
        if presence.isEmpty { return }
        let ordered = presence.sorted { $0.room < $1.room }
        try using("save presence") { session throws(SessionFailure) in
            _ = try session.run(
                [Call(Statements.asynchronousCommit)]
                    + ordered.map { report in
                        Call(report.isEmpty ? SharedStateStatements.endPresence : SharedStateStatements.setPresence) {
                            $0.add(report.room.description)
                            $0.add(node.description)
                            guard !report.isEmpty else { return }
                            $0.add(report.count)
                            $0.add(report.people.map(\.description))
                        }
                    })
        }
    }

    /// See `SharedEventLog.presence`.
    package func presence(in rooms: [RoomID], except node: NodeID) throws(EventLogError) -> [RoomPresenceReport] {
        if rooms.isEmpty { return [] }
        return try using("read presence") { session throws(SessionFailure) in
            let call = Call(SharedStateStatements.presence) {
                $0.add(rooms.map(\.description))
                $0.add(node.description)
            }
            // The rows of a room are adjacent.
            var sums: [(room: RoomID, count: Int, people: Set<UserID>)] = []
            for (room, count, people) in try session.run([call])[0].map(Self.presence) {
                if sums.last?.room != room { sums.append((room, 0, [])) }
                sums[sums.count - 1].count += count
                sums[sums.count - 1].people.formUnion(people)
            }
            return sums.map { RoomPresenceReport(room: $0.room, count: $0.count, people: $0.people.sorted()) }
        }
    }

    private static func presence(_ row: Row) throws(SessionFailure) -> (RoomID, Int, [UserID]) {
        let people = row.text(2).split(separator: ",").compactMap { UserID(String($0)) }
        return (try row.identifier(0), try row.integer(1), people)
    }

    /// See `SharedEventLog.revoke`.
    package func revoke(_ revocations: [Revocation]) throws(EventLogError) {
        if revocations.isEmpty { return }
        try using("revoke") { session throws(SessionFailure) in
            let call = Call(SharedStateStatements.revoke) {
                $0.add(revocations.map { $0.key.bytes as [UInt8]? })
                $0.add(revocations.map(\.until.milliseconds))
                $0.add(revocations.map { $0.before?.milliseconds })
            }
            _ = try session.run([call])
        }
    }

    /// See `SharedEventLog.restore`.
    package func restore(_ keys: [UInt128]) throws(EventLogError) {
        if keys.isEmpty { return }
        try using("delete revocations") { session throws(SessionFailure) in
            _ = try session.run([Call(SharedStateStatements.restore) { $0.add(keys.map { $0.bytes as [UInt8]? }) }])
        }
    }

    /// See `SharedEventLog.revocations`.
    package func revocations(since: Timestamp) throws(EventLogError) -> [Revocation] {
        try using("read revocations") { session throws(SessionFailure) in
            try session.run([Call(SharedStateStatements.revocations, since)])[0].map { row throws(SessionFailure) in
                Revocation(
                    key: try row.key(0), at: try row.instant(1), until: try row.instant(2),
                    before: try row.optionalLong(3).map { Timestamp(milliseconds: $0) })
            }
        }
    }
}
