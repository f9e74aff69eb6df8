internal import AuctionDomain
internal import ExactJSON

/// The sale of a round that is over.
struct AuditedResult {
    var winner: String
    var price: Int64
    let lot: String?
    let item: String?
    /// Whether the sale counts.
    var counts = true
    /// The other bidder with the highest amount, and that; nil if there is none, or it cannot be told from the events alone.
    var next: (bidder: String, amount: Int64)?
    /// Whether the round's bids are as their events have them.
    let hasPlainBids: Bool
    var wasOffered = false
}

/// An offer to the next bidder that stands.
struct AuditedOffer: Hashable {
    let id: String
    let round: Int
    let lot: String?
    var to: String
    let price: Int64
    var expiresAt: Int64
}

/// A bid of the running round, as its event has it.
struct AuditedBid {
    let id: String
    let bidder: String
    let amount: Int64
}

// What becomes of sales after their rounds.
extension AuditedRoom {
    func keepSale(_ event: AuditedEvent) {
        guard event.type == "item.sold", let winner = event.person("winner"), let price = event.data["price"]?.units else {
            return
        }
        var next: (bidder: String, amount: Int64)?
        // The latest bid of each counts in a sealed round, and of equal ones the earliest, also one that no event shows; in an English one
        // the amounts rise.
        var standing = roundBids.map { (bidder: $0.bidder, amount: $0.amount) }
        if case .sealed(let oracle)? = formatOracle {
            standing = oracle.entries.enumerated().filter { place, bid in
                !oracle.entries[(place + 1)...].contains { $0.who == bid.who }
            }.compactMap { _, bid in userID(of: bid.who).map { ($0, bid.amount) } }
        }
        for bid in standing where bid.bidder != winner && bid.amount > next?.amount ?? .min { next = (bid.bidder, bid.amount) }
        if let amount = next?.amount, let reserve = rules?.reserve, amount < reserve { next = nil }
        soldRounds[event.round] = AuditedResult(
            winner: winner, price: price, lot: event.data["lotId"]?.text, item: itemID, next: next,
            hasPlainBids: !hasEarlierRetraction)
    }

    /// Keeps the bids of the running round.
    func keepBids(_ event: AuditedEvent) {
        switch event.type {
        case "state.changed" where event.data["to"]?.text == "preparing": (roundBids, hasEarlierRetraction) = ([], false)
        case "bid.placed":
            guard let amount = event.data["amount"]?.units ?? event.secret?["amount"]?.units else {
                return hasEarlierRetraction = true
            }
            roundBids.append(
                AuditedBid(id: event.data["bidId"]?.text ?? "", bidder: event.person("bidder") ?? "", amount: amount))
        case "bid.retracted":
            guard case .array(let removed)? = event.data["removed"] else { return }
            let gone = Set(removed.compactMap(\.text))
            // Bids after an earlier one lead instead of it, at other amounts than in their events.
            if let first = roundBids.firstIndex(where: { gone.contains($0.id) }),
                roundBids[first...].contains(where: { !gone.contains($0.id) })
            {
                hasEarlierRetraction = true
            }
            roundBids.removeAll { gone.contains($0.id) }
        default: break
        }
    }

    /// A guest was linked.
    func moveSales(from guest: String, to user: String) {
        for (round, row) in soldRounds {
            if row.winner == guest { soldRounds[round]?.winner = user }
            if let next = row.next, next.bidder == guest { soldRounds[round]?.next = (user, next.amount) }
        }
        for index in sale.offers.indices where sale.offers[index].to == guest { sale.offers[index].to = user }
        roundBids = roundBids.map { $0.bidder == guest ? AuditedBid(id: $0.id, bidder: user, amount: $0.amount) : $0 }
    }

    /// The host voids a sale that counts: it is the one of its round, and its buyer owes nothing for it any more.
    func itemVoided(_ event: AuditedEvent) {
        require(isByHost(event), "rights", "a person other than the host voids a sale")
        let round = event.data["round"]?.int ?? 0
        guard let row = soldRounds[round], row.counts else {
            return report("totals", "a sale of round \(round) is voided that there is not")
        }
        let price = event.data["price"]?.units
        require(
            event.person("winner") == row.winner && price == row.price, "totals",
            "another sale than that of the round is voided")
        require(
            event.data["item"]?["id"]?.text == row.item && event.data["lotId"]?.text == row.lot, "totals",
            "the sale of another item than that of the round is voided")
        soldRounds[round]?.counts = false
        won[row.winner, default: 0] -= row.price
        if let index = sale.index(of: row.lot) { sale.lots[index].state = "voided" }
    }

