internal import AuctionDomain
internal import Crypto
internal import Permissions

/// The results of a room as a page to be printed: a row per round, then the totals of all rounds by buyer and by seller. Without
/// scripts, and complete in itself.
struct ResultDocument {
    /// Where a part of the document begins: behind a row of a table.
    struct Place: Hashable {
        /// The tables, in order.
        enum Table: String, CaseIterable {
            case rounds = ""
            case buyers = "b"
            case sellers = "s"
        }

        let table: Table
        /// The round, or the number of the row; 0: the beginning.
        let after: Int

        static let beginning = Place(table: .rounds, after: 0)

        init(table: Table, after: Int) { (self.table, self.after) = (table, after) }

        /// Nil for a text that is no place.
        init?(_ text: String) {
            let table = Table.allCases.last { text.hasPrefix($0.rawValue) } ?? .rounds
            let digits = text.dropFirst(table.rawValue.count)
            guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let after = Int(digits)
            else { return nil }
            self.init(table: table, after: after)
        }

        var text: String { table.rawValue + String(after) }
    }

    private let room: Room
    private let language: Language
    private let totals: ResultTotals
    private let bytes: Int
    private var html: [UInt8] = []

    /// The part of a room's document behind a place; ends with the row that reaches `bytes`.
    /// - Returns: the document, and its last row if more follow.
    static func page(of room: Room, in language: Language, after place: Place, bytes: Int) -> (bytes: [UInt8], last: Place?) {
        var document = ResultDocument(room, language, bytes)
        let last = document.write(after: place)
        return (document.html, last)
    }

    private init(_ room: Room, _ language: Language, _ bytes: Int) {
        (self.room, self.language, self.bytes) = (room, language, bytes)
        totals = ResultTotals(of: room)
    }

    private mutating func write(after place: Place) -> Place? {
        writeHead()
        var last: Place?
        for table in Place.Table.allCases where table == place.table || isBehind(table, place.table) {
            last = write(table, after: table == place.table ? place.after : 0)
            if last != nil { break }
        }
        if let last {
            raw("<nav><a rel=\"next\" href=\"?cursor=\(last.text)\">")
            text(word("Next part", "下一部分"))
            raw("</a></nav>")
        }
        raw("</body></html>\n")
        return last
    }

    private func isBehind(_ table: Place.Table, _ other: Place.Table) -> Bool {
        let order = Place.Table.allCases
        return (order.firstIndex(of: table) ?? 0) > (order.firstIndex(of: other) ?? 0)
    }

    /// Writes the rows of a table behind one of them.
    /// - Returns: The last row, if the page is full and more follow.
    private mutating func write(_ table: Place.Table, after: Int) -> Place? {
        switch table {
        case .rounds:
            let rows = room.results.drop { $0.round <= after }
            return write(table, rows.lazy.map { ($0.round, $0) }, columns: Self.roundColumns) { $0.cells(of: $1) }
        case .buyers, .sellers:
            let rows = (table == .buyers ? totals.buyers : totals.sellers).enumerated().dropFirst(after)
            return write(
                table, rows.lazy.map { ($0.offset + 1, $0.element) },
                columns: table == .buyers ? Self.buyerColumns : Self.sellerColumns
            ) { $0.cells(of: $1, isBuyer: table == .buyers) }
        }
    }

    private mutating func write<Row>(
        _ table: Place.Table, _ rows: some Sequence<(Int, Row)>, columns: [Column], _ cells: (ResultDocument, Row) -> [String]
    ) -> Place? {
        raw("<h2>")
        text(Self.titles[table]?[language] ?? "")
        raw("</h2><table><thead><tr>")
        for column in columns {
            raw(column.isNumber ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">")
            text(column.title[language])
            raw("</th>")
        }
        raw("</tr></thead><tbody>\n")
        var last: Int?
        var isFull = false
        for (number, row) in rows {
            if last != nil, html.count >= bytes {
                isFull = true
                break
            }
            raw("<tr>")
            for (column, cell) in zip(columns, cells(self, row)) {
                raw(column.isNumber ? "<td class=\"n\">" : "<td>")
                text(cell)
                raw("</td>")
            }
            raw("</tr>\n")
            last = number
        }
        raw("</tbody></table>\n")
        return isFull ? last.map { Place(table: table, after: $0) } : nil
    }

    // MARK: - Cells

