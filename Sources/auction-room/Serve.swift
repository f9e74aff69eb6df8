internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import Dispatch
internal import EventLog
internal import Glibc
internal import Logging
internal import MicroHTTP
internal import Synchronization

/// `auction-room serve`: validates all settings, then runs the server.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves auction rooms until SIGTERM or SIGINT.",
        discussion: """
            --help-all shows all options, docker/CONFIGURATION.md and `auction-room configuration` too. Each is also a variable, --port is \
            AUCTION_ROOM_PORT; an option wins over its variable.
            Exit codes: 0 after a signal, 64 for options that do not exist, 69 if the address or the log is in use or the \
            database out of reach, 74 if the log failed or held up the stop, 78 for values that cannot be used.
            SIGHUP reads keys, revocations and the certificate again; if one cannot be used, all stay as they were.
            """)

    /// How long a stop waits for pending responses at most if the log has failed: with the half second that those who are refused then
    /// have to read it, the program ends within a second.
    private static let stopSecondsAfterFailure = 0.4

    @OptionGroup(title: ServingSection.title) var serving: DeclaredOptions<ServingSection>
    @OptionGroup(title: OperationSection.title) var operation: DeclaredOptions<OperationSection>
    @OptionGroup(title: IdentitySection.title) var identity: DeclaredOptions<IdentitySection>
    @OptionGroup(title: LimitSection.title) var limits: DeclaredOptions<LimitSection>
    @Flag(help: "Show all options.") var helpAll = false

    func run() throws {
        if helpAll { throw CleanExit.message(Self.allOptions) }
        var settings = Settings()
        try failing {
            try apply(to: &settings)
            try serve(settings)
        } log: { error in
            // A database may come back by itself, a file that cannot be opened does not.
            if case .kept(.postgres) = settings.store { .of(error) } else { error.code == .unavailable ? .ioError : .of(error) }
        }
    }

    private static var allOptions: String {
        let sections = ServeOption.sections.map { section in
            (["\(section.title.uppercased()):"] + section.options.map(\.entry)).joined(separator: "\n")
        }
        return sections.joined(separator: "\n\n")
    }

    private func apply(to settings: inout Settings) throws(ConfigurationError) {
        try serving.apply(to: &settings)
        try operation.apply(to: &settings)
        try identity.apply(to: &settings)
        try limits.apply(to: &settings)
        try settings.deriveBounds()
    }

    private func serve(_ settings: Settings) throws {
        let options = try settings.serverOptions()
        let logger = settings.makeLogger()
        for variable in ServeOption.unknownVariables {
            logger.warning("a variable that is no option", metadata: ["variable": "\(variable)"])
        }
        let file = settings.tokenSecretFile
        let given = try file.isEmpty ? nil : TokenSecret.load(from: file, creating: false)
        TrapReport.install()
        let ending = Ending(drainSeconds: settings.drainSeconds, stopSeconds: settings.stopSeconds)
        // Must precede the start of other threads, which could receive the signals.
        let signals = ending.watchSignals()
        defer { for source in signals { source.cancel() } }
        try settings.withStore { store in try serve(settings, options, store, secret: given, logger, until: ending) }
        if ending.code != .success { throw ending.code }
    }

    private func serve(
        _ settings: Settings, _ options: ServerOptions, _ store: Store, secret given: [UInt8]?, _ logger: Logger,
        until ending: Ending
    ) throws {
        let reload = Reload(settings, logger: logger)
        let hangUps = try reload.onHangUp()
        defer { for source in hangUps { source.cancel() } }
        let log = try store.open { logger.notice("\($0)") }
        let secret = try given ?? store.secret(of: log)
        let server = try AuctionServer(
            options: options, log: log, secret: secret, rulebook: try RoomRulebook.product(limits: settings.rooms),
            logger: logger, clock: try store.clock(log)
        ) { _ in ending.end(.ioError) }
        try server.start()
        Reload.mention(options.identity, logger)
        reload.use(server)
        let listening = ListeningAddress(
            scheme: options.http.tls == nil ? "http" : "https", host: options.http.host, port: server.port)
        // Scripts wait for this line; nothing else is written to standard output.
        StandardStreams.announce("auction-room is ready at \(listening.forPeople)\n")
        logger.info("ready", metadata: ["address": "\(listening)"])
        ending.waitAfterStart()
        if settings.drainSeconds > 0, ending.code == .success {
            logger.info("draining", metadata: ["seconds": "\(settings.drainSeconds)"])
            server.announceStop()
            ending.wait(atMost: settings.drainSeconds)
        }
        logger.info("stopping")
        ending.bound(afterSeconds: settings.stopSeconds)
        // A second of it, or half, is the log's, and that of clients that are refused.
        let pending = max(Double(settings.stopSeconds) - 1, Double(settings.stopSeconds) / 2)
        // Once the log has failed all commands are answered: a client that is slow to send its request must not delay the restart.
        server.stop(within: ending.code == .success ? pending : min(pending, Self.stopSecondsAfterFailure))
        logger.info("stopped")
    }
}

/// Waits for the end of the program: the first signal, or a failure of the log. Bounds the stop that follows.
private final class Ending: Sendable {
    private let ended = MonotonicSemaphore()
    private let state = Mutex<(code: Int32, isStarting: Bool, isBounded: Bool)>((ExitCode.success.rawValue, true, false))
    private let limit = PeriodicThread(name: "stop limit")
    /// How long a start may go on that was signalled, with the stop that follows.
    private let signalledStartSeconds: Int

    init(drainSeconds: Int, stopSeconds: Int) { signalledStartSeconds = drainSeconds + stopSeconds }

    /// The exit code so far.
    var code: ExitCode { ExitCode(state.withLock { $0.code }) }

    func end(_ exit: ExitCode) {
        state.withLock { $0.code = exit.rawValue }
        ended.signal()
    }

    /// Installs handlers of SIGTERM and SIGINT that stop the server.
    /// - Returns: the sources, which must be retained while signals are to be handled.
    func watchSignals() -> [any DispatchSourceSignal] {
        Signals.watch(SIGTERM, SIGINT) { [self] in
            if state.withLock({ $0.isStarting }) { bound(afterSeconds: signalledStartSeconds) }
            ended.signal()
        }
    }

    /// Waits for a signal or a call of `end`, once the server has started.
    func waitAfterStart() {
        state.withLock { $0.isStarting = false }
        ended.wait(milliseconds: nil)
    }

    /// Waits for a signal or a call of `end`, at most `seconds`.
    func wait(atMost seconds: Int) { ended.wait(milliseconds: seconds * 1000) }

    /// Ends the process after so many seconds, at least one, unless it ends before: a disk or a database that hangs may hold up any thread.
    /// Everything that was acknowledged is durable.
    func bound(afterSeconds seconds: Int) {
        let isFirst = state.withLock { state in
            defer { state.isBounded = true }
            return !state.isBounded
        }
        guard isFirst else { return }
        limit.start { [limit] in
            guard limit.pause(milliseconds: max(seconds, 1) * 1000) else { return }
            complain("the log held up the stop for \(max(seconds, 1)) s: ended without it")
            _exit(ExitCode.ioError.rawValue)
        }
    }
}
