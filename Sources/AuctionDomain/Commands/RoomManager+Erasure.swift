import Permissions

// Decides what becomes of the part that a user has in a room, when they leave the service for good.
extension RoomManager {
    /// Ends the users' part in the room, as if they left it, and gives them pseudonyms. A room without another host is archived.
    func erase(_ erasure: EraseMembers, in context: inout DecisionContext) throws(Refusal) -> Decision {
        for person in erasure.people {
            if let refusal = refusal(ofErasing: person.id, in: context.room) { throw refusal }
        }
        var events: [EventBody] = []
        if !context.room.isArchived {
            for person in erasure.people where !events.contains(.roomArchived(by: person)) {
                events += try departure(of: person, in: &context)
            }
        }
        let last = erasure.people.count - 1
        events += erasure.people.enumerated().map { index, person in
            .memberErased(MemberErased(person, rewritten: index == last ? erasure.rewritten : []))
        }
        return Decision(events: events, outcome: .silent)
    }

    /// Why the user cannot leave the service now; nil if nothing in this room prevents it.
    ///
    /// A bid that may win is an obligation, and a round that runs needs its host.
    package func refusal(ofErasing user: UserID, in room: Room) -> Refusal? {
        let isRound = rulebook.states[room.state]?.isRound == true
        guard !room.isArchived, isRound || room.sale.isRunning else { return nil }
        if room.host.id == user, room.members[user]?.role == .host { return .erasedAsHost(of: room) }
        guard isRound else { return nil }
        // In a sealed round each bid may win.
        let mayWin = room.currentBid?.bidder.id == user || rulebook.format(of: room)?.isSealed == true && room.takesPart(user)
        return mayWin ? .erasedAsLeader(in: room) : nil
    }

    private func departure(of person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        let room = context.room
        let offers = room.offers.filter { $0.to.id == person.id }.map { EventBody.offer(.declined($0.id, by: person)) }
        guard let member = room.members[person.id] else { return offers }
        // While an offer to another bidder stands, the room waits without a host for its answer.
        if member.role == .host, successor(in: room) == nil, offers.count == room.offers.count {
            return offers + [.roomArchived(by: person)]
        }
        return offers + (try decideMembership(.leave, by: person, in: &context).events)
    }
}

extension Refusal {
    fileprivate static func erasedAsHost(of room: Room) -> Refusal {
        Refusal(
            .conflict, code: "account.hosts_round",
            .init(
                "You host a round that runs in the room \"\(room.details.name)\"; leave when it is over, or end it.",
                "您主持的房间“\(room.details.name)”正在进行拍卖,请在结束后再注销。"),
            required: "no running round", actual: room.id.description)
    }

    fileprivate static func erasedAsLeader(in room: Room) -> Refusal {
        Refusal(
            .conflict, code: "account.leads_round",
            .init(
                "A bid of yours may win the round that runs in the room \"\(room.details.name)\"; leave when it is over.",
                "您的出价可能赢得房间“\(room.details.name)”正在进行的一轮,请在结束后再注销。"),
            required: "no bid that may win", actual: room.id.description)
    }
}
