/// A request to change a room. The permission center and the room's state object accept or refuse it.
package indirect enum Command: Hashable, Sendable {
    case openRoom(OpenRoom)
    case archiveRoom
    case join(JoinRoom)
    case leave
    case changeMember(UserID, MemberChanges)
    case kick(UserID)
    case application(ApplicationCommand)
    /// What the guest has in the room becomes the caller's. Only the service makes it, after it has verified the tokens of both, and for
    /// rooms in which the index by user has a trace of the guest.
    case linkGuest(Person)
    /// Users have left the service for good. Only the service makes it, for rooms whose events name them.
    case erase(EraseMembers)
    case uploadItem(UploadItem)
    case queueLot(QueueLot)
    case changeLot(LotID, LotChanges)
    case withdrawLot(LotID, reason: String?)
    /// Queues a lot that was not sold again, as a new lot; the rules of the new one may be others.
    case reofferLot(LotID, RulesPatch?)
    case importLots(ImportLots)
    case absentee(AbsenteeCommand)
    case sale(SaleCommand)
    case adjustRules(ItemID, RulesPatch)
    case configureRule(ConfigureRule)
    case auction(AuctionStep, AuctionTransition)
    case placeBid(PlaceBid)
    /// A bid from the hall or by telephone, entered by the caller. The paddle is the host's note of who it was; nil: none.
    case placeFloorBid(PlaceBid, paddle: String?)
    case retractBid(BidID, reason: String)
    case result(ResultCommand)
    case stage(StageCommand)
    case sendMessage(String)
    case removeMessage(MessageID)
    case reportMessage(MessageID, reason: String?)
    /// A command of a host or an auctioneer that a program of the operator sends.
    case byOperator(Command, reason: String)
    /// Sent by the service: the host's last stream closed, and the timeout for reconnecting has expired.
    case hostDisconnected(UserID)
    /// A command that was refused before it was submitted: it gets this refusal, or the response that its key stands for.
    case refused(Refusal)
    /// Sent by the service: the user's last stream closed; no timeout applies.
    case disconnected(UserID)
    /// Sent by the service: the host has opened a stream again.
    case hostReconnected(UserID)

    /// Whether deciding it may take as long as many others do.
    package var isLarge: Bool {
        switch self {
        case .importLots, .byOperator(.importLots, _): true
        default: false
        }
    }

    /// Whether it is a bid, of the caller or of the floor.
    package var isBid: Bool {
        switch self {
        case .placeBid, .placeFloorBid: true
        default: false
        }
    }

    /// Whether it is refused in any state: a file with rows that could not be read.
    package var isRefused: Bool {
        switch self {
        case .importLots(let file), .byOperator(.importLots(let file), _): !file.problems.isEmpty
        default: false
        }
    }

    /// The refusal if there is no such room: of a command that was refused before, such as the opening of the room, that one.
    package var refusalWithoutRoom: Refusal {
        switch self {
        case .refused(let refusal), .byOperator(.refused(let refusal), _): refusal
        default: .roomNotFound
        }
    }

    /// Whether it may start a round in which a tie is drawn, and therefore needs `IdentifierSource.drawSeed`.
    package var mayNeedTieDraw: Bool {
        switch self {
        case .auction(.start, _), .sale(.start): true
        default: false
        }
    }
}

/// What a bidder does with their absentee bid on a lot.
package enum AbsenteeCommand: Hashable, Sendable {
    /// Bids up to `maximum` once the lot opens, in place of the caller's earlier bid.
    case place(LotID, maximum: Money)
    /// Takes the caller's bid back.
    case withdraw(LotID)
}

/// What the host does about a user who has applied as bidder.
package enum ApplicationCommand: Hashable, Sendable {
    /// They become a bidder, and get the credit limit if one is given.
    case approve(UserID, creditLimit: Money?)
    /// Their application stays, declined, and can be approved later. A repeat changes nothing.
    case decline(UserID, reason: String?)

    /// The user who has applied.
    package var applicant: UserID {
        switch self {
        case .approve(let user, _), .decline(let user, _): user
        }
    }
}

/// What is done about the result of a finished round.
package enum ResultCommand: Hashable, Sendable {
    /// The sale of a round does not count any more.
    /// - Parameter offersNext: Whether the item is offered to the next bidder of the round.
    case void(round: Int, reason: String, offersNext: Bool = false)
    /// The caller buys what they are offered, or does not.
    case answer(OfferID, accepts: Bool)
}

