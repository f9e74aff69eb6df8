internal import ArgumentParser
internal import AuctionServer

/// Options for the limits and intervals of streams.
struct StreamLimitOptions: ParsableArguments {
    @Option(
        name: .customLong("stream-outgoing-bytes"),
        help: .setting(
            "stream-outgoing-bytes", "What may wait for a slow reader; beyond it the stream is cut off.", default: "524288"))
    var outgoingBytes: String?

    @Option(
        name: .customLong("stream-notice-seconds"),
        help: .setting(
            "stream-notice-seconds", "How often every stream says who watches, which keeps it alive.", default: "15"))
    var noticeSeconds: String?

    @Option(
        name: .customLong("stream-ping-seconds"),
        help: .setting("stream-ping-seconds", "Silence after which a WebSocket's client is asked.", default: "25"))
    var pingSeconds: String?

    @Option(
        name: .customLong("stream-message-bytes"),
        help: .setting("stream-message-bytes", "Largest message of a WebSocket's client.", default: "65536"))
    var messageBytes: String?

    @Option(
        name: .customLong("stream-pending-commands"),
        help: .setting(
            "stream-pending-commands", "Commands of one WebSocket on their way; more get 503.", default: "32"))
    var pendingCommands: String?

    @Option(
        name: .customLong("stream-tickets"),
        help: .setting("stream-tickets", "Unused tickets of everybody; beyond it the oldest goes.", default: "16384"))
    var tickets: String?

    @Option(
        name: .customLong("stream-tickets-per-user"),
        help: .setting("stream-tickets-per-user", "Unused tickets of one user; beyond it the oldest goes.", default: "64"))
    var ticketsPerUser: String?

    @Option(
        name: .customLong("stream-pending-tickets"),
        help: .setting(
            "stream-pending-tickets", "Tickets on their way to or from PostgreSQL; more get 503.", default: "1000"))
    var pendingTickets: String?

    func apply(to streams: inout StreamOptions) throws(ConfigurationError) {
        streams.outgoingBytes = try Setting.int("stream-outgoing-bytes", 16384...67_108_864, default: 524_288)
            .value(outgoingBytes)
        // At most 30, as the web page treats a connection without data for 40 seconds as dead.
        streams.noticeSeconds = Double(try Setting.int("stream-notice-seconds", 1...30, default: 15).value(noticeSeconds))
        streams.pingSeconds = Double(try Setting.int("stream-ping-seconds", 1...3600, default: 25).value(pingSeconds))
        streams.messageBytes = try Setting.int("stream-message-bytes", 1024...16_777_216, default: 65536).value(messageBytes)
        streams.pendingCommands = try Setting.int("stream-pending-commands", 1...10000, default: 32).value(pendingCommands)
        streams.tickets = try Setting.int("stream-tickets", 1...1_000_000, default: 16384).value(tickets)
        streams.ticketsPerUser = try Setting.int("stream-tickets-per-user", 1...1_000_000, default: 64).value(ticketsPerUser)
        streams.pendingTickets = try Setting.int("stream-pending-tickets", 1...1_000_000, default: 1000).value(pendingTickets)
    }
}
