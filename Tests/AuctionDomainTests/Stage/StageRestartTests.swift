import AuctionDomain
import Testing

/// Repeated commands, and new requests or invitations during a handshake.
struct StageRestartTests {
    private var scenario = StageScenario()

    @Test mutating func `a repeated request produces no events`() throws {
        let id = try scenario.request(by: scenario.guest)
        scenario.wait(seconds: 10)
        let before = scenario.stage
        #expect(try scenario.perform(.request(.bidder), by: scenario.guest).isEmpty)
        #expect(scenario.stage == before)
        #expect(scenario.stage.handshake(of: scenario.guest.id)?.id == id)
    }

    @Test mutating func `every step of a request may be repeated`() throws {
        let (host, guest) = (scenario.host, scenario.guest)
        let id = try scenario.request(by: guest)
        try scenario.perform(.accept(id), by: host)
        #expect(try scenario.perform(.accept(id), by: host).isEmpty)
        try scenario.perform(.confirm(id), by: guest)
        #expect(try scenario.perform(.confirm(id), by: guest).isEmpty)
        #expect(try scenario.perform(.accept(id), by: host).isEmpty)
    }

    @Test mutating func `every step of an invitation may be repeated`() throws {
        let (host, guest) = (scenario.host, scenario.guest)
        let id = try scenario.invite(guest)
        #expect(try scenario.perform(.invite(guest.id, .bidder), by: host).isEmpty)
        try scenario.perform(.accept(id), by: guest)
        #expect(try scenario.perform(.accept(id), by: guest).isEmpty)
        try scenario.perform(.confirm(id), by: host)
        #expect(try scenario.perform(.confirm(id), by: host).isEmpty)
        #expect(scenario.stage.seats.compactMap(\.occupant).count == 1)
    }

    @Test mutating func `a decline may be repeated only by the side that declined`() throws {
        let id = try scenario.request(by: scenario.guest)
        try scenario.perform(.decline(id), by: scenario.host)
        #expect(try scenario.perform(.decline(id), by: scenario.host).isEmpty)
        #expect(scenario.refusal(of: .decline(id), by: scenario.guest)?.code == "stage.not_found")
        #expect(scenario.refusal(of: .cancel(id), by: scenario.guest)?.code == "stage.not_found")
        #expect(scenario.refusal(of: .accept(id), by: scenario.host)?.code == "stage.not_found")
    }

    @Test mutating func `a bounded number of ended handshakes is remembered`() throws {
        var ids: [StageID] = []
        for _ in 0...StageLimits.rememberedHandshakes {
            let id = try scenario.request(by: scenario.guest)
            try scenario.perform(.cancel(id), by: scenario.guest)
            ids.append(id)
        }
        #expect(scenario.refusal(of: .cancel(ids[0]), by: scenario.guest)?.code == "stage.not_found")
        #expect(try scenario.perform(.cancel(ids[1]), by: scenario.guest).isEmpty)
    }

    @Test mutating func `a guest who requests another role returns to idle first`() throws {
        let guest = scenario.guest
        let first = try scenario.request(.bidder, by: guest)
        let second = try scenario.request(.auctioneer, by: guest)
        #expect(
            scenario.log.suffix(2).map(\.event) == [
                .ended(first, guest: guest, reason: .startedAnew, by: guest),
                .requested(second, guest: guest, role: .auctioneer),
            ])
        #expect(scenario.stage.handshakes.map(\.id) == [second])
    }

    @Test mutating func `a guest who makes a new request while the host waits returns to idle first`() throws {
        let guest = scenario.guest
        let first = try scenario.request(by: guest)
        try scenario.perform(.accept(first), by: scenario.host)
        let second = try scenario.request(by: guest)
        #expect(scenario.stage.handshakes.map(\.id) == [second])
        #expect(scenario.stage.hostsHandshake == nil)
        #expect(scenario.refusal(of: .confirm(first), by: guest)?.code == "stage.not_found")
    }

    @Test mutating func `a request by an invited guest replaces the invitation`() throws {
        let first = try scenario.invite(scenario.guest)
        let second = try scenario.request(by: scenario.guest)
        #expect(scenario.stage.handshake(first) == nil)
        #expect(scenario.stage.queue.map(\.id) == [second])
    }

    @Test mutating func `a host who accepts another request returns to idle first and keeps the queue`() throws {
        let third = scenario.newcomer(1)
        let first = try scenario.request(by: scenario.guest)
        let second = try scenario.request(by: scenario.rival)
        let queued = try scenario.request(by: third)
        try scenario.perform(.accept(first), by: scenario.host)
        let events = try scenario.perform(.accept(second), by: scenario.host)
        #expect(
            events == [
                .ended(first, guest: scenario.guest, reason: .startedAnew, by: scenario.host),
                .accepted(second, guest: scenario.rival, role: .bidder, by: scenario.host),
            ])
        #expect(scenario.stage.hostsHandshake?.id == second)
        #expect(scenario.stage.queue.map(\.id) == [queued])
    }

    @Test mutating func `a host who invites another guest returns to idle first and keeps the queue`() throws {
        let third = scenario.newcomer(1)
        let queued = try scenario.request(by: third)
        let first = try scenario.invite(scenario.guest)
        try scenario.perform(.accept(first), by: scenario.guest)
        let second = try scenario.invite(scenario.rival)
        #expect(scenario.stage.handshakes.map(\.id) == [queued, second])
    }

    @Test mutating func `an invitation replaces the guest's request`() throws {
        let first = try scenario.request(by: scenario.guest)
        let second = try scenario.invite(scenario.guest)
        #expect(scenario.stage.handshakes.map(\.id) == [second])
        #expect(scenario.refusal(of: .accept(first), by: scenario.host)?.code == "stage.not_found")
    }
}
