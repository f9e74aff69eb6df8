import StateMachines

/// The token in use, shared by all rooms and commands of a client, so that the provider is asked once for all of them.
///
/// A token that says when it expires is asked for again in time: a provider can renew it only while the service still accepts it.
actor TokenCache {
    private struct Question: Equatable {
        let task: Task<Credential?, any Error>
        let version: Int
        /// Asked although the current token is still accepted.
        let isEarly: Bool
    }

    /// The provider is not asked for a newer token more often.
    static let leastRenewalInterval: Duration = .seconds(60)

    private let provider: any TokenProvider
    private let clock: any ClientClock
    private let serverClock: SharedServerClock
    private var credential: Credential?
    private var hasAsked = false
    /// When the current token was obtained, or a newer one was last asked for.
    private var askedAt: MachineTimestamp
    /// When the current token expires; nil if it does not say.
    private var expiresAt: ServerTime?
    private var asking: Question?
    /// Changes when the token is forgotten or replaced; what the provider was asked before no longer counts.
    private(set) var version = 0

    init(_ provider: any TokenProvider, clock: any ClientClock, serverClock: SharedServerClock) {
        self.provider = provider
        self.clock = clock
        self.serverClock = serverClock
        askedAt = clock.now()
    }

    /// The current token, or a new one if the current one is the rejected one.
    ///
    /// One that is to be renewed is used until there is a new one; one that has expired is not.
    func token(rejected: RejectedCredential?) async throws -> Credential? {
        while true {
            if hasAsked, rejected == nil || rejected?.credential != credential {
                renewIfDue()
                guard isExpired, let asking else { return credential }
                // It failed: the service may still accept the current one, and refuses it otherwise.
                if await settle(asking) != nil, isExpired { return credential }
                continue
            }
            if let asking, asking.isEarly {
                // The provider was not told of the rejection.
                await settle(asking)
                continue
            }
            let question = asking ?? ask(rejected?.credential, isEarly: false)
            if let result = await settle(question) { return try result.get() }
        }
    }

    /// Asks the provider for a newer token when half of the time is over for which the current one was accepted when it was asked last.
    func renewIfDue() {
        guard hasAsked, asking == nil, let left = timeLeft else { return }
        let age = clock.now().duration(since: askedAt)
        guard age >= Self.leastRenewalInterval, left <= age else { return }
        askedAt = clock.now()
        let question = ask(nil, isEarly: true)
        Task { _ = await settle(question) }
    }

    /// For how long the current token is still accepted; nil if it does not say.
    private var timeLeft: Duration? {
        let now = clock.now()
        return expiresAt?.duration(since: serverClock.estimate(at: now)?.time ?? clock.deviceTime())
    }

    private var isExpired: Bool { timeLeft.map { $0 <= .zero } ?? false }

    private func ask(_ rejected: Credential?, isEarly: Bool) -> Question {
        let question = Question(
            task: Task { [provider] in try await provider.token(rejected: rejected) }, version: version, isEarly: isEarly)
        asking = question
        return question
    }

    /// Takes over what the provider said; an early question that failed changes nothing.
    /// - Returns: nil if the token was forgotten or replaced since the provider was asked, so that what it said does not count.
    @discardableResult
    private func settle(_ question: Question) async -> Result<Credential?, any Error>? {
        let result = await question.task.result
        let isCurrent = question.version == version
        if asking == question {
            asking = nil
            if isCurrent, case .success(let found) = result { keep(found) }
        }
        return isCurrent ? result : nil
    }

    private func keep(_ found: Credential?) {
        credential = found
        expiresAt = found?.expiresAt
        askedAt = clock.now()
        hasAsked = true
    }

    /// The next request asks the provider.
    func forget() {
        version += 1
        credential = nil
        expiresAt = nil
        hasAsked = false
    }

    /// The next request uses the token of this session, unless the token was forgotten or replaced since the session was asked for.
    /// - Parameter before: `version` when it was asked for.
    func use(_ session: Session, ifStill before: Int) async {
        guard version == before else { return }
        version += 1
        keep(Credential(token: session.token))
        await provider.sessionChanged(to: session)
    }
}
