import StateMachines

/// One request and its response, with attempts in between: reads and commands alike. A command keeps its key over all attempts.
///
/// Values come in and go out, as with `RoomConnection`.
struct Exchange: Sendable {
    typealias CallID = CallNumbers.CallID

    enum Input: Sendable {
        case start
        case timePassed
        case token(CallID, Credential?)
        case tokenFailed(CallID, String, isFinal: Bool)
        case response(CallID, HTTPResponse)
        case failed(CallID, TransportError)
        case cancel
    }

    enum Directive: Hashable, Sendable {
        case askForToken(CallID, rejected: RejectedCredential?)
        case send(CallID, HTTPCall)
        case abandon(CallID)
        case observe(ClockSample)
        case finish(ExchangeResult)
    }

    enum Definition: MachineDefinition {
        enum State: Hashable, CaseIterable { case idle, authorizing, sending, waiting, finished }
        enum Event: Hashable { case start, send, failed, retry, renew, finish }
        enum Effect: Hashable { case askForToken, send, abandon }
    }

    let request: ExchangeRequest
    private let settings: ExchangeSettings
    private var life: RunningMachine<Definition>
    private var now: MachineTimestamp
    private let startedAt: MachineTimestamp
    private var directives: [Directive] = []
    private var calls: CallNumbers
    private var token: ExchangeToken
    private var backoff: Backoff
    /// When the next attempt begins; nil before the first one has failed.
    private var retryAt: MachineTimestamp?
    /// Whether an attempt may have reached the service and was not answered.
    private var hasUnansweredAttempt: Bool
    /// Why the latest attempt failed.
    private var failure: ExchangeFailure = .timeout

    init(
        _ request: ExchangeRequest, settings: ExchangeSettings, seed: UInt64, isResent: Bool = false, at now: MachineTimestamp
    ) {
        self.request = request
        self.settings = settings
        life = RunningMachine(Self.machine(settings), at: now)
        self.now = now
        startedAt = now
        calls = CallNumbers(at: now)
        token = ExchangeToken(subject: request.subject, isRead: request.method == "GET")
        backoff = Backoff(base: settings.firstDelay, maximum: settings.maximumDelay, seed: seed)
        // What became of the attempts before is the reason for sending it again.
        hasUnansweredAttempt = isResent
    }

    static func machine(_ settings: ExchangeSettings) -> Machine<Definition> {
        Machine(
            initial: .idle, finalStates: [.finished],
            edges: [
                .on(.start, from: .idle, to: .authorizing),
                .on(.send, from: .authorizing, to: .sending),
                .on(.failed, from: [.authorizing, .sending], to: .waiting),
                .on(.retry, from: .waiting, to: .authorizing),
                .on(.renew, from: .sending, to: .authorizing),
                .on(.finish, from: .any(except: [.finished]), to: .finished, doing: [.abandon]),
                .after(settings.attemptTimeout, from: [.authorizing, .sending], to: .waiting, doing: [.abandon]),
            ],
            actions: [.didEnter(.authorizing, .askForToken), .didEnter(.sending, .send)])
    }

    /// The call whose result is awaited; nil if none is.
    var call: CallID? { calls.current }

    private var isFinished: Bool { life.state == .finished }

    /// When `timePassed` is to be the next input at the latest; nil if it is finished.
    var nextDeadline: MachineTimestamp? {
        guard !isFinished else { return nil }
        var deadline = startedAt + settings.timeout
        if let dueAt = life.dueAt { deadline = min(deadline, dueAt) }
        if life.state == .waiting, let retryAt { deadline = min(deadline, retryAt) }
        return deadline
    }

    mutating func handle(_ input: Input, at time: MachineTimestamp) -> [Directive] {
        now = max(now, time)
        passTime()
        switch input {
        case .start: fire(.start)
        case .timePassed: break
        case .token(let id, let credential): if id == call { authorized(credential) }
        case .tokenFailed(let id, let text, let isFinal): if id == call { tokenFailed(text, isFinal) }
        case .response(let id, let response): if id == call { received(response) }
        case .failed(let id, let error): if id == call { failed(error) }
        case .cancel: giveUp(.cancelled)
        }
        defer { directives = [] }
        return directives
    }

    private mutating func passTime() {
        for step in life.advance(to: now) {
            if step.from == .sending { hasUnansweredAttempt = true }
            failure = .timeout
            perform(step)
            wait(after: nil)
        }
        if now >= startedAt + settings.timeout { return giveUp(failure) }
        if life.state == .waiting, let retryAt, retryAt <= now { fire(.retry) }
    }

    @discardableResult
    private mutating func fire(_ event: Definition.Event) -> Bool {
        guard let step = life.fire(event, at: now) else { return false }
        perform(step)
        return true
    }

