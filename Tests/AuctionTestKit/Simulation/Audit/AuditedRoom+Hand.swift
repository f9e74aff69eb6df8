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

    /// Another increment for the rest of the round, or another next minimum at the present price.
    func askChanged(_ event: AuditedEvent) {
        require(event.person("by") == host, "rights", "a person other than the host changes the ask")
        requireNoBid(by: event)
        require(["auctioning", "paused"].contains(snapshot.state), "state", "the ask changes while \(snapshot.state)")
        guard case .english(var oracle)? = formatOracle, let asked = event.data["nextMinimum"]?.units else {
            return report("ask", "of a round that has none")
        }
        if event.type == "increment.changed" {
            rules?.change(increment: event.data["increment"])
            oracle.change(steps: rules?.steps ?? [], percent: rules?.percent)
        } else {
            require(asked != oracle.minimum, "ask", "an ask that changes nothing")
            if let code = oracle.ask(asked) { report("refusal", "an ask was taken that must be refused: \(code)") }
        }
        require(oracle.minimum == asked, "minimum", "the next minimum after an ask is not \(oracle.minimum)")
        formatOracle = .english(oracle)
        updateSnapshot()
    }

    /// Events after which no warning stands.
    static let endsWarning: Set<String> = ["bid.placed", "bid.retracted", "state.changed"]
}
