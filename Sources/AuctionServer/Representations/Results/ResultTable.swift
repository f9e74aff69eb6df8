internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// The results of a room as CSV (RFC 4180) or as lines of JSON, oldest round first.
enum ResultTable {
    /// The columns of the CSV, in order: the name, and the text of a round's cell; nil for an empty one.
    private static let columns: [(name: String, text: @Sendable (RoundResult, Room) -> String?)] = [
        ("round", { row, _ in String(row.round) }),
        ("item", { row, _ in row.item.name }),
        ("result", { row, _ in row.passReason == nil ? "sold" : "passed" }),
        ("winner", { row, _ in row.winner?.nickname }),
        ("winnerId", { row, _ in row.winner?.id.description }),
        ("price", { row, room in row.price.map(room.currency.text) }),
        ("currency", { _, room in room.currency.code }),
        ("reason", { row, _ in row.passReason?.rawValue }),
        ("bids", { row, _ in String(row.bidCount) }),
        ("closedAt", { row, _ in row.closedAt.description }),
        ("room", { _, room in room.id.description }),
        ("lot", { row, _ in row.lot?.description }),
        ("reference", { row, _ in row.reference }),
        ("seller", { row, _ in row.seller.nickname }),
        ("sellerId", { row, _ in row.seller.id.description }),
        ("premium", { row, room in row.premiumAmount.map(room.currency.text) }),
        ("total", { row, room in row.total.map(room.currency.text) }),
        ("openedAt", { row, _ in row.openedAt?.description }),
        ("itemId", { row, _ in row.item.id.description }),
        ("number", { row, room in number(of: row, in: room).map { String($0) } }),
        ("estimateLow", { row, room in row.item.estimate.map { room.currency.text($0.low) } }),
        ("estimateHigh", { row, room in row.item.estimate.map { room.currency.text($0.high) } }),
        ("condition", { row, _ in row.item.condition }),
        ("voidedAt", { row, _ in row.afterwards.void?.at.description }),
        ("voidReason", { row, _ in row.afterwards.void?.reason }),
    ]

    /// The header and the rounds after `round`; ends with the row that reaches `bytes`.
    /// - Returns: the table, and its last round if more follow.
    static func page(of room: Room, for caller: UserID?, after round: Int, bytes: Int) -> (bytes: [UInt8], last: Int?) {
        var table: [UInt8] = []
        let columns = showsPaddles(of: room, to: caller) ? columns + [paddle] : columns
        CSVRow.append(columns.map { $0.name }, to: &table)
        var last: Int?
        for result in room.results.drop(while: { $0.round <= round }) {
            if let last, table.count >= bytes { return (table, last) }
            CSVRow.append(columns.map { $0.text(result, room) ?? "" }, to: &table)
            last = result.round
        }
        return (table, nil)
    }

    /// The rounds after `round`, each an object on its line; ends with the row that reaches `bytes`.
    /// - Returns: the lines, and their last round if more follow.
    static func lines(of room: Room, for caller: UserID?, after round: Int, bytes: Int) -> (bytes: [UInt8], last: Int?) {
        var lines: [UInt8] = []
        var last: Int?
        for result in room.results.drop(while: { $0.round <= round }) {
            if let last, lines.count >= bytes { return (lines, last) }
            var json = JSONWriter(reserving: 512)
            json.object { json in
                write(result, in: room, for: caller, to: &json)
            }
            lines += json.bytes
            lines.append(UInt8(ascii: "\n"))
            last = result.round
        }
        return (lines, nil)
    }

    /// The number of the lot; nil if the item was uploaded for its round.
    static func number(of row: RoundResult, in room: Room) -> Int? { row.lot.flatMap { room.lots[$0]?.number } }

    /// Whether there is a paddle, and the caller is the host.
    private static func showsPaddles(of room: Room, to caller: UserID?) -> Bool {
        caller == room.host.id && room.results.contains { $0.paddle != nil }
    }

    private static let paddle: (name: String, text: @Sendable (RoundResult, Room) -> String?) = (
        "paddle", { row, _ in row.paddle }
    )

    /// Writes the members of a row.
    static func write(_ row: RoundResult, in room: Room, for caller: UserID?, to json: inout JSONWriter) {
        json.member("round", row.round)
        json.member(
            "item",
            object: { item in
                item.member("id", row.item.id)
                item.member("name", row.item.name)
                item.appraisal(row.item.estimate, row.item.condition, in: room.currency)
            })
        LotRepresentation.writeOutcome(of: row, room.currency, to: &json)
        json.member("bids", row.bidCount)
        json.member("openedAt", row.openedAt)
        json.member("closedAt", row.closedAt)
        json.member("seller", row.seller)
        json.member("lotId", row.lot?.description)
        json.member("reference", row.reference)
        json.member("number", number(of: row, in: room))
        json.member("currency", room.currency.code)
        json.member("room", room.id)
        json.member("offer", room.offer(ofRound: row.round)) { offer, json in
            json.object { json in
                json.member("id", offer.id)
                json.member("to", offer.to)
                json.member("price", offer.price, in: room.currency)
                json.member("expiresAt", offer.expiresAt)
            }
        }
        if let paddle = row.paddle, caller == room.host.id { json.member("paddle", paddle) }
    }
}
