internal import ArgumentParser
internal import AuctionDomain
internal import AuctionServer
internal import AuctionService

/// Options for the limits on data that clients make the service store, keep in memory and encode.
struct StorageLimitOptions: ParsableArguments {
    @Option(
        name: .customLong("limit-room-bytes"),
        help: .setting(
            "limit-room-bytes", "What a room stores before chat and items end; bids end at twice as much. 0: no limit.",
            default: "268435456"))
    var roomBytesText: String?

    @Option(
        name: .customLong("limit-user-room-bytes"),
        help: .setting(
            "limit-user-room-bytes", "The same for what one user makes a room store; 0: no limit.", default: "67108864"))
    var userRoomBytesText: String?

    @Option(
        name: .customLong("limit-page-bytes"),
        help: .setting("limit-page-bytes", "A page of a list ends with the row that reaches it.", default: "262144"))
    var pageBytes: String?

    @Option(
        name: .customLong("limit-pending-reads"),
        help: .setting(
            "limit-pending-reads", "Reads of lists and old events that wait, an eighth per caller; more get 503.",
            default: "512"))
    var pendingReads: String?

    @Option(
        name: .customLong("limit-pending-loads"),
        help: .setting(
            "limit-pending-loads", "Rooms under way into memory for readers alone; more get 503.", default: "256"))
    var pendingLoads: String?

    @Option(
        name: .customLong("limit-loaded-bytes"),
        help: .setting(
            "limit-loaded-bytes", "About what rooms in memory take; beyond it those unused for longest leave early.",
            default: "536870912"))
    var loadedBytes: String?

    func roomBytes() throws(ConfigurationError) -> Int {
        try Setting.int("limit-room-bytes", 0...RoomLimits.largestBytes, default: RoomLimits.defaultRoomBytes)
            .value(roomBytesText)
    }

    func userRoomBytes() throws(ConfigurationError) -> Int {
        try Setting.int("limit-user-room-bytes", 0...RoomLimits.largestBytes, default: RoomLimits.defaultUserRoomBytes)
            .value(userRoomBytesText)
    }

    func apply(to options: inout ServerOptions) throws(ConfigurationError) {
        options.limits.pageBytes = try Setting.int("limit-page-bytes", 1024...16_777_216, default: 262_144).value(pageBytes)
        options.service.pendingReads = try Setting.int("limit-pending-reads", 1...1_000_000, default: 512).value(pendingReads)
        options.service.pendingLoads = try Setting.int("limit-pending-loads", 1...1_000_000, default: 256).value(pendingLoads)
        options.service.loadedBytes = try Setting.int(
            "limit-loaded-bytes", 1_048_576...RoomLimits.largestBytes, default: 536_870_912
        ).value(loadedBytes)
    }
}
