/// A state that changes only as a rule allows, and whose changes are reported to observers.
///
/// Only `transition(to:)` assigns the state, and it returns the effects that observers request. Observers are not notified of the
/// initial state.
public struct ObservedState<State: Hashable & Sendable, Reason: Error, Effect: Sendable>: Sendable {
    /// Why a change is forbidden; nil if it is allowed.
    public typealias Rule = @Sendable (_ from: State, _ to: State) -> Reason?
    /// The effects that an observer requests for a change that has happened.
    public typealias Observer = @Sendable (_ from: State, _ to: State) -> [Effect]

    /// The current state; only `transition(to:)` assigns it.
    public private(set) var state: State
    private let reasonAgainst: Rule
    private var observers: [Observer] = []

    /// `shouldTransition` returns nil for allowed changes, and a reason for forbidden ones.
    public init(_ initial: State, shouldTransition: @escaping Rule) {
        state = initial
        reasonAgainst = shouldTransition
    }

    /// Adds an observer; observers are called in the order in which they were added.
    public mutating func didTransition(_ observer: @escaping Observer) { observers.append(observer) }

    /// Why a change to the state is forbidden; nil if it is allowed. Does not change the state.
    public func shouldTransition(to target: State) -> Reason? { reasonAgainst(state, target) }

    /// Assigns the state if the rule allows it.
    /// - Returns: the effects of all observers, in the order of the observers.
    /// - Throws: the reason of the rule; the state is then unchanged and observers are not notified.
    @discardableResult
    public mutating func transition(to target: State) throws(Reason) -> [Effect] {
        if let reason = reasonAgainst(state, target) { throw reason }
        let old = state
        state = target
        return observers.flatMap { $0(old, target) }
    }
}
