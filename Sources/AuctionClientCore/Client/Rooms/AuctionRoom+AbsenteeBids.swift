extension AuctionRoom {
    // MARK: - Bids that are left on lots

    /// Leaves a bid on a lot that waits for its turn, in place of the caller's earlier one: it acts when the bidding on the lot opens.
    ///
    /// Another maximum takes a new place in the order of all bids that were left on the lot, the same keeps it.
    /// - Parameter maximum: The most that it may cost; at least the starting price. Only the caller sees it.
    @discardableResult
    public func placeAbsenteeBid(on lotId: String, upTo maximum: Money) async throws(AuctionError) -> AbsenteeBid {
        let currency = try await currency()
        try check([maximum])
        let body: JSONValue = ["maximum": .string(maximum.decimal)]
        return try await command(.placeAbsenteeBid, "PUT", absenteeBidPath(lotId), body) { (json) throws(MalformedJSON) in
            try AbsenteeBid(try JSONFields(json), currency)
        }
    }

    /// The bid that the caller has left on a lot. A `Problem` with the code `absenteeNotFound` if there is none.
    public func absenteeBid(on lotId: String) async throws(AuctionError) -> AbsenteeBid {
        let currency = try await currency()
        return try await client.read(absenteeBidPath(lotId)) { (json) throws(MalformedJSON) in
            try AbsenteeBid(try JSONFields(json), currency)
        }
    }

    /// Takes back the bid that the caller has left on a lot.
    public func withdrawAbsenteeBid(on lotId: String) async throws(AuctionError) {
        try await done(.withdrawAbsenteeBid, "DELETE", absenteeBidPath(lotId))
    }

    private func absenteeBidPath(_ lotId: String) -> String { "\(path)/lots/\(lotId.pathSegment)/bid" }
}
