import StateMachines

/// When a connection that was lost is tried again, and how long it has lived.
struct Reconnection: Sendable {
    /// A connection that was live for so long was a success, even without an event: the delays begin anew after it.
    private static let stableTime: Duration = .seconds(3)
    /// How long something before the service must refuse in a row until that is final: a proxy without a server, a sign-in page.
    private static let unattributedRefusalTime: Duration = .seconds(60)
    /// The network has returned: a connection that received bytes within this time survived the change.
    private static let survivalTime: Duration = .seconds(2)

    private var backoff: Backoff
    /// When the next attempt begins; nil while the connection is live. The simulation's planted bugs set it.
    var retryAt: MachineTimestamp?
    /// Earliest time of the next attempt (`Retry-After`). Neither a returned network nor the app's wish undercuts it.
    private var notBefore: MachineTimestamp?
    /// Why the latest attempt failed.
    private var waitReason = WaitReason.timeout
    /// When something other than the service began to refuse every attempt; nil if it does not.
    private var unattributedSince: MachineTimestamp?
    /// When the connection became live; nil after it was lost.
    private var liveSince: MachineTimestamp?
    private var lastReceivedAt: MachineTimestamp

    init(_ settings: ConnectionSettings, seed: UInt64, at now: MachineTimestamp) {
        backoff = Backoff(base: settings.firstDelay, maximum: settings.maximumDelay, seed: seed)
        lastReceivedAt = now
    }

    /// Number of the next attempt since the last success, from 1.
    var attempt: Int { backoff.failures + 1 }

    /// Whether the connection has been live for so long.
    func wasLive(for duration: Duration, at now: MachineTimestamp) -> Bool {
        liveSince.map { now.duration(since: $0) >= duration } ?? false
    }

    // MARK: - Success

    /// The connection was of use: however soon it is lost again, the delays begin anew.
    mutating func succeeded() { backoff.reset() }

    /// A request was sent, or bytes arrived.
    mutating func received(at now: MachineTimestamp) { lastReceivedAt = now }

    mutating func becameLive(at now: MachineTimestamp) {
        liveSince = now
        unattributedSince = nil
        retryAt = nil
        notBefore = nil
    }

    // MARK: - Failure

    /// Whether a refusal ends the connection: the service's does at once, another's after a minute without a different result.
    func isFinal(_ refusal: Problem, at now: MachineTimestamp) -> Bool {
        refusal.isFromService || now.duration(since: unattributedSince ?? now) >= Self.unattributedRefusalTime
    }

    /// The attempt, or the live connection, was lost.
    /// - Parameters:
    ///   - retryAfter: how long the service asked to wait; nil if it did not.
    ///   - isUnattributed: whether something other than the service refused the attempt.
    /// - Returns: the delay of the next attempt.
    mutating func lost(
        _ reason: WaitReason, after retryAfter: Duration?, isUnattributed: Bool, at now: MachineTimestamp
    ) -> Duration {
        if wasLive(for: Self.stableTime, at: now) { backoff.reset() }
        liveSince = nil
        let delay = backoff.next(after: retryAfter)
        retryAt = now + delay
        notBefore = retryAfter.map { now + $0 }
        waitReason = reason
        unattributedSince = isUnattributed ? unattributedSince ?? now : nil
        return delay
    }

    // MARK: - Wishes

    /// The app resumes.
    /// - Returns: the rest of the wait that the service asked for; nil if the next attempt may begin at once.
    func remainingWait(at now: MachineTimestamp) -> ConnectionState? {
        guard let notBefore, let retryAt, notBefore > now else { return nil }
        return .waiting(waitReason, delay: retryAt.duration(since: now))
    }

    /// The device has a network again, or another one.
    /// - Returns: the event that begins a new attempt; nil if the connection stays as it is.
    mutating func networkReturned(in state: ConnectionMachine.State, at now: MachineTimestamp) -> ConnectionMachine.Event? {
        switch state {
        case .waiting:
            if let notBefore, notBefore > now { return nil }
            backoff.reset()
            return .retry
        case .live, .opening, .loading:
            // Connections of the network before seldom survive; one that has just delivered did.
            return now.duration(since: lastReceivedAt) > Self.survivalTime ? .restart : nil
        default: return nil
        }
    }
}
