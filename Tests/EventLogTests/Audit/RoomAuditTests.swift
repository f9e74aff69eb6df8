import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

/// Every way in which a stored history can be broken is found, and its place is named.
struct RoomAuditTests {
    @Test func `a sound history has no findings, wherever its snapshot stands`() throws {
        let scenario = try Scenario.twoRounds()
        #expect(try Shelf(scenario).findings() == [])
        for index in scenario.history.indices {
            #expect(try Shelf(scenario, snapshotAt: index).findings() == [])
        }
    }

    @Test func `a sound log in memory has no findings`() throws {
        let shelf = try Shelf(try Scenario.twoRounds(), snapshotAt: 9)
        let log = InMemoryEventLog()
        let append = RoomAppend(
            room: shelf.room, expected: .none, events: shelf.events, profile: Samples.profile(), status: Samples.status(),
            answers: [])
        try log.commit(append)
        try log.save([try #require(shelf.snapshot)])
        #expect(try log.allRooms() == [shelf.room])
        #expect(try LogAudit.findings(of: shelf.room, in: log) == [])
        #expect(try LogAudit.findings(of: RoomID(bits: 1), in: log).map(\.text) == ["there is no such room"])
    }

    @Test func `an event that is not what its hash says is not intact, the ones around it are`() throws {
        var shelf = try Shelf(try Scenario.twoRounds())
        shelf.forge(3) { $0.replacing("T", with: "\0") }
        shelf.forge(8) { $0.replacing("}", with: "") }
        shelf.events.remove(at: 7)
        var intact = IntactEvents()
        let kept = shelf.events.filter { intact.take($0) }.map(\.seq)
        #expect(kept == shelf.events.map(\.seq).filter { $0 != 4 && $0 != 9 })
    }

    @Test func `a history with a gap, or one that ends early, is not complete`() throws {
        let events = try Shelf(try Scenario.twoRounds()).events
        func isComplete(_ events: [StoredEvent], through seq: Int) -> Bool {
            var intact = IntactEvents()
            for event in events { _ = intact.take(event) }
            return intact.isComplete(through: seq)
        }
        #expect(isComplete(events, through: events.count))
        #expect(isComplete([], through: 0))
        #expect(!isComplete(events.dropLast(), through: events.count))
        #expect(!isComplete(Array(events.dropFirst()), through: events.count))
        #expect(!isComplete([], through: 1))
    }

    @Test func `a gap is found, and nothing behind it is reported twice`() throws {
        var shelf = try Shelf(try Scenario.twoRounds())
        shelf.events.remove(at: 6)
        #expect(try shelf.findings() == ["seq 8: seq 7 is missing before it"])
    }

    @Test func `a history that was cut off is found`() throws {
        var shelf = try Shelf(try Scenario.twoRounds())
        let count = shelf.events.count
        shelf.events.removeLast(2)
        #expect(try shelf.findings() == ["the events end at seq \(count - 2), but there were \(count)"])
        shelf.events = []
        #expect(try shelf.findings() == ["the events end at seq 0, but there were \(count)"])
    }

    @Test func `every event that was changed is found by its hash`() throws {
        let sound = try Shelf(try Scenario.twoRounds())
        for index in sound.events.indices {
            var shelf = sound
            shelf.forge(index) { $0.replacing("\"at\":\"2026", with: "\"at\":\"2025") }
            #expect(try shelf.findings().contains("seq \(index + 1): it does not match its hash"))
        }
    }

    @Test func `a private part that was changed or lost is found`() throws {
        var shelf = try Shelf(try Scenario.twoRounds())
        let first = shelf.events[0]
        shelf.events[0] = StoredEvent(
            seq: 1, at: first.at, type: first.type, publicBytes: first.publicBytes,
            privateBytes: Array(#"{"inviteCode":"stolen"}"#.utf8), hash: first.hash)
        #expect(try shelf.findings() == ["seq 1: it does not match its hash"])
    }

    @Test func `events in another order are found`() throws {
        var shelf = try Shelf(try Scenario.twoRounds())
        shelf.events.swapAt(3, 4)
        #expect(try shelf.findings().first == "seq 5: seq 4 is missing before it")
    }

    @Test func `a head that names another history is found`() throws {
        var shelf = try Shelf(try Scenario.twoRounds())
        shelf.head = RoomHead(seq: shelf.head.seq, tip: ~shelf.head.tip)
        #expect(try shelf.findings() == ["seq \(shelf.head.seq): the room's head names another event than this one"])
    }

    @Test func `a snapshot of another room, of other bytes, or from the future is found`() throws {
        let scenario = try Scenario.twoRounds()
        var shelf = try Shelf(scenario, snapshotAt: 8)
        let other = try Shelf(try Scenario.withItem(), snapshotAt: 6)
        shelf.snapshot = RoomSnapshot(room: shelf.room, seq: 9, bytes: try #require(other.snapshot).bytes)
        #expect(try shelf.findings() == ["seq 9: the snapshot is not what replaying the events makes"])
        shelf.snapshot = RoomSnapshot(room: shelf.room, seq: 9, bytes: Array("{}".utf8))
        #expect(try shelf.findings().first?.hasPrefix("seq 9: the snapshot cannot be read") == true)
        shelf.snapshot = RoomSnapshot(room: shelf.room, seq: 999, bytes: [])
        #expect(try shelf.findings() == ["there is a snapshot at seq 999, beyond the last event"])
    }

    @Test func `an event that nobody can read is found, and rehashed lies about their place too`() throws {
        let scenario = try Scenario.twoRounds()
        var shelf = try Shelf(scenario)
        shelf.forge(4) { $0.replacing("member.joined", with: "member.dreamt") }
        let findings = try shelf.findings()
        #expect(findings.contains("seq 5: it does not match its hash"))
        #expect(findings.contains { $0.hasPrefix("seq 5: it cannot be read") })
    }
}