/// Creates a room whose host is the caller.
package struct OpenRoom: Hashable, Sendable {
    /// 1 to `nameLimit` Unicode scalars, shown to clients.
    package let name: String
    /// Currency of all amounts in the room; never changes.
    package let currency: Currency
    /// Whether the room can be seen without membership; never changes.
    package let visibility: Visibility

    /// Longest name, in Unicode scalars.
    package static let nameLimit = 100

    package init(name: String, currency: Currency, visibility: Visibility) {
        self.name = name
        self.currency = currency
        self.visibility = visibility
    }
}

/// Makes the caller a member, or changes the caller's own role.
package struct JoinRoom: Hashable, Sendable {
    /// `viewer` or `bidder`; nil: `viewer` for a new member, unchanged for a present one.
    package let role: Role?
    /// Needed for a private room; nil: none given.
    package let inviteCode: String?

    package init(role: Role?, inviteCode: String?) {
        self.role = role
        self.inviteCode = inviteCode
    }
}

/// The host's changes to a member; a nil field is unchanged.
package struct MemberChanges: Hashable, Sendable {
    /// The member's new role.
    package let role: Role?
    /// Whether the member may not send messages.
    package let isMuted: Bool?
    /// Whether the member may neither take part nor join again.
    package let isBanned: Bool?
    /// `.some(nil)` removes the limit.
    package let creditLimit: Money??

    package init(role: Role? = nil, isMuted: Bool? = nil, isBanned: Bool? = nil, creditLimit: Money?? = nil) {
        self.role = role
        self.isMuted = isMuted
        self.isBanned = isBanned
        self.creditLimit = creditLimit
    }
}

/// Sets the item of the current round, with its rules.
package struct UploadItem: Hashable, Sendable {
    /// 1 to `AuctionItem.nameLimit` Unicode scalars.
    package let name: String
    /// 0 to `AuctionItem.descriptionLimit` Unicode scalars.
    package let description: String
    /// At most `AuctionItem.mediaLimit` `https` addresses.
    package let media: [String]
    /// The price that the seller expects; nil: none is named.
    package let estimate: Estimate?
    /// 1 to `AuctionItem.conditionLimit` Unicode scalars; nil: nothing is said.
    package let condition: String?
    /// Checked against their format before the command is accepted.
    package let rules: AuctionRules

    package init(
        name: String, description: String, media: [String], estimate: Estimate? = nil, condition: String? = nil,
        rules: AuctionRules
    ) {
        self.name = name
        self.description = description
        self.media = media
        self.estimate = estimate
        self.condition = condition
        self.rules = rules
    }
}

/// Configures a permission rule in this room; a nil field is unchanged.
package struct ConfigureRule: Hashable, Sendable {
    /// Id of the rule, such as `bid.not_auctioning`.
    package let rule: String
    /// Whether the rule applies.
    package let isEnabled: Bool?
    /// Within `priorityRange`; rules of higher priority are evaluated first.
    package let priority: Int?

    /// Allowed priorities that a host may set.
    package static let priorityRange = 0...1000

    package init(rule: String, isEnabled: Bool?, priority: Int?) {
        self.rule = rule
        self.isEnabled = isEnabled
        self.priority = priority
    }
}

/// Bids in the running round, once or up to a maximum.
package struct PlaceBid: Hashable, Sendable {
    /// Nil: only a maximum; the server bids the next minimum, or raises the leader's maximum.
    package let amount: Money?
    /// Up to where the server bids on the caller's behalf; nil: a plain bid.
    package let maximum: Money?
    /// The round the caller expects; nil: any.
    package let round: Int?
    /// The item the caller expects; nil: any. A round that is cancelled begins again with the same number, perhaps with another item.
    package let item: ItemID?

    /// The longest paddle of a floor bid, in Unicode scalars.
    package static let paddleLimit = 16

    /// - Precondition: amount or maximum is not nil (a command with neither is refused as malformed).
    package init(amount: Money?, maximum: Money? = nil, round: Int? = nil, item: ItemID? = nil) {
        self.amount = amount
        self.maximum = maximum
        self.round = round
        self.item = item
    }
}
