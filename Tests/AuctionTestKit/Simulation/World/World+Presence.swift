internal import AuctionDomain
internal import AuctionService

// Presence: a user counts as absent once no stream of theirs was open for the linger time, because long-polls reconnect.
extension World {
    private static let lingerMilliseconds: Int64 = 2000

    func streamOpened(_ user: UserID, _ room: RoomID, on node: SimulatedNode) {
        let key = SimulatedNode.StreamKey(room: room, user: user)
        let wall = now(node).wall
        if node.streams[key] != nil {
            node.streams[key]?.count += 1
        } else {
            node.streams[key] = .init(count: 1, closedAt: wall)
            post(.presence([PresenceChange(room: room, user: user, isPresent: true, at: wall)]), to: node)
        }
    }

    func streamClosed(_ user: UserID, _ room: RoomID, on node: SimulatedNode) {
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
