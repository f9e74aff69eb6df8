/// A state that only its rule lets change, and whose changes observers hear of.
///
/// There is no way to assign the state but `transition(to:)`. What observers want done comes out as effects; the state that
/// it begins with is no change, so nobody hears of it.
public struct ObservedState<State: Hashable & Sendable, Reason: Error, Effect: Sendable>: Sendable {
    /// The rule: why there is no way from one state to the other; nil if there is.
    public typealias Rule = @Sendable (_ from: State, _ to: State) -> Reason?
    /// What an observer wants done about a change that has happened.
    public typealias Observer = @Sendable (_ from: State, _ to: State) -> [Effect]

    /// The state; only `transition(to:)` assigns it.
    public private(set) var state: State
    private let reasonAgainst: Rule
    private var observers: [Observer] = []

    /// - Parameter shouldTransition: answers nil for the changes that may be made, and a reason for the others.
    public init(_ initial: State, shouldTransition: @escaping Rule) {
        state = initial
        reasonAgainst = shouldTransition
    }

    /// Adds an observer, after the others.
    public mutating func didTransition(_ observer: @escaping Observer) { observers.append(observer) }

    /// Why the state cannot become another one; nil if it can. Changes nothing.
    public func shouldTransition(to target: State) -> Reason? { reasonAgainst(state, target) }

    /// Assigns the state if the rule allows it.
    /// - Returns: what the observers want done, in their order.
    /// - Throws: the reason of the rule; the state is as it was and nobody hears of it.
    @discardableResult
    public mutating func transition(to target: State) throws(Reason) -> [Effect] {
        if let reason = reasonAgainst(state, target) { throw reason }
        let old = state
        state = target
        return observers.flatMap { $0(old, target) }
    }
}
