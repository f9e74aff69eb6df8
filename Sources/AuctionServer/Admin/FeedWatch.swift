internal import AuctionService
internal import EventLog
internal import Synchronization

/// Readers that have come to the end of the feed and wait for the next event.
///
/// One thread asks the log for its end, and reads for the readers only once that has moved. Without readers it sleeps: the feed costs
/// those who bid nothing.
final class FeedWatch: Sendable {
    /// Most readers that wait at once on a node, with all streams.
    static let readerLimit = 64
    /// Milliseconds between two checks of the end of the log. A reader gets an event at most twice that later than the room's subscribers.
    static let pauseMilliseconds = 15
    /// Nanoseconds between two checks for notices that another node has written.
    static let noticePause: Int64 = 1_000_000_000

    typealias Outcome = Result<FeedBatch, FeedError>

    private struct Reader {
        var position: FeedPosition
        let notice: NoticePosition
        let limit: Int
        let filter: FeedFilter
        let isStream: Bool
        /// By the clock's uptime, in nanoseconds.
        let deadline: Int64
        let finish: @Sendable (Outcome) -> Void

        var nothing: FeedBatch { FeedBatch(next: position, noticesFrom: notice) }
    }

    /// What is known of the end of the notices.
    private struct NewestNotice {
        var number: UInt32 = 0
        /// By the clock's uptime, in nanoseconds; nil: it is read at the next turn.
        var readAt: Int64?
    }

    private struct Readers {
        var waiting: [Reader] = []
        /// Streams that are open: each has a place also while it does not wait.
        var streams = 0

        var isFull: Bool { streams + waiting.count { !$0.isStream } >= FeedWatch.readerLimit }
    }

    private let tail: FeedTail
    private let clock: any ServiceClock
    private let readers = Mutex(Readers())
    private let newest = Mutex(NewestNotice())
    private let arrival = MonotonicSemaphore()
    private let isStopping = Atomic<Bool>(false)
    private let thread = PeriodicThread(name: "feed")

    init(_ tail: FeedTail, clock: any ServiceClock) { (self.tail, self.clock) = (tail, clock) }

    private var log: any EventLog { tail.log }

    func start() { thread.start { [self] in run() } }

    /// Answers all readers without events.
    func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        arrival.signal()
        _ = thread.stop()
        for reader in takeWaiting() { reader.finish(.success(reader.nothing)) }
    }

    private func takeWaiting() -> [Reader] {
        readers.withLock { readers in
            defer { readers.waiting = [] }
            return readers.waiting
        }
    }

    /// Takes a place for a stream; false if there is none. `leaveStream` has to follow.
    func enterStream() -> Bool {
        readers.withLock { readers in
            guard !readers.isFull, !isStopping.load(ordering: .sequentiallyConsistent) else { return false }
            readers.streams += 1
            return true
        }
    }

    func leaveStream() { readers.withLock { $0.streams -= 1 } }

    /// This node has written a notice.
    func wroteNotice() { newest.withLock { $0.readAt = nil } }

    /// Waits for an event or a notice after a position.
    /// - Parameters:
    ///   - milliseconds: Afterwards `finish` gets a batch without events.
    ///   - isStream: Whether `enterStream` has taken its place.
    ///   - finish: Is called once, on another thread.
    /// - Returns: False if too many readers wait, or the server stops; `finish` is not called then.
    func wait(
        after position: FeedPosition, _ notice: NoticePosition = .beginning, limit: Int, _ filter: FeedFilter,
        milliseconds: Int, isStream: Bool = false,
        _ finish: @escaping @Sendable (Outcome) -> Void
    ) -> Bool {
        let reader = Reader(
            position: position, notice: notice, limit: limit, filter: filter, isStream: isStream,
            deadline: clock.uptime() + Int64(milliseconds) * 1_000_000, finish: finish)
        let isFirst = readers.withLock { readers -> Bool? in
            guard isStream || !readers.isFull, !isStopping.load(ordering: .sequentiallyConsistent) else { return nil }
            readers.waiting.append(reader)
            return readers.waiting.count == 1
        }
        if isFirst == true { arrival.signal() }
        return isFirst != nil
    }

    private func run() {
        while !isStopping.load(ordering: .sequentiallyConsistent) {
            if readers.withLock({ $0.waiting.isEmpty }) {
                arrival.wait(milliseconds: nil)
                continue
            }
            takeTurn()
            guard thread.pause(milliseconds: Self.pauseMilliseconds) else { return }
        }
    }

    /// Answers the readers for which there is something, or whose time is over.
    func takeTurn() {
        let waiting = takeWaiting()
        let now = clock.uptime()
        let end: Result<End, EventLogError>
        do throws(EventLogError) {
            let readsNotices = waiting.contains { $0.filter.takesNotices }
            end = .success((try tail.view(), readsNotices ? try newestNotice(at: now) : 0))
        } catch { end = .failure(error) }
        let rest = waiting.compactMap { advance($0, to: end, now) }
        // Those who came meanwhile follow.
        readers.withLock { $0.waiting = rest + $0.waiting }
    }

    /// Number of the newest notice, as of a second ago at most.
    private func newestNotice(at now: Int64) throws(EventLogError) -> UInt32 {
        let known = newest.withLock { known -> UInt32? in
            if let readAt = known.readAt, now - readAt < Self.noticePause { return known.number }
            known.readAt = now
            return nil
        }
        if let known { return known }
        let number = try log.noticeEnd().number
        newest.withLock { $0.number = number }
        return number
    }

    /// The end of the events, and of the notices.
    private typealias End = (view: FeedTail.View, notices: UInt32)

    /// The reader, if it goes on waiting.
    private func advance(_ reader: Reader, to end: Result<End, EventLogError>, _ now: Int64) -> Reader? {
        var reader = reader
        do throws(FeedError) {
            guard case .success(let end) = end else {
                if case .failure(let error) = end { throw .log(error) }
                return nil
            }
            if end.view.end != reader.position || reader.filter.takesNotices && end.notices > reader.notice.number {
                let batch = try log.batch(
                    after: reader.position, reader.notice, limit: reader.limit, reader.filter, in: end.view)
                guard batch.isEmpty else {
                    reader.finish(.success(batch))
                    return nil
                }
                reader.position = batch.next
            }
            guard reader.deadline > now else {
                reader.finish(.success(reader.nothing))
                return nil
            }
            return reader
        } catch {
            reader.finish(.failure(error))
            return nil
        }
    }
}
