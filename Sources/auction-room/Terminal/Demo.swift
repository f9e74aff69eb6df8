internal import ArgumentParser
internal import AuctionClientCore
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import Dispatch
internal import Glibc
internal import Logging
internal import MicroHTTP

/// `auction-room demo`: a server with a sale by simulated people.
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves two lively sales by simulated people, to try the page and clients with.",
        discussion: """
            One has a premium and reserve prices, in the other the prices fall. A terminal shows the first as `watch` does.
            The data are in a new folder under the system's folder for temporary files, and are removed at the end. Ends with a signal, \
            and when its terminal is closed.
            """)

    @Option(help: "The port to listen on, on this machine only; 0 takes any free one.")
    var port: UInt16 = 8080

    @Option(help: "End after so many seconds.")
    var seconds: Int?

    func run() throws {
        let ended = MonotonicSemaphore()
        // Must precede the start of other threads, which could receive the signals. SIGHUP: the terminal was closed.
        let signals = Signals.watch(SIGTERM, SIGINT, SIGHUP) { ended.signal() }
        defer { for source in signals { source.cancel() } }
        try failing { try Store.withTemporary { store in try serve(store, until: ended) } }
    }

    private func serve(_ store: Store, until ended: MonotonicSemaphore) throws {
        let server = try start(store)
        defer { server.stop(within: 1) }
        let address = ServerAddress(host: "127.0.0.1", port: server.port)
        let people = Task { await DemoSale(address).run() }
        defer { people.cancel() }
        ended.wait(milliseconds: seconds.map { max(0, min($0, 1_000_000)) * 1000 })
    }

    private func start(_ store: Store) throws -> AuctionServer {
        var options = ServerOptions()
        options.http.host = "127.0.0.1"
        options.http.port = port
        var quiet = Logger(label: "demo") { _ in SwiftLogNoOpLogHandler() }
        quiet.logLevel = .critical
        let log = try store.open()
        let secret = try store.secret(of: log)
        let server = try AuctionServer(
            options: options, log: log, secret: secret, rulebook: try RoomRulebook.product(limits: RoomLimits()),
            logger: quiet)
        try server.start()
        return server
    }
}
