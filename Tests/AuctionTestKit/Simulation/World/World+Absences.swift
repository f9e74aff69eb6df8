internal import AuctionDomain
internal import EventLog

// The end of some runs: rooms lose their hosts, and an outage falls into the time for which a paused round waits for one.
extension World {
    /// In some runs all hosts leave, and so do their successors; a while later all processes die for a second.
    func loseHosts() {
        var absences = SeededGenerator(seed: options.seed ^ 0xAA00_0000_0000)
        guard absences.once(in: 8), options.faults.contains(.crash) else { return }
        for node in nodes where !node.isServing && node.failure == nil { restart(node.name.node) }
        advance(to: time + 3000)
        for room in transcript.rooms {
            for _ in people {
                guard let host = presentHost(of: room) else { break }
                ask(.leave, of: room, by: host)
                advance(to: time + 100)
            }
        }
        advance(to: time + absences.amount(1000...300_000))
        for index in nodes.indices where nodes[index].hasStarted { crash(index, for: 1000) }
        advance(to: time + 2000)
    }

    /// The host of a room; nil if they are gone, or the room is archived.
    private func presentHost(of id: RoomID) -> Person? {
        guard let history = try? log.log.load(id, responsesSince: Timestamp(milliseconds: 0)),
            let room = try? RoomReplay.room(id, from: history).room, !room.isArchived, room.hostGoneSince == nil
        else { return nil }
        return room.host
    }
}
