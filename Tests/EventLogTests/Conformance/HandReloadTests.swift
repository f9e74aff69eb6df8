import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

extension LogConformance {
    /// A room with an offer of 110.00 to the rival, and an absentee bid of the bidder on a lot that waits.
    private func room() throws -> Scenario {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.uploadItem(Scenario.item(scenario.rules())), by: scenario.auctioneer)
        try scenario.openBidding()
        try scenario.bid(11_000, by: scenario.rival)
        try scenario.bid(12_000, by: scenario.bidder)
        scenario.wait(milliseconds: 15_000)
        try scenario.perform(
            .queueLot(QueueLot(item: Scenario.item(scenario.rules()), reference: "A1")), by: scenario.auctioneer)
        let lot = try #require(scenario.room.lots[reference: "A1"]).id
        try scenario.perform(.absentee(.place(lot, maximum: Money(minorUnits: 20_000))), by: scenario.bidder)
        try scenario.perform(.result(.void(round: 1, reason: "Not paid.", offersNext: true)), by: scenario.host)
        return scenario
    }

    @Test(arguments: LogBackEnd.durable)
    func `a room with an offer and absentee bids is the same in a log that is opened again, and waits for the offer's end`(
        _ backEnd: LogBackEnd
    ) throws {
        let room = try room().room
        let history = try self.room().history
        try backEnd.withPlace { place throws in
            let log = try backEnd.open(place)
            let append = RoomAppend(
                room: room.id, expected: .none, events: EventCodec.encode(history, currency: room.currency, after: .zero),
                profile: Samples.profile(),
                status: RoomStatus(
                    state: room.state.rawValue, round: room.round, endsAt: nil, currentPrice: nil, isArchived: false,
                    isOpen: room.dueAt != nil), responses: [], dueAt: room.dueAt,
                users: UserChanges(of: room))
            guard case .appended? = try log.append([append]).first else { throw ScenarioError() }
            log.close()
            for savesSnapshot in [false, true] {
                let again = try backEnd.open(place)
                defer { again.close() }
                let offer = try #require(room.offers.first)
                #expect(try again.pendingRooms().map(\.room) == [room.id])
                let loaded = try #require(try again.load(room.id, responsesSince: Timestamp(milliseconds: 0)))
                let replayed = try RoomReplay.room(room.id, from: loaded).room
                #expect(replayed == room && replayed.dueAt == offer.expiresAt)
                #expect(replayed.offers == room.offers && replayed.absentees == room.absentees)
                #expect(loaded.events.isEmpty == (loaded.snapshot != nil))
                if !savesSnapshot { try again.save([RoomReplay.snapshot(of: replayed)]) }
            }
        }
    }
}
