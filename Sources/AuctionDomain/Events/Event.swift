/// A change of a room, as the log stores it. A room's state is the fold of its events.
package struct Event: Hashable, Sendable {
    /// 1, 2, 3 … without gaps: the order of a room's events.
    package let seq: Int
    /// Never earlier than the `at` of the previous event.
    package let at: Timestamp
    /// The round it belongs to; for an event that begins a round, the new one.
    package let round: Int
    /// The type of the event with its data.
    package let body: EventBody

    package init(seq: Int, at: Timestamp, round: Int, body: EventBody) {
        self.seq = seq
        self.at = at
        self.round = round
        self.body = body
    }
}

/// The types of events, with their data.
package indirect enum EventBody: Hashable, Sendable {
    case roomOpened(RoomOpened)
    case roomArchived(by: Person)
    case memberJoined(Person, role: Role)
    case memberLeft(Person)
    /// - Parameter by: nil: the service, when an absent or departed host is succeeded.
    case memberRoleChanged(Person, from: Role, to: Role, by: Person?)
    case memberKicked(Person, by: Person)
    case memberBanned(Person, isBanned: Bool, by: Person)
    case memberMuted(Person, isMuted: Bool, by: Person)
    /// The limit is private; nil: no limit.
    case memberCreditLimitChanged(Person, limit: Money?, by: Person)
    case memberLinked(MemberLinked)
    case memberErased(MemberErased)
    /// The host is absent and no member may succeed them.
    case hostGone(Person)
    case hostReturned(Person)
    case itemUploaded(AuctionItem)
    case rulesAdjusted(ItemID, AuctionRules, by: Person)
    case permissionChanged(PermissionChange)
    case stateChanged(StateChange)
    /// - Parameters:
    ///   - nextDropAt: the instant of a Dutch price's first drop; nil in the other formats.
    ///   - cuts: private, in a sealed round of a lot with absentee bids: those that may not act in full; else nil.
    case countdownStarted(endsAt: Timestamp, nextDropAt: Timestamp?, cuts: [AbsenteeCut]? = nil)
    case countdownMoved(CountdownMoved)
    case warningGiven(WarningGiven)
    case incrementChanged(IncrementChanged)
    case askChanged(AskChanged)
    /// Ties will be decided by a draw: the seed's hash is public, the seed private until the round ends.
    case drawCommitted(seed: DrawSeed)
    case drawRevealed(seed: DrawSeed)
    case bidPlaced(BidPlaced)
    case floorBidPlaced(FloorBidPlaced)
    case maximumRaised(MaximumRaised)
    case bidRetracted(BidRetracted)
    case maximumVoided(MaximumVoided)
    /// - Parameter nextDropAt: nil once the price is at the floor.
    case priceDropped(price: Money, nextDropAt: Timestamp?)
    /// - Parameter lot: the lot whose item it was; nil if it was uploaded for this round.
    case itemSold(winner: Person, price: Money, lot: LotID? = nil)
    /// - Parameter lot: the lot whose item it was; nil if it was uploaded for this round.
    case itemPassed(PassReason, lot: LotID? = nil)
    case itemVoided(ItemVoided)
    case offer(OfferEvent)
    case lotQueued(LotQueued)
    case lotChanged(LotChanged)
    case lotMoved(LotMoved)
    case lotWithdrawn(LotWithdrawn)
    case lotBidsChanged(LotBidsChanged)
    case sale(SaleEvent)
    case stage(StageEvent)
    case messageSent(Message)
    case messageRemoved(MessageID, by: Person)
    case messageReported(MessageReported)
    case application(ApplicationEvent)
    case systemMessage(SystemMessage)
}

/// The room was created: the first event, with seq 1.
package struct RoomOpened: Hashable, Sendable {
    /// 1 to `OpenRoom.nameLimit` Unicode scalars.
    package let name: String
    /// The user who opened the room.
    package let host: Person
    /// Currency of all amounts in the room; never changes.
    package let currency: Currency
    /// Whether the room can be seen without membership; never changes.
    package let visibility: Visibility
    /// Private: lets a user who has it join a private room.
    package let inviteCode: String

    package init(name: String, host: Person, currency: Currency, visibility: Visibility, inviteCode: String) {
        self.name = name
        self.host = host
        self.currency = currency
        self.visibility = visibility
        self.inviteCode = inviteCode
    }
}

