internal import ExactJSON

// Deadlines that are moved without a bid.
extension AuditedRoom {
    /// Milliseconds after the extension until clients reach a service that starts.
    private static let allowance: Int64 = 250

    /// Checks that the deadline is moved forward, by no more than bidders are given to return.
    func deadlineExtended(_ event: AuditedEvent, to end: Int64) {
        let isOutage = event.data["cause"]?.text == "outage"
        let old = snapshot.endsAt ?? 0
        require(end > old, "countdown", "a deadline is moved backwards")
        let isOpen = snapshot.state == "auctioning"
        require(isOpen || snapshot.state == "closed", "extension", "a deadline is extended while \(snapshot.state)")
        let longest = isOpen ? rules?.leastRemaining ?? 0 : min(sale.pause, 60_000)
        // All later drops of a Dutch price move with the next one, and so does the end.
        let due = (nextDropAt ?? old) + end - old
        let latest = event.at + (isOutage ? Self.allowance : 0) + longest
        require(due <= latest, "extension", "a deadline is extended by \(due - latest) ms more than the rules allow")
    }

    /// The event that has to follow what moves the deadline as a bid does, but is none; nil if the deadline stays.
    func moveAfterBid(by cause: String, at instant: Int64) -> ExpectedEvent? {
        guard snapshot.state == "auctioning", let old = snapshot.endsAt, let end = endAfterBid(at: instant), end > old else {
            return nil
        }
        return .movedDeadline(cause: cause)
    }
}
