/// The token in use, shared by all rooms and commands of a client, so that the provider is asked once for all of them.
actor TokenCache {
    private struct Question: Equatable {
        let task: Task<Credential?, any Error>
        let version: Int
    }

    private let provider: any TokenProvider
    private var credential: Credential?
    private var hasAsked = false
    private var asking: Question?
    /// Changes when the token is forgotten or replaced; what the provider was asked before no longer counts.
    private(set) var version = 0

    init(_ provider: any TokenProvider) { self.provider = provider }

    /// The current token, or a new one if the current one is the rejected one.
    func token(rejected: RejectedCredential?) async throws -> Credential? {
        while true {
            if hasAsked, rejected == nil || rejected?.credential != credential { return credential }
            let question = asking ?? ask(rejected?.credential)
            asking = question
            let result = await question.task.result
            let isCurrent = question.version == version
            if asking == question {
                asking = nil
                if isCurrent, case .success(let found) = result {
                    credential = found
                    hasAsked = true
                }
            }
            if isCurrent { return try result.get() }
        }
    }

    private func ask(_ rejected: Credential?) -> Question {
        Question(task: Task { [provider] in try await provider.token(rejected: rejected) }, version: version)
    }

    /// The next request asks the provider.
    func forget() {
        version += 1
        credential = nil
        hasAsked = false
    }

    /// The next request uses the token of this session, unless the token was forgotten or replaced since the session was asked for.
    /// - Parameter before: `version` when it was asked for.
    func use(_ session: Session, ifStill before: Int) async {
        guard version == before else { return }
        version += 1
        credential = Credential(token: session.token)
        hasAsked = true
        await provider.sessionChanged(to: session)
    }
}
