/// How an `Exchange` ended.
enum ExchangeResult: Hashable, Sendable {
    case done(HTTPResponse, isReplay: Bool)
    case refused(Refusal)
    case failed(ExchangeFailure, mayHaveBeenCarriedOut: Bool)

    /// Whether sending the command again would find out nothing more.
    var isSettled: Bool {
        switch self {
        case .done: true
        case .refused(let refusal): refusal.isSettled
        case .failed(_, let mayHaveBeenCarriedOut): !mayHaveBeenCarriedOut
        }
    }
}

extension Problem {
    /// Whether this refusal of a command means that no attempt before it under the same key was carried out.
    ///
    /// The service checks for an accepted command with the key before it decides, and repeats its response. So a refusal by the
    /// rules decides about all attempts that have arrived. One that arrives only later, from an intermediary's queue for example, is
    /// decided anew; sending the command again would not prevent that, and could carry out what was reported as refused.
    var decidesEarlierAttempts: Bool { [403, 409, 422].contains(status) && isFromService && !Self.undecided.contains(code) }

    /// Refusals that say nothing about an earlier attempt, or that there was one.
    private static let undecided: Set<ProblemCode> = [
        .keyReused, "room.exists", "room.unknown_state", "request.origin_not_allowed",
    ]
}
