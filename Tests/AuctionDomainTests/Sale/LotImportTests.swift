import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

struct LotImportTests {
    /// A file whose rows are items with these names; a name before a colon is also the row's reference.
    private func file(_ scenario: Scenario, _ rows: [String], problems: [RowProblem] = []) -> ImportLots {
        ImportLots(
            rows: rows.enumerated().map { index, row in
                let reference = row.split(separator: ":").count > 1 ? String(row.prefix { $0 != ":" }) : nil
                let name = String(row.split(separator: ":").last ?? "")
                return .init(line: index + 2, lot: QueueLot(item: scenario.item(named: name), reference: reference))
            }, problems: problems)
    }

    private func imported(_ scenario: Scenario) -> [ImportedLot] {
        guard case .lotsImported(let lots) = scenario.lastOutcome else { return [] }
        return lots
    }

    private func outcomes(_ scenario: Scenario) -> [ImportedLot.Outcome] { imported(scenario).map(\.outcome) }

    private func problems(_ refusal: Refusal?) -> [RowProblem] {
        guard case .rows(let rows) = refusal?.kind else { return [] }
        return rows
    }

    @Test func `rows are queued in the order of the file, and their lots are named with their lines`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.perform(.importLots(file(scenario, ["B1:Vase", "Bowl"])), by: scenario.host)
        #expect(scenario.room.lots.lots().map { $0.content.upload.name } == ["A1", "Vase", "Bowl"])
        #expect(imported(scenario).map(\.line) == [2, 3])
        #expect(imported(scenario).map(\.lot) == scenario.room.lots.lots().dropFirst().map(\.id))
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `a row with a known reference updates its lot, and a repeat of the file changes nothing`() throws {
        var scenario = try Scenario.withLots(2)
        let rows = file(scenario, ["A2:Vase", "A3:Bowl", "Cup", "Cup"])
        let events = try scenario.perform(.importLots(rows), by: scenario.auctioneer)
        #expect(events.count == 4)
        #expect(scenario.room.lots.lots().map { $0.content.upload.name } == ["A1", "Vase", "Bowl", "Cup", "Cup"])
        let first = imported(scenario)
        #expect(first.map(\.outcome) == [.changed, .added, .added, .added])
        // Also after a move of lots that the file does not tell apart.
        try scenario.move(first[3].lot, before: first[2].lot)
        #expect(try scenario.perform(.importLots(rows), by: scenario.auctioneer).isEmpty)
        #expect(imported(scenario).map(\.lot) == first.map(\.lot))
        #expect(outcomes(scenario) == [.unchanged, .unchanged, .unchanged, .unchanged])
    }

    @Test func `a lot without a reference matches its row in any state, and no second row`() throws {
        var scenario = try Scenario.withMembers()
        let rows = file(scenario, ["Cup", "Vase"])
        try scenario.perform(.importLots(rows), by: scenario.auctioneer)
        let first = imported(scenario)
        try scenario.perform(.withdrawLot(first[1].lot, reason: nil), by: scenario.auctioneer)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        #expect(try scenario.perform(.importLots(rows), by: scenario.auctioneer).isEmpty)
        #expect(imported(scenario).map(\.lot) == first.map(\.lot) && outcomes(scenario) == [.unchanged, .withdrawn])
        try scenario.perform(.importLots(file(scenario, ["Cup", "Cup"])), by: scenario.auctioneer)
        #expect(imported(scenario)[0].lot == first[0].lot && scenario.room.lots.count == 3)
        // Those of another user are others.
        try scenario.perform(.importLots(rows), by: scenario.host)
        #expect(scenario.room.lots.count == 5)
    }

    @Test func `an update of the prepared lot is shown at once, one of a sold lot is refused`() throws {
        var scenario = try Scenario.withLots(2)
        try scenario.perform(.startAuction(AuctionTransition()), by: scenario.host)
        let refused = scenario.refusal(of: .importLots(file(scenario, ["B1:Bowl", "A1:Vase"])), by: scenario.auctioneer)
        #expect(problems(refused).map { "\($0.line) \($0.field ?? "-") \($0.code)" } == ["3 reference lot.not_queued"])
        try scenario.perform(.cancel(AuctionTransition(reason: "Later.")), by: scenario.host)
        try scenario.perform(.importLots(file(scenario, ["A1:Vase"])), by: scenario.auctioneer)
        #expect(scenario.room.item?.name == "Vase" && scenario.references(.current) == ["A1"])
        #expect(try scenario.replayed() == scenario.room)
    }

    @Test func `every bad row is named in the order of lines, and nothing is imported`() throws {
        var scenario = try Scenario.withLots(1)
        try scenario.perform(.changeMember(scenario.viewer.id, MemberChanges(role: .auctioneer)), by: scenario.host)
        let unread = RowProblem(line: 3, field: "name", code: "request.malformed", text: .init("No name.", "无名称。"))
        let rows = file(scenario, ["B1:Vase", "B1:Bowl", "A1:Cup"], problems: [unread])
        let refused = scenario.refusal(of: .importLots(rows), by: scenario.viewer)
        #expect(refused?.code == "import.bad_rows" && refused?.actual == "3")
        #expect(
            problems(refused).map { "\($0.line) \($0.field ?? "-") \($0.code)" } == [
                "3 name request.malformed", "3 reference request.malformed", "4 reference lot.not_yours",
            ])
        #expect(scenario.room.lots.count == 1)
    }

    @Test func `a row has the reference of an earlier row that could not be read`() throws {
        let scenario = try Scenario.withLots(1)
        let unread = [3, 5].map { line in
            RowProblem(line: line, field: "name", code: "request.malformed", text: .init("No name.", "无名称。"), reference: "B1")
        }
        var rows = file(scenario, ["B1:Vase", "B2:Bowl", "B1:Cup"]).rows
        rows[1] = .init(line: 4, lot: QueueLot(item: scenario.item(named: "Bowl"), reference: "B1"))
        rows[2] = .init(line: 6, lot: QueueLot(item: scenario.item(named: "Cup"), reference: "B2"))
        let refused = scenario.refusal(of: .importLots(ImportLots(rows: rows, problems: unread)), by: scenario.auctioneer)
        #expect(problems(refused).map { "\($0.line) \($0.field ?? "-")" } == ["3 name", "4 reference", "5 name"])
    }

    @Test func `an import may fill a room, and be repeated in a full one`() throws {
        var scenario = try Scenario.withLots(1, rulebook: try .product(limits: RoomLimits(lotsPerRoom: 3)))
        let refused = scenario.refusal(of: .importLots(file(scenario, ["A1:Vase", "1", "2", "3"])), by: scenario.auctioneer)
        #expect(refused?.code == "lot.too_many" && refused?.required == "3")
        let rows = file(scenario, ["A1:Vase", "1", "2"])
        try scenario.perform(.importLots(rows), by: scenario.auctioneer)
        #expect(try scenario.perform(.importLots(rows), by: scenario.auctioneer).isEmpty)
        #expect(scenario.refusal(of: .importLots(file(scenario, ["3"])), by: scenario.auctioneer)?.code == "lot.too_many")
    }

    @Test func `only the host and auctioneers import`() throws {
        let scenario = try Scenario.withLots(1)
        #expect(
            scenario.refusal(of: .importLots(file(scenario, ["A1:A1"])), by: scenario.bidder)?.code == "lot.not_auctioneer")
    }
}
