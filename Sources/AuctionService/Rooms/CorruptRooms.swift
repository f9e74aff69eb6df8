import AuctionDomain

/// Rooms that could not be read because what is stored of them is damaged, or was written by a newer version. Reading one may take as
/// long as reading its whole history, so what names it several times a second, its deadline or the change feed, has to wait.
struct CorruptRooms {
    /// How long deadlines and the change feed do not make a room be read again, in milliseconds.
    static let pauseMilliseconds: Int64 = 60_000
    /// Number of rooms above which those that may be read again are forgotten.
    private static let sweepCount = 1_000

    private var pausedUntil: [RoomID: Timestamp] = [:]

    /// A read of the room found it corrupt.
    mutating func found(_ room: RoomID, at now: Timestamp) {
        if pausedUntil.count >= Self.sweepCount { pausedUntil = pausedUntil.filter { $0.value > now } }
        pausedUntil[room] = now.advanced(byMilliseconds: Self.pauseMilliseconds)
    }

    /// Whether the room was found corrupt less than `pauseMilliseconds` ago.
    func isPaused(_ room: RoomID, at now: Timestamp) -> Bool {
        guard let until = pausedUntil[room] else { return false }
        return now < until
    }

    /// The room was read.
    mutating func forget(_ room: RoomID) {
        if !pausedUntil.isEmpty { pausedUntil[room] = nil }
    }
}
