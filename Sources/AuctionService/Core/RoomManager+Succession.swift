import AuctionDomain

// A host who is gone: somebody takes their place, or the room waits for them.
extension RoomManager {
    /// What follows when the host is gone: a successor, or a room that stands still until the host is back.
    ///
    /// It is asked once, when the host goes: nobody can become auctioneer while there is no host to grant it, so later
    /// nobody is there who was not there then.
    /// - Parameter leaving: whether they left the room; if not, they stay as a viewer when somebody succeeds them.
    func succession(leaving: Bool, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        let room = context.room
        if let successor = successor(in: room) {
            let demotion: [EventBody] =
                leaving ? [] : [.memberRoleChanged(room.host, from: .host, to: .viewer, by: nil)]
            return stageEnds(leaving: leaving, to: successor, in: context) + demotion
                + [.memberRoleChanged(successor.person, from: successor.role, to: .host, by: nil)]
        }
        let gone = EventBody.hostGone(room.host)
        guard let (target, entrance) = rulebook.states.entrance(from: room.state, because: .hostGone) else { return [gone] }
        return [gone] + (try target.enter(by: entrance, nil, Advance(), in: &context))
    }

    /// The auctioneer who has been on stage for longest; if none is, the one who has been auctioneer for longest, because a
    /// host may make auctioneers without the stage. Nobody succeeds while the current item is theirs: they would lead their
    /// own auction.
    func successor(in room: Room) -> Member? {
        let candidates = room.members.auctioneers.filter { !$0.isBanned && $0.person.id != room.item?.owner.id }
        let seated = room.stage.seats.compactMap(\.occupant).sorted { $0.since < $1.since }
        for occupant in seated {
            if let member = candidates.first(where: { $0.person.id == occupant.person.id }) { return member }
        }
        return candidates.min { ($0.roleSince, $0.person.id) < ($1.roleSince, $1.person.id) }
    }

    /// What the old host had begun on the stage ends, and the new one gives up their seat.
    private func stageEnds(leaving: Bool, to successor: Member, in context: DecisionContext) -> [EventBody] {
        let room = context.room
        var stage = room.stage
        // What the departure of the old host ends has ended already.
        if leaving { for event in stage.departed(room.host.id) { stage.apply(event, at: context.instant) } }
        return stage.hostChanged(from: room.host.id, to: successor.person.id).map(EventBody.stage)
    }

    func hostDisconnected(_ user: UserID, in context: inout DecisionContext) throws(Refusal) -> Decision {
        guard context.room.host.id == user, context.room.hostGoneSince == nil else { return .nothing }
        return Decision(events: try succession(leaving: false, in: &context), outcome: .silent)
    }

    func hostReconnected(_ user: UserID, in room: Room) -> Decision {
        Decision(events: hostIsBack(user, in: room), outcome: .silent)
    }

    /// The return of a host who was gone and has come back as a member, or never stopped being one; else nothing.
    func hostIsBack(_ user: UserID, in room: Room) -> [EventBody] {
        guard room.hostGoneSince != nil, room.host.id == user, room.members[user]?.role == .host else { return [] }
        return [.hostReturned(room.host)]
    }
}
