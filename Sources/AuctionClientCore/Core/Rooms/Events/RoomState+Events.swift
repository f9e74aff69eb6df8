extension RoomState {
    /// The state after the next event. Unknown events only move `seq` on.
    ///
    /// The caller passes events in order; one whose seq is not the next one is ignored.
    mutating func apply(_ event: RoomEvent) {
        guard event.seq == seq + 1 else { return }
        let before = self
        seq = event.seq
        round = event.round
        if let author = event.author, author.id == host.id { host = author }
        switch event.body {
        case .roomArchived: isArchived = true
        case .memberRoleChanged(let person, _, let role, _): if role == .host { host = person }
        case .memberLinked(let guest, let user, let role): link(guest, to: user, role)
        case .memberErased(let person): rename(person)
        case .itemUploaded(let item, let rules):
            enter(item, rules)
            itemLot = event.data["lotId"]?.string
        case .rulesAdjusted(let rules, _):
            self.rules = rules
            nextMinimum = rules.startingPrice
            reserveMet = nil
        case .stateChanged(let change): enter(change)
        case .countdownStarted(let endsAt, let nextDropAt):
            self.endsAt = endsAt
            self.nextDropAt = nextDropAt
            if phase == .auctioning, rules?.format == .dutch { ask(rules?.startingPrice) }
        case .countdownMoved(let endsAt, _, let nextDropAt):
            self.endsAt = endsAt
            self.nextDropAt = nextDropAt ?? self.nextDropAt
        case .warningGiven(let level, _): warning = level
        case .incrementChanged(let increment, let minimum, _):
            rules?.increment = increment
            nextMinimum = minimum
        case .askChanged(let minimum, _): nextMinimum = minimum
        case .messageReported(let count): if reports != nil { reports = count }
        case .bidPlaced(let bid): place(bid, at: event.at)
        case .bidRetracted(let bid): retract(bid)
        case .priceDropped(let price, let nextDropAt):
            ask(price)
            self.nextDropAt = nextDropAt
        // In a sealed round, these are the first price and the first bid that clients see.
        case .itemSold(let winner, let price):
            currentPrice = price
            currentBid = currentBid ?? LeadingBid(id: nil, amount: price, bidder: winner, at: nil)
        // Another lot that waits follows as an item of its own.
        case .lot(let lot): if event.type == "lot.withdrawn", lot.lotId == itemLot { removeItem() }
        // The countdown to the next lot.
        case .sale: if event.type == "sale.stopped" || event.type == "sale.finished", phase == .closed { endsAt = nil }
        default: break
        }
        followResult(event)
        followSale(event, before: before)
    }

    /// Makes `result` that after an event. Events before the room was read count too, because a response does not have the result.
    ///
    /// The caller passes every event once, in order.
    mutating func followResult(_ event: RoomEvent) {
        switch event.body {
        case .itemSold(let winner, let price):
            result = RoundOutcome(round: event.round, sale: .init(winner: winner, price: price), passedReason: nil)
        case .itemPassed(let reason): result = RoundOutcome(round: event.round, sale: nil, passedReason: reason)
        case .itemVoided(let round, _, let voided):
            if result?.round == round { result = RoundOutcome(round: round, sale: nil, passedReason: nil, voided: voided) }
        case .offerAccepted(_, let round, let winner, let price):
            guard let result, result.round == round else { break }
            self.result = RoundOutcome(
                round: round, sale: .init(winner: winner, price: price), passedReason: nil, voided: result.voided)
        case .memberLinked(let guest, let user, _):
            guard let result, let sale = result.sale, sale.winner.id == guest.id else { break }
            self.result = RoundOutcome(
                round: result.round, sale: .init(winner: user, price: sale.price), passedReason: nil, voided: result.voided)
        case .memberErased(let person): result = result?.renaming(person)
        default: break
        }
    }

    private mutating func enter(_ item: Item, _ rules: AuctionRules) {
        self.item = item
        self.rules = rules
        nextMinimum = rules.startingPrice
        reserveMet = nil
    }

    private mutating func enter(_ change: RoomEvent.StateChange) {
        phase = change.to
        warning = 0
        endsAt = nil
        nextDropAt = nil
        if change.to == .closed { nextMinimum = nil }
        guard change.to == .preparing else { return }
        // A cancelled round is prepared again too, with its item.
        if change.from == .closed { removeItem() }
        currentPrice = nil
        currentBid = nil
        nextMinimum = rules?.startingPrice
    }

    private mutating func removeItem() {
        item = nil
        itemLot = nil
        rules = nil
        nextMinimum = nil
        reserveMet = nil
    }

    private mutating func link(_ guest: Person, to user: Person, _ role: Role?) {
        if role == .host { host = user }
        if item?.owner.id == guest.id { item?.owner = user }
        if let bid = currentBid, bid.bidder.id == guest.id {
            currentBid = LeadingBid(id: bid.id, amount: bid.amount, bidder: user, at: bid.at)
        }
    }

    private mutating func rename(_ person: Person) {
        if host.id == person.id { host = person }
        if item?.owner.id == person.id { item?.owner = person }
        if let bid = currentBid, bid.bidder.id == person.id {
            currentBid = LeadingBid(id: bid.id, amount: bid.amount, bidder: person, at: bid.at)
        }
    }

    private mutating func ask(_ price: Money?) {
        currentPrice = price
        nextMinimum = price
    }

    private mutating func place(_ bid: RoomEvent.PlacedBid, at time: ServerTime) {
        warning = 0
        endsAt = bid.endsAt ?? endsAt
        guard let amount = bid.amount else { return }
        reserveMet = bid.reserveMet
        nextMinimum = bid.nextMinimum
        guard bid.isLeading else { return }
        currentPrice = amount
        currentBid = LeadingBid(id: bid.bidId, amount: amount, bidder: bid.bidder, at: time)
    }

    private mutating func retract(_ bid: RoomEvent.RetractedBid) {
        warning = 0
        currentPrice = bid.price
        nextMinimum = bid.nextMinimum
        reserveMet = bid.reserveMet
        currentBid =
            if let leader = bid.leader, let price = bid.price {
                // The event names the leader and the price, not the bid that leads.
                LeadingBid(id: nil, amount: price, bidder: leader, at: nil)
            } else {
                nil
            }
    }
}

