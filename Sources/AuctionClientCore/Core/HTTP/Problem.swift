/// A refusal or an error of the service, as RFC 9457 describes it.
public struct Problem: Error, Hashable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// Whether the service itself responded, not a proxy or a firewall before it.
    public let isFromService: Bool
    /// For programs: `bid.below_minimum`. Empty, or of another vocabulary, if an intermediary responded.
    public let code: ProblemCode
    /// For people, in the language that the client asked for.
    public let detail: String
    /// The kind in one line.
    public let title: String
    /// The member, the parameter or the header at fault; nil if none in particular.
    public let field: String?
    /// Which rule of the permission center denied, if one did.
    public let permission: Denial?
    /// To quote to the operators of the service, whose log has it.
    public let requestId: String?
    /// How long to wait before asking again; nil if the service did not name it.
    public let retryAfter: Duration?
    /// When a refused bid was received, and the deadline and seq of the room then; nil for everything else.
    public let receipt: Receipt?
    /// The wrong rows of a file that was to be imported, in the order of their lines; empty for everything else.
    public let rows: [RowProblem]
}

/// Why a request was refused, or what failed: of a permission rule its id. Here are those that apps decide by.
public struct ProblemCode: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The bid is below the next minimum; `required` is that minimum.
    public static let bidBelowMinimum: Self = "bid.below_minimum"
    /// A maximum alone where the next bid buys; `required` is the amount that buys.
    public static let bidNamesNoPrice: Self = "bid.names_no_price"
    /// Bids are accepted only while the auction runs.
    public static let bidNotAuctioning: Self = "bid.not_auctioning"
    /// The bid names another round.
    public static let bidWrongRound: Self = "bid.wrong_round"
    /// The bid names another item than the one that is up.
    public static let bidWrongItem: Self = "bid.wrong_item"
    /// The caller leads already.
    public static let bidAlreadyLeading: Self = "bid.already_leading"
    /// The bid exceeds the caller's credit limit.
    public static let bidOverCredit: Self = "bid.over_credit"
    /// The caller is not a member.
    public static let bidNotMember: Self = "bid.not_member"
    /// The caller is a viewer.
    public static let bidViewer: Self = "bid.viewer"
    /// The caller has left no bid on the lot.
    public static let absenteeNotFound: Self = "absentee.not_found"
    /// The lot does not wait for its turn.
    public static let absenteeNotQueued: Self = "absentee.not_queued"
    /// The maximum is below the starting price.
    public static let absenteeBelowStart: Self = "absentee.below_start"
    /// The caller's bids wait on as many lots of the room as they may.
    public static let absenteeTooMany: Self = "absentee.too_many"
    /// The bid that was left waits no more: its lot was opened, or is over.
    public static let absenteeUsed: Self = "absentee.used"
    /// There is no such room, or the caller may not see it.
    public static let roomNotFound: Self = "room.not_found"
    /// The token has expired.
    public static let tokenExpired: Self = "token.expired"
    /// The operation needs a token.
    public static let tokenMissing: Self = "token.missing"
    /// Whether the command was carried out is not known.
    public static let outcomeUnknown: Self = "service.outcome_unknown"
    /// The command was not carried out; nothing was changed.
    public static let internalError: Self = "service.internal_error"
    /// The room is in another state or round, or has another item, than the request expects.
    public static let stateChanged: Self = "auction.state_changed"
    /// The key was used with another body.
    public static let keyReused: Self = "idempotency.key_reused"
    /// Rows of the file are wrong, and nothing was imported; see `Problem.rows`.
    public static let importBadRows: Self = "import.bad_rows"
    /// The codes that have a name here; the service has many more, all listed in its contract.
    public static let known: Set<Self> = [
        bidBelowMinimum, bidNotAuctioning, bidWrongRound, bidAlreadyLeading, bidOverCredit, bidNotMember, bidViewer,
        absenteeNotFound, absenteeNotQueued, absenteeBelowStart, absenteeTooMany, absenteeUsed, roomNotFound,
        tokenExpired, tokenMissing, outcomeUnknown, internalError, stateChanged, keyReused, importBadRows,
    ]
}

/// Why the permission center refused.
public struct Denial: Hashable, Sendable {
    /// What was to be done.
    public let action: RoomAction
    /// The rule that denied.
    public let rule: String
    /// What the rule is about.
    public let category: RuleCategory
    /// What would have been right; nil if nothing the caller can do makes it right.
    public let required: String?
    /// What was found.
    public let actual: String?
    /// What the caller may do now.
    public let allowedActions: [RoomAction]
}

/// When the service received and decided a bid, and the deadline and seq of the room then.
public struct Receipt: Hashable, Sendable {
    /// When the bid reached the server.
    public let receivedAt: ServerTime
    /// When the server responded.
    public let serverTime: ServerTime
    /// When the running countdown expires; nil where none runs.
    public let endsAt: ServerTime?
    /// The seq of the room; nil where there is none that the caller may know.
    public let seq: Int64?
}
