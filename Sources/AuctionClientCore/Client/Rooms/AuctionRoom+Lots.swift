extension AuctionRoom {
    // MARK: - Lots

    /// The lots in the order of their turns, read page by page as they are asked for.
    /// - Parameters:
    ///   - state: only lots in this state; nil for all.
    ///   - withOwnBids: only lots on which the caller has left a bid.
    public func lots(state: LotState? = nil, withOwnBids: Bool = false, pageSize: Int = 100) -> Pages<Lot> {
        let query = (state.map { "state=\($0.rawValue.pathSegment)&" } ?? "") + (withOwnBids ? "bids=mine&" : "")
        return pages("\(path)/lots?\(query)limit=\(pageSize)", "lots") { (fields, currency) throws(MalformedJSON) in
            try Lot(fields, currency)
        }
    }

    /// Reads one lot by its identifier.
    public func lot(_ lotId: String) async throws(AuctionError) -> Lot {
        let currency = try await currency()
        return try await client.read("\(path)/lots/\(lotId.pathSegment)") { (json) throws(MalformedJSON) in
            try Lot(try JSONFields(json), currency)
        }
    }

    /// Queues a lot behind all others. By the host or an auctioneer.
    @discardableResult
    public func queueLot(_ lot: NewLot) async throws(AuctionError) -> Lot {
        try await self.lot(.queueLot, "POST", "\(path)/lots", lot.json, lot.item.amounts)
    }

    /// Changes or moves a queued lot. By its owner or the host, who does not change its prices.
    @discardableResult
    public func changeLot(_ lotId: String, _ changes: LotChanges) async throws(AuctionError) -> Lot {
        try await lot(.changeLot, "PATCH", "\(path)/lots/\(lotId.pathSegment)", changes.json, changes.amounts)
    }

    /// Offers a lot again that was not sold: a new lot waits behind all others. By its owner or the host, who does not change its prices.
    /// - Parameter rules: what is to be different this time; nil: nothing.
    /// - Returns: the new lot.
    @discardableResult
    public func reofferLot(_ lotId: String, rules: NewRules? = nil) async throws(AuctionError) -> Lot {
        try await lot(
            .reofferLot, "POST", "\(path)/lots/\(lotId.pathSegment)/reoffer", rules.map { ["rules": $0.json] } ?? [:],
            rules?.amounts ?? [])
    }

    /// Queues the lots of a file, or changes those with their references: all rows or none, 1,000 at most. By the host or an auctioneer.
    ///
    /// `Problem.rows` names each wrong row of a refusal with the code `importBadRows`.
    /// - Parameter csv: a table whose first row names the columns, as the contract has them.
    @discardableResult
    public func importLots(csv: String) async throws(AuctionError) -> ImportedLots {
        try await command(.importLots, "POST", "\(path)/lots/import", file: (csv, "text/csv")) { (json) throws(MalformedJSON) in
            try ImportedLots(JSONFields(json))
        }
    }

    func lot(
        _ kind: CommandKind, _ method: String, _ target: String, _ body: JSONValue? = nil, _ amounts: [Money] = []
    ) async throws(AuctionError) -> Lot {
        let currency = try await currency()
        try check(amounts)
        return try await command(kind, method, target, body) { (json) throws(MalformedJSON) in
            try Lot(try JSONFields(json), currency)
        }
    }

    // MARK: - Results

    /// Voids the sale of a round: its result stays, marked, and counts nowhere. By the host.
    /// - Parameters:
    ///   - reason: visible to everyone in the room.
    ///   - offersNext: whether the item is offered to the next bidder, for ten minutes.
    /// - Returns: the row of the round.
    @discardableResult
    public func voidResult(
        ofRound round: Int, reason: String, offersNext: Bool = false
    ) async throws(AuctionError) -> RoundResult {
        let body: JSONValue = offersNext ? ["reason": .string(reason), "offerTo": "next"] : ["reason": .string(reason)]
        return try await result(.voidResult, "POST", "\(path)/results/\(round)/void", body)
    }

    func result(
        _ kind: CommandKind, _ method: String, _ target: String, _ body: JSONValue? = nil
    ) async throws(AuctionError) -> RoundResult {
        let currency = try await currency()
        return try await command(kind, method, target, body) { (json) throws(MalformedJSON) in
            try RoundResult(try JSONFields(json), currency)
        }
    }

    // MARK: - The sale

    /// How the lots are sold.
    public func sale() async throws(AuctionError) -> Sale {
        try await client.read("\(path)/sale") { (json) throws(MalformedJSON) in try Sale(json) }
    }

    func sale(
        _ kind: CommandKind, _ method: String, _ target: String, _ body: JSONValue? = nil
    ) async throws(AuctionError) -> Sale {
        try await command(kind, method, target, body) { (json) throws(MalformedJSON) in try Sale(json) }
    }
}
