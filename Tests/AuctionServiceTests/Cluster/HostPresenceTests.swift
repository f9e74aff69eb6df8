import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionService

struct HostPresenceTests {
    private let auction = Auction()
    private let start = Timestamp(milliseconds: 1_000_000)
    private var presence = HostPresence()

    private func room() throws -> Room {
        let harness = try auction.opened()
        return try #require(try harness.storedRoom(Auction.room))
    }

    private func after(_ seconds: Int64) -> Timestamp { start.advanced(byMilliseconds: seconds * 1000) }

    /// The host whose timer has expired after that many seconds, if any.
    private mutating func expectExpired(_ seconds: Int64, _ room: Room, _ host: UserID?, _ comment: Comment? = nil) {
        let expired = presence.popExpired(at: after(seconds)) { _ in room }?.host
        #expect(expired == host, comment)
    }

    /// The user's last stream on this node closes at the start.
    private mutating func expectGone(_ user: UserID, _ room: Room, _ isGone: Bool, _ comment: Comment? = nil) {
        let found = presence.streamClosed(by: user, on: room.id, room, at: start)
        #expect(found == isGone, comment)
    }

    @Test mutating func `a host counts as disconnected thirty seconds after their last stream closed, once`() throws {
        let room = try room()
        presence.streamOpened(by: auction.host.id, on: room.id)
        presence.streamOpened(by: auction.host.id, on: room.id)
        expectGone(auction.host.id, room, false, "another loop has a stream")
        #expect(presence.nextTimer == nil)
        expectGone(auction.host.id, room, true)
        #expect(presence.nextTimer == after(30))
        expectExpired(29, room, nil)
        expectExpired(30, room, auction.host.id)
        expectExpired(60, room, nil)
    }

    @Test mutating func `a host who is back in time is not disconnected`() throws {
        let room = try room()
        presence.streamOpened(by: auction.host.id, on: room.id)
        _ = presence.streamClosed(by: auction.host.id, on: room.id, room, at: start)
        presence.streamOpened(by: auction.host.id, on: room.id)
        expectExpired(31, room, nil)
    }

    @Test mutating func `a stream on another node keeps the host connected`() throws {
        let room = try room()
        presence.streamOpened(by: auction.host.id, on: room.id)
        let there = RoomPresenceReport(room: room.id, count: 1, people: [auction.host.id])
        presence.reported(there, room, at: start)
        expectGone(auction.host.id, room, false)
        #expect(presence.nextTimer == nil)
        presence.reported(RoomPresenceReport(room: room.id, count: 0, people: []), room, at: start)
        expectExpired(30, room, auction.host.id)
    }

    @Test mutating func `bidders have no timer, an auctioneer has one only as the host`() throws {
        let room = try room()
        for person in [auction.bidder, auction.auctioneer] {
            presence.streamOpened(by: person.id, on: room.id)
            expectGone(person.id, room, true)
        }
        #expect(presence.nextTimer == nil)
    }

    @Test mutating func `a clock jump extends the timers`() throws {
        let room = try room()
        presence.streamOpened(by: auction.host.id, on: room.id)
        _ = presence.streamClosed(by: auction.host.id, on: room.id, room, at: start)
        presence.extendTimers(by: 3_600_000, now: after(3605))
        expectExpired(3605, room, nil, "five seconds have passed for the host")
        expectExpired(3630, room, auction.host.id)
    }

    @Test mutating func `a disconnection that was not committed is decided again after the room was read again`() throws {
        let room = try room()
        presence.streamOpened(by: auction.host.id, on: room.id)
        _ = presence.streamClosed(by: auction.host.id, on: room.id, room, at: start)
        expectExpired(30, room, auction.host.id)
        let hasReturned = presence.roomChanged(room, base: room, isReloaded: true)
        #expect(!hasReturned)
        expectExpired(31, room, auction.host.id)
    }

    @Test mutating func `an unloaded room leaves nothing behind`() throws {
        let room = try room()
        presence.streamOpened(by: auction.host.id, on: room.id)
        _ = presence.streamClosed(by: auction.host.id, on: room.id, room, at: start)
        presence.unloaded(room.id)
        #expect(presence.isEmpty)
        expectExpired(30, room, nil)
    }

    @Test mutating func `the return of another user does not end the absence of the host`() throws {
        let room = try room()
        presence.streamOpened(by: auction.host.id, on: room.id)
        expectGone(auction.host.id, room, true)
        presence.hostReturned(auction.bidder.id, to: room.id, at: after(10), now: after(10))
        expectExpired(30, room, auction.host.id)
    }

    @Test mutating func `a host who returned without a stream has the whole timeout again`() throws {
        let room = try room()
        presence.streamOpened(by: auction.host.id, on: room.id)
        expectGone(auction.host.id, room, true)
        presence.hostReturned(auction.host.id, to: room.id, at: after(10), now: after(20))
        expectExpired(49, room, nil)
        presence.hostReturned(auction.host.id, to: room.id, at: after(10), now: after(49))
        expectExpired(50, room, auction.host.id, "the same return, read again, changes nothing")
    }
}
