internal import AuctionDomain
internal import ExactJSON

// Sealed rounds: a bid that was left is a sealed bid, which is shown at the close if the result cannot be explained without it.
extension AuditedRoom {
    /// The opening of a sealed round says in its private part which bids may not act in full.
    func auditCuts(_ event: AuditedEvent) {
        guard knowsSecrets else { return }
        var shown: [[String?]]?
        if case .array(let cuts)? = event.secret?["cuts"] {
            shown = cuts.map { [$0["bidder"]?.text, $0["bidId"]?.text, $0["amount"]?.units.map { String($0) }] }
        }
        let expected = snapshot.state == "auctioning" ? absentees.cuts : nil
        require(
            shown == expected, "absentee",
            "the opening cuts \(shown?.count ?? -1) of the bids that were left, not \(expected?.count ?? -1)")
    }

    func decisiveBidPlaced(_ event: AuditedEvent, _ id: String, _ bidder: String) {
        absentees.decisive.append(id)
        let entry = absentees.entries.first { $0.id == id }
        require(entry?.user == bidder && entry?.hidden != nil, "absentee", "a sealed bid is placed that was not left")
        require(event.secret?["amount"]?.units == entry?.hidden, "price", "a sealed bid is not what was left")
        require(
            event.data["endsAt"]?.instant?.milliseconds == snapshot.endsAt, "countdown", "a sealed bid changes the deadline")
        requireOutlook(event, minimum: rules?.start, reserveMet: nil)
        expectedNext = .closing
    }

    /// The sealed bid of the running round that the user has left, in minor units; nil if there is none.
    func hiddenAmount(of user: String) -> Int64? {
        absentees.entries.lazy.filter { $0.user == user }.compactMap(\.hidden).first
    }

    /// A sealed round closes: the bids that were left count as if they had been placed at its opening, and only those are shown without
    /// which the result could not be explained.
    func closeSealed() {
        defer {
            for index in absentees.entries.indices { absentees.entries[index].hidden = nil }
            absentees.decisive = []
        }
        guard knowsSecrets || !absentees.entries.isEmpty, case .sealed(var oracle)? = formatOracle else { return }
        var ids: [Int: String] = [:]
        let placed = Set(oracle.entries.map(\.who))
        var hidden: [(who: Int, amount: Int64)] = []
        for entry in absentees.entries {
            guard let amount = entry.hidden, let who = personNumber[entry.user], !placed.contains(who) else { continue }
            hidden.append((who, amount))
            ids[who] = entry.id
        }
        oracle.entries = hidden + oracle.entries
        formatOracle = .sealed(oracle)
        if !hidden.isEmpty { absentees.acted.insert("") }
        let draw: ((Int) -> Int)? = seed.flatMap { UInt128($0, radix: 16) }.map { seed in { Int(seed % UInt128($0)) } }
        let result = oracle.result(draw: rules?.drawsTies == true ? draw : nil)
        let standing = Dictionary(oracle.entries.map { ($0.who, $0.amount) }) { _, last in last }
        let top = standing.values.max()
        var shown = Set<Int>()
        if let winner = result.winner {
            shown = rules?.drawsTies == true ? Set(standing.filter { $0.value == top }.keys) : [winner]
            let order = oracle.entries.map(\.who).filter { $0 != winner && standing[$0] == result.price }
            if oracle.isVickrey, let second = standing.keys.count > 1 ? earliest(order, oracle) : nil,
                shown.isDisjoint(with: order.filter { $0 == second })
            {
                shown.insert(second)
            }
        } else if let highest = earliest(oracle.entries.map(\.who).filter { standing[$0] == top }, oracle) {
            shown = [highest]
        }
        let expected = Set(shown.compactMap { ids[$0] })
        require(
            Set(absentees.decisive) == expected, "absentee",
            "\(absentees.decisive.count) sealed bids are shown, not \(expected.count)")
    }

    /// Of some bidders the one whose last bid is the earliest.
    private func earliest(_ bidders: [Int], _ oracle: SealedOracle) -> Int? {
        bidders.min { left, right in
            let places = [left, right].map { who in oracle.entries.lastIndex { $0.who == who } ?? 0 }
            return places[0] < places[1]
        }
    }
}
