internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// What is decided about a request before its route reads it: whether its room exists for the caller, and whether its body is read.
extension LoopHandler {
    /// Whose limits a request counts against.
    func requester(_ user: UserID?, of exchange: Exchange) -> Requester {
        if let user { .user(user) } else { .network(exchange.clientNetwork(shared)) }
    }

    /// Whether a room exists for the caller. Where it does not, nothing else about the request is judged: its headers, its query
    /// and its body would be answered differently from those to a room that is not there.
    func isOpen(_ room: Room, to caller: Caller?, _ route: Route, _ exchange: Exchange, at monotonic: Int64) -> Bool {
        if room.isArchived { return false }
        let user = caller?.principal.person.id
        if room.isVisible(to: user) { return true }
        guard route.opensHidden, let user else { return false }
        if room.admits(user, inviteCode: nil) { return true }
        // Guessing is as limited as what cannot be understood; beyond that no code is read.
        guard shared.malformedLimiter.isOff || shared.malformedLimiter.peek(.user(user), at: monotonic).isAllowed else {
            return false
        }
        guard !exchange.body.isEmpty, let code = inviteCode(in: exchange.body) else { return false }
        return room.admits(user, inviteCode: code)
    }

    /// The code in a body, whatever else is right or wrong with it.
    private func inviteCode(in body: [UInt8]) -> String? {
        guard let json = try? JSONReader.read(body, limits: shared.options.limits.json) else { return nil }
        guard case .string(let code) = json["inviteCode"] else { return nil }
        return code
    }

    /// Refuses to read a body or a frame of a caller who has sent too many that could not be understood.
    func checkMalformed(by requester: Requester, at monotonic: Int64) throws(Problem) {
        let limiter = shared.malformedLimiter
        guard !limiter.isOff else { return }
        let verdict = limiter.peek(requester, at: monotonic)
        guard !verdict.isAllowed else { return }
        var problem = Problem.tooManyRequests("command.rate", retryAfterSeconds: verdict.retryAfterSeconds)
        problem.headers += limiter.headers(verdict).map { AnswerHeader(name: $0.name, value: $0.value) }
        throw problem
    }

    /// Notes a body or a frame of so many bytes that could not be understood.
    func countMalformed(by requester: Requester, bytes: Int, at monotonic: Int64) {
        guard !shared.malformedLimiter.isOff else { return }
        _ = shared.malformedLimiter.take(requester, tokens: 1 + bytes / MalformedBodies.bytesPerToken, at: monotonic)
    }

    /// Notes an invite code that was wrong: guessing costs as much as the largest body.
    func countWrongCode(by user: UserID, at monotonic: Int64) {
        guard !shared.malformedLimiter.isOff else { return }
        _ = shared.malformedLimiter.take(.user(user), tokens: MalformedBodies.tokensPerCommand, at: monotonic)
    }
}

/// How bodies and frames that cannot be understood are charged. Small ones cost next to nothing, so many may be sent, as by a client
/// that is being written; as many of the largest as of other commands.
enum MalformedBodies {
    /// Tokens for each command that a user may send in a second.
    static let tokensPerCommand = 16
    static let bytesPerToken = 4096
}
