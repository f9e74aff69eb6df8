import AuctionDomain
import EventLog
import Testing

extension SharedConformance {
    private static let (ada, bob) = (NodeID(bits: 1), NodeID(bits: .max))

    @Test(arguments: SharedBackEnd.all)
    func `nodes count while they are heard of`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            #expect(try log.heartbeat(of: Self.ada).liveNodes == 1)
            let both = try log.heartbeat(of: Self.bob)
            #expect(both.liveNodes == 2)
            #expect(both.outage == nil)
            try opened.pass(1500)
            #expect(try log.heartbeat(of: Self.ada).liveNodes == 2)
            try opened.pass(1500)
            let alone = try log.heartbeat(of: Self.ada)
            #expect(alone.liveNodes == 1)
            #expect(alone.outage == nil, "one node lived all the time")
            _ = try log.heartbeat(of: Self.bob)
            try log.retire(Self.bob)
            #expect(try log.heartbeat(of: Self.ada).liveNodes == 1)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `one node claims an outage, and until it is settled nothing ends that fell due since`(
        _ backEnd: SharedBackEnd
    ) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            var room = SampleRoom(1)
            _ = try log.heartbeat(of: Self.ada)
            try opened.pass(5000)
            let outage = try #require(try log.heartbeat(of: Self.ada).outage)
            #expect(outage.claimedBy == nil)
            #expect(outage.until.milliseconds(since: outage.from) >= 5000)
            let eaten = Timestamp(milliseconds: outage.from.milliseconds + 1)
            #expect(try log.append(&room) == .appended(answerPositions: []))
            #expect(try log.append(&room, notBefore: eaten) == .deferred(.outage))
            let earlier = Timestamp(milliseconds: outage.from.milliseconds - 1)
            #expect(try log.append(&room, notBefore: earlier) == .appended(answerPositions: []))

            #expect(try log.claimOutage(outage.id, by: Self.ada))
            #expect(try log.claimOutage(outage.id, by: Self.ada))
            #expect(try !log.claimOutage(outage.id, by: Self.bob))
            #expect(try log.heartbeat(of: Self.bob).outage?.claimedBy == Self.ada)
            #expect(try !log.settleOutage(outage.id, by: Self.bob))
            #expect(try log.append(&room, notBefore: eaten) == .deferred(.outage))
            #expect(try log.settleOutage(outage.id, by: Self.ada))
            #expect(try !log.settleOutage(outage.id, by: Self.ada))
            #expect(try log.append(&room, notBefore: eaten) == .appended(answerPositions: []))
            #expect(try log.heartbeat(of: Self.bob).outage == nil)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `an outage whose node died is another node's`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            _ = try log.heartbeat(of: Self.ada)
            try opened.pass(5000)
            let outage = try #require(try log.heartbeat(of: Self.ada).outage)
            #expect(try log.claimOutage(outage.id, by: Self.ada))
            for _ in 0..<2 {
                try opened.pass(1500)
                _ = try log.heartbeat(of: Self.bob)
            }
            #expect(try log.heartbeat(of: Self.bob).outage?.claimedBy == nil)
            #expect(try log.claimOutage(outage.id, by: Self.bob))
            #expect(try !log.settleOutage(outage.id, by: Self.ada))
            #expect(try log.settleOutage(outage.id, by: Self.bob))
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `all nodes get the same secret`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            #expect(try opened.log.secret(named: "token", orCreate: [1, 0, 2]) == [1, 0, 2])
            #expect(try opened.log.secret(named: "token", orCreate: [3]) == [1, 0, 2])
            #expect(try opened.log.secret(named: "other", orCreate: [3]) == [3])
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `a ticket is good once, in time, and an owner has so many`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let (log, owner) = (opened.log, UserID(bits: 5))
            let later = Timestamp(milliseconds: try log.clockNow().milliseconds + 30_000)
            for key: UInt128 in [.max, 2, 3] { try log.putTicket(key, of: owner, [7], expiresAt: later, perOwner: 2) }
            try log.putTicket(4, of: UserID(bits: 6), [8, 0], expiresAt: later, perOwner: 2)
            #expect(try log.takeTicket(.max) == nil, "the oldest went for the third")
            #expect(try log.takeTicket(2) == [7])
            #expect(try log.takeTicket(2) == nil)
            #expect(try log.takeTicket(4) == [8, 0])
            try opened.pass(31_000)
            #expect(try log.takeTicket(3) == nil)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `presence is summed over other nodes that live`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let (log, eve) = (opened.log, NodeID(bits: 3))
            let rooms = [SampleRoom(1).id, SampleRoom(2).id]
            let people = [UserID(bits: 1), UserID(bits: 2)]
            for node in [Self.ada, Self.bob, eve] { _ = try log.heartbeat(of: node) }
            try log.setPresence([.init(room: rooms[0], count: 3, people: [people[1]])], of: Self.ada)
            try log.setPresence(
                [.init(room: rooms[0], count: 4, people: people), .init(room: rooms[1], count: 1, people: [])], of: Self.bob)
            #expect(
                try log.presence(in: rooms, except: eve)
                    == [.init(room: rooms[0], count: 7, people: people), .init(room: rooms[1], count: 1, people: [])])
            #expect(try log.presence(in: rooms, except: Self.bob) == [.init(room: rooms[0], count: 3, people: [people[1]])])
            try log.setPresence([.init(room: rooms[1], count: 0, people: [])], of: Self.bob)
            #expect(try log.presence(in: rooms, except: eve).map(\.count) == [7])
            try log.retire(Self.ada)
            #expect(try log.presence(in: rooms, except: eve).map(\.count) == [4])
            try opened.pass(2500)
            _ = try log.heartbeat(of: eve)
            #expect(try log.presence(in: rooms, except: eve).isEmpty)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `what was revoked is told until it would have ended`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            let start = try log.clockNow()
            func after(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: start.milliseconds + milliseconds) }
            try log.revoke([Revocation(key: .max, at: start, until: after(90_000))])
            try log.revoke([Revocation(key: 2, at: start, until: after(20_000))])
            #expect(try Set(log.revocations(since: start).map(\.key)) == [.max, 2])
            #expect(try log.revocations(since: after(60_000)).isEmpty)
            try opened.pass(30_000)
            #expect(try log.revocations(since: after(-60_000)).map(\.key) == [.max])
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `of two revocations of the same the one counts that takes back more, until all is taken back`(
        _ backEnd: SharedBackEnd
    ) throws {
        try backEnd.withLog { opened throws in
            let (log, other) = (opened.log, opened.other)
            let start = try log.clockNow()
            func after(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: start.milliseconds + milliseconds) }
            func revoke(_ before: [UInt128: Timestamp?], until: Int64 = 90_000) throws {
                try log.revoke(before.map { Revocation(key: $0, at: start, until: after(until), before: $1) })
            }
            try revoke([1: after(-5), 2: after(-5), 3: nil, 4: after(-9)], until: 20_000)
            try revoke([1: after(-7), 2: after(-3), 3: after(-5), .max: after(-1)])
            try revoke([1: nil], until: 20_000)
            let found = try other.revocations(since: after(-60_000)).sorted { $0.key < $1.key }
            #expect(found.map(\.key) == [1, 2, 3, 4, .max])
            #expect(found.map(\.before) == [nil, after(-3), nil, after(-9), after(-1)])
            #expect(found.map(\.until) == [90_000, 90_000, 90_000, 20_000, 90_000].map { after($0) })
            try other.restore([2, 3, 77])
            #expect(try Set(log.revocations(since: after(-60_000)).map(\.key)) == [1, 4, .max])
            // What is over leaves nothing behind.
            try opened.pass(30_000)
            try log.revoke([Revocation(key: 4, at: start, until: after(90_000), before: after(-20))])
            #expect(try log.revocations(since: after(-90_000)).first { $0.key == 4 }?.before == after(-20))
        }
    }
}
