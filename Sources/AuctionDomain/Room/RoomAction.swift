import Permissions

/// Actions of users in a room that permission rules allow or deny.
package enum RoomAction: String, PermissionAction, CaseIterable {
    case uploadItem
    case adjustRules
    case startAuction
    case placeBid
    case retractBid
    case endAuction
    case pause
    case resume
    case cancel
    case extend
    case setRole
    case kick
    case ban
    case mute
    case setCreditLimit
    case sendMessage
    case removeMessage
    case configurePermissions
    case requestStage
    case manageStage
    case archiveRoom
    case queueLot
    case changeLot
    case withdrawLot
    case runSale
    case warn
    case changeAsk
    case reofferLot
    case reportMessage
    case placeAbsenteeBid
    case withdrawAbsenteeBid
    case placeFloorBid
    case voidResult
    case answerOffer
    case decideApplication

    /// Each action has its own, from 0 up, below 64. Another version may number them otherwise, so it is not stored.
    package var number: UInt8 {
        switch self {
        case .uploadItem: 0
        case .adjustRules: 1
        case .startAuction: 2
        case .placeBid: 3
        case .retractBid: 4
        case .endAuction: 5
        case .pause: 6
        case .resume: 7
        case .cancel: 8
        case .setRole: 9
        case .kick: 10
        case .ban: 11
        case .mute: 12
        case .setCreditLimit: 13
        case .sendMessage: 14
        case .removeMessage: 15
        case .configurePermissions: 16
        case .requestStage: 17
        case .manageStage: 18
        case .archiveRoom: 19
        case .queueLot: 20
        case .changeLot: 21
        case .withdrawLot: 22
        case .runSale: 23
        case .extend: 24
        case .warn: 25
        case .changeAsk: 26
        case .reofferLot: 27
        case .reportMessage: 28
        case .placeAbsenteeBid: 29
        case .withdrawAbsenteeBid: 30
        case .placeFloorBid: 31
        case .voidResult: 32
        case .answerOffer: 33
        case .decideApplication: 34
        }
    }
}

/// A set of actions, as a mask of their numbers.
package struct RoomActions: Hashable, Sendable {
    /// The action with the number n is bit n.
    package private(set) var mask: UInt64

    package init(_ actions: [RoomAction] = []) { mask = actions.reduce(0) { $0 | 1 &<< UInt64($1.number) } }

    /// Whether the action is in the set.
    package func contains(_ action: RoomAction) -> Bool { mask & 1 &<< UInt64(action.number) != 0 }

    /// The actions in the order of `RoomAction`.
    package var inOrder: [RoomAction] { RoomAction.allCases.filter(contains) }

    /// All actions.
    static let all = RoomActions(RoomAction.allCases)
    private static let byNumber = RoomAction.allCases.sorted { $0.number < $1.number }

    mutating func remove(_ action: RoomAction) { mask &= ~(1 &<< UInt64(action.number)) }
    /// Removes and returns the action with the lowest number.
    mutating func popFirst() -> RoomAction? {
        guard mask != 0 else { return nil }
        defer { mask &= mask &- 1 }
        return Self.byNumber[mask.trailingZeroBitCount]
    }
    mutating func formUnion(_ other: RoomActions) { mask |= other.mask }
    mutating func subtract(_ other: RoomActions) { mask &= ~other.mask }
}

/// What the host does with the round. The room's state decides what follows.
package enum AuctionStep: Hashable, Sendable {
    case start
    case end
    case pause
    case resume
    case cancel
    case extend(Seconds)
    /// "Going once" (level 1) or "going twice" (2); no transition.
    case warn(level: Int)
    /// The next minimum is another for everybody; no transition.
    case ask(AskChange)

    /// The seconds that one extension may have.
    package static let extensionRange = 1...3600

    /// The levels that a warning may have.
    package static let warningLevels = 1...2

    /// The action that the permission rules are asked about.
    package var action: RoomAction {
        switch self {
        case .start: .startAuction
        case .end: .endAuction
        case .pause: .pause
        case .resume: .resume
        case .cancel: .cancel
        case .extend: .extend
        case .warn: .warn
        case .ask: .changeAsk
        }
    }

    /// What the permission rules know of it.
    var request: RuleRequest {
        if case .ask(.nextMinimum(let amount)) = self { RuleRequest(bid: PlaceBid(amount: amount)) } else { RuleRequest() }
    }

    /// The number of events that it causes at most, by which its texts are counted.
    package var eventCount: Int {
        switch self {
        // Two transitions at most, each with its announcement; and a host may start and cancel a round again and again.
        case .start: 4
        // A transition with its announcement and its deadline or outcome.
        case .resume, .end: 3
        // A transition with its announcement.
        case .pause, .cancel: 2
        case .extend, .warn, .ask: 1
        }
    }

    /// By what multiple of the room's storage limit it is refused; nil: never.
    func storageShare(in room: Room) -> Int? {
        switch self {
        // A paused round has no deadline: only a resume lets it end as its bidders expect. It needs a pause, which is limited, or takes the
        // host's absence of half a minute.
        case .end, .cancel, .resume: nil
        // A new round needs space to finish; an announced round may start.
        case .start: room.state == .listing ? 4 : 1
        case .pause: 4
        case .extend, .warn, .ask: 2
        }
    }

    /// Whether it is taken beyond the limit of an address: it ends what needed an order that was counted.
    package func isOwed(in room: Room?) -> Bool {
        switch self {
        case .cancel, .end, .resume: true
        case .start: room?.state == .listing
        case .pause, .extend, .warn, .ask: false
        }
    }
}
