import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

/// Every kind of damage to a stored history is found and located.
struct RoomAuditTests {
    @Test func `a consistent history has no findings, for a snapshot at any event`() throws {
        let scenario = try Scenario.twoRounds()
        #expect(try ArchiveStub(scenario).findings() == [])
        for index in scenario.history.indices {
            #expect(try ArchiveStub(scenario, snapshotAt: index).findings() == [])
        }
    }

    @Test func `a consistent in-memory log has no findings`() throws {
        let archive = try ArchiveStub(try Scenario.twoRounds(), snapshotAt: 9)
        let log = InMemoryEventLog()
        try log.commit(archive.append())
        try log.save([try #require(archive.snapshot)])
        #expect(try log.allRooms() == [archive.room])
        #expect(try LogAudit.findings(of: archive.room, in: log) == [])
        #expect(try LogAudit.findings(of: RoomID(bits: 1), in: log).map(\.text) == ["there is no such room"])
    }

    @Test func `a wrong index by user is found`() throws {
        let archive = try ArchiveStub(try Scenario.twoRounds())
        func findings(_ change: @escaping (inout UserChanges) -> Void) throws -> [String] {
            let log = InMemoryEventLog()
            try log.commit(archive.append(change))
            return try LogAudit.findings(of: archive.room, in: log).map(\.text)
        }
        let users = try archive.users(after: archive.events.count)
        let user = try #require(users.participations.first?.user)
        let differs = "the index by user has not what the events say of 1 user(s), such as \(user); \(UserChanges.repair)"
        #expect(try findings { $0.participations.removeFirst() } == [differs])
        #expect(try findings { $0.participations[0] = Participation(user: user, role: "viewer", bidRound: nil) } == [differs])
        let sale = "the index by user has not what the events say of the sale of round 1; \(UserChanges.repair)"
        #expect(try findings { $0.wins = [] } == [sale])
        // A bid of a round that is over is not shown, so it may stay.
        #expect(
            try findings { $0.participations[0] = Participation(user: user, role: $0.participations[0].role, bidRound: 1) }
                == [])
    }

    @Test func `an event that does not match its hash is not intact, but its neighbours are`() throws {
        var archive = try ArchiveStub(try Scenario.twoRounds())
        archive.forge(3) { $0.replacing("T", with: "\0") }
        archive.forge(8) { $0.replacing("}", with: "") }
        archive.events.remove(at: 7)
        var intact = HashChainVerifier()
        let kept = archive.events.filter { intact.take($0) }.map(\.seq)
        #expect(kept == archive.events.map(\.seq).filter { $0 != 4 && $0 != 9 })
    }

    @Test func `a history with a gap, or one that ends early, is not complete`() throws {
        let events = try ArchiveStub(try Scenario.twoRounds()).events
        func isComplete(_ events: [StoredEvent], through seq: Int) -> Bool {
            var intact = HashChainVerifier()
            for event in events { _ = intact.take(event) }
            return intact.isComplete(through: seq)
        }
        #expect(isComplete(events, through: events.count))
        #expect(isComplete([], through: 0))
        #expect(!isComplete(events.dropLast(), through: events.count))
        #expect(!isComplete(Array(events.dropFirst()), through: events.count))
        #expect(!isComplete([], through: 1))
    }

    @Test func `a gap is found once, without findings about the events after it`() throws {
        var archive = try ArchiveStub(try Scenario.twoRounds())
        archive.events.remove(at: 6)
        #expect(try archive.findings() == ["seq 8: seq 7 is missing before it"])
    }

    @Test func `a truncated history is found`() throws {
        var archive = try ArchiveStub(try Scenario.twoRounds())
        let count = archive.events.count
        archive.events.removeLast(2)
        #expect(try archive.findings() == ["the events end at seq \(count - 2), but there were \(count)"])
        archive.events = []
        #expect(try archive.findings() == ["the events end at seq 0, but there were \(count)"])
    }

    @Test func `a change of any event is found by its hash`() throws {
        let sound = try ArchiveStub(try Scenario.twoRounds())
        for index in sound.events.indices {
            var archive = sound
            archive.forge(index) { $0.replacing("\"at\":\"2026", with: "\"at\":\"2025") }
            #expect(try archive.findings().contains("seq \(index + 1): it does not match its hash"))
        }
    }

    @Test func `a changed private part is found`() throws {
        var archive = try ArchiveStub(try Scenario.twoRounds())
        let first = archive.events[0]
        archive.events[0] = StoredEvent(
            seq: 1, at: first.at, type: first.type, publicBytes: first.publicBytes,
            privateBytes: Array(#"{"inviteCode":"stolen"}"#.utf8), hash: first.hash)
        #expect(try archive.findings() == ["seq 1: it does not match its hash"])
    }

    @Test func `a type that is not that of the event is found, and the events after it are checked`() throws {
        var archive = try ArchiveStub(try Scenario.twoRounds())
        let event = archive.events[4]
        archive.events[4] = StoredEvent(
            seq: event.seq, at: event.at, type: "member.dreamt", publicBytes: event.publicBytes,
            privateBytes: event.privateBytes, hash: event.hash)
        #expect(try archive.findings() == ["seq 5: its row has another type than \(event.type)"])
    }

    @Test func `swapped events are found`() throws {
        var archive = try ArchiveStub(try Scenario.twoRounds())
        archive.events.swapAt(3, 4)
        #expect(try archive.findings().first == "seq 5: seq 4 is missing before it")
    }

    @Test func `a head with another hash is found`() throws {
        var archive = try ArchiveStub(try Scenario.twoRounds())
        archive.head = RoomHead(seq: archive.head.seq, headHash: ~archive.head.headHash)
        #expect(try archive.findings() == ["seq \(archive.head.seq): the room's head names another event than this one"])
    }

    @Test func `a snapshot of another room, with unreadable bytes, or beyond the last event is found`() throws {
        let scenario = try Scenario.twoRounds()
        var archive = try ArchiveStub(scenario, snapshotAt: 8)
        let other = try ArchiveStub(try Scenario.withItem(), snapshotAt: 6)
        archive.snapshot = RoomSnapshot(room: archive.room, seq: 9, bytes: try #require(other.snapshot).bytes)
        #expect(try archive.findings().first?.hasPrefix("seq 9: the snapshot cannot be read") == true)
        // With the same id and seq, but another history.
        let rules = AuctionRules(startingPrice: Money(minorUnits: 1), increment: .fixed(Money(minorUnits: 1)))
        let similar = try ArchiveStub(try Scenario.auctioning(rules), snapshotAt: 8)
        archive.snapshot = similar.snapshot
        #expect(try archive.findings() == ["seq 9: the snapshot is not what replaying the events makes"])
        archive.snapshot = RoomSnapshot(room: archive.room, seq: 9, bytes: Array("{}".utf8))
        #expect(try archive.findings().first?.hasPrefix("seq 9: the snapshot cannot be read") == true)
        archive.snapshot = RoomSnapshot(room: archive.room, seq: 999, bytes: [])
        #expect(try archive.findings() == ["there is a snapshot at seq 999, beyond the last event"])
    }

    @Test func `a head or a snapshot before the first event is found`() throws {
        var archive = try ArchiveStub(try Scenario.twoRounds())
        let head = archive.head
        archive.snapshot = RoomSnapshot(room: archive.room, seq: .min, bytes: [])
        #expect(try archive.findings() == ["there is a snapshot at seq \(Int.min), before the first event"])
        archive.snapshot = nil
        archive.head = RoomHead(seq: -1, headHash: head.headHash)
        #expect(try archive.findings() == ["the room's head is at seq -1, before the first event"])
    }

    @Test func `an event with the last possible seq is found, and those after it are read`() throws {
        var archive = try ArchiveStub(try Scenario.twoRounds())
        let event = archive.events[6]
        archive.events[6] = StoredEvent(
            seq: .max, at: event.at, type: event.type, publicBytes: event.publicBytes, privateBytes: event.privateBytes,
            hash: event.hash)
        archive.head = RoomHead(seq: .max, headHash: archive.head.headHash)
        let findings = try archive.findings()
        #expect(findings.contains("seq \(Int.max): seq 7 is missing before it"))
        #expect(findings.contains("seq 8: it is stored after seq \(Int.max)"))
        var intact = HashChainVerifier()
        #expect(archive.events.filter { intact.take($0) }.last == archive.events.last)
    }

    @Test func `an event of unknown type is found, in addition to its hash mismatch`() throws {
        let scenario = try Scenario.twoRounds()
        var archive = try ArchiveStub(scenario)
        archive.forge(4) { $0.replacing("member.joined", with: "member.dreamt") }
        let findings = try archive.findings()
        #expect(findings.contains("seq 5: it does not match its hash"))
        #expect(findings.contains { $0.hasPrefix("seq 5: it cannot be read") })
    }
}
