internal import ExactJSON

// Who gives a role: the host to others, members to themselves between viewer and bidder, and the service to the successor of a host.
extension AuditedRoom {
    /// The roles that users choose themselves.
    private static let chosen: Set<String> = ["viewer", "bidder"]
    /// The roles that a host gives.
    private static let granted: Set<String> = ["viewer", "bidder", "auctioneer"]

    /// The more a role allows, the greater; -1 for an unknown role.
    static func strength(of role: String) -> Int { ["viewer", "bidder", "auctioneer", "host"].firstIndex(of: role) ?? -1 }

    /// A host who left, and has no successor, joins as host; all others as what they choose.
    func auditJoin(_ member: String, as role: String) {
        if member == host, isHostGone {
            require(role == "host", "roles", "a host who left joins as \(role)")
        } else {
            require(Self.chosen.contains(role), "roles", "a person who joins becomes \(role)")
        }
    }

    func auditRoleChange(_ event: AuditedEvent, of member: String) {
        let (from, to) = (event.data["from"]?.text ?? "", event.data["to"]?.text ?? "")
        guard let by = event.person("by") else { return auditSuccession(from: from, to: to, of: member) }
        if by == member {
            require(Self.chosen.contains(from) && Self.chosen.contains(to), "roles", "a \(from) makes themself \(to)")
        } else {
            require(
                event.isByOperator || by == host && roles[by] == "host", "roles",
                "a person other than the host makes a \(from) \(to)")
            require(from != "host" && Self.granted.contains(to), "roles", "a host makes a \(from) \(to)")
        }
    }

    /// The service replaces only a host: the disconnected one becomes a viewer, then the successor is host.
    private func auditSuccession(from: String, to: String, of member: String) {
        if from == "host" {
            require(member == host && to == "viewer", "roles", "a host who is gone becomes \(to)")
            expectedNext = .successor
            return
        }
        require(from == "auctioneer" && to == "host", "roles", "the service makes a \(from) \(to)")
        require(!roles.values.contains("host"), "roles", "a host is replaced who is still there")
        require(!banned.contains(member) && member != owner, "roles", "a banned person, or the item's owner, becomes host")
    }

    /// There is one host at most, also between the two events of a succession.
    func requireOneHost() {
        require(roles.allSatisfy { $0.value != "host" || $0.key == host }, "roles", "a second member is host")
    }
}
