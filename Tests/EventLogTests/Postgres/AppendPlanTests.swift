import AuctionDomain
import EventLog
import Testing

@testable import EventLogPostgres

/// How a batch becomes statements.
@Suite struct AppendPlanning {
    @Test func `what is built on each other goes together, and every element keeps its own answers`() throws {
        var (room, other) = (SampleRoom(1), SampleRoom(2))
        let batch = [
            room.next(answers: [Samples.answer(1)]), other.next(), room.comparison(with: room.head),
            room.next(2, profile: Samples.profile(name: "Renamed"), answers: [Samples.answer(2), Samples.answer(3)]),
        ]
        let plan = try AppendPlan(batch)
        #expect(plan.rounds.count == 1)
        let chain = try #require(plan.rounds.first?.first)
        #expect(chain.kind == .create)
        #expect(chain.elements == [0, 2, 3])
        #expect(chain.events.map(\.seq) == [1, 2, 3])
        #expect(chain.answersPerElement == [1, 0, 2])
        #expect(chain.profile?.name == "Renamed")
        #expect(chain.head == room.head)
    }

    @Test func `what expects another head is judged after what came before it`() throws {
        var room = SampleRoom(1)
        room.head = RoomHead(seq: 4, tip: 4)
        var rival = room
        rival.branch = 9
        let plan = try AppendPlan([room.next(), rival.next(), rival.next(), room.next()])
        #expect(plan.rounds.map { $0.map(\.elements) } == [[[0]], [[1, 2]], [[3]]])
    }

    @Test func `a chain is due when its last element says, and closes no earlier than any`() throws {
        var room = SampleRoom(1)
        room.head = RoomHead(seq: 4, tip: 4)
        let plain = (room.next(), room.next())
        func with(_ append: RoomAppend, notBefore: Int64?, dueAt: Int64?) -> RoomAppend {
            RoomAppend(
                room: append.room, expected: append.expected, events: append.events, profile: nil, status: append.status,
                answers: [], dueAt: dueAt.map(Samples.after), notBefore: notBefore.map(Samples.after))
        }
        let plan = try AppendPlan([with(plain.0, notBefore: 7, dueAt: 8), with(plain.1, notBefore: 3, dueAt: nil)])
        #expect(plan.rounds[0][0].notBefore == Samples.after(7))
        #expect(plan.rounds[0][0].dueAt == nil)
    }

    @Test func `a password and parameters of a URL are in no message`() {
        let shown = Connector.withoutSecrets("postgres://ada:s3cr%40t@db.example:6432/auctions?sslmode=verify-full&password=x")
        #expect(shown == "postgres://ada@db.example:6432/auctions")
        #expect(Connector.withoutSecrets("postgresql:///auctions?host=/run&password=x") == "postgresql:///auctions")
        #expect(Connector.withoutSecrets("host=db password=x") == "PostgreSQL")
    }

    @Test(arguments: ["", "plain", "a\u{0}b", "\u{E000}", "\u{E000}0\u{0}", "拍卖 🎨 e\u{301} \u{EFFF}"])
    func `every text survives, the zero character too`(_ text: String) {
        let stored = StoredText.encode(text)
        #expect(!stored.utf8.contains(0))
        #expect(Array(StoredText.decode(stored).utf8) == Array(text.utf8))
    }
}

/// The server's clock, by a node's.
@Suite struct ServerClockEstimate {
    private static let second: Int64 = 1_000_000_000

    private func clock(_ exchanges: [(shown: Int64, sent: Int64, received: Int64)]) -> ServerClock {
        let clock = ServerClock()
        for exchange in exchanges {
            clock.learn(
                Timestamp(milliseconds: exchange.shown), sent: exchange.sent * 1_000_000,
                received: exchange.received * 1_000_000)
        }
        return clock
    }

    @Test func `before the first exchange there is no time`() { #expect(ServerClock().time(at: 0) == nil) }

    @Test func `the shortest exchange counts`() {
        // The server is 1,000,000 ms ahead; the second exchange was slow on its way back only.
        let clock = clock([(1_000_101, 100, 102), (1_000_201, 200, 280)])
        #expect(clock.time(at: 300 * 1_000_000) == Timestamp(milliseconds: 1_000_300))
    }

    @Test func `a clock that was set is followed at once`() {
        let clock = clock([(1_000_101, 100, 102), (2_000_240, 200, 280)])
        #expect(clock.time(at: 300 * 1_000_000) == Timestamp(milliseconds: 2_000_300))
    }

    @Test func `an old exchange gives way to a longer one`() {
        let clock = clock([(1_000_101, 100, 102), (1_040_203, 40_200, 40_208)])
        #expect(clock.time(at: 40_300 * 1_000_000) == Timestamp(milliseconds: 1_040_299))
    }
}
