extension RoomEvent {
    /// What happened. Later versions of the library know more types, so switch with a `default`.
    public enum Body: Hashable, Sendable {
        /// The room exists; always the first event.
        case roomOpened(name: String, host: Person, visibility: Visibility)
        /// The room is archived, and following it ends. Only `memberLinked` and `memberErased` may come later.
        case roomArchived(by: Person)
        /// A user joined.
        case memberJoined(Person, Role)
        /// A member left.
        case memberLeft(Person)
        /// A member has another role; `by` is nil if the service chose the successor of an absent host.
        case memberRoleChanged(Person, from: Role, to: Role, by: Person?)
        /// The host removed a member.
        case memberKicked(Person, by: Person)
        /// The host banned a member, or lifted the ban.
        case memberBanned(Person, isBanned: Bool, by: Person)
        /// The host muted a member, or lifted that.
        case memberMuted(Person, isMuted: Bool, by: Person)
        /// The host set or removed a credit limit.
        case creditLimitChanged(Person, by: Person)
        /// A guest turned out to be a user of the identity provider: what the guest had in the room is that user's now. `role` is the
        /// user's; nil if neither is a member.
        case memberLinked(from: Person, to: Person, role: Role?)
        /// A user has left the service for good; from now on they have this nickname, also in earlier events.
        case memberErased(Person)
        /// The host is absent and has no successor.
        case hostGone(Person)
        /// The host is back.
        case hostReturned(Person)
        /// The round has this item.
        case itemUploaded(Item, AuctionRules)
        /// The item has these rules now.
        case rulesAdjusted(AuctionRules, by: Person)
        /// The host configured a permission rule.
        case permissionChanged(rule: String, by: Person)
        /// The room is in another state.
        case stateChanged(StateChange)
        /// A countdown started.
        case countdownStarted(endsAt: ServerTime, nextDropAt: ServerTime?)
        /// The deadline of the running countdown changed.
        case countdownMoved(endsAt: ServerTime, cause: String, nextDropAt: ServerTime?)
        /// The host said "going once" (level 1) or "going twice" (2).
        case warningGiven(level: Int, by: Person)
        /// The price rises by another increment for the rest of the round; nil for one that this version of the library does not know.
        case incrementChanged(Increment?, nextMinimum: Money, by: Person)
        /// The host asks for another next minimum at the present price.
        case askChanged(nextMinimum: Money, by: Person)
        /// A draw will decide among equal sealed bids; the hash binds the service to its seed.
        case drawCommitted(seedHash: String)
        /// The seed of the draw.
        case drawRevealed(seed: String)
        /// A bid was accepted.
        case bidPlaced(PlacedBid)
        /// The leader raised their maximum.
        case maximumRaised(bidId: String, bidder: Person)
        /// The host retracted a bid.
        case bidRetracted(RetractedBid)
        /// After a retraction this bidder leads without their maximum.
        case maximumVoided(bidId: String, bidder: Person)
        /// A Dutch price dropped; nextDropAt is nil at the floor.
        case priceDropped(Money, nextDropAt: ServerTime?)
        /// The round has a winner.
        case itemSold(winner: Person, price: Money)
        /// The item was not sold: `no_bids`, `reserve_not_met`.
        case itemPassed(reason: String)
        /// The host voided the sale of a round.
        case itemVoided(round: Int, item: String, RoundOutcome.VoidedSale)
        /// The item of a voided sale is offered to the next bidder, or stands for longer.
        case offerMade(offerId: String, round: Int, to: Person, price: Money, expiresAt: ServerTime)
        /// The next bidder buys the item.
        case offerAccepted(offerId: String, round: Int, winner: Person, price: Money)
        /// The next bidder does not buy the item.
        case offerDeclined(offerId: String, to: Person)
        /// The next bidder has not answered in time.
        case offerExpired(offerId: String, to: Person)
        /// A member sent a message.
        case messageSent(ChatMessage)
        /// The host removed a message.
        case messageRemoved(messageId: String, by: Person)
        /// A member reported a message to the host, who may list the reports; with how many there are.
        case messageReported(reports: Int)
        /// A user asks the host to be approved as a bidder; who it is, the host reads in the list of applications.
        case applicationMade
        /// The host declined an application; the applicant reads it in `details.me` of the room.
        case applicationDeclined(by: Person)
        /// A message of the room itself, in English and Chinese.
        case systemMessage(key: String, english: String, chinese: String)
        /// A step of the handshake for a seat on the stage, or something about a seat; the event's type says which.
        case stage(StageEvent)
        /// A step in the life of a lot; the event's type says which.
        case lot(LotEvent)
        /// Something about the sale; the event's type says which.
        case sale(SaleEvent)
        /// A type that this version of the library does not know, or one whose members are not as expected; `data` has them.
        case unknown
    }

