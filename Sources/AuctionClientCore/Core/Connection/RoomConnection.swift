import StateMachines

/// Follows one room: the whole protocol as values. Inputs and the time come in, directives go out; the shell carries them out.
///
/// Its parts own what they decide from; only here do they meet. `ConnectionMachine` is the connection's life.
struct RoomConnection: Sendable {
    typealias CallID = CallNumbers.CallID

    /// What happened outside.
    enum Input: Sendable {
        case start, stop, pause, resume, networkReturned, timePassed
        case token(CallID, Credential?)
        /// The provider failed; `isFinal` if asking again is of no use.
        case tokenFailed(CallID, String, isFinal: Bool)
        case response(CallID, HTTPResponse)
        case failed(CallID, TransportError)
        case head(CallID, HTTPHead)
        case bytes(CallID, [UInt8])
        case ended(CallID)
    }

    /// What the shell is to do.
    enum Directive: Hashable, Sendable {
        /// Ask the provider; `rejected` is the token that the service refused.
        case askForToken(CallID, rejected: RejectedCredential?)
        case send(CallID, HTTPCall)
        case open(CallID, HTTPCall)
        case cancel(CallID)
        case observe(ClockSample)
        case publish(ConnectionState)
    }

    /// A stream that has been live for so long shows that nothing on the way holds bytes back.
    private static let deliveryTime: Duration = .seconds(10)

    private let settings: ConnectionSettings
    private let requests: RoomRequests
    private(set) var life: RunningMachine<ConnectionMachine>
    private var now: MachineTimestamp
    private var output = ConnectionOutput()
    private(set) var calls: CallNumbers
    private var token = CallerToken()
    private var transports: TransportChoice
    private(set) var stream = StreamResponse.none
    private var details: DetailsReading
    // The simulation's planted bugs change the next two.
    var reconnection: Reconnection
    var followed: FollowedRoom

    init(
        room: String, start: FollowStart, settings: ConnectionSettings, language: String, seed: UInt64, at now: MachineTimestamp
    ) {
        self.settings = settings
        self.now = now
        requests = RoomRequests(room: room, language: language, settings: settings)
        life = RunningMachine(ConnectionMachine.machine(settings), at: now)
        calls = CallNumbers(at: now)
        transports = TransportChoice(settings)
        details = DetailsReading(settings, at: now)
        reconnection = Reconnection(settings, seed: seed, at: now)
        followed = FollowedRoom(start, settings)
    }

    var room: String { requests.room }

    /// The latest state, whether or not its update was taken; nil until the room was read.
    var state: RoomState? { followed.state }

    /// Why it ended; nil while it has not.
    var stopReason: StopReason? {
        guard case .stopped(let reason) = output.published else { return nil }
        return reason
    }

    /// When `timePassed` is to be the next input at the latest; nil if nothing is due.
    var nextDeadline: MachineTimestamp? {
        let retry = life.state == .waiting ? reconnection.retryAt : nil
        let reading = life.state == .live ? details.deadline : nil
        return [life.dueAt, retry, reading].compactMap(\.self).min()
    }

    /// Takes what happened, and returns what is to be done. Times that go backwards are taken as the latest time so far.
    mutating func handle(_ input: Input, at time: MachineTimestamp) -> [Directive] {
        now = max(now, time)
        passTime()
        switch input {
        case .start: if life.state == .idle { begin(.start) }
        case .stop: stop(.requested)
        case .pause: if fire(.pause) { output.publish(.paused) }
        case .resume: resume()
        case .networkReturned: if let event = reconnection.networkReturned(in: life.state, at: now) { begin(event) }
        case .timePassed: break
        case .response(let id, let response) where id == details.call: receivedDetails(response)
        case .failed(let id, _) where id == details.call: details.failed(at: now)
        case .token(let id, let credential): if id == calls.current { authorized(credential) }
        case .tokenFailed(let id, let text, let isFinal): if id == calls.current { tokenFailed(text, isFinal) }
        case .response(let id, let response): if id == calls.current { received(response) }
        case .failed(let id, let error): if id == calls.current { failed(error) }
        case .head(let id, let head): if id == calls.current { opened(head) }
        case .bytes(let id, let bytes): if id == calls.current { received(bytes) }
        case .ended(let id): if id == calls.current { streamEnded() }
        }
        return output.take()
    }

    /// The oldest update that was not taken yet, and what is to be done because there is room for more.
    mutating func takeUpdate(at time: MachineTimestamp) -> (update: RoomUpdate?, directives: [Directive]) {
        now = max(now, time)
        let update = followed.takeUpdate()
        if life.state == .saturated, followed.isHalfEmpty { begin(.drained) }
        return (update, output.take())
    }

    // MARK: - The machine

    private mutating func passTime() {
        for step in life.advance(to: now) { timedOut(step) }
        if life.state == .waiting, let retryAt = reconnection.retryAt, retryAt <= now { begin(.retry) }
        if life.state == .live { readDetailsIfDue() }
    }

