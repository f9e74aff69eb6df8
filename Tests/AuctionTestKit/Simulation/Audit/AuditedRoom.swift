internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// A second, naive implementation of a room, folded from its events: shares no rule with the product, and reports each event that
/// breaks one.
final class AuditedRoom {
    let id: RoomID
    /// User ids in ascending order; an index in this array is a person's number.
    let userIDs: [String]
    let personNumber: [String: Int]
    /// The command that created each bid, by the bid's id.
    let requestedBids: [String: PlaceBid]
    /// Milliseconds for which an offer to the next bidder stands.
    let offerLife: Int64
    private(set) var findings: [SimulationFinding] = []
    /// The public state after each event, indexed by seq; index 0 is the state before the first event.
    private(set) var snapshots = [PublicSnapshot()]
    private(set) var leastRemaining: [Int64] = [0]
    /// When the price drops next, after each event; nil if it does not.
    private(set) var nextDrops: [Int64?] = [nil]
    /// When a paused round without a host is closed, after each event; nil if it is not.
    private(set) var waits: [Int64?] = [nil]
    private(set) var isSealed = [false]
    /// What each user has won after each event, indexed by seq.
    private(set) var wonBySeq: [[String: Int64]] = [[:]]
    /// The lots and the sale after each event, indexed by seq.
    private(set) var sales = [AuditedSale()]
    /// Users who may see the room after each event, indexed by seq; nil for a public room.
    private(set) var visible: [Set<String>?] = [nil]
    var inviteCode: String?
    /// Users who joined with an invite code.
    var invited: Set<String> = []
    private(set) var events: [AuditedEvent] = []
    /// The host after each event, indexed by seq.
    private(set) var hosts = [""]

    var seq = 0
    var at: Int64 = 0
    var snapshot = PublicSnapshot()
    var rules: AuditedRules?
    var owner: String?
    /// Identifier of the round's item.
    var itemID: String?
    var roles: [String: String] = [:]
    /// Seats on the stage, by the member who is on it.
    var seats: [String: AuditedSeat] = [:]
    var banned: Set<String> = []
    var muted: Set<String> = []
    var credit: [String: Int64] = [:]
    var won: [String: Int64] = [:]
    /// What guests had won who were linked since: it counts against their credit too.
    var wonBeforeLink: [String: Int64] = [:]
    var disabled: Set<String> = []
    /// Rules that are off by default.
    var enabled: Set<String> = []
    var joinedAt: [String: Int64] = [:]
    var host = ""
    /// When the latest event says that the host is gone; nil while they are there.
    var hostGoneAt: Int64?
    var isArchived = false
    var pause: (from: String, at: Int64, remaining: Int64?, untilDrop: Int64?)?
    var nextDropAt: Int64?
    var latestDeadline: Int64?
    var formatOracle: FormatOracle?
    /// The bids of the round without retracted ones, each with the automatic bids that it caused.
    var explicitBids: [ExplicitBid] = []
    /// The explicit bid because of which an automatic one follows.
    var causeOfAutomatic: String?
    /// The event that the last one requires to follow.
    var expectedNext: ExpectedEvent?
    var seedHash: String?
    var sale = AuditedSale()
    var absentees = AuditedAbsentees()
    var reports = AuditedReports()
    var applications = AuditedApplications()
    /// The sales of rounds that are over.
    var soldRounds: [Int: AuditedResult] = [:]
    var roundBids: [AuditedBid] = []
    /// Whether a bid of the round was retracted after which others came.
    var hasEarlierRetraction = false
    var seed: String?

    struct ExplicitBid {
        let id: String
        let bidder: String
        /// Whether it led when it was placed.
        var leads: Bool
        var automatic: [String] = []
    }

    /// The bids of the current round, in the oracle of the auction's format.
    enum FormatOracle {
        case english(EnglishOracle)
        case sealed(SealedOracle)
        case dutch(taken: (who: Int, price: Int64)?)
    }

    enum ExpectedEvent: Equatable {
        case automatic
        case absentee
        case closing
        case voidedMaximum(of: String)
        case endedMaximum(of: String, String)
        case movedDeadline(cause: String)
        case saleByBid
        case successor
        case result
        case revealedSeed
        case nextLot
    }

    /// Whether only the latest bid matters: no bid has a maximum, and none is retracted. The naive oracle takes time cubic in the bids that
    /// it keeps.
    private(set) var hasPlainBids = false

    /// Whether the events have their private parts: maxima and credit limits.
    private(set) var knowsSecrets = true

