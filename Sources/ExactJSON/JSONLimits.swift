/// How much structure a document may have. Its bytes are bounded elsewhere; within these limits reading it costs time and memory
/// linear in them.
public struct JSONLimits: Hashable, Sendable {
    /// How many arrays and objects may stand inside each other.
    public var depth: Int
    /// Members of one object, and elements of one array.
    public var members: Int
    /// Values of the whole document: what is in arrays and objects, and these themselves.
    public var values: Int

    /// What requests need many times over.
    public init(depth: Int = 16, members: Int = 256, values: Int = 1024) {
        self.depth = depth
        self.members = members
        self.values = values
    }

    /// For what this program wrote itself, or an operator.
    public static func trusted(depth: Int) -> JSONLimits { JSONLimits(depth: depth, members: .max, values: .max) }
}
