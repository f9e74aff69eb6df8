internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Synchronization

/// Carries what is revoked from node to node through the log that they share, on a thread of its own: what one operator's file
/// says holds everywhere after two looks, and at nodes that start later.
final class RevocationWatch: Sendable {
    private static let lookMilliseconds = 300
    /// How often everything is read: only that shows what was taken back.
    private static let wholeSeconds = 20
    /// What is committed late was revoked a little before the last one seen.
    private static let overlapMilliseconds: Int64 = -5000

    private let log: any SharedEventLog
    private let clock: any ServiceClock
    private let changed: @Sendable (SharedRevocations) -> Void
    private let book = Mutex(RevocationBook())
    private let thread = WatchThread(name: "revocations")

    /// - Parameter changed: Told what counts from now on, on this thread.
    init(log: any SharedEventLog, clock: any ServiceClock, changed: @escaping @Sendable (SharedRevocations) -> Void) {
        self.log = log
        self.clock = clock
        self.changed = changed
    }

    /// From now on this node's operator lists these.
    func list(_ revocations: Revocations) {
        let ends = revocations.ends
        book.withLock { $0.list(ends) }
    }

    /// Reads what counts and looks after it from then on.
    func start() throws(EventLogError) {
        try look(isWhole: true)
        thread.start { self.run() }
    }

    func stop() { _ = thread.stop() }

    private func run() {
        var last = ContinuousClock.now
        while thread.pause(milliseconds: Self.lookMilliseconds) {
            do throws(EventLogError) {
                let isWhole = ContinuousClock.now - last >= .seconds(Self.wholeSeconds)
                try look(isWhole: isWhole)
                if isWhole { last = .now }
            } catch {
                // What is known goes on to count; readiness says that the log is out of reach.
                continue
            }
        }
    }

    /// Tells the log what is new here, and this node what is new there.
    func look(isWhole: Bool) throws(EventLogError) {
        let gone = book.withLock { $0.restoring }
        if !gone.isEmpty {
            try log.restore(gone)
            book.withLock { $0.restored(gone) }
        }
        while true {
            let next = book.withLock { $0.telling(at: clock.now().wall) }
            if next.isEmpty { break }
            try log.revoke(next)
            book.withLock { $0.told(next) }
        }
        let reads = isWhole || !gone.isEmpty
        let latest = reads ? nil : book.withLock { $0.latest }
        let found = try log.revocations(
            since: latest?.advanced(byMilliseconds: Self.overlapMilliseconds) ?? Timestamp(milliseconds: 0))
        let now = clock.now().wall
        let (isNew, everything) = book.withLock { book in
            (book.learn(found, isWhole: latest == nil, at: now), book.everything)
        }
        if isNew || !gone.isEmpty { changed(everything) }
    }
}
