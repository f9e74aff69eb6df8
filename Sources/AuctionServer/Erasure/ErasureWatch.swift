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
            var asking: Set<UserID> = []
            try? takeTurn(isFirst: !shared.service.isShared, &asking)
            while thread.pause(milliseconds: Self.readingMilliseconds) { try? takeTurn(isFirst: false, &asking) }
        }
    }

    func stop() { _ = thread.stop() }

    /// - Parameter asking: Users of whom another node decides, whose commands are refused here.
    private func takeTurn(isFirst: Bool, _ asking: inout Set<UserID>) throws(EventLogError) {
        var found: Set<UserID> = []
        var query = RecordQuery(kind: ErasureRecord.kind, limit: Self.pageLimit)
        while true {
            let page = try shared.service.log.records(query)
            for stored in page {
                guard let record = ErasureRecord(stored) else { continue }
                if record.isAsked {
                    if try isOpen(record, stored.version, isFirst: isFirst) { found.insert(record.user) }
                    continue
                }
                shared.tokensEnded(record)
                if isFirst || record.due <= shared.clock.now().wall { try resume(record, version: stored.version) }
            }
            guard page.count == query.limit else { break }
            query.after = page.last?.id
        }
        for user in found.subtracting(asking) { shared.stopCommands(of: user) }
        for user in asking.subtracting(found) { shared.allowCommands(of: user) }
        asking = found
    }

    /// Whether another node is about to decide. If it has not for long it has ended, and its user has to ask again.
    private func isOpen(_ record: ErasureRecord, _ version: Int64, isFirst: Bool) throws(EventLogError) -> Bool {
        guard !shared.access.erased.isRunning(record.user) else { return false }
        guard isFirst || record.due <= shared.clock.now().wall else { return true }
        _ = try shared.service.log.write([.delete(ErasureRecord.kind, record.user.description, if: .version(version))])
        return false
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
