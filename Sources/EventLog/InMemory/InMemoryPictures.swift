package import AuctionDomain
import Synchronization

/// Pictures in memory, as the reference for other stores.
package final class InMemoryPictures: PictureStore {
    private struct Entry {
        let picture: StoredPicture
        var isKept = false
        var uploads: [PictureUpload]
    }

    private let entries = Mutex<[PictureID: Entry]>([:])

    package init() {}

    /// See `PictureStore.store`.
    package func store(
        _ picture: StoredPicture, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict {
        entries.withLock { entries in
            let known = entries[picture.id]
            if let index = known?.uploads.firstIndex(where: { $0.room == upload.room && $0.user == upload.user }) {
                entries[picture.id]?.uploads[index] = upload
                return .known
            }
            func used(_ isCounted: (PictureUpload) -> Bool) -> Int {
                entries.values.reduce(0) { $0 + $1.picture.countedBytes * $1.uploads.count(where: isCounted) }
            }
            let quota = limits.reached(
                by: picture.countedBytes, room: used { $0.room == upload.room }, user: used { $0.user == upload.user },
                total: known == nil ? Self.total(of: entries).countedBytes : -picture.countedBytes)
            if let quota { return .overQuota(quota) }
            entries[picture.id, default: Entry(picture: picture, uploads: [])].uploads.append(upload)
            return known == nil ? .stored : .known
        }
    }

    /// See `PictureStore.picture`.
    package func picture(_ id: PictureID) throws(EventLogError) -> StoredPicture? { entries.withLock { $0[id]?.picture } }

    /// See `PictureStore.keep`.
    package func keep(_ ids: [PictureID]) throws(EventLogError) -> [PictureID] {
        entries.withLock { entries in
            for id in ids { entries[id]?.isKept = true }
            return ids.filter { entries[$0] == nil }
        }
    }

    /// See `PictureStore.deleteUnused`.
    package func deleteUnused(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        entries.withLock { entries in
            let unused = entries.values.filter { !$0.isKept && $0.uploads.allSatisfy { $0.at < cutoff } }.prefix(limit)
            for entry in unused { entries[entry.picture.id] = nil }
            return unused.count
        }
    }

    /// See `PictureStore.total`.
    package var total: PictureTotal { entries.withLock { Self.total(of: $0) } }

    private static func total(of entries: [PictureID: Entry]) -> PictureTotal {
        PictureTotal(count: entries.count, bytes: entries.values.reduce(0) { $0 + $1.picture.bytes.count })
    }

    /// See `PictureStore.records`.
    package func records(after: PictureID?, limit: Int) throws(EventLogError) -> [PictureRecord] {
        entries.withLock { entries in
            let ids = entries.keys.filter { id in after.map { $0 < id } ?? true }.sorted().prefix(limit)
            return ids.compactMap { entries[$0] }.map { entry in
                PictureRecord(
                    id: entry.picture.id, isKept: entry.isKept,
                    uploads: entry.uploads.sorted { ($0.room, $0.user) < ($1.room, $1.user) })
            }
        }
    }
}
