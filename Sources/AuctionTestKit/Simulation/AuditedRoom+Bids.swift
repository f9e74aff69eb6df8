internal import AuctionDomain
internal import ExactJSON

// Bids, by the naive auction of each format: what was asked, in the order of the log.
extension AuditedRoom {
    func placed(_ event: AuditedEvent) {
        let (id, bidder) = (event.data["bidId"]?.text ?? "", event.person("bidder") ?? "")
        let isAutomatic = event.data["automatic"] == .bool(true)
        require(picture.state == "auctioning", "state", "a bid while \(picture.state)")
        require(picture.endsAt.map { event.at < $0 } ?? false, "deadline", "a bid at or after the end")
        let end = event.data["endsAt"]?.instant?.milliseconds
        if isAutomatic { return follow(event, bidder) }
        explicitBids.append(id)
        may(bidder)
        guard let asked = asked[id] else { return find("promise", "nobody asked for the bid \(id)") }
        let before = picture.endsAt
        let expectedEnd = endAfterBid(at: event.at)
        switch book {
        case .english(var oracle):
            let answer = oracle.bid(who[bidder] ?? -1, asked.amount?.minorUnits, asked.maximum?.minorUnits)
            if case .refused(let code) = answer { find("refusal", "a bid was taken that is to be refused: \(code)") }
            book = .english(oracle)
            affordable(bidder, max(asked.amount?.minorUnits ?? 0, asked.maximum?.minorUnits ?? 0))
            english(event, oracle)
            require(end == (oracle.sold == nil ? expectedEnd : before), "countdown", "the bid does not move the end as agreed")
        case .sealed(var oracle):
            let amount = event.secret?["amount"]?.units ?? 0
            require(amount == asked.amount?.minorUnits, "promise", "another amount is kept than was asked")
            require(oracle.bid(who[bidder] ?? -1, amount), "refusal", "a sealed bid was taken that is to be refused")
            book = .sealed(oracle)
            affordable(bidder, amount)
            require(end == before, "countdown", "a sealed bid moves the end")
        case .dutch:
            let price = picture.price ?? 0
            require(event.data["amount"]?.units == price, "price", "a Dutch bid is not at the asking price")
            require((asked.amount?.minorUnits ?? 0) >= price, "refusal", "a Dutch bid below the price was taken")
            book = .dutch(taken: (who[bidder] ?? -1, price))
            affordable(bidder, price)
            picture.leader = bidder
            awaited = .saleByBid
        case nil: find("state", "a bid without an item")
        }
        picture.endsAt = end
        show()
    }

    private func english(_ event: AuditedEvent, _ oracle: EnglishOracle) {
        guard let now = oracle.sold ?? oracle.standing else { return find("price", "a bid that nobody made") }
        if event.data["leading"] == .bool(true) {
            require(event.data["amount"]?.units == now.price, "price", "the price is not \(now.price)")
            require(who[event.person("bidder") ?? ""] == now.leader, "price", "person \(now.leader) leads, not the bidder")
            if oracle.sold != nil { awaited = .saleByBid }
        } else {
            require(who[event.person("bidder") ?? ""] != now.leader, "price", "the bidder leads, and it does not say so")
            awaited = .automatic
        }
        let next = oracle.sold == nil ? oracle.minimum : nil
        require(event.data["nextMinimum"]?.units == next, "minimum", "the next minimum is not \(next ?? 0)")
    }

    /// The server's bid on the leader's behalf.
    private func follow(_ event: AuditedEvent, _ bidder: String) {
        guard case .english(let oracle)? = book, let now = oracle.sold ?? oracle.standing else {
            return find("automatic bid", "in a format that has none")
        }
        require(
            event.data["amount"]?.units == now.price && who[bidder] == now.leader, "price",
            "the automatic bid is not person \(now.leader)'s at \(now.price)")
        let end = event.data["endsAt"]?.instant?.milliseconds
        require(
            oracle.sold != nil || end == endAfterBid(at: event.at), "countdown", "an automatic bid moves the end otherwise")
        picture.endsAt = end
        if oracle.sold != nil { awaited = .saleByBid }
        show()
    }

