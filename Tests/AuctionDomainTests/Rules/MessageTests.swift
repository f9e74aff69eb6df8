import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

/// Permissions and rate limit of chat messages.
struct MessageTests {
    private let hello = Command.sendMessage("Hello")

    private func sent(_ events: [EventBody]) throws -> Message {
        let message: Message? = if case .messageSent(let message)? = events.first { message } else { nil }
        return try #require(message)
    }

    @Test func `a message has its author and text`() throws {
        var scenario = try Scenario.withMembers()
        let message = try sent(try scenario.perform(hello, by: scenario.viewer))
        #expect(message.author == scenario.viewer)
        #expect(message.text == "Hello")
        #expect(scenario.room.messages.contains(message.id))
    }

    @Test func `given two messages, a third within one second is refused`() throws {
        var scenario = try Scenario.withMembers()
        for _ in 0..<2 { try scenario.perform(hello, by: scenario.viewer) }
        scenario.skip(milliseconds: 999)
        let refusal = try #require(scenario.refusal(of: hello, by: scenario.viewer))
        #expect(refusal.code == "message.rate")
        #expect(refusal.required == "2")
        #expect(refusal.actual == "3")
        guard case .denied(let denial) = refusal.kind else { throw refusal }
        #expect(denial.category == .limit)
        #expect(scenario.refusal(of: hello, by: scenario.bidder) == nil)
        scenario.skip(milliseconds: 1)
        #expect(scenario.refusal(of: hello, by: scenario.viewer) == nil)
    }

    @Test func `the operator sets the rate limit, and zero disables it`() throws {
        var slow = try Scenario.withMembers(rulebook: try .product(limits: RoomLimits(messagesPerSecond: 1)))
        try slow.perform(hello, by: slow.viewer)
        #expect(slow.refusal(of: hello, by: slow.viewer)?.code == "message.rate")
        var free = try Scenario.withMembers(rulebook: try .product(limits: RoomLimits(messagesPerSecond: 0)))
        for _ in 0..<50 { try free.perform(hello, by: free.viewer) }
        #expect(free.refusal(of: hello, by: free.viewer) == nil)
    }

    @Test func `muted members, banned members and strangers cannot write, each for a different reason`() throws {
        var scenario = try Scenario.withMembers()
        try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(isMuted: true)), by: scenario.host)
        try scenario.perform(.changeMember(scenario.rival.id, MemberChanges(isBanned: true)), by: scenario.host)
        #expect(scenario.refusal(of: hello, by: scenario.bidder)?.code == "message.muted")
        #expect(scenario.refusal(of: hello, by: scenario.rival)?.code == "message.banned")
        #expect(scenario.refusal(of: hello, by: scenario.stranger)?.code == "message.not_member")
    }

    /// They cannot unmute themself, and no other member may.
    @Test func `a muted auctioneer may write once they have taken over as host`() throws {
        var scenario = try Scenario.withMembers()
        for person in [scenario.auctioneer, scenario.bidder] {
            try scenario.perform(.changeMember(person.id, MemberChanges(isMuted: true)), by: scenario.host)
        }
        #expect(scenario.refusal(of: hello, by: scenario.auctioneer)?.code == "message.muted")
        try scenario.perform(.leave, by: scenario.host)
        #expect(scenario.room.host == scenario.auctioneer)
        let message = try sent(try scenario.perform(hello, by: scenario.auctioneer))
        #expect(message.author == scenario.auctioneer)
        #expect(scenario.refusal(of: hello, by: scenario.bidder)?.code == "message.muted")
    }

    @Test func `the host may remove a message, its author may not`() throws {
        var scenario = try Scenario.withMembers()
        let message = try sent(try scenario.perform(hello, by: scenario.viewer))
        let remove = Command.removeMessage(message.id)
        #expect(scenario.refusal(of: remove, by: scenario.viewer)?.code == "message.not_host")
        #expect(try scenario.perform(remove, by: scenario.host) == [.messageRemoved(message.id, by: scenario.host)])
        #expect(scenario.refusal(of: remove, by: scenario.host)?.code == "message.not_found")
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a bounded number of messages is kept`() throws {
        var scenario = try Scenario.withMembers()
        let first = try sent(try scenario.perform(hello, by: scenario.viewer))
        for _ in 0..<RoomMessages.limit {
            scenario.skip(milliseconds: 1000)
            try scenario.perform(hello, by: scenario.viewer)
        }
        #expect(scenario.room.messages.recent.count == RoomMessages.limit)
        #expect(scenario.refusal(of: .removeMessage(first.id), by: scenario.host)?.code == "message.not_found")
    }
}
