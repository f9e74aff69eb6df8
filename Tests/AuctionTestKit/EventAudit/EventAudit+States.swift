internal import ExactJSON

extension EventAudit {
    /// Calls `write` with a line of JSON for the state of each room after each of its events, as the events make it: `room`, `seq`, `state`,
    /// `round`, `endsAt` in milliseconds since 1970, `price` and `nextMinimum` in minor units, and the `leader`'s id.
    package func forEachState(_ write: (String) -> Void) {
        for (id, room) in rooms.sorted(by: { $0.key < $1.key }) {
            for (seq, state) in room.snapshots.enumerated().dropFirst() {
                func number(_ value: Int64?) -> String { value.map(String.init) ?? "null" }
                write(
                    """
                    {"room":"\(id)","seq":\(seq),"state":"\(state.state)","round":\(state.round),"endsAt":\(number(state.endsAt)),\
                    "price":\(number(state.price)),"leader":\(state.leader.map { "\"\($0)\"" } ?? "null"),\
                    "nextMinimum":\(number(state.minimum))}
                    """)
            }
        }
    }
}
