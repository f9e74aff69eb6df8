internal import ExactJSON

/// A member's seat on the stage.
struct AuditedSeat {
    /// The number of the seat.
    var number: Int?
    let role: String
    let since: Int64
    /// The role that the member has again when they leave it.
    var roleAfter: String
}

// The stage: who acts there is a member, and a seat gives back the role from before unless the member got another since.
extension AuditedRoom {
    func stage(_ event: AuditedEvent) {
        let guest = event.person("guest") ?? ""
        switch event.type {
        case "stage.requested", "stage.invited":
            require(roles[guest] != nil, "stage", "a handshake with a person who is not a member")
        case "stage.seated":
            let (role, previous) = (event.data["role"]?.text ?? "", event.data["previousRole"]?.text ?? "")
            requireMember(event)
            require(roles[guest] == previous, "stage", "`previousRole` is not the guest's role")
            roles[guest] = role
            applications.roleChanged(guest, to: role, isFromHost: true)
            seats[guest] = AuditedSeat(
                number: event.data["seat"]?.int, role: role, since: event.at, roleAfter: previous)
        case "stage.moved": moved(event)
        case "stage.left": left(event)
        case "stage.accepted", "stage.declined", "stage.cancelled": requireMember(event)
        case "stage.timedOut", "stage.ended", "stage.seatClosed", "stage.seatMuted", "stage.seatCleared": break
        default: report("type", "an event of the unknown type \(event.type)")
        }
    }

    /// A role that a member gets while they are seated is theirs after the seat, too.
    func keepRole(_ event: AuditedEvent, _ member: String) {
        guard let seat = seats[member], let role = roles[member] else { return }
        if event.at > seat.since || event.data["from"]?.text == role { seats[member]?.roleAfter = role }
    }

    private func moved(_ event: AuditedEvent) {
        let (member, by) = (event.person("member") ?? "", event.person("by") ?? "")
        let target = event.data["to"]?.int
        requireMember(event)
        require(
            by == member || roles[by] == "host" || event.isByOperator, "rights", "a member is moved by one who is not the host")
        require(seats[member]?.number == event.data["seat"]?.int, "stage", "a member leaves a seat that they did not have")
        require(!seats.values.contains { $0.number == target }, "stage", "a member moves to a seat that is taken")
        seats[member]?.number = target
    }

    private func left(_ event: AuditedEvent) {
        let (cause, member) = (event.data["cause"]?.text, event.person("member") ?? "")
        let seat = seats.removeValue(forKey: member)
        guard cause != "leftRoom", cause != "becameHost", let role = roles[member] else { return }
        let restored = event.data["restoredRole"]?.text
        let expected = role == seat?.role ? seat?.roleAfter : role
        require(restored == expected, "stage", "`restoredRole` is \(restored ?? "missing"), not \(expected ?? "any")")
        roles[member] = restored
    }

    private func requireMember(_ event: AuditedEvent) {
        let isMember = event.person("by").flatMap { roles[$0] } != nil
        require(isMember || event.isByOperator, "rights", "\(event.type) by a person who is not a member")
    }
}
