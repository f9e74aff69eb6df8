internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import MicroHTTP

/// Options for the limits of the service.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("limit-body-bytes"), help: .setting("limit-body-bytes", "Largest request body.", default: "65536"))
    var bodyBytes: String?

    @Option(
        name: .customLong("limit-header-bytes"),
        help: .setting("limit-header-bytes", "Largest request line and headers together.", default: "4096"))
    var headerBytes: String?

    @Option(
        name: .customLong("limit-json-depth"), help: .setting("limit-json-depth", "Deepest nesting of a body.", default: "16"))
    var jsonDepth: String?

    @Option(
        name: .customLong("limit-json-members"),
        help: .setting("limit-json-members", "Members of one object in a body, and elements of one array.", default: "256"))
    var jsonMembers: String?

    @Option(
        name: .customLong("limit-json-values"),
        help: .setting("limit-json-values", "Members and elements in a body, all levels together.", default: "1024"))
    var jsonValues: String?

    @Option(
        name: .customLong("limit-request-seconds"),
        help: .setting("limit-request-seconds", "Time for a request's head, and for its body.", default: "10"))
    var requestSeconds: String?

    @Option(
        name: .customLong("limit-answer-seconds"),
        help: .setting("limit-answer-seconds", "Time for taking an answer; streams have other bounds.", default: "30"))
    var answerSeconds: String?

    @Option(
        name: .customLong("limit-send-buffer-bytes"),
        help: .setting(
            "limit-send-buffer-bytes", "What the kernel keeps for a client that does not read.", default: "65536"))
    var sendBufferBytes: String?

    @Option(
        name: .customLong("limit-connections"),
        help: .setting("limit-connections", "Connections at once.", default: "16000"))
    var connections: String?

    @Option(
        name: .customLong("address-prefix-v6"),
        help: .setting(
            "address-prefix-v6", "Bits of an IPv6 address that make one client, for limits per address.", default: "64"))
    var addressPrefix6: String?

    @Option(
        name: .customLong("limit-connections-per-address"),
        help: .setting(
            "limit-connections-per-address", "Of them, of one client address; 0: no limit.", default: "half of them"))
    var connectionsPerAddress: String?

    @Option(
        name: .customLong("limit-silent-connections"),
        help: .setting(
            "limit-silent-connections", "Of them, without a whole request so far; 0: no limit of their own.",
            default: "a quarter of them"))
    var silentConnections: String?

    @Option(
        name: .customLong("limit-streams-per-user"),
        help: .setting(
            "limit-streams-per-user", "Streams and held long-polls of one user, or one address without a token; 0: no limit.",
            default: "64"))
    var streamsPerUser: String?

    @Option(
        name: .customLong("allowed-origins"),
        help: .setting(
            "allowed-origins", "Other sites whose pages may open WebSockets, with commas between: https://shop.example.",
            default: "none"))
    var allowedOrigins: String?

    @Option(
        name: .customLong("limit-bids-per-second"),
        help: .setting("limit-bids-per-second", "Bids per user and room; 0: no limit.", default: "20"))
    var bidsPerSecond: String?

    @Option(
        name: .customLong("limit-commands-per-second"),
        help: .setting(
            "limit-commands-per-second", "Other commands than bids and messages, per user; 0: no limit.", default: "50"))
    var commandsPerSecond: String?

    @Option(
        name: .customLong("limit-messages-per-second"),
        help: .setting("limit-messages-per-second", "Messages per member and room; 0: no limit.", default: "2"))
    var messagesPerSecond: String?

    @Option(
        name: .customLong("limit-guests-per-minute"),
        help: .setting("limit-guests-per-minute", "New guests per address; 0: no limit.", default: "60"))
    var guestsPerMinute: String?

    @Option(
        name: .customLong("limit-rooms-per-user"),
        help: .setting("limit-rooms-per-user", "Open rooms per host; 0: no limit.", default: "100"))
    var roomsPerUser: String?

    @Option(
        name: .customLong("limit-pending-commands"),
        help: .setting("limit-pending-commands", "Commands on their way; more get 503.", default: "20000"))
    var pendingCommands: String?

    @Option(
        name: .customLong("limit-stale-seconds"),
        help: .setting(
            "limit-stale-seconds", "How long it may be unknown what other nodes wrote; then reads get 503.", default: "5"))
    var staleSeconds: String?

    @Option(
        name: .customLong("limit-room-idle-seconds"),
        help: .setting("limit-room-idle-seconds", "When a room that nobody uses leaves the memory.", default: "600"))
    var roomIdleSeconds: String?

    @Option(
        name: .customLong("limit-response-bytes"),
        help: .setting(
            "limit-response-bytes", "Bytes of all answers and streams that wait for their readers; 0: no limit.",
            default: "268435456"))
    var responseBytes: String?

    @Option(
        name: .customLong("limit-recent-bytes-per-room"),
        help: .setting(
            "limit-recent-bytes-per-room", "Bytes of its latest events that a room keeps in memory.", default: "1048576"))
    var recentBytesPerRoom: String?

    @Option(
        name: .customLong("limit-recent-bytes"),
        help: .setting("limit-recent-bytes", "The same of all rooms together.", default: "134217728"))
    var recentBytes: String?

    @Option(
        name: .customLong("limit-keys-per-room"),
        help: .setting(
            "limit-keys-per-room", "Idempotency-Keys that one room remembers; beyond it who has most loses the oldest.",
            default: "100000"))
    var keysPerRoom: String?

    @Option(
        name: .customLong("limit-keys-per-user"),
        help: .setting(
            "limit-keys-per-user", "Idempotency-Keys of one user in one room; beyond it the oldest goes.", default: "1000"))
    var keysPerUser: String?

    /// The limits of one room.
    func roomLimits() throws(ConfigurationError) -> RoomLimits {
        let messages = try Setting.int(
            "limit-messages-per-second", 0...10000, default: RoomLimits.defaultMessagesPerSecond
        ).value(messagesPerSecond)
        return RoomLimits(
            messagesPerSecond: messages, roomBytes: try storage.roomBytes(), userRoomBytes: try storage.userRoomBytes())
    }

    @OptionGroup var storage: StorageLimitOptions

    func apply(to options: inout ServerOptions) throws(ConfigurationError) {
        try storage.apply(to: &options)
        options.http.limits.bodyBytes = try Setting.int("limit-body-bytes", 1024...16_777_216, default: 65536).value(bodyBytes)
        options.http.limits.headerBytes = try Setting.int("limit-header-bytes", 1024...65536, default: 4096).value(headerBytes)
        options.http.limits.requestSeconds = Double(
            try Setting.int("limit-request-seconds", 1...3600, default: 10).value(requestSeconds))
        options.http.limits.answerSeconds = Double(
            try Setting.int("limit-answer-seconds", 1...3600, default: 30).value(answerSeconds))
        options.http.limits.sendBufferBytes = try Setting.int(
            "limit-send-buffer-bytes", 16384...16_777_216, default: 65_536
        ).value(sendBufferBytes)
        options.http.limits.connections = try Setting.int("limit-connections", 16...1_000_000, default: 16000)
            .value(connections)
        options.http.limits.addressPrefix6 = try Setting.int("address-prefix-v6", 16...128, default: 64).value(addressPrefix6)
        let connections = options.http.limits.connections
        options.http.limits.connectionsPerAddress = try Setting.int(
            "limit-connections-per-address", 0...1_000_000, default: connections / 2
        ).value(connectionsPerAddress)
        options.http.limits.silentConnections = try Setting.int(
            "limit-silent-connections", 0...1_000_000, default: connections / 4
        ).value(silentConnections)
        options.streams.perUser = try Setting.int("limit-streams-per-user", 0...1_000_000, default: 64).value(streamsPerUser)
        options.streams.allowedOrigins = try Setting.origins("allowed-origins").value(allowedOrigins)
        options.limits.jsonDepth = try Setting.int("limit-json-depth", 4...256, default: 16).value(jsonDepth)
        options.limits.jsonMembers = try Setting.int("limit-json-members", 64...65536, default: 256).value(jsonMembers)
        options.limits.jsonValues = try Setting.int("limit-json-values", 256...1_048_576, default: 1024).value(jsonValues)
        options.limits.bidsPerSecond = try Setting.int("limit-bids-per-second", 0...1_000_000, default: 20)
            .value(bidsPerSecond)
        options.limits.commandsPerSecond = try Setting.int("limit-commands-per-second", 0...1_000_000, default: 50)
            .value(commandsPerSecond)
        options.limits.guestsPerMinute = try Setting.int("limit-guests-per-minute", 0...1_000_000, default: 60)
            .value(guestsPerMinute)
        options.limits.roomsPerUser = try Setting.int("limit-rooms-per-user", 0...1_000_000, default: 100)
            .value(roomsPerUser)
        options.limits.pendingCommands = try Setting.int("limit-pending-commands", 1...10_000_000, default: 20000)
            .value(pendingCommands)
        options.limits.responseBytes = try Setting.int(
            "limit-response-bytes", 0...1_099_511_627_776, default: 268_435_456
        ).value(responseBytes)
        options.service.recentBytesPerRoom = try Setting.int(
            "limit-recent-bytes-per-room", 0...1_073_741_824, default: 1_048_576
        ).value(recentBytesPerRoom)
        options.service.recentBytes = try Setting.int(
            "limit-recent-bytes", 0...1_099_511_627_776, default: 134_217_728
        ).value(recentBytes)
        options.service.keysPerRoom = try Setting.int("limit-keys-per-room", 1...10_000_000, default: 100_000)
            .value(keysPerRoom)
        options.service.keysPerUser = try Setting.int("limit-keys-per-user", 1...1_000_000, default: 1000).value(keysPerUser)
        options.limits.staleSeconds = try Setting.int("limit-stale-seconds", 1...3600, default: 5).value(staleSeconds)
        options.service.idleRoomSeconds = try Setting.int("limit-room-idle-seconds", 1...86400, default: 600)
            .value(roomIdleSeconds)
    }
}

extension Setting where Value == [String] {
    /// Web origins as browsers send them: scheme, host, and the port unless it is the scheme's default.
    fileprivate static func origins(_ option: String) -> Setting {
        Setting(
            option: option, variable: variable(for: option), fallback: [],
            parse: { text in
                let origins = text.split(separator: ",").map { $0.filter { $0 != " " } }
                let areOrigins = origins.allSatisfy { origin in
                    let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
                    return parts.count == 3 && ["http:", "https:"].contains(parts[0]) && parts[1].isEmpty && !parts[2].isEmpty
                }
                return areOrigins ? origins : nil
            }, expected: "origins such as https://shop.example, with commas between")
    }
}
