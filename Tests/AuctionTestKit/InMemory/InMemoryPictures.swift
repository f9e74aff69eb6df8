package import AuctionDomain
package import EventLog
import Synchronization

/// Pictures in memory, as the reference for other stores.
package final class InMemoryPictures: PictureStore {
    private struct Entry {
        let picture: StoredPicture
        var isKept = false
        var uploads: [PictureUpload]

        var isRemoved: Bool { picture.bytes.isEmpty }

        /// When it was uploaded last or removed.
        var changedAt: Timestamp
    }

    private let entries = Mutex<[PictureID: Entry]>([:])

    package init() {}

    /// See `PictureStore.store`.
    package func store(
        _ picture: StoredPicture, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict {
        entries.withLock { entries in
            let known = entries[picture.id]
            if known?.isRemoved == true { return .removed }
            if let index = known?.uploads.firstIndex(where: { $0.room == upload.room && $0.user == upload.user }) {
                entries[picture.id]?.uploads[index] = upload
                entries[picture.id]?.changedAt = upload.at
                return .stored
            }
            func used(_ isCounted: (PictureUpload) -> Bool) -> Int {
                entries.values.reduce(0) { $0 + $1.picture.countedBytes * $1.uploads.count(where: isCounted) }
            }
            let quota = limits.reached(
                by: picture.countedBytes, room: used { $0.room == upload.room }, user: used { $0.user == upload.user },
                total: known == nil ? Self.total(of: entries).countedBytes : nil)
            if let quota { return .overQuota(quota) }
            entries[picture.id, default: Entry(picture: picture, uploads: [], changedAt: upload.at)].uploads.append(upload)
            return .stored
        }
    }

    /// See `PictureStore.picture`.
    package func picture(_ id: PictureID) throws(EventLogError) -> StoredPicture? {
        entries.withLock { entries in entries[id].flatMap { $0.isRemoved ? nil : $0.picture } }
    }

    /// See `PictureStore.unknown`.
    package func unknown(among ids: [PictureID]) throws(EventLogError) -> [PictureID] {
        entries.withLock { entries in ids.filter { id in entries[id].map(\.isRemoved) ?? true } }
    }

    /// See `PictureStore.keep`.
    package func keep(_ ids: [PictureID]) throws(EventLogError) -> [PictureID] {
        let unknown = try self.unknown(among: ids)
        if unknown.isEmpty { entries.withLock { entries in for id in ids { entries[id]?.isKept = true } } }
        return unknown
    }

    /// See `PictureStore.deleteUnused`.
    package func deleteUnused(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        entries.withLock { entries in
            let unused = entries.values.filter { !$0.isKept && $0.uploads.allSatisfy { $0.at < cutoff } }.prefix(limit)
            for entry in unused { entries[entry.picture.id] = nil }
            return unused.count
        }
    }

    /// See `PictureStore.remove`.
    package func remove(_ id: PictureID, at instant: Timestamp) throws(EventLogError) -> Bool {
        entries.withLock { entries in
            let isStored = entries[id].map { !$0.isRemoved } ?? false
            let nothing = StoredPicture(id: id, type: "", width: 0, height: 0, bytes: [])
            if isStored || entries[id] == nil {
                entries[id] = Entry(picture: nothing, isKept: true, uploads: [], changedAt: instant)
            }
            return isStored
        }
    }

    /// See `PictureStore.total`.
    package var total: PictureTotal { entries.withLock { Self.total(of: $0) } }

    private static func total(of entries: [PictureID: Entry]) -> PictureTotal {
        PictureTotal(
            count: entries.values.count { !$0.isRemoved }, bytes: entries.values.reduce(0) { $0 + $1.picture.bytes.count })
    }

    /// See `PictureStore.records`.
    package func records(after: PictureID?, limit: Int) throws(EventLogError) -> [PictureRecord] {
        entries.withLock { entries in
            let ids = entries.keys.filter { id in after.map { $0 < id } ?? true }.sorted().prefix(limit)
            return ids.compactMap { entries[$0] }.map { entry in
                PictureRecord(
                    id: entry.picture.id, isKept: entry.isKept, bytes: entry.picture.bytes.count, changedAt: entry.changedAt,
                    uploads: entry.uploads.sorted { ($0.room, $0.user) < ($1.room, $1.user) })
            }
        }
    }
}
