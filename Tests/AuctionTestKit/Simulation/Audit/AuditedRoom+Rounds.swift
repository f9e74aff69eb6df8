internal import AuctionDomain
internal import ExactJSON

extension AuctionStep {
    /// What simulated hosts do at any time, permitted or not.
    static let simulated: [AuctionStep] = [
        .pause, .resume, .end, .cancel, .extend(Seconds(1)), .extend(Seconds(20)), .warn(level: 1), .warn(level: 2),
    ]

    /// Whether the event is the one that a successful response to the step promises its caller.
    func isShown(by event: AuditedEvent, to caller: String) -> Bool {
        if case .extend(let seconds) = self {
            return event.type == "countdown.moved" && event.data["cause"]?.text == "host"
                && event.data["extendedBySeconds"]?.int == seconds.count
        }
        return event.type == "state.changed" && event.person("by") == caller
    }
}

// The life of a round: states, countdowns, pauses and results.
extension AuditedRoom {
    /// Permitted causes by "from>to"; a cause in capitals requires the host.
    private static let transitions: [String: Set<String>] = [
        "preparing>listing": ["START", "sale"], "listing>auctioning": ["START", "countdown"],
        "auctioning>closed": ["END", "countdown", "bid"], "listing>paused": ["PAUSE", "hostGone"],
        "auctioning>paused": ["PAUSE", "hostGone"], "paused>listing": ["RESUME"], "paused>auctioning": ["RESUME"],
        "listing>preparing": ["CANCEL"], "auctioning>preparing": ["CANCEL"], "paused>preparing": ["CANCEL"],
        "paused>closed": ["hostGone"], "closed>preparing": ["START", "sale"],
    ]

    /// Milliseconds for which a paused round waits for a host.
    static let longestWait: Int64 = 600_000

    var isHostGone: Bool { hostGoneAt != nil }

    /// When the round is closed because its host does not return; nil if it is not paused, or has a host.
    var closesWithoutHostAt: Int64? {
        guard snapshot.state == "paused", let pause, let hostGoneAt else { return nil }
        return max(pause.at, hostGoneAt) + Self.longestWait
    }

    func stateChanged(_ event: AuditedEvent) {
        let (from, to) = (event.data["from"]?.text ?? "", event.data["to"]?.text ?? "")
        let cause = event.data["cause"]?.text ?? ""
        require(from == snapshot.state, "transition", "leaves \(from), but the room is \(snapshot.state)")
        let causes = Self.transitions["\(from)>\(to)"] ?? []
        let isHosts = causes.contains(cause.uppercased())
        require(isHosts || causes.contains(cause), "transition", "\(from) to \(to) by \(cause) is no transition")
        if isHosts { require(isByHost(event), "rights", "a person other than the host changed the state") }
        if cause == "end" || cause == "pause" { requireNoBid(by: event) }
        if cause == "hostGone" {
            let isDue = to != "closed" || closesWithoutHostAt.map { event.at >= $0 } ?? false
            require(isHostGone && isDue, "host", "\(from) to \(to) although the host is there, or has time to return")
            require(
                to != "paused" || !sale.runsUnattended, "sale", "a round of a sale that needs no host is paused without one")
        }
        auditSale(event, from: from, to: to, cause: cause)
        if cause == "countdown" {
            let isAtOnce = from == "listing" && rules?.listing == 0 && snapshot.endsAt == nil
            require(
                isAtOnce || snapshot.endsAt.map { event.at >= $0 } ?? false, "deadline",
                "the countdown expires before its deadline")
        }
        if to == "paused" {
            pause = (from, event.at, snapshot.endsAt.map { $0 - event.at }, nextDropAt.map { $0 - event.at })
        } else if from == "paused" {
            if cause == "resume" { require(pause?.from == to, "transition", "resumes into another state") }
            latestDeadline = latestDeadline.map { $0 + event.at - (pause?.at ?? event.at) }
        }
        // The end stays known until the countdown of a resumed round moves it.
        snapshot.endsAt = nil
        nextDropAt = nil
        snapshot.state = to
        arrived(from: from, to: to, event)
    }

