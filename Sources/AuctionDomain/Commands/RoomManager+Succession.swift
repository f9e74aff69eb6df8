// A host who left or disconnected: a successor becomes host, or the room waits for the host's return.
extension RoomManager {
    /// The events after the host left or disconnected: a succession, or a pause until the host returns. The rounds of a
    /// running sale that needs no host go on.
    ///
    /// Decided once, when the host goes: only a host can grant the auctioneer role, and their handshakes end, so no candidate can appear
    /// later.
    /// - Parameter leaving: Whether the host left the room; if not, they stay as a viewer when another member succeeds them.
    func succession(leaving: Bool, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        let room = context.room
        if let successor = successor(in: room) {
            let demotion: [EventBody] =
                leaving ? [] : [.memberRoleChanged(room.host, from: .host, to: .viewer, by: nil)]
            return stageEnds(leaving: leaving, to: successor, in: context) + demotion
                + [.memberRoleChanged(successor.person, from: successor.role, to: .host, by: nil)]
        }
        // A host without a stream may have accepted a guest since it closed. What a host who leaves had begun has ended already.
        let ends = leaving ? [] : room.stage.disconnected(room.host.id).map(EventBody.stage)
        let gone = ends + [.hostGone(room.host)]
        guard !room.sale.runsUnattended,
            let (target, incomingTransition) = rulebook.states.incomingTransition(from: room.state, because: .hostGone)
        else { return gone }
        return gone + (try target.enter(by: incomingTransition, nil, AuctionTransition(), in: &context))
    }

    /// The auctioneer who has been on stage longest; if none is on stage, the one with the longest tenure, because a host can grant
    /// the role without the stage. The owner of the current item is excluded: they would lead their own auction.
    func successor(in room: Room) -> Member? {
        let candidates = room.members.auctioneers.filter { !$0.isBanned && $0.person.id != room.item?.owner.id }
        let seated = room.stage.seats.compactMap(\.occupant).sorted { $0.since < $1.since }
        for occupant in seated {
            if let member = candidates.first(where: { $0.person.id == occupant.person.id }) { return member }
        }
        return candidates.min { ($0.roleSince, $0.person.id) < ($1.roleSince, $1.person.id) }
    }

    /// Ends the old host's handshakes and the new host's seat.
    private func stageEnds(leaving: Bool, to successor: Member, in context: DecisionContext) -> [EventBody] {
        let room = context.room
        var stage = room.stage
        // Without what the old host's departure has ended already.
        if leaving { for event in stage.departed(room.host.id) { stage.apply(event, at: context.instant) } }
        return stage.hostChanged(from: room.host.id, to: successor.person.id).map(EventBody.stage)
    }

    func hostDisconnected(_ user: UserID, in context: inout DecisionContext) throws(Refusal) -> Decision {
        guard context.room.host.id == user, context.room.hostGoneSince == nil else { return .nothing }
        return Decision(events: try succession(leaving: false, in: &context), outcome: .silent)
    }

    func hostReconnected(_ user: UserID, in room: Room) -> Decision {
        Decision(events: hostReturn(user, in: room), outcome: .silent)
    }

    /// The event for the return of a disconnected host who is a member; empty otherwise.
    func hostReturn(_ user: UserID, in room: Room) -> [EventBody] {
        guard room.hostGoneSince != nil, room.host.id == user, room.members[user]?.role == .host else { return [] }
        return [.hostReturned(room.host)]
    }
}
