import StateMachines

/// A provider of tokens that keeps a session and renews it.
protocol SessionKeeper: Actor {
    var kept: KeptSession { get }

    /// Takes a session that the service has issued, and tells the app.
    func keep(_ session: Session)
}

/// The session of a `SessionKeeper`, which alone uses it.
final class KeptSession {
    private(set) var session: Session?
    /// The token that was returned last, and when.
    fileprivate var handedOut: (token: String, at: MachineTimestamp)?
    /// The request for a session that is in progress.
    fileprivate var obtaining: Task<Result<Session, AuctionError>, Never>?
    /// Changes when another user signs in, or the user signs out: a session that was asked for before is given up.
    fileprivate var user = 0

    init(session: Session?) { self.session = session }

    func use(_ session: Session) { self.session = session }

    /// Forgets the session, and what is in progress for it.
    func forget() { (session, handedOut, obtaining, user) = (nil, nil, nil, user + 1) }

    func handOut(_ session: Session, at now: MachineTimestamp) -> Credential {
        handedOut = (session.token, now)
        return Credential(token: session.token)
    }
}

/// How the service is asked for sessions.
struct SessionRequests: Sendable {
    let transport: any HTTPTransport
    let language: String
    let settings: ExchangeSettings
    let log: ClientLog?
    let clock: any ClientClock

    func request(_ path: String, _ body: [String: JSONValue] = [:]) -> ExchangeRequest {
        ExchangeRequest("POST", path, body: .object(body), language: language)
    }

    fileprivate func session(_ request: ExchangeRequest, _ token: Credential?) async -> Result<Session, AuctionError> {
        let serverClock = SharedServerClock()
        let tokens = TokenCache(FixedToken(token), clock: clock, serverClock: serverClock)
        let context = ClientContext(
            transport: transport, tokens: tokens, clock: clock, serverClock: serverClock, language: language, logger: log)
        do throws(AuctionError) {
            return .success(try await ExchangeRunner(context: context).value(request, settings, Session.init))
        } catch {
            return .failure(error)
        }
    }
}

extension SessionKeeper {
    /// The session's token, renewed if it is time.
    /// - Throws: `SignedOut` if the service refuses to renew it.
    func renewed(
        _ session: Session, _ rejected: Credential?, by requests: SessionRequests
    ) async throws -> Credential {
        guard isDue(session, rejected, requests.clock) else { return kept.handOut(session, at: requests.clock.now()) }
        do throws(AuctionError) {
            let new = try await obtain(requests.request("/v1/tokens/renew"), Credential(token: session.token), by: requests)
            return kept.handOut(new, at: requests.clock.now())
        } catch {
            if case .refused(let refusal) = error, refusal.problem.status == 401 { throw SignedOut() }
            guard let current = kept.session else { throw SignedOut() }
            // Another user has signed in meanwhile.
            guard current.userId == session.userId else { throw error }
            // The old one may still be accepted; if not, the service says so.
            return kept.handOut(current, at: requests.clock.now())
        }
    }

    /// Whether the token is renewed before one is returned.
    ///
    /// The device's date decides when an app starts, because nothing else is known then. It may be days behind: a client that
    /// asks again although it has this token, and was not refused, knows by the server's clock that half of its time is over.
    private func isDue(_ session: Session, _ rejected: Credential?, _ clock: any ClientClock) -> Bool {
        if session.expiresAt.duration(since: clock.deviceTime()) < GuestTokens.renewalMargin { return true }
        guard rejected == nil, let handedOut = kept.handedOut, handedOut.token == session.token else { return false }
        return clock.now().duration(since: handedOut.at) >= TokenCache.leastRenewalInterval
    }

    /// One request at a time, whose session all waiting callers get: two requests would make two guests.
    func obtain(
        _ request: ExchangeRequest, _ token: Credential?, by requests: SessionRequests
    ) async throws(AuctionError) -> Session {
        let (before, user) = (kept.session, kept.user)
        if let obtaining = kept.obtaining {
            let result = await obtaining.value
            guard kept.user == user else { throw .failed(.differentUser) }
            return try result.get()
        }
        let task = Task { await requests.session(request, token) }
        kept.obtaining = task
        let result = await task.value
        guard kept.user == user else { throw .failed(.differentUser) }
        kept.obtaining = nil
        let new = try result.get()
        // The nickname may have been changed meanwhile.
        if let session = kept.session, session != before, session.userId == new.userId { return session }
        keep(new)
        return new
    }
}
