/// A bid that the caller has left on a lot before its turn. Only they see it.
public struct AbsenteeBid: Hashable, Sendable, Identifiable {
    /// Opaque identifier; the bid that it places at the opening has the same.
    public let id: String
    /// The most that it may cost.
    public let maximum: Money
    /// When it was left with this maximum.
    public let placedAt: ServerTime
    /// What has become of it.
    public let state: AbsenteeBidState
    /// Why it is void: `left`, `kicked`, `banned`, `lotWithdrawn`, `formatChanged`, …; nil if it is not.
    public let cause: String?
    /// Why it would not act, or not as far, if the lot opened as it is now; nil for no reason.
    public let problem: ProblemCode?

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        id = try fields.string("bidId")
        maximum = try fields.money("maximum", currency)
        placedAt = try fields.time("placedAt")
        state = try fields.name("state")
        cause = try fields.optionalString("cause")
        problem = try fields.optionalString("problem").map(ProblemCode.init(rawValue:))
    }
}

/// What has become of a bid that was left on a lot.
public struct AbsenteeBidState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It waits for the opening of its lot.
    public static let standing: Self = "standing"
    /// It does not act any more.
    public static let void: Self = "void"
    /// It leads the running round.
    public static let leading: Self = "leading"
    /// Another bid leads the running round.
    public static let outbid: Self = "outbid"
    /// It is a sealed bid of the running round.
    public static let sealed: Self = "sealed"
    /// The caller bought the lot.
    public static let won: Self = "won"
    /// Another bidder bought the lot.
    public static let lost: Self = "lost"
    /// The lot was not sold.
    public static let passed: Self = "passed"
    /// An opening used it up without effect, or its round was cancelled.
    public static let unused: Self = "unused"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [standing, void, leading, outbid, sealed, won, lost, passed, unused]
}
