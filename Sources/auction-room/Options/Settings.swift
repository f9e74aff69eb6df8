internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import FoundationEssentials
internal import Logging
internal import MicroHTTP

/// Everything that the options and variables of `serve` set, with the defaults.
struct Settings: Sendable {
    enum LogFormat: String, CaseIterable { case text, json }

    /// Identity, TLS and the metrics token are not read from their files yet: see `serverOptions`.
    var server = ServerOptions()
    var rooms = RoomLimits()
    /// Bytes of `limit-memory`, from which other bounds follow.
    var memory = 1 << 30
    var store = ChosenStore.kept(.sqlite(path: "./data/rooms.db"))
    var storePasswordFile = ""
    var tokenSecretFile = ""
    var drainSeconds = 0
    var stopSeconds = 10
    var logLevel = Logger.Level.info
    var logFormat = LogFormat.text
    var metricsTokenFile = ""
    var metricsToken = ""
    var adminTokenFile = ""
    var voice = VoiceSettings()
    var identity = IdentitySettings()
    var tls = TLSSettings()

    init() {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        server.http.threads = max(1, cores / 2)
        server.sequencers = cores < 4 ? 1 : 2
    }

    /// Sets the bounds that follow from options.
    mutating func deriveBounds() throws(ConfigurationError) {
        let least = MemoryShares.least(largestBody: server.largestBody)
        try ServeOption.memory.check(memory >= least, "must be at least 16 times limit-picture-bytes: \(least)")
        server.deriveBounds(memory: memory)
        rooms.userRoomBytes = rooms.roomBytes / 4
        server.limits.textBytesPerAddress = 2 * rooms.roomBytes
    }

    /// The server's options, with the contents of all files.
    /// - Throws: `ConfigurationError` that names the option, variable or file, and contains none of the file's content.
    func serverOptions() throws(ConfigurationError) -> ServerOptions {
        var options = server
        options.metricsToken = try checkedMetricsToken()
        options.adminToken = try adminToken()
        options.voice = try voice.load()
        options.identity = try identity.load()
        options.http.tls = try tls.load()
        return options
    }

    /// Makes the logger, which writes to standard error.
    func makeLogger() -> Logger {
        let format = logFormat
        var logger = Logger(label: "auction-room") { label in
            switch format {
            case .text: StreamLogHandler.standardError(label: label)
            case .json:
                JSONLogHandler(clock: { SystemClock().now().wall.milliseconds }) { line in
                    StandardStreams.report(line)
                }
            }
        }
        logger.logLevel = logLevel
        return logger
    }

    /// The token of the operator's programs, read from its file; nil if there is none.
    func adminToken() throws(ConfigurationError) -> String? {
        if adminTokenFile.isEmpty { return nil }
        let what = "the admin token"
        let token = String(decoding: try contents(of: adminTokenFile, what), as: UTF8.self).trimming(\.isWhitespace)
        guard token.utf8.count >= 32, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ConfigurationError("\(what) \(adminTokenFile) must be one line of at least 32 visible ASCII characters")
        }
        return token
    }

    /// The metrics token from its file, or else its option or variable; nil if there is none.
    private func checkedMetricsToken() throws(ConfigurationError) -> String? {
        var (token, source) = (metricsToken, "--metrics-token (\(ServeOption.metricsToken.variable))")
        if !metricsTokenFile.isEmpty {
            source = "the metrics token \(metricsTokenFile)"
            token = String(decoding: try contents(of: metricsTokenFile, "the metrics token"), as: UTF8.self)
        }
        token = token.trimming(\.isWhitespace)
        guard !token.isEmpty || !metricsTokenFile.isEmpty else { return nil }
        // Error texts must not contain the token.
        guard token.utf8.count >= 16, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ConfigurationError("\(source) must be at least 16 visible ASCII characters")
        }
        return token
    }
}

/// Reads a file that a setting names.
/// - Parameter limit: larger than any such file; protects against a wrong path.
func contents(of path: String, _ what: String, limit: Int = 16 << 20) throws(ConfigurationError) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
        throw ConfigurationError("\(what) \(path) cannot be read")
    }
    guard data.count <= limit else { throw ConfigurationError("\(what) \(path) has more than \(limit) bytes") }
    return [UInt8](data)
}

extension String {
    /// Without such characters at its beginning and its end.
    func trimming(_ isTrimmed: (Character) -> Bool) -> String {
        let rest = drop(while: isTrimmed)
        return rest.lastIndex { !isTrimmed($0) }.map { String(rest[...$0]) } ?? ""
    }
}

/// An invalid configuration; `description` is one line.
struct ConfigurationError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
