import StateMachines

/// Follows one room: the whole protocol as values. Inputs and the time come in, directives go out; the shell carries them out.
///
/// - The cursor is the seq of the last event that was put into the buffer. Every attempt asks for what follows it, an event at or
///   before it is dropped, and one beyond the next ends the attempt. So each event is buffered once, in order, whatever the
///   network does.
/// - Every request has an id; what arrives for another than the current one is ignored.
struct RoomConnection: Sendable {
    typealias CallID = UInt64

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

    let room: String
    let settings: ConnectionSettings
    let language: String
    private let machine: Machine<ConnectionMachine>
    var running: Configuration<ConnectionMachine.State>
    var now: MachineTimestamp
    var random: RandomSequence
    var directives: [Directive] = []

    /// Seq of the last event that was buffered; nil until the room was read.
    var cursor: Int64?
    var state: RoomState?
    /// A state that was read and is ahead of the cursor; it replaces the other when the cursor has reached it.
    var ahead: RoomState?
    var buffer: UpdateBuffer
    var details: DetailsReading

    var call: CallID?
    var callSentAt: MachineTimestamp
    private var lastCall: CallID = 0
    var credential: Credential?
    /// Whose credential it is.
    var follower = Follower.anonymous
    /// When the provider was last asked again; nil if the service has accepted a request since.
    var renewedAt: MachineTimestamp?
    /// Why the current token was refused; nil if it was not.
    var rejection: Problem?

    var transportIndex = 0
    /// Attempts in a row in which the preferred transport delivered nothing in time.
    var fruitlessStreams = 0
    var leftPreferredAt: MachineTimestamp?
    /// Since when it has been live; nil while it is not.
    var liveSince: MachineTimestamp?
    var lastReceivedAt: MachineTimestamp
    var parser: EventStreamParser
    /// The response that refused the stream, while its body arrives.
    var refusal: HTTPResponse?

    var backoff: Backoff
    var retryAt: MachineTimestamp?
    /// Until when the service asked not to be asked; neither a returned network nor the app's wish undercuts it.
    var notBefore: MachineTimestamp?
    /// Why the latest attempt failed.
    private var waitReason = WaitReason.timeout
    /// Since when every attempt has been refused by something other than the service.
    var unattributedSince: MachineTimestamp?
    var behindRefusals = 0
    var unreadable: (seq: Int64, count: Int) = (0, 0)
    private(set) var published: ConnectionState = .idle

    init(
        room: String, start: FollowStart, settings: ConnectionSettings, language: String, seed: UInt64, at now: MachineTimestamp
    ) {
        self.room = room
        self.settings = settings
        self.language = language
        machine = ConnectionMachine.machine(settings)
        running = machine.start(at: now)
        self.now = now
        random = RandomSequence(seed: seed)
        if case .after(let seq) = start { cursor = max(0, seq) }
        buffer = UpdateBuffer(settings)
        details = DetailsReading(nextAt: now)
        callSentAt = now
        lastReceivedAt = now
        parser = EventStreamParser(limit: settings.maximumEventBytes)
        backoff = Backoff(base: settings.firstDelay, maximum: settings.maximumDelay)
    }

    var transport: RoomTransport {
        settings.transports.isEmpty ? .longPoll : settings.transports[transportIndex % settings.transports.count]
    }

    /// Why it ended; nil while it has not.
    var stopReason: StopReason? {
        guard case .stopped(let reason) = published else { return nil }
        return reason
    }

    /// When `timePassed` is to be the next input at the latest; nil if nothing is due.
    var nextDeadline: MachineTimestamp? {
        var deadline = running.dueAt
        if running.state == .waiting, let retryAt { deadline = min(deadline ?? retryAt, retryAt) }
        if let detailsDeadline { deadline = min(deadline ?? detailsDeadline, detailsDeadline) }
        return deadline
    }

    /// Takes what happened, and returns what is to be done. Times that go backwards are taken as the latest time so far.
    mutating func handle(_ input: Input, at time: MachineTimestamp) -> [Directive] {
        now = max(now, time)
        passTime()
        switch input {
        case .start: if running.state == .idle { begin(.start) }
        case .stop: stop(.requested)
        case .pause: pause()
        case .resume: resume()
        case .networkReturned: networkReturned()
        case .timePassed: break
        case .token(let id, let credential): if id == call { authorized(credential) }
        case .tokenFailed(let id, let text, let isFinal): if id == call { tokenFailed(text, isFinal) }
        case .response(let id, let response): received(response, for: id)
        case .failed(let id, let error): failed(id, error)
        case .head(let id, let head): if id == call { opened(head) }
        case .bytes(let id, let bytes): if id == call { received(bytes) }
        case .ended(let id): if id == call { streamEnded() }
        }
        return takeDirectives()
    }