    /// - Parameters:
    ///   - userIDs: In ascending order.
    ///   - offerLife: Milliseconds for which an offer stands.
    init(_ id: RoomID, userIDs: [String], requestedBids: [String: PlaceBid], offerLife: Int64 = 600_000) {
        self.id = id
        self.offerLife = offerLife
        self.requestedBids = requestedBids
        self.userIDs = userIDs
        personNumber = Dictionary(uniqueKeysWithValues: userIDs.enumerated().map { ($0.element, $0.offset) })
    }

    func report(_ rule: String, _ text: String) {
        findings.append(SimulationFinding(rule: rule, text: "\(id) seq \(seq): \(text)"))
    }

    func require(_ holds: Bool, _ rule: String, _ text: @autoclosure () -> String) {
        if !holds { report(rule, text()) }
    }

    /// Folds public events, without a hash chain.
    func fold(_ events: [AuditedEvent?]) {
        knowsSecrets = false
        hasPlainBids = events.allSatisfy { event in
            guard let event else { return true }
            return !["bid.retracted", "bid.maximumRaised"].contains(event.type) && event.data["automatic"]?.isTrue != true
        }
        for event in events { if !take(event) { return } }
    }

    func fold(_ stored: [StoredEvent]) {
        var hash = [UInt8](repeating: 0, count: 32)
        for event in stored {
            hash = AuditedEvent.hash(after: hash, event)
            if hash != event.hash.bytes { report("hash chain", "the event with seq \(event.seq) does not match its hash") }
            hash = event.hash.bytes
            if !take(AuditedEvent(event)) { return }
        }
    }

    /// - Returns: False if the event could not be parsed.
    private func take(_ event: AuditedEvent?) -> Bool {
        guard let event else {
            report("bytes", "the next event cannot be parsed")
            return false
        }
        apply(event)
        events.append(event)
        snapshots.append(snapshot)
        leastRemaining.append(rules?.leastRemaining ?? 0)
        nextDrops.append(nextDropAt)
        waits.append(closesWithoutHostAt)
        isSealed.append(rules?.isSealed ?? false)
        sales.append(sale)
        hosts.append(host)
        wonBySeq.append(won)
        visible.append(inviteCode == nil ? nil : Set(roles.keys).subtracting(banned))
        return true
    }

    private func apply(_ event: AuditedEvent) {
        require(event.seq == seq + 1, "order", "the next event has seq \(event.seq): a gap or a repeat")
        seq = event.seq
        require(event.at >= at, "time", "the event is older than the one before it")
        at = max(at, event.at)
        require(
            !isArchived || event.type == "member.linked" || event.type == "member.erased", "archived",
            "an event in an archived room")
        requireNoSecrets(event)
        checkExpectedNext(event)
        keepBids(event)
        if Self.endsWarning.contains(event.type) { snapshot.warning = 0 }
        switch event.type {
        case "state.changed": stateChanged(event)
        case "countdown.started": countdownStarted(event)
        case "countdown.moved": deadlineMoved(event)
        case "bid.placed": bidPlaced(event)
        case "bid.maximumRaised": maximumRaised(event)
        case "bid.retracted": bidRetracted(event)
        case "bid.maximumVoided": break
        case "price.dropped": priceDropped(event)
        case "warning.given": warningGiven(event)
        case "increment.changed", "ask.changed": askChanged(event)
        case "item.sold", "item.passed": roundEnded(event)
        case "item.voided": itemVoided(event)
        case _ where event.type.hasPrefix("offer."): offer(event)
        case _ where event.type.hasPrefix("lot.") || event.type.hasPrefix("sale."): saleEvent(event)
        case "item.uploaded", "rules.adjusted": item(event)
        case "draw.committed", "draw.revealed": draw(event)
        default: memberEvent(event)
        }
        absentees.noteWaiting(at: seq)
        requireOneHost()
        let isNext = event.type == "state.changed" && event.data["from"]?.text == "closed"
        require(isNext || event.round == snapshot.round, "round", "is in round \(event.round), not \(snapshot.round)")
        snapshot.round = event.round
    }

