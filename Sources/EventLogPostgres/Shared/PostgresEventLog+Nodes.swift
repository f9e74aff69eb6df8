package import AuctionDomain
package import EventLog

extension PostgresEventLog {
    /// See `SharedEventLog.heads`.
    package func heads(of rooms: [RoomID]) throws(EventLogError) -> [RoomHead] {
        if rooms.isEmpty { return [] }
        return try using("read heads") { session throws(SessionFailure) in
            try session.run([Call(Statements.heads) { $0.add(identifiersOf: rooms) { $0 } }])[0].map {
                row throws(SessionFailure) in
                RoomHead(seq: try row.integer(0), headHash: try row.bits(1))
            }
        }
    }

    /// See `SharedEventLog.changes`.
    package func changes(
        of room: RoomID, since head: RoomHead, responsesAfter: Int64, limit: Int
    ) throws(EventLogError) -> RoomChanges? {
        try using("read the changes of \(room)") { session throws(SessionFailure) in
            let replies = try session.run([
                Call(Statements.begin), Call(Statements.room, room.description),
                Call(Statements.hashAt, room.description, head.seq),
                Call(Statements.eventsAfter, room.description, head.seq, limit),
                Call(Statements.responsesAfter, room.description, responsesAfter), Call(Statements.commit),
            ])
            guard replies[1].count == 1 else { return nil }
            let actual = RoomHead(seq: try replies[1][0].integer(0), headHash: try replies[1][0].bits(1))
            let headHash = replies[2].count == 1 ? try replies[2][0].hash(0).headHash : 0
            let events = try replies[3].map(StoredEvent.init)
            guard headHash == head.headHash, head.seq + events.count == actual.seq else { return nil }
            return RoomChanges(head: actual, events: events, responses: try replies[4].map(StoredKey.init))
        }
    }

    /// See `SharedEventLog.awaitNotification`.
    package func awaitNotification(for node: NodeID, milliseconds: Int) throws(EventLogError) -> ChangeNotification? {
        try guardOpen()
        return try notices.wait(milliseconds)
    }

    /// See `SharedEventLog.time`; estimated by `ServerClock`.
    package func time(at monotonic: Int64) -> Timestamp? { clock.time(at: monotonic) }

    /// See `SharedEventLog.roomsPastDeadline`.
    package func roomsPastDeadline(by milliseconds: Int64, limit: Int) throws(EventLogError) -> [RoomID] {
        try using("find rooms past their deadline") { session throws(SessionFailure) in
            try session.run([Call(Statements.pastDeadline, milliseconds, limit)])[0].map { row throws(SessionFailure) in
                try row.identifier(0)
            }
        }
    }

    /// See `SharedEventLog.liveness`.
    package func liveness() throws(EventLogError) -> Liveness {
        try using("find the nodes that are alive", of: heartbeatPool) { session throws(SessionFailure) in
            let rows = try session.run([Call(SharedStateStatements.liveness)])[0]
            let last = rows.count == 0 ? nil : try rows[0].optionalLong(0).map { Timestamp(milliseconds: $0) }
            let nodes = try rows.map { row throws(SessionFailure) -> (NodeID, Timestamp)? in
                guard let bits = UInt64(row.text(1), radix: 16) else { return nil }
                return (NodeID(bits: bits), try row.instant(2))
            }
            return Liveness(lastHeartbeat: last, nodes: Dictionary(nodes.compactMap { $0 }, uniquingKeysWith: max))
        }
    }

    /// See `SharedEventLog.heartbeat`. Also updates the clock estimate and whether notifications are sent.
    package func heartbeat(of node: NodeID, silentSince: Timestamp?) throws(EventLogError) -> Heartbeat {
        let heartbeat = try using("send a heartbeat", of: heartbeatPool) { session throws(SessionFailure) in
            // Separate from the heartbeat, which may wait for another node's row lock and thus return an old time.
            let sent = Session.monotonicNanoseconds()
            let serverTime = try session.run([Call(SharedStateStatements.clock)])[0][0].instant(0)
            clock.record(serverTime, sent: sent, received: Session.monotonicNanoseconds())
            // No heartbeat is as early as the instant that stands for none.
            let beat = Call(SharedStateStatements.heartbeat, node.description, silentSince?.milliseconds ?? .min)
            return try Heartbeat(session.run([Call(Statements.asynchronousCommit), beat])[1][0])
        }
        notices.notifier.isAlone(heartbeat.liveNodes < 2)
        return heartbeat
    }

    /// See `SharedEventLog.retire`.
    package func retire(_ node: NodeID) throws(EventLogError) {
        try using("retire this node", of: heartbeatPool) { session throws(SessionFailure) in
            _ = try session.run(SharedStateStatements.retire.map { Call($0, node.description) })
        }
    }

    /// See `SharedEventLog.claimOutage`.
    package func claimOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool {
        try updateOutage(SharedStateStatements.claimOutage, id, node)
    }

    /// See `SharedEventLog.settleOutage`.
    package func settleOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool {
        try updateOutage(SharedStateStatements.settleOutage, id, node)
    }

    private func updateOutage(_ statement: Statement, _ id: Int64, _ node: NodeID) throws(EventLogError) -> Bool {
        try using("claim or settle an outage", of: heartbeatPool) { session throws(SessionFailure) in
            try session.run([Call(statement, id, node.description)])[0].count == 1
        }
    }
}

extension Heartbeat {
    init(_ row: Row) throws(SessionFailure) {
        var outage: Outage?
        if let id = try row.optionalLong(2) {
            outage = Outage(
                id: id, from: try row.instant(3), until: try row.instant(4),
                claimedBy: UInt64(row.text(5), radix: 16).map { NodeID(bits: $0) })
        }
        self.init(at: try row.instant(0), liveNodes: try row.integer(1), outage: outage)
    }
}
