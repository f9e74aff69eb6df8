internal import ExactJSON

// Retractions, and what they say about the bids that remain.
extension AuditedRoom {
    func bidRetracted(_ event: AuditedEvent) {
        let id = event.data["bidId"]?.text ?? ""
        require(event.person("by") == host, "rights", "a person other than the host retracts a bid")
        requireNoBid(by: event)
        require(explicitBids.last?.id == id, "retraction", "the retracted bid is not the latest explicit bid")
        requireRemoved(event)
        explicitBids.removeAll { $0.id == id }
        expectedNext = moveAfterBid(by: "retraction", at: event.at)
        switch formatOracle {
        case .english(var oracle):
            let isVoided = oracle.retract()
            formatOracle = .english(oracle)
            let now = oracle.standing
            if isVoided, let leader = now?.leader, userIDs.indices.contains(leader) {
                expectedNext = .voidedMaximum(of: userIDs[leader])
            }
            require(event.data["price"]?.units == now?.price, "price", "the price after a retraction is not \(now?.price ?? 0)")
            require(
                event.person("leader").flatMap { personNumber[$0] } == now?.leader, "price",
                "the leader after a retraction is wrong")
            requireOutlook(event, minimum: oracle.minimum, reserveMet: oracle.reserveMet)
        case .sealed(var oracle):
            if !oracle.entries.isEmpty { oracle.entries.removeLast() }
            formatOracle = .sealed(oracle)
            require(
                event.data["price"] == .null && event.data["leader"] == .null, "secret",
                "a retraction of a sealed bid discloses what remains")
            requireOutlook(event, minimum: oracle.start, reserveMet: nil)
        default: report("retraction", "there was no bid to retract")
        }
        updateSnapshot()
    }

    /// Checks whose bid is gone, and that the automatic bids which it caused go with it, and no others.
    private func requireRemoved(_ event: AuditedEvent) {
        guard let gone = explicitBids.last else { return }
        require(event.person("bidder") == gone.bidder, "retraction", "the bid of another person is retracted")
        let removed = (event.data["removed"]?.elements ?? []).compactMap(\.text)
        require(
            removed == [gone.id] + gone.automatic, "retraction",
            "\(removed.count) bids are removed, not \(1 + gone.automatic.count), or others")
    }

    /// Checks that the host, who has decided something for all bidders, is none of them.
    func requireNoBid(by event: AuditedEvent) {
        let by = event.person("by")
        require(!explicitBids.contains { $0.bidder == by }, "own bid", "\(event.type) by a host who has bid in this round")
    }
}
