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
    static let options = connections + requests + rates + memory + storage

    private static let mostBytes = 1 << 40

    private static let connections: [ServeOption] = [
        .number(
            "limit-connections", \.server.http.limits.connections, 16...900_000,
            "Connections at once. A tenth is kept for short requests; the process needs as many file descriptors and some more."
        ),
        .number(
            "address-prefix-v6", \.server.http.limits.addressPrefix6, 16...128,
            "Bits of an IPv6 address that make one client, for limits per address: a line has at least 2^64 of them."),
        .number(
            "limit-connections-per-address", \.server.http.limits.connectionsPerAddress, 0...1_000_000,
            default: "half of them",
            """
            Connections of one client address (IPv6: of one /64), a tenth of them kept for short requests; 0: no limit. Connections of \
            trusted proxies are not limited so: there it bounds the streams and held long-polls of each forwarded address.
            """
        ) { $0.server.http.limits.connections / 2 },
        .number(
            "limit-displaced-per-address", \.server.http.limits.displacedPerAddress, 0...1_000_000,
            """
            Connections of one client address that are refused, or take the place of one of its own that had sent nothing, within a \
            second; beyond it its new ones are closed without a response for the rest of the second; 0: no limit.
            """),
        .number(
            "limit-silent-connections", \.server.http.limits.silentConnections, 0...1_000_000, default: "a quarter of them",
            "Connections without a whole request so far; beyond it the oldest is closed; 0: no limit of their own."
        ) { $0.server.http.limits.connections / 4 },
        .number(
            "limit-request-seconds", \.server.http.limits.requestSeconds, 1...3600,
            "The time for a request's head, and again for its body."),
        .number(
            "limit-answer-seconds", \.server.http.limits.responseSeconds, 1...3600,
            "The time for taking a response; streams have other bounds."),
        .number(
            "limit-send-buffer-bytes", \.server.http.limits.sendBufferBytes, 16384...16_777_216,
            "What the kernel keeps for a client that does not read."),
    ]

    private static let requests: [ServeOption] = [
        .number(
            "limit-header-bytes", \.server.http.limits.headerBytes, 1024...65536,
            "The size of request line and headers together."),
        .number("limit-body-bytes", \.server.http.limits.bodyBytes, 1024...16_777_216, "The size of a request's body."),
        .number(
            "limit-large-bodies-bytes", \.server.http.limits.largeBodiesBytes, 16_777_216...1_073_741_824,
            "Bodies above it that are being received at once, where a call allows them; a quarter per user and per address."),
        .number(
            "limit-large-body-seconds", \.server.http.limits.largeBodySeconds, 1...3600,
            "The time for such a body, if more than a request's."),
        .number(
            "limit-import-bytes", \.server.limits.importBytes, 65536...16_777_216,
            "The size of a file of lots, which has 1,000 rows at most."),
        .number("limit-picture-bytes", \.server.limits.pictureBytes, 65536...16_777_216, "The size of an uploaded picture."),
        .number("limit-json-depth", \.server.limits.jsonDepth, 4...256, "Deepest nesting of a body."),
        .number(
            "limit-json-members", \.server.limits.jsonMembers, 64...65536,
            "Members of one object in a body, and elements of one array."),
        .number(
            "limit-json-values", \.server.limits.jsonValues, 256...1_048_576,
            "Members and elements in a body, all levels together."),
    ]

    private static let rates: [ServeOption] = [
        .number(
            "limit-guests-per-minute", \.server.limits.guestsPerMinute, 0...1_000_000, "New guests per address; 0: no limit."),
        .number(
            "limit-guests-burst", \.server.limits.guestsBurst, 0...1_000_000,
            """
            New guests of one address at once, after a pause, where many users share an address and come together; 0: as many as per \
            minute.
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
            "Streams and held long-polls of one user, or of one address without a token; 0: no limit."),
        .number("limit-pending-commands", \.server.limits.pendingCommands, 1...10_000_000, "Commands in flight; more get 503."),
        .number(
            "limit-keys-per-room", \.server.service.keysPerRoom, 1...10_000_000,
            """
            Idempotency-Keys that one room remembers, for 24 hours; beyond it the oldest of the user with the most keys is \
            evicted.
            """),
        .number(
            "limit-keys-per-user", \.server.service.keysPerUser, 1...1_000_000,
            """
            How many of them one user has in one room, with their responses: beyond it the user's own oldest is evicted, and more in \
            flight at once get 503.
            """),
        .number(
            "limit-stale-seconds", \.server.limits.staleSeconds, 1...3600,
            """
            How long a server with PostgreSQL may not know what others wrote: from one second on its reads say so (`Age`), \
            beyond this they get 503.
            """),
    ]

    private static let memory: [ServeOption] = [
        .number(
            "limit-response-bytes", \.server.limits.responseBytes, 0...mostBytes,
            """
            Bytes of all responses and streams that wait for their readers, each buffer once; beyond it reads get 503, commands do not, \
            and the slow readers that hold most are cut off. 0: no limit.
            """),
        .number(
            "limit-recent-bytes-per-room", \.server.service.recentBytesPerRoom, 0...1_073_741_824,
            """
            Bytes of its latest events (256 at most) that a room keeps in memory for readers; older ones are read from the log.
            """),
        .number(
            "limit-recent-bytes", \.server.service.recentBytes, 0...mostBytes,
            "Bytes of the latest events of all rooms together; beyond it the rooms whose last event is oldest keep none."),
        .number(
            "limit-room-idle-seconds", \.server.service.idleRoomSeconds, 1...86400,
            "After how long without use a room leaves the memory."),
        .number(
            "limit-loaded-bytes", \.server.service.loadedBytes, 1_048_576...mostBytes,
            """
            About what rooms in memory take; beyond it those unused for longest leave early, and requests bring in no others (503) \
            while that does not suffice.
            """),
        .number(
            "limit-pending-loads", \.server.service.pendingLoads, 1...1_000_000,
            """
            Rooms being loaded for readers alone, an eighth per user, or per address without a token; more get 503. As many others may \
            be loaded for commands, which readers do not delay.
            """),
        .number(
            "limit-pending-reads", \.server.service.pendingReads, 1...1_000_000,
            """
            Reads of lists and old events that wait, an eighth per user, or per address without a token; more get 503.
            """),
        .number(
            "limit-page-bytes", \.server.limits.pageBytes, 1024...16_777_216,
            """
            A page of a list ends with the row that reaches it; `nextCursor` goes on there. A page of events, of a poll or of a \
            stream that catches up, has no more unless one event alone has.
            """),
    ]

    private static let storage: [ServeOption] = [
        .number(
            "limit-room-bytes", \.rooms.roomBytes, 0...mostBytes,
            """
            What a room stores: beyond it chat, items and new rounds get 429 `room.storage_full`, at twice as much bids and \
            joins, at four times pauses and changes of members; resuming or ending a round, retracting, kicking, leaving and archiving \
            never. An event counts for 640 bytes and its texts; responses to commands with a key are bounded by the keys. 0: no limit.
            """),
        .number(
            "limit-user-room-bytes", \.rooms.userRoomBytes, 0...mostBytes,
            "The same for what one user makes a room store: `member.storage_full`; 0: no limit."),
        .number(
            "limit-media-bytes-per-room", \.server.media.limits.roomBytes, 0...mostBytes,
            "Pictures uploaded to one room, each with 1,024 bytes more; beyond it 429 `media.quota`; 0: no limit."),
        .number(
            "limit-media-bytes-per-user", \.server.media.limits.userBytes, 0...mostBytes,
            "The same for what one user uploads to all rooms; 0: no limit."),
        .number(
            "limit-media-bytes-per-address", \.server.media.bytesPerAddress, 0...mostBytes,
            "The same for what one address uploads to this node within a day, repeats and refused uploads included; 0: no limit."
        ),
        .number(
            "limit-media-bytes", \.server.media.limits.totalBytes, 0...mostBytes,
            "The same for all pictures of all nodes; one that no item names is deleted after a day. 0: no limit."),
        .number(
            "limit-media-free-bytes", \.server.media.limits.freeBytes, 0...mostBytes,
            """
            What pictures leave free for the log on a disk with SQLite: with less, uploads get 503 `media.disk_full`. With \
            PostgreSQL it means nothing. 0: no limit.
            """),
        .number(
            "limit-lots-per-room", \.rooms.lotsPerRoom, 0...1_000_000,
            "Lots of a room, sold and withdrawn ones included: beyond it 429 `lot.too_many`; 0: no limit."),
    ]
}

/// Limits and intervals of streams.
enum StreamSection: OptionSection {
    static let title = "Streams"
    static let options: [ServeOption] = [
        .number(
            "stream-outgoing-bytes", \.server.streams.outgoingBytes, 16384...67_108_864,
            "What may wait for a slow reader; beyond it the stream is cut off."),
        // At most 30, as the web page treats a connection without data for 40 seconds as dead.
        .number(
            "stream-notice-seconds", \.server.streams.noticeSeconds, 1...30,
            "How often every stream says who watches, which keeps it alive. A proxy must wait longer."),
        .number(
            "stream-ping-seconds", \.server.streams.pingSeconds, 1...3600,
            "Silence after which a WebSocket's client is sent a ping."),
        .number(
            "stream-message-bytes", \.server.streams.messageBytes, 1024...16_777_216,
            "Largest message of a WebSocket's client."),
        .number(
            "stream-pending-commands", \.server.streams.pendingCommands, 1...10000,
            "Commands in flight of one WebSocket; more get 503."),
        .number(
            "stream-tickets", \.server.streams.tickets, 1...1_000_000,
            "Unused tickets of all users; beyond it the oldest is evicted."),
        .number(
            "stream-tickets-per-user", \.server.streams.ticketsPerUser, 1...1_000_000,
            "Unused tickets of one user; beyond it the oldest is evicted."),
        .number(
            "stream-pending-tickets", \.server.streams.pendingTickets, 1...1_000_000,
            "Tickets on their way to or from PostgreSQL, an eighth of them for one caller; more get 503."),
    ]
}
