package import AuctionDomain

/// The pictures of items, which a log stores beside its events, apart from the path of a bid. All methods may be called from any thread.
///
/// A picture is durable once `store` has returned. It stays if `keep` was called for it, which a server does before it commits an event that
/// names the picture: events are never deleted, so a kept picture never is either, also if another picture takes its place in the item. A
/// crash between the two leaves a picture that is kept although no event names it; it counts against the quota of its uploader.
/// Only an operator's `remove` takes a kept picture away.
package protocol PictureStore: Sendable {
    /// Stores a picture durably; one that is stored already only gets another day, and another uploader.
    /// - Throws: `full` also if less than `PictureLimits.freeBytes` of the disk would stay free.
    func store(
        _ picture: StoredPicture, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict

    /// The picture with this id; nil if there is none.
    func picture(_ id: PictureID) throws(EventLogError) -> StoredPicture?

    /// The given ids of which no picture is stored.
    func unknown(among ids: [PictureID]) throws(EventLogError) -> [PictureID]

    /// Keeps pictures for ever, durably; repeating it changes nothing.
    /// - Returns: Those that are not stored; if there are any, it may have kept none.
    func keep(_ ids: [PictureID]) throws(EventLogError) -> [PictureID]

    /// Deletes pictures that are not kept and were last uploaded before `cutoff`, at most `limit`.
    /// - Returns: The number deleted.
    func deleteUnused(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int

    /// Removes a picture for ever, as an operator wants it, also if servers use the store: its bytes are gone, it counts for no quota, and
    /// it is not stored again. What remains is a record, so that a check can tell it from one that was lost.
    /// - Returns: False if it was not stored; its record is made all the same.
    func remove(_ id: PictureID, at instant: Timestamp) throws(EventLogError) -> Bool

    /// Why no more pictures are stored until the log is opened again, although the log works; nil if they are.
    var failure: EventLogError? { get }

    /// What is stored; of another node's changes it may be a minute old. Does not block.
    var total: PictureTotal { get }

    /// Who uploaded which pictures and whether they are kept, in order of id after `after`, at most `limit`: for copies and checks.
    func records(after: PictureID?, limit: Int) throws(EventLogError) -> [PictureRecord]
}

extension PictureStore {
    /// Nil: a store in the log's own database fails with the log.
    package var failure: EventLogError? { nil }
}

/// What `PictureStore.store` did.
package enum PictureVerdict: Hashable, Sendable {
    /// It is stored, now or before.
    case stored
    /// It would exceed a limit, and is not stored.
    case overQuota(PictureQuota)
    /// An operator has removed it, and it is not stored.
    case removed
}

/// The limit of `PictureLimits` that is reached.
package enum PictureQuota: String, Hashable, Sendable {
    case room, user, total
}

/// Bytes of pictures, each with `PictureUpload.overheadBytes` more, and of the disk; 0: no limit.
package struct PictureLimits: Hashable, Sendable {
    /// What was uploaded to one room.
    package var roomBytes = 64 << 20
    /// What one user uploaded.
    package var userBytes = 128 << 20
    /// All pictures.
    package var totalBytes = 10 << 30
    /// What has to stay free on the disk after a picture is stored in a file beside the log, as the log may need it.
    package var freeBytes = 512 << 20

    package init() {}

    /// No limits: for copies.
    package static let none: PictureLimits = {
        var limits = PictureLimits()
        (limits.roomBytes, limits.userBytes, limits.totalBytes, limits.freeBytes) = (0, 0, 0, 0)
        return limits
    }()

    /// The first limit that `bytes` more would exceed; nil if none.
    /// - Parameter total: nil for a picture that is stored already.
    package func reached(by bytes: Int, room: Int, user: Int, total: Int?) -> PictureQuota? {
        func exceeds(_ used: Int?, _ limit: Int) -> Bool { limit > 0 && used.map { $0 + bytes > limit } ?? false }
        return exceeds(room, roomBytes) ? .room : exceeds(user, userBytes) ? .user : exceeds(total, totalBytes) ? .total : nil
    }
}

/// The user and the room of an upload of a picture.
package struct PictureUpload: Hashable, Sendable {
    /// What a picture counts for besides its bytes, so that small ones cannot fill the tables.
    package static let overheadBytes = 1024

    /// The room.
    package let room: RoomID
    /// The user.
    package let user: UserID
    /// When it was uploaded last.
    package let at: Timestamp

    package init(room: RoomID, user: UserID, at: Timestamp) {
        (self.room, self.user, self.at) = (room, user, at)
    }
}

/// Number and bytes of all pictures, without overheads.
package struct PictureTotal: Hashable, Sendable {
    /// Number of pictures.
    package var count = 0
    /// Their bytes.
    package var bytes = 0

    package init(count: Int = 0, bytes: Int = 0) { (self.count, self.bytes) = (count, bytes) }

    /// What counts against the limit of all pictures.
    package var countedBytes: Int { bytes + count * PictureUpload.overheadBytes }
}

/// What a store knows of a picture besides its bytes.
package struct PictureRecord: Hashable, Sendable {
    /// The picture.
    package let id: PictureID
    /// Whether `keep` was called for it.
    package let isKept: Bool
    /// Its size in bytes; 0 if it was removed.
    package let bytes: Int
    /// When an operator removed it; nil if it is there.
    package let removedAt: Timestamp?
    /// Who uploaded it where, in order of room and user; none if it was removed.
    package let uploads: [PictureUpload]

    /// - Parameters:
    ///   - bytes: 0 for the record of a picture that was removed: no picture is empty.
    ///   - changedAt: When it was uploaded last or removed.
    package init(id: PictureID, isKept: Bool, bytes: Int, changedAt: Timestamp, uploads: [PictureUpload]) {
        (self.id, self.isKept, self.bytes, self.uploads) = (id, isKept, bytes, uploads)
        removedAt = bytes == 0 ? changedAt : nil
    }
}
