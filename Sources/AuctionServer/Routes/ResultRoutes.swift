internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

// What became of the rounds.
extension Routes {
    static let results: [Route] = [
        Route(.get, "/v1/rooms/{id}/results", .optional, needsRoom: true) { context throws(Problem) in
            try listResults(context)
        },
        Route(.get, "/v1/rooms/{id}/results.csv", .optional, needsRoom: true, mediaTypes: ["text/csv"]) {
            context throws(Problem) in
            _ = try context.query()
            let room = try context.requiredView().room
            // Thousands of rounds are not the event loop's work.
            context.loop.offload(context) { _ throws(EventLogError) in
                Response(
                    status: 200,
                    headers: [
                        ("Content-Type", "text/csv; charset=utf-8"), ("Cache-Control", "no-store"),
                        ("Content-Disposition", "attachment; filename=\"\(room.id).csv\""),
                    ], body: ResultTable.bytes(of: room))
            }
            return .later
        },
    ]

    private static func listResults(_ context: RequestContext) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let limit = try items.int("limit", in: 1...1000, default: 100)
        let before = try items.int("cursor", in: 1...Int(Int32.max), default: Int(Int32.max))
        let room = try context.requiredView().room
        let rows = room.results.reversed().drop { $0.round >= before }
        var json = JSONWriter(reserving: 512 * min(rows.count, limit) + 64)
        json.object { json in
            json.member("results", array: { array in for row in rows.prefix(limit) { write(row, room.currency, to: &array) } })
            json.member("nextCursor", rows.count > limit ? rows.prefix(limit).last.map { String($0.round) } : nil)
        }
        return .now(.json(json.bytes))
    }

    private static func write(_ row: RoundResult, _ currency: Currency, to json: inout JSONWriter) {
        json.object { json in
            json.member("round", row.round)
            json.member("item", row.item, in: currency)
            switch row.outcome {
            case .sold(let winner, let price):
                json.member("result", "sold")
                json.member("winner", winner)
                json.member("price", price, in: currency)
                json.member("reason", String?.none)
            case .passed(let reason):
                json.member("result", "passed")
                json.member("winner", Person?.none)
                json.member("price", String?.none)
                json.member("reason", reason.rawValue)
            }
            json.member("bids", row.bidCount)
            json.member("closedAt", row.closedAt)
        }
    }
}
