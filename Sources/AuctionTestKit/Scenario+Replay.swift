public import AuctionDomain

extension Scenario {
    /// The room as its events alone make it: what a restart would find.
    public func replayed() throws -> Room {
        guard let opening = history.first, var room = Room(id: room.id, opening: opening) else { throw ScenarioError() }
        for event in history.dropFirst() { try room.apply(event) }
        return room
    }

    /// The host starts, and starts again before the listing countdown ends.
    public mutating func openBidding() throws {
        for _ in 0..<2 { try perform(.startAuction(Advance()), by: host) }
    }
}
