import AuctionDomain
import Permissions
import Testing

struct StageRefusalTests {
    private var scenario = StageScenario()

    private func code(_ command: StageCommand, by person: Person) -> String? {
        scenario.refusal(of: command, by: person)?.code
    }

    @Test mutating func `each step of a handshake is allowed to one side only`() throws {
        let id = try scenario.request(by: scenario.guest)
        #expect(code(.accept(id), by: scenario.guest) == "stage.not_yours")
        #expect(code(.accept(id), by: scenario.rival) == "stage.not_yours")
        #expect(code(.decline(id), by: scenario.rival) == "stage.not_yours")
        #expect(code(.confirm(id), by: scenario.guest) == "stage.wrong_step")
        try scenario.perform(.accept(id), by: scenario.host)
        #expect(code(.confirm(id), by: scenario.host) == "stage.not_yours")
        #expect(code(.accept(id), by: scenario.guest) == "stage.wrong_step")
        try scenario.perform(.confirm(id), by: scenario.guest)
        #expect(code(.confirm(id), by: scenario.rival) == "stage.not_yours")
    }

    @Test mutating func `an invitation is accepted by the guest and confirmed by the host`() throws {
        let id = try scenario.invite(scenario.guest)
        #expect(code(.accept(id), by: scenario.host) == "stage.not_yours")
        #expect(code(.confirm(id), by: scenario.host) == "stage.wrong_step")
        try scenario.perform(.accept(id), by: scenario.guest)
        #expect(code(.confirm(id), by: scenario.guest) == "stage.not_yours")
    }

    @Test func `only members other than the host may take a seat`() {
        #expect(code(.request(.bidder), by: scenario.stranger) == "stage.not_member")
        #expect(code(.request(.bidder), by: scenario.host) == "stage.host")
        #expect(code(.invite(scenario.host.id, .bidder), by: scenario.host) == "stage.host")
        #expect(code(.invite(scenario.stranger.id, .bidder), by: scenario.host) == "stage.not_member")
        #expect(code(.invite(scenario.rival.id, .bidder), by: scenario.guest) == "stage.not_yours")
    }

    @Test mutating func `a banned member cannot be invited`() {
        var standing = Standing()
        standing.isBanned = true
        scenario.set(scenario.guest, .viewer, standing)
        #expect(code(.invite(scenario.guest.id, .bidder), by: scenario.host) == "stage.guest_banned")
    }

    @Test mutating func `a seated member is refused another seat`() throws {
        try scenario.seat(scenario.guest)
        #expect(code(.request(.auctioneer), by: scenario.guest) == "stage.already_seated")
        #expect(code(.invite(scenario.guest.id, .bidder), by: scenario.host) == "stage.already_seated")
        #expect(code(.leave, by: scenario.rival) == "stage.not_seated")
    }

    @Test mutating func `requests, invitations and confirmations are refused while no seat is available`() throws {
        let waiting = try scenario.request(by: scenario.guest)
        try scenario.perform(.accept(waiting), by: scenario.host)
        // Every seat is closed before the guest confirms.
        let queued = try scenario.request(by: scenario.rival)
        for number in 1...StageLimits.seats { try scenario.perform(.closeSeat(number), by: scenario.host) }
        #expect(code(.confirm(waiting), by: scenario.guest) == "stage.no_seat")
        #expect(code(.accept(queued), by: scenario.host) == "stage.no_seat")
        #expect(code(.invite(scenario.rival.id, .bidder), by: scenario.host) == "stage.no_seat")
        try scenario.perform(.clearSeat(8), by: scenario.host)
        try scenario.perform(.confirm(waiting), by: scenario.guest)
        #expect(scenario.stage.seat(of: scenario.guest.id)?.number == 8)
    }

    @Test mutating func `a full queue refuses requests until a guest leaves it`() throws {
        for number in 1...StageLimits.queuedRequests { _ = try scenario.request(by: scenario.newcomer(number)) }
        let refusal = try #require(scenario.refusal(of: .request(.bidder), by: scenario.guest))
        #expect(refusal.code == "stage.queue_full")
        #expect(refusal.actual == "\(StageLimits.queuedRequests)")
        // A guest already in the queue may replace their request.
        let first = scenario.newcomer(1)
        #expect(code(.request(.auctioneer), by: first) == nil)
        try scenario.perform(.cancel(#require(scenario.stage.queue.first).id), by: first)
        #expect(code(.request(.bidder), by: scenario.guest) == nil)
    }

    @Test(arguments: [0, -1, 9, Int.max])
    func `a seat that does not exist is refused with its number`(number: Int) {
        for command in [StageCommand.closeSeat(number), .muteSeat(number), .clearSeat(number)] {
            let refusal = scenario.refusal(of: command, by: scenario.host)
            #expect(refusal?.code == "stage.seat_unknown")
            #expect(refusal?.actual == "\(number)")
        }
    }

    @Test func `only the host may close, mute or clear seats`() {
        for command in [StageCommand.closeSeat(1), .muteSeat(1), .clearSeat(1)] {
            #expect(code(command, by: scenario.guest) == "stage.not_yours")
        }
    }

    @Test mutating func `a refusal has a text in both languages and changes nothing`() throws {
        let id = try scenario.request(by: scenario.guest)
        let before = scenario.stage
        let refusal = try #require(scenario.refusal(of: .confirm(id), by: scenario.guest))
        #expect(refusal.text.english == "confirm is not the next step while the handshake is requested.")
        #expect(refusal.text.chinese.contains("requested"))
        #expect(scenario.stage == before)
    }
}