/// The room went from one state to another, or into a new round.
package struct StateChange: Hashable, Sendable {
    /// The state before.
    package let from: RoomState
    /// The state after.
    package let to: RoomState
    /// What triggered the transition.
    package let cause: TransitionCause
    /// The user whose command caused it; nil: the service, at a deadline or for want of a host.
    package let by: Person?
    /// Free text from the user who caused it; nil if none was given.
    package let reason: String?
    /// Whether this begins the next round, without item and bids.
    package let beginsRound: Bool
    /// The lot whose round it is; nil if the round's item is none.
    package let lot: LotID?

    package init(
        from: RoomState, to: RoomState, cause: TransitionCause, by: Person?, reason: String? = nil,
        beginsRound: Bool = false, lot: LotID? = nil
    ) {
        self.from = from
        self.to = to
        self.cause = cause
        self.by = by
        self.reason = reason
        self.beginsRound = beginsRound
        self.lot = lot
    }
}

/// The deadline of a running countdown changed without a bid.
package struct CountdownMoved: Hashable, Sendable {
    /// Why the deadline changed without a bid.
    package enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
        /// The auction was resumed.
        case resume
        /// The service was not available.
        case outage
        /// The wall clock jumped.
        case clock
        /// A bid was retracted.
        case retraction
        /// A raised maximum reached the reserve price.
        case maximum
        /// The host gave the round more time.
        case host
    }

    /// The new deadline.
    package let endsAt: Timestamp
    /// The instant of a Dutch price's next drop; nil in the other formats and at the floor.
    package let nextDropAt: Timestamp?
    /// Whole seconds by which the deadline moved, rounded up; not negative.
    package let extendedBySeconds: Int
    /// Published to clients with the new deadline.
    package let cause: Cause

    package init(endsAt: Timestamp, nextDropAt: Timestamp? = nil, extendedBySeconds: Int, cause: Cause) {
        self.endsAt = endsAt
        self.nextDropAt = nextDropAt
        self.extendedBySeconds = extendedBySeconds
        self.cause = cause
    }

    /// - Parameter old: the previous deadline; an `endsAt` before it counts as an extension by 0 seconds.
    package init(from old: Timestamp, to endsAt: Timestamp, nextDropAt: Timestamp? = nil, cause: Cause) {
        let seconds = Int(max(0, endsAt.milliseconds(since: old) + 999) / 1000)
        self.init(endsAt: endsAt, nextDropAt: nextDropAt, extendedBySeconds: seconds, cause: cause)
    }
}

/// The host said that the round is about to end.
package struct WarningGiven: Hashable, Sendable {
    /// One of `AuctionStep.warningLevels`.
    package let level: Int
    /// The host at that time.
    package let by: Person

    package init(level: Int, by: Person) {
        self.level = level
        self.by = by
    }
}

/// The round has another increment from now on.
package struct IncrementChanged: Hashable, Sendable {
    /// Never `asked`.
    package let increment: Increment
    /// The least amount of the next bid now.
    package let nextMinimum: Money
    /// The host at that time.
    package let by: Person

    package init(increment: Increment, nextMinimum: Money, by: Person) {
        self.increment = increment
        self.nextMinimum = nextMinimum
        self.by = by
    }
}

/// The host asked for another next minimum at the present price.
package struct AskChanged: Hashable, Sendable {
    /// Above the price, and at most the buy-now price.
    package let nextMinimum: Money
    /// The host at that time.
    package let by: Person

    package init(nextMinimum: Money, by: Person) {
        self.nextMinimum = nextMinimum
        self.by = by
    }
}

/// The host configured a permission rule in this room; a nil field is unchanged.
package struct PermissionChange: Hashable, Sendable {
    /// Id of the rule, such as `bid.not_auctioning`.
    package let rule: String
    /// Whether the rule applies from now on; nil: unchanged.
    package let isEnabled: Bool?
    /// The rule's new priority, within `ConfigureRule.priorityRange`; nil: unchanged.
    package let priority: Int?
    /// The host at that time.
    package let by: Person

    package init(rule: String, isEnabled: Bool?, priority: Int?, by: Person) {
        self.rule = rule
        self.isEnabled = isEnabled
        self.priority = priority
        self.by = by
    }
}

/// A chat message of a member.
package struct Message: Hashable, Sendable {
    /// Identifier of the message; a removal names it.
    package let id: MessageID
    /// The member, with their nickname at that time.
    package let author: Person
    /// 1 to `textLimit` Unicode scalars, not blank.
    package let text: String

    /// Longest text, in Unicode scalars.
    package static let textLimit = 500

    package init(id: MessageID, author: Person, text: String) {
        self.id = id
        self.author = author
        self.text = text
    }
}
