internal import AuctionDomain
internal import ExactJSON

// The course of a round: states, countdowns, pauses and ends.
extension AuditedRoom {
    /// What leads from where to where; a cause in capitals is the host's.
    private static let ways: [String: Set<String>] = [
        "preparing>listing": ["START"], "listing>auctioning": ["START", "countdown"],
        "auctioning>closed": ["END", "countdown", "bid"], "listing>paused": ["PAUSE", "hostGone"],
        "auctioning>paused": ["PAUSE", "hostGone"], "paused>listing": ["RESUME"], "paused>auctioning": ["RESUME"],
        "listing>preparing": ["CANCEL"], "auctioning>preparing": ["CANCEL"], "paused>preparing": ["CANCEL"],
        "paused>closed": ["hostGone"], "closed>preparing": ["START"],
    ]

    func changed(_ event: AuditedEvent) {
        let (from, to) = (event.data["from"]?.text ?? "", event.data["to"]?.text ?? "")
        let cause = event.data["cause"]?.text ?? ""
        require(from == picture.state, "transition", "leaves \(from), but the room is \(picture.state)")
        let causes = Self.ways["\(from)>\(to)"] ?? []
        let isHosts = causes.contains(cause.uppercased())
        require(isHosts || causes.contains(cause), "transition", "\(from) to \(to) by \(cause) is no transition")
        if isHosts { require(event.person("by") == host, "rights", "somebody other than the host moved the room on") }
        if cause == "countdown" {
            let isAtOnce = from == "listing" && rules?.listing == 0 && picture.endsAt == nil
            require(isAtOnce || picture.endsAt.map { event.at >= $0 } ?? false, "deadline", "the clock acts before its time")
        }
        if to == "paused" {
            pause = (from, event.at, picture.endsAt.map { $0 - event.at }, nextDropAt.map { $0 - event.at })
        } else if from == "paused" {
            if cause == "resume" { require(pause?.from == to, "transition", "resumes into another state") }
            latestEnd = latestEnd.map { $0 + event.at - (pause?.at ?? event.at) }
        }
        // The end stays known until the countdown of a resumed round moves it.
        picture.endsAt = nil
        nextDropAt = nil
        picture.state = to
        arrived(from: from, to: to, event)
    }

    private func arrived(from: String, to: String, _ event: AuditedEvent) {
        switch to {
        case "auctioning" where from == "listing":
            latestEnd = rules?.maxDuration.map { event.at + $0 }
        case "preparing":
            require(from == "closed" || explicitBids.isEmpty, "cancel", "a round with a bid is cancelled")
            begin(item: from != "closed")
            if from == "closed" { require(event.round == picture.round + 1, "round", "the next round is not the next") }
        case "closed": awaited = .result
        default: break
        }
    }

    /// A round begins anew, with the item or without.
    private func begin(item keepsItem: Bool) {
        if !keepsItem { (rules, owner) = (nil, nil) }
        explicitBids = []
        (latestEnd, seedHash, seed) = (nil, nil, nil)
        book = rules?.emptyBook
        show()
    }

    func item(_ event: AuditedEvent) {
        require(picture.state == "preparing", "item", "an item or its rules change outside preparing")
        if event.type == "item.uploaded" {
            owner = event.data["item"]?["owner"]?["id"]?.text
            require(roles[owner ?? ""] == "auctioneer", "rights", "an item by somebody who is no auctioneer")
        }
        let json = event.type == "item.uploaded" ? event.data["item"]?["rules"] : event.data["rules"]
        rules = AuditedRules(json, secret: event.secret)
        book = rules?.emptyBook
        show()
    }

    func started(_ event: AuditedEvent) {
        guard let rules else { return find("countdown", "starts without an item") }
        var expected = event.at + rules.listing
        if picture.state == "auctioning" {
            expected = event.at + min(rules.bidding, rules.maxDuration ?? rules.bidding)
            if let tick = rules.tick, rules.format == "dutch" { expected = event.at + (rules.drops + 1) * tick }
        }
        picture.endsAt = event.data["endsAt"]?.instant?.milliseconds
        nextDropAt = event.data["nextDropAt"]?.instant?.milliseconds
        require(picture.endsAt == expected, "countdown", "the countdown is not the item's")
    }

    func moved(_ event: AuditedEvent) {
        let end = event.data["endsAt"]?.instant?.milliseconds ?? 0
        switch event.data["cause"]?.text {
        case "resume":
            let remaining = pause?.remaining ?? 0
            let least = min(rules?.bidding ?? 0, 5000)
            let added = max(0, least - (pause?.untilDrop ?? remaining))
            require(end == event.at + remaining + added, "countdown", "the pause did not keep the remaining time")
            pause = nil
        case "outage", "clock":
            require(end > picture.endsAt ?? 0, "countdown", "an end is moved back")
        case "retraction", "maximum":
            require(end == endAfterBid(at: event.at), "countdown", "the end is not the one after a bid")
        default: find("countdown", "moved for no reason")
        }
        nextDropAt = event.data["nextDropAt"]?.instant?.milliseconds
        picture.endsAt = end
    }

    /// Where a bid moves the end, by the item's countdown; never backwards and not past the longest duration.
    func endAfterBid(at instant: Int64) -> Int64? {
        guard let end = picture.endsAt, let rules, rules.format == "english" else { return picture.endsAt }
        var wished = end
        if rules.countdown == "reset" { wished = instant + rules.bidding }
        if rules.countdown == "extend", end - instant <= rules.window { wished = instant + rules.extendBy }
        return max(end, min(wished, latestEnd ?? wished))
    }

    func ended(_ event: AuditedEvent) {
        require(picture.state == "closed", "result", "a result before the close")
        var result: (winner: Int?, price: Int64, hasBids: Bool) = (nil, 0, !explicitBids.isEmpty)
        switch book {
        case .english(let oracle):
            if let standing = oracle.sold ?? oracle.standing, oracle.reserveMet != false {
                (result.winner, result.price) = (standing.leader, standing.price)
            }
        case .sealed(let oracle):
            let lot: ((Int) -> Int)? = seed.flatMap { UInt128($0, radix: 16) }.map { seed in { Int(seed % UInt128($0)) } }
            let sale = oracle.result(lot: rules?.tie == "draw" ? lot : nil)
            (result.winner, result.price) = (sale.winner, sale.price)
        case .dutch(let taken): if let taken { (result.winner, result.price) = (taken.who, taken.price) }
        case nil: find("result", "a result without an item")
        }
        let winner = event.person("winner")
        if event.type == "item.passed" {
            require(result.winner == nil, "winner", "the item passed, but person \(result.winner ?? 0) has won")
            let reason = result.hasBids ? "reserve_not_met" : "no_bids"
            require(event.data["reason"]?.text == reason, "winner", "passed for another reason than \(reason)")
        } else {
            let price = event.data["price"]?.units ?? 0
            require(
                winner.flatMap { who[$0] } == result.winner && price == result.price, "winner",
                "sold to \(winner ?? "nobody") for \(price), not to person \(result.winner ?? -1) for \(result.price)")
            won[winner ?? "", default: 0] += price
        }
        show()
        if rules?.isSealed == true, rules?.reserve != nil { picture.reserveMet = event.type == "item.sold" }
    }
}
