import AuctionDomain
import AuctionTestKit
import Foundation
import Testing

struct MemberSnapshotTests {
    @Test func `a snapshot preserves present members and the decisions about absent ones`() throws {
        var scenario = try Scenario.withMembers()
        let limited = MemberChanges(isMuted: true, creditLimit: .some(Money(minorUnits: 50000)))
        try scenario.perform(.changeMember(scenario.rival.id, limited), by: scenario.host)
        try scenario.perform(.changeMember(scenario.bidder.id, MemberChanges(isBanned: true)), by: scenario.host)
        try scenario.perform(.leave, by: scenario.rival)
        try scenario.perform(.sendMessage("Hello"), by: scenario.viewer)
        let saved = try JSONEncoder().encode(scenario.room)
        let loaded = try JSONDecoder().decode(Room.self, from: saved)
        #expect(loaded == scenario.room)
        #expect(loaded.members.absentees.map(\.person) == [scenario.rival])
    }
}
