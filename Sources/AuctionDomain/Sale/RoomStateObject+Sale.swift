import Permissions

// What a sale does to the states of a round. A room without lots is not affected.
extension RoomStateObject {
    /// The events that begin the round of the next lot and list it at once, from a state without a round; an item that is already
    /// prepared goes first. Without either, the sale is finished; a full room stops it.
    func nextLot(by person: Person?, in context: inout DecisionContext) -> [EventBody] {
        let (room, lot) = (context.room, context.room.lots.firstQueued)
        let hasPrepared = room.state == .preparing && room.item != nil
        guard hasPrepared || lot != nil else { return [.sale(.finished)] }
        if context.isRoomFull { return [.sale(.stopped(.storageFull, by: nil))] }
        guard let lot, !hasPrepared else { return list(by: person, cause: .sale, in: &context) }
        let prepared =
            room.state == .preparing ? [.itemUploaded(room.lots.item(of: lot))] : nextRound(.sale, by: person, in: &context)
        return prepared + deciding(after: prepared, in: &context) { list(by: person, cause: .sale, in: &$0) }
    }

    /// The events of beginning the next round, whose item is the first queued lot if there is one.
    func nextRound(
        _ cause: TransitionCause, by person: Person?, reason: String? = nil, in context: inout DecisionContext
    ) -> [EventBody] {
        let (round, lots) = (context.room.round + 1, context.room.lots)
        let lot = lots.firstQueued
        return transition(
            to: .preparing, cause: cause, by: person, reason: reason, beginsRound: true, lot: lot?.id,
            message: SystemMessage(
                key: "round.next", text: LocalizedText("Round \(round) is being prepared.", "第 \(round) 轮准备中。")),
            in: &context) + (lot.map { [.itemUploaded(lots.item(of: $0))] } ?? [])
    }

    /// The events of listing the item of the round that is being prepared.
    func list(
        by person: Person?, cause: TransitionCause, reason: String? = nil, in context: inout DecisionContext
    ) -> [EventBody] {
        let name = context.room.item?.name ?? ""
        return transition(
            from: .preparing, to: .listing, cause: cause, by: person, reason: reason,
            message: SystemMessage(key: "state.listing", text: LocalizedText("Up next: \(name)", "即将开拍:\(name)")), in: &context)
    }

    /// The events that follow the close of a round: the countdown to the next lot of a running sale, or its end.
    func saleAfterClose(in context: DecisionContext) -> [EventBody] {
        let (sale, lots) = (context.room.sale, context.room.lots)
        guard sale.isRunning else { return [] }
        guard lots.queuedCount > 0 else { return [.sale(.finished)] }
        if context.isRoomFull { return [.sale(.stopped(.storageFull, by: nil))] }
        return [.countdownStarted(endsAt: context.instant + sale.pause, nextDropAt: nil)]
    }

    /// The events that follow the cancelling of a round: its lot is the head of the queue again, and the sale stops.
    func saleAfterCancel(by person: Person?, in room: Room) -> [EventBody] {
        var events: [EventBody] = []
        let lots = room.lots
        if let current = room.item?.lot.flatMap({ lots[$0] }), let first = lots.firstQueued, first.place < current.place {
            events.append(.lotMoved(LotMoved(id: current.id, before: first.id, by: nil)))
        }
        if room.sale.isRunning { events.append(.sale(.stopped(.cancel, by: person))) }
        return events
    }

    /// The events of a decision in the room as it will be after `events`.
    func deciding(
        after events: [EventBody], in context: inout DecisionContext, _ decide: (inout DecisionContext) -> [EventBody]
    ) -> [EventBody] {
        var room = context.room
        _ = room.record(events, at: context.instant)
        var later = DecisionContext(
            room: room, rulebook: context.rulebook, instant: context.instant, identifiers: context.identifiers)
        let decided = decide(&later)
        context.identifiers = later.identifiers
        return decided
    }
}

extension DecisionContext {
    /// Whether the host's own start would be refused: a new round needs space to finish.
    fileprivate var isRoomFull: Bool {
        let most = rulebook.limits.roomBytes
        return most > 0 && room.storage.bytes > most
    }
}
