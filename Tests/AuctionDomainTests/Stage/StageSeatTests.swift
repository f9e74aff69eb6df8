import AuctionDomain
import Foundation
import Testing

struct StageSeatTests {
    private var scenario = StageScenario()

    @Test mutating func `a guest takes the free open seat with the lowest number`() throws {
        try scenario.perform(.closeSeat(1), by: scenario.host)
        try scenario.fillSeats(2)
        #expect(scenario.stage.seats.map { $0.occupant != nil }.prefix(4) == [false, true, true, false])
        try scenario.perform(.clearSeat(2), by: scenario.host)
        try scenario.seat(scenario.guest)
        #expect(scenario.stage.seat(of: scenario.guest.id)?.number == 2)
    }

    @Test mutating func `closing a seat evicts its occupant and restores their role`() throws {
        let (host, rival) = (scenario.host, scenario.rival)
        try scenario.seat(rival, as: .auctioneer)
        let events = try scenario.perform(.closeSeat(1), by: host)
        #expect(
            events == [
                .left(StageEvent.Departure(person: rival, seat: 1, restoredRole: .bidder, cause: .evicted)),
                .seatClosed(1, by: host),
            ])
        #expect(scenario.role(of: rival) == .bidder)
        #expect(scenario.stage.seats[0].isClosed)
        #expect(try scenario.perform(.closeSeat(1), by: host).isEmpty)
    }

    @Test mutating func `clearing a seat evicts its occupant, reopens the seat and unmutes it`() throws {
        let (host, guest) = (scenario.host, scenario.guest)
        try scenario.seat(guest)
        try scenario.perform(.muteSeat(1), by: host)
        let events = try scenario.perform(.clearSeat(1), by: host)
        #expect(
            events == [
                .left(StageEvent.Departure(person: guest, seat: 1, restoredRole: .viewer, cause: .evicted)),
                .seatCleared(1, by: host),
            ])
        try scenario.perform(.closeSeat(1), by: host)
        try scenario.perform(.clearSeat(1), by: host)
        #expect(scenario.stage.seats[0].isFree)
        #expect(!scenario.stage.seats[0].isMuted)
        #expect(try scenario.perform(.clearSeat(1), by: host).isEmpty)
    }

    @Test mutating func `a seat is muted and unmuted`() throws {
        let host = scenario.host
        #expect(try scenario.perform(.muteSeat(3), by: host) == [.seatMuted(3, muted: true, by: host)])
        #expect(try scenario.perform(.muteSeat(3), by: host).isEmpty)
        #expect(scenario.stage.seats[2].isMuted)
        #expect(try scenario.perform(.muteSeat(3, muted: false), by: host) == [.seatMuted(3, muted: false, by: host)])
        #expect(!scenario.stage.seats[2].isMuted)
    }

    @Test mutating func `the host seats a member who has asked, without a confirmation and beside an invitation`() throws {
        let (host, guest, rival) = (scenario.host, scenario.guest, scenario.rival)
        let id = try scenario.request(.auctioneer, by: guest)
        let invitation = try scenario.invite(rival)
        let events = try scenario.perform(.seatMember(guest.id, .auctioneer), by: host)
        let seating = StageEvent.Seating(id: id, guest: guest, role: .auctioneer, seat: 1, previousRole: .viewer, by: host)
        #expect(events == [.seated(seating)])
        #expect(scenario.role(of: guest) == .auctioneer)
        #expect(scenario.stage.handshakes.map(\.id) == [invitation])
        #expect(scenario.stage.progress(of: id)?.state == .onStage)
    }

    @Test mutating func `a member is seated after the host has accepted too, but not for want of a request or a seat`() throws {
        let (host, guest, rival) = (scenario.host, scenario.guest, scenario.rival)
        #expect(scenario.refusal(of: .seatMember(guest.id, .bidder), by: host)?.code == "stage.no_request")
        try scenario.perform(.accept(scenario.request(.bidder, by: guest)), by: host)
        #expect(scenario.refusal(of: .seatMember(guest.id, .auctioneer), by: host)?.code == "stage.no_request")
        #expect(scenario.refusal(of: .seatMember(guest.id, .bidder), by: rival)?.code == "stage.not_yours")
        try scenario.perform(.seatMember(guest.id, .bidder), by: host)
        #expect(scenario.refusal(of: .seatMember(guest.id, .bidder), by: host)?.code == "stage.already_seated")
        _ = try scenario.invite(rival)
        #expect(scenario.refusal(of: .seatMember(rival.id, .bidder), by: host)?.code == "stage.no_request")
        #expect(scenario.refusal(of: .seatMember(host.id, .bidder), by: host)?.code == "stage.host")
        #expect(scenario.refusal(of: .seatMember(scenario.stranger.id, .bidder), by: host)?.code == "stage.not_member")
        for number in 2...8 { try scenario.perform(.closeSeat(number), by: host) }
        _ = try scenario.request(.bidder, by: rival)
        #expect(scenario.refusal(of: .seatMember(rival.id, .bidder), by: host)?.code == "stage.no_seat")
        scenario.wait(seconds: 31)
        try scenario.perform(.clearSeat(2), by: host)
        #expect(scenario.refusal(of: .seatMember(rival.id, .bidder), by: host)?.code == "stage.no_request")
    }

    @Test mutating func `an occupant moves to a free seat with their role, and the host moves them on`() throws {
        let (guest, host) = (scenario.guest, scenario.host)
        try scenario.seat(guest, as: .auctioneer)
        let occupant = scenario.stage.seats[0].occupant
        scenario.wait(seconds: 5)
        #expect(try scenario.perform(.moveSeat(1, to: 3), by: guest) == [.moved(guest, from: 1, to: 3, by: guest)])
        #expect(scenario.stage.seats[0].isFree)
        #expect(scenario.stage.seats[2].occupant == occupant)
        #expect(try scenario.perform(.moveSeat(3, to: 3), by: guest).isEmpty)
        #expect(try scenario.perform(.moveSeat(3, to: 8), by: host) == [.moved(guest, from: 3, to: 8, by: host)])
        try scenario.perform(.leave, by: guest)
        #expect(scenario.role(of: guest) == .viewer)
    }

    @Test mutating func `a mute goes along with the occupant, and the number of muted seats stays the same`() throws {
        let (guest, host) = (scenario.guest, scenario.host)
        let muted = { (stage: Stage) in stage.seats.filter(\.isMuted).map(\.number) }
        try scenario.seat(guest)
        try scenario.perform(.muteSeat(1), by: host)
        try scenario.perform(.moveSeat(1, to: 2), by: guest)
        #expect(muted(scenario.stage) == [2])
        try scenario.perform(.muteSeat(5), by: host)
        try scenario.perform(.moveSeat(2, to: 5), by: guest)
        #expect(muted(scenario.stage) == [2, 5])
        try scenario.perform(.muteSeat(5, muted: false), by: host)
        try scenario.perform(.moveSeat(5, to: 2), by: guest)
        #expect(muted(scenario.stage) == [2])
    }

    @Test mutating func `a move is refused to a stranger, from an empty seat, and to one that is taken, closed or not there`()
        throws
    {
        let (guest, host) = (scenario.guest, scenario.host)
        try scenario.seat(guest)
        try scenario.seat(scenario.rival)
        try scenario.perform(.closeSeat(3), by: host)
        let refused: [(Person, StageCommand, String)] = [
            (scenario.rival, .moveSeat(1, to: 4), "stage.not_yours"), (guest, .moveSeat(5, to: 4), "stage.not_yours"),
            (host, .moveSeat(5, to: 4), "stage.seat_empty"), (host, .moveSeat(5, to: 5), "stage.seat_empty"),
            (guest, .moveSeat(1, to: 2), "stage.seat_taken"), (guest, .moveSeat(1, to: 3), "stage.seat_taken"),
            (guest, .moveSeat(1, to: 9), "stage.seat_unknown"), (host, .moveSeat(0, to: 4), "stage.seat_unknown"),
        ]
        for (person, command, code) in refused {
            #expect(scenario.refusal(of: command, by: person)?.code == code, "\(command)")
        }
    }

    @Test mutating func `a member who leaves the stage regains their previous role`() throws {
        try scenario.seat(scenario.guest, as: .auctioneer)
        try scenario.perform(.leave, by: scenario.guest)
        #expect(scenario.role(of: scenario.guest) == .viewer)
        #expect(scenario.stage.seat(of: scenario.guest.id) == nil)
    }

    @Test mutating func `a role assigned while on stage is kept after leaving the seat`() throws {
        try scenario.seat(scenario.guest, as: .bidder)
        scenario.set(scenario.guest, .auctioneer)
        try scenario.perform(.closeSeat(1), by: scenario.host)
        #expect(scenario.role(of: scenario.guest) == .auctioneer)
    }

    @Test mutating func `a seat is kept on a disconnect and freed on leaving the room`() throws {
        let guest = scenario.guest
        try scenario.seat(guest)
        #expect(scenario.stage.disconnected(guest.id).isEmpty)
        let events = scenario.stage.departed(guest.id)
        #expect(
            events == [.left(StageEvent.Departure(person: guest, seat: 1, restoredRole: .viewer, cause: .leftRoom))])
        scenario.apply(events)
        #expect(scenario.stage.freeSeat?.number == 1)
    }

    @Test mutating func `leaving the room ends a handshake too`() throws {
        let id = try scenario.request(by: scenario.guest)
        #expect(
            scenario.stage.departed(scenario.guest.id) == [
                .ended(id, guest: scenario.guest, reason: .leftRoom, by: scenario.guest)
            ])
    }

    @Test mutating func `a new host leaves their seat, and the previous host's invitation ends`() throws {
        let (host, heir) = (scenario.host, scenario.newcomer(1))
        try scenario.seat(heir, as: .auctioneer)
        let queued = try scenario.request(by: scenario.rival)
        let id = try scenario.invite(scenario.guest)
        let events = scenario.stage.hostChanged(from: host.id, to: heir.id)
        #expect(
            events == [
                .ended(id, guest: scenario.guest, reason: .hostChanged, by: nil),
                .left(StageEvent.Departure(person: heir, seat: 1, restoredRole: .host, cause: .becameHost)),
            ])
        scenario.apply(events)
        #expect(scenario.stage.queue.map(\.id) == [queued])
        #expect(scenario.role(of: heir) == .host)
    }
}

