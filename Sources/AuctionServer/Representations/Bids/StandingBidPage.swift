internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

/// A page of a user's standing bids. Few of its rooms are loaded from the log, and only one of those is in memory at a time.
struct StandingBidPage {
    /// Rooms that are loaded for one page at most. A page that would need more ends before the next one.
    static let loadLimit = 8

    /// The bids, newest room first.
    private(set) var bids: [StandingBid] = []
    /// The `after` of the next page; nil if there is none.
    private(set) var next: Int64?

    /// - Parameters:
    ///   - page: the rooms with a bid of the user.
    ///   - resident: the room of a row, if it is in memory.
    ///   - load: the room of a row from the log; nil if it cannot be read.
    ///   - standing: the user's bid in a room; nil if it is not to be listed.
    init(
        _ page: UserRoomPage, resident: (RoomRow) -> Room?, load: (RoomRow) throws(EventLogError) -> Room?,
        standing: (Room) -> StandingBid?
    ) throws(EventLogError) {
        next = page.next
        var loads = 0
        var last: Int64?
        for row in page.rows.map(\.room) {
            if let room = resident(row) {
                if let bid = standing(room) { bids.append(bid) }
            } else if loads == Self.loadLimit {
                next = last
                return
            } else {
                loads += 1
                if let room = try load(row), let bid = standing(room) { bids.append(bid) }
            }
            last = row.position
        }
    }

    var response: Response {
        .object(reserving: 512 * (bids.count + 1)) { json in
            json.member("bids", each: bids) { $0.write(to: &$1) }
            json.member("nextCursor", next.map { String($0) })
        }
    }
}
