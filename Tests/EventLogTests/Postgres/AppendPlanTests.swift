import AuctionDomain
import EventLog
import Testing

@testable import EventLogPostgres

/// Grouping of a batch into chains and rounds.
@Suite struct AppendPlanning {
    @Test func `elements that build on each other form one chain, which keeps the number of responses of each`() throws {
        var (room, other) = (SampleRoom(1), SampleRoom(2))
        let batch = [
            room.next(responses: [Samples.response(1)]), other.next(), room.comparison(with: room.head),
            room.next(2, profile: Samples.profile(name: "Renamed"), responses: [Samples.response(2), Samples.response(3)]),
        ]
        let plan = try AppendPlan(batch)
        #expect(plan.rounds.count == 1)
        let chain = try #require(plan.rounds.first?.first)
        #expect(chain.kind == .create)
        #expect(chain.elements == [0, 2, 3])
        #expect(chain.events.map(\.seq) == [1, 2, 3])
        #expect(chain.responsesPerElement == [1, 0, 2])
        #expect(chain.profile?.name == "Renamed")
        #expect(chain.head == room.head)
    }

    @Test func `an element that expects another head is in a later round`() throws {
        var room = SampleRoom(1)
        room.head = RoomHead(seq: 4, headHash: 4)
        var rival = room
        rival.branch = 9
        let plan = try AppendPlan([room.next(), rival.next(), rival.next(), room.next()])
        #expect(plan.rounds.map { $0.map(\.elements) } == [[[0]], [[1, 2]], [[3]]])
    }

    @Test func `a chain has the dueAt of its last element and the latest notBefore`() throws {
        var room = SampleRoom(1)
        room.head = RoomHead(seq: 4, headHash: 4)
        let plain = (room.next(), room.next())
        func with(_ append: RoomAppend, notBefore: Int64?, dueAt: Int64?) -> RoomAppend {
            RoomAppend(
                room: append.room, expected: append.expected, events: append.events, profile: nil, status: append.status,
                responses: [], dueAt: dueAt.map(Samples.after), notBefore: notBefore.map(Samples.after))
        }
        let plan = try AppendPlan([with(plain.0, notBefore: 7, dueAt: 8), with(plain.1, notBefore: 3, dueAt: nil)])
        #expect(plan.rounds[0][0].notBefore == Samples.after(7))
        #expect(plan.rounds[0][0].dueAt == nil)
    }

    @Test func `a round is appended by the statement that writes the least`() throws {
        var (fresh, old) = (SampleRoom(1), SampleRoom(2))
        old.head = RoomHead(seq: 4, headHash: 4)
        var (joined, moved) = (UserChanges(), UserChanges())
        joined.participations = [Participation(user: UserID(bits: 7), role: "bidder", bidRound: nil)]
        moved.add(WinTransfer(from: UserID(bits: 7), to: UserID(bits: 8)))
        let plain = [old.next(), fresh.comparison(with: .none)]
        func extent(_ append: RoomAppend) throws -> AppendStatement.Extent {
            AppendStatement.Extent(of: try AppendPlan(plain + [append]).rounds[0])
        }
        #expect(try extent(old.comparison(with: old.head)) == .events)
        #expect(try extent(old.next(responses: [Samples.response(1)])) == .responses)
        old.head = plain[0].newHead
        #expect(try extent(old.next(profile: Samples.profile(name: "Renamed"))) == .profiles)
        old.head = plain[0].newHead
        #expect(try extent(old.next(users: joined)) == .users)
        old.head = plain[0].newHead
        #expect(try extent(old.next(users: moved)) == .transfers)
        var other = SampleRoom(3)
        #expect(try extent(other.next()) == .profiles)
    }

    @Test func `messages contain neither password nor parameters of the URL`() {
        let shown = Connector.withoutSecrets("postgres://ada:s3cr%40t@db.example:6432/auctions?sslmode=verify-full&password=x")
        #expect(shown == "postgres://ada@db.example:6432/auctions")
        #expect(Connector.withoutSecrets("postgresql:///auctions?host=/run&password=x") == "postgresql:///auctions")
        #expect(Connector.withoutSecrets("postgres://ada:s3?cr@db/auctions?password=x@y") == "postgres://ada@db/auctions")
        #expect(Connector.withoutSecrets("postgres://db/auctions?password=x@y") == "postgres://db/auctions")
        #expect(Connector.withoutSecrets("host=db password=x") == "PostgreSQL")
    }

    @Test(arguments: ["", "plain", "a\u{0}b", "\u{E000}", "\u{E000}0\u{0}", "拍卖 🎨 e\u{301} \u{EFFF}"])
    func `every text round-trips, including U+0000`(_ text: String) {
        let stored = StoredText.encode(text)
        #expect(!stored.utf8.contains(0))
        #expect(Array(StoredText.decode(stored).utf8) == Array(text.utf8))
    }
}

/// Estimation of the server's clock from exchanges.
@Suite struct ServerClockEstimate {
    private func clock(_ exchanges: [(shown: Int64, sent: Int64, received: Int64)]) -> ServerClock {
        let clock = ServerClock()
        for exchange in exchanges {
            clock.record(
                Timestamp(milliseconds: exchange.shown), sent: exchange.sent * 1_000_000,
                received: exchange.received * 1_000_000)
        }
        return clock
    }

    @Test func `there is no time before the first exchange`() { #expect(ServerClock().time(at: 0) == nil) }

    @Test func `the shortest exchange is used`() {
        // The server is 1,000,000 ms ahead; the second exchange was slow on its way back only.
        let clock = clock([(1_000_101, 100, 102), (1_000_201, 200, 280)])
        #expect(clock.time(at: 300 * 1_000_000) == Timestamp(milliseconds: 1_000_300))
    }

    @Test func `an exchange that contradicts the estimate replaces it`() {
        let clock = clock([(1_000_101, 100, 102), (2_000_240, 200, 280)])
        #expect(clock.time(at: 300 * 1_000_000) == Timestamp(milliseconds: 2_000_300))
    }

    @Test func `an old exchange is replaced even by a longer one`() {
        let clock = clock([(1_000_101, 100, 102), (1_040_203, 40_200, 40_208)])
        #expect(clock.time(at: 40_300 * 1_000_000) == Timestamp(milliseconds: 1_040_299))
    }
}