    private mutating func perform(_ step: Step<Definition>) {
        for effect in step.effects {
            switch effect {
            case .askForToken: directives.append(.askForToken(calls.begin(at: now), rejected: token.rejected))
            case .send: directives.append(.send(calls.begin(at: now), request.call(token.credential, settings)))
            case .abandon:
                guard let call = calls.end() else { break }
                directives.append(.abandon(call))
                if step.from == .sending { hasUnansweredAttempt = true }
            }
        }
    }

    // MARK: - Tokens

    private mutating func authorized(_ credential: Credential?) {
        switch token.provided(credential) {
        case .use: fire(.send)
        case .refusedAgain(let problem): refuse(problem)
        case .differentUser: giveUp(.differentUser)
        }
    }

    private mutating func tokenFailed(_ text: String, _ isFinal: Bool) {
        calls.end()
        if isFinal { return giveUp(.signedOut) }
        failure = .token(text)
        retry(after: nil)
    }

    // MARK: - Responses

    private mutating func received(_ response: HTTPResponse) {
        calls.end()
        let isReplay = response.head.header("Idempotency-Replayed") != nil
        if response.head.isSuccess {
            guard response.head.status == 204 || response.head.mediaType == "application/json" else {
                return uncertain(.unexpectedResponse(status: response.head.status), after: nil)
            }
            if !isReplay { observe(response) }
            return finish(.done(response, isReplay: isReplay))
        }
        let problem = Problem(response)
        if let time = problem.receipt?.serverTime {
            directives.append(.observe(ClockSample(time: time, sentAt: calls.sentAt, receivedAt: now)))
        }
        switch problem.status {
        case 401 where problem.isFromService: unauthorized(problem)
        case 429 where problem.isFromService && problem.retryAfter != nil:
            failure = .service(problem)
            retry(after: problem.retryAfter)
        case 500 where problem.isFromService && problem.code == .internalError: refuse(problem)
        case 503 where problem.isFromService && Self.nothingChanged.contains(problem.code):
            failure = .service(problem)
            retry(after: problem.retryAfter)
        case 408, 425, 500...599: uncertain(.service(problem), after: problem.retryAfter)
        case 400...499 where problem.isFromService: refuse(problem)
        default: uncertain(.unexpectedResponse(status: problem.status), after: problem.retryAfter)
        }
    }

    /// Codes that promise that the command was not carried out. Those of a server that stops do not: it may have begun.
    static let nothingChanged: Set<ProblemCode> = [
        "service.unavailable", "service.overloaded", "service.too_many_reads", "service.stale", "server.busy",
        "connection.too_many", "idempotency.too_many_keys", "response.too_many_bytes", "media.unavailable", "media.disk_full",
        "media.too_many_uploads", "log.full",
    ]

    private mutating func unauthorized(_ problem: Problem) {
        if token.refused(problem) { fire(.renew) } else { refuse(problem) }
    }

    private mutating func failed(_ error: TransportError) {
        calls.end()
        switch error {
        case .notSent:
            failure = .network(error)
            retry(after: nil)
        case .invalidAddress: giveUp(.network(error))
        case .responseTooLarge:
            hasUnansweredAttempt = true
            giveUp(.network(error))
        default: uncertain(.network(error), after: nil)
        }
    }

    /// The attempt may have been carried out, and there is no response that says so.
    private mutating func uncertain(_ failure: ExchangeFailure, after retryAfter: Duration?) {
        hasUnansweredAttempt = true
        self.failure = failure
        retry(after: retryAfter)
    }

    private mutating func retry(after retryAfter: Duration?) {
        guard fire(.failed) else { return }
        wait(after: retryAfter)
    }

    private mutating func wait(after retryAfter: Duration?) {
        let next = now + backoff.next(after: retryAfter)
        retryAt = next
        // There must not be another attempt, or there is no time for one.
        if request.isTriedOnce || next >= startedAt + settings.timeout { giveUp(failure) }
    }

    // MARK: - Ends

    private mutating func refuse(_ problem: Problem) {
        finish(.refused(Refusal(problem: problem, mayStillBeCarriedOut: request.isCommand && hasUnansweredAttempt)))
    }

    private mutating func giveUp(_ failure: ExchangeFailure) {
        guard !isFinished else { return }
        fire(.finish)
        guard !hasUnansweredAttempt, case .service(let problem) = failure else {
            return directives.append(.finish(.failed(failure, mayHaveBeenCarriedOut: hasUnansweredAttempt)))
        }
        directives.append(.finish(.refused(Refusal(problem: problem, mayStillBeCarriedOut: false))))
    }

    private mutating func finish(_ result: ExchangeResult) {
        guard fire(.finish) else { return }
        directives.append(.finish(result))
    }

    private mutating func observe(_ response: HTTPResponse) {
        guard let json = JSONValue(readable: response.body),
            let text = (json["serverTime"] ?? json["receipt"]?["serverTime"])?.string, let time = ServerTime(rfc3339: text)
        else { return }
        directives.append(.observe(ClockSample(time: time, sentAt: calls.sentAt, receivedAt: now)))
    }
}
