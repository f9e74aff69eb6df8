import AuctionDomain
import StateMachines
import Testing

struct HandshakeTests {
    private var scenario = StageScenario()

    @Test mutating func `a guest requests a seat, the host accepts, the guest confirms and is on stage`() throws {
        let (host, guest) = (scenario.host, scenario.guest)
        let id = try scenario.request(.auctioneer, by: guest)
        #expect(scenario.stage.queue.map(\.id) == [id])
        #expect(scenario.stage.hostsHandshake == nil)
        #expect(
            try scenario.perform(.accept(id), by: host) == [.accepted(id, guest: guest, role: .auctioneer, by: host)])
        #expect(scenario.stage.handshake(id)?.state == .accepted)
        #expect(scenario.stage.queue.isEmpty)
        scenario.wait(seconds: 5)
        #expect(
            try scenario.perform(.confirm(id), by: guest) == [
                .seated(
                    StageEvent.Seating(
                        id: id, guest: guest, role: .auctioneer, seat: 1, previousRole: .viewer, by: guest))
            ])
        let seat = try #require(scenario.stage.seat(of: guest.id))
        #expect(seat.number == 1)
        #expect(seat.occupant?.since == scenario.now)
        #expect(scenario.role(of: guest) == .auctioneer)
        #expect(scenario.stage.handshakes.isEmpty)
    }

    @Test mutating func `the host invites, the guest accepts, the host confirms and the guest is on stage`() throws {
        let (host, guest) = (scenario.host, scenario.guest)
        let id = try scenario.invite(guest)
        #expect(scenario.stage.handshake(id)?.origin == .invitation)
        #expect(try scenario.perform(.accept(id), by: guest) == [.accepted(id, guest: guest, role: .bidder, by: guest)])
        #expect(scenario.stage.handshake(id)?.state == .agreed)
        try scenario.perform(.confirm(id), by: host)
        #expect(scenario.stage.seat(of: guest.id)?.occupant?.role == .bidder)
    }

    @Test(arguments: HandshakeState.waiting)
    mutating func `a handshake times out after thirty seconds in every waiting state`(state: HandshakeState) throws {
        let id = try handshake(in: state)
        let due = scenario.now + Seconds(StageLimits.timeoutSeconds)
        #expect(scenario.stage.dueAt == due)
        scenario.wait(milliseconds: 29_999)
        #expect(scenario.stage.timedOut(at: scenario.now).isEmpty)
        scenario.wait(milliseconds: 1)
        let events = scenario.stage.timedOut(at: scenario.now)
        #expect(events == [.timedOut(id, guest: scenario.guest)])
        scenario.apply(events)
        #expect(scenario.stage.handshakes.isEmpty)
        #expect(scenario.stage.dueAt == nil)
        #expect(scenario.refusal(of: .accept(id), by: scenario.host)?.code == "stage.not_found")
    }

    @Test mutating func `every step restarts the timeout`() throws {
        let id = try scenario.request(by: scenario.guest)
        scenario.wait(seconds: 29)
        try scenario.perform(.accept(id), by: scenario.host)
        #expect(scenario.stage.dueAt == scenario.now + Seconds(30))
    }

    @Test mutating func `a step at the instant of the timeout is too late`() throws {
        let id = try scenario.request(by: scenario.guest)
        scenario.wait(seconds: 30)
        #expect(scenario.refusal(of: .accept(id), by: scenario.host)?.code == "stage.not_found")
        // The next command records the timeout first.
        let events = try scenario.perform(.muteSeat(1), by: scenario.host)
        #expect(events == [.timedOut(id, guest: scenario.guest), .seatMuted(1, muted: true, by: scenario.host)])
    }

    @Test(arguments: HandshakeState.waiting)
    mutating func `host and guest can decline and cancel in every waiting state`(state: HandshakeState) throws {
        let (host, guest) = (scenario.host, scenario.guest)
        var id = try handshake(in: state)
        #expect(try scenario.perform(.decline(id), by: host) == [.declined(id, guest: guest, by: host)])
        id = try handshake(in: state)
        #expect(try scenario.perform(.cancel(id), by: guest) == [.cancelled(id, guest: guest, by: guest)])
        #expect(scenario.stage.handshakes.isEmpty)
    }

    @Test(arguments: HandshakeState.waiting)
    mutating func `an error ends a handshake in every waiting state`(state: HandshakeState) throws {
        let guest = scenario.guest
        let id = try handshake(in: state)
        #expect(
            try scenario.perform(.fail(id), by: guest) == [.ended(id, guest: guest, reason: .error, by: guest)])
        #expect(scenario.stage.handshakes.isEmpty)
        #expect(try scenario.perform(.fail(id), by: guest).isEmpty)
    }

    @Test(arguments: HandshakeState.waiting)
    mutating func `a guest who disconnects returns to idle from every waiting state`(state: HandshakeState) throws {
        let guest = scenario.guest
        let id = try handshake(in: state)
        let events = scenario.stage.disconnected(guest.id)
        #expect(events == [.ended(id, guest: guest, reason: .disconnected, by: guest)])
        scenario.apply(events)
        #expect(scenario.stage.handshakes.isEmpty)
    }

    @Test mutating func `a disconnect of the host keeps the queue`() throws {
        let queued = try scenario.request(by: scenario.rival)
        let id = try scenario.invite(scenario.guest)
        let events = scenario.stage.disconnected(scenario.host.id)
        #expect(events == [.ended(id, guest: scenario.guest, reason: .disconnected, by: scenario.host)])
        scenario.apply(events)
        #expect(scenario.stage.queue.map(\.id) == [queued])
    }

    @Test func `the machine of the handshake has no findings`() {
        #expect(HandshakeState.machine.table.findings.isEmpty)
        #expect(HandshakeState.machine.table.allows(from: .agreed, to: .onStage))
        // Only by the host, who seats a guest who has asked.
        #expect(HandshakeState.machine.table.allows(from: .requested, to: .onStage))
        #expect(!HandshakeState.machine.table.allows(from: .invited, to: .onStage))
    }

    private mutating func handshake(in state: HandshakeState) throws -> StageID {
        let (host, guest) = (scenario.host, scenario.guest)
        switch state {
        case .requested: return try scenario.request(by: guest)
        case .accepted:
            let id = try scenario.request(by: guest)
            try scenario.perform(.accept(id), by: host)
            return id
        case .invited: return try scenario.invite(guest)
        case .agreed:
            let id = try scenario.invite(guest)
            try scenario.perform(.accept(id), by: guest)
            return id
        case .idle, .onStage: throw Unreachable()
        }
    }

    private struct Unreachable: Error {}
}
