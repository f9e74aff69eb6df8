internal import AuctionDomain
internal import AuctionService

// Who has a stream on a process: long-polls come and go, so somebody is gone only when nothing came back for a while.
extension World {
    private static let lingerMilliseconds: Int64 = 2000

    func follow(_ user: UserID, _ room: RoomID, on node: SimulatedNode) {
        let key = SimulatedNode.StreamKey(room: room, user: user)
        let wall = now(node).wall
        if node.streams[key] != nil {
            node.streams[key]?.count += 1
        } else {
            node.streams[key] = .init(count: 1, closedAt: wall)
            post(.presence([PresenceChange(room: room, user: user, isPresent: true, at: wall)]), to: node)
        }
    }

    func unfollow(_ user: UserID, _ room: RoomID, on node: SimulatedNode) {
        let key = SimulatedNode.StreamKey(room: room, user: user)
        node.streams[key]?.count -= 1
        node.streams[key]?.closedAt = now(node).wall
        if node.streams[key]?.count == 0 { plan(.linger(node.name, key), in: Self.lingerMilliseconds + 1) }
    }

    func linger(_ key: SimulatedNode.StreamKey, on node: SimulatedNode) {
        guard let entry = node.streams[key], entry.count == 0,
            now(node).wall.milliseconds(since: entry.closedAt) >= Self.lingerMilliseconds
        else { return }
        node.streams[key] = nil
        let change = PresenceChange(room: key.room, user: key.user, isPresent: false, at: entry.closedAt)
        post(.presence([change]), to: node)
    }
}
