internal import EventLog

/// What a reader of the feed gets.
struct FeedBatch: Sendable {
    /// Those that the reader wants.
    var events: [FeedEvent] = []
    /// The position after the last event that was read.
    var next: FeedPosition
    /// Whether further events may follow at once.
    var more = false
    /// Where the reader is among the notices while it gets the events.
    var noticesFrom = NoticePosition.beginning
    /// What it gets after the events.
    var notices: [FeedNotice] = []

    /// Whether the reader gets nothing.
    var isEmpty: Bool { events.isEmpty && notices.isEmpty }

    /// The cursor of an event.
    func cursor(of event: FeedEvent, in feed: UInt64) -> FeedCursor {
        FeedCursor(feed: feed, position: event.position, notice: noticesFrom)
    }

    /// The cursor of a notice: all events were before it.
    func cursor(of notice: FeedNotice, in feed: UInt64) -> FeedCursor {
        FeedCursor(feed: feed, position: next, notice: notice.position)
    }

    /// The cursor after all that the reader gets.
    func end(in feed: UInt64) -> FeedCursor {
        FeedCursor(feed: feed, position: next, notice: notices.last?.position ?? noticesFrom)
    }
}

/// Why a position in the feed cannot be read from.
enum FeedError: Error {
    /// Events before the position are not what they were, or not there any more.
    case gone
    case log(EventLogError)
}

extension EventLog {
    /// Most events read for one response, so that a reader that wants few is answered in time.
    private static var scanLimit: Int { 4096 }
    /// Events of one read, which may have 64 KiB each.
    private static var chunk: Int { 128 }
    /// Bytes of events in a response, less than a stream buffers; the first event is always in it.
    private static var byteLimit: Int { 262_144 }

    /// The events that follow a position, as far as the reader wants them, each with those that follow from it: they have its position, so
    /// that there are some more than the limit rather than a part of them.
    /// - Parameters:
    ///   - overPruned: See `FeedQuery.overPruned`.
    ///   - view: What a reader has read that waits for events; nil: all that is there is found.
    func batch(
        after position: FeedPosition, limit: Int, _ filter: FeedFilter, overPruned: Bool = false, in view: FeedTail.View? = nil
    ) throws(FeedError) -> FeedBatch {
        var (batch, derivation) = (FeedBatch(next: position), FeedDerivation(for: filter))
        let types = FeedDerivation.types(readFor: filter)
        var (scanned, bytes) = (0, 0)
        while true {
            let chunk = min(Self.chunk, filter == FeedFilter() ? limit - batch.events.count : Self.chunk)
            var query = FeedQuery(after: batch.next, limit: chunk)
            (query.types, query.overPruned) = (types, overPruned)
            let (events, end, isAtEnd) = try page(query, in: view)
            for event in events {
                let wanted = try (filter.takes(event) ? [event] : []) + derivation.following(event, in: self)
                if !wanted.isEmpty {
                    let size = wanted.reduce(0) { $0 + $1.event.publicBytes.count }
                    guard batch.events.isEmpty || bytes + size <= Self.byteLimit else {
                        batch.more = true
                        return batch
                    }
                    bytes += size
                    batch.events += wanted
                }
                batch.next = event.position
                guard batch.events.count < limit else {
                    batch.more = true
                    return batch
                }
            }
            batch.next = end
            if isAtEnd { return batch }
            scanned += chunk
            guard scanned < Self.scanLimit else {
                batch.more = true
                return batch
            }
        }
    }

    /// The events that follow a position, and once there are no more, the notices that do.
    func batch(
        after position: FeedPosition, _ notice: NoticePosition, limit: Int, _ filter: FeedFilter, in view: FeedTail.View? = nil
    ) throws(FeedError) -> FeedBatch {
        var batch = try batch(after: position, limit: limit, filter, in: view)
        batch.noticesFrom = notice
        guard !batch.more, filter.takesNotices else { return batch }
        let most = min(limit - batch.events.count, FeedNotice.pageLimit)
        batch.notices = try notices(after: notice, limit: most)
        batch.more = batch.notices.count == most
        return batch
    }

    private func page(
        _ query: FeedQuery, in view: FeedTail.View?
    ) throws(FeedError) -> (events: [FeedEvent], end: FeedPosition, isAtEnd: Bool) {
        let scan: FeedScan
        do throws(EventLogError) {
            if let view { scan = try view.scan(query) } else { scan = try scanFeed(query) }
        } catch { throw .log(error) }
        guard case .events(let events, let end, let isAtEnd) = scan else { throw .gone }
        return (events, end, isAtEnd)
    }
}

extension FeedDerivation {
    fileprivate mutating func following(_ event: FeedEvent, in log: any EventLog) throws(FeedError) -> [FeedEvent] {
        do throws(EventLogError) { return try events(after: event, from: log) } catch { throw .log(error) }
    }
}