    private func arrived(from: String, to: String, _ event: AuditedEvent) {
        switch to {
        case "auctioning" where from == "listing":
            latestDeadline = rules?.maxDuration.map { event.at + $0 }
            openAbsentees(at: event.at)
            require(rules?.drawsTies != true || seedHash != nil, "draw", "bidding opens without a seed for the draw of ties")
        case "preparing":
            require(
                from == "closed" || explicitBids.isEmpty && !absentees.hasActed, "cancel", "a round with a bid is cancelled")
            begin(item: from != "closed")
            if from == "closed" {
                require(event.round == snapshot.round + 1, "round", "the round number does not increase by one")
            }
        case "closed":
            if from == "paused", pause?.from == "listing" { closeUnopened() }
            closeSealed()
            expectedNext = .result
        default: break
        }
    }

    /// Resets the state of a round; the item is kept or removed.
    private func begin(item keepsItem: Bool) {
        if !keepsItem { (rules, owner) = (nil, nil) }
        explicitBids = []
        (absentees.expected, absentees.acted) = ([], [])
        (absentees.placed, absentees.automatic) = ([], [])
        for index in absentees.entries.indices { absentees.entries[index].hidden = nil }
        (latestDeadline, seedHash, seed) = (nil, nil, nil)
        formatOracle = rules?.newOracle
        updateSnapshot()
    }

    /// The item of a round that is being prepared is gone.
    func removeItem() { begin(item: false) }

    func item(_ event: AuditedEvent) {
        require(snapshot.state == "preparing", "item", "an item or its rules change outside preparing")
        if event.type == "item.uploaded" {
            owner = event.data["item"]?["owner"]?["id"]?.text
            itemID = event.data["item"]?["id"]?.text
            let lot = event.data["lotId"]?.text
            if lot == nil {
                require(roles[owner ?? ""] == "auctioneer", "rights", "an item by a person who is not an auctioneer")
            }
            showItem(of: lot, event)
        } else {
            lotAdjusted(event)
        }
        let json = event.type == "item.uploaded" ? event.data["item"]?["rules"] : event.data["rules"]
        rules = AuditedRules(json, secret: event.secret)
        formatOracle = rules?.newOracle
        updateSnapshot()
    }

    func countdownStarted(_ event: AuditedEvent) {
        if snapshot.state == "closed" {
            require(sale.isRunning && sale.hasQueued, "sale", "a countdown to a lot that does not follow")
            snapshot.endsAt = event.data["endsAt"]?.instant?.milliseconds
            requireNextDrop(event, nil)
            return require(snapshot.endsAt == event.at + sale.pause, "sale", "the pause between lots is not the configured one")
        }
        guard let rules else { return report("countdown", "starts without an item") }
        var (expected, drop): (Int64, Int64?) = (event.at + rules.listing, nil)
        if snapshot.state == "auctioning" {
            expected = event.at + min(rules.bidding, rules.maxDuration ?? rules.bidding)
            if let tick = rules.tick, rules.format == "dutch" {
                expected = event.at + (rules.drops + 1) * tick
                drop = rules.drops > 0 ? event.at + tick : nil
            }
        }
        snapshot.endsAt = event.data["endsAt"]?.instant?.milliseconds
        auditCuts(event)
        requireNextDrop(event, drop)
        require(snapshot.endsAt == expected, "countdown", "the countdown does not follow the item's rules")
    }

    func deadlineMoved(_ event: AuditedEvent) {
        let end = event.data["endsAt"]?.instant?.milliseconds ?? 0
        var drop: Int64?
        switch event.data["cause"]?.text {
        case "resume":
            let remaining = pause?.remaining ?? 0
            let least = min(rules?.bidding ?? 0, 5000)
            let added = max(0, least - (pause?.untilDrop ?? remaining))
            require(end == event.at + remaining + added, "countdown", "the remaining time changed during the pause")
            drop = (pause?.untilDrop).map { event.at + $0 + added }
            pause = nil
        case "outage", "clock":
            deadlineExtended(event, to: end)
            drop = nextDropAt.map { $0 + end - (snapshot.endsAt ?? 0) }
        case "retraction", "maximum":
            require(end == endAfterBid(at: event.at), "countdown", "the deadline is not the one that a bid sets")
        case "host":
            let added = end - (snapshot.endsAt ?? end)
            require(snapshot.state == "auctioning" && rules?.format != "dutch", "extension", "there is no countdown to extend")
            require((1000...3_600_000).contains(added), "extension", "the host extends the countdown by \(added) ms")
            require(latestDeadline.map { end <= $0 } ?? true, "extension", "the host extends a round beyond its duration")
        default: report("countdown", "moved without a cause")
        }
        requireNextDrop(event, drop)
        snapshot.endsAt = end
    }

