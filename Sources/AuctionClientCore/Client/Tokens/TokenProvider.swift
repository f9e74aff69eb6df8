/// Gives the client its tokens. It is asked when there is none yet, again when the service has refused one (401), and in time before
/// one expires that says when (a JWT with `exp`): first when half of the time that was left is over.
public protocol TokenProvider: Sendable {
    /// The token to use; nil to ask without one, which is enough for reading public rooms.
    ///
    /// At most one call is in progress at a time, whatever the number of rooms and commands that need a token.
    /// - Parameter rejected: the token that the service has just refused; nil on the first call, and in time before a token expires.
    ///   Returning the rejected one again ends whatever needed it; the one that expires may be returned again, and stays in use.
    /// - Throws: `SignedOut` if there will be no token, which ends what needed it; any other error for a failure that may pass, after
    ///   which it is asked again. A call in time before a token expires may throw either: that one stays in use.
    func token(rejected: Credential?) async throws -> Credential?

    /// The service has issued another token for the same user, because the nickname was changed (`AuctionClient.setNickname(_:)`). The
    /// client uses it from now on; a provider that keeps sessions keeps this one.
    func sessionChanged(to session: Session) async
}

extension TokenProvider {
    /// Does nothing: for a provider whose users are not guests of the service.
    public func sessionChanged(to session: Session) async {}
}

/// There is no token, and asking again is of no use: the user has to sign in.
public struct SignedOut: Error, Hashable, Sendable {
    /// The error for a token provider to throw.
    public init() {}
}

/// A token provider from a closure.
public struct ClosureTokenProvider: TokenProvider {
    private let closure: @Sendable (Credential?) async throws -> Credential?

    /// - Parameter closure: see `TokenProvider.token(rejected:)`.
    public init(_ closure: @escaping @Sendable (Credential?) async throws -> Credential?) { self.closure = closure }

    /// What the closure returns.
    /// - Throws: what the closure throws.
    public func token(rejected: Credential?) async throws -> Credential? { try await closure(rejected) }
}

/// Always the same token, or none.
public struct FixedToken: TokenProvider {
    private let credential: Credential?

    /// - Parameter credential: nil to read public rooms only.
    public init(_ credential: Credential?) { self.credential = credential }

    /// The token, also if it was refused.
    public func token(rejected: Credential?) async throws -> Credential? { credential }
}
