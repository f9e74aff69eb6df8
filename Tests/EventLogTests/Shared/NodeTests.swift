import AuctionDomain
import EventLog
import Testing

extension SharedConformance {
    private static let (ada, bob) = (NodeID(bits: 1), NodeID(bits: .max))

    @Test(arguments: SharedBackEnd.all)
    func `a node counts as live until its last heartbeat is too old`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            #expect(try log.heartbeat(of: Self.ada).liveNodes == 1)
            let both = try log.heartbeat(of: Self.bob)
            #expect(both.liveNodes == 2)
            #expect(both.outage == nil)
            try opened.advanceTime(1500)
            #expect(try log.heartbeat(of: Self.ada).liveNodes == 2)
            try opened.advanceTime(1500)
            let alone = try log.heartbeat(of: Self.ada)
            #expect(alone.liveNodes == 1)
            #expect(alone.outage == nil, "one node was live all the time")
            _ = try log.heartbeat(of: Self.bob)
            try log.retire(Self.bob)
            #expect(try log.heartbeat(of: Self.ada).liveNodes == 1)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `an outage is claimed by one node, and expiries since its start are deferred until it is settled`(
        _ backEnd: SharedBackEnd
    ) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            var room = SampleRoom(1)
            _ = try log.heartbeat(of: Self.ada)
            try opened.advanceTime(5000)
            let outage = try #require(try log.heartbeat(of: Self.ada).outage)
            #expect(outage.claimedBy == nil)
            #expect(outage.until.milliseconds(since: outage.from) >= 5000)
            let expiredDeadline = Timestamp(milliseconds: outage.from.milliseconds + 1)
            #expect(try log.append(&room) == .appended(responsePositions: []))
            #expect(try log.append(&room, notBefore: expiredDeadline) == .deferred(.outage))
            let earlier = Timestamp(milliseconds: outage.from.milliseconds - 1)
            #expect(try log.append(&room, notBefore: earlier) == .appended(responsePositions: []))

            #expect(try log.claimOutage(outage.id, by: Self.ada))
            #expect(try log.claimOutage(outage.id, by: Self.ada))
            #expect(try !log.claimOutage(outage.id, by: Self.bob))
            #expect(try log.heartbeat(of: Self.bob).outage?.claimedBy == Self.ada)
            #expect(try !log.settleOutage(outage.id, by: Self.bob))
            #expect(try log.append(&room, notBefore: expiredDeadline) == .deferred(.outage))
            #expect(try log.settleOutage(outage.id, by: Self.ada))
            #expect(try !log.settleOutage(outage.id, by: Self.ada))
            #expect(try log.append(&room, notBefore: expiredDeadline) == .appended(responsePositions: []))
            #expect(try log.heartbeat(of: Self.bob).outage == nil)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `a node that starts alone records an outage however short, and only the first of two does`(
        _ backEnd: SharedBackEnd
    ) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            #expect(try log.liveness() == Liveness(lastHeartbeat: nil, nodes: [:]))
            _ = try log.heartbeat(of: Self.ada)
            try opened.advanceTime(100)
            let liveness = try log.liveness()
            #expect(liveness.nodes.keys.sorted() == [Self.ada] && liveness.nodes[Self.ada] == liveness.lastHeartbeat)
            let outage = try #require(try log.heartbeat(of: Self.bob, silentSince: liveness.lastHeartbeat).outage)
            #expect(outage.from == liveness.lastHeartbeat && outage.claimedBy == nil)
            #expect(try log.claimOutage(outage.id, by: Self.bob))
            #expect(try log.settleOutage(outage.id, by: Self.bob))
            #expect(try log.heartbeat(of: Self.ada, silentSince: liveness.lastHeartbeat).outage == nil, "the other one lives")
            try opened.advanceTime(2500)
            #expect(try log.liveness().nodes.isEmpty)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `an outage can be claimed by another node after the claimer died`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            _ = try log.heartbeat(of: Self.ada)
            try opened.advanceTime(5000)
            let outage = try #require(try log.heartbeat(of: Self.ada).outage)
            #expect(try log.claimOutage(outage.id, by: Self.ada))
            for _ in 0..<2 {
                try opened.advanceTime(1500)
                _ = try log.heartbeat(of: Self.bob)
            }
            #expect(try log.heartbeat(of: Self.bob).outage?.claimedBy == nil)
            #expect(try log.claimOutage(outage.id, by: Self.bob))
            #expect(try !log.settleOutage(outage.id, by: Self.ada))
            #expect(try log.settleOutage(outage.id, by: Self.bob))
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `a secret is created once and then returned unchanged`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            #expect(try opened.log.secret(named: "token", orCreate: [1, 0, 2]) == [1, 0, 2])
            #expect(try opened.log.secret(named: "token", orCreate: [3]) == [1, 0, 2])
            #expect(try opened.log.secret(named: "other", orCreate: [3]) == [3])
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `a ticket can be redeemed once before it expires, and an owner's number of tickets is limited`(
        _ backEnd: SharedBackEnd
    ) throws {
        try backEnd.withLog { opened throws in
            let (log, owner) = (opened.log, UserID(bits: 5))
            let later = Timestamp(milliseconds: try log.clockNow().milliseconds + 30_000)
            for key: UInt128 in [.max, 2, 3] { try log.putTicket(key, of: owner, [7], expiresAt: later, perOwner: 2) }
            try log.putTicket(4, of: UserID(bits: 6), [8, 0], expiresAt: later, perOwner: 2)
            #expect(try log.takeTicket(.max) == nil, "the oldest was deleted for the third")
            #expect(try log.takeTicket(2) == [7])
            #expect(try log.takeTicket(2) == nil)
            #expect(try log.takeTicket(4) == [8, 0])
            try opened.advanceTime(31_000)
            #expect(try log.takeTicket(3) == nil)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `presence is summed over the other live nodes`(_ backEnd: SharedBackEnd) throws {
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
            try opened.advanceTime(2500)
            _ = try log.heartbeat(of: eve)
            #expect(try log.presence(in: rooms, except: eve).isEmpty)
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `a revocation is returned until it expires`(_ backEnd: SharedBackEnd) throws {
        try backEnd.withLog { opened throws in
            let log = opened.log
            let start = try log.clockNow()
            func after(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: start.milliseconds + milliseconds) }
            try log.revoke([Revocation(key: .max, at: start, until: after(90_000))])
            try log.revoke([Revocation(key: 2, at: start, until: after(20_000))])
            #expect(try Set(log.revocations(since: start).map(\.key)) == [.max, 2])
            #expect(try log.revocations(since: after(60_000)).isEmpty)
            try opened.advanceTime(30_000)
            #expect(try log.revocations(since: after(-60_000)).map(\.key) == [.max])
        }
    }

    @Test(arguments: SharedBackEnd.all)
    func `two revocations of one key are merged, and restore deletes them`(
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
            // An expired revocation is not merged into a new one.
            try opened.advanceTime(30_000)
            try log.revoke([Revocation(key: 4, at: start, until: after(90_000), before: after(-20))])
            #expect(try log.revocations(since: after(-90_000)).first { $0.key == 4 }?.before == after(-20))
        }
    }
}
