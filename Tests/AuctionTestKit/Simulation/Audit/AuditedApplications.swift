internal import AuctionDomain
internal import ExactJSON

/// Who has a role from the host, and who has applied for one: a second fold of both.
struct AuditedApplications {
    private enum Application { case open, declined }

    private var byUser: [String: (state: Application, seq: Int)] = [:]
    /// Members whose role another user gave them.
    private var granted: Set<String> = []

    func hasRoleFromHost(_ member: String) -> Bool { granted.contains(member) }

    private var declined: [(key: String, value: (state: Application, seq: Int))] {
        byUser.filter { $0.value.state == .declined }
    }

    /// - Returns: what is wrong with the application; nil if it is right.
    mutating func made(by user: String, at seq: Int) -> String? {
        if let known = byUser[user] { return "after one that \(known.state == .open ? "is open" : "was declined")" }
        if byUser.count - declined.count >= RoomApplications.openLimit { return "of too many" }
        byUser[user] = (.open, seq)
        return nil
    }

    /// - Returns: what is wrong with it; nil if it is right.
    mutating func declined(_ user: String) -> String? {
        guard let old = byUser[user], old.state == .open else { return "is not open" }
        let others = declined
        if others.count >= RoomApplications.declinedLimit, let oldest = others.min(by: { $0.value.seq < $1.value.seq }) {
            byUser[oldest.key] = nil
        }
        byUser[user] = (.declined, old.seq)
        return nil
    }

    mutating func left(_ user: String) {
        granted.remove(user)
        if byUser[user]?.state == .open { byUser[user] = nil }
    }

    mutating func removed(_ user: String) {
        granted.remove(user)
        byUser[user] = nil
    }

    mutating func banned(_ user: String) { byUser[user] = nil }

    /// The user has the role from the host, from themself, or from the service, which only makes hosts.
    mutating func roleChanged(_ user: String, to role: String, isFromHost: Bool) {
        if isFromHost { granted.insert(user) } else { granted.remove(user) }
        if isFromHost && role != "viewer" || role == "host" { byUser[user] = nil }
    }

    /// - Parameters:
    ///   - roles: Of both before the link.
    ///   - role: That of the user now; nil: no member.
    mutating func linked(from: String, to: String, _ roles: [String: String], _ role: String?, isBanned: Bool) {
        let isGranted = role != nil && [from, to].contains { granted.contains($0) && roles[$0] == role }
        granted.remove(from)
        if isGranted { granted.insert(to) } else { granted.remove(to) }
        let moved = byUser.removeValue(forKey: from)
        if byUser[to] == nil { byUser[to] = moved }
        if role == "host" || role != nil && isBanned || isGranted && role != "viewer" { byUser[to] = nil }
    }
}

extension AuditedRoom {
    /// Whether the host approves bidders.
    private var needsApproval: Bool { enabled.contains("bid.not_approved") }

    /// Whether a bid of theirs lacks the approval that the room's host asks for.
    func lacksApproval(_ bidder: String) -> Bool {
        needsApproval && roles[bidder] != "host" && !applications.hasRoleFromHost(bidder)
    }

    func requireApplicationInstead(ofRole role: String?) {
        require(role != "bidder" || !needsApproval, "rights", "a person becomes a bidder whom the host has not approved")
    }

    /// Everything about who has applied is between them and the host.
    func applicationMade(_ event: AuditedEvent) {
        requireOnly([], in: event)
        guard knowsSecrets else { return }
        let applicant = event.secret?["applicant"]?["id"]?.text ?? ""
        let role = roles[applicant]
        let isUnapproved = role == "viewer" || role == "bidder" && !applications.hasRoleFromHost(applicant)
        require(needsApproval && isUnapproved, "application", "an application by a \(role ?? "stranger") who needs none")
        require(!banned.contains(applicant), "rights", "an application by a banned person")
        if let problem = applications.made(by: applicant, at: event.seq) { report("application", "an application \(problem)") }
    }

    func applicationDeclined(_ event: AuditedEvent) {
        requireOnly(["by"], in: event)
        guard knowsSecrets else { return }
        let applicant = event.secret?["applicant"]?["id"]?.text ?? ""
        if let problem = applications.declined(applicant) { report("application", "a declined application \(problem)") }
    }

    private func requireOnly(_ shown: [String], in event: AuditedEvent) {
        var names: [String] = []
        if case .object(let members) = event.data { names = members.map(\.name) }
        require(names == shown, "secret", "\(event.type) shows \(names.filter { !shown.contains($0) })")
    }
}
