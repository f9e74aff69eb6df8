/// Why a request did not do what was asked.
public enum AuctionError: Error, Hashable, Sendable {
    /// The service refused.
    case refused(Refusal)
    /// A read failed, or a command was certainly not carried out.
    case failed(ExchangeFailure)
    /// Whether the command was carried out is not known. Sending it again (`AuctionClient.resend(_:)`) finds out.
    case unknown(PendingCommand, ExchangeFailure)

    /// The problem that the service described, if it did.
    public var problem: Problem? {
        switch self {
        case .refused(let refusal): refusal.problem
        case .failed(.service(let problem)), .unknown(_, .service(let problem)): problem
        default: nil
        }
    }

    /// Why it could not be done; for a refusal, what the service says.
    package var failure: ExchangeFailure {
        switch self {
        case .refused(let refusal): .service(refusal.problem)
        case .failed(let failure), .unknown(_, let failure): failure
        }
    }

    /// To quote to the operators of the service; nil if no response arrived.
    public var requestId: String? { problem?.requestId }
}

/// A refusal by the service.
public struct Refusal: Hashable, Sendable {
    /// What the service says: the code, the rule of the permission center, and more.
    public let problem: Problem
    /// An earlier attempt of the same command was never answered. Had it arrived before this refusal, the service would have repeated its
    /// response (with 403, 409 and 422); should it still be on its way, the service may yet carry it out, and the room shows it then.
    public let mayStillBeCarriedOut: Bool

    /// Whether it decides about every attempt, so that sending the command again would find out nothing more.
    package var isSettled: Bool { !mayStillBeCarriedOut || problem.decidesEarlierAttempts }

    /// The rule or the reason, for programs.
    public var code: ProblemCode { problem.code }
    /// For people, in the client's language.
    public var detail: String { problem.detail }
    /// What would have been right, as the service writes it.
    public var required: String? { problem.permission?.required }
    /// What was found, as the service writes it.
    public var actual: String? { problem.permission?.actual }
    /// What the caller may do now; nil if the permission center did not decide.
    public var allowedActions: [RoomAction]? { problem.permission?.allowedActions }
}

/// Why there is no response of the service to a request.
public enum ExchangeFailure: Hashable, Sendable {
    /// The network failed.
    case network(TransportError)
    /// The time that the client's settings allow is over.
    case timeout
    /// The service failed, and did so until the time was over.
    case service(Problem)
    /// A response that is not the service's, such as the page of a network's sign-in.
    case unexpectedResponse(status: Int)
    /// A success that this version of the library cannot read, or that is not the service's; the member at fault.
    case unreadable(member: String)
    /// The token provider failed; what it said.
    case token(String)
    /// The token provider has no token and says that it will not have one.
    case signedOut
    /// The caller's task was cancelled.
    case cancelled
    /// The command is older than `PendingCommand.lifetime`, so the service may have forgotten its key: it was not sent again.
    case keyExpired
    /// The bid, or the host's order (`Expectation`), names no round, and in a later one it would count for another item: it was not sent
    /// again. `AuctionRoom.bids(round:)` and `AuctionClient.myBids(pageSize:)` show whether a bid was placed.
    case roundNotNamed
    /// The command, or the first attempt of the request, was another user's: it was not sent again.
    case differentUser
    /// The amount is in another currency than the room's: it was not sent.
    case differentCurrency(room: Currency)
    /// The command that was to be sent again as a bid is another one: it was not sent.
    case notABid
    /// The command could not be stored before it was sent; what the store said.
    case notStored(String)
}
