internal import AuctionDomain
internal import ExactJSON

/// A bid that a client sent to a real server.
struct SentBid {
    /// What identifies a bid in the log as long as it has no id: a client never sends the same twice.
    struct Identity: Hashable {
        let room: String
        let round: Int
        let bidder: String
        let amount: Int64?
    }

    let identity: Identity
    let outcome: String
    let sent: Double?
    let received: Double?
    let response: JSONValue?

    init?(_ json: JSONValue) {
        guard let room = json["room"]?.text, let round = json["round"]?.int, let bidder = json["bidder"]?.text,
            let amount = json["amount"]?.units, let outcome = json["outcome"]?.text
        else { return nil }
        identity = Identity(room: room, round: round, bidder: bidder, amount: amount)
        (self.outcome, sent, received) = (outcome, json["sent"]?.double, json["received"]?.double)
        response = json["response"]
    }

    /// The bid in the acknowledgement; nil without one.
    var bid: JSONValue? { outcome == "acknowledged" ? response?["bid"] : nil }
}

extension SentBid: CustomStringConvertible {
    var description: String {
        "the bid of \(identity.amount ?? 0) by \(identity.bidder) in \(identity.room), round \(identity.round)"
    }
}

extension JSONValue {
    var double: Double? { if case .number(let literal) = self { Double(literal) } else { nil } }
}

// Each acknowledged bid is in the log once, as it was acknowledged; a refused one is not; and each in the log was sent.
extension EventAudit {
    private struct StoredBid {
        let room: String
        let event: AuditedEvent
    }

    /// The bids that were acknowledged to clients, by id.
    func requestedBids() -> [String: PlaceBid] {
        var requested: [String: PlaceBid] = [:]
        for bid in bids {
            guard let id = bid.bid?["id"]?.text, let amount = bid.identity.amount else { continue }
            requested[id] = PlaceBid(amount: Money(minorUnits: amount))
        }
        return requested
    }

    mutating func checkBids() {
        let (byID, byIdentity) = storedBids()
        var claimed: Set<String> = []
        for bid in bids {
            let found = byIdentity[bid.identity] ?? []
            switch bid.outcome {
            case "acknowledged":
                let id = bid.bid?["id"]?.text ?? ""
                claimed.insert(id)
                acknowledged(bid, byID[id] ?? [])
                for other in found where other.event.data["bidId"]?.text != id {
                    report("exactly once", "\(bid) was acknowledged as \(id) and is in the log at seq \(other.event.seq), too")
                }
            case "refused": if !found.isEmpty { report("refused", "\(bid) was refused and is in the log") }
            default:
                if found.count > 1 { report("exactly once", "\(bid) has no answer and is in the log \(found.count) times") }
            }
        }
        let sent = Set(bids.map(\.identity))
        for (identity, found) in byIdentity where !bids.isEmpty && !sent.contains(identity) {
            for bid in found {
                let id = bid.event.data["bidId"]?.text ?? ""
                if !claimed.contains(id) { report("promise", "\(bid.room) seq \(bid.event.seq): no client sent the bid \(id)") }
            }
        }
        checkOrder(byID)
    }

    /// The bids in the log that clients placed, by their ids and by what identifies them otherwise.
    private mutating func storedBids() -> ([String: [StoredBid]], [SentBid.Identity: [StoredBid]]) {
        var (byID, byIdentity) = ([String: [StoredBid]](), [SentBid.Identity: [StoredBid]]())
        for (room, audited) in rooms {
            for event in audited.events where event.type == "bid.placed" && event.data["automatic"]?.isTrue != true {
                let bid = StoredBid(room: room, event: event)
                let identity = SentBid.Identity(
                    room: room, round: event.round, bidder: event.person("bidder") ?? "", amount: event.data["amount"]?.units)
                byIdentity[identity, default: []].append(bid)
                byID[event.data["bidId"]?.text ?? "", default: []].append(bid)
            }
        }
        for (id, found) in byID where found.count > 1 {
            report("exactly once", "\(found[0].room): the bid \(id) is in the log \(found.count) times")
        }
        return (byID, byIdentity)
    }

    private mutating func acknowledged(_ bid: SentBid, _ found: [StoredBid]) {
        guard let stored = found.first, found.count == 1 else {
            return report("acknowledged", "\(bid) is in the log \(found.count) times")
        }
        let (event, answer, receipt) = (stored.event, bid.bid, bid.response?["receipt"])
        // A sealed amount is in no public event.
        let amount = event.data["amount"]?.units ?? bid.identity.amount
        var kept = stored.room == bid.identity.room && event.round == bid.identity.round
        kept = kept && event.person("bidder") == bid.identity.bidder && amount == bid.identity.amount
        kept = kept && answer?["amount"]?.units == amount && answer?["seq"]?.int == event.seq
        kept = kept && answer?["at"]?.instant?.milliseconds == event.at
        if let receipt { kept = kept && receipt["seq"]?.int == event.seq && receipt["endsAt"] == event.data["endsAt"] }
        if !kept {
            let (seq, at) = (answer?["seq"]?.int ?? 0, answer?["at"]?.text ?? "")
            report(
                "acknowledged",
                "\(bid) changed: promised was seq \(seq) at \(at), or the log's seq \(event.seq) differs otherwise")
        }
        if let room = bid.response?["room"] { check(room, in: stored.room, "the answer to \(bid)") }
    }

    /// Checks real-time order: a bid that was sent after another was acknowledged has a higher seq.
    private mutating func checkOrder(_ byID: [String: [StoredBid]]) {
        var rooms: [String: [(sent: Double, received: Double, seq: Int, bid: SentBid)]] = [:]
        for bid in bids {
            guard let sent = bid.sent, let received = bid.received, let id = bid.bid?["id"]?.text, let stored = byID[id]?.first
            else { continue }
            rooms[stored.room, default: []].append((sent, received, stored.event.seq, bid))
        }
        for bids in rooms.values {
            var answered = bids.sorted { $0.received > $1.received }
            var highest = 0
            for bid in bids.sorted(by: { $0.sent < $1.sent }) {
                while let next = answered.last, next.received < bid.sent { highest = max(highest, answered.removeLast().seq) }
                if bid.seq < highest {
                    report("order", "\(bid.bid) was sent after seq \(highest) was acknowledged and has seq \(bid.seq)")
                }
            }
        }
    }
}
