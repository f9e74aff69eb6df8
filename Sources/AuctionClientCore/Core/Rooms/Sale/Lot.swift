/// An item that waits for its turn in a room, or has had it.
public struct Lot: Hashable, Sendable, Identifiable {
    /// Opaque identifier.
    public let id: String
    /// Its number in the room, by the order of queueing; it never changes. To be shown where there is no `reference`. Nil from a service
    /// that numbers no lots.
    public let number: Int?
    /// Its place among all lots of the room, from 1.
    public let position: Int
    /// The seller's own number, unique in the room; nil if it has none.
    public let reference: String?
    /// Where it stands.
    public let state: LotState
    /// The round in which it is or was auctioned; nil before its turn.
    public let round: Int?
    /// What is auctioned.
    public let item: Item
    /// The rules that it is auctioned by.
    public let rules: AuctionRules
    /// How its round ended; nil before.
    public let outcome: RoundOutcome?
    /// What the buyer pays beside the price; nil without a premium or a buyer.
    public let premium: Money?
    /// Price and premium; nil without a buyer.
    public let total: Money?
    /// The lot that had its turn, and is offered again as this one; nil if it is offered for the first time.
    public let offeredBefore: String?
    /// The lot as which this one is offered again; nil if it is not.
    public let offeredAgain: String?
    /// How many bids were left on it and not taken back, also those that are void or used.
    public let absenteeBids: Int
    /// The bid that the caller has left on it; nil for none.
    public let ownBid: AbsenteeBid?

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        id = try fields.string("id")
        number = try fields.optionalInteger("number").flatMap(Int.init(exactly:))
        position = try fields.count("position")
        reference = try fields.optionalString("reference")
        state = try fields.name("state")
        round = try fields.optionalInteger("round").flatMap(Int.init(exactly:))
        item = try Item(try fields.fields("item"), currency)
        rules = try AuctionRules(try fields.fields("rules"), currency)
        let result = try fields.optionalFields("result")
        outcome = if let result { try RoundOutcome(result, round: round ?? 0, currency) } else { nil }
        premium = try result?.optionalMoney("premium", currency)
        total = try result?.optionalMoney("total", currency)
        offeredBefore = try fields.optionalString("offeredBefore")
        offeredAgain = try fields.optionalString("offeredAgain")
        absenteeBids = try fields.optionalInteger("absenteeBids").flatMap(Int.init(exactly:)) ?? 0
        let own = try fields.optionalFields("myBid")
        ownBid = if let own { try AbsenteeBid(own, currency) } else { nil }
    }
}

/// Where a lot stands.
public struct LotState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It waits for its turn.
    public static let queued: Self = "queued"
    /// It is the item of the round.
    public static let current: Self = "current"
    /// It has a buyer.
    public static let sold: Self = "sold"
    /// It was not sold.
    public static let passed: Self = "passed"
    /// It will not be auctioned.
    public static let withdrawn: Self = "withdrawn"
    /// It was sold, and the sale was voided.
    public static let voided: Self = "voided"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [queued, current, sold, passed, withdrawn, voided]
}

/// A lot to queue: an item with the seller's own number.
public struct NewLot: Hashable, Sendable {
    /// What is auctioned, and how.
    public var item: NewItem
    /// One line, at most 64 characters, unique in the room; nil for none.
    public var reference: String?

    /// A lot from its item.
    public init(_ item: NewItem, reference: String? = nil) {
        self.item = item
        self.reference = reference
    }

    var json: JSONValue {
        guard let reference, case .object(var members) = item.json else { return item.json }
        members["reference"] = .string(reference)
        return .object(members)
    }
}

/// What changes about a queued lot; nil leaves it as it is.
public struct LotChanges: Hashable, Sendable {
    /// One line, at most 200 characters.
    public var name: String?
    /// At most 5,000 characters.
    public var description: String?
    /// Addresses of pictures, at most 20: `https` ones, and the `url` of pictures that were uploaded.
    public var media: [String]?
    /// The price that is expected; `.some(nil)` removes it.
    public var estimate: Estimate??
    /// The state that it is in, one line of at most 200 characters; `.some(nil)` removes it.
    public var condition: String??
    /// How it is to be auctioned.
    public var rules: NewRules?
    /// The seller's own number; `.some(nil)` removes it.
    public var reference: String??
    /// The id of the lot that is to follow it; `.some(nil)` makes it the last.
    public var before: String??

    /// Nothing yet.
    public init() {}

    /// All amounts in it.
    var amounts: [Money] { (rules?.amounts ?? []) + (estimate.flatMap { $0?.amounts } ?? []) }

    var json: JSONValue {
        var members: [String: JSONValue] = [:]
        if let name { members["name"] = .string(name) }
        if let description { members["description"] = .string(description) }
        if let media { members["media"] = .array(media.map { .string($0) }) }
        if let estimate { members["estimate"] = estimate?.json ?? .null }
        if let condition { members["condition"] = condition.map { .string($0) } ?? .null }
        if let rules { members["rules"] = rules.json }
        if let reference { members["reference"] = reference.map { .string($0) } ?? .null }
        if let before { members["before"] = before.map { .string($0) } ?? .null }
        return .object(members)
    }
}

/// What an import did.
public struct ImportedLots: Hashable, Sendable {
    /// The lots of all rows, in the order of the file.
    public let lots: [ImportedLot]
    /// The headings of the columns that mean nothing to an import.
    public let ignoredColumns: [String]

    init(_ fields: JSONFields) throws(MalformedJSON) {
        lots = try fields.objects("lots") { (fields) throws(MalformedJSON) in try ImportedLot(fields) }
        ignoredColumns = fields.strings("ignoredColumns")
    }
}

/// A lot that an import queued, changed or found as it is.
public struct ImportedLot: Hashable, Sendable {
    /// The line of the file at which its row begins, from 1.
    public let line: Int
    /// The lot's identifier.
    public let id: String
    /// The seller's own number; nil if it has none.
    public let reference: String?
    /// What the import did with it.
    public let outcome: ImportOutcome

    init(_ fields: JSONFields) throws(MalformedJSON) {
        line = try fields.count("line")
        id = try fields.string("id")
        reference = try fields.optionalString("reference")
        outcome = try fields.name("outcome")
    }
}

/// What an import did with a row.
public struct ImportOutcome: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Its lot was queued.
    public static let added: Self = "added"
    /// It changed its lot.
    public static let changed: Self = "changed"
    /// Its lot has these values, and waits for its turn or has it.
    public static let unchanged: Self = "unchanged"
    /// Its lot has these values, and was sold before.
    public static let sold: Self = "sold"
    /// Its lot has these values, and was passed before.
    public static let passed: Self = "passed"
    /// Its lot has these values, and was withdrawn before.
    public static let withdrawn: Self = "withdrawn"
    /// Its lot has these values, and its sale was voided before.
    public static let voided: Self = "voided"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [added, changed, unchanged, sold, passed, withdrawn, voided]
}

/// Why a row of a file was refused.
public struct RowProblem: Hashable, Sendable {
    /// The line of the file at which the row begins, from 1.
    public let line: Int
    /// The column at fault; nil for the row as a whole.
    public let field: String?
    /// For programs.
    public let code: ProblemCode
    /// For people, in the language that the client asked for.
    public let detail: String

    init?(json: JSONValue) {
        guard let line = json["line"]?.integer.flatMap(Int.init(exactly:)), let detail = json["detail"]?.string
        else { return nil }
        self.line = line
        self.detail = detail
        field = json["field"]?.string
        code = ProblemCode(rawValue: json["code"]?.string ?? "")
    }
}
