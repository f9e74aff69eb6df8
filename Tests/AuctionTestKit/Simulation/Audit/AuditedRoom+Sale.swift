internal import AuctionDomain
internal import ExactJSON

/// The lots of an audited room, as a plain list.
struct AuditedSale {
    struct Lot: Hashable {
        let id: String
        let number: Int
        var owner: String
        var reference: String?
        /// The public part, as the last event with it has it.
        var item: JSONValue
        var state = "queued"
        var round = 0
        /// The lot that is offered again as this one.
        var offeredBefore: String?

        var name: String { item["name"]?.text ?? "" }

        /// Whether an event shows this item. Its owner is compared apart, because a guest may have become a user since.
        func shows(_ other: JSONValue?) -> Bool {
            func content(_ item: JSONValue?) -> [JSONMember] {
                guard case .object(let members)? = item else { return [] }
                return members.filter { $0.name != "owner" }
            }
            return content(item) == content(other)
        }
    }

    var lots: [Lot] = []
    /// Offers that stand.
    var offers: [AuditedOffer] = []
    var mode = "manual"
    /// Milliseconds between two lots.
    var pause: Int64 = 10_000
    var startsAt: Int64?
    /// Whether it needs its host.
    var isAttended = false
    var isRunning = false
    /// The last event began the sale, or the round of its next lot.
    var isBeginning = false

    /// Whether rounds go on while the host is absent.
    var runsUnattended: Bool { isRunning && !isAttended }
    var hasQueued: Bool { lots.contains { $0.state == "queued" } }
    var firstQueued: String? { lots.first { $0.state == "queued" }?.id }
    var current: String? { lots.first { $0.state == "current" }?.id }
    func index(of lot: String?) -> Int? { lots.firstIndex { $0.id == lot } }
}

// No lot is sold twice or skipped, their order is kept, and at most one is current.
extension AuditedRoom {
    func saleEvent(_ event: AuditedEvent) {
        let (index, by) = (sale.index(of: event.data["lotId"]?.text), event.person("by"))
        if event.type.hasPrefix("lot."), event.type != "lot.queued", index == nil {
            return report("lots", "\(event.type) of a lot that was never queued")
        }
        switch event.type {
        case "lot.queued": queued(event)
        case "lot.moved": moved(index ?? 0, event)
        case "lot.bidsChanged": absenteeBidsChanged(event, on: sale.lots[index ?? 0])
        case "lot.changed", "lot.withdrawn":
            let lot = sale.lots[index ?? 0]
            let isPrepared = lot.state == "current" && snapshot.state == "preparing"
            require(lot.state == "queued" || isPrepared, "lots", "\(event.type) of a lot that is \(lot.state)")
            require(by == lot.owner || isByHost(event), "rights", "\(event.type) by a person who is neither owner nor host")
            if event.type == "lot.changed" {
                sale.lots[index ?? 0].reference = event.data["reference"]?.text
                sale.lots[index ?? 0].item = event.data["item"] ?? .null
                formatChanged(lot, to: event.data["item"]?["rules"])
                requireOneOf(sale.lots[index ?? 0].reference)
            }
            if event.type == "lot.withdrawn" {
                if isPrepared { removeItem() }
                sale.lots[index ?? 0].state = "withdrawn"
                voidAbsentees { $0.lot == lot.id }
            }
        default: saleItself(event, by)
        }
    }

    private func queued(_ event: AuditedEvent) {
        let (id, owner) = (event.data["lotId"]?.text ?? "", event.data["item"]?["owner"]?["id"]?.text ?? "")
        require(sale.index(of: id) == nil, "lots", "a lot is queued twice")
        let old = event.data["offeredBefore"]?.text
        let by = event.person("by") ?? owner
        let role = roles[by] ?? ""
        let isHosts = by == host || event.isByOperator
        require(role == "auctioneer" || role == "host" || isHosts, "rights", "a lot by a person who is \(role)")
        require(by == owner || old != nil && isHosts, "rights", "a lot is queued by neither owner nor host")
        require(event.data["number"]?.int == sale.lots.count + 1, "lots", "a lot has not the number of the next one")
        let (reference, item) = (event.data["reference"]?.text, event.data["item"] ?? .null)
        if let old { offeredAgain(old, event, owner) }
        sale.lots.append(
            AuditedSale.Lot(
                id: id, number: sale.lots.count + 1, owner: owner, reference: reference, item: item, offeredBefore: old))
        requireOneOf(reference)
    }

