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

/// One run: a server on one thread in simulated time, some clients, and a sequence of steps that a seed decides.
///
/// Each step has a seed of its own, so that it stays what it is when others are left out.
package final class FuzzRun {
    /// What came of a run.
    package struct Report: Sendable {
        package var findings: [FuzzFinding] = []
        /// Requests by HTTP and messages over WebSockets.
        package var requests = 0
        /// Answers by `operation status`.
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
    /// The step that is being done.
    private(set) var step = 0

    /// - Parameter trace: is given each step before it is done, so that the last one is known if the process ends in it.
    package init(_ options: FuzzOptions, _ contract: Contract, _ budget: FuzzBudget, trace: ((String) -> Void)? = nil) throws {
        self.options = options
        self.contract = contract
        self.budget = budget
        self.trace = trace
        rulebook = try RoomRulebook.product()
        let source = Mutex(Dice(seed: options.seed &+ 1))
        seeds = { source.withLock { $0.word() } }
        serverOptions = Self.serverOptions(options.seed)
        server = try Self.makeServer(serverOptions, log, rulebook, clock, seeds)
    }

    /// Does every step, up to the first that shows something.
    package func run() -> Report { run(ends: true) }

    /// - Parameter ends: whether what is held comes to its end, after which the server takes nothing more.
    func run(ends: Bool) -> Report {
        settle()
        for step in options.kept ?? Array(0..<options.steps) where report.findings.isEmpty {
            self.step = step
            var dice = Dice(seed: options.seed &* 0x1_0000_01B3 &+ UInt64(step))
            take(step, &dice)
            readStreams()
        }
        guard ends else { return report }
        if report.findings.isEmpty { end() }
        server.finish()
        return report
    }

    private func take(_ step: Int, _ dice: inout Dice) {
        if let request = prelude(step, &dice) { return send(request) }
        switch dice.roll(0...99) {
        case 0..<66: send(request(&dice))
        case 66..<80: message(&dice)
        case 80..<90: advance(&dice)
        case 90..<94: disturbStream(&dice)
        case 94..<96: damaged(&dice)
        case 96..<98: jump(&dice)
        case 98: restart()
        default: hangUp()
        }
    }

    func note(_ what: String) { trace?("\(step): \(what)") }

    func fail(_ rule: FuzzFinding.Rule, _ detail: String) {
        report.findings.append(FuzzFinding(rule, step: step, detail))
    }

    /// Steps until nothing is left to do.
    func settle() {
        var count = 0
        while server.step() {
            count += 1
            guard count < 20_000 else { return fail(.answered, "the server does not come to rest") }
        }
    }

    /// Hands in a request and lets the server work; what it takes is held against the budget.
    func send(_ request: FuzzRequest) {
        note(request.text)
        report.requests += 1
        sent += 1
        let (number, before) = (sent, FuzzBudget.spent())
        options.defect?.receive(request.wire.body)
        options.defect?.receive(request.wire.headers)
        var outcomes: [DetachedLoop.Outcome] = []
        var isLate = false
        let exchange = server.send(request.wire) { [unowned self] outcome in
            // A held poll is answered in a later step.
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
        guard pending.removeValue(forKey: number) != nil else { return fail(.answered, "a second answer: \(request.text)") }
        switch outcome {
        case .answered(let response):
            let isHead = request.wire.method == "HEAD"
            let answer = HTTPAnswer(
                status: response.status, headers: response.headers, body: isHead ? [] : response.body)
            guard let changed = options.defect.map({ $0.change(answer, to: request, world) }) ?? answer else {
                return pending[number] = Pending(step: step, request: request, exchange: ExchangeID(rawValue: 0))
            }
            judge(changed, to: request)
        case .refused(let response):
            judgeRefusal(HTTPAnswer(status: response.status, headers: response.headers, body: response.body), of: request)
        case .streaming(let stream, let opening):
            judge(HTTPAnswer(status: opening.status, headers: opening.headers, body: []), to: request)
            readers.append(StreamReader(stream, room: request.room, user: request.user, contract))
            if readers.count > 24 { readers.removeFirst().stream.hangUp() }
        }
    }

    /// Reads what came over the streams; returns how many bytes that were.
    @discardableResult
    func readStreams() -> Int {
        var count = 0
        for reader in readers {
            let (bytes, violations) = reader.read { options.defect?.change($0) ?? $0 }
            count += bytes.count
            if let violation = violations.first { fail(.contract, "a stream: \(violation)") }
        }
        readers.removeAll { !$0.stream.isOpen }
        return count
    }

    /// Whatever is held has to come to its end.
    private func end() {
        advance(milliseconds: 61_000)
        server.drain()
        settle()
        readStreams()
        if let forgotten = pending.values.min(by: { $0.step < $1.step }) {
            step = forgotten.step
            fail(.answered, "no answer: \(forgotten.request.text)")
        }
    }

    /// Another process on the same log.
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

    /// Bounds that some runs reach and others do not.
    private static func serverOptions(_ seed: UInt64) -> ServerOptions {
        var (options, dice) = (ServerOptions(), Dice(seed: seed &+ 2))
        options.limits.guestsPerMinute = dice.pick([0, 0, 0, 60])
        options.limits.bidsPerSecond = dice.pick([0, 20, 2])
        options.limits.commandsPerSecond = dice.pick([0, 50, 5])
        options.limits.roomsPerUser = dice.pick([100, 2])
        options.limits.pendingCommands = dice.pick([20_000, 1])
        options.streams.perUser = dice.pick([64, 2])
        options.streams.ticketsPerUser = dice.pick([64, 2])
        options.streams.outgoingBytes = dice.pick([524_288, 8192])
        options.service.recentEventsPerRoom = dice.pick([256, 4])
        options.service.idleRoomSeconds = dice.pick([600, 1])
        options.streams.allowedOrigins = dice.pick([[], ["https://other.example"]])
        return options
    }
}

extension DetachedLoop.Outcome {
    /// How many the client gets of it at once.
    var byteCount: Int {
        switch self {
        case .answered(let response), .refused(let response): response.body.count
        case .streaming: 0
        }
    }
}
