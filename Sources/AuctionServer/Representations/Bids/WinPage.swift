internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

/// A page of what a user bought, with what they pay for it. The index by user has the hammer prices; the premium is in the rooms' results, so
/// few rooms are loaded from the log, as for `StandingBidPage`. A page that would need more ends before the next one.
struct WinPage {
    /// The sales, newest first, with the totals; nil in a room that cannot be read.
    private(set) var wins: [(row: WinRow, total: Money?)] = []
    /// Place of the last sale if more follow.
    private(set) var next: WinPlace?

    /// - Parameters:
    ///   - rows: One more than `limit` if there are as many.
    ///   - resident: The room, if it is in memory.
    ///   - load: The room from the log; nil if it cannot be read.
    init(
        _ rows: [WinRow], limit: Int, resident: (RoomID) -> Room?, load: (RoomID) throws(EventLogError) -> Room?
    ) throws(EventLogError) {
        var results: [RoomID: RoundResults] = [:]
        var loaded: Set<RoomID> = []
        for row in rows {
            let round = row.win.round
            if results[row.room]?.row(ofRound: round) == nil { results[row.room] = resident(row.room)?.results }
            var result = results[row.room]?.row(ofRound: round)
            let isLoaded = result == nil && !loaded.contains(row.room)
            if wins.count == limit || isLoaded && loaded.count == StandingBidPage.loadLimit {
                next = wins.last?.row.place
                return
            }
            if isLoaded {
                loaded.insert(row.room)
                results[row.room] = try load(row.room)?.results
                result = results[row.room]?.row(ofRound: round)
            }
            wins.append((row, result?.total))
        }
    }

    var response: Response {
        .object(reserving: 416 * (wins.count + 1)) { json in
            json.member("wins", each: wins) { Self.write($0.row, total: $0.total, to: &$1) }
            json.member("nextCursor", next?.cursor)
        }
    }

    private static func write(_ row: WinRow, total: Money?, to json: inout JSONWriter) {
        let currency = Currency(code: row.currency)
        json.object { json in
            json.member("room", id: row.room, name: row.roomName)
            json.member("round", row.win.round)
            json.member("item", id: row.win.item, name: row.win.itemName)
            json.member("currency", row.currency)
            json.member("price", currency?.text(Money(minorUnits: row.win.price)))
            json.member("total", total.flatMap { currency?.text($0) })
            json.member("wonAt", row.win.at)
        }
    }
}
