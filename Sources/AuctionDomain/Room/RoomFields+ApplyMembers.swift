// Folds events about members and their roles.
extension RoomFields {
    mutating func applyMember(_ event: Event) {
        switch event.body {
        case .memberJoined(let person, let role):
            members.set(
                Member(person: person, role: role, joinedAt: event.at, standing: members.standing(of: person.id)))
            if role == .host { appoint(person) }
        case .memberLeft(let person):
            members.rename(person)
            members.remove(person.id)
            voidAbsentees(of: person.id, because: .left)
            takeApplicationBack(of: person.id)
        case .memberKicked(let person, _):
            members.remove(person.id)
            voidAbsentees(of: person.id, because: .kicked)
            endApplication(of: person.id)
        case .memberRoleChanged(let person, let old, let role, let by):
            if old == role { keepRoleOfSeat(person.id) }
            changeRole(of: person, to: role, by: by, at: event.at)
        case .memberBanned(let person, let isBanned, _):
            members.setStanding(of: person) { $0.isBanned = isBanned }
            if isBanned {
                voidAbsentees(of: person.id, because: .banned)
                endApplication(of: person.id)
            }
        case .memberMuted(let person, let isMuted, _): members.setStanding(of: person) { $0.isMuted = isMuted }
        case .memberCreditLimitChanged(let person, let limit, _):
            members.setStanding(of: person) { $0.creditLimit = limit }
        case .hostGone: hostGoneSince = event.at
        case .hostReturned: hostGoneSince = nil
        default: break
        }
    }

    /// The host has granted a seated member the role that they have only by their seat: they keep it.
    private mutating func keepRoleOfSeat(_ user: UserID) {
        guard let member = members[user], let seat = stage.seat(of: user), seat.takesRole(from: member) else { return }
        stage.keepRole(of: seat.number)
    }

    private mutating func changeRole(of person: Person, to role: Role, by: Person?, at instant: Timestamp) {
        // A role that a user gave themself was chosen, not granted: it does not count as an invitation.
        give(role, to: person, grantedBy: by.flatMap { $0.id == person.id ? nil : $0.id }, at: instant)
        if role == .host { appoint(person) }
    }

    private mutating func give(_ role: Role, to person: Person, grantedBy granter: UserID?, at instant: Timestamp) {
        let old = members[person.id]
        members.set(
            Member(
                person: person, role: role, grantedBy: granter, roleSince: old?.role == role ? old?.roleSince : instant,
                joinedAt: old?.joinedAt ?? instant, standing: members.standing(of: person.id)))
        // A role from the host, also that of a seat, approves; hosts need no approval.
        if granter != nil && role != .viewer || role == .host { endApplication(of: person.id) }
    }

    /// Updates a member's nickname to the one in an event that the member caused: it is from the token of their command.
    mutating func rename(_ person: Person) {
        members.rename(person)
        if host.id == person.id, host.nickname != person.nickname { host = person }
        renameOwner(person)
    }

    /// Updates the nickname of a user who has queued lots.
    mutating func renameOwner(_ person: Person) {
        guard hasLots, lotOwners.contains(where: { $0.id == person.id && $0 != person }) else { return }
        changeLots { $0.rename(person) }
    }

    private mutating func appoint(_ person: Person) {
        host = person
        hostGoneSince = nil
    }

    mutating func apply(_ happened: StageEvent, in event: Event) {
        var changed = stage
        changed.apply(happened, at: event.at)
        stage = changed
        // A guest who left the room, or became its host, has their role from another event.
        if case .left(let departure) = happened, departure.cause == .leftRoom || departure.cause == .becameHost { return }
        guard let (person, role) = happened.roleChange, let member = members[person.id] else { return }
        // A seat needs the host's consent, so it counts as the host's invitation, also after the guest has left the stage.
        var granter = member.grantedBy
        if case .seated = happened { granter = host.id }
        // The member keeps their present nickname: the event has the one of the time of the request.
        give(role, to: member.person, grantedBy: granter, at: event.at)
    }
}

extension EventBody {
    /// Whether the room shows the nickname in the event from now on, because it is that of the token of the user who caused it.
    var namesCauseByToken: Bool {
        switch self {
        // The end of a handshake has the nickname of its request; a new nickname would tell who is behind a concealed event.
        case .stage(.ended), .lotBidsChanged, .messageReported, .application(.made): false
        default: true
        }
    }
}
