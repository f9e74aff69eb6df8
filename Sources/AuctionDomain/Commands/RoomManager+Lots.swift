import Permissions

// Decides commands on single lots.
extension RoomManager {
    func decideLot(_ command: Command, by caller: Person, in context: inout DecisionContext) throws(Refusal) -> Decision {
        switch command {
        case .queueLot(let lot): return try queue(lot, by: caller, in: &context)
        case .changeLot(let lot, let changes): return try change(lot, changes, by: caller, in: context)
        case .withdrawLot(let id, let reason):
            return Decision(events: try withdraw(id, reason: reason, by: caller, in: context), outcome: .lotChanged(id))
        case .reofferLot(let id, let patch): return try reoffer(id, patch, by: caller, in: &context)
        case .importLots(let file): return try importLots(file, by: caller, in: &context)
        default: return .nothing
        }
    }

    private func queue(_ lot: QueueLot, by caller: Person, in context: inout DecisionContext) throws(Refusal) -> Decision {
        try check(.queueLot, by: caller, in: context)
        try rulebook.check(lot.item.rules)
        if let reference = lot.reference, context.room.lots[reference: reference] != nil { throw .referenceTaken(reference) }
        let number = context.room.lots.count + 1
        let owner = owner(ofWhatIsAddedBy: caller, in: context.room)
        let queued = newLot(context.identifiers.next(), lot, number, by: owner, in: &context)
        return Decision(events: [.lotQueued(queued)], outcome: .lotQueued(queued.id))
    }

    func newLot(
        _ id: LotID, _ lot: QueueLot, _ number: Int, by owner: Person, in context: inout DecisionContext
    ) -> LotQueued {
        let item = lot.item.item(context.identifiers.next(), of: owner, lot: id)
        return LotQueued(id: id, item: item, reference: lot.reference, number: number)
    }

    private func change(
        _ id: LotID, _ changes: LotChanges, by caller: Person, in context: DecisionContext
    ) throws(Refusal) -> Decision {
        let lot = try find(id, in: context.room)
        let pricesChange = changes.rules?.changesPrices ?? false
        try check(.changeLot, by: caller, in: context, RuleRequest(changesPrices: pricesChange, lot: id))
        var events: [EventBody] = []
        var item = context.room.lots.item(of: lot)
        if changes.changesContent, let changed = try content(of: lot, changes, by: caller, in: context) {
            item = changed.item
            events = self.events(of: changed, lot)
        }
        if let target = changes.target { events += try move(lot, item, to: target, by: caller, in: context) }
        return Decision(events: events, outcome: .lotChanged(id))
    }

    /// The events of a change; a prepared lot is shown with it at once.
    func events(of changed: LotChanged, _ lot: Lot) -> [EventBody] {
        [.lotChanged(changed)] + (lot.state == .current ? [.itemUploaded(changed.item)] : [])
    }

    /// The lot with the requested changes; nil if they change nothing.
    private func content(
        of lot: Lot, _ changes: LotChanges, by caller: Person, in context: DecisionContext
    ) throws(Refusal) -> LotChanged? {
        let old = context.room.lots.item(of: lot)
        let item = changes.applied(to: old)
        let reference = changes.reference ?? lot.reference
        guard item != old || reference != lot.reference else { return nil }
        try rulebook.check(item.rules, of: old, by: caller)
        if let reference, let other = context.room.lots[reference: reference], other.id != lot.id {
            throw .referenceTaken(reference)
        }
        return LotChanged(id: lot.id, item: item, reference: reference, number: lot.number, by: caller)
    }

    /// The events of moving a lot; empty if it is there already. A lot that is moved before the prepared one, by the host or the owner of
    /// that one, takes its turn; one that is prepared leaves it to the first that waits.
    /// - Parameter item: The item of the lot, with the changes of the same command.
    private func move(
        _ lot: Lot, _ item: AuctionItem, to target: LotChanges.Target, by caller: Person, in context: DecisionContext
    ) throws(Refusal) -> [EventBody] {
        let (room, lots) = (context.room, context.room.lots)
        if room.hasPrepared(lot) { return try postpone(lot, to: target, by: caller, in: room) }
        guard lot.state == .queued else { throw .notMovable(lot.state) }
        guard case .before(let next) = target else {
            return lots.isLast(lot) ? [] : [.lotMoved(LotMoved(id: lot.id, before: nil, by: caller))]
        }
        guard let follower = lots[next] else { throw .unknownFollower(next) }
        guard lot.id != next, lots.follower(of: lot)?.id != next else { return [] }
        let moved = EventBody.lotMoved(LotMoved(id: lot.id, before: next, by: caller))
        if follower.state == .queued { return [moved] }
        let isDisplacing = caller.id == room.host.id || caller.id.isOperator || caller.id == lots.owner(of: follower).id
        guard isDisplacing, room.hasPrepared(follower) else { throw .notMovable(follower.state) }
        return [moved, .itemUploaded(item)]
    }

