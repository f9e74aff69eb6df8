internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// All rooms, for the operator's programs.
extension Routes {
    static let adminRooms: [Route] = [
        Route(.listAllRooms, .service(listAllRooms)),
        Route(.readAnyRoom, .serviceInRoom(readAnyRoom)),
    ]

    /// Longest text that is searched for, in characters.
    static let roomSearchLimit = 100

    private static func listAllRooms(_ context: RequestContext, by _: ServiceToken) throws(Problem) -> Reply {
        let items = try context.query("state", "host", "q", "limit", "cursor")
        let limit = try items.int("limit", in: 1...100, default: 20)
        var query = RoomQuery(state: try context.stateName(in: items), after: try items.roomPosition(), limit: limit)
        query.isComplete = true
        query.host = try items.value("host", LocalizedText("must be the id of a user.", "须为用户编号。"), UserID.init)
        let text = items["q"] == nil ? nil : try items.wordedText("q", roomSearchLimit)
        let (shared, now, wanted) = (context.loop.shared, context.now.wall, query)
        // A search may read many rows, so a program may keep one reader thread busy with it, not all.
        return context.loop.offload(context, for: nil, oneAtATime: text == nil ? nil : "rooms") { log throws(EventLogError) in
            let page = try RoomSearch(wanted, text: text).page(of: log)
            let viewers = try shared.service.viewers(of: page.rows.map(\.room))
            return .object(reserving: 512 * (page.rows.count + 1)) { json in
                json.member("rooms", each: page.rows) { row, json in
                    RoomRowRepresentation.write(row, viewers: viewers[row.room] ?? 0, at: now, to: &json)
                }
                json.member("nextCursor", page.next.map { String($0) })
            }
        }
    }

    private static func readAnyRoom(
        _ context: RequestContext, by _: ServiceToken, _ visible: VisibleRoom
    ) throws(Problem) -> Reply {
        try context.endQuery()
        let representation = context.loop.shared.roomRepresentation
        return .now(
            .json(
                representation.operatorJSON(
                    visible.state, lastingPart: visible.view.rendered { representation.lastingPart($0) },
                    language: context.language, viewers: visible.committed.viewers, at: context.now.wall)))
    }
}

/// A search in the list of rooms: by their names, and those of their items.
struct RoomSearch {
    /// Most rows that are read for one response.
    static let rowLimit = 2000
    /// Rows of one read.
    private static let chunk = 200

    private let query: RoomQuery
    /// In lower case; nil: all rooms are wanted.
    private let text: String?

    init(_ query: RoomQuery, text: String?) { (self.query, self.text) = (query, text?.lowercased()) }

    /// The next rows, and where to go on; nil at the end. There may be fewer than the query's limit, and none, before the end.
    func page(of log: any EventLog) throws(EventLogError) -> (rows: [RoomRow], next: Int64?) {
        var (found, read, rest) = ([RoomRow](), 0, query)
        while found.count < query.limit {
            guard read < Self.rowLimit else { return (found, rest.after) }
            rest.limit = text == nil ? query.limit + 1 : Self.chunk
            let rows = try log.rooms(rest)
            for row in rows {
                guard found.count < query.limit else { return (found, rest.after) }
                rest.after = row.position
                if takes(row) { found.append(row) }
            }
            read += rows.count
            if rows.count < rest.limit { return (found, nil) }
        }
        return (found, rest.after)
    }

    private func takes(_ row: RoomRow) -> Bool {
        guard let text else { return true }
        return [row.profile.name, row.profile.itemName].contains { $0?.lowercased().contains(text) ?? false }
    }
}
