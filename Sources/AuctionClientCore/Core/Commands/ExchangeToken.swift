/// The token of one exchange: what the provider returned, and whether the service accepts it.
struct ExchangeToken: Sendable {
    /// What a token that the provider returned is good for.
    enum Provided {
        case use
        /// The service has refused this very token.
        case refusedAgain(Problem)
        /// The command was made by another user.
        case differentUser
    }

    /// All attempts belong to this user; nil for a read, and until the user is known.
    private var subject: String?
    private let isRead: Bool
    /// The token that requests carry; nil for an anonymous caller.
    private(set) var credential: Credential?
    /// Why the service refused the current token; nil if it did not.
    private var rejection: Problem?
    private var hasAskedAgain = false

    init(subject: String?, isRead: Bool) {
        self.subject = subject
        self.isRead = isRead
    }

    /// The refused token, for the next call of the token provider; nil if the service did not refuse the current one.
    var rejected: RejectedCredential? { rejection.map { _ in RejectedCredential(credential: credential) } }

    /// Takes the token that the provider returned.
    mutating func provided(_ credential: Credential?) -> Provided {
        if let rejection, credential == self.credential { return .refusedAgain(rejection) }
        if let subject, let found = credential?.subject, found != subject { return .differentUser }
        // The request may not say who made it. Then the user of the first attempt makes all further ones.
        if subject == nil, !isRead { subject = credential?.subject }
        rejection = nil
        self.credential = credential
        return .use
    }

    /// The service refused the token.
    /// - Returns: whether the provider is to be asked again, which happens once.
    mutating func refused(_ problem: Problem) -> Bool {
        guard !hasAskedAgain else { return false }
        hasAskedAgain = true
        rejection = problem
        return true
    }
}