    /// The events of moving the prepared lot behind others; empty if no lot would be before it.
    private func postpone(
        _ lot: Lot, to target: LotChanges.Target, by caller: Person, in room: Room
    ) throws(Refusal) -> [EventBody] {
        var before: LotID?
        if case .before(let next) = target {
            guard let follower = room.lots[next] else { throw .unknownFollower(next) }
            if follower.id == lot.id { return [] }
            guard follower.state == .queued else { throw .notMovable(follower.state) }
            before = next
        }
        guard let first = room.lots.firstQueued, first.id != before else { return [] }
        return [.lotMoved(LotMoved(id: lot.id, before: before, by: caller)), .itemUploaded(room.lots.item(of: first))]
    }

    /// The events of withdrawing a lot; of the prepared one, the next lot takes its turn. Without another lot a running sale is finished.
    private func withdraw(
        _ id: LotID, reason: String?, by caller: Person, in context: DecisionContext
    ) throws(Refusal) -> [EventBody] {
        let lot = try find(id, in: context.room)
        try check(.withdrawLot, by: caller, in: context, RuleRequest(lot: id))
        let withdrawn = EventBody.lotWithdrawn(LotWithdrawn(id: id, by: caller, reason: reason))
        let lots = context.room.lots
        if lot.state == .queued, lots.queuedCount == 1, context.room.isBetweenLots { return [withdrawn, .sale(.finished)] }
        guard lot.state == .current, let next = lots.firstQueued else { return [withdrawn] }
        return [withdrawn, .itemUploaded(lots.item(of: next))]
    }

    /// Queues a lot that was not sold again, as another lot: what became of this one stays as it is. The new one has the reference.
    private func reoffer(
        _ id: LotID, _ patch: RulesPatch?, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        let (lot, lots) = (try find(id, in: context.room), context.room.lots)
        let request = RuleRequest(changesPrices: patch?.changesPrices ?? false, lot: id, addedLots: 1)
        try check(.reofferLot, by: caller, in: context, request)
        let old = lots.item(of: lot)
        let rules = patch?.applied(to: old.rules) ?? old.rules
        try rulebook.check(rules, of: old, by: caller)
        let new: LotID = context.identifiers.next()
        let item = AuctionItem(
            id: context.identifiers.next(), name: old.name, description: old.description, media: old.media,
            estimate: old.estimate, condition: old.condition, owner: old.owner, rules: rules, lot: new)
        // A successor that was withdrawn has the reference meanwhile.
        let reference = lot.reference ?? lots.successor(of: id)?.reference
        let queued = LotQueued(
            id: new, item: item, reference: reference, number: lots.count + 1, offeredBefore: id,
            by: caller.id == old.owner.id ? nil : caller)
        return Decision(events: [.lotQueued(queued)], outcome: .lotQueued(new))
    }

    private func find(_ id: LotID, in room: Room) throws(Refusal) -> Lot {
        guard let lot = room.lots[id] else { throw .lotNotFound.naming(id) }
        return lot
    }
}

extension UploadItem {
    /// The item that an upload or a lot makes.
    func item(_ id: ItemID, of owner: Person, lot: LotID? = nil) -> AuctionItem {
        AuctionItem(
            id: id, name: name, description: description, media: media, estimate: estimate, condition: condition, owner: owner,
            rules: rules, lot: lot)
    }
}

extension Refusal {
    /// Refusal of a lot that was never in the room.
    package static let lotNotFound = Refusal(
        .notFound, code: "lot.not_found", LocalizedText("There is no such lot in this room.", "房间中没有该拍品。"))

    fileprivate static func unknownFollower(_ id: LotID) -> Refusal {
        malformed("before", .init("\"before\" must be a lot of this room.", "before 须为本房间的拍品。"), actual: id.description)
    }

    fileprivate static func notMovable(_ state: Lot.State) -> Refusal {
        Refusal(
            .conflict, code: "lot.not_queued",
            .init("Only lots that wait in the queue are moved, before others that wait.", "只有仍在排队的拍品才能移动,且只能移到排队的拍品之前。"),
            required: Lot.State.queued.rawValue, actual: state.rawValue)
    }

    static func referenceTaken(_ reference: String) -> Refusal {
        Refusal(
            .conflict, code: "lot.reference_taken",
            .init("Another lot of this room has this reference.", "该房间已有使用此编号的拍品。"), actual: reference)
    }
}
