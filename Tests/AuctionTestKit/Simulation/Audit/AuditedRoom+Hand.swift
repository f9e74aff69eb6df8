internal import AuctionDomain
internal import ExactJSON

// What the host does by hand while a round runs.
extension AuditedRoom {
    /// "Going once", or twice, which lasts until the next bid, retraction or transition.
    func warningGiven(_ event: AuditedEvent) {
        let level = event.data["level"]?.int ?? 0
        require(event.person("by") == host, "rights", "a person other than the host gives a warning")
        require(snapshot.state == "auctioning", "state", "a warning while \(snapshot.state)")
        require((1...2).contains(level) && level != snapshot.warning, "warning", "\(level) after \(snapshot.warning)")
        snapshot.warning = level
    }

    /// Events after which no warning stands.
    static let endsWarning: Set<String> = ["bid.placed", "bid.retracted", "state.changed"]
}
