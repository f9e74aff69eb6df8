package import AuctionDomain

/// A room with every kind of caller of the permission table, in one of its situations.
package struct PermissionFixture {
    /// The room and its members.
    package private(set) var scenario: Scenario

    private static let secondAuctioneer = Scenario.person(11, "Otto")
    private static let muted = Scenario.person(12, "Mona")
    private static let banned = Scenario.person(13, "Bernd")

    /// - Throws: `Refusal` if the domain refuses a command that leads to the situation.
    package init(_ situation: PermissionTable.Situation, format: AuctionFormatName = .english) throws {
        scenario = try Scenario.withMembers()
        for person in [Self.secondAuctioneer, Self.muted, Self.banned] {
            try scenario.perform(.join(JoinRoom(role: .bidder, inviteCode: nil)), by: person)
        }
        try change(Self.secondAuctioneer, MemberChanges(role: .auctioneer))
        try change(Self.muted, MemberChanges(isMuted: true))
        try change(Self.banned, MemberChanges(isBanned: true))
        let commands = commands(leadingTo: situation, PermissionTable.rules(of: format))
        for (command, person) in commands { try scenario.perform(command, by: person) }
    }

    /// The person who plays a kind of caller.
    package func person(_ callerKind: PermissionTable.CallerKind) -> Person {
        switch callerKind {
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

    private func commands(
        leadingTo situation: PermissionTable.Situation, _ rules: AuctionRules
    ) -> [(Command, Person)] {
        let upload = (Command.uploadItem(Scenario.item(rules)), scenario.auctioneer)
        let start = (Command.startAuction(AuctionTransition()), scenario.host)
        let bid = (Command.placeBid(PlaceBid(amount: rules.startingPrice)), scenario.bidder)
        let isDutch = rules.format == .dutch
        return switch situation {
        case .empty: []
        case .item: [upload]
        case .listing: [upload, start]
        case .open: [upload, start, start]
        case .bids: [upload, start, start, bid]
        case .paused: [upload, start, start] + (isDutch ? [] : [bid]) + [(.pause(AuctionTransition()), scenario.host)]
        case .closed: [upload, start, start, bid] + (isDutch ? [] : [(.endAuction(AuctionTransition()), scenario.host)])
        }
    }
}
