internal import AuctionDomain
internal import ExactJSON
internal import Permissions

/// The columns of a CSV file of lots, in any order. Those that mean nothing are left out.
struct LotColumns {
    /// The column of pictures.
    private static let pictures = "media"
    private static let texts = ["name", "description", "reference", "media", "condition"]
    /// The columns of amounts; an increment may also be a percentage, and an estimate two amounts.
    static let amounts =
        ["startingPrice", "increment", "reservePrice", "buyNowPrice", "floorPrice", "estimate"] + estimates.map(\.column)
    /// The columns of the bounds of an estimate, and the members.
    private static let estimates = [(column: "estimateLow", member: "low"), (column: "estimateHigh", member: "high")]
    private static let required = ["name", "startingPrice"]
    /// What an empty cell stands for, where that is not null.
    private static let defaults: [String: JSONValue] = [
        "description": .string(""), "increment": fixed("1"),
        "countdown": .string(Countdown.reset.rawValue),
        "listingSeconds": .number("\(AuctionRules.defaultListing.count)"),
        "biddingSeconds": .number("\(AuctionRules.defaultBidding.count)"),
        "extendWindowSeconds": .number("\(AuctionRules.defaultExtend.count)"),
        "extendBySeconds": .number("\(AuctionRules.defaultExtend.count)"),
        "format": .string(AuctionFormatName.english.rawValue), "tie": .string(TiePolicy.earliest.rawValue),
    ]

    /// What each cell of a row means, as the name of the member; nil: nothing. It ends with the last column that has a heading.
    private let names: [String?]
    /// The headings of the columns that are ignored.
    let ignored: [String]
    private let currency: Currency

    /// - Parameter header: The cells of the first row.
    /// - Throws: 400 for a column that is missing, there twice, or in another currency without one in the room's. Several columns of
    ///   pictures are one.
    init(_ header: [String], in currency: Currency) throws(Problem) {
        var names: [String?] = []
        var others: [(heading: String, fault: AmountCell.Fault)] = []
        for heading in header {
            do throws(AmountCell.Fault) {
                names.append(try LotHeadings.column(heading, in: currency))
            } catch {
                names.append(nil)
                others.append((heading, error))
            }
        }
        // A list may have its prices in two currencies; one without the room's is refused.
        for (heading, fault) in others where !names.contains(LotHeadings.amount(heading)) {
            throw Problem(fault, in: heading, currency)
        }
        for (index, name) in names.enumerated() where name != Self.pictures {
            guard let name, let first = names.firstIndex(of: name), first < index else { continue }
            let (one, other) = (header[first].excerpt, header[index].excerpt)
            throw .malformed(
                "The columns \"\(one)\" and \"\(other)\" both mean \"\(name)\": rename one of them.",
                "\"\(one)\" 列与 \"\(other)\" 列都表示 \"\(name)\",请将其中一列改名。", field: name)
        }
        for name in Self.required where !names.contains(name) {
            let examples = LotHeadings.examples(of: name).joined(separator: ", ")
            let found = header.filter { !$0.isEmpty }.prefix(10).map { "\"\($0.excerpt)\"" }.joined(separator: ", ")
            let known = LotHeadings.names.joined(separator: ", ")
            throw .malformed(
                "The first row has no column \"\(name)\" (or \(examples)); it has \(found.isEmpty ? "no text" : found). Known: \(known).",
                "第一行缺少 \"\(name)\" 列(或 \(examples))。该行内容:\(found)。可用的列:\(known)。", field: name)
        }
        while let last = names.indices.last, names[last] == nil, Self.trimmed(header[last]).isEmpty { names.removeLast() }
        self.names = names
        self.currency = currency
        ignored = zip(header, names).compactMap { heading, name in
            let text = Self.trimmed(heading)
            return name == nil && !text.isEmpty ? text.excerpt : nil
        }
    }

    /// How many headings of a first row mean something.
    static func known(in header: [String], _ currency: Currency) -> Int {
        header.count { heading in
            // One in another currency is known too.
            do throws(AmountCell.Fault) { return try LotHeadings.column(heading, in: currency) != nil } catch { return true }
        }
    }

