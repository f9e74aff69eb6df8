/// The combined state of two parallel machines: every state of the first with every state of the second.
public struct Crossed<First: Hashable & Sendable, Second: Hashable & Sendable>: Hashable, Sendable {
    /// State of the first machine.
    public var first: First
    /// State of the second machine.
    public var second: Second

    /// The combination of two states.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
}

extension Crossed: CaseIterable where First: CaseIterable, Second: CaseIterable {
    /// All pairs, ordered by the first state, then by the second.
    public static var allCases: [Crossed] {
        First.allCases.flatMap { first in Second.allCases.map { Crossed(first, $0) } }
    }
}

extension Crossed: Codable where First: Codable, Second: Codable {}

extension Crossed: CustomStringConvertible {
    public var description: String { "\(first)/\(second)" }
}
