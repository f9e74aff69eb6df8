internal import Permissions

extension RoomFields {
    mutating func apply(_ event: Event) throws(ReplayError) {
        guard event.seq == seq + 1 else { throw ReplayError(room: details.id, expected: seq + 1, found: event.seq) }
        seq = event.seq
        lastEventAt = event.at
        let cause = storage.add(event.body)
        defer { if let cause, event.body.namesCauseByToken { rename(cause) } }
        switch event.body {
        case .roomOpened, .systemMessage: break
        case .roomArchived: isArchived = true
        case .memberJoined, .memberLeft, .memberRoleChanged, .memberKicked, .memberBanned, .memberMuted,
            .memberCreditLimitChanged, .hostGone, .hostReturned:
            applyMember(event)
        case .memberErased(let erased): apply(erased)
        // No link is of a user to themself, but a log could have one.
        case .memberLinked(let link): if link.from.id != link.to.id { apply(link, in: event) }
        case .itemUploaded(let item): show(item)
        case .rulesAdjusted(let id, let rules, _):
            guard var item, item.id == id else { break }
            item.rules = rules
            self.item = item
            if let lot = item.lot {
                voidAbsentees(on: lot, becoming: rules.format)
                changeLots { $0.set(lot, item, reference: $0[lot]?.reference) }
            }
        case .permissionChanged(let change): apply(change)
        case .stateChanged(let change): apply(change, in: event)
        case .countdownStarted(let end, let drop, let cuts):
            endsAt = end
            nextDropAt = drop
            if let cuts, let lot = item?.lot { changeAbsentees { $0.cut(cuts, on: lot) } }
        case .countdownMoved(let moved):
            endsAt = moved.endsAt
            nextDropAt = moved.nextDropAt
        case .warningGiven(let given): changeHand { $0.warning = Warning(level: given.level, seq: event.seq) }
        case .incrementChanged(let changed): apply(changed)
        case .askChanged(let changed): apply(changed)
        case .drawCommitted(let seed): drawSeed = seed
        case .drawRevealed: break
        case .bidPlaced(let placed): apply(placed, in: event)
        case .floorBidPlaced(let entered): apply(entered, in: event)
        case .maximumRaised(let raised): leaderMaximum = raised.maximum
        case .bidRetracted(let retracted):
            keepSeqs(of: retracted)
            apply(retracted)
            endWarning()
            endAskAbovePrice()
        case .maximumVoided(let voided): apply(voided)
        case .priceDropped(let price, let drop):
            askingPrice = price
            nextDropAt = drop
        case .itemSold(let winner, let price, _): finish(.sold(to: winner, price: price), in: event)
        case .itemPassed(let reason, _): finish(.passed(reason), in: event)
        case .itemVoided(let voided): apply(voided, in: event)
        case .offer(let happened): apply(happened, in: event)
        case .lotQueued, .lotChanged, .lotMoved, .lotWithdrawn: applyLot(event)
        case .lotBidsChanged(let changed): apply(changed, in: event)
        case .sale(let happened): apply(happened)
        case .stage(let happened): apply(happened, in: event)
        case .messageSent(let message): messages.append(message, in: event)
        case .messageRemoved(let id, _):
            messages.remove(id)
            removeReported(id)
        case .messageReported(let reported): apply(reported, in: event)
        case .application(let happened): apply(happened, in: event)
        }
    }

    private mutating func apply(_ change: PermissionChange) {
        var changed = configuration
        if let isEnabled = change.isEnabled { changed.enabled[change.rule] = isEnabled }
        if let priority = change.priority { changed.priorities[change.rule] = priority }
        configuration = changed
    }

    private mutating func apply(_ change: StateChange, in event: Event) {
        if change.to == .paused {
            pause = Pause(
                from: change.from, at: event.at, remaining: endsAt.map { $0.milliseconds(since: event.at) },
                untilDrop: nextDropAt.map { $0.milliseconds(since: event.at) })
        } else if let pause {
            latestDeadline = latestDeadline.map { $0.advanced(byMilliseconds: event.at.milliseconds(since: pause.at)) }
            self.pause = nil
        }
        state = change.to
        endWarning()
        endsAt = nil
        nextDropAt = nil
        if change.to == .auctioning, change.from != .paused {
            latestDeadline = rules?.maxDuration.map { event.at + $0 }
            openedAt = event.at
            if let lot = item?.lot { changeAbsentees { $0.open(lot, in: event) } }
        }
        // A cancelled round restarts too: with the same item, but without price and tie draw. Its retracted bids stay retracted, as its result
        // spans all of its events.
        if change.to == .preparing { forgetBids() }
        guard change.beginsRound else { return }
        round = event.round
        roundFirstSeq = event.seq
        if !retractedSeqs.isEmpty { (retractedSeqs, changedSeqs) = ([], []) }
        item = nil
    }

    private mutating func forgetBids() {
        endAsk()
        forgetPaddles()
        bids = BidHistory()
        currentBid = nil
        leaderMaximum = nil
        askingPrice = nil
        drawSeed = nil
        latestDeadline = nil
        openedAt = nil
    }

    private mutating func finish(_ outcome: RoundResult.Outcome, in event: Event) {
        guard let item else { return }
        // A round may end before it is opened, for want of a host.
        if openedAt == nil, let lot = item.lot { changeAbsentees { $0.open(lot, in: event) } }
        showSealedWinner(outcome)
        if let lot = item.lot { changeLots { $0.setState(lot, outcome.isSold ? .sold : .passed) } }
        results.append(
            RoundResult(
                round: event.round, item: RoundResult.Item(item), outcome: outcome, bidCount: bids.count, closedAt: event.at,
                firstSeq: roundFirstSeq, lastSeq: event.seq, seller: item.owner, openedAt: openedAt, lot: item.lot,
                reference: item.lot.flatMap { lots[$0]?.reference }, premium: premium, retractedSeqs: retractedSeqs,
                changedBids: changedBids, paddle: paddle(of: outcome), runnerUp: runnerUp(of: outcome)))
    }

