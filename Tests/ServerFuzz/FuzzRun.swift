import AuctionDomain
import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import ExactJSON
package import HTTPContract
import Logging
import MicroHTTP
import Synchronization

/// One run: a server on one thread in simulated time, some clients, and a sequence of steps that the seed determines.
///
/// Each step has its own seed, so that shrinking can remove steps without changing the remaining ones.
package final class FuzzRun {
    /// The result of a run.
    package struct Report: Sendable {
        /// The violations of the step at which the run stopped; empty if there were none.
        package var findings: [FuzzFinding] = []
        /// Number of HTTP requests and WebSocket messages sent.
        package var requests = 0
        /// Number of responses by `operation status`, such as `placeBid 201`.
        package var statuses: [String: Int] = [:]
    }

    struct Pending {
        let step: Int
        let request: FuzzRequest
        let exchange: ExchangeID
    }

    let options: FuzzOptions
    let contract: Contract
    let budget: FuzzBudget
    let log = InMemoryEventLog()
    let clock = TestClock()
    let serverOptions: ServerOptions
    private let rulebook: RoomRulebook
    private let seeds: @Sendable () -> UInt64
    private let trace: ((String) -> Void)?
    var server: SteppedServer
    var world = FuzzWorld()
    var report = Report()
    var readers: [StreamReader] = []
    var pending: [Int: Pending] = [:]
    private var sent = 0
    /// Index of the current step.
    private(set) var step = 0

    /// - Parameter trace: receives each step before it is executed, so that the last one is known if the process crashes in it.
    package init(_ options: FuzzOptions, _ contract: Contract, _ budget: FuzzBudget, trace: ((String) -> Void)? = nil) throws {
        self.options = options
        self.contract = contract
        self.budget = budget
        self.trace = trace
        rulebook = try RoomRulebook.product()
        let source = Mutex(SeededGenerator(seed: options.seed &+ 1))
        seeds = { source.withLock { $0.word() } }
        serverOptions = Self.serverOptions(options.seed)
        server = try Self.makeServer(serverOptions, log, rulebook, clock, seeds)
    }

    /// Executes the steps up to the first violation, then checks that every pending request is completed.
    package func run() -> Report { run(drains: true) }

    /// - Parameter drains: whether pending requests are completed at the end, after which the server accepts no more requests.
    func run(drains: Bool) -> Report {
        settle()
        for step in options.kept ?? Array(0..<options.steps) where report.findings.isEmpty {
            self.step = step
            var generator = SeededGenerator(seed: options.seed &* 0x1_0000_01B3 &+ UInt64(step))
            take(step, &generator)
            readStreams()
        }
        guard drains else { return report }
        if report.findings.isEmpty { finishPending() }
        server.finish()
        return report
    }

    private func take(_ step: Int, _ generator: inout SeededGenerator) {
        if let request = prelude(step, &generator) { return send(request) }
        switch generator.roll(0...99) {
        case 0..<66: send(request(&generator))
        case 66..<80: message(&generator)
        case 80..<90: advance(&generator)
        case 90..<94: disturbStream(&generator)
        case 94..<96: damaged(&generator)
        case 96..<98: setWallClock(&generator)
        case 98: restart()
        default: hangUp()
        }
    }

    func note(_ what: String) { trace?("\(step): \(what)") }

    func fail(_ rule: FuzzFinding.Rule, _ detail: String) {
        report.findings.append(FuzzFinding(rule, step: step, detail))
    }

    /// Steps the server until it is idle.
    func settle() {
        var count = 0
        while server.step() {
            count += 1
            guard count < 20_000 else { return fail(.answered, "the server does not come to rest") }
        }
    }

    /// Submits a request, steps the server until it is idle, and checks the CPU time against the budget.
    func send(_ request: FuzzRequest) {
        note(request.text)
        report.requests += 1
        sent += 1
        let (number, before) = (sent, FuzzBudget.spent())
        options.bug?.receive(request.wire.body)
        options.bug?.receive(request.wire.headers)
        var outcomes: [DetachedLoop.Outcome] = []
        var isLate = false
        let exchange = server.send(request.wire) { [unowned self] outcome in
            // A waiting poll is completed in a later step.
            if isLate { received(outcome, number, request) } else { outcomes.append(outcome) }
        }
        pending[number] = Pending(step: step, request: request, exchange: exchange)
        settle()
        let spent = FuzzBudget.spent() - before
        isLate = true
        let bytes = outcomes.reduce(request.wire.body.count) { $0 + $1.byteCount }
        check(spent, bytes: bytes + readStreams(), request.text)
        for outcome in outcomes { received(outcome, number, request) }
    }

    func check(_ spent: Int64, bytes: Int, _ what: String) {
        let limit = budget.nanoseconds(bytes: bytes)
        guard spent > limit else { return }
        fail(.budget, "\(spent / 1000) us for \(bytes) bytes, \(limit / 1000) us are allowed: \(what)")
    }

    private func received(_ outcome: DetachedLoop.Outcome, _ number: Int, _ request: FuzzRequest) {
        guard pending.removeValue(forKey: number) != nil else { return fail(.answered, "a second response: \(request.text)") }
        switch outcome {
        case .answered(let raw):
            let isHead = request.wire.method == "HEAD"
            let response = HTTPResponse(
                status: raw.status, headers: raw.headers, body: isHead ? [] : raw.body)
            guard let changed = options.bug.map({ $0.change(response, to: request, world) }) ?? response else {
                return pending[number] = Pending(step: step, request: request, exchange: ExchangeID(rawValue: 0))
            }
            validate(changed, to: request)
        case .refused(let raw):
            validateRefusal(HTTPResponse(status: raw.status, headers: raw.headers, body: raw.body), of: request)
        case .streaming(let stream, let opening):
            validate(HTTPResponse(status: opening.status, headers: opening.headers, body: []), to: request)
            readers.append(StreamReader(stream, room: request.room, user: request.user, contract))
            if readers.count > 24 { readers.removeFirst().stream.hangUp() }
        }
    }

    /// Reads and checks the output of all streams; returns the number of bytes.
    @discardableResult
    func readStreams() -> Int {
        var count = 0
        for reader in readers {
            let (bytes, violations) = reader.read { options.bug?.change($0) ?? $0 }
            count += bytes.count
            if let violation = violations.first { fail(.contract, "a stream: \(violation)") }
        }
        readers.removeAll { !$0.stream.isOpen }
        return count
    }

    /// Advances time so that every waiting request must be completed.
    private func finishPending() {
        advance(milliseconds: 61_000)
        server.drain()
        settle()
        readStreams()
        if let forgotten = pending.values.min(by: { $0.step < $1.step }) {
            step = forgotten.step
            fail(.answered, "no response: \(forgotten.request.text)")
        }
    }

    /// Replaces the server with a new one on the same log.
    func restart() {
        note("restart")
        server.drain()
        settle()
        readStreams()
        server.finish()
        pending = [:]
        readers = []
        do {
            server = try Self.makeServer(serverOptions, log, rulebook, clock, seeds)
            settle()
        } catch {
            fail(.internalError, "no start: \(error)")
        }
    }
}

