import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

extension ServiceHarness {
    /// Lets time pass on both clocks and handles what is due then.
    func advance(milliseconds: Int64) {
        wait(milliseconds: milliseconds)
        handleTick()
    }

    /// Handles what is due now.
    func handleTick() {
        handle(.tick)
        settle()
    }

    /// A user opens or closes a stream at this node.
    func streams(of person: Person, open: Bool) {
        handle(.presence([PresenceChange(room: Auction.room, user: person.id, isPresent: open, at: now.monotonic)]))
        settle()
    }

    /// The users with streams at the other nodes.
    func remotePresence(_ people: [Person]) {
        handle(.remotePresence([RoomPresenceReport(room: Auction.room, count: people.count, people: people.map(\.id))]))
        settle()
    }

    /// Sets the wall clock forward by an hour and expects the running round to have its whole countdown of 15 s from then on.
    func expectExtensionAfterJump(at location: SourceLocation = #_sourceLocation) throws {
        let jumped = now.wall.advanced(byMilliseconds: 3_600_000)
        jump(milliseconds: 3_600_000)
        handleTick()
        let room = try #require(try storedRoom(Auction.room), sourceLocation: location)
        #expect(room.state == .auctioning, sourceLocation: location)
        #expect(room.endsAt == jumped + Seconds(15), sourceLocation: location)
    }
}
