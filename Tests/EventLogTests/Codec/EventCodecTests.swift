import AuctionDomain
import AuctionTestKit
import EventLog
import ExactJSON
import Testing

struct EventCodecTests {
    /// A history of two rounds with an outage, which contains 13 types of events.
    private func history() throws -> Scenario {
        var scenario = try Scenario.auctioning()
        try scenario.bid(10000, by: scenario.bidder)
        scenario.skip(milliseconds: 20000)
        scenario.serviceReturns()
        scenario.wait(milliseconds: 15000)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        try scenario.perform(.uploadItem(Scenario.item(scenario.rules())), by: scenario.auctioneer)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        scenario.wait(milliseconds: 18000)
        try scenario.perform(.leave, by: scenario.viewer)
        try scenario.perform(.archiveRoom, by: scenario.host)
        return scenario
    }

    @Test func `every event reads back as it was written`() throws {
        let stored = try history().expectDecoded()
        #expect(Set(stored.map(\.type)).count == 13)
    }

    @Test func `the envelope has the members of the contract, in its order`() throws {
        let scenario = try history()
        let stored = EventCodec.encode(scenario.history, currency: .cny, after: .zero)
        for event in stored {
            guard case .object(let members) = try JSONReader.read(event.publicBytes) else {
                Issue.record("no object")
                continue
            }
            #expect(members.map(\.name) == ["seq", "type", "at", "round", "data"])
        }
        #expect(
            String(decoding: stored[0].publicBytes, as: UTF8.self)
                == #"{"seq":1,"type":"room.opened","at":"2026-01-01T00:00:00.000Z","round":1,"data":{"name":"Tonight","host":"#
                + #"{"id":"user_00000000000000000000000001","nickname":"Hana"},"currency":"CNY","visibility":"public"}}"#)
    }

    @Test func `an invite code is only in the private part`() throws {
        let stored = EventCodec.encode(try history().history, currency: .cny, after: .zero)
        for event in stored { #expect(!String(decoding: event.publicBytes, as: UTF8.self).contains("letmein")) }
        #expect(stored[0].privateBytes.map { String(decoding: $0, as: UTF8.self) } == #"{"inviteCode":"letmein"}"#)
    }

    @Test func `replaying a history with a missing or changed event throws`() throws {
        let scenario = try history()
        let stored = EventCodec.encode(scenario.history, currency: .cny, after: .zero)
        func load(_ events: [StoredEvent]) throws -> Room {
            let last = try #require(stored.last)
            return try RoomReplay.room(
                scenario.room.id,
                from: LoadedHistory(
                    head: RoomHead(seq: last.seq, headHash: last.hash.headHash), snapshot: nil, events: events,
                    hashAtSnapshot: .zero, responses: [])
            ).room
        }
        #expect(try load(stored) == scenario.room)
        var missing = stored
        missing.remove(at: 5)
        #expect(throws: EventLogError.self) { try load(missing) }
        var cut = stored
        cut.removeLast()
        #expect(throws: EventLogError.self) { try load(cut) }
        for index in stored.indices {
            var changed = stored
            let event = stored[index]
            let bytes = event.publicBytes.map { $0 == UInt8(ascii: "1") ? UInt8(ascii: "2") : $0 }
            changed[index] = StoredEvent(
                seq: event.seq, at: event.at, type: event.type, publicBytes: bytes, privateBytes: event.privateBytes,
                hash: event.hash)
            #expect(throws: EventLogError.self) { try load(changed) }
        }
    }

    @Test func `a history whose rows have swapped sequence numbers is not replayed, though its bytes are in order`() throws {
        let scenario = try history()
        var stored = EventCodec.encode(scenario.history, currency: .cny, after: .zero)
        let head = try #require(stored.last.map { RoomHead(seq: $0.seq, headHash: $0.hash.headHash) })
        for index in [5, 6] {
            let event = stored[index]
            stored[index] = StoredEvent(
                seq: index == 5 ? 7 : 6, at: event.at, type: event.type, publicBytes: event.publicBytes,
                privateBytes: event.privateBytes, hash: event.hash)
        }
        let swapped = LoadedHistory(head: head, snapshot: nil, events: stored, hashAtSnapshot: .zero, responses: [])
        let error = #expect(throws: EventLogError.self) { try RoomReplay.room(scenario.room.id, from: swapped) }
        #expect(error?.code == .corrupt)
        #expect(error?.description.contains("event 7 is where event 6 belongs") == true)
    }

    @Test func `a snapshot and the events after it replay to the same room`() throws {
        let scenario = try history()
        let stored = EventCodec.encode(scenario.history, currency: .cny, after: .zero)
        var room = try #require(Room(id: scenario.room.id, opening: scenario.history[0]))
        for (index, event) in scenario.history.enumerated() {
            if index > 0 { try room.apply(event) }
            let last = try #require(stored.last)
            let history = LoadedHistory(
                head: RoomHead(seq: last.seq, headHash: last.hash.headHash), snapshot: try RoomReplay.snapshot(of: room),
                events: Array(stored[(index + 1)...]), hashAtSnapshot: stored[index].hash, responses: [])
            #expect(try RoomReplay.room(room.id, from: history).room == scenario.room)
        }
    }
}
