internal import EventLog
internal import MicroHTTP
internal import Synchronization

/// The pictures that are being sent: all responses with the same picture share its bytes, for example when the next item begins and all
/// members of the room load its picture.
final class SharedPictures: Sendable {
    /// A picture in memory.
    struct Loaded: Sendable {
        let type: String
        let bytes: SharedBytes
    }

    private struct Entry {
        let type: String
        /// Nil once no response has the picture any more.
        weak var bytes: SharedBytes?
        /// Monotonic nanoseconds at which it was read from the store.
        let readAt: Int64
    }

    private struct Entries {
        var byID: [PictureID: Entry] = [:]
        /// The pictures that were read last, oldest first, which stay in memory also when no response has them.
        var recent: [SharedBytes] = []
        var recentBytes = 0
        /// When there are this many entries, those without bytes are removed.
        var cleaningCount = 64
    }

    /// Bytes of pictures that stay in memory, which count as those of responses: enough for the few that a crowd loads at the same time.
    private let recentLimit: Int

    /// How long the store is not asked again: an operator may have removed the picture.
    private static let freshNanoseconds: Int64 = 60_000_000_000

    private let entries = Mutex(Entries())
    private let budget: ResponseBudget

    /// - Parameter responseBytes: the limit of `budget`, of which a sixteenth is kept at most; 0: no limit.
    init(budget: ResponseBudget, responseBytes: Int = 0) {
        self.budget = budget
        recentLimit = responseBytes > 0 ? min(16 << 20, responseBytes / 16) : 16 << 20
    }

    /// The picture if it is in memory, and was read from the store less than a minute ago.
    func known(_ id: PictureID, at monotonic: Int64) -> Loaded? {
        entries.withLock { entries in
            guard let entry = entries.byID[id], monotonic - entry.readAt < Self.freshNanoseconds else { return nil }
            return entry.bytes.map { Loaded(type: entry.type, bytes: $0) }
        }
    }

    /// The picture, read from the store if it is not in memory; nil if there is none.
    func picture(_ id: PictureID, in store: any PictureStore, at monotonic: Int64) throws(EventLogError) -> Loaded? {
        if let known = known(id, at: monotonic) { return known }
        guard let picture = try store.picture(id) else { return nil }
        let loaded = Loaded(type: picture.type, bytes: SharedBytes(picture.bytes, in: budget))
        entries.withLock { entries in
            if entries.byID.count >= entries.cleaningCount {
                entries.byID = entries.byID.filter { $0.value.bytes != nil }
                entries.cleaningCount = max(64, 2 * entries.byID.count)
            }
            entries.byID[id] = Entry(type: loaded.type, bytes: loaded.bytes, readAt: monotonic)
            entries.recent.append(loaded.bytes)
            entries.recentBytes += loaded.bytes.count
            while entries.recentBytes > recentLimit, entries.recent.count > 1 {
                entries.recentBytes -= entries.recent.removeFirst().count
            }
        }
        return loaded
    }
}
