/// A condition of a transition.
///
/// A guard returns the reason for refusing rather than `false`, so that the caller can report it.
public struct Guard<Context: Sendable, Reason: Hashable & Sendable>: Sendable {
    /// The condition as text, for diagrams: `a seat is free`.
    public let condition: String
    private let check: @Sendable (Context) -> Reason?

    /// - Parameters:
    ///   - condition: the condition as text, for diagrams.
    ///   - reasonAgainst: the reason for refusing; nil lets the transition through.
    public init(_ condition: String, _ reasonAgainst: @escaping @Sendable (Context) -> Reason?) {
        self.condition = condition
        check = reasonAgainst
    }

    /// Why the transition is refused; nil if it is not.
    public func reason(against context: Context) -> Reason? { check(context) }
}
