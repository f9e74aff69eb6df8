// Folds events about lots and the sale.
extension RoomFields {
    /// Makes an item that of the round. The lot whose item was there before waits again.
    mutating func show(_ item: AuctionItem) {
        if let replaced = self.item?.lot { changeLots { $0.setState(replaced, .queued) } }
        self.item = item
        let round = round
        if let lot = item.lot { changeLots { $0.setState(lot, .current, round: round) } }
    }

    mutating func applyLot(_ event: Event) {
        if case .lotWithdrawn(let lot) = event.body {
            if item?.lot == lot.id { item = nil }
            changeAbsentees { $0.void(on: lot.id, because: .lotWithdrawn) }
        }
        if case .lotChanged(let lot) = event.body { voidAbsentees(on: lot.id, becoming: lot.item.rules.format) }
        changeLots { lots in
            switch event.body {
            case .lotQueued(let lot): lots.add(lot.id, lot.item, reference: lot.reference, offeredBefore: lot.offeredBefore)
            case .lotChanged(let lot): lots.set(lot.id, lot.item, reference: lot.reference)
            case .lotMoved(let lot): lots.move(lot.id, before: lot.before, in: event)
            case .lotWithdrawn(let lot): lots.setState(lot.id, .withdrawn)
            default: break
            }
        }
    }

    mutating func apply(_ happened: SaleEvent) {
        switch happened {
        case .configured(let configured, _):
            var changed = configured
            changed.isRunning = sale.isRunning
            sale = changed
        case .starting(let instant, _): sale.startsAt = instant
        case .started:
            sale.isRunning = true
            sale.startsAt = nil
            sale.isPostponed = false
        case .postponed:
            sale.startsAt = nil
            sale.isPostponed = true
        case .stopped, .finished:
            sale.isRunning = false
            sale.startsAt = nil
            // The countdown to the next lot.
            if state == .closed { endsAt = nil }
        }
    }
}

extension SaleEvent {
    /// The user whose command it follows; nil: the service.
    var by: Person? {
        switch self {
        case .configured(_, let by): by
        case .started(let by), .stopped(_, let by): by
        case .starting, .postponed, .finished: nil
        }
    }
}
