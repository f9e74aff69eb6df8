extension RoomAppend {
    /// What every back end refuses before it writes, so that no history can get a gap or a room without a profile.
    ///
    /// Called once the expected head turned out to be the actual one.
    /// - Throws: `.statement`, naming the room.
    public func validate() throws(EventLogError) {
        var seq = expected.seq
        for event in events {
            seq += 1
            if event.seq != seq {
                throw EventLogError(.statement, "\(room): event \(event.seq) was appended where event \(seq) belongs")
            }
        }
        if events.isEmpty, !answers.isEmpty {
            throw EventLogError(.statement, "\(room): an answer cannot be kept without an event")
        }
        if expected == .none, !events.isEmpty, profile == nil {
            throw EventLogError(.statement, "\(room): a room cannot be created without a profile")
        }
    }
}
