internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// A second opinion on a room: folded from its events by rules written down here again, naive, and nothing of the product's.
final class AuditedRoom {
    let id: RoomID
    /// In the order of their ids; the place in it is a person's number.
    let names: [String]
    let who: [String: Int]
    /// What was asked with the request that made a bid, by the bid's id.
    let asked: [String: PlaceBid]
    private(set) var findings: [SimulationFinding] = []
    /// After the event with that seq; the first stands for no event.
    private(set) var pictures = [RoomPicture()]
    private(set) var grace: [Int64] = [0]
    private(set) var isSealed = [false]
    /// Who may see the room at all; nil: everybody.
    private(set) var visible: [Set<String>?] = [nil]
    var inviteCode: String?
    /// Who came in by an invite code.
    var invited: Set<String> = []
    private(set) var events: [AuditedEvent] = []

    var seq = 0
    var at: Int64 = 0
    var picture = RoomPicture()
    var rules: AuditedRules?
    var owner: String?
    var roles: [String: String] = [:]
    var banned: Set<String> = []
    var muted: Set<String> = []
    var credit: [String: Int64] = [:]
    var won: [String: Int64] = [:]
    var disabled: Set<String> = []
    var host = ""
    var isHostGone = false
    var isArchived = false
    var pause: (from: String, at: Int64, remaining: Int64?, untilDrop: Int64?)?
    var nextDropAt: Int64?
    var latestEnd: Int64?
    var book: Book?
    var explicitBids: [String] = []
    /// What the next event must be.
    var awaited: Awaited?
    var seedHash: String?
    var seed: String?

    /// Who said what in this round.
    enum Book {
        case english(EnglishOracle)
        case sealed(SealedOracle)
        case dutch(taken: (who: Int, price: Int64)?)
    }

    enum Awaited: Equatable {
        case automatic
        case voidedMaximum(of: String)
        case saleByBid
        case result
    }

    init(_ id: RoomID, people: [Person], asked: [String: PlaceBid]) {
        self.id = id
        self.asked = asked
        names = people.map(\.id.description)
        who = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
    }

    func find(_ rule: String, _ text: String) {
        findings.append(SimulationFinding(rule: rule, text: "\(id) seq \(seq): \(text)"))
    }

    func require(_ holds: Bool, _ rule: String, _ text: @autoclosure () -> String) {
        if !holds { find(rule, text()) }
    }

    func fold(_ stored: [StoredEvent]) {
        var hash = [UInt8](repeating: 0, count: 32)
        for event in stored {
            hash = AuditedEvent.hash(after: hash, event)
            if hash != event.hash.bytes { find("hash chain", "the event with seq \(event.seq) does not match its hash") }
            hash = event.hash.bytes
            guard let event = AuditedEvent(event) else { return find("bytes", "an event cannot be read after this") }
            apply(event)
            events.append(event)
            pictures.append(picture)
            grace.append(rules?.grace ?? 0)
            isSealed.append(rules?.isSealed ?? false)
            visible.append(inviteCode == nil ? nil : Set(roles.keys).subtracting(banned))
        }
    }

    private func apply(_ event: AuditedEvent) {
        require(event.seq == seq + 1, "order", "the next event has seq \(event.seq): a gap or a repeat")
        seq = event.seq
        require(event.at >= at, "time", "time runs backwards")
        at = max(at, event.at)
        require(!isArchived, "archived", "something happens in an archived room")
        keepsSecrets(event)
        meets(event)
        switch event.type {
        case "state.changed": changed(event)
        case "countdown.started": started(event)
        case "countdown.moved": moved(event)
        case "bid.placed": placed(event)
        case "bid.maximumRaised": raised(event)
        case "bid.retracted": retracted(event)
        case "bid.maximumVoided": break
        case "price.dropped": dropped(event)
        case "item.sold", "item.passed": ended(event)
        case "item.uploaded", "rules.adjusted": item(event)
        case "draw.committed":
            seedHash = event.data["seedHash"]?.text
            seed = event.secret?["seed"]?.text
            require(seed.map(AuditedEvent.digest) == seedHash, "draw", "the seed's hash is not the one that is shown")
        case "draw.revealed":
            require(event.data["seed"]?.text == seed, "draw", "another seed is revealed than was committed to")
        default: people(event)
        }
        picture.round = event.round
    }

    /// What one event announces, the next that is no message has to be.
    private func meets(_ event: AuditedEvent) {
        if event.type == "bid.maximumVoided", awaited == nil {
            find("retraction", "a maximum that the log has not shown is voided")
        }
        guard let awaited, event.type != "message.system" else { return }
        self.awaited = nil
        switch awaited {
        case .automatic:
            require(
                event.type == "bid.placed" && event.data["automatic"] == .bool(true), "automatic bid",
                "the leader's automatic bid is missing")
        case .voidedMaximum(let leader):
            require(
                event.type == "bid.maximumVoided" && event.person("bidder") == leader, "retraction",
                "a maximum that the log has shown stays in force")
        case .saleByBid:
            require(event.data["cause"]?.text == "bid", "buy now", "a bid that buys does not end the round")
        case .result:
            require(event.type == "item.sold" || event.type == "item.passed", "result", "a closed round has no result")
        }
    }

    private static let secrets: Set<String> = [
        "reservePrice", "maximum", "inviteCode", "creditLimit", "sealedAmount", "leaderMaximum", "beatenMaximum", "drawSeed",
    ]

    /// Nothing private has a name in public, and sealed amounts are not there at all.
    private func keepsSecrets(_ event: AuditedEvent) {
        if let name = Self.secret(in: event.data) { find("secret", "\(event.type) shows \(name)") }
        if event.type != "draw.revealed", event.data["seed"] != nil { find("secret", "\(event.type) shows the seed") }
        guard event.type == "bid.placed", rules?.isSealed == true else { return }
        require(event.data["amount"] == nil, "secret", "a sealed amount is public")
        require(event.data["reserveMet"] == .null, "secret", "a sealed bid tells of the reserve")
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

    /// What must hold once everything has come to rest.
    func expectRest() {
        require(picture.state != "auctioning" && picture.state != "listing", "ends", "the round never ends: \(picture.state)")
        require(!(picture.state == "paused" && isHostGone), "ends", "the room waits for ever for its host")
        require(awaited == nil, "result", "the history ends in the middle of something")
    }
}
