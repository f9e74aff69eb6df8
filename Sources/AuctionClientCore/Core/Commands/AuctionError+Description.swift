// What became of a bid, and what went wrong with a request, as an English sentence, for logs and developers.

extension BidOutcome: CustomStringConvertible {
    /// For logs; what the service says is in the client's language.
    public var description: String {
        switch self {
        case .leading(let placed): "leading with \(placed.bid.amount?.description(total: placed.bid.total) ?? "the bid")"
        case .outbid(let placed): "outbid: the price is \(placed.currentPrice?.description(total: placed.total) ?? "higher")"
        case .sealed: "placed; amounts are sealed until the close"
        case .refused(let refusal): "refused: \(refusal.refusal.detail)"
        case .notSent(_, let failure): "not sent: \(failure)"
        case .unknown(_, let failure): "whether the bid was placed is not known: \(failure)"
        }
    }
}

extension AuctionError: CustomStringConvertible {
    /// For logs; what the service says is in the client's language.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.problem.description
        case .failed(let failure): failure.description
        case .unknown(_, let failure): "whether it was carried out is not known: \(failure)"
        }
    }
}

extension Problem: CustomStringConvertible {
    /// For logs: the text for people, the code, and the id to quote to the operators.
    public var description: String {
        let facts = [isFromService ? code.rawValue : "\(status)", requestId.map { "request \($0)" }].compactMap(\.self)
        return "\(detail) (\(facts.joined(separator: ", ")))"
    }
}

extension ExchangeFailure: CustomStringConvertible {
    /// A short text in English, for logs.
    public var description: String {
        switch self {
        case .network(let error): error.description
        case .timeout: "no response in time"
        case .service(let problem): problem.description
        case .unexpectedResponse(let status): "the response (\(status)) is not the service's"
        case .unreadable(let member):
            member.isEmpty ? "the response cannot be read" : "\(member) of the response cannot be read"
        case .token(let text): "no token: \(text)"
        case .signedOut: "there is no token: the user has to sign in"
        case .cancelled: "cancelled"
        case .keyExpired: "the command is too old to be sent again"
        case .roundNotNamed: "the command names no round, and in a later one it would count for another item"
        case .differentUser: "the command is another user's"
        case .differentCurrency(let room): "the room's currency is \(room)"
        case .notABid: "the command is not a bid"
        case .notStored(let text): "the command was not stored, and so not sent: \(text)"
        }
    }
}

extension TransportError: CustomStringConvertible {
    /// A short text in English, for logs.
    public var description: String {
        switch self {
        case .notSent(let text), .interrupted(let text): text
        case .invalidAddress(let text): "\(text) is not the address of a server, such as https://auctions.example"
        case .responseTooLarge(let limit): "the response has more than \(limit) bytes"
        case .tooManyPendingBytes(let limit): "more than \(limit) bytes of the stream waited to be read"
        case .cancelled: "cancelled"
        }
    }
}

extension MoneyError: CustomStringConvertible {
    /// A short text in English, for logs.
    public var description: String {
        switch self {
        case .malformed(let text): "\(text) is not an amount, such as 120 or 120.50"
        case .tooManyFractionDigits(let text, let allowed): "\(text) has more than \(allowed) fraction digits"
        case .tooLarge: "the amount is too large"
        case .differentCurrencies(let one, let other): "\(one) is not \(other)"
        }
    }
}

extension SignedOut: CustomStringConvertible {
    /// A short text in English, for logs.
    public var description: String { ExchangeFailure.signedOut.description }
}

extension MalformedJSON: CustomStringConvertible {
    /// A short text in English, for logs.
    public var description: String { ExchangeFailure.unreadable(member: member).description }
}
