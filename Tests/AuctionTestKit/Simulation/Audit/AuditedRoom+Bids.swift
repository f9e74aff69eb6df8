internal import AuctionDomain
internal import ExactJSON

// Bids: checks each bid event against the naive oracle of the auction's format, in the order of the log.
extension AuditedRoom {
    func bidPlaced(_ event: AuditedEvent) {
        let (id, bidder) = (event.data["bidId"]?.text ?? "", event.person("bidder") ?? "")
        let isAutomatic = event.data["automatic"] == .bool(true)
        require(event.data["bidder"]?["kind"] == nil, "rights", "an operator bids")
        // A sealed bid that was left may be shown when a round is over.
        let isLeft = event.data["absentee"] == .bool(true) && rules?.isSealed == true
        require(snapshot.state == "auctioning" || isLeft, "state", "a bid while \(snapshot.state)")
        require(snapshot.endsAt.map { event.at < $0 } ?? false || isLeft, "deadline", "a bid at or after the deadline")
        let end = event.data["endsAt"]?.instant?.milliseconds
        if event.data["absentee"] == .bool(true) { return absenteeBidPlaced(event, id, bidder) }
        if isAutomatic { return automaticBidPlaced(event, bidder) }
        explicitBids.append(ExplicitBid(id: id, bidder: bidder, leads: event.data["leading"] == .bool(true)))
        if event.data["floor"]?.isTrue == true { requireMayEnter(event) } else { requireMayBid(bidder) }
        let number = number(ofBidderOf: event)
        guard let requested = requestedBids[id] else { return report("promise", "no client requested the bid \(id)") }
        let named = requested.item?.description
        require(named == nil || named == itemID, "item", "a bid that was meant for another item")
        let before = snapshot.endsAt
        let expectedEnd = endAfterBid(at: event.at)
        switch formatOracle {
        case .english(var oracle):
            let response = oracle.bid(number, requested.amount?.minorUnits, requested.maximum?.minorUnits)
            if case .refused(let code) = response { report("refusal", "a bid was accepted that must be refused: \(code)") }
            if hasPlainBids, let latest = oracle.entries.last { oracle.entries = [latest] }
            formatOracle = .english(oracle)
            requireAffordable(bidder, max(requested.amount?.minorUnits ?? 0, requested.maximum?.minorUnits ?? 0))
            english(event, oracle, of: number)
            require(
                end == (oracle.sold == nil ? expectedEnd : before), "countdown",
                "the bid does not extend the deadline by the rules")
        case .sealed(var oracle):
            let amount = event.secret?["amount"]?.units ?? 0
            require(amount == requested.amount?.minorUnits, "promise", "the stored amount is not the requested amount")
            require(amount > hiddenAmount(of: bidder) ?? 0, "refusal", "a sealed bid is not above the one that was left")
            require(oracle.bid(number, amount), "refusal", "a sealed bid was accepted that must be refused")
            formatOracle = .sealed(oracle)
            requireAffordable(bidder, amount)
            require(end == before, "countdown", "a sealed bid changes the deadline")
            require(event.data["nextMinimum"]?.units == rules?.start, "minimum", "a sealed bid changes the next minimum")
        case .dutch:
            let price = snapshot.price ?? 0
            require(event.data["amount"]?.units == price, "price", "a Dutch bid is not at the asking price")
            require((requested.amount?.minorUnits ?? 0) >= price, "refusal", "a Dutch bid below the price was accepted")
            requireOutlook(event, minimum: nil, reserveMet: nil)
            formatOracle = .dutch(taken: (number, price))
            requireAffordable(bidder, price)
            snapshot.leader = bidder
            expectedNext = .saleByBid
        case nil: report("state", "a bid without an item")
        }
        snapshot.endsAt = end
        updateSnapshot()
    }

    private func english(_ event: AuditedEvent, _ oracle: EnglishOracle, of number: Int) {
        guard let now = oracle.sold ?? oracle.standing else { return report("price", "a bid without a bidder") }
        if event.data["leading"] == .bool(true) {
            require(event.data["amount"]?.units == now.price, "price", "the price is not \(now.price)")
            require(number == now.leader, "price", "person \(now.leader) leads, not the bidder")
            if oracle.sold != nil { expectedNext = .saleByBid }
        } else {
            require(number != now.leader, "price", "the bidder leads, but `leading` is false")
            expectedNext = .automatic
            causeOfAutomatic = event.data["bidId"]?.text
        }
        requireOutlook(event, minimum: oracle.sold == nil ? oracle.minimum : nil, reserveMet: oracle.reserveMet)
    }

    /// Checks what an event says about the bids that may follow it, and about the reserve price.
    func requireOutlook(_ event: AuditedEvent, minimum: Int64?, reserveMet: Bool?) {
        require(event.data["nextMinimum"]?.units == minimum, "minimum", "the next minimum is not \(minimum ?? 0)")
        let expected = reserveMet.map { JSONValue.bool($0) } ?? .null
        require(event.data["reserveMet"] == expected, "reserve", "`reserveMet` of \(event.type) is not \(expected)")
    }

