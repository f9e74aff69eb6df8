package import AuctionDomain

/// The user and the room of an upload of a picture.
package struct PictureUpload: Hashable, Sendable {
    /// What a picture counts for besides its bytes, so that small ones cannot fill the tables.
    package static let overheadBytes = 1024

    /// Identifier of the room to which the picture was uploaded.
    package let room: RoomID
    /// Identifier of the uploader.
    package let user: UserID
    /// When it was uploaded last.
    package let at: Timestamp

    package init(room: RoomID, user: UserID, at: Timestamp) {
        (self.room, self.user, self.at) = (room, user, at)
    }
}

/// Number and bytes of all pictures, without overheads.
package struct PictureTotal: Hashable, Sendable {
    /// Number of pictures, without previews.
    package var count = 0
    /// Their bytes, and those of their previews.
    package var bytes = 0

    package init(count: Int = 0, bytes: Int = 0) { (self.count, self.bytes) = (count, bytes) }

    /// What counts against the limit of all pictures.
    package var countedBytes: Int {
        let (overhead, overflows) = count.multipliedReportingOverflow(by: PictureUpload.overheadBytes)
        return overflows ? .max : bytes.addingSaturated(overhead)
    }
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
    /// Its preview; nil if there is none.
    package let preview: PreviewRecord?

    /// - Parameters:
    ///   - bytes: 0 for the record of a picture that was removed: no picture is empty.
    ///   - changedAt: When it was uploaded last or removed.
    package init(
        id: PictureID, isKept: Bool, bytes: Int, changedAt: Timestamp, uploads: [PictureUpload], preview: PreviewRecord? = nil
    ) {
        (self.id, self.isKept, self.bytes, self.uploads, self.preview) = (id, isKept, bytes, uploads, preview)
        removedAt = bytes == 0 ? changedAt : nil
    }
}
