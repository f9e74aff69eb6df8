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
        func exceeds(_ used: Int?, _ limit: Int) -> Bool {
            limit > 0 && used.map { $0.addingSaturated(bytes) > limit } ?? false
        }
        return exceeds(room, roomBytes) ? .room : exceeds(user, userBytes) ? .user : exceeds(total, totalBytes) ? .total : nil
    }
}
