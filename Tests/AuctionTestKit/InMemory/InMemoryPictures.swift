package import AuctionDomain
package import EventLog
import Synchronization

/// Pictures in memory, as the reference for other stores.
package final class InMemoryPictures: PictureStore {
    private struct Entry {
        let picture: StoredPicture
        var isKept = false
        var uploads: [PictureUpload]
        var preview: (picture: StoredPicture, record: PreviewRecord)?

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
            let quota = limits.reached(
                by: picture.countedBytes, room: Self.used(in: upload.room, entries), user: Self.used(by: upload.user, entries),
                total: known == nil ? Self.total(of: entries).countedBytes : nil)
            if let quota { return .overQuota(quota) }
            entries[picture.id, default: Entry(picture: picture, uploads: [], changedAt: upload.at)].uploads.append(upload)
            if known?.preview?.record.user != upload.user { entries[picture.id]?.preview = nil }
            return .stored
        }
    }

    private static func used(in room: RoomID, _ entries: [PictureID: Entry]) -> Int {
        entries.values.reduce(0) { sum, entry in
            let preview = entry.preview.map { $0.record.room == room ? $0.record.bytes : 0 } ?? 0
            return sum + entry.picture.countedBytes * entry.uploads.count { $0.room == room } + preview
        }
    }

    private static func used(by user: UserID, _ entries: [PictureID: Entry]) -> Int {
        entries.values.reduce(0) { sum, entry in
            let preview = entry.preview.map { $0.record.user == user ? $0.record.bytes : 0 } ?? 0
            return sum + entry.picture.countedBytes * entry.uploads.count { $0.user == user } + preview
        }
    }

    /// See `PictureStore.store(preview:of:by:limits:)`.
    package func store(
        preview: StoredPicture, of original: PictureID, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict {
        entries.withLock { entries in
            let entry = entries[original]
            let current = entry?.preview?.record
            let room = current?.room ?? upload.room
            let facts = PreviewFacts(
                pictureBytes: entry?.picture.bytes.count,
                isUploader: entry?.uploads.contains { $0.room == upload.room && $0.user == upload.user } ?? false,
                hasOtherUploaders: entry?.uploads.contains { $0.user != upload.user } ?? false, current: current,
                roomBytes: Self.used(in: room, entries), userBytes: Self.used(by: upload.user, entries),
                total: Self.total(of: entries))
            let verdict = facts.verdict(on: preview.bytes.count, limits)
            guard verdict == .stored else { return verdict }
            let record = PreviewRecord(room: room, user: upload.user, bytes: preview.bytes.count)
            entries[original]?.preview = (preview, record)
            let index = entry?.uploads.firstIndex { $0.room == room && $0.user == upload.user }
            if let index { entries[original]?.uploads[index] = PictureUpload(room: room, user: upload.user, at: upload.at) }
            return .stored
        }
    }

    /// See `PictureStore.preview`.
    package func preview(of original: PictureID) throws(EventLogError) -> StoredPicture? {
        entries.withLock { entries in entries[original]?.preview?.picture }
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

    /// See `PictureStore.release`.
    package func release(_ ids: [PictureID]) throws(EventLogError) {
        entries.withLock { entries in for id in ids where entries[id]?.isRemoved == false { entries[id]?.isKept = false } }
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
            count: entries.values.count { !$0.isRemoved },
            bytes: entries.values.reduce(0) { $0 + $1.picture.bytes.count + ($1.preview?.record.bytes ?? 0) })
    }

    /// See `PictureStore.records`.
    package func records(after: PictureID?, limit: Int) throws(EventLogError) -> [PictureRecord] {
        entries.withLock { entries in
            let ids = entries.keys.filter { id in after.map { $0 < id } ?? true }.sorted().prefix(limit)
            return ids.compactMap { entries[$0] }.map { entry in
                PictureRecord(
                    id: entry.picture.id, isKept: entry.isKept, bytes: entry.picture.bytes.count, changedAt: entry.changedAt,
                    uploads: entry.uploads.sorted { ($0.room, $0.user) < ($1.room, $1.user) }, preview: entry.preview?.record)
            }
        }
    }
}
