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

    @Test func `those who left last are known, as many as the limit, and a guest who is linked as the user`() throws {
        var scenario = try Scenario.withMembers()
        let join = Command.join(JoinRoom(role: nil, inviteCode: "letmein"))
        let people = (0...Members.departureLimit).map { Person(id: UserID(bits: UInt128(5000 + $0)), nickname: "P\($0)") }
        for person in people {
            try scenario.perform(join, by: person)
            try scenario.perform(.leave, by: person)
        }
        try scenario.perform(join, by: people[9])
        var members: Members { scenario.room.members }
        #expect(members.absent(people[0].id) == nil && members.absent(people[9].id) == nil, "one is forgotten, one is back")
        #expect(members.absent(people[1].id) == people[1])
        #expect(members.absent(scenario.stranger.id) == nil)
        try scenario.perform(.linkGuest(people[1]), by: scenario.stranger)
        #expect(members.absent(people[1].id) == nil && members.absent(scenario.stranger.id) == scenario.stranger)
        try scenario.perform(.linkGuest(people[9]), by: people[2])
        #expect(members[people[2].id] != nil && members.absent(people[2].id) == nil && members.absent(people[9].id) == nil)
        #expect(try JSONDecoder().decode(Room.self, from: try JSONEncoder().encode(scenario.room)) == scenario.room)
        #expect(try scenario.replayed() == scenario.room)
    }
}
