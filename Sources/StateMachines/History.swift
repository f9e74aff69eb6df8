/// What a pure machine was given, so that it can be taken back, done again, and replayed.
public struct History<State: Hashable & Sendable, Input: Hashable & Sendable>: Hashable, Sendable {
    /// An input and the state on its other side: for one in the past the state before it, for one taken back the one after.
    fileprivate struct Entry: Hashable, Sendable {
        let state: State
        let input: Input
    }

    /// Where the machine is now.
    public private(set) var state: State
    fileprivate var past: [Entry] = []
    fileprivate var future: [Entry] = []
    /// How many inputs can be taken back.
    public let limit: Int

    /// - Parameter limit: how many inputs can be taken back; the oldest are forgotten first.
    public init(_ initial: State, limit: Int = MachineLimits.historySteps) {
        state = initial
        self.limit = limit
    }

    /// Whether there is an input to take back.
    public var canUndo: Bool { !past.isEmpty }
    /// Whether there is an input to do again.
    public var canRedo: Bool { !future.isEmpty }
    /// The inputs that can be taken back, oldest first.
    public var inputs: [Input] { past.map(\.input) }
    /// The state before the oldest of them.
    public var origin: State { past.first?.state ?? state }

    /// Gives the machine an input. What was taken back before cannot be done again after it.
    /// - Returns: what is to be done.
    /// - Throws: why the input is refused; the history is as it was.
    @discardableResult
    public mutating func perform<Effect, Reason>(
        _ input: Input, by machine: PureMachine<State, Input, Effect, Reason>
    ) throws(Reason) -> [Effect] {
        let (next, effects) = try machine.next(state, input)
        past.append(Entry(state: state, input: input))
        if past.count > limit { past.removeFirst(past.count - limit) }
        future = []
        state = next
        return effects
    }

    /// Takes the last input back.
    /// - Returns: the input; nil if there is none.
    @discardableResult
    public mutating func undo() -> Input? {
        guard let entry = past.popLast() else { return nil }
        future.append(Entry(state: state, input: entry.input))
        state = entry.state
        return entry.input
    }

    /// Does the input that was last taken back again: without the machine, because its outcome is known.
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
