internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import EventLog
internal import MicroHTTP

/// Limits on what clients may send, occupy and store.
enum LimitSection: OptionSection {
    static let title = "Limits"
    static let note = """
        Per node: with three nodes a client may reach each of these three times, unless its requests go to one node, as a room's do in
        `compose.yaml`.
        """
    // `limit-memory` after the sizes that its default depends on.
    static let options = connections + requests + [ServeOption.memory] + rates + storage

    private static let mostBytes = 1 << 40

    private static let connections: [ServeOption] = [
        .number(
            "limit-connections", \.server.http.limits.connections, 16...900_000,
            "Connections at once. A tenth is kept for short requests; the process needs as many file descriptors and some more."
        ),
        .number(
            "limit-connections-per-address", \.server.http.limits.connectionsPerAddress, 0...1_000_000,
            default: "half of them",
            """
            Connections of one client address (IPv6: of one /64), a tenth of them kept for short requests; 0: no limit. Connections of \
            trusted proxies are not limited so: there it bounds the streams and held long-polls of each forwarded address.
            """
        ) { $0.server.http.limits.connections / 2 },
        .number(
            "limit-request-seconds", \.server.http.limits.requestSeconds, 1...3600,
            "The time for a request's head, and again for its body. Taking a response may take three times as long, a large body six times."
        ),
    ]

    private static let requests: [ServeOption] = [
        .number(
            "limit-header-bytes", \.server.http.limits.headerBytes, 1024...65536,
            "The size of request line and headers together."),
        .number("limit-body-bytes", \.server.http.limits.bodyBytes, 1024...16_777_216, "The size of a request's body."),
        .number("limit-picture-bytes", \.server.limits.pictureBytes, 65536...16_777_216, "The size of an uploaded picture."),
        .number("limit-json-depth", \.server.limits.jsonDepth, 4...256, "Deepest nesting of a body."),
    ]

    private static let rates: [ServeOption] = [
        .number(
            "limit-guests-per-minute", \.server.limits.guestsPerMinute, 0...1_000_000, "New guests per address; 0: no limit."),
        .number(
            "limit-guests-burst", \.server.limits.guestsBurst, 0...1_000_000,
            """
            New guests of one address at once, after a pause, where many users share an address and come together. Where only the number per \
            minute is set, it is that one.
            """),
        .number("limit-rooms-per-user", \.server.limits.roomsPerUser, 0...1_000_000, "Open rooms per host; 0: no limit."),
        .number("limit-bids-per-second", \.server.limits.bidsPerSecond, 0...1_000_000, "Bids per user and room; 0: no limit."),
        .number(
            "limit-commands-per-second", \.server.limits.commandsPerSecond, 0...1_000_000,
            "Other commands than bids and messages, per user; 0: no limit."),
        .number(
            "limit-messages-per-second", \.rooms.messagesPerSecond, 0...10000, "Messages per member and room; 0: no limit."),
        .number(
            "limit-streams-per-user", \.server.streams.perUser, 0...1_000_000,
            """
            Streams and held long-polls of one user. Where it is set, those of one address without a token too, of which 256 are allowed \
            otherwise. 0: no limit.
            """),
        .number("limit-pending-commands", \.server.limits.pendingCommands, 1...10_000_000, "Commands in flight; more get 503."),
        .number(
            "limit-stale-seconds", \.server.limits.staleSeconds, 1...3600,
            """
            How long a server with PostgreSQL may not know what others wrote: from one second on its reads say so (`Age`), \
            beyond this they get 503.
            """),
    ]

    private static let storage: [ServeOption] = [
        .number("limit-webhooks", \.server.webhooks.limit, 0...100, "Webhooks at once, of all nodes together."),
        .number(
            "limit-room-bytes", \.rooms.roomBytes, 0...mostBytes,
            """
            What a room stores, a quarter of it for one user: beyond it chat, items and new rounds get 429 `room.storage_full` or `member.storage_full`, at twice as much bids and \
            joins, at four times pauses and changes of members; resuming or ending a round, retracting, kicking, leaving and archiving \
            never. An event counts for 640 bytes and its texts; responses to commands with a key are bounded by the keys. 0: no limit.
            """),
        .number(
            "limit-media-bytes-per-room", \.server.media.limits.roomBytes, 0...mostBytes,
            "Pictures uploaded to one room, each with 1,024 bytes more; beyond it 429 `media.quota`; 0: no limit."),
        .number(
            "limit-media-bytes-per-user", \.server.media.limits.userBytes, 0...mostBytes,
            "The same for what one user uploads to all rooms, and half of what one address uploads to a node in a day; 0: no limit."
        ),
        .number(
            "limit-media-bytes", \.server.media.limits.totalBytes, 0...mostBytes,
            "The same for all pictures of all nodes; one that no item names is deleted after a day. 0: no limit."),
        .number(
            "limit-log-bytes", \.server.service.logBytes, 0...mostBytes,
            """
            The log as a whole, without pictures: from 90 % on new rooms and imports of lots are refused (503 `log.full`), from 95 % \
            commands, and bids in running rounds last. So they are when less than 32, 24 and 16 MiB of its disk are free. Read every two \
            seconds. 0: only the disk is the limit.
            """),
        .number(
            "retain-archived-days", \.server.service.archivedDays, 0...36_500,
            """
            Archived rooms whose last event is older than so many days are deleted while the server runs, with their events and results; \
            see "Old rooms" in the article on operations. Nothing brings them back but a backup. 0: they are kept for ever.
            """),
    ]
}
