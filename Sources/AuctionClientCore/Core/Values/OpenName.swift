/// A name of the service's vocabulary: an event type, a state, a role. The known ones are static members; a name that this version of
/// the library does not know is kept as it was sent, and never makes a response unreadable.
///
/// Switch over it with the static members as patterns and a `default`:
///
/// ```swift
/// switch state.phase {
/// case .auctioning: showBidButton()
/// default: hideBidButton()
/// }
/// ```
public protocol OpenName: RawRepresentable<String>, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The names that this version of the library knows.
    static var known: Set<Self> { get }
    /// A name as the service sends it.
    init(rawValue: String)
}

extension OpenName {
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    public var description: String { rawValue }
    /// Whether this version of the library knows the name.
    public var isKnown: Bool { Self.known.contains(self) }
}
