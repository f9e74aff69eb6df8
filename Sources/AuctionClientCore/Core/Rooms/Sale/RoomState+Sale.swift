extension RoomState {
    /// Makes sale and total those after an event that was applied.
    /// - Parameter before: the room before the event.
    mutating func followSale(_ event: RoomEvent, before: RoomState) {
        switch event.body {
        case .lot(let lot):
            var changed = sale ?? .unconfigured
            if event.type == "lot.queued" {
                changed.lotCount += 1
                changed.queuedCount += 1
            } else if event.type == "lot.withdrawn", lot.lotId != before.itemLot {
                changed.queuedCount = max(0, changed.queuedCount - 1)
            }
            sale = changed
        case .sale(let happened):
            var changed = sale ?? .unconfigured
            changed.apply(happened, event.type)
            sale = changed
        case .itemUploaded(let item, _):
            guard item.id != before.item?.id, let count = sale?.queuedCount else { break }
            // The lot leaves the queue, and the one whose item was there before waits again.
            sale?.queuedCount = max(0, count + (before.itemLot == nil ? 0 : 1) - (itemLot == nil ? 0 : 1))
        default: break
        }
        sale?.nextLotAt = phase == .closed ? endsAt : nil
        if sale == .unconfigured { sale = nil }
        // A round that is over keeps the premium that it closed with.
        if phase == .closed, currentPrice == before.currentPrice { return }
        total =
            if let currentPrice, let percent = sale?.premiumPercent { currentPrice.withPremium(percent: percent) } else { nil }
    }
}

extension Sale {
    /// What a room has until its host configures it.
    fileprivate static let unconfigured = Sale(
        mode: .manual, pauseSeconds: 10, startsAt: nil, premiumPercent: nil, isAttended: false, isRunning: false,
        isPostponed: false,
        nextLotAt: nil, lotCount: 0, queuedCount: 0)

    fileprivate mutating func apply(_ event: RoomEvent.SaleEvent, _ type: EventType) {
        switch type.rawValue {
        case "sale.configured":
            mode = event.mode ?? mode
            pauseSeconds = event.pauseSeconds ?? pauseSeconds
            startsAt = event.startsAt
            premiumPercent = event.premiumPercent
            isAttended = event.isAttended
            isPostponed = false
        case "sale.starting": startsAt = event.startsAt
        case "sale.started":
            isRunning = true
            startsAt = nil
            isPostponed = false
        case "sale.postponed":
            startsAt = nil
            isPostponed = true
        case "sale.stopped", "sale.finished":
            isRunning = false
            startsAt = nil
        default: break
        }
    }
}

extension Money {
    /// The amount with a premium on it, rounded half up to the minor unit as the service does.
    /// - Parameter percent: 0 to 100 with at most two decimals, such as `12.5`.
    /// - Returns: nil for another percentage, and for an amount that the service has not.
    package func withPremium(percent: String) -> Money? {
        let hundredths: Int64
        do throws(MoneyError) {
            hundredths = try Money(percent, Currency("", fractionDigits: 2)).minorUnits
        } catch { return nil }
        guard hundredths <= 10_000, (0...Self.maximumMinorUnits).contains(minorUnits) else { return nil }
        // In two parts, because the product may not fit into 64 bits.
        let (whole, rest) = minorUnits.quotientAndRemainder(dividingBy: 10_000)
        let premium = whole * hundredths + (rest * hundredths + 5000) / 10_000
        return Money(minorUnits: minorUnits + premium, currency: currency)
    }

    /// The amount, and what the buyer pays where that is more: `100.00 CNY (120.00 CNY with the premium)`.
    /// - Parameter total: the amount with the premium; nil without one.
    package func description(total: Money?) -> String {
        guard let total, total != self else { return description }
        return "\(self) (\(total) with the premium)"
    }
}
