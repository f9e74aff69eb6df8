internal import AuctionDomain
internal import AuctionService
internal import Logging
internal import Synchronization

/// Notifies the RTC service of who may do what, on a thread of its own: no command waits for it.
final class Voice: Sendable {
    /// Milliseconds between two checks for events; without the lease, for the lease.
    private static let pauses = (busy: 20, idle: 500)

    let outlet: VoiceOutlet
    private let logger: Logger
    private let clock: any ServiceClock
    private let isStopping = Atomic<Bool>(false)
    private let thread = PeriodicThread(name: "voice")

    init(_ transport: any VoiceTransport, clock: any ServiceClock, logger: Logger) {
        outlet = VoiceOutlet(transport)
        (self.clock, self.logger) = (clock, logger)
    }

    func start(_ service: RoomService, _ users: UserRestrictions) {
        thread.start { [self] in
            let runner = VoiceRunner(
                service, users, clock: clock, outlet: outlet, logger: logger, node: UInt64.random(in: 1 ... .max))
            while !isStopping.load(ordering: .sequentiallyConsistent) {
                let isBusy = runner.takeTurn()
                guard thread.isRunning else { break }
                outlet.wait(milliseconds: isBusy ? Self.pauses.busy : Self.pauses.idle)
            }
            runner.finish()
        }
    }

    /// Ends what is in flight, and leaves the rest to the next start or another node.
    func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        outlet.poke()
        _ = thread.stop()
        outlet.stop()
    }
}

/// What connects the thread with the answers of the RTC service.
final class VoiceOutlet: Sendable {
    let counters = VoiceCounters()
    private let transport: any VoiceTransport
    private let answers = Mutex<[(VoiceCall, VoiceResponse)]>([])
    private let arrival = MonotonicSemaphore()

    init(_ transport: any VoiceTransport) { self.transport = transport }

    /// Makes a call, and keeps what comes of it for the thread.
    func send(_ call: VoiceCall, at now: Timestamp) {
        transport.send(call, at: now) { [weak self] response in
            guard let self else { return }
            answers.withLock { $0.append((call, response)) }
            arrival.signal()
        }
    }

    /// What has come.
    func take() -> [(VoiceCall, VoiceResponse)] {
        answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }

    /// Waits for something to take.
    func wait(milliseconds: Int) { arrival.wait(milliseconds: milliseconds) }

    /// Ends the wait.
    func poke() { arrival.signal() }

    /// Ends what is in flight.
    func stop() { transport.stop() }
}

/// Figures of the calls of this node.
struct VoiceCounters: Sendable {
    private enum Figure: Int, CaseIterable { case done, refused, failed, waiting, delays, milliseconds }

    private let block = CounterBlock(count: Figure.allCases.count)

    /// - Parameter now: When the answer came, for the delay after the event.
    func count(_ response: VoiceResponse, to call: VoiceCall, at now: Timestamp) {
        switch response {
        case .done, .participants:
            add(.done)
            guard let since = call.since else { return }
            add(.delays)
            add(.milliseconds, max(0, now.milliseconds(since: since)))
        case .refused: add(.refused)
        case .failed: add(.failed)
        case .unsent: break
        }
    }

    /// By the one thread that writes it.
    func set(waiting: Int) { add(.waiting, Int64(waiting) - block[Figure.waiting.rawValue]) }

    private func add(_ figure: Figure, _ amount: Int64 = 1) { block.add(amount, to: figure.rawValue) }

    func write(to text: inout MetricsText) {
        text.family("auction_voice_calls_total", .counter, "Calls of this node to the RTC service, by what came of them.")
        text.sample("auction_voice_calls_total", ["result": "done"], block[Figure.done.rawValue])
        text.sample("auction_voice_calls_total", ["result": "refused"], block[Figure.refused.rawValue])
        text.sample("auction_voice_calls_total", ["result": "failed"], block[Figure.failed.rawValue])
        text.single(
            "auction_voice_calls_waiting", .gauge, "Calls that wait, or whose answers do.", block[Figure.waiting.rawValue])
        text.single(
            "auction_voice_changes_total", .counter, "Changes that the RTC service was notified of.",
            block[Figure.delays.rawValue])
        text.family(
            "auction_voice_delay_seconds_total", .counter, "From the events of these changes to the answers, all together.")
        text.sample("auction_voice_delay_seconds_total", [:], seconds: Double(block[Figure.milliseconds.rawValue]) / 1000)
    }
}
