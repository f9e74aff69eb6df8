internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// The results of a room as CSV (RFC 4180) or as lines of JSON, oldest round first.
enum ResultTable {
    static let header = [
        "round", "item", "result", "winner", "winnerId", "price", "currency", "reason", "bids", "closedAt",
        "room", "lot", "reference", "seller", "sellerId", "premium", "total", "openedAt",
        "itemId",
    ]

    /// The header and the rounds after `round`; ends with the row that reaches `bytes`.
    /// - Returns: the table, and its last round if more follow.
    static func page(of room: Room, after round: Int, bytes: Int) -> (bytes: [UInt8], last: Int?) {
        var table: [UInt8] = []
        CSVRow.append(header, to: &table)
        var last: Int?
        for result in room.results.drop(while: { $0.round <= round }) {
            if let last, table.count >= bytes { return (table, last) }
            CSVRow.append(cells(of: result, in: room), to: &table)
            last = result.round
        }
        return (table, nil)
    }

    /// The rounds after `round`, each an object on its line; ends with the row that reaches `bytes`.
    /// - Returns: the lines, and their last round if more follow.
    static func lines(of room: Room, after round: Int, bytes: Int) -> (bytes: [UInt8], last: Int?) {
        var lines: [UInt8] = []
        var last: Int?
        for result in room.results.drop(while: { $0.round <= round }) {
            if let last, lines.count >= bytes { return (lines, last) }
            var json = JSONWriter(reserving: 512)
            json.object { json in
                write(result, in: room, to: &json)
            }
            lines += json.bytes
            lines.append(UInt8(ascii: "\n"))
            last = result.round
        }
        return (lines, nil)
    }

    /// Writes the members of a row.
    static func write(_ row: RoundResult, in room: Room, to json: inout JSONWriter) {
        json.member("round", row.round)
        json.member(
            "item",
            object: { item in
                item.member("id", row.item.id)
                item.member("name", row.item.name)
            })
        LotRepresentation.writeOutcome(of: row, room.currency, to: &json)
        json.member("bids", row.bidCount)
        json.member("openedAt", row.openedAt)
        json.member("closedAt", row.closedAt)
        json.member("seller", row.seller)
        json.member("lotId", row.lot?.description)
        json.member("reference", row.reference)
        json.member("currency", room.currency.code)
        json.member("room", room.id)
    }

    private static func cells(of result: RoundResult, in room: Room) -> [String] {
        let currency = room.currency
        let cells: [String?] = [
            String(result.round), result.item.name, result.passReason == nil ? "sold" : "passed", result.winner?.nickname,
            result.winner?.id.description, result.price.map(currency.text), currency.code, result.passReason?.rawValue,
            String(result.bidCount), result.closedAt.description, room.id.description, result.lot?.description,
            result.reference, result.seller?.nickname, result.seller?.id.description,
            result.premiumAmount.map(currency.text), result.total.map(currency.text), result.openedAt?.description,
            result.item.id.description,
        ]
        return cells.map { $0 ?? "" }
    }
}