    func raised(_ event: AuditedEvent) {
        let bidder = event.person("bidder") ?? ""
        require(picture.state == "auctioning", "state", "a maximum is raised while \(picture.state)")
        require(picture.endsAt.map { event.at < $0 } ?? false, "deadline", "a maximum is raised after the end")
        guard case .english(var oracle)? = book, let before = oracle.standing, let maximum = event.secret?["maximum"]?.units
        else {
            return find("maximum", "raised where there is none")
        }
        require(who[bidder] == before.leader, "maximum", "raised by somebody who does not lead")
        affordable(bidder, maximum)
        oracle.said.append(.init(who: before.leader, amount: nil, maximum: maximum))
        book = .english(oracle)
        if oracle.standing?.price != before.price { awaited = .automatic } else { show() }
    }

    func retracted(_ event: AuditedEvent) {
        let id = event.data["bidId"]?.text ?? ""
        require(event.person("by") == host, "rights", "somebody other than the host takes a bid back")
        require(explicitBids.last == id, "retraction", "not the latest explicit bid is taken back")
        explicitBids.removeAll { $0 == id }
        switch book {
        case .english(var oracle):
            let isVoided = oracle.retract()
            book = .english(oracle)
            let now = oracle.standing
            if isVoided, let leader = now?.leader, names.indices.contains(leader) {
                awaited = .voidedMaximum(of: names[leader])
            }
            require(event.data["price"]?.units == now?.price, "price", "the price after a retraction is not \(now?.price ?? 0)")
            require(event.person("leader").flatMap { who[$0] } == now?.leader, "price", "another leads after a retraction")
        case .sealed(var oracle):
            if !oracle.said.isEmpty { oracle.said.removeLast() }
            book = .sealed(oracle)
        default: find("retraction", "there was nothing to take back")
        }
        show()
    }

    func dropped(_ event: AuditedEvent) {
        guard let rules, let step = rules.steps.first?.step, let floor = rules.floor, let tick = rules.tick else {
            return find("price", "drops in a format where it does not")
        }
        let (price, next) = (event.data["price"]?.units ?? 0, event.data["nextDropAt"]?.instant?.milliseconds)
        if let asking = picture.price {
            require(price == max(floor, asking - step), "price", "the drop is not one step")
            require(nextDropAt.map { event.at >= $0 } ?? false, "deadline", "the price drops before its time")
            let expected = price > floor ? nextDropAt.map { $0 + tick } : nil
            require(next == expected, "countdown", "the next drop is not a tick later")
        } else {
            require(price == rules.start, "price", "a Dutch price begins elsewhere")
        }
        picture.price = price
        nextDropAt = next
        show()
    }

    private func may(_ bidder: String) {
        let role = roles[bidder]
        require(role != nil, "rights", "a bid by somebody who is no member")
        require(!banned.contains(bidder), "rights", "a bid by somebody who is banned")
        require(role != "viewer" || disabled.contains("bid.viewer"), "rights", "a bid by a viewer")
        require(role != "host" || disabled.contains("bid.host"), "rights", "a bid by the host")
        require(bidder != owner, "rights", "a bid on one's own item")
    }

    private func affordable(_ bidder: String, _ said: Int64) {
        guard let limit = credit[bidder] else { return }
        let most = min(said, rules?.buyNow ?? said)
        require(won[bidder, default: 0] + most <= limit, "credit", "a bid beyond the bidder's credit limit")
    }

    /// Price, leader and minimum as anybody may see them.
    func show() {
        switch book {
        case .english(let oracle):
            let now = oracle.sold ?? oracle.standing
            picture.price = now?.price
            picture.leader = now.flatMap { names.indices.contains($0.leader) ? names[$0.leader] : nil }
            picture.minimum = oracle.minimum
            picture.reserveMet = oracle.reserveMet
        case .dutch(let taken):
            if taken == nil { picture.leader = nil }
            picture.minimum = picture.price ?? rules?.start
            picture.reserveMet = nil
            if explicitBids.isEmpty, picture.state == "preparing" { (picture.price, picture.minimum) = (nil, rules?.start) }
        case .sealed:
            (picture.price, picture.leader, picture.reserveMet) = (nil, nil, nil)
            picture.minimum = rules?.start
        case nil: (picture.price, picture.leader, picture.minimum, picture.reserveMet) = (nil, nil, nil, nil)
        }
    }
}
