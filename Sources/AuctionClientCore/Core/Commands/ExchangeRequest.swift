/// What an `Exchange` asks for, the same in every attempt.
struct ExchangeRequest: Hashable, Sendable {
    var method: String
    var target: String
    var body: String?
    /// A body that is not text, in place of the other.
    var bytes: [UInt8]?
    /// The media type of the body.
    var contentType = "application/json"
    /// The Idempotency-Key; nil for reads and for the requests that take none.
    var key: String?
    /// Who must send it; nil for any user.
    var subject: String?
    var language: String
    /// Whether a repeat at a later time could do something else, so that there must be none.
    var isTriedOnce = false
    /// Whether a repeat could do something twice if it were not for the key.
    var isCommand: Bool { key != nil }

    init(read target: String, language: String) { self.init("GET", target, language: language) }

    /// A request without a key, whose repetition does nothing that matters.
    init(_ method: String, _ target: String, body: JSONValue? = nil, language: String) {
        self.method = method
        self.target = target
        self.body = body?.text
        self.language = language
    }

    init(_ command: PendingCommand, language: String) {
        method = command.method
        target = command.target
        body = command.body
        if let type = command.contentType { contentType = type }
        key = command.key
        subject = command.subject
        isTriedOnce = command.isForAnyRound
        self.language = language
    }

    func call(_ credential: Credential?, _ settings: ExchangeSettings) -> HTTPCall {
        var headers = [HTTPHeader("Accept", "application/json"), HTTPHeader("Accept-Language", language)]
        if let credential { headers.append(HTTPHeader("Authorization", "Bearer \(credential.token)")) }
        if let key { headers.append(HTTPHeader("Idempotency-Key", key)) }
        let content = bytes ?? body.map { Array($0.utf8) }
        if content != nil { headers.append(HTTPHeader("Content-Type", contentType)) }
        return HTTPCall(
            method: method, target: target, headers: headers, body: content, timeout: settings.attemptTimeout,
            responseLimit: settings.maximumResponseBytes)
    }
}

/// How long and how often a request is tried.
public struct ExchangeSettings: Hashable, Sendable {
    /// The longest time of one attempt.
    public var attemptTimeout: Duration = .seconds(10)
    /// The longest time of all attempts together.
    public var timeout: Duration = .seconds(30)
    /// The ceiling of the first delay between two attempts; it doubles with every failure.
    public var firstDelay: Duration = .milliseconds(300)
    /// The largest ceiling of the delay between two attempts.
    public var maximumDelay: Duration = .seconds(10)
    /// The most bytes of one response.
    public var maximumResponseBytes = 4 << 20

    /// The defaults.
    public init() {}
}
