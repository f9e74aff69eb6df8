import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

/// The history of a room after a nickname in it was replaced: it leads to the same room, and `verify` accepts these bytes and no others.
struct ErasedHistoryTests {
    /// The nickname has what JSON escapes, and what it does not.
    private static let nickname = "Zoë \"Q\" \\ 竞拍"

    /// A scenario whose people have such nicknames, and its events as a log has them.
    private struct Erased {
        var scenario: Scenario
        private(set) var archive: ArchiveStub
        private var rewritten: [Int: StoredEvent] = [:]

        init(_ scenario: Scenario) {
            self.scenario = scenario
            archive = ArchiveStub(scenario.room.id, scenario.history)
        }

        /// Erases users as the service does: each event names what is rewritten once it is stored, and the last one nothing.
        mutating func erase(_ users: [UserID]) throws {
            let people = users.map { Person(id: $0, nickname: Pseudonym.nickname(of: users[0])) }
            while true {
                var eraser = NicknameErasure(people)
                var found: [StoredEvent] = []
                for event in archive.events where found.count < 5 || !eraser.isBetweenEvents {
                    if let rewritten = eraser.rewritten(event) { found.append(rewritten) }
                }
                try scenario.perform(.erase(EraseMembers(people, rewritten: found.map(\.rewrittenEvent))), by: people[0])
                for event in found { rewritten[event.seq] = event }
                archive = ArchiveStub(scenario.room.id, scenario.history)
                for (seq, event) in rewritten { archive.events[seq - 1] = event }
                if found.isEmpty { return }
            }
        }

        /// Whether a nickname is in the stored bytes.
        func shows(_ nickname: String) -> Bool {
            let texts = archive.events.map {
                String(decoding: $0.publicBytes + ($0.privateBytes ?? []), as: UTF8.self)
            }
            let escaped = nickname.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return texts.contains { $0.contains(nickname) || $0.contains(escaped) }
        }

        /// The room as it is read from the stored events.
        func replayed() throws -> Room {
            let history = LoadedHistory(
                head: archive.head, snapshot: nil, events: archive.events, hashAtSnapshot: .zero, responses: [])
            return try RoomReplay.room(archive.room, from: history).room
        }

        mutating func change(_ seq: Int, _ change: (StoredEvent) -> StoredEvent) {
            archive.events[seq - 1] = change(archive.events[seq - 1])
        }
    }

    private func named(_ person: Person) -> Person { Person(id: person.id, nickname: Self.nickname) }

