internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Synchronization

/// Goes on with erasures that are not finished: after a restart, for another node that ended, and for a room that needed its user. Learns from
/// the log who has left on other nodes.
final class ErasureWatch: Sendable {
    /// A user who has left is refused on every node after this time, and the reading of the log.
    private static let readingMilliseconds = 1000
    /// Records that are read at once; a reading goes on to the last.
    static let pageLimit = 100

    private let shared: SharedParts
    private let thread = PeriodicThread(name: "erasures")

    init(_ shared: SharedParts) { self.shared = shared }

    /// Reads who has left. Call it before the first token is accepted.
    func read() throws(EventLogError) {
        try shared.access.erased.read(from: shared.service.log)
        if !shared.access.erased.users.ends.isEmpty { shared.registry.postToAll { $0.identityChanged() } }
    }

    /// Begins to go on with what is not finished.
    func start() {
        thread.start { [self] in
            // While the log cannot be read, what is known holds. Of a log of one process no other one is at work, whatever a record says.
            try? takeTurn(isFirst: !shared.service.isShared)
            while thread.pause(milliseconds: Self.readingMilliseconds) { try? takeTurn(isFirst: false) }
        }
    }

    func stop() { _ = thread.stop() }

    private func takeTurn(isFirst: Bool) throws(EventLogError) {
        var query = RecordQuery(kind: ErasureRecord.kind, limit: Self.pageLimit)
        while true {
            let page = try shared.service.log.records(query)
            for stored in page {
                guard let record = ErasureRecord(stored) else { continue }
                shared.tokensEnded(record)
                if isFirst || record.due <= shared.clock.now().wall { try resume(record, version: stored.version) }
            }
            guard page.count == query.limit else { return }
            query.after = page.last?.id
        }
    }

    /// Of several nodes one gets the record as it was.
    private func resume(_ record: ErasureRecord, version: Int64) throws(EventLogError) {
        guard shared.access.erased.begin(record.user) else { return }
        var taken = record
        taken.due = shared.clock.now().wall.advanced(byMilliseconds: ErasureRecord.leaseMilliseconds)
        let lease = taken
        do throws(EventLogError) {
            guard try shared.service.log.write([lease.change(if: .version(version))]) else {
                return shared.access.erased.end(record.user)
            }
        } catch {
            shared.access.erased.end(record.user)
            throw error
        }
        shared.registry.post(to: 0) { $0.resume(lease) }
    }
}
