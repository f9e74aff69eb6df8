internal import AuctionDomain
internal import ExactJSON

/// The absentee bids of an audited room, as a plain list in the order in which they were given.
struct AuditedAbsentees {
    struct Entry {
        let lot: String
        var user: String
        let id: String
        let maximum: Int64
        /// Its bidder left, or was removed or banned.
        var isVoid = false
        /// The lot was opened since.
        var isUsed = false
        /// What it offers in the running sealed round, which no event has shown, in minor units; nil: nothing.
        var hidden: Int64?
    }

    var entries: [Entry] = []
    /// Of a room whose bids are not known otherwise: what its events show of them, by lot.
    var shownBids: [String: [Entry]] = [:]
    /// How many bids on a lot ended because a link made one bidder of two.
    var merged: [String: Int] = [:]
    /// What the last event of a lot said.
    var shown: [String: Int] = [:]
    /// What the event of a sealed opening has to say: the bids that may not act in full, and what they may offer. Nil: nothing.
    var cuts: [[String?]]?
    /// The bids of this opening that have to be shown, in order.
    var expected: [ExpectedBid] = []
    /// Ids of the bids that were shown before the close of a sealed round.
    var decisive: [String] = []
    /// Whose bids were shown in the current round.
    var acted: Set<String> = []
    /// The bids that the opening has shown and that were not retracted.
    var placed: [PlacedBid] = []
    /// The automatic bids after a leader whose bid was left raised their maximum.
    var automatic: [String] = []

    /// Each bid, from the seq at which it began to wait until the seq at which it was taken back, void or used.
    private(set) var spans: [Span] = []
    private var waiting: [String: Int] = [:]

    struct Span {
        let lot: String
        let user: String
        let maximum: Int64
        let from: Int
        var until = Int.max
    }

    /// The event with this seq was folded.
    mutating func noteWaiting(at seq: Int) {
        if entries.isEmpty, waiting.isEmpty { return }
        var now: [String: Int] = [:]
        for entry in entries where !entry.isVoid && !entry.isUsed {
            let key = "\(entry.user) \(entry.id)"
            if let known = waiting.removeValue(forKey: key) {
                now[key] = known
            } else {
                now[key] = spans.count
                spans.append(Span(lot: entry.lot, user: entry.user, maximum: entry.maximum, from: seq))
            }
        }
        for index in waiting.values { spans[index].until = seq }
        waiting = now
    }

    struct PlacedBid {
        let id: String
        let bidder: String
        /// Whether it led when it was placed, or leads since the other was retracted.
        var leads: Bool
    }

    struct ExpectedBid {
        let user: String
        let amount: Int64
        let leads: Bool
        let id: String
    }

    func count(on lot: String) -> Int { entries.count { $0.lot == lot } + merged[lot, default: 0] }
    var hasActed: Bool { !acted.isEmpty }
    func index(of user: String, on lot: String) -> Int? { entries.firstIndex { $0.user == user && $0.lot == lot } }
}

// Bids that wait for the opening of a lot: whether each was allowed, and how many a lot has.
extension AuditedRoom {
    func absenteeBidsChanged(_ event: AuditedEvent, on lot: AuditedSale.Lot) {
        let shown = event.data["absenteeBids"]?.int ?? -1
        if case .object(let members) = event.data {
            require(Set(members.map(\.name)) == ["lotId", "absenteeBids"], "secret", "\(event.type) shows more than a number")
        }
        let before = absentees.shown[lot.id, default: 0]
        require(
            abs(shown - before) <= 1 && shown >= 0, "absentee", "the number of bids on a lot goes from \(before) to \(shown)")
        absentees.shown[lot.id] = shown
        guard let bidder = event.secret?["bidder"]?["id"]?.text else { return }
        if let maximum = event.secret?["maximum"]?.units {
            given(by: bidder, upTo: maximum, event.secret?["bidId"]?.text ?? "", on: lot)
        } else {
            takenBack(by: bidder, on: lot)
        }
        require(shown == absentees.count(on: lot.id), "absentee", "a lot has \(absentees.count(on: lot.id)) bids, not \(shown)")
    }