    /// The reference of a row; nil if it has none.
    func reference(of cells: [String]) -> String? {
        zip(names, cells).first { $0.0 == "reference" }.map { Self.trimmed($0.1) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The body of a request that queues the lot of a row. An empty cell removes what a known lot has: it is the default, or null; but
    /// a required member is absent. Spreadsheets leave out empty cells at the end of a row.
    func object(of cells: [String]) throws(Problem) -> JSONValue {
        guard cells.dropFirst(names.count).allSatisfy({ Self.trimmed($0).isEmpty }) else {
            throw .malformed(
                "The row has \(cells.count) cells, and the first row \(names.count) headings: quote cells that have a separator.",
                "该行有 \(cells.count) 个单元格,而第一行只有 \(names.count) 个标题:含分隔符的单元格须用引号括起。")
        }
        var (lot, rules, estimate, pictures) = ([JSONMember](), [JSONMember](), [JSONMember](), [JSONValue]())
        for (index, name) in names.enumerated() {
            guard let name else { continue }
            let text = index < cells.count ? cells[index] : ""
            let isText = Self.texts.contains(name)
            // A cell of a table may have line breaks; what is one line has none.
            let line = name == "name" || name == "condition" ? Prose.oneLine(text) : text
            let cell = isText && name != "reference" && name != "condition" ? line : Self.trimmed(line)
            guard !cell.isEmpty || !Self.required.contains(name) else { continue }
            if name == Self.pictures {
                pictures += Self.list(cell)
                continue
            }
            let value: JSONValue
            do throws(AmountCell.Fault) {
                if name.hasPrefix("estimate") {
                    estimate += try bounds(name, cell)
                    continue
                }
                value = cell.isEmpty ? Self.defaults[name] ?? .null : try self.value(name, cell)
            } catch { throw Problem(error, in: cell, currency, field: name) }
            if isText {
                lot.append(JSONMember(name: name, value: value))
            } else {
                rules.append(JSONMember(name: name, value: value))
            }
        }
        if names.contains(Self.pictures) { lot.append(JSONMember(name: Self.pictures, value: .array(pictures))) }
        if names.contains(where: { $0?.hasPrefix("estimate") == true }) {
            lot.append(JSONMember(name: "estimate", value: estimate.isEmpty ? .null : .object(estimate)))
        }
        return .object(lot + [JSONMember(name: "rules", value: .object(rules))])
    }

    /// The bounds of an estimate that a cell has: one of them, or both as in `100-200`, of which a single amount is both.
    private func bounds(_ name: String, _ cell: String) throws(AmountCell.Fault) -> [JSONMember] {
        if cell.isEmpty { return [] }
        if let bound = Self.estimates.first(where: { $0.column == name }) {
            return [JSONMember(name: bound.member, value: .string(try AmountCell.literal(cell, in: currency)))]
        }
        let (low, high) = Self.range(cell)
        var members: [JSONMember] = []
        for (name, part) in [("low", low), ("high", high)] {
            members.append(JSONMember(name: name, value: .string(try AmountCell.literal(Self.trimmed(part), in: currency))))
        }
        return members
    }

    /// What stands between the two amounts of a range.
    private static let dashes = ["–", "—", "-", "~", "～", "至", "to", "bis"]

    /// The parts of a cell around the first dash, or word for one, between two amounts; twice the cell if there is none.
    private static func range(_ cell: String) -> (Substring, Substring) {
        let text = cell.prefix(100).lowercased()
        for index in text.indices {
            guard let dash = dashes.first(where: { text[index...].hasPrefix($0) }) else { continue }
            let (low, high) = (text[..<index], text[index...].dropFirst(dash.count))
            // The code of a currency begins with a word for a dash: "TOP 100-200".
            if dash.count > 1, [low.last, high.first].contains(where: { $0?.isLetter == true }) { continue }
            // "25,-" is an amount without minor units.
            let end = low.filter { !$0.isWhitespace }.suffix(2)
            if end.first?.isNumber == true, end.last.map({ ",.，．".contains($0) }) == true { continue }
            guard low.contains(where: \.isNumber), high.contains(where: \.isNumber) else { continue }
            return (low, high)
        }
        return (cell[...], cell[...])
    }

    private func value(_ name: String, _ cell: String) throws(AmountCell.Fault) -> JSONValue {
        if name == "increment" { return try increment(cell) }
        if Self.amounts.contains(name) { return .string(try AmountCell.literal(cell, in: currency)) }
        return name.hasSuffix("Seconds") ? Self.number(cell) : .string(LotWords.value(name, cell) ?? cell)
    }

    /// A number as JSON has it; a text otherwise, which is then refused as any member of the wrong type.
    private static func number(_ cell: String) -> JSONValue {
        guard let value = try? JSONReader.read(Array(cell.utf8), limits: JSONLimits()), case .number = value else {
            return .string(cell)
        }
        return value
    }

    /// `10.00`, `5%`, or steps by price such as `0:5.00 100:10.00`.
    private func increment(_ cell: String) throws(AmountCell.Fault) -> JSONValue {
        if cell.hasSuffix("%") {
            let percent = Self.trimmed(cell.dropLast()).replacing(",", with: ".")
            return .object([JSONMember(name: "percent", value: Self.number(percent))])
        }
        guard cell.contains(":") else { return Self.fixed(try AmountCell.literal(cell, in: currency)) }
        var tiers: [JSONValue] = []
        for tier in cell.split(whereSeparator: \.isWhitespace) {
            let parts = tier.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var members: [JSONMember] = []
            for (name, part) in zip(["from", "step"], parts) {
                members.append(JSONMember(name: name, value: .string(try AmountCell.literal(String(part), in: currency))))
            }
            tiers.append(.object(members))
        }
        return .object([JSONMember(name: "tiers", value: .array(tiers))])
    }

    private static func fixed(_ amount: String) -> JSONValue { .object([JSONMember(name: "fixed", value: .string(amount))]) }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace).reversed())
    }

    /// The addresses in a cell: between them are blanks, line breaks or bars, or a comma or semicolon, which an address may have itself
    /// where no other begins behind it.
    private static func list(_ cell: String) -> [JSONValue] {
        var addresses: [Substring] = []
        for part in cell.split(whereSeparator: { $0.isWhitespace || $0 == "|" }) {
            var start = part.startIndex
            for index in part.utf8.indices where isComma(part.utf8[index]) && beginsAddress(part[index...].dropFirst()) {
                addresses.append(part[start..<index])
                start = part.utf8.index(after: index)
            }
            addresses.append(part[start...])
        }
        let texts = addresses.map { address in
            var bytes = address.utf8.drop(while: isComma)
            while let last = bytes.last, isComma(last) { bytes.removeLast() }
            return String(Substring(bytes))
        }
        return texts.filter { !$0.isEmpty }.map { .string($0) }
    }

    private static func beginsAddress(_ text: Substring) -> Bool {
        // Most texts behind a comma need no look at their words.
        switch text.utf8.first {
        case nil: return true
        case UInt8(ascii: "/"), UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "w"), UInt8(ascii: "W"): break
        default: return false
        }
        let begin = text.prefix(10).lowercased()
        return ["https:", "http:", "www.", "/v1/media/"].contains { begin.hasPrefix($0) }
    }

    private static func isComma(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") }

    /// The same problem with the names of columns instead of the paths of members.
    static func naming(_ problem: RowProblem) -> RowProblem {
        func named(_ text: String) -> String {
            estimates.reduce(text.replacing("rules.", with: "")) { $0.replacing("estimate.\($1.member)", with: $1.column) }
        }
        return RowProblem(
            line: problem.line, field: problem.field.map { String(named($0).prefix { $0 != "." && $0 != "[" }) },
            code: problem.code, text: LocalizedText(named(problem.text.english), named(problem.text.chinese)))
    }
}

extension Problem {
    /// A cell or heading that is no amount in the room's currency.
    fileprivate init(_ fault: AmountCell.Fault, in text: String, _ currency: Currency, field: String? = nil) {
        let detail =
            switch fault {
            case .ambiguous(let amount):
                LocalizedText(
                    "\"\(amount.excerpt)\" may be thousands or a fraction: write it with all fraction digits, or without a separator.",
                    "\"\(amount.excerpt)\" 可能是千位分隔,也可能是小数:请写出全部小数位,或去掉分隔符。")
            case .otherCurrency(let amount):
                LocalizedText(
                    "\"\(amount.excerpt)\" has another currency than the room: \(currency.code).",
                    "\"\(amount.excerpt)\" 的货币与房间的货币 \(currency.code) 不同。")
            }
        self.init(.malformedRequest, code: "money.malformed", detail, field: field ?? text.excerpt)
    }
}