extension FuzzRun {
    static let secret = Array("a secret that only the fuzzer knows, and keeps".utf8)

    private static func makeServer(
        _ options: ServerOptions, _ log: InMemoryEventLog, _ rulebook: RoomRulebook, _ clock: TestClock,
        _ seeds: @escaping @Sendable () -> UInt64
    ) throws -> SteppedServer {
        var silent = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
        silent.logLevel = .critical
        return try SteppedServer(
            options: options, log: log, secret: secret, rulebook: rulebook, logger: silent, clock: clock, seeds: seeds)
    }

    /// Limits that are low in some runs, so that they are reached.
    private static func serverOptions(_ seed: UInt64) -> ServerOptions {
        var (options, generator) = (ServerOptions(), SeededGenerator(seed: seed &+ 2))
        options.limits.guestsPerMinute = generator.pick([0, 0, 0, 60])
        options.limits.bidsPerSecond = generator.pick([0, 20, 2])
        options.limits.commandsPerSecond = generator.pick([0, 50, 5])
        options.limits.roomsPerUser = generator.pick([100, 2])
        options.limits.pendingCommands = generator.pick([20_000, 1])
        options.streams.perUser = generator.pick([64, 2])
        options.streams.ticketsPerUser = generator.pick([64, 2])
        options.streams.outgoingBytes = generator.pick([524_288, 8192])
        options.service.recentEventsPerRoom = generator.pick([256, 4])
        options.service.idleRoomSeconds = generator.pick([600, 1])
        options.allowedOrigins = generator.pick([[], ["https://other.example"], ["*", "https://other.example"]])
        options.media.bytesPerAddress = generator.pick([256 << 20, 2000])
        // Nothing listens there.
        let voice = VoiceServer(option: "livekit:ws://127.0.0.1:9").map {
            VoiceOptions($0, key: "fuzz", secret: Array(repeating: 7, count: VoiceOptions.secretBytes), admitsAnonymous: true)
        }
        options.voice = generator.pick([nil, voice])
        return options
    }
}

extension DetachedLoop.Outcome {
    /// Size of the body that the client receives with the response; a stream's bytes are counted as they are read.
    var byteCount: Int {
        switch self {
        case .answered(let raw), .refused(let raw): raw.body.count
        case .streaming: 0
        }
    }
}