    private func given(by bidder: String, upTo maximum: Int64, _ id: String, on lot: AuditedSale.Lot) {
        let isPrepared = lot.state == "current" && snapshot.state == "preparing"
        require(lot.state == "queued" || isPrepared, "absentee", "a bid is left on a lot that is \(lot.state)")
        requireRightToBid(bidder)
        require(bidder != lot.owner, "rights", "a bid is left on one's own lot")
        guard let rules = AuditedRules(lot.item["rules"], secret: nil) else { return report("lots", "a lot without rules") }
        require(rules.format != "dutch", "refusal", "a bid is left on a Dutch lot")
        let others = absentees.entries.count { $0.user == bidder && $0.lot != lot.id && !$0.isVoid && !$0.isUsed }
        require(others < 500, "refusal", "a bid is left beside \(others) that wait")
        require(maximum >= rules.start, "refusal", "a bid is left below the starting price")
        require(rules.buyNow != rules.start, "refusal", "a maximum is left on a lot of one price")
        if let limit = credit[bidder] {
            let most = owed(by: bidder) + waiting(of: bidder, except: lot.id) + min(maximum, rules.buyNow ?? maximum)
            require(most + liveLiability(of: bidder) <= limit, "credit", "a bid is left beyond the bidder's credit limit")
        }
        if let old = absentees.index(of: bidder, on: lot.id) {
            let entry = absentees.entries.remove(at: old)
            require(
                entry.isVoid || entry.isUsed || entry.maximum != maximum, "absentee", "the same bid is left again, and moved")
        }
        absentees.entries.append(.init(lot: lot.id, user: bidder, id: id, maximum: maximum))
    }

    private func takenBack(by bidder: String, on lot: AuditedSale.Lot) {
        guard let index = absentees.index(of: bidder, on: lot.id) else {
            return report("absentee", "a bid is taken back that was not left")
        }
        require(!absentees.entries[index].isUsed, "absentee", "a bid is taken back after its lot was opened")
        absentees.entries.remove(at: index)
    }

    /// The most that the bidder may have to pay for lots that wait, except for one.
    func waiting(of bidder: String, except lot: String? = nil) -> Int64 {
        absentees.entries.reduce(0) { sum, entry in
            guard entry.user == bidder, entry.lot != lot, !entry.isVoid, !entry.isUsed,
                let lot = sale.lots.first(where: { $0.id == entry.lot })
            else { return sum }
            return sum + min(entry.maximum, lot.item["rules"]?["buyNowPrice"]?.units ?? entry.maximum)
        }
    }

    func owed(by bidder: String) -> Int64 { won[bidder, default: 0] + wonBeforeLink[bidder, default: 0] }

    /// The most that the bidder may have to pay in the running round.
    private func liveLiability(of bidder: String) -> Int64 {
        if let most = maximum(of: bidder) { return most }
        guard case .sealed(let oracle)? = formatOracle, ["auctioning", "paused"].contains(snapshot.state) else { return 0 }
        return personNumber[bidder].flatMap(oracle.last) ?? hiddenAmount(of: bidder) ?? 0
    }

    /// The user left, or was removed or banned: their bids on lots that were not opened since act no more.
    func voidAbsentees(of user: String) { voidAbsentees { $0.user == user } }

    func voidAbsentees(where isMeant: (AuditedAbsentees.Entry) -> Bool) {
        for index in absentees.entries.indices where isMeant(absentees.entries[index]) && !absentees.entries[index].isUsed {
            absentees.entries[index].isVoid = true
        }
    }

    /// The round of the current lot ends before it was opened.
    func closeUnopened() {
        for index in absentees.entries.indices where absentees.entries[index].lot == sale.current {
            absentees.entries[index].isUsed = true
        }
    }

    /// Bidding on the current lot opens: the bids on it act one after the other, and are used up.
    func openAbsentees(at instant: Int64) {
        if let lot = sale.current { absentees.entries += absentees.shownBids.removeValue(forKey: lot) ?? [] }
        var acting: [(entry: AuditedAbsentees.Entry, most: Int64)] = []
        absentees.cuts = rules?.isSealed == true && absentees.count(on: sale.current ?? "") > 0 ? [] : nil
        for index in absentees.entries.indices where absentees.entries[index].lot == sale.current {
            let entry = absentees.entries[index]
            absentees.entries[index].isUsed = true
            guard !entry.isUsed, !entry.isVoid else { continue }
            let mayBid = entry.user != owner && hasRightToBid(entry.user, at: instant)
            let most = credit[entry.user].map { min(entry.maximum, $0 - owed(by: entry.user)) } ?? entry.maximum
            if mayBid, most > 0 { acting.append((entry, most)) }
            guard let rules, rules.isSealed else { continue }
            // Decided for good: from now on it is like a bid that was placed.
            let hidden = mayBid && most >= rules.start ? most : nil
            absentees.entries[index].hidden = hidden
            if hidden != entry.maximum { absentees.cuts?.append([entry.user, entry.id, hidden.map { String($0) }]) }
        }
        guard !acting.isEmpty, case .english(var oracle)? = formatOracle else { return }
        for (entry, most) in acting { oracle.leave(personNumber[entry.user] ?? -1, upTo: most) }
        absentees.expected = expectedBids(oracle, acting.map(\.entry))
        oracle.keep(absentees.expected.compactMap { personNumber[$0.user] })
        formatOracle = .english(oracle)
        if !absentees.expected.isEmpty { expectedNext = .absentee }
    }

