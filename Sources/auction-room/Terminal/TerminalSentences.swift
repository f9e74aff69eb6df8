internal import AuctionClientCore

// What went wrong, as sentences for the user of the terminal.

extension TransportError {
    /// A sentence for the user.
    var sentence: String {
        switch self {
        case .notSent(let text), .interrupted(let text): text.printable
        case .responseTooLarge(let limit): "the response has more than \(limit) bytes"
        case .tooManyPendingBytes: "more arrived than could be read"
        case .cancelled: "cancelled"
        }
    }
}

extension WaitReason {
    /// A sentence for the user.
    var sentence: String {
        switch self {
        case .network(let error): error.sentence
        case .timeout: "no response in time"
        case .stalled: "the connection was silent for too long"
        case .ended: "the server ended the stream"
        case .service(let problem): problem.detail.printable
        case .unexpectedResponse(let status, _): "the response (\(status)) is not the service's"
        case .gap, .unreadable: "an event could not be read"
        case .serviceIsBehind: "the server does not have the latest events yet"
        case .token(let text): text.printable
        }
    }
}

extension ConnectionState {
    /// A few words for the user.
    var sentence: String {
        switch self {
        case .idle, .connecting: "connecting"
        case .live: "live"
        case .waiting(let reason, _): "not connected: \(reason.sentence); trying again"
        case .waitingForReader: "catching up"
        case .paused: "paused"
        case .stopped(let reason): reason.sentence
        }
    }
}

extension StopReason {
    /// A sentence for the user.
    var sentence: String {
        switch self {
        case .requested: "stopped"
        case .archived: "the room is archived"
        case .unauthorized(let problem), .forbidden(let problem), .notFound(let problem), .refused(let problem):
            problem.detail.printable
        case .unreadableEvent(let seq): "event \(seq) cannot be read"
        case .signedOut: "there is no token"
        case .historyReplaced(let seen): "the server has fewer than the \(seen) events seen so far: its data were replaced"
        }
    }
}

extension ExchangeFailure {
    /// A sentence for the user.
    var sentence: String {
        switch self {
        case .network(let error): error.sentence
        case .timeout: "no response in time"
        case .service(let problem): problem.detail.printable
        case .unexpectedResponse(let status): "the response (\(status)) is not the service's"
        case .unreadable(let member): "the response cannot be read (\(member))".printable
        case .token(let text), .notStored(let text): text.printable
        case .signedOut: "there is no token"
        case .cancelled: "cancelled"
        case .keyExpired: "the command is too old to be sent again"
        case .differentUser: "the command is another user's"
        case .differentCurrency(let room): "the room's currency is \(room)"
        case .notABid: "the command is not a bid"
        }
    }
}

extension AuctionError {
    /// A sentence for the user.
    var sentence: String {
        switch self {
        case .refused(let refusal): refusal.detail.printable
        case .failed(let failure): failure.sentence
        case .unknown(_, let failure): "whether it was carried out is not known: \(failure.sentence)"
        }
    }
}

extension MoneyError {
    /// A sentence for the user.
    var sentence: String {
        switch self {
        case .malformed(let text): "\(text) is no amount, such as 120 or 120.50".printable
        case .tooManyFractionDigits(let text, let allowed): "\(text) has more than \(allowed) fraction digits".printable
        case .tooLarge: "the amount is too large"
        case .differentCurrencies(let one, let other): "\(one.code) is not \(other.code)"
        }
    }
}
