import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionService

struct ConnectedHostsTests {
    private let room = RoomID(bits: 7)
    private let log = InMemoryEventLog()
    private let start = Timestamp(milliseconds: 1_000_000)

    private func opened(_ user: UserID) -> [PresenceChange] {
        [PresenceChange(room: room, user: user, isPresent: true, at: 0)]
    }

    private func after(days: Int64) -> Timestamp { start.advanced(byMilliseconds: days * 86_400_000) }

    /// Users whose streams a service that starts then takes for closed.
    private func closed(at instant: Timestamp, in rooms: [RoomID]? = nil) throws -> [UserID] {
        let open = (rooms ?? [room]).map { PendingRoom(room: $0) }
        return try ConnectedHosts.closedStreams(in: open, of: log, at: Now(wall: instant, monotonic: 5)).map(\.user)
    }

    @Test func `hosts and auctioneers of open rounds are known after a restart, for thirty days`() throws {
        let hosts = ConnectedHosts()
        let roles: [(UInt128, Role?)] = [(1, .host), (2, .auctioneer), (3, .bidder), (4, .viewer), (5, nil)]
        for (id, role) in roles { hosts.note(opened(UserID(bits: id))) { _, _ in role } }
        try hosts.write(to: log, at: start)
        #expect(try closed(at: start) == [UserID(bits: 1), UserID(bits: 2)])
        #expect(try closed(at: start, in: [RoomID(bits: 8)]) == [])
        #expect(try closed(at: after(days: 29)).count == 2)
        #expect(try closed(at: after(days: 30)) == [])
    }

    @Test func `a record is written anew at a stream that opens a day later, and not before`() throws {
        let (hosts, host) = (ConnectedHosts(), UserID(bits: 1))
        for days in [0, 0, 2, 2] as [Int64] {
            try hosts.write(to: log, at: after(days: days))
            hosts.note(opened(host)) { _, _ in .host }
            try hosts.write(to: log, at: after(days: days))
        }
        let records = try log.allRecords(after: nil, limit: 10)
        #expect(records.map(\.version) == [2])
        #expect(try closed(at: after(days: 31)) == [host])
    }

    @Test func `no more wait for their records than the limit`() throws {
        let hosts = ConnectedHosts(limit: 2)
        for id in 1...3 as ClosedRange<UInt128> { hosts.note(opened(UserID(bits: id))) { _, _ in .host } }
        try hosts.write(to: log, at: start)
        #expect(try closed(at: start).count == 2)
        hosts.note(opened(UserID(bits: 3))) { _, _ in .host }
        try hosts.write(to: log, at: start)
        #expect(try closed(at: start).count == 3, "there is room again")
    }
}
