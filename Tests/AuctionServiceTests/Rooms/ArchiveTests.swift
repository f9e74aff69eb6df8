import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Archived rooms.
struct ArchiveTests {
    private let auction = Auction()

    /// Found by simulation: a handshake timed out in an archived room.
    @Test func `an archived room has no timers`() throws {
        let harness = try ServiceHarness()
        let room = RoomID(bits: 8)
        _ = harness.response(
            to: .openRoom(OpenRoom(name: "Tonight", currency: .cny, visibility: .public)), of: room, by: auction.host)
        _ = harness.response(to: .join(JoinRoom(role: nil, inviteCode: nil)), of: room, by: auction.bidder)
        _ = harness.response(to: .stage(.invite(auction.bidder.id, .bidder)), of: room, by: auction.host)
        _ = harness.response(to: .archiveRoom, of: room, by: auction.host)
        harness.advance(milliseconds: 60_000)
        #expect(try harness.storedTypes(room).last == "room.archived")
    }

    /// Found by the server's fuzzer: the response was that there is no such room. A keyed room's id follows from its creator and key, so
    /// the key stays taken after it has expired.
    @Test func `a room with the id of an archived one is refused as existing`() throws {
        let harness = try ServiceHarness()
        let room = RoomID(bits: 8)
        let open = Command.openRoom(OpenRoom(name: "Tonight", currency: .cny, visibility: .private))
        _ = harness.response(to: open, of: room, by: auction.host)
        #expect(harness.response(to: open, of: room, by: auction.host)?.body == Array("room.exists".utf8))
        _ = harness.response(to: .archiveRoom, of: room, by: auction.host)
        #expect(harness.response(to: open, of: room, by: auction.host)?.body == Array("room.exists".utf8))
    }

    /// On a shared log a refusal is an append without events, and such an append must not change the index by user.
    @Test func `a command to an archived room is refused on a shared log, by every node`() throws {
        let (here, there, _) = try auction.openedNodes()
        _ = here.response(to: .endAuction(AuctionTransition()), of: Auction.room, by: auction.host)
        let archived = here.response(to: .archiveRoom, of: Auction.room, by: auction.host)
        #expect(archived?.status == 200)
        for node in [here, there, here] {
            #expect(
                node.response(to: auction.bid(100), of: Auction.room, by: auction.bidder)?.body == Array("room.not_found".utf8))
        }
        #expect(try here.log.roomCount(of: auction.bidder.id) == 0)
    }
}
