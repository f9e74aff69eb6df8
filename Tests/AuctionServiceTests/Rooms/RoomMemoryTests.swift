import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// How many rooms readers can load into memory.
struct RoomMemoryTests {
    private let host = Person(id: UserID(bits: 1), nickname: "Hana")
    private let reply = ReplyAddress(loop: 0, exchange: 1)

    private func rooms(_ count: Int) -> [RoomID] { (1...count).map { RoomID(bits: UInt128($0)) } }

    /// A new process on a log with many rooms.
    private func restarted(_ rooms: [RoomID], _ configure: (inout ServiceLimits) -> Void) throws -> ServiceHarness {
        let first = try ServiceHarness()
        let open = OpenRoom(name: "Tonight", currency: .cny, visibility: .public)
        for room in rooms { #expect(first.response(to: .openRoom(open), of: room, by: host)?.status == 200) }
        var limits = ServiceLimits()
        configure(&limits)
        return try ServiceHarness(log: first.log, limits: limits, now: first.now)
    }

    @Test func `rooms loaded for readers are unloaded when they exceed the memory limit`() throws {
        let rooms = rooms(200)
        let harness = try restarted(rooms) { $0.loadedBytes = 50 * 17_000 }
        for room in rooms {
            harness.handle(.ensureLoaded(room, reply))
            harness.settle()
            harness.wait(milliseconds: 1000)
            #expect(harness.loadedRooms <= 52)
        }
        #expect(harness.loadFinished.allSatisfy { $0.1 == nil }, "an older room could always be unloaded")
    }

    @Test func `while no room can be unloaded, readers are refused and commands are not`() throws {
        let rooms = rooms(80)
        let harness = try restarted(rooms) { $0.loadedBytes = 50 * 17_000 }
        for room in rooms {
            harness.handle(.ensureLoaded(room, reply))
            harness.settle()
        }
        #expect(harness.loadFinished.count == 80)
        #expect(harness.loadFinished.contains { $0.1?.code == .busy })
        #expect(harness.loadedRooms <= 52)
        let room = try #require(rooms.last)
        #expect(harness.response(to: .join(JoinRoom(role: nil, inviteCode: nil)), of: room, by: host)?.status == 200)
    }

    @Test func `loads in flight for readers are bounded, and loads for commands are not`() throws {
        let rooms = rooms(30)
        let harness = try restarted(rooms) { $0.pendingLoads = 10 }
        for room in rooms.dropLast() { harness.handle(.ensureLoaded(room, reply)) }
        harness.send(.join(JoinRoom(role: nil, inviteCode: nil)), to: rooms[29], by: host)
        harness.settle()
        #expect(harness.loadFinished.count { $0.1?.code == .busy } == 19)
        #expect(harness.loadFinished.count { $0.1 == nil } == 10)
        #expect(harness.responses.values.map(\.status) == [200])
    }

    @Test func `one caller has an eighth of the loads in flight, also of rooms that do not exist`() throws {
        let existing = rooms(1)[0]
        let harness = try restarted([existing]) { $0.pendingLoads = 16 }
        let (scanner, reader) = (LoadCaller("192.0.2.1"), LoadCaller("192.0.2.2"))
        for room in rooms(30).dropFirst() { harness.handle(.ensureLoaded(room, reply, for: scanner)) }
        harness.handle(.ensureLoaded(existing, ReplyAddress(loop: 0, exchange: 2), for: reader))
        // Waits for the other caller's load.
        harness.handle(.ensureLoaded(existing, ReplyAddress(loop: 0, exchange: 3), for: scanner))
        harness.endTurn()
        #expect(harness.loadFinished.count == 27 && harness.loadFinished.allSatisfy { $0.1?.code == .busy })
        harness.settle()
        #expect(harness.loadFinished.dropFirst(27).map(\.0.exchange) == [1, 1, 2, 3])
        #expect(harness.loadFinished.dropFirst(27).allSatisfy { $0.1 == nil })
        harness.handle(.refresh(RoomID(bits: 99), ReplyAddress(loop: 0, exchange: 4), for: scanner))
        harness.settle()
        #expect(harness.loadFinished.last?.0.exchange == 4 && harness.loadFinished.last?.1 == nil, "it has its share again")
    }

    @Test func `loads for commands that wait at an event loop have bounds of their own`() throws {
        let rooms = rooms(30)
        let harness = try restarted(rooms) { $0.pendingLoads = 8 }
        for room in rooms.dropLast() { harness.handle(.ensureLoaded(room, reply)) }
        let bidder = LoadCaller("user", isForCommand: true)
        harness.handle(.ensureLoaded(rooms[29], ReplyAddress(loop: 0, exchange: 2), for: bidder))
        harness.handle(.ensureLoaded(RoomID(bits: 99), ReplyAddress(loop: 0, exchange: 3), for: bidder))
        harness.settle()
        #expect(harness.loadFinished.filter { $0.0.exchange == 2 }.map(\.1) == [nil])
        #expect(harness.loadFinished.filter { $0.0.exchange == 3 }.map(\.1?.code) == [.busy])
        #expect(harness.loadFinished.count { $0.1 == nil } == 9)
        // Eight users who each ask for a room that does not exist, and a ninth.
        for user in 1...9 {
            let reply = ReplyAddress(loop: 0, exchange: UInt64(10 + user))
            harness.handle(
                .ensureLoaded(RoomID(bits: UInt128(200 + user)), reply, for: LoadCaller("\(user)", isForCommand: true)))
        }
        harness.settle()
        #expect(harness.loadFinished.suffix(9).count { $0.1 == nil } == 8)
        #expect(harness.loadFinished.filter { $0.0.exchange == 19 }.map(\.1?.code) == [.busy])
    }

    @Test(arguments: [(100, 0), (2100, 1)])
    func `free memory is returned after many bytes of rooms were unloaded`(count: Int, returns: Int) throws {
        let rooms = rooms(count)
        let harness = try restarted(rooms) { $0.idleRoomSeconds = 60 }
        for room in rooms {
            harness.handle(.ensureLoaded(room, reply))
            harness.settle()
        }
        harness.wait(milliseconds: 61_000)
        #expect(harness.loadedRooms == count)
        harness.handle(.sweep(watched: []))
        harness.settle()
        #expect(harness.loadedRooms == 0)
        #expect(harness.memoryReturns == returns)
        harness.handle(.sweep(watched: []))
        #expect(harness.memoryReturns == returns, "once per unloading")
    }
}
