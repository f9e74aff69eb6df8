/// The state of a room.
public struct RoomPhase: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An item is uploaded, the host has not started.
    public static let preparing: Self = "preparing"
    /// The item is shown; bidding opens when the countdown expires.
    public static let listing: Self = "listing"
    /// Bids are accepted.
    public static let auctioning: Self = "auctioning"
    /// Past the deadline; the result is not recorded yet.
    public static let closing: Self = "closing"
    /// The host has stopped the countdown.
    public static let paused: Self = "paused"
    /// The round is over.
    public static let closed: Self = "closed"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [preparing, listing, auctioning, closing, paused, closed]
}

/// The role of a member in a room.
public struct Role: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Leads the room.
    public static let host: Self = "host"
    /// Uploads items.
    public static let auctioneer: Self = "auctioneer"
    /// Bids.
    public static let bidder: Self = "bidder"
    /// Watches.
    public static let viewer: Self = "viewer"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [host, auctioneer, bidder, viewer]
}

/// Whether a room is visible to everyone or to its members only.
public struct Visibility: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Everyone sees it.
    public static let everyone: Self = "public"
    /// Its members see it.
    public static let membersOnly: Self = "private"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [everyone, membersOnly]
}

/// An action that the permission center decides about.
public struct RoomAction: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Upload an item.
    public static let uploadItem: Self = "uploadItem"
    /// Change the rules of the item.
    public static let adjustRules: Self = "adjustRules"
    /// Start the auction, or open the bidding early.
    public static let startAuction: Self = "startAuction"
    /// Bid.
    public static let placeBid: Self = "placeBid"
    /// Remove the latest bid.
    public static let retractBid: Self = "retractBid"
    /// End the auction.
    public static let endAuction: Self = "endAuction"
    /// Stop the countdown.
    public static let pause: Self = "pause"
    /// Let the countdown run on.
    public static let resume: Self = "resume"
    /// Take the item back.
    public static let cancel: Self = "cancel"
    /// Give a role.
    public static let setRole: Self = "setRole"
    /// Remove a member.
    public static let kick: Self = "kick"
    /// Ban a member.
    public static let ban: Self = "ban"
    /// Mute a member.
    public static let mute: Self = "mute"
    /// Limit what a member may owe.
    public static let setCreditLimit: Self = "setCreditLimit"
    /// Send a message.
    public static let sendMessage: Self = "sendMessage"
    /// Remove a message.
    public static let removeMessage: Self = "removeMessage"
    /// Change a permission rule.
    public static let configurePermissions: Self = "configurePermissions"
    /// Ask for a seat on the stage.
    public static let requestStage: Self = "requestStage"
    /// Invite to the stage and manage its seats.
    public static let manageStage: Self = "manageStage"
    /// Archive the room.
    public static let archiveRoom: Self = "archiveRoom"
    /// Queue a lot.
    public static let queueLot: Self = "queueLot"
    /// Change or move a lot.
    public static let changeLot: Self = "changeLot"
    /// Take a lot out of the queue.
    public static let withdrawLot: Self = "withdrawLot"
    /// Configure, start and stop the sale.
    public static let runSale: Self = "runSale"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [
        uploadItem, adjustRules, startAuction, placeBid, retractBid, endAuction, pause, resume, cancel, setRole, kick, ban,
        mute,
        setCreditLimit, sendMessage, removeMessage, configurePermissions, requestStage, manageStage, archiveRoom,
        queueLot, changeLot, withdrawLot, runSale,
    ]
}

/// What a permission rule is about.
public struct RuleCategory: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Who the caller is.
    public static let identity: Self = "identity"
    /// The caller's role.
    public static let role: Self = "role"
    /// The state of the room.
    public static let state: Self = "state"
    /// The amount of a bid.
    public static let amount: Self = "amount"
    /// The rate of actions.
    public static let limit: Self = "limit"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [identity, role, state, amount, limit]
}

/// The format of an auction.
public struct AuctionFormat: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Open and ascending, with proxy bids.
    public static let english: Self = "english"
    /// The price drops until a bidder accepts it.
    public static let dutch: Self = "dutch"
    /// Sealed bids; the winner pays their own amount.
    public static let sealedFirstPrice: Self = "sealedFirstPrice"
    /// Sealed bids; the winner pays the second highest amount.
    public static let vickrey: Self = "vickrey"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [english, dutch, sealedFirstPrice, vickrey]

    /// Whether amounts stay hidden until the close.
    public var isSealed: Bool { self == .sealedFirstPrice || self == .vickrey }
}

/// How the deadline moves with bids.
public struct CountdownMode: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Every bid restarts the countdown.
    public static let reset: Self = "reset"
    /// A late bid extends it.
    public static let extend: Self = "extend"
    /// It never moves.
    public static let fixed: Self = "fixed"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [reset, extend, fixed]
}

/// Who wins among equal sealed bids.
public struct TieBreak: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The earliest of them.
    public static let earliest: Self = "earliest"
    /// A draw decides, whose seed is bound before the bids.
    public static let draw: Self = "draw"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [earliest, draw]
}
