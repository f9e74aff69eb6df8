internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// Checks before a route handles a request: whether it is served now, whether the caller may see the room, and whether the body may be read.
extension LoopHandler {
    /// Whether the route is the operator's and the request is not, or needs what the server has not: it then gets 404 as for an unknown path.
    func isHidden(_ route: Route, from exchange: Exchange) -> Bool {
        switch route.access {
        case .service: return serviceToken(of: exchange, at: shared.clock.now().wall) == nil
        case .operator: break
        case .optional: return route.needsVoice && shared.options.voice == nil
        case .anonymous, .required: return false
        }
        return !shared.metrics.access.allows(
            peer: exchange.remoteAddress,
            isForwarded: MetricsAccess.proxyHeaders.contains { exchange.header($0) != nil },
            host: exchange.header("Host"),
            authorization: exchange.header("Authorization"))
    }

    /// Refuses requests that may need rooms until open rooms are loaded; others are served.
    func checkRecovered(for route: Route) throws(Problem) {
        guard !shared.service.isRecovered else { return }
        switch route.access {
        case .anonymous, .operator, .service: return
        case .optional, .required: throw .starting
        }
    }

    /// The user or network whose limits the request counts against.
    func requester(_ user: UserID?, of exchange: Exchange) -> Requester {
        if let user { .user(user) } else { .network(shared.origins.network(of: exchange)) }
    }

    /// Whether the caller may see the room, or join it with the invite code in the body. If false, no other part of the request may be
    /// checked: a different error would reveal that the room exists.
    func isOpen(_ room: Room, to user: UserID?, _ context: RequestContext) -> Bool {
        // A command that is repeated with its key may have been answered before, be it the one that archived the room.
        if room.isArchived { return context.isKeyedCommand && room.isVisible(to: user) }
        if room.isVisible(to: user) { return true }
        guard context.route.opensHidden, let user else { return false }
        if room.admits(user, inviteCode: nil) { return true }
        // Wrong invite codes count against the limit on malformed bodies; beyond it no code is checked.
        guard
            shared.limits.malformed.isOff || shared.limits.malformed.peek(.user(user), at: context.now.monotonic).isAllowed
        else {
            return false
        }
        let body = context.exchange.body
        guard !body.isEmpty, let code = inviteCode(in: body) else { return false }
        return room.admits(user, inviteCode: code)
    }

    /// The invite code in a body, even if other fields are invalid.
    private func inviteCode(in body: [UInt8]) -> String? {
        guard let json = try? JSONReader.read(body, limits: shared.options.limits.json) else { return nil }
        guard case .string(let code) = json["inviteCode"] else { return nil }
        return code
    }

    /// Refuses a body or frame of a caller that has sent too many malformed ones.
    func checkMalformed(by requester: Requester, at monotonic: Int64) throws(Problem) {
        let limiter = shared.limits.malformed
        guard !limiter.isOff else { return }
        let verdict = limiter.peek(requester, at: monotonic)
        guard verdict.isAllowed else { throw limiter.problem("command.rate", verdict) }
    }

    /// Counts a malformed body or frame of `bytes` bytes.
    func countMalformed(by requester: Requester, bytes: Int, at monotonic: Int64) {
        shared.limits.countMalformed(by: requester, bytes: bytes, at: monotonic)
    }

    /// Counts a wrong invite code, at the cost of the largest body.
    func countWrongCode(by user: UserID, at monotonic: Int64) {
        guard !shared.limits.malformed.isOff else { return }
        _ = shared.limits.malformed.take(.user(user), tokens: MalformedBodies.tokensPerCommand, at: monotonic)
    }
}

/// Rate-limit cost of malformed bodies and frames. Small ones are cheap, since a client under development sends many; the largest
/// cost as much as a command.
enum MalformedBodies {
    /// Tokens of the malformed limiter per command that a user may send in a second.
    static let tokensPerCommand = 16
    static let bytesPerToken = 4096
}
