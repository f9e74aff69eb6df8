internal import AuctionDomain

/// The results of a room as a table for spreadsheets: RFC 4180, oldest round first.
enum ResultTable {
    static let header = ["round", "item", "result", "winner", "winnerId", "price", "currency", "reason", "bids", "closedAt"]

    static func bytes(of room: Room) -> [UInt8] {
        var table: [UInt8] = []
        table.reserveCapacity(128 * (room.results.count + 1))
        append(header, to: &table)
        for result in room.results { append(cells(of: result, room.currency), to: &table) }
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

    private static func append(_ cells: [String], to table: inout [UInt8]) {
        table.append(contentsOf: cells.map(cell).joined(separator: ",").utf8)
        table.append(contentsOf: "\r\n".utf8)
    }

    /// One cell: what a spreadsheet would take for a formula gets an apostrophe in front, what would end the cell gets quotes.
    static func cell(_ text: String) -> String {
        let guarded = text.unicodeScalars.first.map(beginsFormula) == true ? "'" + text : text
        // By scalars: a carriage return with its line feed is one character.
        let needsQuotes = guarded.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0 == "\r" || $0 == "\n" }
        return needsQuotes ? "\"" + guarded.replacing("\"", with: "\"\"") + "\"" : guarded
    }

    private static func beginsFormula(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "\t", "\r": true
        default: false
        }
    }
}
