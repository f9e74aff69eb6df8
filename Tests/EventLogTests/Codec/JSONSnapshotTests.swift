import AuctionDomain
import AuctionTestKit
import Foundation
import Testing

@testable import EventLog

/// Snapshots of earlier programs are read as long as they are not replaced.
struct JSONSnapshotTests {
    @Test func `the members of a stored room are those of earlier programs, and when bidding began`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(20_000, by: scenario.rival)
        let json = try JSONSerialization.jsonObject(with: Data(try JSONSnapshots.snapshot(of: scenario.room).bytes))
        let room = try #require((json as? [String: Any])?["room"] as? [String: Any])
        #expect(
            room.keys.sorted() == [
                "aside", "bids", "box", "boxedItem", "currentBid", "endsAt", "host", "isArchived", "lastEventAt",
                "leaderMaximum",
                "members", "openedAt", "results", "round", "roundFirstSeq", "seq", "state", "storage",
            ])
    }

    @Test func `names that look like JSON are read back`() throws {
        for name in [#"bids":[]"#, #"\"bids\":[],"#, "a/b\u{1}é王"] {
            var scenario = try Scenario.auctioning()
            let person = Person(id: UserID(bits: 4711), nickname: name)
            try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: "letmein")), by: person)
            try scenario.bid(10_000, by: person)
            #expect(try RoomReplay.decode(try JSONSnapshots.snapshot(of: scenario.room)) == scenario.room)
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
        #expect(JSONSnapshot.scan(try JSONSnapshots.snapshot(of: room).bytes)?.bids == room.bids.all)
        for formatting in [["sorted"], [], ["pretty"], ["pretty", "sorted"]] {
            #expect(try RoomReplay.decode(try JSONSnapshots.snapshot(of: room, formatting: formatting)) == room)
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
        #expect(try RoomReplay.decode(try JSONSnapshots.snapshot(of: scenario.room)) == scenario.room)
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
        let text = String(decoding: try JSONSnapshots.snapshot(of: room).bytes, as: UTF8.self)
        let start = try #require(text.range(of: #""bids":["#)).lowerBound
        let place = try #require(text.range(of: damage.0, range: start..<text.endIndex))
        let damaged = Array(text.replacingCharacters(in: place, with: damage.1).utf8)
        #expect(throws: EventLogError.self) {
            try RoomReplay.decode(RoomSnapshot(room: room.id, seq: room.seq, bytes: damaged))
        }
    }

    @Test func `a snapshot that ends early is refused`() throws {
        let room = try contested()
        let bytes = try JSONSnapshots.snapshot(of: room).bytes
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: EventLogError.self) {
                try RoomReplay.decode(RoomSnapshot(room: room.id, seq: room.seq, bytes: Array(bytes.prefix(count))))
            }
        }
    }

    @Test(arguments: [2, 6])
    func `a snapshot of an unknown version is ignored`(version: Int) throws {
        let snapshot = try JSONSnapshots.snapshot(of: try contested(), version: version)
        #expect(try RoomReplay.decode(snapshot) == nil)
    }
}
