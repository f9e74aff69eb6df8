/// What became of a bid. It is never guessed: without a response that says so, the outcome is `unknown`.
public enum BidOutcome: Hashable, Sendable {
    /// Accepted, and the highest when it was placed.
    case leading(BidPlacement)
    /// Accepted, and beaten at once by a higher maximum.
    case outbid(BidPlacement)
    /// Accepted in a sealed round: how it compares with others is not shown before the close.
    case sealed(BidPlacement)
    /// Refused by the service.
    case refused(BidRefusal)
    /// Certainly not placed: it never reached the service.
    case notSent(PendingCommand, ExchangeFailure)
    /// Whether it was placed is not known. Sending the command again (`AuctionRoom.resendBid(_:)`) finds out, and never places a second
    /// bid.
    case unknown(PendingCommand, ExchangeFailure)
}

/// An accepted bid, and where the room stood then.
public struct BidPlacement: Hashable, Sendable {
    /// The bid as the service recorded it.
    public let bid: Bid
    /// The state of the room after the bid: `closed` if it bought the item.
    public let phase: RoomPhase
    /// The price after the bid.
    public let currentPrice: Money?
    /// That price with the premium of the sale; nil without a price or a premium.
    public let total: Money?
    /// The least amount of the next bid.
    public let nextMinimum: Money?
    /// When the server decided, and until when the countdown runs now.
    public let receipt: Receipt
    /// Whether an earlier attempt had placed it and this response repeats that one's: then all of it is as it was at that time.
    public let isReplay: Bool
}

/// A bid that the service refused.
public struct BidRefusal: Hashable, Sendable {
    /// What every refusal has: the rule, the text for people, what the caller may do now.
    public let refusal: Refusal
    /// For a bid below the minimum: the least amount that would have been accepted.
    public let requiredAmount: Money?
    /// When the bid was received, and the deadline and seq of the room then; nil if the request was refused unread.
    public let receipt: Receipt?
    /// The bid as it was sent, to be sent again where the refusal does not decide about every attempt.
    package let command: PendingCommand
}

/// A bid in the list of bids, or in the response to one.
public struct Bid: Hashable, Sendable, Identifiable {
    /// Opaque identifier.
    public let id: String
    /// Nil where the amount is sealed.
    public let amount: Money?
    /// The amount with the premium of the sale; nil without a premium, and where the amount is sealed.
    public let total: Money?
    /// Up to which the service bids; only in the caller's own bids.
    public let maximum: Money?
    /// The user who placed it.
    public let bidder: Person
    /// Whether it was the highest when it was placed.
    public let wasLeading: Bool
    /// Whether the service placed it on the bidder's behalf.
    public let isAutomatic: Bool
    /// Whether the host or an auctioneer entered it for the floor, which then is the bidder.
    public let isOfFloor: Bool
    /// The paddle that was noted for a floor bid of the current round; nil for all but the host.
    public let paddle: String?
    /// When it was accepted.
    public let at: ServerTime
    /// Its place in the history of the room.
    public let seq: Int64

    init(_ fields: JSONFields, _ currency: Currency) throws(MalformedJSON) {
        id = try fields.string("id")
        amount = try fields.optionalMoney("amount", currency)
        total = fields.total(currency)
        maximum = try fields.optionalMoney("maximum", currency)
        bidder = try fields.person("bidder")
        wasLeading = try fields.bool("leading")
        isAutomatic = try fields.optionalBool("automatic") ?? false
        isOfFloor = try fields.optionalBool("floor") ?? false
        paddle = try fields.optionalString("paddle")
        at = try fields.time("at")
        seq = try fields.integer("seq")
    }
}

extension BidPlacement {
    init(_ json: JSONValue, _ currency: Currency, isReplay: Bool) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        let room = try fields.fields("room")
        bid = try Bid(try fields.fields("bid"), currency)
        phase = try room.name("state")
        currentPrice = try room.optionalMoney("currentPrice", currency)
        total = room.total(currency)
        nextMinimum = try room.optionalMoney("nextMinimum", currency)
        guard let receipt = Receipt(json: try fields.value("receipt")) else { throw MalformedJSON(member: "receipt") }
        self.receipt = receipt
        self.isReplay = isReplay
    }
}

extension BidOutcome {
    /// The outcome that the end of an exchange shows, and nothing beyond it.
    /// - Parameter currency: of the amounts in the response, which does not name it.
    init(_ result: ExchangeResult, of command: PendingCommand, in currency: Currency) {
        switch result {
        case .done(let response, let isReplay):
            do {
                let placement = try BidPlacement(try JSONParser.parse(response.body), currency, isReplay: isReplay)
                // While bids are sealed no price is shown, not even after a bid.
                self =
                    placement.bid.wasLeading
                    ? .leading(placement) : placement.currentPrice == nil ? .sealed(placement) : .outbid(placement)
            } catch {
                self = .unknown(command, .unreadable(member: (error as? MalformedJSON)?.member ?? ""))
            }
        case .refused(let refusal):
            let required = refusal.code == .bidBelowMinimum ? refusal.required : nil
            self = .refused(
                BidRefusal(
                    refusal: refusal, requiredAmount: required.flatMap { Money(wire: $0, currency: currency) },
                    receipt: refusal.problem.receipt, command: command))
        case .failed(let failure, mayHaveBeenCarriedOut: true): self = .unknown(command, failure)
        case .failed(let failure, mayHaveBeenCarriedOut: false): self = .notSent(command, failure)
        }
    }
}
