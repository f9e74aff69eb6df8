import AuctionDomain
import AuctionTestKit
import Foundation
import Testing

@testable import EventLog

struct SnapshotEncoderTests {
    /// What `JSONEncoder` alone makes: the form that earlier programs wrote and read.
    private func encodedWhole(_ room: Room) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(SnapshotEnvelope(room)), as: UTF8.self)
    }

    @Test func `a snapshot has the bytes that the encoder of earlier programs makes`() throws {
        var scenario = try Scenario.auctioning()
        #expect(String(decoding: try SnapshotEncoder.encode(scenario.room), as: UTF8.self) == (try encodedWhole(scenario.room)))
        try scenario.perform(.placeBid(PlaceBid(amount: nil, maximum: Money(minorUnits: 50_000))), by: scenario.bidder)
        try scenario.bid(20_000, by: scenario.rival)
        try scenario.perform(.placeBid(PlaceBid(amount: Money(minorUnits: 90_000))), by: scenario.rival)
        let room = scenario.room
        #expect(room.bids.all.contains { $0.automatic } && room.bids.all.contains { $0.beatenMaximum != nil })
        #expect(String(decoding: try SnapshotEncoder.encode(room), as: UTF8.self) == (try encodedWhole(room)))
    }

    @Test func `the members of a stored room are those that earlier programs read`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(20_000, by: scenario.rival)
        let json = try JSONSerialization.jsonObject(with: Data(try SnapshotEncoder.encode(scenario.room)))
        let room = try #require((json as? [String: Any])?["room"] as? [String: Any])
        #expect(
            room.keys.sorted() == [
                "aside", "bids", "box", "boxedItem", "currentBid", "endsAt", "host", "isArchived", "lastEventAt",
                "leaderMaximum",
                "members", "results", "round", "roundFirstSeq", "seq", "state", "storage",
            ])
    }

    @Test func `a room with links has a version that earlier programs do not read, others have theirs`() throws {
        var scenario = try Scenario.twoRounds()
        func version() throws -> Int { try SnapshotDecoder.decode(try SnapshotEncoder.encode(scenario.room)).version }
        #expect(try version() == 3)
        try scenario.perform(.linkGuest(scenario.rival), by: scenario.stranger)
        #expect(try version() == 4)
        let room = try #require(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)))
        #expect(room == scenario.room)
        #expect(room.owner(ofBidBy: scenario.rival, at: 1) == scenario.stranger)
    }

    @Test func `names that look like JSON are read back`() throws {
        for name in [#"bids":[]"#, #"\"bids":[],"#, "a/b\u{1}é王"] {
            var scenario = try Scenario.auctioning()
            let person = Person(id: UserID(bits: 4711), nickname: name)
            try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: "letmein")), by: person)
            try scenario.bid(10_000, by: person)
            #expect(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)) == scenario.room)
        }
    }

    /// A room with explicit and automatic bids of two bidders.
    private func contested() throws -> Room {
        var scenario = try Scenario.auctioning()
        try scenario.perform(.placeBid(PlaceBid(amount: nil, maximum: Money(minorUnits: 50_000))), by: scenario.bidder)
        try scenario.bid(20_000, by: scenario.rival)
        try scenario.bid(90_000, by: scenario.rival)
        return scenario.room
    }

    @Test func `a snapshot is read back equal, also one in another form`() throws {
        let room = try contested()
        #expect(SnapshotDecoder.scan(try SnapshotEncoder.encode(room))?.bids == room.bids.all)
        #expect(try RoomReplay.decode(try RoomReplay.snapshot(of: room)) == room)
        for formatting in [[], .prettyPrinted, [.prettyPrinted, .sortedKeys]] as [JSONEncoder.OutputFormatting] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            let bytes = [UInt8](try encoder.encode(SnapshotEnvelope(room)))
            #expect(try RoomReplay.decode(RoomSnapshot(room: room.id, seq: room.seq, bytes: bytes)) == room)
        }
    }

    @Test func `a bidder who changed their nickname to one that looks like the other escaped keeps both`() throws {
        var scenario = try Scenario.auctioning()
        let id = UserID(bits: 4711)
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: "letmein")), by: Person(id: id, nickname: "x"))
        for (amount, nickname) in [(10_000, #"x\"y"#), (20_000, "x"), (30_000, #"x"y"#), (40_000, "x")] as [(Int64, String)] {
            try scenario.bid(
                amount, by: amount == 20_000 || amount == 40_000 ? scenario.rival : Person(id: id, nickname: nickname))
        }
        #expect(scenario.room.bids.all.map(\.bidder.nickname).filter { $0.contains("y") } == [#"x\"y"#, #"x"y"#])
        #expect(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)) == scenario.room)
    }

    @Test(arguments: [
        (#""leading":"#, #""leading":1"#), (#""bidder":{"id":"user_"#, #""bidder":{"id":"room_"#),
        (#""bids":["#, #""bids":[,"#),
        (#""automatic":"#, #""automatic":x"#), (#""bids":["#, #""bids":[{"amount":"#),
        (#""seq":"#, #""seq":99999999999999999999"#),
    ])
    func `a snapshot with a damaged bid is refused`(damage: (String, String)) throws {
        let room = try contested()
        let text = String(decoding: try SnapshotEncoder.encode(room), as: UTF8.self)
        let start = try #require(text.range(of: #""bids":["#)).lowerBound
        let place = try #require(text.range(of: damage.0, range: start..<text.endIndex))
        let damaged = Array(text.replacingCharacters(in: place, with: damage.1).utf8)
        #expect(throws: EventLogError.self) {
            try RoomReplay.decode(RoomSnapshot(room: room.id, seq: room.seq, bytes: damaged))
        }
    }

    @Test func `a snapshot that ends early is refused`() throws {
        let room = try contested()
        let bytes = try SnapshotEncoder.encode(room)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: EventLogError.self) {
                try RoomReplay.decode(RoomSnapshot(room: room.id, seq: room.seq, bytes: Array(bytes.prefix(count))))
            }
        }
    }
}