    /// Checks a bid that the server placed on the leader's behalf.
    private func automaticBidPlaced(_ event: AuditedEvent, _ bidder: String) {
        guard case .english(let oracle)? = formatOracle, let now = oracle.sold ?? oracle.standing else {
            return report("automatic bid", "in a format without automatic bids")
        }
        require(
            event.data["amount"]?.units == now.price && personNumber[bidder] == now.leader, "price",
            "the automatic bid is not person \(now.leader)'s at \(now.price)")
        let end = event.data["endsAt"]?.instant?.milliseconds
        require(
            oracle.sold != nil || end == endAfterBid(at: event.at), "countdown",
            "an automatic bid does not extend the deadline by the rules")
        requireOutlook(event, minimum: oracle.sold == nil ? oracle.minimum : nil, reserveMet: oracle.reserveMet)
        let cause = explicitBids.firstIndex { $0.id == causeOfAutomatic }
        let id = event.data["bidId"]?.text ?? ""
        if let cause { explicitBids[cause].automatic.append(id) } else { absentees.automatic.append(id) }
        // After a raised maximum, of a bid or of an absentee bid, the bid shows the moved deadline too, but the command was none to bid.
        if cause.map({ explicitBids[$0].bidder == bidder }) ?? true { expectedNext = moveAfterBid(by: "maximum", at: event.at) }
        snapshot.endsAt = end
        if oracle.sold != nil { expectedNext = .saleByBid }
        updateSnapshot()
    }

    func maximumRaised(_ event: AuditedEvent) {
        let bidder = event.person("bidder") ?? ""
        require(snapshot.state == "auctioning", "state", "a maximum is raised while \(snapshot.state)")
        require(snapshot.endsAt.map { event.at < $0 } ?? false, "deadline", "a maximum is raised after the deadline")
        guard case .english(var oracle)? = formatOracle, let before = oracle.standing,
            let maximum = event.secret?["maximum"]?.units
        else {
            return report("maximum", "raised although there is none")
        }
        require(personNumber[bidder] == before.leader, "maximum", "raised by a bidder who does not lead")
        requireAffordable(bidder, maximum)
        oracle.raise(before.leader, to: maximum)
        formatOracle = .english(oracle)
        causeOfAutomatic = explicitBids.last { $0.bidder == bidder }?.id
        if oracle.standing?.price != before.price { expectedNext = .automatic } else { updateSnapshot() }
    }

    func priceDropped(_ event: AuditedEvent) {
        guard let rules, let step = rules.steps.first?.step, let floor = rules.floor, let tick = rules.tick else {
            return report("price", "drops in a format without price drops")
        }
        let price = event.data["price"]?.units ?? 0
        var expected = nextDropAt
        if let asking = snapshot.price {
            require(price == max(floor, asking - step), "price", "the drop is not one step")
            require(nextDropAt.map { event.at >= $0 } ?? false, "deadline", "the price drops before `nextDropAt`")
            expected = price > floor ? nextDropAt.map { $0 + tick } : nil
        } else {
            require(price == rules.start, "price", "a Dutch price does not begin at the starting price")
        }
        snapshot.price = price
        requireNextDrop(event, expected)
        updateSnapshot()
    }

    private func requireMayBid(_ bidder: String) {
        requireRightToBid(bidder)
        require(bidder != owner, "rights", "a bid on one's own item")
    }

    /// Whether a bid that was left may act.
    func hasRightToBid(_ bidder: String, at instant: Int64) -> Bool {
        guard let role = roles[bidder], !banned.contains(bidder) else { return false }
        if enabled.contains("bid.new_member"), instant - (joinedAt[bidder] ?? 0) < 60_000 { return false }
        if lacksApproval(bidder) { return false }
        return (role != "viewer" || disabled.contains("bid.viewer")) && (role != "host" || disabled.contains("bid.host"))
    }

    /// Checks what any bid in the room needs.
    func requireRightToBid(_ bidder: String) {
        let role = roles[bidder]
        require(role != nil, "rights", "a bid by a person who is not a member")
        require(!banned.contains(bidder), "rights", "a bid by a banned person")
        require(role != "viewer" || disabled.contains("bid.viewer"), "rights", "a bid by a viewer")
        require(role != "host" || disabled.contains("bid.host"), "rights", "a bid by the host")
        require(!lacksApproval(bidder), "rights", "a bid by a person whom the host has not approved")
    }

    private func requireAffordable(_ bidder: String, _ offered: Int64) {
        guard let limit = credit[bidder] else { return }
        let most = min(offered, rules?.buyNow ?? offered)
        require(owed(by: bidder) + waiting(of: bidder) + most <= limit, "credit", "a bid beyond the bidder's credit limit")
    }

    /// Copies the oracle's price, leader and minimum to the public snapshot.
    func updateSnapshot() {
        switch formatOracle {
        case .english(let oracle):
            let now = oracle.sold ?? oracle.standing
            snapshot.price = now?.price
            snapshot.leader = now.flatMap { userID(of: $0.leader) }
            snapshot.minimum = oracle.minimum
            snapshot.reserveMet = oracle.reserveMet
        case .dutch(let taken):
            if taken == nil { snapshot.leader = nil }
            snapshot.minimum = snapshot.price ?? rules?.start
            snapshot.reserveMet = nil
            if explicitBids.isEmpty, snapshot.state == "preparing" { (snapshot.price, snapshot.minimum) = (nil, rules?.start) }
        case .sealed:
            (snapshot.price, snapshot.leader, snapshot.reserveMet) = (nil, nil, nil)
            snapshot.minimum = rules?.start
        case nil: (snapshot.price, snapshot.leader, snapshot.minimum, snapshot.reserveMet) = (nil, nil, nil, nil)
        }
    }
}