    private mutating func timedOut(_ step: Step<ConnectionMachine>) {
        perform(step.effects)
        switch step.from {
        case .live:
            if transports.current == .serverSentEvents { transports.noteFruitless(at: now) }
            wait(.stalled)
        case .opening:
            // A refusal whose body did not arrive in full counts.
            let refusal = stream.takeRefusal()
            if refusal == nil { transports.noteFruitless(at: now) }
            wait(refusal.map { .service($0) } ?? .timeout, after: refusal?.retryAfter)
        default: wait(.timeout)
        }
    }

    /// Fires an event. One that the state does not expect changes nothing and returns false.
    @discardableResult
    private mutating func fire(_ event: ConnectionMachine.Event) -> Bool {
        guard let step = life.fire(event, at: now) else { return false }
        perform(step.effects)
        return true
    }

    /// An event that begins an attempt.
    private mutating func begin(_ event: ConnectionMachine.Event) {
        if event == .resume || event == .start { reconnection.succeeded() }
        output.publish(.connecting(attempt: reconnection.attempt))
        fire(event)
    }

    private mutating func resume() {
        guard life.state == .paused else { return }
        guard let wait = reconnection.remainingWait(at: now) else { return begin(.resume) }
        fire(.postpone)
        output.publish(wait)
    }

