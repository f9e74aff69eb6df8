import Permissions

// Decides imports of lots.
extension RoomManager {
    /// Adds the rows, or updates the lots with their references. A row that equals its lot changes nothing, so an import can be repeated.
    func importLots(
        _ file: ImportLots, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        try check(.queueLot, by: caller, in: context, RuleRequest(addedLots: 0))
        let lots = context.room.lots
        let owner = owner(ofWhatIsAddedBy: caller, in: context.room)
        var matched = MatchedLots(of: owner.id, in: lots)
        // Rising along the file, so that equal lots without a reference are found in the same order again.
        var ids = file.rows.map { _ in context.identifiers.next(LotKind.self) }.sorted(by: >)
        var (events, imported, problems) = ([EventBody](), [ImportedLot](), file.problems)
        var lines = file.unreadReferences
        var added = 0
        for row in file.rows {
            do throws(RowProblem) {
                if let reference = row.lot.reference {
                    if let first = lines[reference], first < row.line { throw row.problem(.repeated(reference, line: first)) }
                    lines[reference] = row.line
                }
                let known = row.lot.reference.map { lots[reference: $0] } ?? matched.take(row.lot.item)
                var outcome = ImportedLot.Outcome.added
                if let known {
                    let changes = try changes(of: known, row, by: caller, context)
                    outcome = changes.isEmpty ? .init(unchanged: known.state) : .changed
                    events += changes
                }
                let id = known?.id ?? ids.removeLast()
                if known == nil {
                    do { try rulebook.check(row.lot.item.rules) } catch { throw row.problem(error) }
                    added += 1
                    events.append(.lotQueued(newLot(id, row.lot, lots.count + added, by: owner, in: &context)))
                }
                imported.append(ImportedLot(line: row.line, lot: id, outcome: outcome))
            } catch { problems.append(error) }
        }
        guard problems.isEmpty else { throw .badRows(problems.sorted { $0.line < $1.line }) }
        try check(.queueLot, by: caller, in: context, RuleRequest(addedLots: added))
        // Most rows may have changed nothing, so that their lines of the response are not bounded by the events.
        if context.storesResponse, !events.isEmpty { events[0] = events[0].storing(file.responseBytes) }
        return Decision(events: events, outcome: .lotsImported(imported))
    }

    /// The events that change a lot to the values of its row; empty if it has them already, in whatever state it is. Members that the row
    /// does not have stay.
    private func changes(
        of lot: Lot, _ row: ImportLots.Row, by caller: Person, _ context: DecisionContext
    ) throws(RowProblem) -> [EventBody] {
        let old = context.room.lots.item(of: lot)
        var item = row.changes?.applied(to: old) ?? row.lot.item.item(old.id, of: old.owner, lot: lot.id)
        let isOwner = caller.id == old.owner.id
        var price: String?
        do throws(Refusal) {
            // Only the owner may know the reserve price: another caller's row that has one is refused even if it is the same price.
            let hasReserve = !isOwner && row.lot.item.rules.reservePrice != nil
            if !isOwner { item.rules.reservePrice = old.rules.reservePrice }
            guard hasReserve || item != old else { return [] }
            price = hasReserve ? "reservePrice" : item.rules.price(unlike: old.rules)
            try check(.changeLot, by: caller, in: context, RuleRequest(changesPrices: price != nil, lot: lot.id))
            try rulebook.check(item.rules, of: old, by: caller)
        } catch { throw row.problem(error, price: price) }
        return events(
            of: LotChanged(id: lot.id, item: item, reference: lot.reference, number: lot.number, by: caller), lot)
    }
}

/// Matches rows of a file without a reference to equal lots of one user, each lot to one row.
private struct MatchedLots {
    private let lots: Lots
    private let owner: UserID
    /// The last matched lot of each digest.
    private var last: [Int: LotID] = [:]

    init(of owner: UserID, in lots: Lots) { (self.owner, self.lots) = (owner, lots) }

    /// The next lot that equals the item; each is given once.
    mutating func take(_ item: UploadItem) -> Lot? {
        let digest = LotsByContent.digest(item)
        guard let lot = lots.lot(equalTo: item, digest: digest, of: owner, after: last[digest]) else { return nil }
        last[digest] = lot.id
        return lot
    }
}

extension AuctionRules {
    /// The first of the prices that only the owner may change and that differs.
    fileprivate func price(unlike other: AuctionRules) -> String? {
        if startingPrice != other.startingPrice { return "startingPrice" }
        if reservePrice != other.reservePrice { return "reservePrice" }
        if buyNowPrice != other.buyNowPrice { return "buyNowPrice" }
        return floorPrice != other.floorPrice ? "floorPrice" : nil
    }
}

extension EventBody {
    /// The first event of an import whose response is stored.
    fileprivate func storing(_ responseBytes: Int) -> EventBody {
        switch self {
        case .lotQueued(var lot):
            lot.responseBytes = responseBytes
            return .lotQueued(lot)
        case .lotChanged(var lot):
            lot.responseBytes = responseBytes
            return .lotChanged(lot)
        default: return self
        }
    }
}

extension RowProblem: Error {}

extension ImportLots {
    /// The references of rows that could not be read, each with its first line.
    fileprivate var unreadReferences: [String: Int] {
        let known = problems.compactMap { problem in problem.reference.map { ($0, problem.line) } }
        return Dictionary(known, uniquingKeysWith: min)
    }
}

extension ImportLots.Row {
    /// A refusal as a problem of this row: of the whole row, unless the refusal names a field.
    /// - Parameter price: The price that the row changes, and only the owner of the lot may.
    fileprivate func problem(_ refusal: Refusal, price: String? = nil) -> RowProblem {
        var field = lot.reference == nil ? nil : "reference"
        if case .malformed(let named) = refusal.kind { field = named }
        if refusal.code == LotRules.ownersPricesID, let price { field = "rules.\(price)" }
        return RowProblem(line: line, field: field, code: refusal.code, text: refusal.text)
    }
}

extension Refusal {
    fileprivate static func repeated(_ reference: String, line: Int) -> Refusal {
        malformed(
            "reference", .init("Line \(line) has the same reference.", "第 \(line) 行已使用相同编号。"), actual: reference)
    }

    fileprivate static func badRows(_ problems: [RowProblem]) -> Refusal {
        Refusal(
            .rows(problems), code: "import.bad_rows",
            .init(
                "Nothing was imported: correct \(problems.count) \(problems.count == 1 ? "row" : "rows") first.",
                "未导入任何拍品:请先更正 \(problems.count) 行。"),
            actual: String(problems.count))
    }
}
