import Permissions

// Decides how a room's lots are sold: the host's commands, and what the clock does.
extension RoomManager {
    /// A sale that was due to start during an outage or a clock jump starts this long after the service's return.
    private static let delayAfterOutage = Seconds(60)

    func decideSale(_ command: SaleCommand, by caller: Person, in context: inout DecisionContext) throws(Refusal) -> Decision {
        try check(.runSale, by: caller, in: context)
        let events =
            switch command {
            case .configure(let sale): try configure(sale, by: caller, in: context)
            case .start: try startSale(by: caller, in: &context)
            case .stop: try stopSale(by: caller, in: context.room)
            }
        return Decision(events: events, outcome: .saleChanged)
    }

    private func configure(_ sale: Sale, by caller: Person, in context: DecisionContext) throws(Refusal) -> [EventBody] {
        let (room, old) = (context.room, context.room.sale)
        guard !sale.isConfigured(as: old) else { return [] }
        try check(sale, insteadOf: old, in: context)
        let isStopped = old.isRunning && sale.mode == .manual
        var events: [EventBody] = isStopped ? [.sale(.stopped(.host, by: caller))] : []
        events.append(.sale(.configured(sale, by: caller)))
        if let start = sale.startsAt, start != old.startsAt { events.append(.sale(.starting(start, cause: nil))) }
        // Another pause is also that of the lot that is next: it begins anew.
        if old.isRunning, !isStopped, sale.pause != old.pause, room.state == .closed, room.endsAt != nil {
            events.append(.countdownStarted(endsAt: context.instant + sale.pause, nextDropAt: nil))
        }
        return events
    }

    private func check(_ sale: Sale, insteadOf old: Sale, in context: DecisionContext) throws(Refusal) {
        if sale.premium != old.premium, rulebook.states[context.room.state]?.isRound == true {
            throw Refusal(
                .conflict, code: "sale.premium_in_round",
                .init("The premium is not changed during a round.", "拍卖进行中不能更改佣金。"),
                required: rulebook.states.namesWithoutRound, actual: context.room.state.rawValue)
        }
        if sale.mode == .manual, sale.startsAt != nil {
            throw .malformed("startsAt", .init("Only an automatic sale begins by itself.", "只有自动专场才能定时开始。"))
        }
        guard let start = sale.startsAt, start != old.startsAt else { return }
        if old.isRunning {
            throw Refusal(
                .conflict, code: "sale.running", .init("The sale is running already.", "专场已在进行中。"))
        }
        if start <= context.instant {
            throw .malformed("startsAt", .init("\"startsAt\" must be in the future.", "startsAt 须晚于当前时间。"))
        }
        if start > context.instant + Sale.longestWait {
            throw .malformed("startsAt", .init("\"startsAt\" must be within a year.", "startsAt 须在一年之内。"))
        }
    }

    private func startSale(by caller: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        let room = context.room
        guard !room.sale.isRunning else { return [] }
        guard room.sale.mode == .automatic else {
            throw Refusal(
                .conflict, code: "sale.not_automatic",
                .init(
                    "Only an automatic sale is started; the host starts each lot of a manual one.", "只有自动专场才能开始;手动专场由房主逐件开拍。"),
                required: Sale.Mode.automatic.rawValue, actual: room.sale.mode.rawValue)
        }
        guard room.lots.queuedCount > 0 || room.state == .preparing && room.item != nil else {
            throw Refusal(
                .conflict, code: "sale.no_lots", .init("No lot is queued.", "没有排队的拍品。"), required: "1", actual: "0")
        }
        return begin(by: caller, in: &context)
    }

    private func stopSale(by caller: Person, in room: Room) throws(Refusal) -> [EventBody] {
        guard room.sale.isRunning else {
            let isScheduled = room.sale.startsAt != nil
            let english = isScheduled ? " To cancel its start, configure the sale without \"startsAt\" or delete it." : ""
            let chinese = isScheduled ? "如需取消定时开始,请在设置中去掉 startsAt,或删除专场。" : ""
            throw Refusal(
                .conflict, code: "sale.not_running",
                .init("No sale is running." + english, "没有正在进行的专场。" + chinese))
        }
        return [.sale(.stopped(.host, by: caller))]
    }

    private func begin(by caller: Person?, in context: inout DecisionContext) -> [EventBody] {
        let started = EventBody.sale(.started(by: caller))
        guard let state = rulebook.states[context.room.state], !state.isRound else { return [started] }
        // Bids that were left may buy the first lot at once: the sale that goes on after it has begun by then.
        return [started] + state.deciding(after: [started], in: &context) { state.nextLot(by: caller, in: &$0) }
    }

    // MARK: - The clock

    /// The events of a sale whose start is due; nil if none is.
    func saleDue(in context: inout DecisionContext) -> [EventBody]? {
        guard let start = context.room.sale.startsAt, start <= context.instant else { return nil }
        if context.room.sale.isAttended, context.room.hostGoneSince != nil { return [.sale(.postponed(.hostGone))] }
        return begin(by: nil, in: &context)
    }

    /// Delays a start that was due while the service was not available.
    func saleAfterOutage(ready: Timestamp, _ cause: CountdownMoved.Cause, in room: Room) -> [EventBody] {
        guard let start = room.sale.startsAt, start < ready else { return [] }
        return [.sale(.starting(ready + Self.delayAfterOutage, cause: cause))]
    }
}
