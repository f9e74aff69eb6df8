/// The state, round and item that a command of the host expects; the service refuses it in any other. Nil: any.
public struct Expectation: Hashable, Sendable {
    /// The state that the room has to be in; nil: any.
    public var phase: RoomPhase?
    /// The number of the round that the room has to be in. Nil: any, and the command is tried only once and never sent again: a repeat could
    /// end or cancel another item.
    public var round: Int?
    /// Identifier of the item that has to be up; nil: any. A round that is cancelled begins again with the same number, perhaps with another item.
    public var item: String?

    /// - Parameters:
    ///   - phase: nil for any state.
    ///   - round: nil for any round.
    ///   - item: nil for any item, or none.
    public init(phase: RoomPhase? = nil, round: Int? = nil, item: String? = nil) {
        self.phase = phase
        self.round = round
        self.item = item
    }

    func json(reason: String?) -> JSONValue { json(reason.map { ["reason": .string($0)] } ?? [:]) }

    /// - Parameter others: what the body has beside it.
    func json(_ others: [String: JSONValue]) -> JSONValue {
        var members = others
        if let phase { members["expectedState"] = .string(phase.rawValue) }
        if let round { members["expectedRound"] = .number(String(round)) }
        if let item { members["expectedItem"] = .string(item) }
        return .object(members)
    }
}

extension Expectation {
    /// What a state shows: its phase, its round and its item.
    public init(_ state: RoomState) { self.init(phase: state.phase, round: state.round, item: state.item?.id) }
}
