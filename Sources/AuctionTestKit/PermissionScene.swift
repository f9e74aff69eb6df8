public import AuctionDomain

/// A room with everybody whom the permission table speaks of, in one of its situations.
public struct PermissionScene {
    public private(set) var scenario: Scenario

    private static let secondAuctioneer = Scenario.person(11, "Otto")
    private static let muted = Scenario.person(12, "Mona")
    private static let banned = Scenario.person(13, "Bernd")

    public init(_ situation: PermissionTable.Situation, rulebook: RoomRulebook? = nil) throws {
        scenario = try Scenario.withMembers(rulebook: rulebook)
        for person in [Self.secondAuctioneer, Self.muted, Self.banned] {
            try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: person)
        }
        try change(Self.secondAuctioneer, MemberChanges(role: .auctioneer))
        try change(Self.muted, MemberChanges(isMuted: true))
        try change(Self.banned, MemberChanges(isBanned: true))
        let commands = commands(leadingTo: situation)
        for (command, person) in commands { try scenario.perform(command, by: person) }
    }

    public func person(_ asker: PermissionTable.Asker) -> Person {
        switch asker {
        case .host: scenario.host
        case .owner: scenario.auctioneer
        case .auctioneer: Self.secondAuctioneer
        case .bidder: scenario.rival
        case .leader: scenario.bidder
        case .viewer: scenario.viewer
        case .muted: Self.muted
        case .banned: Self.banned
        case .stranger: scenario.stranger
        }
    }

    private mutating func change(_ person: Person, _ changes: MemberChanges) throws {
        try scenario.perform(.changeMember(person.id, changes), by: scenario.host)
    }

    private func commands(leadingTo situation: PermissionTable.Situation) -> [(Command, Person)] {
        let upload = (Command.uploadItem(Scenario.item(scenario.rules())), scenario.auctioneer)
        let start = (Command.startAuction(Advance()), scenario.host)
        let bid = (Command.placeBid(PlaceBid(amount: scenario.rules().startingPrice)), scenario.bidder)
        return switch situation {
        case .empty: []
        case .item: [upload]
        case .listing: [upload, start]
        case .open: [upload, start, start]
        case .bids: [upload, start, start, bid]
        case .paused: [upload, start, start, bid, (.pause(Advance()), scenario.host)]
        case .closed: [upload, start, start, bid, (.endAuction(Advance()), scenario.host)]
        }
    }
}