    /// Checks that the event is the one that the previous event requires; system messages may come between.
    private func checkExpectedNext(_ event: AuditedEvent) {
        if event.type == "bid.maximumVoided", expectedNext == nil, !mayHaveEnded {
            report("retraction", "a maximum that no event disclosed is voided")
        }
        if event.type == "countdown.moved", expectedNext == nil, let cause = event.data["cause"]?.text {
            require(
                cause != "retraction" && cause != "maximum", "moved", "a deadline is moved by a \(cause) that there was not")
        }
        guard let expectedNext, event.type != "message.system" else { return }
        self.expectedNext = nil
        switch expectedNext {
        case .automatic:
            require(
                event.type == "bid.placed" && event.data["automatic"] == .bool(true), "automatic bid",
                "the leader's automatic bid is missing")
        case .closing:
            let isDecisive = event.type == "bid.placed" && event.data["absentee"] == .bool(true)
            require(isDecisive || event.data["to"]?.text == "closed", "absentee", "a sealed bid is shown before the close")
        case .absentee:
            if event.type == "countdown.started" { return self.expectedNext = expectedNext }
            require(
                event.type == "bid.placed" && event.data["absentee"] == .bool(true), "absentee",
                "a bid that was left before the opening is missing")
        case .voidedMaximum(let leader):
            require(
                event.type == "bid.maximumVoided" && event.person("bidder") == leader, "retraction",
                "a maximum that the retracted bid disclosed stays in force")
            self.expectedNext = moveAfterBid(by: "retraction", at: event.at)
        case .endedMaximum(let leader, let rule):
            // One command may change several things about a member.
            if ["member.muted", "member.creditLimitChanged"].contains(event.type) { return self.expectedNext = expectedNext }
            require(
                event.type == "bid.maximumVoided" && event.person("bidder") == leader, rule,
                "a maximum stays in force that its bidder may not bid any more")
        case .movedDeadline(let cause):
            require(
                event.type == "countdown.moved" && event.data["cause"]?.text == cause, "moved",
                "the deadline stays although a \(cause) moves it")
        case .saleByBid:
            require(event.data["cause"]?.text == "bid", "buy now", "a bid at the buy-now price does not close the round")
        case .successor:
            require(
                event.type == "member.roleChanged" && event.data["to"]?.text == "host", "roles",
                "the host becomes a viewer without a successor")
        case .revealedSeed:
            require(event.type == "draw.revealed", "draw", "the seed of a closed round is not revealed")
            if sale.isRunning { self.expectedNext = .nextLot }
        case .nextLot:
            require(
                event.type == "countdown.started" || event.type == "sale.finished", "sale",
                "a running sale does not go on after a round")
        case .result:
            require(event.type == "item.sold" || event.type == "item.passed", "result", "a closed round has no result")
        }
    }

    /// Whether the last event may have ended a maximum, or have limited one, that public events do not tell.
    private var mayHaveEnded: Bool {
        !knowsSecrets && ["member.banned", "member.muted", "member.creditLimitChanged"].contains(events.last?.type)
    }

    private static let secrets: Set<String> = [
        "reservePrice", "maximum", "ownAmount", "inviteCode", "creditLimit", "sealedAmount", "leaderMaximum", "beatenMaximum",
        "drawSeed", "paddle", "cuts", "reporter", "reportId", "messageSeq",
    ]

    /// Checks that the public part has no member with a private name and no sealed amount.
    private func requireNoSecrets(_ event: AuditedEvent) {
        if let name = Self.secret(in: event.data) { report("secret", "\(event.type) shows \(name)") }
        if event.type != "draw.revealed", event.data["seed"] != nil { report("secret", "\(event.type) shows the seed") }
        guard event.type == "bid.placed", rules?.isSealed == true else { return }
        require(event.data["amount"] == nil, "secret", "a sealed amount is public")
        require(event.data["reserveMet"] == .null, "secret", "a sealed bid discloses whether the reserve is met")
    }

    private static func secret(in value: JSONValue) -> String? {
        switch value {
        case .object(let members):
            for member in members {
                if secrets.contains(member.name) { return member.name }
                if let name = secret(in: member.value) { return name }
            }
            return nil
        case .array(let elements): return elements.lazy.compactMap { secret(in: $0) }.first
        default: return nil
        }
    }

    /// Checks what must hold once no task is pending: no countdown runs, and no required event is missing.
    func expectRest() {
        require(
            snapshot.state != "auctioning" && snapshot.state != "listing", "ends", "the round never ends: \(snapshot.state)")
        require(!(snapshot.state == "paused" && isHostGone), "ends", "the room stays paused although its host is gone")
        require(expectedNext == nil, "result", "the history ends before the event that the last one requires")
        let isStuck = sale.isRunning && ["closed", "preparing"].contains(snapshot.state)
        require(!isStuck || isArchived, "pause", "a running sale never goes on")
        require(sale.startsAt == nil || isArchived, "schedule", "a sale never begins at its time")
    }
}
