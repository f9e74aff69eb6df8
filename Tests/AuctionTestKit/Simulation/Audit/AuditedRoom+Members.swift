internal import ExactJSON

// Members and their roles.
extension AuditedRoom {
    func memberEvent(_ event: AuditedEvent) {
        let member = event.person("member") ?? ""
        switch event.type {
        case "room.opened":
            require(seq == 1, "order", "the room is opened again")
            host = event.person("host") ?? ""
            roles[host] = "host"
            joinedAt[host] = event.at
            if event.data["visibility"]?.text == "private" { inviteCode = event.secret?["inviteCode"]?.text ?? "" }
        case "room.archived": isArchived = true
        case "member.joined":
            require(roles[member] == nil, "members", "a member joins again")
            require(!banned.contains(member), "rights", "a banned person joins")
            auditJoin(member, as: event.data["role"]?.text ?? "")
            // A host who left and returns needs no invite code and becomes host again.
            if event.data["role"]?.text != "host" { invited.insert(member) }
            requireApplicationInstead(ofRole: event.data["role"]?.text)
            setRole(event.data["role"]?.text, member)
            joinedAt[member] = event.at
        case "member.left":
            roles[member] = nil
            voidAbsentees(of: member)
            applications.left(member)
        case "member.kicked":
            requireHost(event)
            roles[member] = nil
            voidAbsentees(of: member)
            applications.removed(member)
        case "member.roleChanged":
            require(roles[member] == event.data["from"]?.text, "members", "`from` is not the member's role")
            auditRoleChange(event, of: member)
            if event.person("by") == member { requireApplicationInstead(ofRole: event.data["to"]?.text) }
            let isFromHost = event.person("by").map { $0 != member } ?? false
            applications.roleChanged(member, to: event.data["to"]?.text ?? "", isFromHost: isFromHost)
            setRole(event.data["to"]?.text, member)
            keepRole(event, member)
        case "member.banned":
            requireHost(event)
            if event.data["banned"]?.isTrue == true {
                banned.insert(member)
                voidAbsentees(of: member)
                applications.banned(member)
                endMaximum(of: member, because: "ban")
            } else {
                banned.remove(member)
            }
        case "member.muted":
            requireHost(event)
            if event.data["muted"]?.isTrue == true { muted.insert(member) } else { muted.remove(member) }
        case "member.creditLimitChanged":
            requireHost(event)
            credit[member] = event.secret?["creditLimit"]?.units
            let owed = won[member, default: 0] + wonBeforeLink[member, default: 0]
            if let limit = credit[member], let most = maximum(of: member), owed + most > limit {
                endMaximum(of: member, because: "credit")
            }
        case "member.erased": erased(event)
        case "member.linked": linked(event)
        case "host.gone": hostGoneAt = event.at
        case "host.returned": hostGoneAt = nil
        case "permission.changed":
            requireHost(event)
            require(snapshot.state == "preparing", "state", "a rule changes outside preparing")
            guard let rule = event.data["rule"]?.text, let isEnabled = event.data["enabled"] else { return }
            if isEnabled.isTrue { disabled.remove(rule) } else { disabled.insert(rule) }
            if isEnabled.isTrue { enabled.insert(rule) } else { enabled.remove(rule) }
        case "message.sent":
            let author = event.person("author") ?? ""
            let maySpeak = roles[author] == "host" || !muted.contains(author)
            require(roles[author] != nil && maySpeak, "rights", "a message by a muted person or a non-member")
            reports.sent(event)
        case "message.removed":
            requireHost(event)
            reports.removed(event)
        case "message.reported": messageReported(event)
        case "application.made": applicationMade(event)
        case "application.declined":
            requireHost(event)
            applicationDeclined(event)
        case "message.system": break
        default: stage(event)
        }
    }

    /// A user who leaves the service has left the room before, unless it is archived.
    private func erased(_ event: AuditedEvent) {
        let member = event.person("member") ?? ""
        require(isArchived || roles[member] == nil, "members", "a member is erased who has not left")
        require(
            event.data["member"]?["nickname"]?.text?.hasPrefix("Former user ") == true, "members",
            "a member who is erased keeps their nickname")
        banned.remove(member)
        muted.remove(member)
        credit[member] = nil
        applications.removed(member)
    }

    /// The stricter decisions of the host about the two users count, except that a host keeps their own.
    private func linked(_ event: AuditedEvent) {
        let (from, to) = (event.person("from") ?? "", event.person("to") ?? "")
        for index in sale.lots.indices where sale.lots[index].owner == from { sale.lots[index].owner = to }
        linkAbsentees(from: from, to: to)
        let known = [from, to].filter { roles[$0] != nil }.compactMap { joinedAt[$0] }
        joinedAt[to] = known.min() ?? event.at
        require(["preparing", "closed"].contains(snapshot.state), "state", "a guest is linked while \(snapshot.state)")
        // The host also after leaving, as long as they have no successor.
        let hosts = [from, to].filter { $0 == host }
        let deciding = hosts.isEmpty ? [from, to] : hosts
        let role = event.data["role"]?.text
        require((role == "host") == !hosts.isEmpty, "members", "a link makes a host, or leaves none")
        let isMember = roles[from] != nil || roles[to] != nil || !hosts.isEmpty
        require((role != nil) == isMember, "members", "a link makes a member, or removes one")
        // In an archived room a seat stays as it is, while the role is the one after it.
        let strongest = [from, to].compactMap { roles[$0] }.map(Self.strength(of:)).max() ?? 0
        require(
            isArchived || !hosts.isEmpty || role.map(Self.strength(of:)) ?? 0 <= strongest, "roles",
            "a link makes a person \(role ?? "no member"), which neither was")
        require(
            event.data["banned"]?.isTrue == !banned.isDisjoint(with: deciding), "rights", "a link is a way around a ban")
        require(
            event.data["muted"]?.isTrue == !muted.isDisjoint(with: deciding), "rights", "a link is a way around being muted")
        let limit = deciding.compactMap { credit[$0] }.min()
        require(event.secret?["creditLimit"]?.units == limit, "credit", "a link is a way around a credit limit")
        applications.linked(from: from, to: to, roles, role, isBanned: event.data["banned"]?.isTrue == true)
        roles[from] = nil
        roles[to] = role
        if role == "host" { host = to }
        if event.data["banned"]?.isTrue == true {
            banned.insert(to)
            voidAbsentees(of: to)
        } else {
            banned.remove(to)
        }
        if event.data["muted"]?.isTrue == true { muted.insert(to) } else { muted.remove(to) }
        credit[to] = limit
        if let amount = won.removeValue(forKey: from) {
            won[to, default: 0] += amount
            wonBeforeLink[from, default: 0] += amount
        }
        moveSales(from: from, to: to)
        if owner == from { owner = to }
        if snapshot.leader == from { snapshot.leader = to }
    }

    private func setRole(_ role: String?, _ person: String) {
        roles[person] = role
        guard role == "host" else { return }
        // The previous host has left, or becomes a viewer by a separate event.
        host = person
        hostGoneAt = nil
    }

    private func requireHost(_ event: AuditedEvent) {
        require(isByHost(event), "rights", "\(event.type) by a person other than the host")
    }

    /// Whether the host acts, or a program of the operator.
    func isByHost(_ event: AuditedEvent) -> Bool { event.isByOperator || event.person("by") == host }
}