    private mutating func perform(_ effects: [ConnectionMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .askForToken: output.append(.askForToken(calls.begin(at: now), rejected: token.rejected))
            case .readRoom: output.append(.send(calls.begin(at: now), requests.read(with: token.credential)))
            case .openTransport: openTransport()
            case .cancelCalls:
                output.cancel(calls.end())
                output.cancel(details.end())
            }
        }
    }

    private mutating func openTransport() {
        reconnection.received(at: now)
        switch transports.current {
        case .serverSentEvents:
            stream = .events(EventStreamParser(limit: settings.maximumEventBytes))
            output.append(.open(calls.begin(at: now), requests.stream(after: followed.after, with: token.credential)))
        case .longPoll:
            stream = .none
            poll(waits: false)
        }
    }

    private mutating func poll(waits: Bool) {
        let call = requests.poll(after: followed.after, waits: waits, space: followed.space, with: token.credential)
        output.append(.send(calls.begin(at: now), call))
    }

    // MARK: - Responses

    private mutating func authorized(_ credential: Credential?) {
        guard life.state == .authorizing else { return }
        if let refusal = token.provided(credential, at: now) { return stop(.unauthorized(refusal)) }
        calls.end()
        fire(followed.state == nil ? .load : .open)
    }

    private mutating func tokenFailed(_ text: String, _ isFinal: Bool) {
        calls.end()
        if isFinal { stop(.signedOut) } else { lose(.token(text)) }
    }

    private mutating func received(_ response: HTTPResponse) {
        calls.end()
        guard response.head.isSuccess else { return refused(Problem(response)) }
        switch life.state {
        case .loading: loaded(response)
        case .opening, .live: receivedPage(response)
        default: break
        }
    }

    private mutating func failed(_ error: TransportError) {
        calls.end()
        if let refusal = stream.takeRefusal() { return refused(refusal) }
        if case .invalidAddress(let address) = error { return stop(.invalidAddress(address)) }
        if life.state == .opening, transports.current == .serverSentEvents, case .interrupted = error {
            transports.noteFruitless(at: now)
        }
        lose(.network(error))
    }

    private mutating func refused(_ problem: Problem) {
        switch RefusedAttempt(problem, over: transports.current) {
        case .token:
            guard token.refused(problem, at: now) else { return stop(.unauthorized(problem)) }
            // Publishes it too: a poll is refused while the connection is live, and the provider may take its time.
            begin(.restart)
        case .retry(let reason, let retryAfter): lose(reason, after: retryAfter)
        case .noStreams:
            transports.noteRefused(at: now)
            lose(.service(problem))
        case .behind: serviceIsBehind()
        case .stop(let reason) where reconnection.isFinal(problem, at: now): stop(reason)
        case .stop:
            let reason = WaitReason.unexpectedResponse(status: problem.status, mediaType: "")
            lose(reason, after: problem.retryAfter, isUnattributed: true)
        }
    }

    private mutating func serviceIsBehind() {
        if followed.noteBehind() { stop(.historyReplaced(seen: followed.after)) } else { lose(.serviceIsBehind) }
    }

    private mutating func loaded(_ response: HTTPResponse) {
        guard let (json, room) = Self.room(in: response) else { return loseUnexpected(response) }
        observe(json, sentAt: calls.sentAt)
        if followed.begin(with: room) { fire(.open) } else { serviceIsBehind() }
    }

    /// The room that was read, and the JSON that it came as; nil if the response is something else.
    private static func room(in response: HTTPResponse) -> (json: JSONValue, room: RoomState)? {
        guard let json = response.json else { return nil }
        do throws(MalformedJSON) { return (json, try RoomState(json)) } catch { return nil }
    }

    private mutating func receivedPage(_ response: HTTPResponse) {
        guard let json = response.json, let events = json["events"]?.elements else { return loseUnexpected(response) }
        reconnection.received(at: now)
        noteLive()
        reconnection.succeeded()
        observe(json, sentAt: calls.sentAt)
        for event in events {
            guard take(event, bytes: response.body.count / max(1, events.count)) else { return }
        }
        followed.take(viewers: json["presence"]?["viewers"])
        saturateIfFull()
        guard life.state == .live else { return }
        if transports.returnToPreferredIfDue(at: now) { return begin(.restart) }
        poll(waits: json["more"]?.bool != true)
    }

    // MARK: - Server-sent events

    private mutating func opened(_ head: HTTPHead) {
        guard life.state == .opening, transports.current == .serverSentEvents else { return }
        if !head.isSuccess {
            stream = .refusal(HTTPResponse(head: head))
        } else if head.mediaType != "text/event-stream" {
            transports.noteFruitless(at: now)
            lose(.unexpectedResponse(status: head.status, mediaType: head.mediaType))
        }
    }

    private mutating func received(_ bytes: [UInt8]) {
        guard life.state == .opening || life.state == .live else { return }
        reconnection.received(at: now)
        switch stream.received(bytes) {
        case .partOfRefusal: break
        case .refusal(let problem): refused(problem)
        case .items(let items):
            noteLive()
            if reconnection.wasLive(for: Self.deliveryTime, at: now) { transports.noteDelivered() }
            take(items)
        }
    }

    private mutating func take(_ items: [StreamResponse.Item]) {
        for item in items {
            switch item {
            case .notice(let json):
                observe(json, sentAt: nil)
                followed.take(viewers: json["viewers"])
            case .event(let json, let bytes): guard take(json, bytes: bytes) else { return }
            case .unreadable: return loseUnreadable()
            }
        }
        saturateIfFull()
    }

    private mutating func streamEnded() {
        calls.end()
        if let problem = stream.takeRefusal() { return refused(problem) }
        if life.state == .opening { transports.noteFruitless(at: now) }
        lose(.ended)
    }

    // MARK: - Events

    /// A part of the stream, or a page, arrived: the connection is live.
    private mutating func noteLive() {
        if fire(.received) { return }
        fire(.opened)
        reconnection.becameLive(at: now)
        token.accepted()
        followed.noteCurrent()
        output.publish(.live(transports.current))
        details.becameLive(with: followed.state, at: followed.after)
    }

    /// Takes an event; false if the attempt has ended with it.
    private mutating func take(_ event: JSONValue, bytes: Int) -> Bool {
        switch followed.take(event: event, bytes: bytes, for: token.follower, &details) {
        case .repeated: break
        case .buffered: reconnection.succeeded()
        case .archived: stop(.archived)
        case .unreadable: loseUnreadable()
        case .gap(let expected, let received): lose(.gap(expected: expected, received: received))
        }
        return life.state == .live
    }

    private mutating func loseUnreadable() {
        if let seq = followed.noteUnreadable() { stop(.unreadableEvent(seq: seq)) } else { lose(.unreadable) }
    }

    private mutating func saturateIfFull() {
        if followed.isFull, fire(.saturate) { output.publish(.waitingForReader) }
    }

    /// Passes a time of the server on; `sentAt` is nil for a notice.
    private mutating func observe(_ json: JSONValue, sentAt: MachineTimestamp?) {
        guard let time = json["serverTime"]?.string.flatMap(ServerTime.init(rfc3339:)) else { return }
        output.append(.observe(ClockSample(time: time, sentAt: sentAt, receivedAt: now)))
    }

    // MARK: - Details

    private mutating func readDetailsIfDue() {
        switch details.due(at: now) {
        case nil: break
        case .cancel(let call): output.cancel(call)
        case .read:
            let call = calls.beginBeside()
            details.began(call, at: now)
            output.append(.send(call, requests.read(with: token.credential)))
        }
    }

    private mutating func receivedDetails(_ response: HTTPResponse) {
        guard response.head.isSuccess, let (json, room) = Self.room(in: response) else { return details.failed(at: now) }
        details.end()
        observe(json, sentAt: details.sentAt)
        followed.take(room, &details)
    }

    // MARK: - Ends of attempts

    /// The attempt has failed: the next one follows after a delay.
    private mutating func lose(_ reason: WaitReason, after retryAfter: Duration? = nil, isUnattributed: Bool = false) {
        if fire(.lost) { wait(reason, after: retryAfter, isUnattributed: isUnattributed) }
    }

    private mutating func loseUnexpected(_ response: HTTPResponse) {
        lose(.unexpectedResponse(status: response.head.status, mediaType: response.head.mediaType))
    }

    private mutating func wait(_ reason: WaitReason, after retryAfter: Duration? = nil, isUnattributed: Bool = false) {
        let delay = reconnection.lost(reason, after: retryAfter, isUnattributed: isUnattributed, at: now)
        output.publish(.waiting(reason, delay: delay))
    }

    private mutating func stop(_ reason: StopReason) {
        if fire(.stop) { output.publish(.stopped(reason)) }
    }
}
