internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

// Results of finished rounds.
extension Routes {
    static let results: [Route] = [
        Route(.listResults, .room(listResults)),
        Route(
            .exportResults,
            exportRows("csv", "text/csv; charset=utf-8", mark: CSVRow.mark) {
                ResultTable.page(of: $0, for: $1, after: $2, bytes: $3)
            }),
        Route(
            .exportResultLines,
            exportRows("ndjson", "application/x-ndjson") {
                ResultTable.lines(of: $0, for: $1, after: $2, bytes: $3)
            }),
        // A browser cannot send a token with an address that it opens.
        Route(.exportResultDocument, .room(exportDocument)),
        Route(
            .voidResult,
            .command(on: round) { _, _, round, fields throws(Problem) in
                let reason = try fields.wordedText("reason", AuctionTransition.reasonLimit)
                return try fields.taking { fields throws(JSONError) in
                    let next = try fields.optionalKeyword("offerTo")
                    guard next == nil || next == "next" else {
                        throw fields.invalid("offerTo", "must be \"next\"", "须为 \"next\"")
                    }
                    return .result(.void(round: round, reason: reason, offersNext: next != nil))
                }
            }),
        Route(.acceptOffer, .bodiless(on: offer) { _, id in .result(.answer(id, accepts: true)) }),
        Route(.declineOffer, .bodiless(on: offer) { _, id in .result(.answer(id, accepts: false)) }),
    ]

    private static let offer = PathParameter(parse: OfferID.init, problem: Problem(.offerNotFound))
    private static let round = PathParameter(
        parse: { Int($0).flatMap { $0 > 0 ? $0 : nil } }, problem: Problem(.resultNotFound))

    private static func listResults(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        let items = try context.query("limit", "cursor")
        let limit = try items.int("limit", in: 1...1000, default: 100)
        let before = try items.int("cursor", in: 1...Int(Int32.max), default: Int(Int32.max))
        let (room, caller) = (visible.state, visible.viewer?.id)
        let page = PageBound(rows: limit, bytes: context.loop.shared.options.limits.pageBytes)
        // Encoding thousands of rounds would block the event loop.
        return context.offload(visible) { _ throws(EventLogError) in
            let rows = room.results.reversed().drop { $0.round >= before }
            return .object(reserving: min(256 * min(rows.count, limit), page.bytes) + 1024) { json in
                let last = page.write("results", rows, to: &json) { row, json in
                    json.object { ResultTable.write(row, in: room, for: caller, to: &$0) }
                }
                json.member("nextCursor", last.map { String($0.round) })
            }
        }
    }

    /// - Parameter mark: What precedes each part, unless `bom=false`.
    private static func exportRows(
        _ suffix: String, _ type: String, mark: [UInt8]? = nil,
        _ page: @escaping @Sendable (Room, UserID?, Int, Int) -> (bytes: [UInt8], last: Int?)
    ) -> Route.Handler {
        .room { context, visible throws(Problem) in
            let items = try mark == nil ? context.query("cursor") : context.query("cursor", "bom")
            let after = try items.int("cursor", in: 1...Int(Int32.max), default: 0)
            let hasMark = try items.flag("bom", default: true)
            let (room, caller) = (visible.state, visible.viewer?.id)
            let bytes = context.loop.shared.options.limits.pageBytes
            return context.offload(visible) { _ throws(EventLogError) in
                let table = page(room, caller, after, bytes)
                var headers = [
                    ("Content-Type", type), ("Cache-Control", "no-store"),
                    ("Content-Disposition", "attachment; filename=\"\(room.id).\(suffix)\""),
                ]
                if let last = table.last {
                    let rest = hasMark ? "" : "&bom=false"
                    headers.append(("Link", "</v1/rooms/\(room.id)/results.\(suffix)?cursor=\(last)\(rest)>; rel=\"next\""))
                }
                return Response(status: 200, headers: headers, body: (hasMark ? mark ?? [] : []) + table.bytes)
            }
        }
    }

    private static func exportDocument(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        _ = try context.query("ticket")
        let (room, caller, language) = (visible.state, visible.viewer?.id, context.language)
        // All rounds at once, so a caller may keep one reader thread busy with it, not all.
        return context.offload(visible, oneAtATime: "results.html") { _ throws(EventLogError) in
            Response(
                status: 200,
                headers: [
                    ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                    ("Content-Security-Policy", ResultDocument.policy), ("X-Content-Type-Options", "nosniff"),
                    ("Referrer-Policy", "no-referrer"),
                ],
                body: ResultDocument.bytes(of: room, for: caller, in: language))
        }
    }
}
