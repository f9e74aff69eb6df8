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