extension RoundOutcome {
    /// The same outcome with another nickname of a user.
    fileprivate func renaming(_ person: Person) -> RoundOutcome {
        func renamed(_ other: Person) -> Person { other.id == person.id ? person : other }
        return RoundOutcome(
            round: round, sale: sale.map { Sale(winner: renamed($0.winner), price: $0.price) }, passedReason: passedReason,
            voided: voided.map {
                VoidedSale(winner: renamed($0.winner), price: $0.price, reason: $0.reason, by: renamed($0.by))
            })
    }
}

extension RoomEvent {
    /// The person whose command caused the event, with the nickname that their token had; nil if the service did. The end of a
    /// handshake has the person of its request, and a voided maximum that of its bid, whose nickname may be an earlier one.
    var author: Person? {
        if type == "stage.ended" || type == "bid.maximumVoided" { return nil }
        let isAutomatic = data["automatic"]?.bool == true
        let person =
            data["by"] ?? data["author"] ?? (isAutomatic ? nil : data["bidder"]) ?? data["item"]?["owner"]
            ?? (type == "stage.requested" ? data["guest"] : nil)
        return person.flatMap { try? Person(JSONFields($0)) }
    }

    /// Whether the event may have changed something of `RoomDetails` or something else that events do not tell in full.
    /// - Parameters:
    ///   - state: the room before the event.
    ///   - isBeingRead: whether the details are being read, perhaps as they were before the event.
    func mayChangeDetails(of state: RoomState, for follower: Follower, isBeingRead: Bool) -> Bool {
        switch body {
        case .messageSent, .messageRemoved, .messageReported, .systemMessage, .countdownStarted, .countdownMoved, .priceDropped,
            .warningGiven,
            .incrementChanged,
            .askChanged:
            false
        case .bidPlaced(let bid):
            switch follower {
            case .anonymous: false
            case .unknown: true
            case .user(let id):
                // Who led is that of the room's current bid; the details may be older. With the first bid of a round, or a sealed one, a
                // host may do other things than before.
                isBeingRead || bid.bidder.id == id || state.currentBid.map { $0.bidder.id == id } ?? true
            }
        // It says itself how many there are, and the bidder has the answer.
        case .lot: type != "lot.bidsChanged"
        case .offerMade(_, _, let bidder, _, _), .offerAccepted(_, _, let bidder, _), .offerDeclined(_, let bidder),
            .offerExpired(_, let bidder):
            switch follower {
            case .anonymous: false
            case .unknown: true
            case .user(let id): bidder.id == id || state.host.id == id
            }
        // Who applied is secret: the host's count changes, or the caller's own application.
        case .applicationMade, .applicationDeclined: if case .anonymous = follower { false } else { true }
        default: true
        }
    }
}
