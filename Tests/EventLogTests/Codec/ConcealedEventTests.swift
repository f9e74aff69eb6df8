import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

/// Events whose author others must not learn: two rooms that differ only in the author are the same to them.
struct ConcealedEventTests {
    /// A room whose host has lost their connection, after a command by one of its members, who has another nickname by now.
    private func room(_ author: (Scenario) -> Person, _ command: (MessageID) -> Command) throws -> Scenario {
        var scenario = try Scenario.withItem()
        try scenario.perform(
            .queueLot(QueueLot(item: Scenario.item(scenario.rules()), reference: nil)), by: scenario.auctioneer)
        let sent = try scenario.perform(.sendMessage("Fool"), by: scenario.bidder)
        guard case .messageSent(let message)? = sent.first else { throw ScenarioError() }
        try scenario.perform(.changeMember(scenario.auctioneer.id, MemberChanges(role: .viewer)), by: scenario.host)
        try scenario.perform(.hostDisconnected(scenario.host.id), by: scenario.host)
        try #require(scenario.room.hostGoneSince != nil)
        try scenario.perform(command(message.id), by: Person(id: author(scenario).id, nickname: "Another nickname"))
        try scenario.perform(.sendMessage("Never mind"), by: scenario.bidder)
        return scenario
    }

    private func publicBytes(_ scenario: Scenario) -> [[UInt8]] {
        EventCodec.encode(scenario.history, currency: .cny, after: .zero).map(\.publicBytes)
    }

    @Test func `a report by the host, an owner of lots or a viewer looks the same to all others`() throws {
        let reasons = ["A", String(repeating: "竞", count: RoomReports.reasonLimit), nil]
        let authors: [(Scenario) -> Person] = [{ $0.host }, { $0.auctioneer }, { $0.viewer }]
        let rooms = try zip(authors, reasons).map { author, reason in try room(author) { .reportMessage($0, reason: reason) } }
        let first = rooms[0]
        for other in rooms.dropFirst() {
            #expect(publicBytes(other) == publicBytes(first))
            #expect(other.room.members == first.room.members && other.room.host == first.room.host)
            #expect(other.room.lots == first.room.lots && other.room.hostGoneSince == first.room.hostGoneSince)
            #expect(other.room.storage.bytes == first.room.storage.bytes)
        }
        let counted = first.history.filter { $0.body.storedBytes > 3000 }
        #expect(counted.count == 1 && counted[0].body.participant == nil)
        #expect(first.room.storage.bytes(of: first.host.id) > rooms[2].room.storage.bytes(of: first.host.id))
    }

    /// A room in which the bidders of before and the viewer have to apply; one of them does, with another nickname by now, and may be declined.
    private func applied(_ applicant: (Scenario) -> Person, declined reason: String??) throws -> Scenario {
        var scenario = try Scenario.withItem()
        let rule = ConfigureRule(rule: OptionalRule.notApproved, isEnabled: true, priority: nil)
        try scenario.perform(.configureRule(rule), by: scenario.host)
        let person = Person(id: applicant(scenario).id, nickname: "Another nickname")
        try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: person)
        if let reason { try scenario.perform(.application(.decline(person.id, reason: reason)), by: scenario.host) }
        try scenario.perform(.sendMessage("Never mind"), by: scenario.auctioneer)
        return scenario
    }

    @Test func `the application of one member looks like that of another, and so does its refusal for whatever reason`() throws
    {
        let long = String(repeating: "竞", count: BidderApplication.reasonLimit)
        for reasons in [[nil, nil, nil], [.some("A"), .some(long), .some(nil)]] as [[String??]] {
            let applicants: [(Scenario) -> Person] = [{ $0.bidder }, { $0.viewer }, { $0.rival }]
            let rooms = try zip(applicants, reasons).map { try applied($0, declined: $1) }
            for other in rooms.dropFirst() {
                #expect(publicBytes(other) == publicBytes(rooms[0]))
                #expect(other.room.members == rooms[0].room.members)
                #expect(other.room.storage.bytes == rooms[0].room.storage.bytes)
            }
            #expect(
                rooms[0].history.filter { if case .application = $0.body { true } else { false } }.allSatisfy {
                    $0.body.participant == nil
                })
        }
    }
}