    /// After a sealed round the winner's bid is the current one, at the price that they pay. From the moment of the sale on: later the winner
    /// may have the bids of a linked guest as well.
    private mutating func showSealedWinner(_ outcome: RoundResult.Outcome) {
        guard currentBid == nil, case .sold(let winner, let price) = outcome, let bid = bids.latest(of: winner.id) else {
            return
        }
        currentBid = Bid(
            id: bid.id, seq: bid.seq, at: bid.at, amount: price, bidder: bid.bidder, leading: true, origin: bid.origin)
    }

    mutating func record(_ bodies: [EventBody], at instant: Timestamp) -> [Event] {
        var events: [Event] = []
        events.reserveCapacity(bodies.count)
        for body in bodies {
            let event = Event(seq: seq + 1, at: max(instant, lastEventAt), round: round(of: body), body: body)
            do { try apply(event) } catch {
                preconditionFailure("an event numbered here is the next one: \(error)")  // proven: numbered above
            }
            events.append(event)
        }
        return events
    }

    private func round(of body: EventBody) -> Int {
        if case .stateChanged(let change) = body, change.beginsRound { round + 1 } else { round }
    }
}

extension Room {
    /// Folds the next event. The same events always give the same room.
    /// - Throws: `ReplayError` if the event is not the next one.
    package mutating func apply(_ event: Event) throws(ReplayError) {
        try change { fields throws(ReplayError) in try fields.apply(event) }
    }

    /// Folds the next events, in order, for the price of one copy of the room.
    /// - Throws: `ReplayError` for the first that is not the next one.
    package mutating func apply(_ events: [Event]) throws(ReplayError) {
        if events.isEmpty { return }
        try change { fields throws(ReplayError) in for event in events { try fields.apply(event) } }
    }

    /// Numbers the events decided at `instant`, in order, and folds them: the only way from a decision to events.
    /// - Returns: the events; their `at` is never earlier than that of the room's last event.
    package mutating func record(_ bodies: [EventBody], at instant: Timestamp) -> [Event] {
        change { $0.record(bodies, at: instant) }
    }

    /// The bid that an event would place in this room.
    func bid(_ placed: BidPlaced, seq: Int, at instant: Timestamp) -> Bid {
        fields.value.bid(placed, seq: seq, at: instant)
    }
}

extension Room? {
    /// Applies the next event of a room's history, without copying the room; the first event opens it.
    /// - Returns: False if the first event opens no room.
    /// - Throws: `ReplayError` if the event is not the next one; there is no room then.
    package mutating func apply(_ event: Event, of id: RoomID) throws(ReplayError) -> Bool {
        guard var room = take() else {
            self = Room(id: id, opening: event)
            return self != nil
        }
        try room.apply(event)
        self = room
        return true
    }
}

/// An event does not follow the history it is applied to.
package struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The room whose history has the gap or the repetition.
    package let room: RoomID
    /// The seq that the next event must have.
    package let expected: Int
    /// The seq of the refused event.
    package let found: Int

    package var description: String { "\(room): expected the event with seq \(expected), found \(found)" }
}

// Folds bid events. Prices were decided when the events were made; the fold does not recompute them.
extension RoomFields {
    fileprivate func bid(_ placed: BidPlaced, seq: Int, at instant: Timestamp) -> Bid {
        let beats =
            placed.leading && currentBid.map { $0.bidder.id != placed.bidder.id || placed.origin == .floor } ?? false
        return Bid(placed, seq: seq, at: instant, beatenMaximum: beats ? leaderMaximum : nil)
    }

    mutating func apply(_ placed: BidPlaced, in event: Event) {
        let bid = bid(placed, seq: event.seq, at: event.at)
        bids.append(bid)
        if placed.leading {
            currentBid = bid
            // An automatic bid executes a maximum that its bidder gave before.
            if placed.origin.isOwn { leaderMaximum = max(placed.maximum ?? placed.amount, placed.amount) }
        }
        if let end = placed.endsAt { endsAt = end }
    }

    /// Removes an own bid and the automatic ones it caused; the bidder who leads without them leads with their maximum.
    /// Where they may not keep it, a `maximumVoided` event follows.
    mutating func apply(_ retracted: BidRetracted) {
        let gone = bids.latestExplicit
        if gone?.id != retracted.bid, let earlier = bids.own(retracted.bid, of: retracted.bidder.id) {
            let ledByGone = currentBid.map { $0.id == earlier.id || retracted.removed.contains($0.id) } ?? false
            let changed = bids.removeEarlier(earlier, retracted.removed).changedSeqs
            if !changed.isEmpty { changedSeqs += changed }
            currentBid = bids.latestLeading
            if ledByGone { leaderMaximum = currentBid?.offeredMaximum }
            return
        }
        let ledByGone = gone.map { $0.id == retracted.bid && $0.bidder.id == currentBid?.bidder.id && $0.leading } ?? false
        bids.remove(retracted.removed)
        currentBid = bids.latestLeading
        if ledByGone { leaderMaximum = gone?.beatenMaximum }
        if currentBid == nil { leaderMaximum = nil }
    }

    /// The leader keeps the lead; their maximum becomes the current price.
    mutating func apply(_ voided: MaximumVoided) {
        guard let currentBid, currentBid.bidder.id == voided.bidder.id else { return }
        leaderMaximum = currentBid.amount
    }
}
