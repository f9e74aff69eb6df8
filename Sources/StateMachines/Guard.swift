/// What must hold for a transition, and why not if it does not.
///
/// A guard answers with the reason for refusing rather than with `false`: whoever is refused wants to know why.
public struct Guard<Context: Sendable, Reason: Hashable & Sendable>: Sendable {
    /// What must hold, in words, for diagrams: `a seat is free`.
    public let condition: String
    private let check: @Sendable (Context) -> Reason?

    /// - Parameters:
    ///   - condition: what must hold, in words.
    ///   - reasonAgainst: the reason for refusing; nil lets the transition through.
    public init(_ condition: String, _ reasonAgainst: @escaping @Sendable (Context) -> Reason?) {
        self.condition = condition
        check = reasonAgainst
    }

    /// Why the transition is refused; nil if it is not.
    public func reason(against context: Context) -> Reason? { check(context) }
}
