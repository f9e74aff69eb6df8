internal import ExactJSON

// Retractions, and what they say about the bids that remain.
extension AuditedRoom {
    func bidRetracted(_ event: AuditedEvent) {
        let id = event.data["bidId"]?.text ?? ""
        require(event.person("by") == host, "rights", "a person other than the host retracts a bid")
        requireNoBid(by: event)
        guard let number = explicitBids.firstIndex(where: { $0.id == id }) else {
            return report("retraction", "there was no such bid to retract")
        }
        let gone = explicitBids[number]
        require(
            number == explicitBids.count - 1 || banned.contains(gone.bidder), "retraction",
            "the retracted bid is neither the latest explicit bid nor one of a banned person")
        requireRemoved(event, gone, with: gone.automatic + automatic(against: number))
        explicitBids.remove(at: number)
        expectedNext = moveAfterBid(by: "retraction", at: event.at)
        switch formatOracle {
        case .english(var oracle):
            let isVoided = oracle.retract(number)
            formatOracle = .english(oracle)
            let now = oracle.standing
            if isVoided, let leader = now.flatMap({ userID(of: $0.leader) }) { expectedNext = .voidedMaximum(of: leader) }
            require(event.data["price"]?.units == now?.price, "price", "the price after a retraction is not \(now?.price ?? 0)")
            require(
                event.person("leader") == now.flatMap { userID(of: $0.leader) }, "price",
                "the leader after a retraction is wrong")
            requireOutlook(event, minimum: oracle.minimum, reserveMet: oracle.reserveMet)
        case .sealed(var oracle):
            // A bid that the oracle refused is among the bids, but not among its entries.
            if oracle.entries.indices.contains(number) { oracle.entries.remove(at: number) }
            formatOracle = .sealed(oracle)
            require(
                event.data["price"] == .null && event.data["leader"] == .null, "secret",
                "a retraction of a sealed bid discloses what remains")
            requireOutlook(event, minimum: oracle.start, reserveMet: nil)
        default: report("retraction", "there was no bid to retract")
        }
        updateSnapshot()
    }

    /// The automatic bids by which a leading bid answered those that it beat: without it there are none, and the beaten bids lead.
    private func automatic(against number: Int) -> [String] {
        guard explicitBids[number].leads else { return [] }
        var answers: [String] = []
        for index in explicitBids.indices.dropFirst(number + 1) {
            guard !explicitBids[index].leads else { break }
            answers += explicitBids[index].automatic
            (explicitBids[index].automatic, explicitBids[index].leads) = ([], true)
        }
        return answers
    }

    /// Checks whose bid is gone, and that the automatic bids which it caused go with it, and no others.
    private func requireRemoved(_ event: AuditedEvent, _ gone: ExplicitBid, with automatic: [String]) {
        require(event.person("bidder") == gone.bidder, "retraction", "the bid of another person is retracted")
        let removed = (event.data["removed"]?.elements ?? []).compactMap(\.text)
        require(
            removed.count == 1 + automatic.count && Set(removed) == Set(automatic + [gone.id]), "retraction",
            "\(removed.count) bids are removed, not \(1 + automatic.count), or others")
    }

    /// Requires the end of the maximum of a leader who may not bid any more.
    /// - Parameter rule: The name of the guarantee that keeps it in force would break.
    func endMaximum(of bidder: String, because rule: String) {
        guard maximum(of: bidder) != nil, case .english(var oracle)? = formatOracle, oracle.void() else { return }
        formatOracle = .english(oracle)
        expectedNext = .endedMaximum(of: bidder, rule)
    }

    /// The most that the bidder may have to pay in the round if they lead; nil if they do not.
    func maximum(of bidder: String) -> Int64? {
        guard ["auctioning", "paused"].contains(snapshot.state), case .english(let oracle)? = formatOracle,
            let number = personNumber[bidder], oracle.standing?.leader == number
        else { return nil }
        return oracle.entries.lazy.filter { $0.who == number }.map { min($0.maximum, oracle.buyNow ?? .max) }.max()
    }

    /// Checks that the host, who has decided something for all bidders, is none of them.
    func requireNoBid(by event: AuditedEvent) {
        let by = event.person("by")
        let hasBid =
            explicitBids.contains { $0.bidder == by } || absentees.acted.contains(by ?? "")
            || hiddenAmount(of: by ?? "") != nil
        require(!hasBid, "own bid", "\(event.type) by a host who has bid in this round")
    }
}
