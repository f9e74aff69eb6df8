internal import AuctionDomain
internal import EventLog

// The end of some runs: rooms lose their hosts, one of whom has bid, and an outage falls into the time for which a paused round waits for
// a host.
extension World {
    /// In some runs all hosts leave, and so do their successors; a while later all processes die for a second.
    func loseHosts() {
        var absences = SeededGenerator(seed: options.seed ^ 0xAA00_0000_0000)
        guard absences.once(in: 8), options.faults.contains(.crash) else { return }
        for node in nodes where !node.isServing && node.failure == nil { restart(node.name.node) }
        advance(to: time + 3000)
        for room in transcript.rooms {
            openRound(in: room)
            let bidder = appointBidder(in: room)
            for _ in people {
                guard let host = roomWithHost(room)?.host else { break }
                if host.id == bidder { askNow(.pause(AuctionTransition()), of: room, by: host) }
                askNow(.leave, of: room, by: host)
            }
        }
        advance(to: time + absences.amount(1000...300_000))
        for index in nodes.indices where nodes[index].hasStarted { crash(index, for: 1000) }
        advance(to: time + 2000)
    }

    /// Has the host go on until bids are taken.
    private func openRound(in id: RoomID) {
        for _ in 0..<5 {
            guard let room = roomWithHost(id), room.state != .auctioning else { return }
            if room.state == .preparing, room.item == nil, let auctioneer = room.members.auctioneers.first {
                askNow(.uploadItem(item()), of: id, by: auctioneer.person)
            } else {
                let transition = AuctionTransition()
                askNow(room.state == .paused ? .resume(transition) : .startAuction(transition), of: id, by: room.host)
            }
        }
    }

    /// Has a member who is to succeed the host bid in the running round.
    private func appointBidder(in id: RoomID) -> UserID? {
        guard let room = roomWithHost(id), room.state == .auctioning, let item = room.item, item.rules.format != .dutch,
            let member = room.members.sorted.first(where: { member in
                member.person.id != item.owner.id && [.bidder, .auctioneer].contains(member.role)
            }), let minimum = rulebook.nextMinimum(in: room, for: member.person.id)
        else { return nil }
        askNow(.changeMember(member.person.id, MemberChanges(role: .auctioneer)), of: id, by: room.host)
        askNow(.placeBid(PlaceBid(amount: minimum)), of: id, by: member.person)
        return member.person.id
    }

    private func askNow(_ command: Command, of room: RoomID, by person: Person) {
        ask(command, of: room, by: person)
        advance(to: time + 100)
    }

    /// A room as the log has it; nil if its host is gone, or it is archived.
    private func roomWithHost(_ id: RoomID) -> Room? {
        guard let history = try? log.log.load(id, responsesSince: Timestamp(milliseconds: 0)),
            let room = try? RoomReplay.room(id, from: history).room, !room.isArchived, room.hostGoneSince == nil
        else { return nil }
        return room
    }
}
