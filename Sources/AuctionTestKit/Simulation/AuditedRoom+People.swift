internal import ExactJSON

// Who is in the room, and as what.
extension AuditedRoom {
    func people(_ event: AuditedEvent) {
        let member = event.person("member") ?? ""
        switch event.type {
        case "room.opened":
            require(seq == 1, "order", "the room is opened again")
            host = event.person("host") ?? ""
            roles[host] = "host"
            if event.data["visibility"]?.text == "private" { inviteCode = event.secret?["inviteCode"]?.text ?? "" }
        case "room.archived": isArchived = true
        case "member.joined":
            require(roles[member] == nil, "members", "somebody joins who is there")
            require(!banned.contains(member), "rights", "somebody joins who is banned")
            // A host who has been away is let in again as what they were.
            if event.data["role"]?.text != "host" { invited.insert(member) }
            become(event.data["role"]?.text, member)
        case "member.left": roles[member] = nil
        case "member.kicked":
            byHost(event)
            roles[member] = nil
        case "member.roleChanged":
            require(roles[member] == event.data["from"]?.text, "members", "changes a role that was another one")
            become(event.data["to"]?.text, member)
        case "member.banned":
            byHost(event)
            if event.data["banned"]?.isTrue == true { banned.insert(member) } else { banned.remove(member) }
        case "member.muted":
            byHost(event)
            if event.data["muted"]?.isTrue == true { muted.insert(member) } else { muted.remove(member) }
        case "member.creditLimitChanged":
            byHost(event)
            credit[member] = event.secret?["creditLimit"]?.units
        case "host.gone": isHostGone = true
        case "host.returned": isHostGone = false
        case "permission.changed":
            byHost(event)
            require(picture.state == "preparing", "state", "a rule changes outside preparing")
            guard let rule = event.data["rule"]?.text, let isEnabled = event.data["enabled"] else { return }
            if isEnabled.isTrue { disabled.remove(rule) } else { disabled.insert(rule) }
        case "message.sent":
            let author = event.person("author") ?? ""
            require(roles[author] != nil && !muted.contains(author), "rights", "a message by somebody who may not speak")
        case "message.removed": byHost(event)
        case "message.system": break
        default: stage(event)
        }
    }

    private func become(_ role: String?, _ person: String) {
        roles[person] = role
        guard role == "host" else { return }
        // The old one has left, or is a viewer by an event of their own.
        host = person
        isHostGone = false
    }

    private func byHost(_ event: AuditedEvent) {
        require(event.person("by") == host, "rights", "\(event.type) by somebody other than the host")
    }

    private func stage(_ event: AuditedEvent) {
        let guest = event.person("guest") ?? ""
        switch event.type {
        case "stage.requested", "stage.invited":
            require(roles[guest] != nil, "stage", "a handshake with somebody who is not there")
        case "stage.seated":
            require(roles[guest] == event.data["previousRole"]?.text, "stage", "seated from another role")
            roles[guest] = event.data["role"]?.text
        case "stage.left":
            let cause = event.data["cause"]?.text
            let member = event.person("member") ?? ""
            guard cause != "leftRoom", cause != "becameHost", roles[member] != nil else { return }
            roles[member] = event.data["restoredRole"]?.text
        case "stage.accepted", "stage.declined", "stage.cancelled", "stage.timedOut", "stage.ended", "stage.seatClosed",
            "stage.seatMuted", "stage.seatCleared":
            break
        default: find("type", "an event of the unknown type \(event.type)")
        }
    }
}
