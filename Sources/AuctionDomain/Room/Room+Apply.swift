extension Room {
    /// Folds the next event. The same events always make the same room.
    /// - Throws: `ReplayError` if the event is not the next one.
    public mutating func apply(_ event: Event) throws(ReplayError) {
        guard event.seq == seq + 1 else { throw ReplayError(room: id, expected: seq + 1, found: event.seq) }
        seq = event.seq
        lastEventAt = event.at
        switch event.body {
        case .roomOpened, .systemMessage: break
        case .roomArchived: isArchived = true
        case .memberJoined(let person, let role):
            members.set(Member(person: person, role: role, joinedAt: event.at))
        case .memberLeft(let person): members.remove(person.id)
        case .memberRoleChanged(let person, _, let role, _):
            members.set(Member(person: person, role: role, joinedAt: members[person.id]?.joinedAt ?? event.at))
        case .itemUploaded(let item): self.item = item
        case .stateChanged(let change): apply(change, in: event)
        case .countdownStarted(let end), .countdownMoved(let end, _, _): endsAt = end
        case .bidPlaced(let placed): apply(placed, in: event)
        case .itemSold(let winner, let price): finish(.sold(to: winner, price: price), in: event)
        case .itemPassed(let reason): finish(.passed(reason), in: event)
        }
    }

    private mutating func apply(_ change: StateChange, in event: Event) {
        state = change.to
        endsAt = nil
        guard change.beginsRound else { return }
        round = event.round
        roundFirstSeq = event.seq
        item = nil
        bids = BidHistory()
        currentBid = nil
    }

    private mutating func apply(_ placed: BidPlaced, in event: Event) {
        let bid = Bid(
            id: placed.bid, seq: event.seq, at: event.at, amount: placed.amount, bidder: placed.bidder,
            leading: placed.leading, automatic: placed.automatic)
        bids.append(bid)
        if placed.leading { currentBid = bid }
        if let end = placed.endsAt { endsAt = end }
    }

    private mutating func finish(_ outcome: RoundResult.Outcome, in event: Event) {
        guard let item else { return }
        results.append(
            RoundResult(
                round: event.round, item: item, outcome: outcome, bidCount: bids.count, closedAt: event.at,
                firstSeq: roundFirstSeq, lastSeq: event.seq))
    }

    /// Numbers what was decided at `instant`, in order, and folds it: the only way from a decision to events.
    /// - Returns: the events, never earlier than the last one before them.
    public mutating func record(_ bodies: [EventBody], at instant: Timestamp) -> [Event] {
        var events: [Event] = []
        events.reserveCapacity(bodies.count)
        for body in bodies {
            let event = Event(seq: seq + 1, at: max(instant, lastEventAt), round: round(of: body), body: body)
            do { try apply(event) } catch { preconditionFailure("an event numbered here is the next one: \(error)") }
            events.append(event)
        }
        return events
    }

    private func round(of body: EventBody) -> Int {
        if case .stateChanged(let change) = body, change.beginsRound { round + 1 } else { round }
    }
}

/// An event does not follow the history it is applied to.
public struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
    public let room: RoomID
    public let expected: Int
    public let found: Int

    public var description: String { "\(room): expected the event with seq \(expected), found \(found)" }
}
