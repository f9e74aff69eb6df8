public import AuctionDomain
public import EventLog

extension PostgresEventLog {
    /// Committed durably before anybody signs with it.
    public func secret(named name: String, orCreate candidate: [UInt8]) throws(EventLogError) -> [UInt8] {
        try using("read the secret \(name)") { session throws(SessionFailure) in
            let create = Call(NodeStatements.createSecret) {
                $0.add(name)
                $0.add(candidate)
            }
            let replies = try session.run([create, Call(NodeStatements.secret) { $0.add(name) }])
            if replies[1].count == 1 { return replies[1][0].bytes(0) }
            // Another node's was committed between the two.
            let again = try session.run([Call(NodeStatements.secret) { $0.add(name) }])[0]
            guard again.count == 1 else { throw SessionFailure(kind: .unreadable, message: "there is no secret \(name)") }
            return again[0].bytes(0)
        }
    }

    public func putTicket(
        _ key: UInt128, of owner: UserID, _ content: [UInt8], expiresAt: Timestamp, perOwner: Int
    ) throws(EventLogError) {
        try using("keep a ticket") { session throws(SessionFailure) in
            let put = Call(NodeStatements.putTicket) {
                $0.add(key.bytes)
                $0.add(owner.description)
                $0.add(content)
                $0.add(expiresAt)
            }
            let trim = Call(NodeStatements.trimTickets) {
                $0.add(owner.description)
                $0.add(perOwner)
            }
            _ = try session.run([Call(Statements.relaxed), put, trim])
        }
    }

    public func takeTicket(_ key: UInt128) throws(EventLogError) -> [UInt8]? {
        try using("take a ticket") { session throws(SessionFailure) in
            let take = Call(NodeStatements.takeTicket) { $0.add(key.bytes) }
            let rows = try session.run([Call(Statements.relaxed), take])[1]
            return rows.count == 1 ? rows[0].bytes(0) : nil
        }
    }

    /// In the order of the rooms, as a node that starts again after another may report the same ones.
    public func setPresence(_ presence: [RoomPresenceReport], of node: NodeID) throws(EventLogError) {
        if presence.isEmpty { return }
        let ordered = presence.sorted { $0.room < $1.room }
        try using("say who is present") { session throws(SessionFailure) in
            _ = try session.run(
                [Call(Statements.relaxed)]
                    + ordered.map { report in
                        Call(report.isEmpty ? NodeStatements.endPresence : NodeStatements.setPresence) {
                            $0.add(report.room.description)
                            $0.add(node.description)
                            guard !report.isEmpty else { return }
                            $0.add(report.count)
                            $0.add(report.people.map(\.description))
                        }
                    })
        }
    }

    public func presence(in rooms: [RoomID], except node: NodeID) throws(EventLogError) -> [RoomPresenceReport] {
        if rooms.isEmpty { return [] }
        return try using("ask who is present") { session throws(SessionFailure) in
            let call = Call(NodeStatements.presence) {
                $0.add(rooms.map(\.description))
                $0.add(node.description)
            }
            // Those of one room stand together.
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

    public func revoke(_ revocations: [Revocation]) throws(EventLogError) {
        if revocations.isEmpty { return }
        try using("revoke") { session throws(SessionFailure) in
            let call = Call(NodeStatements.revoke) {
                $0.add(revocations.map { $0.key.bytes as [UInt8]? })
                $0.add(revocations.map(\.until.milliseconds))
                $0.add(revocations.map { $0.before?.milliseconds })
            }
            _ = try session.run([call])
        }
    }

    public func restore(_ keys: [UInt128]) throws(EventLogError) {
        if keys.isEmpty { return }
        try using("take revocations back") { session throws(SessionFailure) in
            _ = try session.run([Call(NodeStatements.restore) { $0.add(keys.map { $0.bytes as [UInt8]? }) }])
        }
    }

    public func revocations(since: Timestamp) throws(EventLogError) -> [Revocation] {
        try using("read what was revoked") { session throws(SessionFailure) in
            try session.run([Call(NodeStatements.revocations) { $0.add(since) }])[0].map { row throws(SessionFailure) in
                Revocation(
                    key: try row.key(0), at: try row.instant(1), until: try row.instant(2),
                    before: try row.optionalLong(3).map { Timestamp(milliseconds: $0) })
            }
        }
    }
}
