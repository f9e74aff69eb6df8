internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import Dispatch
internal import EventLog
internal import Foundation
internal import Logging
internal import MicroHTTP
internal import Synchronization

/// `auction-room serve`: validates all settings, then runs the server.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves auction rooms until SIGTERM or SIGINT.",
        discussion: """
            Every option is also an environment variable; an option wins over its variable.
            Exit codes: 0 after a signal, 64 for options that do not exist, 69 if the address or the log is in use or the \
            database out of reach, 74 if the log failed, 78 for values that cannot be used.
            SIGHUP reads keys, revocations and the certificate again; if one cannot be used, all stay as they were.
            """)

    @Option(help: .setting("host", "Address to listen on.", default: "127.0.0.1"))
    var host: String?

    @Option(help: .setting("port", "Port to listen on; 0 takes any free one.", default: "8080"))
    var port: String?

    @Option(
        help: .setting(
            "store", "The event log: sqlite:PATH, postgres://… for many nodes, or memory: to forget all at exit.",
            default: "sqlite:./data/rooms.db"))
    var store: String?

    @Option(
        name: .customLong("store-password-file"),
        help: .setting(
            "store-password-file", "The password for postgres://…, if the store's text has none.",
            default: "none, as libpq finds it"))
    var storePasswordFile: String?

    @Option(help: .setting("threads", "Event loops.", default: "half the cores"))
    var threads: String?

    @Option(
        name: .customLong("token-secret-file"),
        help: .setting(
            "token-secret-file", "What tokens are signed with, at least 32 bytes.",
            default: "made on first start beside the log"))
    var tokenSecretFile: String?

    @Option(
        name: .customLong("stop-seconds"),
        help: .setting("stop-seconds", "How long a stop waits for answers that are owed.", default: "10"))
    var stopSeconds: String?

    @Option(
        name: .customLong("drain-seconds"),
        help: .setting(
            "drain-seconds", "How long a stop only says on /readyz that it comes, and serves; a second signal ends the wait.",
            default: "0"))
    var drainSeconds: String?

    @Option(
        name: .customLong("log-level"),
        help: .setting("log-level", "trace, debug, info, notice, warning, error or critical.", default: "info"))
    var logLevel: String?

    @OptionGroup(title: "Operation") var operation: OperationOptions

    @OptionGroup(title: "TLS") var tls: TLSOptions

    @OptionGroup(title: "Identity") var identity: IdentityOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    @OptionGroup(title: "Streams") var streams: StreamLimitOptions

    func run() throws {
        do {
            try serve()
        } catch let error as ConfigurationError {
            complain(error.description)
            throw ExitCode.configuration
        } catch let error as ServerError {
            complain(error.description)
            throw ExitCode.configuration
        } catch let error as HTTPServerError {
            complain(error.description)
            throw ExitCode.unavailable
        } catch let error as EventLogError {
            complain(error.description)
            throw ExitCode.of(error, try? Store.setting.value(store))
        }
    }

    private func serve() throws {
        let options = try serverOptions()
        let roomLimits = try limits.roomLimits()
        let logger = try makeLogger()
        let store = try Store.chosen(store, passwordFile: storePasswordFile)
        let seconds = try Setting.int("stop-seconds", 0...3600, default: 10).value(stopSeconds)
        let drainSeconds = try Setting.int("drain-seconds", 0...3600, default: 0).value(drainSeconds)
        let secretFile = try Setting.text("token-secret-file", default: "").value(tokenSecretFile)
        let known = try store.secret(file: secretFile)
        TrapReport.install()
        let ending = Ending()
        // Must precede the start of other threads, which could receive the signals.
        let signals = ending.watchSignals()
        defer { for source in signals { source.cancel() } }
        let log = try store.open()
        let secret = try known ?? store.secret(in: log)
        let server = try AuctionServer(
            options: options, log: log, secret: secret, rulebook: try RoomRulebook.product(limits: roomLimits),
            logger: logger, clock: try store.clock(log)
        ) { _ in ending.end(.ioError) }
        let reload = try Reload(identity: identity, tls: tls).onHangUp(server, logger)
        defer { for source in reload { source.cancel() } }
        try server.start()
        Reload.mention(options.identity, logger)
        let host = options.http.host.contains(":") ? "[\(options.http.host)]" : options.http.host
        // Scripts wait for this line; nothing else is written to standard output.
        let scheme = options.http.tls == nil ? "http" : "https"
        FileHandle.standardOutput.write(Data("auction-room is ready at \(scheme)://\(host):\(server.port)\n".utf8))
        ending.wait()
        if drainSeconds > 0, ending.code == .success {
            logger.info("draining", metadata: ["seconds": "\(drainSeconds)"])
            server.announceStop()
            ending.wait(atMost: drainSeconds)
        }
        logger.info("stopping")
        server.stop(within: Double(seconds))
        logger.info("stopped")
        if ending.code != .success { throw ending.code }
    }

    private func serverOptions() throws(ConfigurationError) -> ServerOptions {
        var options = ServerOptions()
        options.http.host = try Setting.text("host", default: "127.0.0.1").value(host)
        options.http.port = UInt16(try Setting.int("port", 0...65535, default: 8080).value(port))
        let cores = ProcessInfo.processInfo.activeProcessorCount
        options.http.threads = try Setting.int("threads", 1...256, default: max(1, cores / 2)).value(threads)
        try limits.apply(to: &options)
        try operation.apply(to: &options)
        options.identity = try identity.load()
        options.http.tls = try tls.load()
        try streams.apply(to: &options.streams)
        return options
    }

    private func makeLogger() throws(ConfigurationError) -> Logger {
        let level = try Setting(
            option: "log-level", variable: "AUCTION_ROOM_LOG_LEVEL", fallback: Logger.Level.info,
            parse: Logger.Level.init(rawValue:), expected: "trace, debug, info, notice, warning, error or critical"
        ).value(logLevel)
        let makeHandler = try operation.makeHandler()
        var logger = Logger(label: "auction-room") { makeHandler($0) }
        logger.logLevel = level
        return logger
    }
}

/// Waits for the end of the program: the first signal, or a failure of the log.
private final class Ending: Sendable {
    private let ended = MonotonicSemaphore()
    private let status = Mutex<Int32>(ExitCode.success.rawValue)

    /// The exit code so far.
    var code: ExitCode { ExitCode(status.withLock { $0 }) }

    func end(_ exit: ExitCode) {
        status.withLock { $0 = exit.rawValue }
        ended.signal()
    }

    /// Installs handlers of SIGTERM and SIGINT that stop the server.
    /// - Returns: the sources, which must be retained while signals are to be handled.
    func watchSignals() -> [any DispatchSourceSignal] {
        Signals.watch(SIGTERM, SIGINT) { [ended] in ended.signal() }
    }

    /// Waits for a signal or a call of `end`.
    func wait() { ended.wait(milliseconds: nil) }

    /// Waits for a signal or a call of `end`, at most `seconds`.
    func wait(atMost seconds: Int) { ended.wait(milliseconds: seconds * 1000) }
}
