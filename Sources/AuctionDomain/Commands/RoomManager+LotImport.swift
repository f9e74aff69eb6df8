import Permissions

// Decides imports of lots.
extension RoomManager {
    /// Adds the rows, or updates the lots with their references. A row that equals its lot changes nothing, so an import can be repeated.
    func importLots(
        _ file: ImportLots, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        try check(.queueLot, by: caller, in: context)
        var (events, imported, problems) = ([EventBody](), [ImportedLot](), file.problems)
        var lines: [String: Int] = [:]
        var added = 0
        for row in file.rows {
            do throws(RowProblem) {
                if let reference = row.lot.reference, let first = lines.updateValue(row.line, forKey: reference) {
                    throw row.problem("reference", .repeated(reference, line: first))
                }
                let change = try self.change(row, by: caller, in: &context)
                if change.isNew { added += 1 }
                if let event = change.event { events.append(event) }
                imported.append(ImportedLot(line: row.line, lot: change.lot))
            } catch { problems.append(error) }
        }
        let most = rulebook.limits.lotsPerRoom
        if most > 0, context.room.lots.count + added > most { throw .tooManyLots(added, most, context.room.lots.count) }
        guard problems.isEmpty else { throw .badRows(problems.sorted { $0.line < $1.line }) }
        return Decision(events: events, outcome: .lotsImported(imported))
    }

    private func change(
        _ row: ImportLots.Row, by caller: Person, in context: inout DecisionContext
    ) throws(RowProblem) -> (event: EventBody?, lot: LotID, isNew: Bool) {
        let lots = context.room.lots
        guard let reference = row.lot.reference, let lot = lots[reference: reference] else {
            do { try rulebook.check(row.lot.item.rules) } catch { throw row.problem(nil, error) }
            let queued = newLot(row.lot, by: caller, in: &context)
            return (.lotQueued(queued), queued.id, true)
        }
        let old = lots.item(of: lot)
        var item = row.lot.item.item(old.id, of: old.owner, lot: lot.id)
        do throws(Refusal) {
            // Others learn nothing of the reserve price: it stays, and a row that has one is refused whatever it is.
            if caller.id != old.owner.id {
                let names = RuleRequest(changesPrices: item.rules.reservePrice != nil, lot: lot.id)
                try check(.changeLot, by: caller, in: context, names)
                item.rules.reservePrice = old.rules.reservePrice
            }
            guard item != old else { return (nil, lot.id, false) }
            let pricesChange = !item.rules.hasPrices(of: old.rules)
            try check(.changeLot, by: caller, in: context, RuleRequest(changesPrices: pricesChange, lot: lot.id))
            if caller.id == old.owner.id {
                try rulebook.check(item.rules)
            } else {
                try rulebook.check(item.rules, insteadOf: old.rules)
            }
        } catch { throw row.problem("reference", error) }
        return (.lotChanged(LotChanged(id: lot.id, item: item, reference: reference, by: caller)), lot.id, false)
    }
}

extension AuctionRules {
    /// Whether the prices that only the owner may change are equal.
    fileprivate func hasPrices(of other: AuctionRules) -> Bool {
        startingPrice == other.startingPrice && reservePrice == other.reservePrice && buyNowPrice == other.buyNowPrice
            && floorPrice == other.floorPrice
    }
}

extension RowProblem: Error {}

extension ImportLots.Row {
    /// - Parameter field: The column, unless the refusal names a field.
    fileprivate func problem(_ field: String?, _ refusal: Refusal) -> RowProblem {
        var column = field
        if case .malformed(let named) = refusal.kind { column = named }
        return RowProblem(line: line, field: column, code: refusal.code, text: refusal.text)
    }
}

extension Refusal {
    fileprivate static func repeated(_ reference: String, line: Int) -> Refusal {
        Refusal(
            .malformed(field: "reference"), code: "request.malformed",
            .init("Line \(line) has the same reference.", "第 \(line) 行已使用相同编号。"), actual: reference)
    }

    fileprivate static func tooManyLots(_ added: Int, _ most: Int, _ present: Int) -> Refusal {
        Refusal(
            .conflict, code: "lot.too_many",
            .init(
                "The room may have \(most) lots; it has \(present), and this file adds \(added).",
                "房间最多 \(most) 件拍品,现有 \(present) 件,此文件将新增 \(added) 件。"),
            required: String(most), actual: String(present + added))
    }

    fileprivate static func badRows(_ problems: [RowProblem]) -> Refusal {
        Refusal(
            .rows(problems), code: "import.bad_rows",
            .init(
                "Nothing was imported: \(problems.count) rows have to be put right first.", "未导入任何拍品:请先更正 \(problems.count) 行。"),
            actual: String(problems.count))
    }
}
