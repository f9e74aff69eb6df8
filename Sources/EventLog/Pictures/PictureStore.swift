package import AuctionDomain

/// The pictures of items, which a log stores beside its events, apart from the path of a bid. All methods may be called from any thread.
///
/// A picture is durable once `store` has returned. It stays if `keep` was called for it, which a server does before it commits an event that
/// names the picture: as long as the event is there the picture is, also if another picture takes its place in the item. A
/// crash between the two, or the deletion of an old room, leaves a picture that is kept although no event names it; it counts against the quota of its
/// uploader. Only an operator takes a kept picture away: by `remove`, or by `release` if no event names it.
package protocol PictureStore: Sendable {
    /// Stores a picture durably; one that is stored already only gets another day, and another uploader. A preview by another user is dropped.
    /// - Throws: `full` also if less than `PictureLimits.freeBytes` of the disk would stay free.
    func store(
        _ picture: StoredPicture, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict

    /// Stores the preview of a picture durably, in the place of an earlier one; its uploader has uploaded the picture to the same room, and
    /// no other user to any. It counts its bytes with that upload, is another day for the picture, and goes with it.
    /// - Throws: as `store`.
    func store(
        preview: StoredPicture, of original: PictureID, by upload: PictureUpload, limits: PictureLimits
    ) throws(EventLogError) -> PictureVerdict

    /// The preview of the picture with this id; nil if there is none.
    func preview(of original: PictureID) throws(EventLogError) -> StoredPicture?

    /// The picture with this id; nil if there is none.
    func picture(_ id: PictureID) throws(EventLogError) -> StoredPicture?

    /// The given ids of which no picture is stored.
    func unknown(among ids: [PictureID]) throws(EventLogError) -> [PictureID]

    /// Keeps pictures for ever, durably; repeating it changes nothing.
    /// - Returns: Those that are not stored; if there are any, it may have kept none.
    func keep(_ ids: [PictureID]) throws(EventLogError) -> [PictureID]

    /// No longer keeps pictures that no event names any more, durably: `deleteUnused` deletes them. For stores that no server uses, as one may be
    /// about to name a picture again that it found kept.
    func release(_ ids: [PictureID]) throws(EventLogError)

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

/// What `PictureStore.store` did with a picture or a preview.
package enum PictureVerdict: Hashable, Sendable {
    /// It is stored, now or before.
    case stored
    /// It would exceed a limit, and is not stored.
    case overQuota(PictureQuota)
    /// An operator has removed it, or the picture of the preview, and it is not stored.
    case removed
    /// The picture of the preview is not stored, and neither is the preview.
    case unknownOriginal
    /// The preview's picture was not uploaded by this user to this room, or also by others, and the preview is not stored.
    case notUploader
}
