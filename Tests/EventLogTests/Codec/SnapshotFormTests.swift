import AuctionDomain
import AuctionTestKit
import Foundation
import Testing

@testable import EventLog

/// The present form of snapshots.
struct SnapshotFormTests {
    /// A room with explicit and automatic bids of two bidders, of which one has changed their nickname.
    private func contested() throws -> Room {
        var scenario = try Scenario.auctioning()
        try scenario.perform(.placeBid(PlaceBid(amount: nil, maximum: Money(minorUnits: 50_000))), by: scenario.bidder)
        try scenario.bid(20_000, by: scenario.rival)
        try scenario.bid(90_000, by: Person(id: scenario.rival.id, nickname: "竞拍 \"7\""))
        return scenario.room
    }

    /// A closed round in which an earlier bid of a banned bidder was retracted, after another user had left.
    private func withRetraction() throws -> Room {
        var scenario = try Scenario.auctioning()
        try scenario.bid(upTo: 50_000, by: scenario.bidder)
        try scenario.bid(20_000, by: scenario.rival)
        try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(isBanned: true)), by: scenario.host)
        let earlier = try #require(scenario.room.bids.all.first)
        try scenario.perform(.retractBid(earlier.id, reason: "A shill."), by: scenario.host)
        try scenario.perform(.leave, by: scenario.viewer)
        scenario.wait(milliseconds: 15_000)
        return scenario.room
    }

    private func withHand() throws -> Room {
        var scenario = try Scenario.withItem()
        try scenario.perform(
            .configureRule(ConfigureRule(rule: OptionalRule.notApproved, isEnabled: true, priority: nil)), by: scenario.host)
        for person in [scenario.stranger, scenario.viewer, scenario.rival] {
            try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: person)
        }
        try scenario.perform(.application(.decline(scenario.viewer.id, reason: "Not yet.")), by: scenario.host)
        try scenario.perform(.application(.approve(scenario.rival.id, creditLimit: nil)), by: scenario.host)
        try scenario.openBidding()
        try scenario.bid(20_000, by: scenario.rival)
        try scenario.perform(.auction(.warn(level: 2), AuctionTransition()), by: scenario.host)
        let asked = AskChange.nextMinimum(Money(minorUnits: 20_001))
        try scenario.perform(.auction(.ask(asked), AuctionTransition()), by: scenario.host)
        guard case .messageSent(let message)? = try scenario.perform(.sendMessage("Fool"), by: scenario.rival).first else {
            throw ScenarioError()
        }
        try scenario.perform(.reportMessage(message.id, reason: "An insult."), by: scenario.viewer)
        return scenario.room
    }

    /// A round that the floor has won, and one in which it leads.
    private func withFloorBids() throws -> [Room] {
        var scenario = try Scenario.withItem()
        try scenario.perform(
            .configureRule(ConfigureRule(rule: "bid.floor_off", isEnabled: false, priority: nil)), by: scenario.host)
        try scenario.openBidding()
        try scenario.bid(10_000, by: scenario.bidder)
        for (amount, paddle) in [(11_000, "217"), (12_000, nil), (13_000, "5")] as [(Int64, String?)] {
            try scenario.perform(
                .placeFloorBid(PlaceBid(amount: Money(minorUnits: amount)), paddle: paddle), by: scenario.host)
        }
        let running = scenario.room
        scenario.wait(milliseconds: 15_000)
        #expect(scenario.room.results.last?.paddle == "5")
        return [running, scenario.room]
    }

    @Test func `a room is read back equal`() throws {
        let room = try contested()
        let retracted = try withRetraction()
        #expect(retracted.results.last?.changedBids.map(\.amount.minorUnits) == [20_000])
        #expect(room.bids.all.contains { $0.automatic } && room.bids.all.contains { $0.beatenMaximum != nil })
        let others = try [withHand(), Scenario.auctioning().room, Scenario.twoRounds().room] + withFloorBids()
        for room in [room, retracted] + others {
            #expect(try RoomReplay.decode(try RoomReplay.snapshot(of: room)) == room)
        }
    }

    /// A room with lots of two owners in every state, of which some were moved.
    private func withLots() throws -> Room {
        var scenario = try Scenario.withMembers()
        var ids: [LotID] = []
        for number in 0..<150 {
            var rules = scenario.rules()
            rules.startingPrice = Money(minorUnits: Int64(number + 1) * 100)
            if number % 3 == 1 { rules.reservePrice = Money(minorUnits: 90_000) }
            if number % 5 == 0 { rules.buyNowPrice = Money(minorUnits: 100_000) }
            if number % 7 == 0 { rules.increment = .percent(basisPoints: 500) }
            let item = UploadItem(
                name: "Lot \(number) 王", description: String(repeating: "x", count: number),
                media: ["https://a.example/\(number)"],
                estimate: number % 3 == 0
                    ? Estimate(low: Money(minorUnits: 5), high: Money(minorUnits: Int64(number + 5))) : nil,
                condition: number % 4 == 1 ? "Worn \(number)" : nil, rules: rules)
            let reference = number % 2 == 0 ? "A\(number)" : nil
            let owner = number % 4 == 0 ? scenario.host : scenario.auctioneer
            try scenario.perform(.queueLot(QueueLot(item: item, reference: reference)), by: owner)
            if case .lotQueued(let id) = scenario.lastOutcome { ids.append(id) }
        }
        for _ in 0..<40 {
            var changes = LotChanges()
            changes.target = .before(ids[9])
            try scenario.perform(.changeLot(ids[ids.count - 1], changes), by: scenario.host)
            ids.insert(ids.removeLast(), at: 9)
        }
        try scenario.perform(.withdrawLot(ids[3], reason: nil), by: scenario.host)
        try scenario.perform(.sale(.configure(Sale(mode: .automatic, pause: Seconds(0)))), by: scenario.host)
        try scenario.perform(.sale(.start), by: scenario.host)
        scenario.wait(milliseconds: 3000)
        try scenario.bid(100, by: scenario.bidder)
        scenario.wait(milliseconds: 18_000)
        try scenario.bid(1_000_000, by: scenario.rival)
        scenario.wait(milliseconds: 40_000)
        try scenario.perform(.result(.void(round: 1, reason: "Not paid.")), by: scenario.host)
        let passed = try #require(scenario.room.lots.lots().first { $0.state == .passed })
        try scenario.perform(.reofferLot(passed.id, nil), by: scenario.host)
        return scenario.room
    }

    /// Absentee bids of three users on four lots: void, used, used before and merged by a link.
    private func withAbsentees() throws -> Room {
        var scenario = try Scenario.withMembers()
        var lots: [LotID] = []
        for name in ["A", "B", "C", "D"] {
            let item = UploadItem(name: name, description: "", media: [], rules: scenario.rules())
            try scenario.perform(.queueLot(QueueLot(item: item, reference: name)), by: scenario.auctioneer)
            if case .lotQueued(let id) = scenario.lastOutcome { lots.append(id) }
        }
        func leave(_ lot: Int, _ maximum: Int64, _ person: Person) throws {
            try scenario.perform(.absentee(.place(lots[lot], maximum: Money(minorUnits: maximum))), by: person)
        }
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: scenario.stranger)
        for lot in [3, 0, 1] { try leave(lot, 20_000, scenario.bidder) }
        for lot in [2, 0] { try leave(lot, Money.maximum.minorUnits, scenario.rival) }
        for lot in [0, 2] { try leave(lot, 30_000, scenario.stranger) }
        try scenario.perform(.leave, by: scenario.rival)
        scenario.given(.itemUploaded(scenario.room.lots.item(of: try #require(scenario.room.lots[lots[0]]))))
        for _ in 0..<2 {
            let change = StateChange(from: .preparing, to: .auctioning, cause: .start, by: nil, lot: lots[0])
            scenario.given(.stateChanged(change))
            scenario.given(.stateChanged(StateChange(from: .auctioning, to: .preparing, cause: .cancel, by: nil, lot: lots[0])))
        }
        try scenario.perform(.linkGuest(scenario.rival), by: scenario.stranger)
        return scenario.room
    }

    @Test func `absentee bids are read back equal`() throws {
        let room = try withAbsentees()
        let lots = room.absentees?.lots.map(\.bids) ?? []
        #expect(lots.count == 4 && lots.contains { $0.cancelledSeq != nil } && lots.contains { $0.merged > 0 })
        #expect(try RoomReplay.decode(try RoomReplay.snapshot(of: room)) == room)
    }

    @Test func `changed or truncated bytes of absentee bids are damage or other bids, and never a trap`() throws {
        var out = ByteWriter(reserving: 0)
        SnapshotAbsentees.write(try #require(try withAbsentees().absentees), to: &out)
        for end in 0..<out.bytes.count {
            var reader = ByteReader(out.bytes, in: 0..<end)
            #expect(throws: (any Error).self) { try SnapshotAbsentees.read(from: &reader) }
        }
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<2000 {
            var bytes = out.bytes
            for _ in 0..<generator.roll(1...4) {
                bytes[generator.roll(0...(bytes.count - 1))] = UInt8(generator.pick([0, 1, 0x7F, 0x80, 0xFF]))
            }
            var reader = ByteReader(bytes, in: 0..<bytes.count)
            if let read = try? SnapshotAbsentees.read(from: &reader) { _ = read.lots.map { $0.bids.inOrder } }
        }
    }

    @Test func `lots are read back equal`() throws {
        let room = try withLots()
        #expect(Set(room.lots.lots().map(\.state)) == Set(Lot.State.allCases))
        let read = try #require(try RoomReplay.decode(try RoomReplay.snapshot(of: room)))
        #expect(read == room)
        #expect(read.lots.firstQueued == room.lots.firstQueued && read.lots.current == room.lots.current)
        #expect(read.lots.queuedCount == room.lots.queuedCount)
        let passed = try #require(room.lots.lots().first { $0.state == .passed })
        #expect(read.lots.standingSuccessor(of: passed.id)?.content.offeredBefore == passed.id)
    }

    /// `Data/1.0.0/snapshots` has two that version 1.0 made: of three lots, and after the last of them was moved to the head.
    @Test func `snapshots of version 1 are ignored, also beside nodes that make them`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Data/1.0.0/snapshots").standardized
            .path
        let snapshots = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            Array(try #require(Data(base64Encoded: String(line))))
        }
        #expect(snapshots.map { $0[SnapshotForm.mark.count] } == [1, 1])
        for snapshot in snapshots { #expect(try SnapshotForm.decode(snapshot) == nil) }
    }

    @Test func `truncated lots of a snapshot are refused`() throws {
        var out = ByteWriter(reserving: 0)
        try SnapshotLots.write(try withLots().lots, to: &out)
        for end in stride(from: 0, to: out.bytes.count, by: 7) {
            var reader = ByteReader(out.bytes, in: 0..<end)
            #expect(throws: (any Error).self) { try SnapshotLots.read(from: &reader) }
        }
    }

    @Test func `nicknames that are equal but have other bytes keep their bytes`() throws {
        let bids = ["\u{E9}", "e\u{301}"].enumerated().map { index, nickname in
            Bid(
                id: BidID(bits: UInt128(index)), seq: index + 1, at: Timestamp(milliseconds: 0), amount: Money(minorUnits: 1),
                bidder: Person(id: UserID(bits: 7), nickname: nickname), leading: true, origin: .bidder, maximum: nil,
                beatenMaximum: nil)
        }
        var out = ByteWriter(reserving: 0)
        SnapshotBids.write(bids, to: &out)
        var reader = ByteReader(out.bytes, in: out.bytes.indices)
        let read = try SnapshotBids.read(from: &reader).all.map { Array($0.bidder.nickname.utf8) }
        #expect(read == bids.map { Array($0.bidder.nickname.utf8) })
    }

    @Test func `bids with extreme values are read back equal`() throws {
        let people = [0, 1, .max].map { Person(id: UserID(bits: $0), nickname: String(repeating: "王", count: Int($0 & 1))) }
        var generator = SeededGenerator(seed: 5)
        let units: [Int64] = [0, 1, Money.maximum.minorUnits, .max, .min]
        let bids = (1...500).map { number in
            let at = generator.pick([Int64(0), -1, 1_767_225_600_000, .max, .min])
            let id = generator.once(in: 2) ? UInt128(UInt64(bitPattern: at) & 0xFFFF_FFFF_FFFF) << 80 | 77 : UInt128.max
            return Bid(
                id: BidID(bits: id), seq: number * generator.roll(1...3), at: Timestamp(milliseconds: at),
                amount: Money(minorUnits: generator.pick(units)), bidder: generator.pick(people),
                leading: generator.once(in: 2), origin: generator.pick(BidOrigin.allCases),
                maximum: generator.once(in: 2) ? Money(minorUnits: generator.pick(units)) : nil,
                beatenMaximum: generator.once(in: 2) ? Money(minorUnits: generator.pick(units)) : nil,
                ownAmount: generator.once(in: 2) ? Money(minorUnits: generator.pick(units)) : nil)
        }
        var out = ByteWriter(reserving: 0)
        SnapshotBids.write(bids, to: &out)
        var reader = ByteReader(out.bytes, in: out.bytes.indices)
        #expect(try SnapshotBids.read(from: &reader).all == bids)
        #expect(reader.left == 0)
    }

    /// A node of a later version must be able to read what this one writes.
    @Test func `the bytes of a bid stay as they are`() throws {
        let at: Int64 = 1_767_225_600_000
        let bid = Bid(
            id: BidID(bits: UInt128(at) << 80 | 0x0102), seq: 7, at: Timestamp(milliseconds: at),
            amount: Money(minorUnits: 100), bidder: Person(id: UserID(bits: 9), nickname: "Bo"), leading: true,
            origin: .bidder, maximum: Money(minorUnits: 163), beatenMaximum: Money(minorUnits: 90))
        var out = ByteWriter(reserving: 0)
        SnapshotBids.write([bid], to: &out)
        let person: [UInt8] = [1] + Array(repeating: 0, count: 15) + [9, 2, 66, 111]
        let numbers: [UInt8] = [1, 0b1_1101, 14, 0x80, 0xA0, 0xD5, 0xED, 0xEE, 0x66, 0xC8, 1, 0]
        #expect(out.bytes == person + numbers + [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 126, 19])
    }

    @Test func `the members of a stored room keep their names`() throws {
        var scenario = try Scenario.auctioning()
        try scenario.bid(20_000, by: scenario.rival)
        let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(scenario.room))
        let room = try #require(json as? [String: Any])
        #expect(
            room.keys.sorted() == [
                "bids", "box", "boxedItem", "coldState", "currentBid", "endsAt", "host", "isArchived", "lastEventAt",
                "leaderMaximum", "members", "openedAt", "results", "round", "roundFirstSeq", "seq", "state", "storage",
            ])
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

    @Test func `bytes that are no snapshot are damage`() throws {
        let room = try contested()
        for bytes in [[], [0], Array("{}".utf8), Array("snapshot".utf8)] {
            #expect(throws: EventLogError.self) {
                try RoomReplay.decode(RoomSnapshot(room: room.id, seq: room.seq, bytes: bytes))
            }
        }
    }

    @Test func `the links of a room are read back`() throws {
        var scenario = try Scenario.twoRounds()
        try scenario.perform(.linkGuest(scenario.rival), by: scenario.stranger)
        let room = try #require(try RoomReplay.decode(try RoomReplay.snapshot(of: scenario.room)))
        #expect(room == scenario.room)
        #expect(room.owner(ofBidBy: scenario.rival, at: 1) == scenario.stranger)
    }

    @Test func `a snapshot with any byte changed, or that ends early, is refused`() throws {
        let room = try contested()
        let bytes = try RoomReplay.snapshot(of: room).bytes
        func isRead(_ bytes: [UInt8]) -> Bool {
            (try? RoomReplay.decode(RoomSnapshot(room: room.id, seq: room.seq, bytes: bytes))) != nil
        }
        #expect(isRead(bytes))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(!isRead(changed), "byte \(index)")
            #expect(!isRead(Array(bytes.prefix(index))), "\(index) bytes")
        }
    }

    /// Without the checksum, as if damage had the same one.
    @Test func `no bytes make reading bids trap`() throws {
        var out = ByteWriter(reserving: 0)
        SnapshotBids.write(try contested().bids.all, to: &out)
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<20_000 {
            var bytes = out.bytes
            for _ in 0..<generator.roll(1...3) {
                let value = generator.pick([0, 1, 0x7F, 0x80, 0xFF, generator.roll(0...255)])
                bytes[generator.roll(0...(bytes.count - 1))] = UInt8(value)
            }
            var reader = ByteReader(bytes, in: 0..<generator.roll(0...bytes.count))
            _ = try? SnapshotBids.read(from: &reader)
        }
    }

    @Test func `changed bytes of lots are damage or other lots, and never a trap`() throws {
        var out = ByteWriter(reserving: 0)
        try SnapshotLots.write(try withLots().lots, to: &out)
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            var bytes = out.bytes
            for _ in 0..<generator.roll(1...4) {
                bytes[generator.roll(0...(bytes.count - 1))] = UInt8(generator.pick([0, 1, 0x7F, 0x80, 0xFF]))
            }
            var reader = ByteReader(bytes, in: 0..<bytes.count)
            if let lots = try? SnapshotLots.read(from: &reader) { _ = lots.firstQueued.map { lots.position(of: $0) } }
        }
    }

    @Test func `a snapshot of an unknown version is ignored, and the room replayed`() throws {
        let scenario = try Scenario.twoRounds()
        var bytes = try RoomReplay.snapshot(of: scenario.room).bytes
        bytes[SnapshotForm.mark.count] = SnapshotForm.version + 1
        let snapshot = RoomSnapshot(room: scenario.room.id, seq: scenario.room.seq, bytes: bytes)
        #expect(try RoomReplay.decode(snapshot) == nil)
        var archive = try ArchiveStub(scenario)
        archive.snapshot = snapshot
        #expect(try archive.findings() == [])
    }
}
