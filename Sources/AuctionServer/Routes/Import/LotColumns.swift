internal import AuctionDomain
internal import ExactJSON
internal import Permissions

/// The columns of a CSV file of lots: their names are those of the members of a lot, of `rules` too, in any order.
struct LotColumns {
    private static let texts = ["name", "description", "reference", "media"]
    private static let rules = [
        "startingPrice", "increment", "reservePrice", "buyNowPrice", "floorPrice", "listingSeconds", "biddingSeconds",
        "countdown", "extendWindowSeconds", "extendBySeconds", "maxDurationSeconds", "dutchTickSeconds", "format", "tie",
    ]
    private static let required = ["name", "startingPrice"]
    /// What an empty cell stands for, where that is not null.
    private static let defaults: [String: JSONValue] = [
        "description": .string(""), "media": .array([]), "increment": increment("1"),
        "countdown": .string(Countdown.reset.rawValue),
        "listingSeconds": .number("\(AuctionRules.defaultListing.count)"),
        "biddingSeconds": .number("\(AuctionRules.defaultBidding.count)"),
        "extendWindowSeconds": .number("\(AuctionRules.defaultExtend.count)"),
        "extendBySeconds": .number("\(AuctionRules.defaultExtend.count)"),
        "format": .string(AuctionFormatName.english.rawValue), "tie": .string(TiePolicy.earliest.rawValue),
    ]

    private let names: [String]

    /// - Parameter header: The cells of the first row.
    /// - Throws: 400 for a column that is unknown, missing or there twice.
    init(_ header: [String]) throws(Problem) {
        for (index, name) in header.enumerated() where !Self.texts.contains(name) && !Self.rules.contains(name) {
            if let separator = [";", "\t"].first(where: { name.contains($0) }) {
                let word = separator == ";" ? ("semicolons", "分号") : ("tabs", "制表符")
                throw .malformed(
                    "The columns are separated by \(word.0): save the file with commas between them.",
                    "文件以\(word.1)分隔各列,请改用逗号分隔。")
            }
            throw Problem(
                .malformedRequest, code: "request.unknown_field",
                LocalizedText(
                    "There is no column \"\(name.excerpt)\" (column \(index + 1)); known: "
                        + (Self.texts + Self.rules).joined(separator: ", ") + ".",
                    "没有 \"\(name.excerpt)\" 列(第 \(index + 1) 列),可用的列:" + (Self.texts + Self.rules).joined(separator: "、") + "。"),
                field: name.excerpt)
        }
        for (index, name) in header.enumerated() where header[..<index].contains(name) {
            throw .malformed("The column \"\(name)\" stands twice.", "列 \"\(name)\" 重复。", field: name)
        }
        for name in Self.required where !header.contains(name) {
            throw .malformed("The column \"\(name)\" is missing in the first row.", "第一行缺少 \"\(name)\" 列。", field: name)
        }
        names = header
    }

    /// The body of a request that queues the lot of a row. An empty cell removes what a known lot has: it is the default, or null; but
    /// a required member is absent.
    func object(of cells: [String]) throws(Problem) -> JSONValue {
        guard cells.count == names.count else {
            throw .malformed(
                "The row has \(cells.count) cells, and the first row \(names.count).",
                "该行有 \(cells.count) 个单元格,而第一行有 \(names.count) 个。")
        }
        var (lot, rules) = ([JSONMember](), [JSONMember]())
        for (name, cell) in zip(names, cells) where !cell.isEmpty || !Self.required.contains(name) {
            let empty = Self.defaults[name] ?? .null
            if Self.rules.contains(name) {
                rules.append(JSONMember(name: name, value: cell.isEmpty ? empty : Self.rule(name, cell)))
            } else {
                let value = name == "media" ? Self.list(cell) : .string(cell)
                lot.append(JSONMember(name: name, value: cell.isEmpty ? empty : value))
            }
        }
        return .object(lot + [JSONMember(name: "rules", value: .object(rules))])
    }

    private static func rule(_ name: String, _ cell: String) -> JSONValue {
        if name == "increment" { return increment(cell) }
        return name.hasSuffix("Seconds") ? number(cell) : .string(cell)
    }

    /// A number as JSON has it; a text otherwise, which is then refused as any member of the wrong type.
    private static func number(_ cell: String) -> JSONValue {
        guard let value = try? JSONReader.read(Array(cell.utf8), limits: JSONLimits()), case .number = value else {
            return .string(cell)
        }
        return value
    }

    /// `10.00`, `5%`, or steps by price such as `0:5.00 100:10.00`.
    private static func increment(_ cell: String) -> JSONValue {
        if cell.hasSuffix("%") { return .object([JSONMember(name: "percent", value: number(String(cell.dropLast())))]) }
        guard cell.contains(":") else { return .object([JSONMember(name: "fixed", value: .string(cell))]) }
        let tiers = cell.split(separator: " ").map { tier in
            let parts = tier.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return JSONValue.object(zip(["from", "step"], parts).map { JSONMember(name: $0, value: .string($1)) })
        }
        return .object([JSONMember(name: "tiers", value: .array(tiers))])
    }

    private static func list(_ cell: String) -> JSONValue {
        .array(cell.split { $0 == " " || $0 == "\n" }.map { .string(String($0)) })
    }

    /// The same problem with the names of columns instead of the paths of members.
    static func naming(_ problem: RowProblem) -> RowProblem {
        let path = problem.field.map { $0.hasPrefix("rules.") ? $0.dropFirst(6) : $0[...] }
        return RowProblem(
            line: problem.line, field: path.map { String($0.prefix { $0 != "." && $0 != "[" }) }, code: problem.code,
            text: LocalizedText(
                problem.text.english.replacing("rules.", with: ""), problem.text.chinese.replacing("rules.", with: "")))
    }
}