    /// Milliseconds for which an offer stands again after an outage, and how many stand at a time.
    private static let (offerRest, offerLimit): (Int64, Int) = (60_000, 100)
    /// Milliseconds after an extension until clients reach a service that starts.
    private static let allowance: Int64 = 250

    func offer(_ event: AuditedEvent) {
        let id = event.data["offerId"]?.text ?? ""
        guard let index = sale.offers.firstIndex(where: { $0.id == id }) else {
            guard event.type == "offer.made" else { return report("offer", "\(event.type) of an offer that does not stand") }
            return newOffer(id, event)
        }
        let offer = sale.offers[index]
        if event.type == "offer.made" {
            let end = event.data["expiresAt"]?.instant?.milliseconds ?? 0
            let latest = event.at + Self.offerRest + (event.data["cause"]?.text == "outage" ? Self.allowance : 0)
            require(
                event.data["cause"] != nil && end > offer.expiresAt && end <= latest, "offer", "an offer is extended to \(end)")
            return sale.offers[index].expiresAt = end
        }
        sale.offers.remove(at: index)
        if event.type == "offer.expired" {
            return require(event.at >= offer.expiresAt, "offer", "an offer expires \(offer.expiresAt - event.at) ms too soon")
        }
        let accepts = event.type == "offer.accepted"
        require(
            event.person(accepts ? "winner" : "to") == offer.to, "offer", "an offer is answered by another user than its bidder"
        )
        require(event.at < offer.expiresAt, "offer", "an offer is answered \(event.at - offer.expiresAt) ms after its end")
        require(!banned.contains(offer.to), "rights", "a banned user answers an offer")
        guard accepts else { return }
        let price = event.data["price"]?.units ?? 0
        require(
            price == offer.price && event.data["round"]?.int == offer.round, "offer",
            "another sale than the one that was offered")
        // What the leader of a running round has bid counts too, at least the price.
        let leads = snapshot.leader == offer.to && ["auctioning", "paused"].contains(snapshot.state)
        let owed = owed(by: offer.to) + waiting(of: offer.to) + (leads ? snapshot.price ?? 0 : 0) + price
        require(credit[offer.to].map { owed <= $0 } ?? true, "credit", "an offer is accepted beyond the credit limit")
        soldRounds[offer.round]?.winner = offer.to
        soldRounds[offer.round]?.price = price
        soldRounds[offer.round]?.counts = true
        won[offer.to, default: 0] += price
        if let index = sale.index(of: offer.lot) { sale.lots[index].state = "sold" }
    }

    /// The item of a voided sale is offered once, to the next bidder of its round, if they are here.
    private func newOffer(_ id: String, _ event: AuditedEvent) {
        let offer = AuditedOffer(
            id: id, round: event.data["round"]?.int ?? 0, lot: event.data["lotId"]?.text, to: event.person("to") ?? "",
            price: event.data["price"]?.units ?? 0, expiresAt: event.data["expiresAt"]?.instant?.milliseconds ?? 0)
        sale.offers.append(offer)
        guard let row = soldRounds[offer.round], !row.counts, !row.wasOffered, row.lot == offer.lot else {
            return report("offer", "an item of round \(offer.round) is offered whose sale counts, or that was offered before")
        }
        soldRounds[offer.round]?.wasOffered = true
        if row.hasPlainBids {
            require(
                row.next.map { $0 == (offer.to, offer.price) } ?? false, "offer",
                "an item is offered to another than the next bidder")
        }
        require(roles[offer.to] != nil && !banned.contains(offer.to), "offer", "an item is offered to a user who is not here")
        require(offer.to != host, "offer", "an item is offered to the host who voids its sale")
        require(sale.offers.count <= Self.offerLimit, "offer", "\(sale.offers.count) offers stand")
        require(
            event.data["cause"] == nil && offer.expiresAt == event.at + offerLife, "offer",
            "an offer stands for \(offer.expiresAt - event.at) ms")
        let isAgain = sale.lots.contains { $0.offeredBefore != nil && $0.offeredBefore == offer.lot && $0.state != "withdrawn" }
        require(!isAgain, "offer", "a lot is offered to the next bidder that was offered again")
    }
}
