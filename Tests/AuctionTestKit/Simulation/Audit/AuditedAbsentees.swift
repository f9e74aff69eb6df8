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
    }

    var entries: [Entry] = []
    /// How many bids on a lot ended because a link made one bidder of two.
    var merged: [String: Int] = [:]
    /// What the last event of a lot said.
    var shown: [String: Int] = [:]

    func count(on lot: String) -> Int { entries.count { $0.lot == lot } + merged[lot, default: 0] }
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
                let lot = sale.lots.first(where: { $0.id == entry.lot }), lot.state != "withdrawn"
            else { return sum }
            return sum + min(entry.maximum, lot.item["rules"]?["buyNowPrice"]?.units ?? entry.maximum)
        }
    }

    func owed(by bidder: String) -> Int64 { won[bidder, default: 0] + wonBeforeLink[bidder, default: 0] }

    /// The most that the bidder may have to pay in the running round.
    private func liveLiability(of bidder: String) -> Int64 {
        if let most = maximum(of: bidder) { return most }
        guard case .sealed(let oracle)? = formatOracle, ["auctioning", "paused"].contains(snapshot.state) else { return 0 }
        return personNumber[bidder].flatMap(oracle.last) ?? 0
    }

    /// The user left, or was removed or banned: their bids act no more, unless their lot has had its turn.
    func voidAbsentees(of user: String) {
        let open = Set(sale.lots.lazy.filter { ["queued", "current"].contains($0.state) }.map(\.id))
        for index in absentees.entries.indices where absentees.entries[index].user == user {
            if open.contains(absentees.entries[index].lot) { absentees.entries[index].isVoid = true }
        }
    }

    /// Bidding on the current lot opens: the bids on it are used up.
    func openAbsentees() {
        for index in absentees.entries.indices where absentees.entries[index].lot == sale.current {
            absentees.entries[index].isUsed = true
        }
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