    /// A change of the room's state.
    public struct StateChange: Hashable, Sendable {
        /// The state before.
        public let from: RoomPhase
        /// The state now.
        public let to: RoomPhase
        /// What caused it: `start`, `end`, `countdown`, `bid`, …
        public let cause: String
        /// Who caused it; nil: the clock.
        public let by: Person?
        /// The reason that was given with the command, if any.
        public let reason: String?
    }

    /// An accepted bid.
    public struct PlacedBid: Hashable, Sendable {
        /// Opaque identifier.
        public let bidId: String
        /// Nil while bids are sealed.
        public let amount: Money?
        /// The user who placed it.
        public let bidder: Person
        /// Whether it is the highest; false while bids are sealed.
        public let isLeading: Bool
        /// Whether the service placed it on the bidder's behalf.
        public let isAutomatic: Bool
        /// The least amount of the next bid.
        public let nextMinimum: Money?
        /// The deadline after this bid.
        public let endsAt: ServerTime?
        /// Whether the reserve price is reached.
        public let reserveMet: Bool?
        /// Whether it is a bid from the floor, which then is the bidder.
        public let isOfFloor: Bool
        /// Who entered a bid from the floor; nil for other bids.
        public let enteredBy: Person?
    }

    /// A bid that the host took back.
    public struct RetractedBid: Hashable, Sendable {
        /// The explicit bid.
        public let bidId: String
        /// The user who had placed it.
        public let bidder: Person
        /// Who retracted it.
        public let by: Person
        /// The host's reason.
        public let reason: String
        /// All bids that are gone with it.
        public let removed: [String]
        /// The price now.
        public let price: Money?
        /// Who leads now.
        public let leader: Person?
        /// The least amount of the next bid.
        public let nextMinimum: Money?
        /// Whether the reserve price is reached.
        public let reserveMet: Bool?
    }

    /// A message of a member.
    public struct ChatMessage: Hashable, Sendable {
        /// Opaque identifier.
        public let messageId: String
        /// Who sent it.
        public let author: Person
        /// What the member wrote, as plain text.
        public let text: String
    }

    /// Something about a lot. Which members are there depends on the type of the event.
    public struct LotEvent: Hashable, Sendable {
        /// Identifier of the lot.
        public let lotId: String
        /// What is auctioned, if the lot was queued or changed.
        public let item: Item?
        /// How it is auctioned, if the lot was queued or changed.
        public let rules: AuctionRules?
        /// The seller's own number, if the lot was queued or changed and has one.
        public let reference: String?
        /// The lot's number in the room, if the lot was queued or changed.
        public let number: Int?
        /// The lot that had its turn, and is offered again as this one, which has its reference now, if the lot was queued for that.
        public let offeredBefore: String?
        /// The lot that follows one that was moved; nil: none, it is the last.
        public let before: String?
        /// Who did it; nil: the service, or, of a new lot, its owner.
        public let by: Person?
        /// Why it was withdrawn, if a reason was given.
        public let reason: String?
        /// How many bids were left on it and not taken back, if that has changed; whose they are is secret.
        public let absenteeBids: Int?
    }

    /// Something about the sale. Which members are there depends on the type of the event.
    public struct SaleEvent: Hashable, Sendable {
        /// Who begins the next round, if the sale was configured.
        public let mode: SaleMode?
        /// Seconds from the end of a round to the beginning of the next, if the sale was configured.
        public let pauseSeconds: Int?
        /// What buyers pay beside the hammer price, in per cent, if the sale was configured with a premium.
        public let premiumPercent: String?
        /// Whether it needs its host, if the sale was configured; false otherwise.
        public let isAttended: Bool
        /// When it begins by itself.
        public let startsAt: ServerTime?
        /// Why it stopped, why it begins at another time than before, or why it did not begin: `host`, `cancel`, `hostGone`, `storageFull`,
        /// `outage`, `host_gone`, …
        public let cause: String?
        /// Who did it; nil: the service.
        public let by: Person?
    }
}
