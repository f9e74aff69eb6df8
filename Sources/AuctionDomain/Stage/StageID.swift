/// The kind of `StageID`.
public enum StageKind: IdentifierKind { public static let prefix = "stage_" }

/// Identifier of one handshake between a guest and the host.
public typealias StageID = Identifier<StageKind>

/// The role that a seat gives to its occupant.
public enum StageRole: String, Hashable, Sendable, Codable, CaseIterable {
    case auctioneer
    case bidder

    /// The member's role with the same name.
    public var role: Role {
        switch self {
        case .auctioneer: .auctioneer
        case .bidder: .bidder
        }
    }
}
