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

    /// What an older node does with what a newer one wrote; `Operations.md` says so.
    @Test func `a room with an event of a kind that this node does not know is refused by it, and others are served`() throws {
        let (here, there, _) = try auction.openedNodes()
        let other = RoomID(bits: 8)
        auction.open(here, room: other)
        let history = try #require(try here.log.load(Auction.room, responsesSince: Timestamp(milliseconds: 0)))
        let (replayed, seq) = (try RoomReplay.room(Auction.room, from: history), history.head.seq + 1)
        let bytes = Array(
            #"{"seq":\#(seq),"type":"lot.blessed","at":"\#(here.now.wall)","round":1,"data":{}}"#.utf8)
        let event = StoredEvent(
            seq: seq, at: here.now.wall, type: "lot.blessed", publicBytes: bytes, privateBytes: nil,
            hash: EventCodec.chain(replayed.hash, publicBytes: bytes, privateBytes: nil))
        let status = RoomStatus(state: "auctioning", round: 1, endsAt: nil, currentPrice: nil, isArchived: false)
        let verdicts = try here.log.append([
            RoomAppend(
                room: Auction.room, expected: history.head, events: [event], profile: nil, status: status, responses: [])
        ])
        try #require(verdicts == [.appended(responsePositions: [])])
        for (node, amount, bidder) in [(here, 100, auction.bidder), (there, 200, auction.rival)]
            as [(ServiceHarness, Int64, Person)]
        {
            // By HTTP a 500.
            #expect(node.response(to: auction.bid(amount), of: Auction.room, by: bidder)?.text == "poisoned")
            #expect(node.response(to: auction.bid(amount), of: other, by: bidder)?.status == 200)
        }
        #expect(try here.storedTypes(Auction.room).last == "lot.blessed", "nothing is appended behind it")
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
