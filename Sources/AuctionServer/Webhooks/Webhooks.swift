internal import AuctionService
internal import EventLog
internal import Logging
package import OutboundHTTP
internal import Synchronization

/// Which endpoints an operator allows.
package struct WebhookOptions: Sendable {
    /// Most endpoints.
    package var limit = 20
    /// Hosts and addresses that are allowed beside public ones, also without encryption.
    package var allowed: [AddressException] = []

    package init() {}
}

/// Sends the events of rooms to the operator's endpoints, on a thread of its own.
final class Webhooks: Sendable {
    /// Milliseconds between two checks for events; without an endpoint to send to, between two checks for endpoints.
    private static let pauses = (busy: 18, idle: 2000)
    /// Milliseconds between two turns at least: several answers are taken together.
    private static let rest = 2

    /// Where messages may go.
    let policy: AddressPolicy
    /// Most endpoints.
    let limit: Int
    let outlet: WebhookOutlet
    private let tail: FeedTail
    private let clock: any ServiceClock
    private let logger: Logger
    private let isStopping = Atomic<Bool>(false)
    private let thread = PeriodicThread(name: "webhooks")

    /// - Parameter onNotice: Is called once the feed has the pause of an endpoint.
    init(
        _ options: WebhookOptions, _ tail: FeedTail, clock: any ServiceClock, logger: Logger,
        onNotice: @escaping @Sendable () -> Void
    ) {
        policy = .publicAddresses(except: options.allowed)
        limit = options.limit
        outlet = WebhookOutlet(OutboundWebhookTransport(policy, endpoints: options.limit), onNotice: onNotice)
        (self.tail, self.clock, self.logger) = (tail, clock, logger)
    }

    func start() {
        thread.start { [self] in
            PeriodicThread.yieldToOthers()
            let runner = WebhookRunner(
                tail, clock: clock, isShared: tail.log is any SharedEventLog, outlet: outlet, logger: logger,
                node: UInt64.random(in: 1 ... .max))
            while !isStopping.load(ordering: .sequentiallyConsistent) {
                let isBusy = runner.takeTurn()
                guard thread.pause(milliseconds: Self.rest) else { break }
                outlet.wait(milliseconds: isBusy ? Self.pauses.busy : Self.pauses.idle)
            }
            runner.finish()
        }
    }

    /// Ends what is in flight, which is sent again by whichever node takes over, and writes what was delivered.
    func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        outlet.poke()
        _ = thread.stop()
        outlet.stop()
    }
}

/// What connects the thread with those who answer, and with those who change endpoints.
final class WebhookOutlet: Sendable {
    /// What came of a delivery.
    struct Answer: Sendable {
        let webhook: String
        let generation: Int
        let key: DeliveryKey
        let answer: WebhookAnswer
    }

    private struct State {
        var answers: [Answer] = []
        var isPoked = false
    }

    let counters = WebhookCounters()
    /// Is called once the feed has the pause of an endpoint.
    let onNotice: @Sendable () -> Void
    private let transport: any WebhookTransport
    private let state = Mutex(State())
    private let arrival = MonotonicSemaphore()

    init(_ transport: any WebhookTransport, onNotice: @escaping @Sendable () -> Void = {}) {
        (self.transport, self.onNotice) = (transport, onNotice)
    }

    /// Sends a message, and keeps what comes of it for the thread.
    func send(_ request: WebhookRequest, _ key: DeliveryKey, of webhook: String, _ generation: Int) {
        transport.send(request) { [weak self] answer in
            guard let self else { return }
            let isFirst = state.withLock { state in
                state.answers.append(Answer(webhook: webhook, generation: generation, key: key, answer: answer))
                return state.answers.count == 1
            }
            if isFirst { arrival.signal() }
        }
    }

    /// Sends a message for an operator who waits.
    func test(_ request: WebhookRequest, completion: @escaping @Sendable (WebhookAnswer) -> Void) {
        transport.send(request, completion: completion)
    }

    /// Endpoints were changed: they are read at once.
    func poke() {
        state.withLock { $0.isPoked = true }
        arrival.signal()
    }

    /// What has come, and whether endpoints were changed.
    func take() -> (answers: [Answer], isPoked: Bool) {
        state.withLock { state in
            defer { state = State() }
            return (state.answers, state.isPoked)
        }
    }

    /// Waits for something to take.
    func wait(milliseconds: Int) { arrival.wait(milliseconds: milliseconds) }

    /// Ends what is in flight.
    func stop() { transport.stop() }
}

/// Figures of the endpoints that this node sends to, and of all.
struct WebhookCounters: Sendable {
    private enum Figure: Int, CaseIterable { case delivered, parked, failed, waiting, active, paused }

    private let block = CounterBlock(count: Figure.allCases.count)

    func count(_ result: WebhookEngine.Result) {
        switch result {
        case .delivered: block.add(to: Figure.delivered.rawValue)
        case .parked: block.add(to: Figure.parked.rawValue)
        case .failed: block.add(to: Figure.failed.rawValue)
        case .unsent: break
        }
    }

    func set(parked: Int) { set(.waiting, parked) }

    func set(active: Int, paused: Int) {
        set(.active, active)
        set(.paused, paused)
    }

    /// By the one thread that writes it.
    private func set(_ figure: Figure, _ value: Int) {
        block.add(Int64(value) - block[figure.rawValue], to: figure.rawValue)
    }

    func write(to text: inout MetricsText) {
        text.family(
            "auction_webhook_attempts_total", .counter, "Attempts of this node to deliver an event, by what came of them.")
        text.sample("auction_webhook_attempts_total", ["result": "delivered"], block[Figure.delivered.rawValue])
        text.sample("auction_webhook_attempts_total", ["result": "to_be_repeated"], block[Figure.parked.rawValue])
        text.sample("auction_webhook_attempts_total", ["result": "failed_for_good"], block[Figure.failed.rawValue])
        text.single(
            "auction_webhook_deliveries_parked", .gauge, "Deliveries that this node is to repeat.",
            block[Figure.waiting.rawValue])
        text.family("auction_webhooks", .gauge, "Endpoints of webhooks.")
        text.sample("auction_webhooks", ["state": "active"], block[Figure.active.rawValue])
        text.sample("auction_webhooks", ["state": "paused"], block[Figure.paused.rawValue])
    }
}
