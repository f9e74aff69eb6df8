/// In which state and round a command of the host expects the room; in another the service refuses it. Nil: in any.
public struct Expectation: Hashable, Sendable {
    /// The state that the room has to be in; nil: any.
    public var phase: RoomPhase?
    /// The number of the round that the room has to be in. Nil: any, and the command is tried only once and never sent again: a repeat could
    /// end or cancel another item.
    public var round: Int?

    /// - Parameters:
    ///   - phase: nil for any state.
    ///   - round: nil for any round.
    public init(phase: RoomPhase? = nil, round: Int? = nil) {
        self.phase = phase
        self.round = round
    }

    func json(reason: String?) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if let phase { members["expectedState"] = .string(phase.rawValue) }
        if let round { members["expectedRound"] = .number(String(round)) }
        if let reason { members["reason"] = .string(reason) }
        return .object(members)
    }
}

extension Expectation {
    /// What a state shows: its phase and its round.
    public init(_ state: RoomState) { self.init(phase: state.phase, round: state.round) }
}
