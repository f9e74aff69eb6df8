/// Gives the client its tokens. It is asked when there is none yet, and again when the service has refused one (401).
public protocol TokenProvider: Sendable {
    /// The token to use; nil to ask without one, which is enough for reading public rooms.
    ///
    /// At most one call is in progress at a time, whatever the number of rooms and commands that need a token.
    /// - Parameter rejected: the token that the service has just refused; nil on the first call. Returning it again ends whatever
    ///   needed it.
    /// - Throws: `SignedOut` if there will be no token, which ends what needed it; any other error for a failure that may pass, after
    ///   which it is asked again.
    func token(rejected: Credential?) async throws -> Credential?
}

/// There is no token, and asking again is of no use: the user has to sign in.
public struct SignedOut: Error, Hashable, Sendable {
    /// The reason.
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

/// The token in use, shared by all rooms and commands of a client, so that the provider is asked once for all of them.
actor TokenCache {
    private let provider: any TokenProvider
    private var credential: Credential?
    private var hasAsked = false
    private var asking: Task<Credential?, any Error>?

    init(_ provider: any TokenProvider) { self.provider = provider }

    /// The current token, or a new one if the current one is the rejected one.
    func token(rejected: RejectedCredential?) async throws -> Credential? {
        if hasAsked, rejected?.credential != credential || rejected == nil { return credential }
        if let asking { return try await asking.value }
        let provider = provider
        let task = Task { try await provider.token(rejected: rejected?.credential) }
        asking = task
        defer { asking = nil }
        let credential = try await task.value
        self.credential = credential
        hasAsked = true
        return credential
    }

    /// The next request asks the provider.
    func forget() {
        credential = nil
        hasAsked = false
    }
}
