internal import AuctionDomain

/// The `code` of refusals, for programs, with its meaning and an example.
package struct ProblemCode: Sendable {
    /// What a refusal with a code says, beside what follows from operation and rule.
    struct Example: Sendable {
        let detail: String
        let field: String?
        let required: String?
        let actual: String?
        let allowedActions: [RoomAction]
        /// Further members, as JSON.
        let members: String?
    }

    /// Such as `bid.viewer`.
    package let code: String
    /// The status of nearly all refusals with it.
    package let status: Int
    let meaning: String
    /// Nil if it follows from the status.
    private let ownKind: ProblemKind?
    let example: Example?

    /// - Parameter detail: of the example; without it there is none.
    init(
        _ code: String, _ status: Int, _ meaning: String, kind: ProblemKind? = nil,
        _ detail: String? = nil,
        field: String? = nil, required: String? = nil, actual: String? = nil,
        allowedActions: [RoomAction] = [],
        members: String? = nil
    ) {
        self.code = code
        self.status = status
        self.meaning = meaning
        ownKind = kind
        example = detail.map {
            Example(
                detail: $0, field: field, required: required, actual: actual,
                allowedActions: allowedActions, members: members)
        }
    }

    /// A code whose meaning is also what a refusal with it says.
    static func plain(
        _ code: String, _ status: Int, _ meaning: String, required: String? = nil, actual: String? = nil
    ) -> ProblemCode {
        ProblemCode(code, status, meaning, meaning, required: required, actual: actual)
    }

    /// The kind of a refusal with this code that is no permission rule's.
    func kind(withStatus status: Int) -> ProblemKind {
        ownKind ?? ProblemKind.allCases.first { $0.status == status } ?? .internalError
    }

    /// Whether refusals with it name the request: not where its head may be unread.
    var hasRequestID: Bool { !code.hasPrefix("request.") || ![408, 413, 414, 431].contains(status) }

    /// By code.
    package static let named: [String: ProblemCode] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.code, $0) })
}
