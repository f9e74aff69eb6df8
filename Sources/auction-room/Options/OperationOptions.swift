internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import Foundation
internal import Logging

/// Options for logs, metrics and proxies.
struct OperationOptions: ParsableArguments {
    @Option(
        name: .customLong("metrics-token-file"),
        help: .setting(
            "metrics-token-file",
            "The token that /metrics asks for, at least 16 bytes; AUCTION_ROOM_METRICS_TOKEN is the token itself.",
            default: "none, this machine only"))
    var metricsTokenFile: String?

    @Option(
        name: .customLong("trusted-proxies"),
        help: .setting(
            "trusted-proxies",
            "Proxies whose Forwarded or X-Forwarded-For says who the client is, with commas between: 10.0.0.0/8,::1.",
            default: "none"))
    var trustedProxies: String?

    @Option(
        name: .customLong("log-format"), help: .setting("log-format", "text, or json: an object per line.", default: "text"))
    var logFormat: String?

    private enum LogFormat: String { case text, json }

    func apply(to options: inout ServerOptions) throws(ConfigurationError) {
        options.trustedProxies = try Setting.blocks("trusted-proxies").value(trustedProxies)
        options.metricsToken = try metricsToken()
    }

    /// Makes log handlers that write to standard error.
    func makeHandler() throws(ConfigurationError) -> @Sendable (String) -> any LogHandler {
        let format = try Setting(
            option: "log-format", variable: "AUCTION_ROOM_LOG_FORMAT", fallback: LogFormat.text,
            parse: LogFormat.init(rawValue:), expected: "text or json"
        ).value(logFormat)
        switch format {
        case .text: return { StreamLogHandler.standardError(label: $0) }
        case .json:
            return { _ in
                JSONLogHandler(clock: { SystemClock().now().wall.milliseconds }) { line in
                    FileHandle.standardError.write(Data(line))
                }
            }
        }
    }

    /// The metrics token from a file or a variable, since a program's arguments are visible to all local users; nil if not set.
    private func metricsToken() throws(ConfigurationError) -> String? {
        let path = try Setting.text("metrics-token-file", default: "").value(metricsTokenFile)
        var token = ProcessInfo.processInfo.environment["AUCTION_ROOM_METRICS_TOKEN"] ?? ""
        var source = "AUCTION_ROOM_METRICS_TOKEN"
        if !path.isEmpty {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw ConfigurationError("the metrics token \(path) cannot be read")
            }
            source = "the metrics token \(path)"
            token = String(decoding: data, as: UTF8.self)
        }
        token = token.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty || !path.isEmpty else { return nil }
        // Error texts must not contain the token.
        guard token.utf8.count >= 16, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ConfigurationError("\(source) must be at least 16 visible ASCII characters")
        }
        return token
    }
}

extension Setting where Value == [AddressBlock] {
    fileprivate static func blocks(_ option: String) -> Setting {
        Setting(
            option: option, variable: variable(for: option), fallback: [],
            parse: { text in
                let parts = text.split(separator: ",", omittingEmptySubsequences: false)
                let blocks = parts.compactMap { AddressBlock($0.filter { $0 != " " }) }
                return blocks.count == parts.count ? blocks : nil
            }, expected: "addresses or blocks such as 10.0.0.0/8, with commas between")
    }
}