    /// Only what was not sold is offered again, once, as it was but for its rules; the reference is the new lot's.
    private func offeredAgain(_ old: String, _ event: AuditedEvent, _ owner: String) {
        guard let index = sale.index(of: old) else { return report("lots", "a lot is offered again that was never queued") }
        let lot = sale.lots[index]
        require(!sale.offers.contains { $0.lot == old }, "lots", "a lot is offered again that is offered to the next bidder")
        require(["passed", "voided"].contains(lot.state), "lots", "a lot that is \(lot.state) is offered again")
        let others = sale.lots.filter { $0.offeredBefore == old }
        require(others.allSatisfy { $0.state == "withdrawn" }, "lots", "a lot is offered again twice")
        require(owner == lot.owner, "lots", "a lot that is offered again has another owner")
        for member in ["name", "description", "media", "estimate", "condition"] {
            let isSame = event.data["item"]?[member] == lot.item[member]
            require(isSame, "lots", "a lot that is offered again has another \(member)")
        }
        let before = lot.reference ?? others.lazy.compactMap(\.reference).first
        require(event.data["reference"]?.text == before, "lots", "a lot that is offered again has another reference")
        for index in sale.lots.indices where before != nil && sale.lots[index].reference == before {
            sale.lots[index].reference = nil
        }
    }

    /// Bids that were left on a lot are for its format.
    private func formatChanged(_ lot: AuditedSale.Lot, to rules: JSONValue?) {
        if lot.item["rules"]?["format"]?.text != rules?["format"]?.text { voidAbsentees { $0.lot == lot.id } }
    }

    private func requireOneOf(_ reference: String?) {
        guard let reference else { return }
        require(sale.lots.count { $0.reference == reference } == 1, "lots", "two lots have the reference \(reference)")
    }

    private func moved(_ index: Int, _ event: AuditedEvent) {
        let lot = sale.lots.remove(at: index)
        let by = event.person("by")
        // The service itself puts a cancelled lot at the head of the queue; a prepared one may be moved behind others.
        let isPrepared = lot.state == "current" && snapshot.state == "preparing"
        let isMovable = by == nil ? lot.state == "current" : lot.state == "queued" || isPrepared
        require(isMovable, "lots", "a lot that is \(lot.state) is moved")
        if let by { require(by == lot.owner || by == host, "rights", "a lot is moved by neither owner nor host") }
        guard let before = event.data["before"]?.text else { return sale.lots.append(lot) }
        guard let place = sale.index(of: before) else { return report("lots", "moved before a lot that does not exist") }
        let follower = sale.lots[place].state
        let isWaiting = follower == "queued" || follower == "current" && snapshot.state == "preparing"
        require(isWaiting, "lots", "a lot is moved before one that is \(follower)")
        sale.lots.insert(lot, at: place)
    }

