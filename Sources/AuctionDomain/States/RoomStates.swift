public import StateMachines

/// The registry of states: the only list of them.
public struct RoomStates: Sendable {
    /// In the order of a round.
    public let all: [any RoomStateObject]
    public let table: TransitionTable<RoomState, TransitionCause>
    private let byName: [RoomState: any RoomStateObject]

    /// - Throws: `UnsoundStates` if a state is registered twice, leads nowhere or cannot be reached.
    public init(_ all: [any RoomStateObject]) throws(UnsoundStates) {
        self.all = all
        var byName: [RoomState: any RoomStateObject] = [:]
        for state in all where byName.updateValue(state, forKey: state.name) != nil {
            throw UnsoundStates(findings: ["\(state.name) is registered twice"])
        }
        self.byName = byName
        table = TransitionTable(
            initial: .preparing, states: all.map(\.name), transitions: all.flatMap(\.transitions))
        guard table.findings.isEmpty else { throw UnsoundStates(findings: table.findings) }
    }

    /// The states of the product.
    public static let product: [any RoomStateObject] = [
        PreparingState(), ListingState(), AuctioningState(), ClosedState(),
    ]

    public subscript(name: RoomState) -> (any RoomStateObject)? { byName[name] }

    /// The states that let an action through, in order.
    public func allowing(_ action: RoomAction) -> [RoomState] {
        all.filter { $0.allowedActions.contains(action) }.map(\.name)
    }
}

/// The states do not make a sound machine.
public struct UnsoundStates: Error, Hashable, Sendable, CustomStringConvertible {
    public let findings: [String]
    public var description: String { "the room's states are unsound: " + findings.joined(separator: "; ") }
}