    /// Two sales, a message and a report of the bidder, who has left and come back.
    private func sold() throws -> Erased {
        var scenario = try Scenario.auctioning()
        let bidder = named(scenario.bidder)
        try scenario.bid(10_000, by: scenario.rival)
        try scenario.bid(upTo: 20_000, by: bidder)
        try scenario.perform(.sendMessage("I am \(Self.nickname)."), by: bidder)
        guard case .messageSent(let message)? = try scenario.perform(.sendMessage("Fool"), by: scenario.rival).first else {
            throw ScenarioError()
        }
        try scenario.perform(.reportMessage(message.id, reason: "Said \(Self.nickname)."), by: bidder)
        scenario.wait(milliseconds: 15_000)
        try scenario.perform(.leave, by: bidder)
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: bidder)
        try scenario.perform(.stage(.request(.bidder)), by: bidder)
        return Erased(scenario)
    }

    @Test func `the rewritten history leads to the room that the erasure led to, and shows the nickname nowhere`() throws {
        var erased = try sold()
        #expect(erased.shows(Self.nickname))
        try erased.erase([erased.scenario.bidder.id])
        #expect(!erased.shows(Self.nickname) && !erased.shows("Xu\""))
        let room = try erased.replayed()
        #expect(room.counting(as: erased.scenario.room) == erased.scenario.room)
        #expect(try erased.archive.findings() == [])
        let texts = erased.archive.events.map { String(decoding: $0.publicBytes, as: UTF8.self) }
        let pseudonym = Pseudonym.nickname(of: erased.scenario.bidder.id)
        #expect(texts.contains { $0.contains("Sold: Phone number 13888888888 goes to \(pseudonym) for 110.00 CNY.") })
        #expect(texts.contains { $0.contains("成交:\(pseudonym) 以 110.00 CNY 拍得") })
        #expect(texts.contains { $0.contains(#""text":"[…]"}"#) } && texts.contains { $0.contains(#""text":"Fool"}"#) })
    }

    @Test func `each person of a room can leave, one after the other`() throws {
        var erased = try sold()
        let scenario = erased.scenario
        let people = [scenario.rival, scenario.bidder, scenario.auctioneer, scenario.viewer, scenario.host]
        for person in people {
            try erased.erase([person.id])
            #expect(try erased.archive.findings() == [], "\(person.nickname)")
            #expect(try erased.replayed().counting(as: erased.scenario.room) == erased.scenario.room)
        }
        for person in people { #expect(!erased.shows("\"\(person.nickname)\"")) }
    }

    @Test func `a linked guest is erased with the user`() throws {
        var scenario = try Scenario.auctioning()
        let (guest, user) = (named(scenario.bidder), Person(id: scenario.stranger.id, nickname: "Stanislaus \"S\""))
        try scenario.bid(10_000, by: guest)
        scenario.wait(milliseconds: 15_000)
        try scenario.perform(.linkGuest(guest), by: user)
        var erased = Erased(scenario)
        let link = try #require(erased.archive.events.last)
        #expect(NicknameErasure([user]).guests(linkedBy: link) == [guest.id])
        #expect(NicknameErasure([guest]).guests(linkedBy: link) == [])
        try erased.erase([user.id, guest.id])
        #expect(!erased.shows(guest.nickname) && !erased.shows(user.nickname))
        #expect(try erased.archive.findings() == [])
        #expect(try erased.replayed().counting(as: erased.scenario.room) == erased.scenario.room)
    }

    @Test func `a change of a rewritten event is found, and an event that no erasure names`() throws {
        var sound = try sold()
        try sound.erase([sound.scenario.bidder.id])
        let bid = try #require(sound.archive.events.first { $0.isErased && $0.isPlacedBid })
        func changed(_ event: StoredEvent) -> StoredEvent {
            event.rewritten(
                publicBytes: Array(String(decoding: event.publicBytes, as: UTF8.self).replacing("110.00", with: "110.01").utf8),
                privateBytes: event.privateBytes)
        }
        let unnamed = "it was rewritten, and no erasure names what it says"
        // With a digest that fits, as a user of the store writes it who may.
        var forged = sound
        forged.change(bid.seq, changed)
        #expect(try forged.archive.findings().contains("seq \(bid.seq): \(unnamed)"))
        // Read from a store whose digest does not fit any more.
        var damaged = sound
        damaged.change(bid.seq) { event in
            let other = changed(event)
            return StoredEvent(
                seq: event.seq, at: event.at, type: event.type, publicBytes: other.publicBytes,
                privateBytes: other.privateBytes,
                storedHash: event.erasedHashBytes) ?? event
        }
        #expect(try damaged.archive.findings().contains("seq \(bid.seq): it does not match its hash"))
        #expect(throws: EventLogError.self) { try damaged.replayed() }
        // An event of another user, marked as rewritten.
        let other = try #require(sound.archive.events.first { !$0.isErased && $0.isPlacedBid })
        var marked = sound
        marked.change(other.seq) {
            $0.rewritten(
                publicBytes: Array(String(decoding: $0.publicBytes, as: UTF8.self).replacing("100.00", with: "100.01").utf8),
                privateBytes: $0.privateBytes)
        }
        #expect(try marked.archive.findings().contains("seq \(other.seq): \(unnamed)"))
    }

    @Test func `an event that is named and not rewritten yet is sound`() throws {
        let scenario = try sold().scenario
        var named = scenario
        let person = Person(id: scenario.bidder.id, nickname: Pseudonym.nickname(of: scenario.bidder.id))
        var eraser = NicknameErasure([person])
        let found = ArchiveStub(scenario.room.id, scenario.history).events.compactMap { eraser.rewritten($0) }
        try named.perform(.erase(EraseMembers([person], rewritten: found.map(\.rewrittenEvent))), by: person)
        #expect(try ArchiveStub(named.room.id, named.history).findings() == [])
    }

    @Test func `a snapshot from after the erasure is accepted, though events count for less since`() throws {
        var erased = try sold()
        try erased.erase([erased.scenario.bidder.id])
        var archive = erased.archive
        archive.snapshot = try RoomReplay.snapshot(of: erased.scenario.room)
        #expect(try archive.findings() == [])
    }

    @Test func `a pseudonym is the same for a user, and tells who they are to no reader`() {
        let user = UserID(bits: 7)
        let nickname = Pseudonym.nickname(of: user)
        #expect(nickname == Pseudonym.nickname(of: user) && nickname.hasPrefix("Former user ") && nickname.count == 16)
        #expect(Pseudonym.nickname(of: UserID(bits: 8)) != nickname)
        #expect(DisplayName.problem(in: nickname) == nil && nickname.unicodeScalars.count <= Person.nicknameLimit)
        #expect(Pseudonym.successor(of: user) != user)
    }
}
