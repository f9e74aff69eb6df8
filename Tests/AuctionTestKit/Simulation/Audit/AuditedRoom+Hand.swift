internal import AuctionDomain
internal import ExactJSON

// What the host does by hand while a round runs.
extension AuditedRoom {
    /// "Going once", or twice, which lasts until the next bid, retraction or transition.
    func warningGiven(_ event: AuditedEvent) {
        let level = event.data["level"]?.int ?? 0
        require(isByHost(event), "rights", "a person other than the host gives a warning")
        require(snapshot.state == "auctioning", "state", "a warning while \(snapshot.state)")
        require((1...2).contains(level) && level != snapshot.warning, "warning", "\(level) after \(snapshot.warning)")
        snapshot.warning = level
    }

    /// Another increment for the rest of the round, or another next minimum at the present price.
    func askChanged(_ event: AuditedEvent) {
        require(isByHost(event), "rights", "a person other than the host changes the ask")
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

    /// A number for the bidder of an event. Each bid of the floor is of another person, as two of them may bid against each other.
    func number(ofBidderOf event: AuditedEvent) -> Int {
        let bidder = event.person("bidder") ?? ""
        return bidder == Self.floor ? -1 - event.seq : personNumber[bidder] ?? -1
    }

    /// The user whom the log has for a bidder's number; nil if there is none.
    func userID(of number: Int) -> String? {
        number < -1 ? Self.floor : userIDs.indices.contains(number) ? userIDs[number] : nil
    }

    private static let floor = "user_floor"

    /// Checks that the user who enters a bid for the floor may do so.
    func requireMayEnter(_ event: AuditedEvent) {
        let by = event.person("by") ?? ""
        require(event.person("bidder") == Self.floor, "rights", "a floor bid of a user")
        require(["host", "auctioneer"].contains(roles[by]), "rights", "a floor bid entered by a \(roles[by] ?? "stranger")")
        require(!banned.contains(by), "rights", "a floor bid entered by a banned person")
        require(by != owner, "rights", "a floor bid on one's own item")
        require(disabled.contains("bid.floor_off"), "rights", "a floor bid in a room that takes none")
        require(rules?.isSealed == false, "rights", "a floor bid in a sealed round")
    }

    /// Events after which no warning stands.
    static let endsWarning: Set<String> = ["bid.placed", "bid.retracted", "state.changed"]
}
