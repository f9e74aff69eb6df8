/// How the lots of a room are sold.
public struct Sale: Hashable, Sendable {
    /// Who begins the next round.
    public internal(set) var mode: SaleMode
    /// Seconds from the end of a round to the beginning of the next, in an automatic sale.
    public internal(set) var pauseSeconds: Int
    /// When the sale begins by itself; nil if it does not.
    public internal(set) var startsAt: ServerTime?
    /// What buyers pay beside the hammer price, in per cent, such as `12.5`; nil for nothing.
    public internal(set) var premiumPercent: String?
    /// Whether it needs its host: without one an automatic sale neither begins nor goes on by itself.
    public internal(set) var isAttended: Bool
    /// Whether the next lot follows by itself.
    public internal(set) var isRunning: Bool
    /// Whether it did not begin at its time because its host was absent; the host begins it.
    public internal(set) var isPostponed: Bool
    /// Between two lots, when the next one is listed.
    public internal(set) var nextLotAt: ServerTime?
    /// How many lots the room has, in all states.
    public internal(set) var lotCount: Int
    /// How many of them wait.
    public internal(set) var queuedCount: Int
}

extension Sale {
    init(_ json: JSONValue) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        mode = try fields.name("mode")
        pauseSeconds = try fields.count("pauseSeconds")
        startsAt = try fields.optionalTime("startsAt")
        premiumPercent = try fields.optionalFields("premium")?.string("percent")
        isAttended = try fields.optionalBool("attended") ?? false
        isRunning = try fields.bool("running")
        isPostponed = try fields.optionalBool("postponed") ?? false
        nextLotAt = try fields.optionalTime("nextLotAt")
        lotCount = try fields.count("lots")
        queuedCount = try fields.count("queued")
    }
}

/// Who begins the next round.
public struct SaleMode: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The host begins every round.
    public static let manual: Self = "manual"
    /// The clock begins them, while the sale runs.
    public static let automatic: Self = "automatic"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [manual, automatic]
}

/// How the lots of a room are to be sold.
public struct NewSale: Hashable, Sendable {
    /// Who begins the next round.
    public var mode: SaleMode
    /// 0 to 3,600; 10 by default.
    public var pauseSeconds: Int?
    /// When an automatic sale begins by itself, within a year; nil: when the host begins it.
    public var startsAt: ServerTime?
    /// 0 to 100 with at most two decimals, such as `12.5`; nil for nothing.
    public var premiumPercent: String?
    /// Whether the sale needs its host: without one it neither begins nor goes on by itself. Of an automatic sale.
    public var isAttended = false

    /// A sale without a premium, which needs no host.
    public init(mode: SaleMode) { self.mode = mode }

    var json: JSONValue {
        var members: [String: JSONValue] = ["mode": .string(mode.rawValue)]
        if let pauseSeconds { members["pauseSeconds"] = .number(String(pauseSeconds)) }
        if let startsAt { members["startsAt"] = .string(startsAt.rfc3339) }
        if isAttended { members["attended"] = .bool(true) }
        if let premiumPercent { members["premium"] = ["percent": .string(premiumPercent)] }
        return .object(members)
    }
}
