internal import AuctionService
internal import EventLog
internal import Synchronization

/// What those of a node who wait for events have read of the feed a moment ago: readers and webhooks that want the same types read it once.
///
/// They check the end of the feed again and again, mostly to pass over bids. Each goes on where it stopped, so that what one has read begins
/// where the others go on.
final class FeedTail: Sendable {
    /// A reader's view: it has everything until this end, and what follows is found at its next check.
    struct View: Sendable {
        let tail: FeedTail
        let end: FeedPosition
    }

    /// The end is as of so many nanoseconds ago: with several readers it is read little more often than with one.
    private static let age: Int64 = 20_000_000
    /// Bytes of events in a reading that is kept at most.
    private static let byteLimit = 262_144

    private typealias Reading = (events: [FeedEvent], end: FeedPosition)

    let log: any EventLog
    private let clock: any ServiceClock
    private let readings = Mutex(RecentReadings<FeedQuery, Reading>())

    init(of log: any EventLog, clock: any ServiceClock) { (self.log, self.clock) = (log, clock) }

    /// What there is to read now.
    func view() throws(EventLogError) -> View { View(tail: self, end: try log.feedEnd(asOf: Self.age)) }

    /// The events that follow a position, from the log if none of the readers has read them.
    fileprivate func scan(_ query: FeedQuery, upTo end: FeedPosition) throws(EventLogError) -> FeedScan {
        let now = clock.now().monotonic
        // Whether a reader passes over what was pruned is checked against the position: from then on both get the same.
        var key = query
        key.overPruned = false
        if let known = known(key, at: now) { return .events(known.events, end: known.end, isAtEnd: known.end == end) }
        let scan = try log.scanFeed(query)
        if case .events(let events, let last, _) = scan { keep(events, last, of: key, at: now) }
        return scan
    }

    private func known(_ query: FeedQuery, at now: Int64) -> Reading? {
        // A position from before a pruning may be gone.
        let known = readings.withLock { $0.answer(to: query, at: now) }
        return known?.end.pruning == query.position.pruning ? known : nil
    }

    private func keep(_ events: [FeedEvent], _ end: FeedPosition, of query: FeedQuery, at now: Int64) {
        // What follows the end changes.
        guard end != query.position, events.reduce(0, { $0 + $1.event.publicBytes.count }) <= Self.byteLimit else { return }
        readings.withLock { $0.keep((events, end), to: query, at: now) }
    }
}

extension FeedTail.View {
    /// See `EventFeed.scanFeed`: what was there when the end was read.
    func scan(_ query: FeedQuery) throws(EventLogError) -> FeedScan {
        var query = query
        query.isFresh = false
        return try tail.scan(query, upTo: end)
    }
}
