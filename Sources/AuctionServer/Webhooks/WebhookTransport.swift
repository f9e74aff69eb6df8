internal import OutboundHTTP
internal import Synchronization

/// A message on its way to a URL.
struct WebhookRequest: Sendable {
    let url: String
    let message: WebhookMessage
    /// In Unix time.
    let seconds: Int64
    /// See `WebhookMessage.signature`.
    let signature: String

    init(_ message: WebhookMessage, to webhook: Webhook, at seconds: Int64, keys: [[UInt8]]) {
        (url, self.message, self.seconds) = (webhook.url, message, seconds)
        signature = message.signature(at: seconds, keys: keys)
    }
}

/// Sends messages.
protocol WebhookTransport: Sendable {
    /// Calls `completion` once, on any thread.
    func send(_ request: WebhookRequest, completion: @escaping @Sendable (WebhookAnswer) -> Void)

    /// Ends what is in flight, which then counts as unsent.
    func stop()
}

/// Sends messages by HTTP.
final class OutboundWebhookTransport: WebhookTransport {
    /// Bytes of an answer that are read: so much is taken to keep the connection.
    private static let answerBytes = 4096
    /// Connections that are kept open for each endpoint: those of a window.
    private static let idleConnections = WebhookEngine.freshInFlight
    /// An answer that is not complete after so long is a failure.
    static let answerTime = Duration.seconds(15)

    private enum State {
        case idle
        case open(OutboundClient)
        case stopped
    }

    private let policy: AddressPolicy
    let limits: OutboundLimits
    /// There is no client, and no thread, before the first message.
    private let state = Mutex(State.idle)

    /// - Parameter endpoints: How many there may be. Each has places of its own, also at the same host, and so has a test.
    init(_ policy: AddressPolicy, endpoints: Int, answerTime: Duration = answerTime) {
        self.policy = policy
        var limits = OutboundLimits()
        limits.totalTime = answerTime
        limits.requests = (endpoints + 1) * (WebhookEngine.freshInFlight + WebhookEngine.retriesInFlight)
        limits.requestsPerHost = limits.requests
        limits.idleConnections = (endpoints + 1) * Self.idleConnections
        limits.requestBytes = WebhookMessage.byteLimit
        self.limits = limits
    }

    func send(_ request: WebhookRequest, completion: @escaping @Sendable (WebhookAnswer) -> Void) {
        var outbound = OutboundRequest(.post, request.url, policy: policy)
        outbound.headers = [
            .init("Content-Type", "application/json"), .init("User-Agent", "auction-room/\(ServiceVersion.current)"),
            .init("webhook-id", request.message.id), .init("webhook-timestamp", String(request.seconds)),
            .init("webhook-signature", request.signature),
        ]
        outbound.body = request.message.body
        outbound.responseLimit = Self.answerBytes
        let began = ContinuousClock.now
        do throws(OutboundFailure) {
            try client().send(outbound) { result in completion(Self.answer(result, since: began)) }
        } catch {
            completion(Self.answer(.failure(error), since: began))
        }
    }

    private func client() throws(OutboundFailure) -> OutboundClient {
        try state.withLock { state throws(OutboundFailure) in
            switch state {
            case .open(let client): return client
            case .stopped: throw .stopped
            case .idle:
                let client = try OutboundClient(name: "webhooks out", limits: limits, yields: true)
                state = .open(client)
                return client
            }
        }
    }

    func stop() {
        let before = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        if case .open(let client) = before { client.stop() }
    }

    private static func answer(
        _ result: Result<OutboundResponse, OutboundFailure>, since began: ContinuousClock.Instant
    ) -> WebhookAnswer {
        switch result {
        case .success(let response):
            WebhookAnswer(
                status: response.status, retryAfter: response.headers["retry-after"], date: response.headers["date"],
                milliseconds: Int(response.duration / .milliseconds(1)), body: response.body)
        case .failure(.tooManyInFlight), .failure(.stopped), .failure(.resources): WebhookAnswer(.unsent)
        case .failure(let failure):
            WebhookAnswer(
                failure: WebhookAnswer.shown(Array("\(failure)".utf8)),
                milliseconds: Int(began.duration(to: .now) / .milliseconds(1)))
        }
    }
}
