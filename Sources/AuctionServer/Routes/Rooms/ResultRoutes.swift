internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

// Results of finished rounds.
extension Routes {
    static let results: [Route] = [
        Route(.get, "/v1/rooms/{id}/results", .room(listResults)),
        Route(.get, "/v1/rooms/{id}/results.csv", mediaTypes: ["text/csv"], .room(exportResults)),
    ]

    private static func listResults(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let limit = try items.int("limit", in: 1...1000, default: 100)
        let before = try items.int("cursor", in: 1...Int(Int32.max), default: Int(Int32.max))
        let room = visible.state
        let page = PageBound(rows: limit, bytes: context.loop.shared.options.limits.pageBytes)
        // Encoding thousands of rounds would block the event loop.
        return context.offload(visible) { _ throws(EventLogError) in
            let rows = room.results.reversed().drop { $0.round >= before }
            var json = JSONWriter(reserving: min(256 * min(rows.count, limit), page.bytes) + 1024)
            json.object { json in
                var last: RoundResult?
                json.member("results", array: { last = page.write(rows, to: &$0) { write($0, room.currency, to: &$1) } })
                json.member("nextCursor", last.map { String($0.round) })
            }
            return .json(json.bytes)
        }
    }

    private static func exportResults(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        let after = try context.query("cursor").int("cursor", in: 1...Int(Int32.max), default: 0)
        let room = visible.state
        let bytes = context.loop.shared.options.limits.pageBytes
        return context.offload(visible) { _ throws(EventLogError) in
            let table = ResultTable.page(of: room, after: after, bytes: bytes)
            var headers = [
                ("Content-Type", "text/csv; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Disposition", "attachment; filename=\"\(room.id).csv\""),
            ]
            if let last = table.last {
                headers.append(("Link", "</v1/rooms/\(room.id)/results.csv?cursor=\(last)>; rel=\"next\""))
            }
            return Response(status: 200, headers: headers, body: table.bytes)
        }
    }

    private static func write(_ row: RoundResult, _ currency: Currency, to json: inout JSONWriter) {
        json.object { json in
            json.member("round", row.round)
            json.member(
                "item",
                object: { item in
                    item.member("id", row.item.id)
                    item.member("name", row.item.name)
                })
            LotRepresentation.writeOutcome(of: row, currency, to: &json)
            json.member("bids", row.bidCount)
            json.member("openedAt", row.openedAt)
            json.member("closedAt", row.closedAt)
            json.member("seller", row.seller)
            json.member("lotId", row.lot?.description)
            json.member("reference", row.reference)
        }
    }
}