    /// Checks when the price of a Dutch round drops next: its steps keep their length, whatever moves the end.
    func requireNextDrop(_ event: AuditedEvent, _ expected: Int64?) {
        nextDropAt = event.data["nextDropAt"]?.instant?.milliseconds
        require(nextDropAt == expected, "drops", "`nextDropAt` of \(event.type) does not follow the item's rules")
    }

    /// Deadline after a bid at `instant`, by the item's rules: never earlier than before, never past the maximum duration.
    func endAfterBid(at instant: Int64) -> Int64? {
        guard let end = snapshot.endsAt, let rules, rules.format == "english" else { return snapshot.endsAt }
        var wished = end
        if rules.countdown == "reset" { wished = instant + rules.bidding }
        if rules.countdown == "extend", end - instant <= rules.window { wished = instant + rules.extendBy }
        return max(end, min(wished, latestDeadline ?? wished))
    }

    /// The seed that decides between equal sealed bids: its hash is public before the first bid, the seed itself after the last one.
    func draw(_ event: AuditedEvent) {
        if event.type == "draw.revealed" {
            require(snapshot.state == "closed", "draw", "the seed is revealed while \(snapshot.state)")
            return require(
                seed != nil && event.data["seed"]?.text == seed, "draw", "the revealed seed is not the committed one")
        }
        require(
            snapshot.state == "listing" && explicitBids.isEmpty, "draw",
            "a seed is committed to while \(snapshot.state), with \(explicitBids.count) bids")
        require(rules?.drawsTies == true && seedHash == nil, "draw", "a seed is committed to that no tie needs")
        seedHash = event.data["seedHash"]?.text
        seed = event.secret?["seed"]?.text
        require(seed.map(AuditedEvent.digest) == seedHash, "draw", "the published hash is not the seed's hash")
    }

    func roundEnded(_ event: AuditedEvent) {
        require(snapshot.state == "closed", "result", "a result before the close")
        var result: (winner: Int?, price: Int64, hasBids: Bool) = (nil, 0, !explicitBids.isEmpty || absentees.hasActed)
        switch formatOracle {
        case .english(let oracle):
            if let standing = oracle.sold ?? oracle.standing, oracle.reserveMet != false {
                (result.winner, result.price) = (standing.leader, standing.price)
            }
        case .sealed(let oracle):
            let draw: ((Int) -> Int)? = seed.flatMap { UInt128($0, radix: 16) }.map { seed in { Int(seed % UInt128($0)) } }
            let sale = oracle.result(draw: rules?.drawsTies == true ? draw : nil)
            (result.winner, result.price) = (sale.winner, sale.price)
        case .dutch(let taken): if let taken { (result.winner, result.price) = (taken.who, taken.price) }
        case nil: report("result", "a result without an item")
        }
        let winner = event.person("winner")
        if event.type == "item.passed" {
            require(result.winner == nil, "winner", "the item passed, but person \(result.winner ?? 0) has won")
            let reason = result.hasBids ? "reserve_not_met" : "no_bids"
            require(event.data["reason"]?.text == reason, "winner", "passed for another reason than \(reason)")
        } else {
            let price = event.data["price"]?.units ?? 0
            require(
                winner == result.winner.flatMap(userID) && price == result.price, "winner",
                "sold to \(winner ?? "no person") for \(price), not to person \(result.winner ?? -1) for \(result.price)")
            won[winner ?? "", default: 0] += price
        }
        lotEnded(event)
        keepSale(event)
        if seedHash != nil {
            expectedNext = .revealedSeed
        } else if sale.isRunning {
            expectedNext = .nextLot
        }
        updateSnapshot()
        if rules?.isSealed == true, let winner {
            (snapshot.price, snapshot.leader) = (result.price, winner)
        }
        if rules?.isSealed == true, rules?.reserve != nil { snapshot.reserveMet = event.type == "item.sold" }
    }
}
