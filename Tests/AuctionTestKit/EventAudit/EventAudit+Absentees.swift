internal import AuctionDomain
internal import ExactJSON

/// An absentee bid that a client left or took back, as a real server acknowledged it.
struct LeftBid {
    let room: String
    let lot: String
    let bidder: String
    /// The identifier of the bid; nil: it was taken back.
    let bid: String?
    /// Nil: it was taken back.
    let maximum: Int64?
    /// The seq of its event; nil: the answer named none.
    let seq: Int?

    init?(_ json: JSONValue, in room: String) {
        guard let lot = json["lot"]?.text, let bidder = json["bidder"]?.text else { return nil }
        (self.room, self.lot, self.bidder) = (room, lot, bidder)
        (bid, maximum, seq) = (json["bidId"]?.text, json["maximum"]?.units, json["seq"]?.int)
        if bid == nil && maximum != nil || bid != nil && (maximum == nil || seq == nil) { return nil }
    }

    /// The private part of its event.
    var secret: JSONValue {
        var members = [JSONMember(name: "bidder", value: .object([JSONMember(name: "id", value: .string(bidder))]))]
        if let bid, let maximum {
            members.append(JSONMember(name: "bidId", value: .string(bid)))
            members.append(JSONMember(name: "maximum", value: .string(EventAudit.decimal(Money(minorUnits: maximum)))))
        }
        return .object(members)
    }
}

// Absentee bids: what clients left and took back, each in the log once; or else what the public events show of them.
extension EventAudit {
    /// What clients acknowledged of a room's absentee bids; nil: no line says anything of them.
    func leftBids(in room: String) -> [LeftBid]? {
        let found = left.filter { $0.room == room }
        return found.isEmpty ? nil : found
    }

    /// The private parts of a room's events of absentee bids, by seq.
    mutating func absenteeSecrets(_ lines: [JSONValue], _ left: [LeftBid]) -> [Int: JSONValue] {
        var (open, secrets) = ([Int: String](), [Int: JSONValue]())
        for line in lines where line["type"]?.text == "lot.bidsChanged" {
            if let seq = line["seq"]?.int { open[seq] = line["data"]?["lotId"]?.text }
        }
        let named = Set(left.compactMap(\.seq))
        for bid in left {
            // The answer to a bid that is taken back names no event: it is the first of its lot that none of the others names.
            let seq = bid.seq ?? open.filter { $0.value == bid.lot && !named.contains($0.key) }.keys.min()
            guard let seq, open.removeValue(forKey: seq) == bid.lot else {
                report("acknowledged", "\(bid.room): what \(bid.bidder) has left on \(bid.lot) is not in the log, or twice")
                continue
            }
            secrets[seq] = bid.secret
        }
        for seq in open.keys.sorted() {
            report("promise", "\(left[0].room) seq \(seq): no client left a bid, or took it back")
        }
        return secrets
    }
}

/// What public events show of absentee bids in a room: of each only as much as explains the price.
struct ShownAbsentees {
    /// A bid that an event shows.
    private struct Shown {
        let user: String
        let id: String
        /// What it offers at least, in minor units.
        var amount: Int64
        let leads: Bool
    }

    /// A lot that is up.
    private struct Round {
        let lot: String
        let rules: JSONValue?
        var bids: [Shown] = []
        /// The highest amount that was placed in the round.
        var highest: Int64 = 0
        /// Whether the first leader has been outbid.
        var isBeaten = false
    }

    /// The bids by lot, in the order in which they acted.
    private(set) var entries: [String: [AuditedAbsentees.Entry]] = [:]
    /// The amounts of those in sealed rounds, by the identifier of the bid.
    private(set) var sealed: [String: Int64] = [:]
    private var round: Round?

    /// - Parameter requests: The bids that clients placed, by id.
    init(_ lines: [JSONValue], _ requests: [String: PlaceBid]) {
        for line in lines {
            guard let data = line["data"] else { continue }
            switch line["type"]?.text {
            case "item.uploaded": round = data["lotId"]?.text.map { Round(lot: $0, rules: data["item"]?["rules"]) }
            case "bid.placed": take(data, requests)
            case "item.sold": finish(soldTo: data["winner"]?["id"]?.text, at: data["price"]?.units)
            case "item.passed": finish(soldTo: nil, at: nil)
            default: break
            }
        }
    }

    private mutating func take(_ data: JSONValue, _ requests: [String: PlaceBid]) {
        guard let user = data["bidder"]?["id"]?.text, let id = data["bidId"]?.text, var now = round else { return }
        defer { round = now }
        let amount = data["amount"]?.units
        if data["absentee"]?.isTrue == true {
            return now.bids.append(Shown(user: user, id: id, amount: amount ?? 0, leads: data["leading"]?.isTrue == true))
        }
        now.highest = max(now.highest, amount ?? requests[id]?.amount?.minorUnits ?? 0)
        guard let index = now.bids.firstIndex(where: \.leads), let amount, !now.isBeaten else { return }
        if data["automatic"]?.isTrue == true, now.bids[index].user == user {
            // The leader answers others: their maximum is at least that. Nothing later depends on how much more it is.
            now.bids[index].amount = max(now.bids[index].amount, amount)
        } else if data["leading"]?.isTrue == true {
            now.isBeaten = true
        }
    }

    private mutating func finish(soldTo winner: String?, at price: Int64?) {
        guard var now = round, !now.bids.isEmpty else { return }
        round = nil
        let format = now.rules?["format"]?.text
        if format != "english" {
            for index in now.bids.indices {
                // A Vickrey winner has offered more than the second, who would have been first among equals.
                let isMore = format == "vickrey" && now.bids[index].user == winner
                let least = max(now.highest, now.rules?["startingPrice"]?.units ?? 0)
                now.bids[index].amount = price.map { isMore ? $0 + 1 : $0 } ?? least
                sealed[now.bids[index].id] = now.bids[index].amount
            }
        } else if now.bids.count == 2, now.bids[0].amount == now.bids[1].amount {
            // Of equal bids the earlier leads.
            now.bids.reverse()
        }
        entries[now.lot] = now.bids.map { .init(lot: now.lot, user: $0.user, id: $0.id, maximum: $0.amount) }
    }
}
