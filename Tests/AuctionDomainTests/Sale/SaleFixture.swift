import AuctionDomain
import AuctionTestKit

extension Scenario {
    /// A room with members and lots of the auctioneer with references `A1`, `A2`, …
    static func withLots(_ count: Int, rulebook: RoomRulebook? = nil) throws -> Scenario {
        var scenario = try Scenario.withMembers(rulebook: rulebook)
        for number in 1...count { try scenario.queue("A\(number)") }
        return scenario
    }

    /// Queues a lot whose item is called as its reference.
    @discardableResult
    mutating func queue(_ reference: String, by seller: Person? = nil) throws(Refusal) -> LotID {
        try perform(.queueLot(QueueLot(item: item(named: reference), reference: reference)), by: seller ?? auctioneer)
        guard case .lotQueued(let id) = lastOutcome else { throw .lotNotFound }
        return id
    }

    func item(named name: String, startingPrice: Int64 = 10000) -> UploadItem {
        var rules = rules()
        rules.startingPrice = Money(minorUnits: startingPrice)
        return UploadItem(name: name, description: "", media: [], rules: rules)
    }

    mutating func configure(_ sale: Sale) throws(Refusal) { try perform(.sale(.configure(sale)), by: host) }

    mutating func startAutomaticSale(pause: Int = 10) throws(Refusal) {
        try configure(Sale(mode: .automatic, pause: Seconds(pause)))
        try perform(.sale(.start), by: host)
    }

    /// Moves a lot before another one; nil: to the end.
    @discardableResult
    mutating func move(_ lot: LotID, before next: LotID?, by mover: Person? = nil) throws(Refusal) -> [EventBody] {
        var changes = LotChanges()
        changes.target = next.map(LotChanges.Target.before) ?? .end
        return try perform(.changeLot(lot, changes), by: mover ?? host)
    }

    func lot(_ reference: String) throws -> Lot {
        guard let lot = room.lots[reference: reference] else { throw ScenarioError() }
        return lot
    }

    /// References of the lots in this state, in order.
    func references(_ state: Lot.State? = nil) -> [String] {
        room.lots.lots().filter { state == nil || $0.state == state }.map { $0.reference ?? "-" }
    }
}
