/// Two states that hold side by side: every state of the one crossed with every state of the other.
public struct Crossed<First: Hashable & Sendable, Second: Hashable & Sendable>: Hashable, Sendable {
    /// The one state.
    public var first: First
    /// The other state.
    public var second: Second

    /// Both states together.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
}

extension Crossed: CaseIterable where First: CaseIterable, Second: CaseIterable {
    /// All pairs, in the order of the first.
    public static var allCases: [Crossed] {
        First.allCases.flatMap { first in Second.allCases.map { Crossed(first, $0) } }
    }
}

extension Crossed: Codable where First: Codable, Second: Codable {}

extension Crossed: CustomStringConvertible {
    public var description: String { "\(first)/\(second)" }
}