    private func saleItself(_ event: AuditedEvent, _ by: String?) {
        switch event.type {
        case "sale.configured":
            require(by == host, "rights", "the sale is configured by a person other than the host")
            sale.mode = event.data["mode"]?.text ?? ""
            sale.pause = Int64(event.data["pauseSeconds"]?.int ?? 0) * 1000
            sale.startsAt = event.data["startsAt"]?.instant?.milliseconds
            sale.isAttended = event.data["attended"]?.isTrue == true
        case "sale.starting":
            let start = event.data["startsAt"]?.instant?.milliseconds
            if event.data["cause"] != nil {
                require(start ?? 0 >= event.at, "sale", "a start that was missed is moved into the past")
            }
            sale.startsAt = start
        case "sale.started":
            require(sale.mode == "automatic" && !sale.isRunning, "sale", "a sale starts that is \(sale.mode), or runs already")
            if let by {
                require(by == host, "rights", "the sale is started by a person other than the host")
            } else {
                require(!isHostGone || !sale.isAttended, "sale", "an attended sale starts by itself in a room without a host")
                require(sale.startsAt.map { event.at >= $0 } ?? false, "sale", "the sale starts before its time")
            }
            (sale.isRunning, sale.startsAt, sale.isBeginning) = (true, nil, true)
        case "sale.stopped", "sale.finished":
            require(sale.isRunning || sale.startsAt != nil, "sale", "a sale ends that does not run")
            if event.data["cause"]?.text == "hostGone" {
                require(isHostGone && sale.isAttended, "sale", "the sale stops although there is a host, or it needs none")
            }
            if event.type == "sale.finished" { require(!sale.hasQueued, "sale", "a sale finishes while lots wait") }
            (sale.isRunning, sale.startsAt) = (false, nil)
            if snapshot.state == "closed" { snapshot.endsAt = nil }
        case "sale.postponed":
            require(isHostGone && sale.isAttended, "sale", "a start is prevented although there is a host, or it needs none")
            require(sale.startsAt.map { event.at >= $0 } ?? false, "sale", "a start is prevented before its time")
            sale.startsAt = nil
        default: report("type", "an event of the unknown type \(event.type)")
        }
    }

    /// Checks the lot of a change of state, and that rounds begin by themselves only in a running sale, when they are due.
    func auditSale(_ event: AuditedEvent, from: String, to: String, cause: String) {
        let isNext = from == "closed" && to == "preparing"
        let lot = isNext ? sale.firstQueued : sale.current
        require(event.data["lotId"]?.text == lot, "lots", "\(from) to \(to) names another lot than \(lot ?? "none")")
        defer { sale.isBeginning = isNext && sale.isRunning }
        guard cause == "sale" else { return }
        require(sale.isRunning, "sale", "a round begins by itself although no sale runs")
        let isDue = isNext && snapshot.endsAt.map { event.at >= $0 } ?? false
        require(isDue || sale.isBeginning, "sale", "a lot begins before the pause is over")
        if isNext, event.person("by") == nil, sale.isAttended {
            require(!isHostGone, "sale", "a lot of an attended sale begins by itself in a room without a host")
        }
    }

    /// The lot whose item is shown now, or none: the one before waits again.
    func showItem(of lot: String?, _ event: AuditedEvent) {
        if let old = sale.index(of: sale.current) { sale.lots[old].state = "queued" }
        guard let lot else { return }
        require(lot == sale.firstQueued, "lots", "the item is that of \(lot), not of the first queued lot")
        guard let index = sale.index(of: lot) else { return }
        require(owner == sale.lots[index].owner, "lots", "the item of a lot has another owner")
        require(sale.lots[index].shows(event.data["item"]), "lots", "the item of a lot is not the one that was queued")
        sale.lots[index].state = "current"
        sale.lots[index].round = event.round
    }

    /// The rules of the item that is shown were adjusted; they stay with its lot.
    func lotAdjusted(_ event: AuditedEvent) {
        guard let index = sale.index(of: sale.current), case .object(let members) = sale.lots[index].item,
            let rules = event.data["rules"]
        else { return }
        formatChanged(sale.lots[index], to: rules)
        sale.lots[index].item = .object(
            members.map { $0.name == "rules" ? JSONMember(name: "rules", value: rules) : $0 })
    }

    func lotEnded(_ event: AuditedEvent) {
        let lot = event.data["lotId"]?.text
        require(lot == sale.current, "lots", "\(event.type) names another lot than the current one")
        if let index = sale.index(of: lot) { sale.lots[index].state = event.type == "item.sold" ? "sold" : "passed" }
    }
}
