internal import ExactJSON

// Retractions, and what they say about the bids that remain.
extension AuditedRoom {
    func bidRetracted(_ event: AuditedEvent) {
        let id = event.data["bidId"]?.text ?? ""
        require(isByHost(event), "rights", "a person other than the host retracts a bid")
        requireNoBid(by: event)
        if let number = absentees.placed.firstIndex(where: { $0.id == id }) { return absenteeBidRetracted(event, number) }
        guard let number = explicitBids.firstIndex(where: { $0.id == id }) else {
            return report("retraction", "there was no such bid to retract")
        }
        let gone = explicitBids[number]
        require(
            number == explicitBids.count - 1 || banned.contains(gone.bidder), "retraction",
            "the retracted bid is neither the latest explicit bid nor one of a banned person")
        requireRemoved(event, gone.bidder, [gone.id] + gone.automatic + automatic(against: number))
        explicitBids.remove(at: number)
        expectedNext = moveAfterBid(by: "retraction", at: event.at)
        switch formatOracle {
        case .english(var oracle):
            let isVoided = oracle.retract(number)
            englishRetracted(event, oracle, isVoided: isVoided)
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

    private func englishRetracted(_ event: AuditedEvent, _ oracle: EnglishOracle, isVoided: Bool) {
        formatOracle = .english(oracle)
        let now = oracle.standing
        if isVoided, let leader = now.flatMap({ userID(of: $0.leader) }) { expectedNext = .voidedMaximum(of: leader) }
        require(event.data["price"]?.units == now?.price, "price", "the price after a retraction is not \(now?.price ?? 0)")
        require(
            event.person("leader") == now.flatMap { userID(of: $0.leader) }, "price", "the leader after a retraction is wrong")
        requireOutlook(event, minimum: oracle.minimum, reserveMet: oracle.reserveMet)
    }

    /// A bid that was left before the opening is retracted, whose bidder is banned: the other one that the opening has shown counts as if
    /// it had not been.
    private func absenteeBidRetracted(_ event: AuditedEvent, _ number: Int) {
        let gone = absentees.placed.remove(at: number)
        require(banned.contains(gone.bidder), "retraction", "a bid that was left is retracted, and its bidder is not banned")
        guard case .english(var oracle)? = formatOracle else {
            return report("retraction", "a bid that was left is retracted in a format that shows none")
        }
        var removed = [gone.id]
        if gone.leads {
            removed += absentees.automatic + automatic(against: -1)
            absentees.automatic = []
        }
        requireRemoved(event, gone.bidder, removed)
        for index in absentees.placed.indices { absentees.placed[index].leads = true }
        absentees.acted.remove(gone.bidder)
        hasEarlierRetraction = true
        expectedNext = moveAfterBid(by: "retraction", at: event.at)
        let isVoided = oracle.retractLeft(by: personNumber[gone.bidder] ?? -1)
        englishRetracted(event, oracle, isVoided: isVoided)
        updateSnapshot()
    }

    /// The automatic bids by which a leading bid answered those that it beat: without it there are none, and the beaten bids lead.
    /// - Parameter number: -1: the leading bid was left before the opening.
    private func automatic(against number: Int) -> [String] {
        guard number < 0 || explicitBids[number].leads else { return [] }
        var answers: [String] = []
        for index in explicitBids.indices.dropFirst(number + 1) {
            guard !explicitBids[index].leads else { break }
            answers += explicitBids[index].automatic
            (explicitBids[index].automatic, explicitBids[index].leads) = ([], true)
        }
        return answers
    }

    /// Checks whose bid is gone, and that the automatic bids which it caused go with it, and no others.
    private func requireRemoved(_ event: AuditedEvent, _ bidder: String, _ expected: [String]) {
        require(event.person("bidder") == bidder, "retraction", "the bid of another person is retracted")
        let removed = (event.data["removed"]?.elements ?? []).compactMap(\.text)
        require(
            removed.count == expected.count && Set(removed) == Set(expected), "retraction",
            "\(removed.count) bids are removed, not \(expected.count), or others")
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
