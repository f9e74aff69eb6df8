internal import ExactJSON

/// What a response has to know of the operations that it belongs to.
struct ResponseContext {
    /// The path of an example.
    let path: String
    var isRead = false
    var takesKey = false
    var saysWhatIsLeft = false
    var givesReceipt = false
    /// Codes of refusals with 403 for what the caller is: a service token where a person acts, and a banned user.
    var forbidden: [String] = []

    init(path: String) { self.path = path }

    init(_ operation: Operation) {
        path = operation.examplePath
        isRead = operation.method == .get && operation.isForPersons
        if operation.takesOperators || operation.isReadByOperators {
            forbidden.append("scope.missing")
        } else if operation.isForPersons {
            forbidden.append(SharedResponse.notAPerson)
        }
        if operation.refusesBanned { forbidden.append(SharedResponse.banned) }
        takesKey = operation.takesKey
        saysWhatIsLeft = operation.saysWhatIsLeft
        givesReceipt = operation.givesReceipt
    }
}

/// Writes responses as Response Objects, with what all responses of a kind have.
struct ResponseObjects {
    private let problems: ProblemExamples

    init() throws {
        problems = try ProblemExamples()
    }

    /// A Response Object, or a reference to one.
    func object(of response: Operation.Response, to context: ResponseContext) throws(JSONError)
        -> JSONValue
    {
        if let name = response.shared { return .reference("responses", name) }
        var content: [(name: String, value: JSONValue?)] = []
        for part in response.content { content.append((part.mediaType, try part.object())) }
        if let media = try problems.content(of: response, to: context) {
            content.append(("application/problem+json", media))
        }
        return .members([
            ("description", .string(response.description)),
            ("headers", try headers(of: response, context)),
            (
                "x-problem-codes",
                .texts(response.codes + (response.status == 403 ? context.forbidden : []))
            ),
            ("content", content.isEmpty ? nil : .members(content)),
        ])
    }

    /// The responses that several operations have, as components of the contract.
    func components() throws(JSONError) -> JSONValue {
        var components: [(name: String, value: JSONValue?)] = []
        for shared in SharedResponse.all {
            components.append(
                (shared.name, try object(of: shared.response, to: ResponseContext(path: shared.path))))
        }
        return .members(components)
    }

    private func headers(of response: Operation.Response, _ context: ResponseContext)
        throws(JSONError) -> JSONValue
    {
        var headers: [(name: String, value: JSONValue?)] = []
        for name in response.usualHeaders(context) where !response.missing.contains(name) {
            headers.append((name, .reference("headers", name)))
        }
        for header in response.headers {
            let value: JSONValue =
                header.definition.hasPrefix("{") ? try .reading(header.definition) : .reference("headers", header.definition)
            if let index = headers.firstIndex(where: { $0.name == header.name }) {
                headers[index].value = value
            } else {
                headers.append((header.name, value))
            }
        }
        return .members(headers)
    }
}

extension Operation.Response {
    /// A request may be refused with one of these before its head is read.
    private static let withoutRequestID: Set<Int> = [408, 413, 414, 431, 503]

    /// The headers of all responses with its status to such operations.
    fileprivate func usualHeaders(_ context: ResponseContext) -> [String] {
        let isSuccess = status < 400
        var headers: [String] = isSuccess && context.isRead ? ["Age"] : []
        if !Self.withoutRequestID.contains(status) { headers.append("X-Request-Id") }
        headers.append("Cache-Control")
        if status == 429 || isSuccess && context.saysWhatIsLeft {
            headers += ["RateLimit", "RateLimit-Policy"]
        }
        if status == 429 || status == 503 { headers.append("Retry-After") }
        if status == 401 { headers.append("WWW-Authenticate") }
        if isSuccess && context.takesKey { headers.append("Idempotency-Replayed") }
        return headers
    }
}
