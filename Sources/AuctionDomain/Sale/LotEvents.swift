/// A lot was added at the end of the queue.
package struct LotQueued: Hashable, Sendable {
    /// Identifier of the lot.
    package let id: LotID
    /// What is auctioned; its owner added the lot, if `by` is nil. The reserve price is private.
    package let item: AuctionItem
    /// The seller's own number; nil if the lot has none.
    package let reference: String?
    /// The lot's number in the room, for readers of the event: `Lots` counts by itself. Nil: version 1.0 wrote the event.
    package let number: Int?
    /// The lot that had its turn, and is offered again as this one, which has its reference now; nil if it is offered for the first time.
    package let offeredBefore: LotID?
    /// The host, who offers a lot of another user again; nil: the owner added the lot.
    package let by: Person?
    /// What the room's storage is charged for the response to the import that begins with this event, which is kept for repeats; nil:
    /// none is. Private.
    package var responseBytes: Int?

    package init(
        id: LotID, item: AuctionItem, reference: String?, number: Int?, offeredBefore: LotID? = nil, by: Person? = nil,
        responseBytes: Int? = nil
    ) {
        (self.offeredBefore, self.by) = (offeredBefore, by)
        self.number = number
        self.responseBytes = responseBytes
        self.id = id
        self.item = item
        self.reference = reference
    }
}

/// The item or the reference of a queued lot changed.
package struct LotChanged: Hashable, Sendable {
    /// Identifier of the lot.
    package let id: LotID
    /// The whole item as it is now. The reserve price is private.
    package let item: AuctionItem
    /// The seller's own number as it is now; nil if the lot has none.
    package let reference: String?
    /// As in `LotQueued`.
    package let number: Int?
    /// The owner or the host.
    package let by: Person
    /// What the room's storage is charged for the response to the import that begins with this event, which is kept for repeats; nil:
    /// none is. Private.
    package var responseBytes: Int?

    package init(id: LotID, item: AuctionItem, reference: String?, number: Int?, by: Person, responseBytes: Int? = nil) {
        self.number = number
        self.responseBytes = responseBytes
        self.id = id
        self.item = item
        self.reference = reference
        self.by = by
    }
}

/// A lot has another place in the order.
package struct LotMoved: Hashable, Sendable {
    /// Identifier of the lot.
    package let id: LotID
    /// The lot that follows it now; nil: it is the last one.
    package let before: LotID?
    /// The owner or the host; nil: the service, which puts a cancelled lot at the head of the queue.
    package let by: Person?

    package init(id: LotID, before: LotID?, by: Person?) {
        self.id = id
        self.before = before
        self.by = by
    }
}

/// A queued lot will not be auctioned.
package struct LotWithdrawn: Hashable, Sendable {
    /// Identifier of the lot.
    package let id: LotID
    /// The owner or the host.
    package let by: Person
    /// Free text; nil if none was given.
    package let reason: String?

    package init(id: LotID, by: Person, reason: String?) {
        self.id = id
        self.by = by
        self.reason = reason
    }
}

/// What happened to a room's sale.
package enum SaleEvent: Hashable, Sendable {
    /// The host configured it; `Sale.isRunning` is unchanged by this.
    case configured(Sale, by: Person)
    /// It will begin by itself at this instant.
    /// - Parameter cause: Why the instant is another than before; nil: the host chose it.
    case starting(Timestamp, cause: CountdownMoved.Cause?)
    /// From now on lots follow each other by themselves.
    /// - Parameter by: Nil: the clock.
    case started(by: Person?)
    /// No lot follows the current one by itself.
    /// - Parameter by: Nil: the service.
    case stopped(SaleStopCause, by: Person?)
    /// It was due to begin by itself, and does not: the host, for whom it waits, begins it.
    case postponed(SalePostponeCause)
    /// The last queued lot has been auctioned.
    case finished
}

/// Why a sale did not begin at its time.
package enum SalePostponeCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// The sale is attended, and its host was absent.
    case hostGone = "host_gone"
}

/// Why a sale stopped before its queue was empty.
package enum SaleStopCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// The host stopped it, or configured it to be manual.
    case host
    /// The host cancelled the current round.
    case cancel
    /// The next lot of an attended sale was due while the room had no host.
    case hostGone
    /// The room has stored as much as it may: a new round would lack the space to finish.
    case storageFull
}
