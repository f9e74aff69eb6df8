import StateMachines

/// The token of a connection: what the provider returned, and whether the service accepts it.
struct CallerToken: Sendable {
    /// The service cannot refuse a token as expired that the provider has renewed within this time.
    private static let freshAge: Duration = .seconds(30)

    /// The token that requests carry; nil for an anonymous caller.
    private(set) var credential: Credential?
    /// The user to whom the token belongs.
    private(set) var follower = Follower.anonymous
    /// Why the service refused the current token; nil if it did not.
    private var rejection: Problem?
    /// When the provider last replaced a refused token; nil if the service has accepted a request since.
    private var renewedAt: MachineTimestamp?

    /// The refused token, for the next call of the token provider; nil if the service did not refuse the current one.
    var rejected: RejectedCredential? { rejection.map { _ in RejectedCredential(credential: credential) } }

    /// Takes the token that the provider returned.
    /// - Returns: the refusal of this very token, which would be refused again; nil if it is to be tried.
    mutating func provided(_ credential: Credential?, at now: MachineTimestamp) -> Problem? {
        if let rejection, credential == self.credential { return rejection }
        if rejection != nil { renewedAt = now }
        rejection = nil
        self.credential = credential
        follower = Follower(credential)
        return nil
    }

    /// The service refused the token.
    /// - Returns: whether the provider is to be asked again. A new token that is refused at once is final. One that has become old while
    ///   the network was away is renewed again.
    mutating func refused(_ problem: Problem, at now: MachineTimestamp) -> Bool {
        if let renewedAt, now.duration(since: renewedAt) < Self.freshAge { return false }
        rejection = problem
        return true
    }

    /// The service accepted the token.
    mutating func accepted() { renewedAt = nil }
}
