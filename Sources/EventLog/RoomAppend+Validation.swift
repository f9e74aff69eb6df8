extension RoomAppend {
    /// Validation common to all back ends, done before writing: no history can get a gap, and no room lacks a profile.
    ///
    /// Call it after `expected` has been found to match the actual head.
    /// - Throws: `.statement`, naming the room.
    package func validate() throws(EventLogError) {
        var seq = expected.seq
        for event in events {
            seq += 1
            if event.seq != seq {
                throw EventLogError(.statement, "\(room): event \(event.seq) was appended where event \(seq) belongs")
            }
        }
        if events.isEmpty, !responses.isEmpty {
            throw EventLogError(.statement, "\(room): a response cannot be stored without an event")
        }
        if events.isEmpty, !users.isEmpty {
            throw EventLogError(.statement, "\(room): the index by user cannot change without an event")
        }
        if expected == .none, !events.isEmpty, profile == nil {
            throw EventLogError(.statement, "\(room): a room cannot be created without a profile")
        }
    }
}
