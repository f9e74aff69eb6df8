import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// How many rooms readers can bring into memory.
struct RoomMemoryTests {
    private let host = Person(id: UserID(bits: 1), nickname: "Hana")
    private let reply = ReplyAddress(loop: 0, exchange: 1)

    private func rooms(_ count: Int) -> [RoomID] { (1...count).map { RoomID(bits: UInt128($0)) } }

    /// A new process with many rooms in its log.
    private func restarted(_ rooms: [RoomID], _ configure: (inout ServiceLimits) -> Void) throws -> ServiceHarness {
        let first = try ServiceHarness()
        let open = OpenRoom(name: "Tonight", currency: .cny, visibility: .public)
        for room in rooms { #expect(first.answer(to: .openRoom(open), of: room, by: host)?.status == 200) }
        var limits = ServiceLimits()
        configure(&limits)
        return try ServiceHarness(log: first.log, limits: limits, now: first.now)
    }

    @Test func `rooms that readers bring in leave again when they take too much`() throws {
        let rooms = rooms(200)
        let harness = try restarted(rooms) { $0.loadedBytes = 50 * 17_000 }
        for room in rooms {
            harness.handle(.touch(room, reply))
            harness.settle()
            harness.wait(milliseconds: 1000)
            #expect(harness.loadedRooms <= 52)
        }
        #expect(harness.touched.allSatisfy { $0.1 == nil }, "there was always an older one to leave")
    }

    @Test func `while no room can leave readers are turned away and commands are not`() throws {
        let rooms = rooms(80)
        let harness = try restarted(rooms) { $0.loadedBytes = 50 * 17_000 }
        for room in rooms {
            harness.handle(.touch(room, reply))
            harness.settle()
        }
        #expect(harness.touched.count == 80)
        #expect(harness.touched.contains { $0.1?.code == .busy })
        #expect(harness.loadedRooms <= 52)
        let room = try #require(rooms.last)
        #expect(harness.answer(to: .join(JoinRoom(role: nil, inviteCode: nil)), of: room, by: host)?.status == 200)
    }

    @Test func `so many rooms are under way for readers at once, and those of commands besides`() throws {
        let rooms = rooms(30)
        let harness = try restarted(rooms) { $0.pendingLoads = 10 }
        for room in rooms.dropLast() { harness.handle(.touch(room, reply)) }
        harness.send(.join(JoinRoom(role: nil, inviteCode: nil)), to: rooms[29], by: host)
        harness.settle()
        #expect(harness.touched.count { $0.1?.code == .busy } == 19)
        #expect(harness.touched.count { $0.1 == nil } == 10)
        #expect(harness.answers.values.map(\.status) == [200])
    }
}
