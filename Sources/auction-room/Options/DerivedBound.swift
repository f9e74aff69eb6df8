internal import AuctionDomain
internal import AuctionServer
internal import AuctionService
internal import MicroHTTP

/// A bound without an option: it follows from options (`Settings.deriveBounds`). Refusals name it.
struct DerivedBound: Sendable {
    let name: String
    /// How it follows, for `docker/CONFIGURATION.md`.
    let rule: String
    /// What it means.
    let text: String
    /// The value in force.
    let inForce: @Sendable (Settings) -> String

    private init<Number: Numeric & Sendable>(
        _ name: String, _ place: any KeyPath<Settings, Number> & Sendable, _ rule: String, _ text: String
    ) {
        (self.name, self.rule, self.text) = (name, rule, text)
        inForce = { ServeOption.whole($0[keyPath: place]) }
    }

    /// The row of `docker/CONFIGURATION.md`.
    var row: String { "| `\(name)` | \(rule) | \(text) |" }

    static let all: [DerivedBound] = [
        DerivedBound(
            "limit-loaded-bytes", \.server.service.loadedBytes, "half of `limit-memory`",
            """
            About what rooms in memory take; beyond it those unused for longest leave early, and requests bring in no others (503) while \
            that does not suffice.
            """),
        DerivedBound(
            "limit-response-bytes", \.server.limits.responseBytes, "a quarter of `limit-memory`",
            """
            All responses and streams that wait for their readers, each buffer once; beyond it reads get 503, commands do not, and the slow \
            readers that hold most are cut off.
            """),
        DerivedBound(
            "limit-recent-bytes", \.server.service.recentBytes, "an eighth of `limit-memory`",
            "The latest events of all rooms together; beyond it the rooms whose last event is oldest keep none."),
        DerivedBound(
            "limit-large-bodies-bytes", \.server.http.limits.largeBodiesBytes,
            "a sixteenth of `limit-memory`, at least 4 × `limit-picture-bytes`, at most 1 GiB",
            """
            Bodies above `limit-body-bytes` that are being received at once, where a call allows them; a quarter per user and per address. \
            They take up to twice as much.
            """),
        DerivedBound(
            "stream-outgoing-bytes", \.server.streams.outgoingBytes, "1/2,048 of `limit-memory`, 65,536 to 524,288",
            "What may wait for a slow reader; beyond it the stream is cut off."),
        DerivedBound(
            "stream-message-bytes", \.server.streams.messageBytes, "`limit-body-bytes`",
            "Largest message of a WebSocket's client."),
        DerivedBound(
            "limit-silent-connections", \.server.http.limits.silentConnections, "a quarter of `limit-connections`",
            "Connections without a whole request so far; beyond it the oldest is closed."),
        DerivedBound(
            "limit-answer-seconds", \.server.http.limits.responseSeconds, "3 × `limit-request-seconds`",
            "The time for taking a response; streams have other bounds."),
        DerivedBound(
            "limit-large-body-seconds", \.server.http.limits.largeBodySeconds, "6 × `limit-request-seconds`",
            "The time for a body above `limit-body-bytes`."),
        DerivedBound(
            "limit-user-room-bytes", \.rooms.userRoomBytes, "a quarter of `limit-room-bytes`",
            "What one user makes a room store; beyond it `member.storage_full`."),
        DerivedBound(
            "limit-text-bytes-per-address", \.server.limits.textBytesPerAddress, "twice `limit-room-bytes`",
            "Rooms, items, lots, rules, messages, blocks and orders that one address sends to this node within a day, each event with 640 bytes; beyond it `address.storage_full`, except for bids in a round and what ends or resumes one, voids a sale, answers an offer, takes something back, mutes, bans, removes or leaves."
        ),
        DerivedBound(
            "limit-media-bytes-per-address", \.server.media.bytesPerAddress, "twice `limit-media-bytes-per-user`",
            "Pictures that one address uploads to this node within a day, repeats and refused uploads included."),
    ]
}
