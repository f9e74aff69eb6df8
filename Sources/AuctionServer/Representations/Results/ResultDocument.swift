internal import AuctionDomain
internal import Cryptography
internal import Permissions

/// The results of a room as a page to be printed: a row per round, then the totals of all rounds by buyer and by seller. Without
/// scripts, and complete in itself.
struct ResultDocument {
    private let room: Room
    private let language: Language
    private let totals: ResultTotals
    private var html: [UInt8] = []

    /// The whole document: a browser opens a private room's with a ticket, and has none for a second part. A room's storage bounds its
    /// rounds.
    static func bytes(of room: Room, in language: Language) -> [UInt8] {
        var document = ResultDocument(room, language)
        document.write()
        return document.html
    }

    private init(_ room: Room, _ language: Language) {
        (self.room, self.language) = (room, language)
        totals = ResultTotals(of: room)
    }

    private mutating func write() {
        writeHead()
        write("Results", "成交结果", room.results, columns: Self.roundColumns) { $0.cells(of: $1) }
        write("Totals by buyer", "买家汇总", totals.buyers, columns: Self.buyerColumns) { $0.cells(of: $1, isBuyer: true) }
        write("Totals by seller", "卖家汇总", totals.sellers, columns: Self.sellerColumns) { $0.cells(of: $1, isBuyer: false) }
        raw("</body></html>\n")
    }

    private mutating func write<Row>(
        _ english: String, _ chinese: String, _ rows: some Sequence<Row>, columns: [Column],
        _ cells: (ResultDocument, Row) -> [String]
    ) {
        raw("<h2>")
        text(word(english, chinese))
        raw("</h2><div><table><thead><tr>")
        for column in columns {
            raw(column.isNumber ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">")
            text(column.title[language])
            raw("</th>")
        }
        raw("</tr></thead><tbody>\n")
        for row in rows {
            raw("<tr>")
            for (column, cell) in zip(columns, cells(self, row)) {
                raw(column.isNumber ? "<td class=\"n\">" : "<td>")
                text(cell)
                raw("</td>")
            }
            raw("</tr>\n")
        }
        raw("</tbody></table></div>\n")
    }

    // MARK: - Cells

    private func cells(of result: RoundResult) -> [String] {
        let outcome =
            switch result.outcome {
            case .sold: word("Sold", "成交")
            case .passed(.noBids): word("Passed: no bids", "流拍:无人出价")
            case .passed(.reserveNotMet): word("Passed: reserve not met", "流拍:未达保留价")
            }
        return [
            String(result.round), result.reference ?? ResultTable.number(of: result, in: room).map { String($0) } ?? "",
            result.item.name, result.seller.nickname, outcome,
        ] + [result.price, result.premiumAmount, result.total].map { $0.map(room.currency.text) ?? "" } + [
            result.winner?.nickname ?? "", time(result.closedAt),
        ]
    }

    private func cells(of row: ResultTotals.Row, isBuyer: Bool) -> [String] {
        let sums = isBuyer ? [row.price, row.premium, row.total] : [row.price]
        return [row.person.nickname, String(row.items)] + sums.map { room.currency.text(Money(minorUnits: $0)) }
            + [row.person.id.description]
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

    private static let amounts = [
        Column("Hammer price", "落槌价", isNumber: true), Column("Premium", "佣金", isNumber: true),
        Column("Total", "合计", isNumber: true),
    ]
    private static let roundColumns =
        [
            Column("Round", "轮次", isNumber: true), Column("Lot", "编号"), Column("Item", "拍品"), Column("Seller", "卖家"),
            Column("Result", "结果"),
        ] + amounts + [Column("Buyer", "买家"), Column("Closed", "结束时间")]
    /// The last column of its tables, as a phone shows the first ones without scrolling.
    private static let id = Column("Id", "编号")
    private static let buyerColumns =
        [Column("Buyer", "买家"), Column("Items", "件数", isNumber: true)] + amounts + [id]
    private static let sellerColumns =
        [Column("Seller", "卖家"), Column("Items sold", "成交件数", isNumber: true), amounts[0], id]

    private static let style = """
        body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#000;background:#fff}h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em}\
        div{overflow-x:auto}table{border-collapse:collapse;min-width:100%}th,td{padding:.3em .6em;border-bottom:1px solid #999;text-align:left;\
        vertical-align:top;overflow-wrap:break-word}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
        @media print{body{margin:0;font-size:10pt}div{overflow:visible}thead{display:table-header-group}tr{break-inside:avoid}h2{break-after:avoid}}
        """

    /// Of the response: nothing is loaded and nothing runs; the style is known by its hash.
    static let policy: String = {
        let hash = Base64URL.encode(Array(SHA256.hash(style))) + "="
        return "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }()
}
