public import AuctionDomain
public import EventLog

extension PostgresEventLog {
    public func heads(of rooms: [RoomID]) throws(EventLogError) -> [RoomHead] {
        if rooms.isEmpty { return [] }
        return try using("read heads") { session throws(SessionFailure) in
            try session.run([Call(Statements.heads) { $0.add(rooms.map(\.description)) }])[0].map {
                row throws(SessionFailure) in
                RoomHead(seq: try row.integer(0), tip: try row.bits(1))
            }
        }
    }

    public func advance(
        of room: RoomID, since head: RoomHead, answersAfter: Int64, limit: Int
    ) throws(EventLogError) -> RoomAdvance? {
        try using("read what \(room) got") { session throws(SessionFailure) in
            let replies = try session.run([
                Call(Statements.begin), Call(Statements.room) { $0.add(room.description) },
                Call(Statements.tipAt) {
                    $0.add(room.description)
                    $0.add(head.seq)
                },
                Call(Statements.eventsAfter) {
                    $0.add(room.description)
                    $0.add(head.seq)
                    $0.add(limit)
                },
                Call(Statements.answersAfter) {
                    $0.add(room.description)
                    $0.add(answersAfter)
                }, Call(Statements.commit),
            ])
            guard replies[1].count == 1 else { return nil }
            let actual = RoomHead(seq: try replies[1][0].integer(0), tip: try replies[1][0].bits(1))
            let tip = replies[2].count == 1 ? try replies[2][0].hash(0).tip : 0
            let events = try replies[3].map(StoredEvent.init)
            guard tip == head.tip, head.seq + events.count == actual.seq else { return nil }
            return RoomAdvance(head: actual, events: events, answers: try replies[4].map(StoredKey.init))
        }
    }

    public func awaitNotice(for node: NodeID, milliseconds: Int) throws(EventLogError) -> LogNotice? {
        try guardOpen()
        return try listener.wait(milliseconds)
    }

    public func time(at monotonic: Int64) -> Timestamp? { clock.time(at: monotonic) }

    public func overdueRooms(by milliseconds: Int64, limit: Int) throws(EventLogError) -> [RoomID] {
        try using("find overdue rooms") { session throws(SessionFailure) in
            let call = Call(Statements.overdue) {
                $0.add(milliseconds)
                $0.add(limit)
            }
            return try session.run([call])[0].map { row throws(SessionFailure) in try row.identifier(0) }
        }
    }

    public func heartbeat(of node: NodeID) throws(EventLogError) -> Heartbeat {
        let heartbeat = try using("say that this node lives") { session throws(SessionFailure) in
            // Before the heartbeat, whose clock may have waited for another node's.
            let sent = Session.monotonicNanoseconds()
            let shown = try session.run([Call(NodeStatements.clock)])[0][0].instant(0)
            clock.learn(shown, sent: sent, received: Session.monotonicNanoseconds())
            let beat = Call(NodeStatements.heartbeat) { $0.add(node.description) }
            return try Heartbeat(session.run([Call(Statements.relaxed), beat])[1][0])
        }
        notifier.isAlone(heartbeat.liveNodes < 2)
        return heartbeat
    }

    public func retire(_ node: NodeID) throws(EventLogError) {
        try using("retire this node") { session throws(SessionFailure) in
            _ = try session.run(NodeStatements.retire.map { Call($0) { $0.add(node.description) } })
        }
    }

    public func claimOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool {
        try ofOutage(NodeStatements.claimOutage, id, node)
    }

    public func settleOutage(_ id: Int64, by node: NodeID) throws(EventLogError) -> Bool {
        try ofOutage(NodeStatements.settleOutage, id, node)
    }

    private func ofOutage(_ statement: Statement, _ id: Int64, _ node: NodeID) throws(EventLogError) -> Bool {
        try using("see to an outage") { session throws(SessionFailure) in
            let call = Call(statement) {
                $0.add(id)
                $0.add(node.description)
            }
            return try session.run([call])[0].count == 1
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
