/// The kind of `StageID`.
package enum StageKind: IdentifierKind { public static let prefix = "stage_" }
extension StageKind { @inlinable package static var opening: StaticString { "\"stage_" } }

/// Identifier of one handshake between a guest and the host.
package typealias StageID = Identifier<StageKind>

/// The role that a seat gives to its occupant.
package enum StageRole: String, Hashable, Sendable, Codable, CaseIterable {
    case auctioneer
    case bidder

    /// The member's role with the same name.
    package var role: Role {
        switch self {
        case .auctioneer: .auctioneer
        case .bidder: .bidder
        }
    }
}
