/// The inputs of a pure machine, for undo, redo and replay.
public struct History<State: Hashable & Sendable, Input: Hashable & Sendable>: Hashable, Sendable {
    /// An input with the state before it (in `past`) or after it (in `future`).
    fileprivate struct Entry: Hashable, Sendable {
        let state: State
        let input: Input
    }

    /// The current state.
    public private(set) var state: State
    fileprivate var past: [Entry] = []
    fileprivate var future: [Entry] = []
    /// Maximum number of inputs that can be undone; a negative one is none.
    public let limit: Int

    /// Inputs beyond the limit are dropped, the oldest first.
    public init(_ initial: State, limit: Int = MachineLimits.historySteps) {
        state = initial
        self.limit = limit
    }

    /// Whether there is an input to undo.
    public var canUndo: Bool { !past.isEmpty }
    /// Whether there is an undone input to redo.
    public var canRedo: Bool { !future.isEmpty }
    /// The inputs that can be undone, oldest first.
    public var inputs: [Input] { past.map(\.input) }
    /// The state before the oldest input that can be undone.
    public var origin: State { past.first?.state ?? state }

    /// Applies an input and discards all undone inputs.
    /// - Returns: the effects to perform.
    /// - Throws: why the input is refused; the history is then unchanged.
    @discardableResult
    public mutating func perform<Effect, Reason>(
        _ input: Input, by machine: PureMachine<State, Input, Effect, Reason>
    ) throws(Reason) -> [Effect] {
        let (next, effects) = try machine.next(state, input)
        past.append(Entry(state: state, input: input))
        // A stored history may have any limit.
        past.removeFirst(max(0, past.count - max(0, limit)))
        future = []
        state = next
        return effects
    }

    /// Undoes the last input.
    /// - Returns: the input; nil if there is none.
    @discardableResult
    public mutating func undo() -> Input? {
        guard let entry = past.popLast() else { return nil }
        future.append(Entry(state: state, input: entry.input))
        state = entry.state
        return entry.input
    }

    /// Redoes the last undone input, without the machine because the resulting state is stored.
    /// - Returns: the input; nil if there is none.
    @discardableResult
    public mutating func redo() -> Input? {
        guard let entry = future.popLast() else { return nil }
        past.append(Entry(state: state, input: entry.input))
        state = entry.state
        return entry.input
    }
}

extension History.Entry: Codable where State: Codable, Input: Codable {}
extension History: Codable where State: Codable, Input: Codable {}
