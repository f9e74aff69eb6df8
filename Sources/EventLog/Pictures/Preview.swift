package import AuctionDomain

/// What a store knows of the preview of a picture besides its bytes.
package struct PreviewRecord: Hashable, Sendable {
    /// The room that it counts against, with the user's upload of the picture there.
    package let room: RoomID
    /// The user who uploaded it.
    package let user: UserID
    /// Its size in bytes.
    package let bytes: Int

    package init(room: RoomID, user: UserID, bytes: Int) { (self.room, self.user, self.bytes) = (room, user, bytes) }
}

/// What a store reads to decide whether it stores a preview.
package struct PreviewFacts: Sendable {
    /// The size of the picture in bytes; 0 if it was removed, nil if it is not stored.
    package let pictureBytes: Int?
    /// Whether the user uploaded the picture to the room.
    package let isUploader: Bool
    /// Whether other users uploaded the picture, to any room.
    package let hasOtherUploaders: Bool
    /// The preview that the picture has already.
    package let current: PreviewRecord?
    /// What counts against the room of the current preview, or else of the new one.
    package let roomBytes: Int
    /// What counts against the user.
    package let userBytes: Int
    /// All pictures.
    package let total: PictureTotal

    package init(
        pictureBytes: Int?, isUploader: Bool, hasOtherUploaders: Bool, current: PreviewRecord?, roomBytes: Int, userBytes: Int,
        total: PictureTotal
    ) {
        (self.pictureBytes, self.isUploader, self.hasOtherUploaders) = (pictureBytes, isUploader, hasOtherUploaders)
        (self.current, self.roomBytes, self.userBytes, self.total) = (current, roomBytes, userBytes, total)
    }

    /// The result for a preview of `bytes`; `stored` if it is to be stored.
    ///
    /// Everyone who has a picture, or its address, can upload that picture too. So that no user decides what others' lists show, a preview is
    /// stored or replaced only while no other user has uploaded the picture; the next one's upload drops it.
    package func verdict(on bytes: Int, _ limits: PictureLimits) -> PictureVerdict {
        guard let pictureBytes else { return .unknownOriginal }
        guard pictureBytes > 0 else { return .removed }
        guard isUploader, !hasOtherUploaders else { return .notUploader }
        let more = bytes - (current?.bytes ?? 0)
        let quota = limits.reached(by: more, room: roomBytes, user: userBytes, total: total.countedBytes)
        return quota.map { .overQuota($0) } ?? .stored
    }
}