    /// The second's maximum, if it made the price what it is, and the leader's bid.
    private func expectedBids(_ oracle: EnglishOracle, _ acting: [AuditedAbsentees.Entry]) -> [AuditedAbsentees.ExpectedBid] {
        guard let now = oracle.sold ?? oracle.standing else { return [] }
        func bid(_ who: Int, _ amount: Int64, leads: Bool) -> AuditedAbsentees.ExpectedBid {
            let user = userIDs.indices.contains(who) ? userIDs[who] : ""
            return .init(user: user, amount: amount, leads: leads, id: acting.first { $0.user == user }?.id ?? "")
        }
        // The last contest: of the leader with the one whom they beat, or of the last bid that was taken and beaten.
        let entries = oracle.entries
        var second: AuditedAbsentees.ExpectedBid?
        if let first = entries.firstIndex(where: { $0.who == now.leader }) {
            let later = entries.indices.dropFirst(first + 1).last
            let beaten =
                later
                ?? entries.indices.prefix(first).max { left, right in
                    let (one, other) = (oracle.held(entries[left].maximum), oracle.held(entries[right].maximum))
                    return one == other ? left > right : one < other
                }
            second = beaten.map { bid(entries[$0].who, oracle.held(entries[$0].maximum), leads: false) }
        }
        // The reserve price alone explains a higher price.
        if let most = second?.amount, now.price > oracle.minimum(above: most) { second = nil }
        return (second.map { [$0] } ?? []) + [bid(now.leader, now.price, leads: true)]
    }

    func absenteeBidPlaced(_ event: AuditedEvent, _ id: String, _ bidder: String) {
        require(event.data["automatic"] == .bool(true), "absentee", "a bid that was left is not automatic")
        if rules?.isSealed == true { return decisiveBidPlaced(event, id, bidder) }
        absentees.acted.insert(bidder)
        let end = event.data["endsAt"]?.instant?.milliseconds
        require(end == snapshot.endsAt, "countdown", "a bid that was left moves the deadline")
        guard case .english(let oracle)? = formatOracle, !absentees.expected.isEmpty else {
            return report("absentee", "a bid that was not left, or has no effect, is placed at an opening")
        }
        let expected = absentees.expected.removeFirst()
        let isLeading = event.data["leading"] == .bool(true)
        absentees.placed.append(.init(id: id, bidder: bidder, leads: isLeading))
        require(
            bidder == expected.user && event.data["amount"]?.units == expected.amount && isLeading == expected.leads, "price",
            "the opening shows \(bidder), not \(expected.user) at \(expected.amount)")
        require(id == expected.id, "absentee", "the bid has another identifier than the one that was left")
        requireOutlook(event, minimum: oracle.sold == nil ? oracle.minimum : nil, reserveMet: oracle.reserveMet)
        let left = absentees.entries.last { $0.id == id }?.maximum ?? 0
        require(max(expected.amount, event.secret?["maximum"]?.units ?? 0) <= left, "price", "more than was left")
        expectedNext = !absentees.expected.isEmpty ? .absentee : oracle.sold == nil ? nil : .saleByBid
        // The room after the first of two has no leader yet.
        if isLeading { updateSnapshot() }
    }

    /// Of two bids of one person on a lot the one stays that can act, or the higher, or the earlier.
    func linkAbsentees(from guest: String, to user: String) {
        for lot in Set(absentees.entries.lazy.filter { $0.user == guest }.map(\.lot)) {
            guard let moved = absentees.index(of: guest, on: lot) else { continue }
            if let own = absentees.index(of: user, on: lot) {
                let (one, other) = (absentees.entries[moved], absentees.entries[own])
                let acts = (!one.isVoid && !one.isUsed, !other.isVoid && !other.isUsed)
                let isMovedKept =
                    acts.0 == acts.1
                    ? one.maximum > other.maximum || one.maximum == other.maximum && moved < own : acts.0
                absentees.entries[moved].user = user
                absentees.entries.remove(at: isMovedKept ? own : moved)
                absentees.merged[lot, default: 0] += 1
            } else {
                absentees.entries[moved].user = user
            }
        }
    }
}
