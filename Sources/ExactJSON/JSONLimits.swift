/// Limits on the structure of a document. Callers bound its size in bytes; within these limits reading takes time and memory
/// linear in that size.
package struct JSONLimits: Hashable, Sendable {
    /// Maximum nesting of arrays and objects.
    package var depth: Int
    /// Maximum number of members of one object, and of elements of one array.
    package var members: Int
    /// Maximum number of values in the whole document, arrays and objects included.
    package var values: Int
    /// Whether a name may stand twice in one object, whose members are then all kept, for a caller that decides itself (`hasRepeatedName`).
    package var allowsRepeatedNames = false

    /// Default limits, several times what the largest valid request needs.
    package init(depth: Int = 16, members: Int = 256, values: Int = 1024) {
        self.depth = depth
        self.members = members
        self.values = values
    }

    /// Limits for documents written by this program or by an operator: only the nesting is bounded.
    package static func trusted(depth: Int) -> JSONLimits { JSONLimits(depth: depth, members: .max, values: .max) }
}
