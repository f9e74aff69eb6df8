import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// A room whose stored events are damaged, or were written by a newer version, on a shared log.
struct CorruptRoomTests {
    private let auction = Auction()
    private let damaged = RoomID(bits: 77)
    private let corrupt = Result<Sequencer.LoadedState?, EventLogError>.failure(EventLogError(.corrupt, "damaged"))

    /// Before, the outage stayed unsettled while the room existed: no deadline of any room was applied on any node.
    @Test func `an outage is settled although an open room is corrupt, and the others get their extension`() throws {
        let (here, _, _) = try auction.openedNodes()
        let node = NodeID(bits: 1)
        _ = try here.log.heartbeat(of: node)
        here.wait(milliseconds: 20_000)
        #expect(try here.log.heartbeat(of: node).outage != nil)
        here.handle(.recover([PendingRoom(room: Auction.room), PendingRoom(room: damaged)]))
        here.endTurn()
        here.handle(.loaded(damaged, corrupt))
        here.settle()
        #expect(here.recoveries.last == .complete)
        let room = try #require(try here.storedRoom(Auction.room))
        #expect(room.state == .auctioning)
        #expect(room.endsAt.map { $0 > here.now.wall } == true)
    }

    /// Before, one read that failed for another reason, as while the database was away, left a corrupt room in the way of every later recovery.
    @Test func `an outage is settled although a corrupt room could not be reached at the first attempt`() throws {
        let (here, _, _) = try auction.openedNodes()
        here.wait(milliseconds: 20_000)
        let unreachable = Result<Sequencer.LoadedState?, EventLogError>.failure(EventLogError(.unavailable, "once"))
        for result in [unreachable, corrupt] {
            here.handle(.recover([PendingRoom(room: Auction.room), PendingRoom(room: damaged)]))
            here.endTurn()
            here.handle(.loaded(damaged, result))
            here.settle()
        }
        #expect(here.recoveries == [.failed, .complete])
    }

    /// Each read may replay a long history; deadlines and the change feed name the room several times a second.
    @Test func `deadlines and the change feed make a corrupt room be read again after a minute, requests at once`() throws {
        let (here, _, _) = try auction.openedNodes()
        here.handle(.expired([damaged]))
        #expect(here.requestedLoads() == [damaged])
        here.handle(.loaded(damaged, corrupt))
        here.handle(.expired([damaged]))
        here.handle(.lagging([RoomWatermark(room: damaged, seq: 5)]))
        #expect(here.requestedLoads() == [])
        here.handle(.ensureLoaded(damaged, ReplyAddress(loop: 0, exchange: 1)))
        #expect(here.requestedLoads() == [damaged])
        here.handle(.loaded(damaged, corrupt))
        here.wait(milliseconds: 60_000)
        here.handle(.lagging([RoomWatermark(room: damaged, seq: 5)]))
        #expect(here.requestedLoads() == [damaged])
    }

    @Test func `recoveries that are not complete are repeated after growing pauses, until one is`() throws {
        let (here, _, _) = try auction.openedNodes()
        var tasks = NodeTasks(NodeID(bits: 1))
        _ = try tasks.begin(here.log, at: 0)
        try tasks.recovered(.complete, here.log)
        here.wait(milliseconds: 20_000)
        var pauses: [Int] = []
        var beats = 0
        while pauses.count < 6 {
            beats += 1
            guard try tasks.beat(here.log) != nil else { continue }
            pauses.append(beats)
            beats = 0
            try tasks.recovered(.unfinished([Auction.room]), here.log)
        }
        #expect(pauses == [1, 1, 2, 4, 8, 10])
        for _ in 0..<9 { #expect(try tasks.beat(here.log) == nil) }
        #expect(try tasks.beat(here.log) != nil)
        try tasks.recovered(.complete, here.log)
        #expect(try here.log.heartbeat(of: NodeID(bits: 1)).outage == nil)
    }
}