struct StageReplayTests {
    private func busyEvening() throws -> StageScenario {
        var scenario = StageScenario()
        try scenario.fillSeats(3)
        scenario.wait(seconds: 4)
        let first = try scenario.request(.auctioneer, by: scenario.guest)
        let second = try scenario.invite(scenario.rival)
        scenario.wait(seconds: 2)
        try scenario.perform(.accept(second), by: scenario.rival)
        try scenario.perform(.accept(first), by: scenario.host)
        try scenario.perform(.closeSeat(2), by: scenario.host)
        try scenario.perform(.confirm(first), by: scenario.guest)
        _ = try scenario.request(by: scenario.rival)
        scenario.wait(seconds: 30)
        scenario.apply(scenario.stage.timedOut(at: scenario.now))
        try scenario.perform(.muteSeat(1), by: scenario.host)
        try scenario.perform(.moveSeat(1, to: 7), by: scenario.host)
        _ = try scenario.request(by: scenario.rival)
        scenario.apply(scenario.stage.departed(scenario.guest.id))
        return scenario
    }

    @Test func `replaying the events gives the same stage`() throws {
        let scenario = try busyEvening()
        var replayed = Stage()
        for (event, at) in scenario.log { replayed.apply(event, at: at) }
        #expect(replayed == scenario.stage)
        #expect(replayed.dueAt == scenario.now + Seconds(30))
    }

    @Test func `a stage survives encoding and decoding with its timeouts`() throws {
        let stage = try busyEvening().stage
        let read = try JSONDecoder().decode(Stage.self, from: JSONEncoder().encode(stage))
        #expect(read == stage)
        #expect(read.dueAt == stage.dueAt)
    }

    @Test func `an event for an unknown seat or handshake changes nothing`() throws {
        let scenario = try busyEvening()
        var stage = scenario.stage
        stage.apply(.seatClosed(9, by: scenario.host), at: scenario.now)
        stage.apply(.timedOut(StageID(bits: 7777), guest: scenario.guest), at: scenario.now)
        stage.apply(.accepted(StageID(bits: 7777), guest: scenario.guest, role: .bidder, by: scenario.host), at: scenario.now)
        #expect(stage == scenario.stage)
    }

    @Test func `every event has a type with the prefix of the stage`() throws {
        let types = Set(try busyEvening().log.map(\.event.type))
        #expect(types.isSuperset(of: ["stage.requested", "stage.seated", "stage.timedOut", "stage.left"]))
        #expect(types.allSatisfy { $0.hasPrefix("stage.") })
    }
}
