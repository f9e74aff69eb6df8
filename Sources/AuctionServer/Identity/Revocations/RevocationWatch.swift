internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Synchronization

/// Synchronizes revocations between nodes through the shared log, on a thread of its own: an entry in one operator's file takes
/// effect on all nodes after two polls, also on nodes started later.
final class RevocationWatch: Sendable {
    private static let pollMilliseconds = 300
    /// Seconds between full reads: only a full read detects withdrawn revocations.
    private static let fullReadSeconds = 20
    /// Incremental reads overlap, because a revocation may be committed slightly after a newer one.
    private static let overlapMilliseconds: Int64 = -5000

    private let log: any SharedEventLog
    private let clock: any ServiceClock
    private let changed: @Sendable (SharedRevocations) -> Void
    private let registry = Mutex(RevocationRegistry())
    private let thread = PeriodicThread(name: "revocations")

    /// - Parameter changed: called on this thread with the effective revocations whenever they change.
    init(log: any SharedEventLog, clock: any ServiceClock, changed: @escaping @Sendable (SharedRevocations) -> Void) {
        self.log = log
        self.clock = clock
        self.changed = changed
    }

    /// Replaces the list of this node's operator.
    func list(_ revocations: Revocations) {
        let ends = revocations.ends
        registry.withLock { $0.list(ends) }
    }

    /// Loads all revocations, then starts the polling thread.
    func start() throws(EventLogError) {
        try synchronize(isWhole: true)
        thread.start { self.run() }
    }

    func stop() { _ = thread.stop() }

    private func run() {
        var last = ContinuousClock.now
        while thread.pause(milliseconds: Self.pollMilliseconds) {
            do throws(EventLogError) {
                let isWhole = ContinuousClock.now - last >= .seconds(Self.fullReadSeconds)
                try synchronize(isWhole: isWhole)
                if isWhole { last = .now }
            } catch {
                // Known revocations stay in effect; readiness reports that the log is unreachable.
                continue
            }
        }
    }

    /// Publishes local changes to the log and loads those of other nodes.
    func synchronize(isWhole: Bool) throws(EventLogError) {
        let gone = registry.withLock { $0.keysToRestore }
        if !gone.isEmpty {
            try log.restore(gone)
            registry.withLock { $0.restored(gone) }
        }
        while true {
            let next = registry.withLock { $0.nextToPublish(at: clock.now().wall) }
            if next.isEmpty { break }
            try log.revoke(next)
            registry.withLock { $0.published(next) }
        }
        let reads = isWhole || !gone.isEmpty
        let latest = reads ? nil : registry.withLock { $0.latest }
        let found = try log.revocations(
            since: latest?.advanced(byMilliseconds: Self.overlapMilliseconds) ?? Timestamp(milliseconds: 0))
        let now = clock.now().wall
        let (isNew, everything) = registry.withLock { registry in
            (registry.merge(found, isWhole: latest == nil, at: now), registry.everything)
        }
        if isNew || !gone.isEmpty { changed(everything) }
    }
}