    /// The oldest update that was not taken yet, and what is to be done because there is room for more.
    mutating func takeUpdate(at time: MachineTimestamp) -> (update: RoomUpdate?, directives: [Directive]) {
        now = max(now, time)
        let update = buffer.take()
        if running.state == .saturated, buffer.isHalfEmpty { begin(.drained) }
        return (update, takeDirectives())
    }

    private mutating func takeDirectives() -> [Directive] {
        defer { directives = [] }
        return directives
    }

    // MARK: - The machine

    private mutating func passTime() {
        for step in machine.advance(&running, to: now) { timedOut(in: step.from, step.effects) }
        if running.state == .waiting, let retryAt, retryAt <= now { begin(.retry) }
        readDetailsIfDue()
    }

    private mutating func timedOut(in state: ConnectionMachine.State, _ effects: [ConnectionMachine.Effect]) {
        perform(effects)
        switch state {
        case .live:
            if transport == .serverSentEvents { noteFruitlessStream() }
            wait(.stalled, after: nil)
        case .opening:
            // A refusal whose body did not arrive in full counts.
            let refusal = takeRefusal()
            if refusal == nil { noteFruitlessStream() }
            wait(refusal.map { .service($0) } ?? .timeout, after: refusal?.retryAfter)
        default: wait(.timeout, after: nil)
        }
    }

    /// Fires an event; one that the state does not expect changes nothing and returns false.
    @discardableResult
    mutating func fire(_ event: ConnectionMachine.Event) -> Bool {
        let step: Step<ConnectionMachine>
        do throws(Refused<ConnectionMachine>) { step = try machine.fire(event, on: &running, at: now) } catch { return false }
        perform(step.effects)
        return true
    }

    /// An event that begins an attempt.
    mutating func begin(_ event: ConnectionMachine.Event) {
        if event == .resume || event == .start { backoff.reset() }
        publish(.connecting(attempt: backoff.failures + 1))
        fire(event)
    }

    private mutating func perform(_ effects: [ConnectionMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .askForToken:
                directives.append(
                    .askForToken(beginCall(), rejected: rejection.map { _ in RejectedCredential(credential: credential) }))
            case .readRoom: directives.append(.send(beginCall(), roomCall()))
            case .openTransport: openTransport()
            case .cancelCalls: cancelCalls()
            }
        }
    }

    // MARK: - Calls

    mutating func beginCall() -> CallID {
        lastCall += 1
        call = lastCall
        callSentAt = now
        return lastCall
    }

    mutating func beginDetailsCall() -> CallID {
        lastCall += 1
        return lastCall
    }

    private mutating func cancelCalls() {
        if let call { directives.append(.cancel(call)) }
        call = nil
        if let reading = details.call { directives.append(.cancel(reading)) }
        details.call = nil
    }

    // MARK: - Ends of attempts

    /// A connection that was live for so long was a success, also without an event: the delays begin anew after it.
    static let stableTime: Duration = .seconds(3)

    /// The attempt has failed: the next one follows after a delay.
    mutating func lose(_ reason: WaitReason, after retryAfter: Duration? = nil) {
        guard fire(.lost) else { return }
        wait(reason, after: retryAfter)
    }

    private mutating func wait(_ reason: WaitReason, after retryAfter: Duration?) {
        if let liveSince, now.duration(since: liveSince) >= Self.stableTime { backoff.reset() }
        liveSince = nil
        let delay = backoff.next(after: retryAfter, &random)
        retryAt = now + delay
        notBefore = retryAfter.map { now + $0 }
        waitReason = reason
        unattributedSince = nil
        publish(.waiting(reason, delay: delay))
    }

    mutating func stop(_ reason: StopReason) {
        guard fire(.stop) else { return }
        publish(.stopped(reason))
    }

    private mutating func pause() {
        guard fire(.pause) else { return }
        publish(.paused)
    }

    private mutating func resume() {
        guard running.state == .paused else { return }
        guard let notBefore, let retryAt, notBefore > now else { return begin(.resume) }
        fire(.postpone)
        publish(.waiting(waitReason, delay: retryAt.duration(since: now)))
    }

    private mutating func networkReturned() {
        switch running.state {
        case .waiting:
            if let notBefore, notBefore > now { return }
            backoff.reset()
            begin(.retry)
        case .live, .opening, .loading:
            // Connections of the network before seldom survive; one that has just delivered did.
            guard now.duration(since: lastReceivedAt) > .seconds(2) else { return }
            begin(.restart)
        default: break
        }
    }

    mutating func publish(_ state: ConnectionState) {
        guard state != published else { return }
        published = state
        directives.append(.publish(state))
    }
}
