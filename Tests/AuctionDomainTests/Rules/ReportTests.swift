import AuctionDomain
import AuctionTestKit
import Testing

/// Reports of messages: who may report what, and what the room keeps.
struct ReportTests {
    /// A room in which the bidder has written.
    private func written() throws -> (Scenario, MessageID) {
        var scenario = try Scenario.withMembers()
        let message = try write(in: &scenario)
        return (scenario, message)
    }

    private func write(in scenario: inout Scenario) throws -> MessageID {
        scenario.skip(milliseconds: 1000)
        guard case .messageSent(let message)? = try scenario.perform(.sendMessage("Fool"), by: scenario.bidder).first else {
            throw ScenarioError()
        }
        return message.id
    }

    @Test func `a report names the message, its place, the reporter and the reason`() throws {
        var (scenario, message) = try written()
        let seq = scenario.room.seq
        let events = try scenario.perform(.reportMessage(message, reason: "An insult."), by: scenario.viewer)
        guard case .messageReported(let report)? = events.first else { throw ScenarioError() }
        #expect(events.count == 1 && report.reports == 1 && report.message == message && report.messageSeq == seq)
        #expect(report.reporter == scenario.viewer && report.reason == "An insult.")
        #expect(scenario.lastOutcome == .silent)
        #expect(scenario.room.reportCount == 1 && scenario.room.reports.recent.map(\.messageSeq) == [seq])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a repeat changes nothing, and another member's report counts`() throws {
        var (scenario, message) = try written()
        let report = Command.reportMessage(message, reason: nil)
        try scenario.perform(report, by: scenario.viewer)
        #expect(try scenario.perform(report, by: scenario.viewer) == [])
        #expect(try scenario.perform(report, by: scenario.rival).count == 1)
        #expect(scenario.room.reportCount == 2)
    }

    @Test func `muted members report, the author, banned members and strangers do not`() throws {
        var (scenario, message) = try written()
        let report = Command.reportMessage(message, reason: nil)
        #expect(scenario.refusal(of: report, by: scenario.bidder)?.code == "report.own")
        #expect(scenario.refusal(of: report, by: scenario.stranger)?.code == "report.not_member")
        try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(isMuted: true)), by: scenario.host)
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(isBanned: true)), by: scenario.host)
        #expect(scenario.refusal(of: report, by: scenario.rival)?.code == "report.banned")
        #expect(try scenario.perform(report, by: scenario.viewer).count == 1)
    }

    @Test func `a message that is not there cannot be reported, and a report of a removed one stays`() throws {
        var (scenario, message) = try written()
        let report = Command.reportMessage(message, reason: nil)
        try scenario.perform(report, by: scenario.viewer)
        #expect(!scenario.room.reports.recent[0].isRemoved)
        try scenario.perform(.removeMessage(message), by: scenario.host)
        #expect(scenario.room.reports.recent[0].isRemoved && scenario.room.reportCount == 1)
        #expect(try scenario.perform(report, by: scenario.viewer) == [], "a repeat has the same answer as before")
        #expect(scenario.refusal(of: report, by: scenario.rival)?.code == "message.not_found")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a member makes a bounded number of reports, and a bounded number is kept`() throws {
        var scenario = try Scenario.withMembers()
        var reported: [MessageID] = []
        for _ in 0..<RoomReports.userLimit {
            let message = try write(in: &scenario)
            try scenario.perform(.reportMessage(message, reason: nil), by: scenario.viewer)
            reported.append(message)
        }
        let message = try write(in: &scenario)
        let refusal = try #require(scenario.refusal(of: .reportMessage(message, reason: nil), by: scenario.viewer))
        #expect(refusal.code == "report.limit" && refusal.required == "20" && refusal.actual == "21")
        for again in reported {
            #expect(try scenario.perform(.reportMessage(again, reason: "Once more."), by: scenario.viewer) == [])
        }
        let others = (0..<RoomReports.limit).map { Person(id: UserID(bits: UInt128(100 + $0)), nickname: "Guest") }
        for person in others {
            try scenario.perform(.join(JoinRoom(role: nil, inviteCode: nil)), by: person)
            try scenario.perform(.reportMessage(message, reason: nil), by: person)
        }
        #expect(scenario.room.reports.recent.count == RoomReports.limit)
        #expect(scenario.room.reportCount == RoomReports.limit + RoomReports.userLimit)
        #expect(scenario.refusal(of: .reportMessage(message, reason: nil), by: scenario.viewer) == nil)
    }

    @Test func `what a guest wrote and reported is the user's after a link`() throws {
        var (scenario, message) = try written()
        try scenario.perform(.reportMessage(message, reason: nil), by: scenario.viewer)
        try scenario.perform(.linkGuest(scenario.viewer), by: scenario.stranger)
        #expect(scenario.room.reports.recent.map(\.reporter) == [scenario.stranger.id])
        #expect(try scenario.perform(.reportMessage(message, reason: nil), by: scenario.stranger) == [])
        let user = Person(id: UserID(bits: 99), nickname: "Xu")
        try scenario.perform(.linkGuest(scenario.bidder), by: user)
        #expect(scenario.refusal(of: .reportMessage(message, reason: nil), by: user)?.code == "report.own")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a report leaves the warning of the round as it is, and a warning the reports`() throws {
        var scenario = try Scenario.auctioning()
        let message = try write(in: &scenario)
        try scenario.perform(.auction(.warn(level: 1), AuctionTransition()), by: scenario.host)
        try scenario.perform(.reportMessage(message, reason: nil), by: scenario.viewer)
        #expect(scenario.room.warning == 1)
        try scenario.perform(.auction(.warn(level: 2), AuctionTransition()), by: scenario.host)
        #expect(scenario.room.warning == 2 && scenario.room.reportCount == 1)
    }
}
