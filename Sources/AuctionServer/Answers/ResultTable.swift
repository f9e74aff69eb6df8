internal import AuctionDomain
internal import EventLog

/// The results of a room as a table for spreadsheets: RFC 4180, oldest round first.
enum ResultTable {
    static let header = ["round", "item", "result", "winner", "winnerId", "price", "currency", "reason", "bids", "closedAt"]

    static func bytes(of room: Room) -> [UInt8] {
        var table: [UInt8] = []
        table.reserveCapacity(128 * (room.results.count + 1))
        CSVRow.append(header, to: &table)
        for result in room.results { CSVRow.append(cells(of: result, room.currency), to: &table) }
        return table
    }

    private static func cells(of result: RoundResult, _ currency: Currency) -> [String] {
        let outcome =
            switch result.outcome {
            case .sold(let winner, let price):
                ["sold", winner.nickname, winner.id.description, currency.text(price), currency.code, ""]
            case .passed(let reason): ["passed", "", "", "", currency.code, reason.rawValue]
            }
        return [String(result.round), result.item.name] + outcome + [String(result.bidCount), result.closedAt.description]
    }
}
