internal import EventLog

/// How far the comparison of all rooms has got, after the events that were to be read next were gone: the log is an older one, or a copy,
/// or was pruned.
struct VoiceSweep: Sendable {
    /// The first event of every room.
    static let filter: FeedFilter = {
        var filter = FeedFilter()
        filter.types = ["room.opened"]
        return filter
    }()

    /// The cursor that was not good. It stays in the progress until the sweep is over: a node that takes over begins it again.
    let lost: String
    /// The rooms that were opened before it were read.
    var after = FeedPosition.beginning
    /// Monotonic time at which the last one was read; nil before.
    var listedAt: Int64?

    init(lost: String) { self.lost = lost }
}