    private func cells(of result: RoundResult) -> [String] {
        let price = result.price
        let outcome =
            switch result.outcome {
            case .sold: word("Sold", "成交")
            case .passed(.noBids): word("Passed: no bids", "流拍:无人出价")
            case .passed(.reserveNotMet): word("Passed: reserve not met", "流拍:未达保留价")
            }
        return [
            String(result.round), result.reference ?? "", result.item.name, result.seller?.nickname ?? "", outcome,
            price.map(room.currency.text) ?? "",
            price.flatMap { price in result.premium.map { room.currency.text($0.amount(on: price)) } } ?? "",
            price.map { room.currency.text(result.premium?.total(of: $0) ?? $0) } ?? "", result.winner?.nickname ?? "",
            time(result.closedAt),
        ]
    }

    private func cells(of row: ResultTotals.Row, isBuyer: Bool) -> [String] {
        let sums = isBuyer ? [row.price, row.premium, row.total] : [row.price]
        return [row.person.nickname, row.person.id.description, String(row.items)]
            + sums.map { room.currency.text(Money(minorUnits: $0)) }
    }

    /// To the second, in UTC.
    private func time(_ instant: Timestamp) -> String {
        instant.description.prefix(19).replacing("T", with: " ") + " UTC"
    }

    // MARK: - Text

    private mutating func writeHead() {
        raw("<!doctype html><html lang=\"\(language.rawValue)\"><head><meta charset=\"utf-8\">")
        raw("<meta name=\"viewport\" content=\"width=device-width\"><title>")
        text(room.details.name)
        raw("</title><style>\(Self.style)</style></head><body><h1>")
        text(room.details.name)
        raw("</h1><p>")
        let (sold, count) = (totals.buyers.reduce(0) { $0 + $1.items }, room.results.count)
        text(
            word(
                "Host: \(room.host.nickname) · all amounts in \(room.currency.code) · \(count) rounds: \(sold) sold, "
                    + "\(totals.passed) passed · \(room.lots.queuedCount) lots wait · \(time(room.lastEventAt))",
                "房主:\(room.host.nickname) · 金额单位 \(room.currency.code) · 共 \(count) 轮:成交 \(sold),流拍 \(totals.passed) · "
                    + "待拍 \(room.lots.queuedCount) 件 · \(time(room.lastEventAt))"))
        raw("</p>\n")
    }

    private func word(_ english: String, _ chinese: String) -> String { LocalizedText(english, chinese)[language] }

    private mutating func raw(_ markup: String) { html.append(contentsOf: markup.utf8) }

    /// Appends text that markup in it cannot leave.
    private mutating func text(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): raw("&amp;")
            case UInt8(ascii: "<"): raw("&lt;")
            case UInt8(ascii: ">"): raw("&gt;")
            case UInt8(ascii: "\""): raw("&quot;")
            case UInt8(ascii: "'"): raw("&#39;")
            default: html.append(byte)
            }
        }
    }
}

extension ResultDocument {
    private struct Column {
        let title: LocalizedText
        var isNumber = false

        init(_ english: String, _ chinese: String, isNumber: Bool = false) {
            (title, self.isNumber) = (LocalizedText(english, chinese), isNumber)
        }
    }

    private static let titles: [Place.Table: LocalizedText] = [
        .rounds: LocalizedText("Results", "成交结果"), .buyers: LocalizedText("Totals by buyer", "买家汇总"),
        .sellers: LocalizedText("Totals by seller", "卖家汇总"),
    ]
    private static let amounts = [
        Column("Hammer price", "落槌价", isNumber: true), Column("Premium", "佣金", isNumber: true),
        Column("Total", "合计", isNumber: true),
    ]
    private static let roundColumns =
        [
            Column("Round", "轮次", isNumber: true), Column("Lot", "编号"), Column("Item", "拍品"), Column("Seller", "卖家"),
            Column("Result", "结果"),
        ] + amounts + [Column("Buyer", "买家"), Column("Closed", "结束时间")]
    private static let buyerColumns =
        [Column("Buyer", "买家"), Column("Id", "编号"), Column("Items", "件数", isNumber: true)] + amounts
    private static let sellerColumns =
        [Column("Seller", "卖家"), Column("Id", "编号"), Column("Items sold", "成交件数", isNumber: true), amounts[0]]

    private static let style = """
        body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#000;background:#fff}h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em}\
        table{border-collapse:collapse;width:100%}th,td{padding:.3em .6em;border-bottom:1px solid #999;text-align:left;vertical-align:top;\
        overflow-wrap:anywhere}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
        @media print{body{margin:0;font-size:10pt}thead{display:table-header-group}tr{break-inside:avoid}h2{break-after:avoid}nav{display:none}}
        """

    /// Of the response: nothing is loaded and nothing runs; the style is known by its hash.
    static let policy: String = {
        let hash = Base64URL.encode(Array(SHA256.hash(data: Array(style.utf8)))) + "="
        return "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }()
}
