internal import EventLog
internal import MicroHTTP
internal import Synchronization

/// The pictures that are being sent: all responses with the same picture share its bytes, for example when the next item begins and all
/// members of the room load its picture.
final class SharedPictures: Sendable {
    /// A picture in memory.
    struct Loaded: Sendable {
        /// The digest of its bytes.
        let id: PictureID
        let type: String
        let bytes: SharedBytes
        /// Monotonic nanoseconds at which it was read from the store.
        fileprivate let readAt: Int64
    }

    private struct Key: Hashable {
        let id: PictureID
        let isPreview: Bool
    }

    private struct Entry {
        /// The hash of the preview, or of the picture itself if there is none.
        let id: PictureID
        let type: String
        /// Nil once no response has the picture any more.
        weak var bytes: SharedBytes?
        /// Monotonic nanoseconds at which it was read from the store.
        let readAt: Int64
    }

    private struct Entries {
        var byKey: [Key: Entry] = [:]
        /// The pictures that were read last, oldest first, which stay in memory also when no response has them.
        var recent: [SharedBytes] = []
        var recentBytes = 0
        /// When there are this many entries, those without bytes are removed.
        var cleaningCount = 64

        mutating func set(_ loaded: Loaded, _ key: Key) {
            if byKey.count >= cleaningCount {
                byKey = byKey.filter { $0.value.bytes != nil }
                cleaningCount = max(64, 2 * byKey.count)
            }
            byKey[key] = Entry(id: loaded.id, type: loaded.type, bytes: loaded.bytes, readAt: loaded.readAt)
        }
    }

    /// Bytes of pictures that stay in memory, which count as those of responses: enough for the few that a crowd loads at the same time.
    private let recentLimit: Int

    /// How long the store is not asked again: an operator may have removed the picture.
    private static let freshNanoseconds: Int64 = 60_000_000_000
    /// How long it is not asked again for a preview that it did not have: another node may store it.
    private static let absentNanoseconds: Int64 = 3_000_000_000

    private let entries = Mutex(Entries())
    private let budget: ResponseBudget

    /// - Parameter responseBytes: the limit of `budget`, of which a sixteenth is kept at most; 0: no limit.
    init(budget: ResponseBudget, responseBytes: Int = 0) {
        self.budget = budget
        recentLimit = responseBytes > 0 ? min(16 << 20, responseBytes / 16) : 16 << 20
    }

    /// Forgets what was known of the preview of a picture: another one is stored.
    func forgetPreview(of id: PictureID) {
        entries.withLock { entries in entries.byKey[Key(id: id, isPreview: true)] = nil }
    }

    /// The picture, or its preview, if it is in memory, and was read from the store less than a minute ago; three seconds for the picture in
    /// place of a preview.
    func known(_ id: PictureID, isPreview: Bool = false, at monotonic: Int64) -> Loaded? {
        entries.withLock { entries in
            guard let entry = entries.byKey[Key(id: id, isPreview: isPreview)],
                monotonic - entry.readAt < (isPreview && entry.id == id ? Self.absentNanoseconds : Self.freshNanoseconds)
            else { return nil }
            return entry.bytes.map { Loaded(id: entry.id, type: entry.type, bytes: $0, readAt: entry.readAt) }
        }
    }

    /// The picture, or its preview, read from the store if it is not in memory; the picture if it has no preview, nil if there is neither.
    func picture(
        _ id: PictureID, isPreview: Bool = false, in store: any PictureStore, at monotonic: Int64
    ) throws(EventLogError) -> Loaded? {
        if let known = known(id, isPreview: isPreview, at: monotonic) { return known }
        let key = Key(id: id, isPreview: isPreview)
        guard let picture = try isPreview ? store.preview(of: id) : store.picture(id) else {
            guard isPreview, let original = try self.picture(id, in: store, at: monotonic) else { return nil }
            // Known from now on, also where the picture was read before.
            let absent = Loaded(id: original.id, type: original.type, bytes: original.bytes, readAt: monotonic)
            entries.withLock { $0.set(absent, key) }
            return absent
        }
        let bytes = SharedBytes(picture.bytes, in: budget)
        let loaded = Loaded(id: picture.id, type: picture.type, bytes: bytes, readAt: monotonic)
        entries.withLock { entries in
            entries.set(loaded, key)
            entries.recent.append(loaded.bytes)
            entries.recentBytes += loaded.bytes.count
            while entries.recentBytes > recentLimit, entries.recent.count > 1 {
                entries.recentBytes -= entries.recent.removeFirst().count
            }
        }
        return loaded
    }
}
