internal import AuctionDomain
internal import Permissions

/// The results of a room as a page to be printed: a row per round, then the totals of all rounds by buyer and by seller. Complete in
/// itself; its script only writes times as the reader's clock shows them, prints, changes the language, and forgets a ticket.
struct ResultDocument {
    private let room: Room
    private let language: Language
    /// Whether to name the paddles of the floor's purchases.
    private let showsPaddles: Bool
    private let totals: ResultTotals
    private var html: [UInt8] = []

    /// The whole document: a browser opens a private room's with a ticket, and has none for a second part. A room's storage bounds its
    /// rounds.
    static func bytes(of room: Room, for caller: UserID?, in language: Language) -> [UInt8] {
        var document = ResultDocument(room, language, showsPaddles: caller == room.host.id)
        document.write()
        return document.html
    }

    private init(_ room: Room, _ language: Language, showsPaddles: Bool) {
        (self.room, self.language, self.showsPaddles) = (room, language, showsPaddles)
        totals = ResultTotals(of: room)
    }

    private mutating func write() {
        writeHead()
        write(.rounds, .init("Results", "成交结果"), room.results, kind: { $0.isVoid ? "v" : nil }) { $0.cells(of: $1) }
        write(.buyers, .init("Totals by buyer", "买家汇总"), totals.buyers) { $0.cells(of: $1, isBuyer: true) }
        write(.sellers, .init("Totals by seller", "卖家汇总"), totals.sellers) { $0.cells(of: $1, isBuyer: false) }
        raw("<script>\(Self.script)</script></body></html>\n")
    }

    private mutating func writeHead() {
        raw("<!doctype html><html lang=\"\(language.rawValue)\"><head><meta charset=\"utf-8\">")
        raw("<meta name=\"viewport\" content=\"width=device-width\"><title>")
        text(room.details.name)
        raw("</title><style>\(Self.style)</style></head><body><p class=\"tools\" hidden>")
        element("button id=\"print\"", .init("Print", "打印"))
        element("button id=\"turn\" lang=\"\(language == .english ? "zh" : "en")\"", .init("中文", "English"))
        raw("</p><p class=\"back\">")
        element("a id=\"room\" href=\"/#/rooms/\(room.id)\"", .init("Back to the room", "返回房间"))
        raw("</p><h1>")
        text(room.details.name)
        raw("</h1><p>")
        let (sold, count) = (totals.buyers.reduce(0) { $0 + $1.items }, room.results.count)
        let waiting = room.lots.queuedCount
        element(
            "span",
            .init(
                "Host: \(room.host.nickname) · \(count == 1 ? "1 round" : "\(count) rounds"): \(sold) sold, \(totals.passed) passed"
                    + "\(totals.voided == 0 ? "" : ", \(totals.voided) voided") · "
                    + "\(waiting == 1 ? "1 lot waits" : "\(waiting) lots wait") · as of",
                "房主:\(room.host.nickname) · 共 \(count) 轮:成交 \(sold),流拍 \(totals.passed)\(totals.voided == 0 ? "" : ",作废 \(totals.voided)") · 待拍 \(waiting) 件 · 截至"
            ))
        raw(" <span class=\"t\">")
        text(time(room.lastEventAt))
        raw("</span></p>\n")
    }

    /// Without rows there is nothing to head.
    /// - Parameter kind: The class of a row; nil for none.
    private mutating func write<Row>(
        _ table: Table, _ title: LocalizedText, _ rows: some Collection<Row>, kind: (Row) -> String? = { _ in nil },
        _ cells: (ResultDocument, Row) -> [Cell]
    ) {
        guard !rows.isEmpty else { return }
        element("h2", title)
        raw("<div><table class=\"\(table.name)\"><thead><tr>")
        for column in table.columns { element("th scope=\"col\"" + (column.isNumber ? " class=\"n\"" : ""), column.title) }
        raw("</tr></thead><tbody>\n")
        for row in rows {
            raw(kind(row).map { "<tr class=\"\($0)\">" } ?? "<tr>")
            for (column, cell) in zip(table.columns, cells(self, row)) {
                if case .words(let words) = cell {
                    element("td", words)
                    continue
                }
                let kind = column.isNumber ? "n" : column.isTime ? "t" : column.isFree ? "w" : nil
                raw(kind.map { "<td class=\"\($0)\">" } ?? "<td>")
                if case .text(let text) = cell { self.text(text) }
                raw("</td>")
            }
            raw("</tr>\n")
        }
        raw("</tbody></table></div>\n")
    }

    // MARK: - Cells

    private enum Cell {
        case text(String)
        case words(LocalizedText)
    }

    private func cells(of result: RoundResult) -> [Cell] {
        let outcome =
            switch (result.outcome, result.isVoid ? result.afterwards.void : nil) {
            case (.sold, let void?): LocalizedText("Voided: \(void.reason)", "作废:\(void.reason)")
            case (.sold, nil): LocalizedText("Sold", "成交")
            case (.passed(.noBids), _): LocalizedText("Passed: no bids", "流拍:无人出价")
            case (.passed(.reserveNotMet), _): LocalizedText("Passed: reserve not met", "流拍:未达保留价")
            }
        let amounts = [result.price, result.premiumAmount, result.total].map { $0.map(amount) ?? "" }
        return [
            .text(String(result.round)),
            .text(result.reference ?? ResultTable.number(of: result, in: room).map { String($0) } ?? ""),
            .text(result.item.name), .text(result.seller.nickname), .words(outcome),
        ] + (amounts + [buyer(in: result), time(result.closedAt)]).map(Cell.text)
    }

    private func buyer(in result: RoundResult) -> String {
        guard let winner = result.winner else { return "" }
        return result.paddle.flatMap { showsPaddles ? "\(winner.nickname) \($0)" : nil } ?? winner.nickname
    }

    private func cells(of row: ResultTotals.Row, isBuyer: Bool) -> [Cell] {
        let sums = (isBuyer ? [row.price, row.premium, row.total] : [row.price]).map {
            amount(Money(minorUnits: $0))
        }
        return ([row.person.nickname, String(row.items)] + sums + [row.person.id.description]).map(Cell.text)
    }

    /// The amount with its currency and separators of thousands, in one line.
    private func amount(_ money: Money) -> String {
        let text = room.currency.text(money)
        let whole = text.prefix { $0 != "." }
        let grouped = whole.enumerated().reduce(into: "") { grouped, digit in
            if digit.offset > 0, (whole.count - digit.offset).isMultiple(of: 3) { grouped += "," }
            grouped.append(digit.element)
        }
        return "\(room.currency.code)\u{a0}\(grouped)\(text.dropFirst(whole.count))"
    }

    /// To the second, in UTC; the script reads it.
    private func time(_ instant: Timestamp) -> String {
        instant.description.prefix(19).replacing("T", with: " ") + " UTC"
    }

    // MARK: - Text

    /// An element with a text of the page's own, which the script exchanges with that in the other language.
    private mutating func element(_ tag: String, _ words: LocalizedText) {
        raw("<\(tag) data-other=\"")
        text(words[language == .english ? .chinese : .english])
        raw("\">")
        text(words[language])
        raw("</\(tag.prefix { $0 != " " })>")
    }

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
